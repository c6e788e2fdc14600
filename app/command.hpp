// What the subcommands share. Each has a file of its own with one function that adds it to the command line.
#pragma once

#include <CLI/CLI.hpp>
#include <atomic>
#include <filesystem>
#include <functional>
#include <string>

namespace stickslip::internal {
class ParallelSolver;
class Ranks;
class SharedSystem;
class Together;
}  // namespace stickslip::internal

namespace stickslip::app {

/// Exit statuses, as the interface promises.
enum Exit { done = 0, not_converged = 1, bad_input = 2, missing_component = 3, interrupted = 130 };

/// Choices that hold for every subcommand, and the work that was chosen.
struct Session {
  bool quiet = false;
  bool verbose = false;
  std::function<int()> work;
  /// What several processes do: nothing; the first works and asks the others for help; all do the same work, each on its part.
  enum class Sharing { none, led, alike };
  Sharing sharing = Sharing::none;
  /// Those who are led, where there are several and this is the first of them.
  internal::Together* together = nullptr;
  internal::Ranks* ranks = nullptr;  ///< those who work alike, where there are several
  std::string petsc;                 ///< who solves the linear systems of all processes; empty: nobody does
  internal::SharedSystem* system = nullptr;     ///< they, where this is the first of them
  internal::ParallelSolver* systems = nullptr;  ///< likewise, where all work alike
};

/// Set by Ctrl-C.
extern std::atomic<bool> interrupt_requested;
void install_interrupt_handler();

bool is_terminal(int descriptor);
/// Colours where standard output is a terminal and NO_COLOR is not set; otherwise the text as it is.
std::string green(const std::string& text);
std::string red(const std::string& text);
std::string bold(const std::string& text);
std::string dim(const std::string& text);

/// Columns padded to their widest cell (in characters, not bytes); the first row is the header.
std::string table(const std::vector<std::vector<std::string>>& rows);
/// Number of characters of a UTF-8 text, colours not counted.
std::size_t width(const std::string& text);

/// Throws OutputError.
void write_picture(const std::filesystem::path& path, const std::string& text);

void add_solve(CLI::App& app, Session& session);
void add_info(CLI::App& app, Session& session);
void add_check(CLI::App& app, Session& session);
void add_list(CLI::App& app, Session& session);
void add_describe(CLI::App& app, Session& session);
void add_convert(CLI::App& app, Session& session);
void add_generate(CLI::App& app, Session& session);
void add_simulate(CLI::App& app, Session& session);
void add_scenes(CLI::App& app, Session& session);
void add_export(CLI::App& app, Session& session);
void add_view(CLI::App& app, Session& session);
void add_campaign(CLI::App& app, Session& session);
void add_demo(CLI::App& app, Session& session);

}  // namespace stickslip::app
