// Programs that end well, badly, by a signal, too late or not at all; folders that go.

#include "programs/program.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "programs/scratch_folder.hpp"
#include "stickslip/errors.hpp"

namespace stickslip::programs {
namespace {

namespace fs = std::filesystem;

TEST(program, status_signal_and_absence) {
  const ScratchFolder folder(fs::temp_directory_path());
  const fs::path log = folder.path() / "log";
  EXPECT_EQ(run_program({"sh", "-c", "exit 3"}, log), 3);
  EXPECT_EQ(run_program({"sh", "-c", "kill -9 $$"}, log), 128 + 9);
  EXPECT_EQ(run_program({"no-such-program-here"}, log), 127);
  EXPECT_EQ(run_program({"sh", "-c", "echo out; echo err >&2; echo"}, log), 0);
  std::ifstream in(log);
  const std::string said((std::istreambuf_iterator<char>(in)), {});
  EXPECT_EQ(said, "out\nerr\n\n");
  EXPECT_EQ(last_line(log), "err");
  EXPECT_EQ(last_line(folder.path() / "none"), "");
}

TEST(program, the_first_that_is_there) {
  EXPECT_EQ(find_program({"no-such-program-here", "sh"}), "sh");
  EXPECT_EQ(find_program({"no-such-program-here"}), "");
}

TEST(program, a_late_one_is_ended_with_its_children) {
  const ScratchFolder folder(fs::temp_directory_path());
  const fs::path log = folder.path() / "log", late = folder.path() / "late";
  EXPECT_EQ(run_program({"sh", "-c", "(sleep 1; touch " + late.string() + ") & wait"}, log, 0.05), -1);
  EXPECT_EQ(run_program({"sleep", "1.2"}, log), 0);
  EXPECT_FALSE(fs::exists(late));
}

TEST(scratch_folder, goes_with_its_object_and_says_where_it_cannot_be) {
  fs::path was;
  {
    const ScratchFolder folder(fs::temp_directory_path() / "stickslip-scratch-test");
    was = folder.path();
    std::ofstream(was / "file") << "text";
    EXPECT_TRUE(fs::exists(was / "file"));
  }
  EXPECT_FALSE(fs::exists(was));
  fs::remove(was.parent_path());
  EXPECT_THROW(ScratchFolder("/dev/null/folder"), OutputError);
}

}  // namespace
}  // namespace stickslip::programs
