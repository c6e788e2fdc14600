// A contact problem without bodies, as the page shows it: contacts as nodes, couplings W_αβ ≠ 0 as edges, islands apart, and how a solve
// converges.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

namespace stickslip::viewer {

struct SolveChoice {
  std::string solver = "auto";
  double tolerance = 1e-8;
  double time_limit = 10;  ///< s
};

class ProblemSource {
 public:
  /// Reads the problem and begins to solve it, in a thread of its own. Throws InputError.
  ProblemSource(const std::filesystem::path& path, const SolveChoice& choice);
  ~ProblemSource();

  /// Size, islands, the layout of the graph and its edges (the strongest where there are very many).
  std::string info() const;
  /// The solve as it stands: history, and once it is done impulses, statuses and the error of each contact.
  std::string solve() const;
  /// Waits for the solve to end.
  void finish() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace stickslip::viewer
