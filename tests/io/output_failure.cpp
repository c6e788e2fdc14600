// Writing that fails: one line with the path and the system's reason, and nothing left behind.
#include <gmock/gmock.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "io/samples.hpp"

namespace stickslip::internal::io_test {
namespace {

using Write = void (*)(const std::filesystem::path&, const ProblemFile&);
const std::vector<Write> writers = {write_fclib, write_siconos_text, write_matrix_market};

TEST(OutputFailure, FolderThatIsNotThere) {
  const TemporaryFolder folder;
  const ProblemFile file{local_problem(3, 2)};
  for (const Write write : writers)
    EXPECT_EQ(output_error([&] { write(folder / "none/a", file); }),
              (folder / "none/a").string() + ": cannot be written: No such file or directory");
  EXPECT_TRUE(folder.list().empty());
}

TEST(OutputFailure, FullDevice) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "there is no /dev/full";
  const ProblemFile file{local_problem(3, 2)};
  for (const Write write : {write_fclib, write_siconos_text})
    EXPECT_EQ(output_error([&] { write("/dev/full", file); }),
              "/dev/full: cannot be written: No space left on device");
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/full"));
}

TEST(OutputFailure, FolderInTheWay) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "a");
  const ProblemFile file{local_problem(3, 2)};
  EXPECT_EQ(output_error([&] { write_fclib(folder / "a", file); }),
            (folder / "a").string() + ": cannot be written: Is a directory");
  write_text(folder / "b", "mine");
  EXPECT_EQ(output_error([&] { write_matrix_market(folder / "b", file); }),
            (folder / "b").string() + ": cannot be written: Not a directory");
  EXPECT_THAT(folder.list(), testing::ElementsAre("a", "b"));
}

/// Runs `check` in a child process, whose exit status is what it returns.
int in_child(const std::function<int()>& check) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(check());
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/// 0 when `write` throws an OutputError with this message.
int expect_message(const std::function<void()>& write, const std::string& wanted) {
  try {
    write();
  } catch (const OutputError& error) {
    return error.what() == wanted ? 0 : 1;
  }
  return 2;
}

TEST(OutputFailure, FolderWithoutPermission) {
  const TemporaryFolder folder;
  std::filesystem::permissions(folder.path(),
                               std::filesystem::perms::owner_read | std::filesystem::perms::owner_exec);
  const ProblemFile file{local_problem(3, 2)};
  for (const Write write : writers)
    EXPECT_EQ(in_child([&] {
                constexpr uid_t nobody = 65534;
                if (::geteuid() == 0 && ::seteuid(nobody) != 0) return 3;
                return expect_message([&] { write(folder / "a", file); },
                                      (folder / "a").string() + ": cannot be written: Permission denied");
              }),
              0);
  std::filesystem::permissions(folder.path(), std::filesystem::perms::owner_all);
  EXPECT_TRUE(folder.list().empty());
}

TEST(OutputFailure, DiskFullInTheMiddleLeavesTheOldFile) {
  const ProblemFile file{local_problem(3, 200)};
  for (const Write write : writers) {
    const TemporaryFolder folder;
    const bool is_folder = write == Write(write_matrix_market);
    if (is_folder) {
      write_matrix_market(folder / "a", ProblemFile{local_problem(3, 1)});
    } else {
      write_text(folder / "a", "old");
    }
    const int status = in_child([&] {
      std::signal(SIGXFSZ, SIG_IGN);
      const rlimit limit = {10000, 10000};
      ::setrlimit(RLIMIT_FSIZE, &limit);
      return expect_message(
          [&] { write(folder / "a", file); },
          (folder / (is_folder ? "a/W.mtx" : "a")).string() + ": cannot be written: File too large");
    });
    EXPECT_EQ(status, 0);
    EXPECT_THAT(folder.list(), testing::ElementsAre("a"));
    if (is_folder)
      expect_same(ProblemFile{local_problem(3, 1)}, read_problem(folder / "a"));
    else
      EXPECT_EQ(read_text(folder / "a"), "old");
  }
}

TEST(OutputFailure, PointsThatDoNotFitAreNotWritten) {
  const TemporaryFolder folder;
  ProblemFile file = full_file(local_problem(3, 2));
  file.guesses[1].r.pop_back();
  EXPECT_EQ(input_error([&] { write_fclib(folder / "a", file); }),
            "guesses/2/r: has 5 numbers, but 2 contacts of dimension 3 need 6");
  EXPECT_TRUE(folder.list().empty());
}

}  // namespace
}  // namespace stickslip::internal::io_test
