// Work in a process of its own: a hang, a crash, a memory hog harm nobody else, and each is told apart.

#include "campaign/isolated.hpp"

#include <gmock/gmock.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <memory>
#include <vector>

#include "campaign/machine.hpp"

namespace stickslip::campaign {
namespace {

using testing::HasSubstr;
using How = Ended::How;

TEST(Isolated, output_comes_back_however_long) {
  const std::string text(3'000'000, 'x');
  const Ended ended = run_isolated([&](int to) { write_all(to, text.data(), text.size()); },
                                   {.first_word = 60, .seconds = 60});
  EXPECT_EQ(ended.how, How::exited);
  EXPECT_EQ(ended.code, 0);
  EXPECT_EQ(ended.output, text);
}

TEST(Isolated, a_crash_is_told) {
  const Ended ended = run_isolated([](int) { std::raise(SIGKILL); }, {.first_word = 60, .seconds = 60});
  EXPECT_EQ(ended.how, How::signalled);
  EXPECT_EQ(ended.code, SIGKILL);
  EXPECT_THAT(describe(ended), HasSubstr("signal 9"));
}

TEST(Isolated, a_hang_is_ended) {
  const Ended ended = run_isolated(
      [](int) {
        for (;;) ::pause();
      },
      {.first_word = 0.2, .seconds = 100});
  EXPECT_EQ(ended.how, How::killed_time);
  EXPECT_LT(ended.seconds, 50);  // it was not waited for; the machine may be slow
}

TEST(Isolated, a_hang_after_the_first_word_is_ended_too_and_the_word_is_kept) {
  const Ended ended = run_isolated(
      [](int to) {
        write_all(to, "word", 4);
        for (;;) ::pause();
      },
      {.first_word = 60, .seconds = 0.2});
  EXPECT_EQ(ended.how, How::killed_time);
  EXPECT_EQ(ended.output, "word");
}

TEST(Isolated, a_memory_hog_is_ended) {
  const Ended ended = run_isolated(
      [](int) {
        std::vector<std::unique_ptr<std::vector<char>>> all;
        try {
          for (;;) {
            all.push_back(std::make_unique<std::vector<char>>(1 << 20, 'x'));
            ::usleep(500);
          }
        } catch (const std::bad_alloc&) {
          ::_exit(42);  // the hard limit came before the watch
        }
      },
      {.first_word = 60, .seconds = 60, .memory = 64 << 20});
  EXPECT_TRUE(ended.how == How::killed_memory || (ended.how == How::exited && ended.code == 42))
      << describe(ended);
}

TEST(Isolated, a_program_is_pinned_and_its_output_collected) {
  const int core = usable_cores().back();
  const Ended ended = run_program({"grep", "Cpus_allowed_list", "/proc/self/status"}, "/bin/grep",
                                  "/dev/null", {.first_word = 60, .seconds = 60, .cores = {core}});
  EXPECT_EQ(ended.code, 0);
  EXPECT_THAT(ended.output, HasSubstr("\t" + std::to_string(core) + "\n"));
  EXPECT_EQ(run_program({"x"}, "/no/such/program", "/dev/null", {}).code, 127);
}

}  // namespace
}  // namespace stickslip::campaign
