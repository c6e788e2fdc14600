// One solve by one of our own solvers, timed, in the process that calls it. It writes what it finds, in
// parts, so that a process which is killed later has told the first:
//
//   {"status": …, "used": …, …, "count": n}\n  then n doubles: the outcome of the first solve and its r
//   {"seconds": …, "repetitions": …, …}\n      the times, after the repetitions
//   {"history": [[iteration, seconds, error], …]}\n   where it was asked for
#pragma once

#include <string>
#include <vector>

#include "campaign/plan.hpp"
#include "campaign/records.hpp"
#include "stickslip/problem_file.hpp"

namespace stickslip::campaign {

/// Solves and writes to `descriptor`. Never throws: what goes wrong is a status with a message.
void work(const ProblemFile& file, const std::string& solver, const Task& task, const Settings& settings,
          int descriptor);

/// Reads what `work` wrote, as far as it came. False when not even the first part is whole.
bool read_work(const std::string& output, RunRecord& run, std::vector<double>& r);

}  // namespace stickslip::campaign
