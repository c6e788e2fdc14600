// All tasks of one problem, in a process of its own: it loads the problem once, forks each solve from there,
// and tells the campaign by lines of JSON:
//
//   {"problem": {…}}        loaded: the figures (only where they were not known)
//   {"unloadable": "why"}   it ends then
//   {"changed": "why"}      the problem is not the one the campaign began with; it ends then
//   {"start": k}            task k of those given is under way
//   {"run": {…}}            it is finished
#pragma once

#include <filesystem>
#include <string>
#include <variant>
#include <vector>

#include "campaign/plan.hpp"
#include "campaign/records.hpp"

namespace stickslip::campaign {

/// What a host is given when it is forked.
struct HostOrder {
  ProblemRecord problem;
  std::vector<Task> tasks;
  std::vector<SolverRecord> solvers;  ///< of the tasks, in their order
  Settings settings;
  std::vector<int> cores;
  std::filesystem::path plan_folder, scratch;
};

/// Works through the order and writes to `descriptor`; returns when done. Never throws.
void host(const HostOrder& order, int descriptor);

struct Loaded {
  ProblemRecord problem;
};
struct Unloadable {
  std::string why;
};
struct Changed {
  std::string why;
};
struct Started {
  std::size_t task;
};
using HostMessage = std::variant<std::monostate, Loaded, Unloadable, Changed, Started, RunRecord>;
/// One line of a host; monostate when it makes no sense.
HostMessage read_host_line(const std::string& line);

}  // namespace stickslip::campaign
