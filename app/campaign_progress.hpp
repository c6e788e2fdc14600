// What a running campaign shows on a terminal: a bar, and a table of the leading solvers that is drawn anew
// in place.
#pragma once

#include <map>
#include <string>

#include "campaign/runner.hpp"

namespace stickslip::app {

class CampaignProgress {
 public:
  void operator()(const campaign::RunnerProgress& progress, const campaign::RunRecord* run,
                  const campaign::SolverRecord* solver);
  /// Removes what was drawn.
  void clear();

 private:
  struct Score {
    long solved = 0, done = 0;
    double seconds = 0;
  };
  std::string picture(const campaign::RunnerProgress& progress) const;

  std::map<std::string, Score> scores_;
  double last_drawn_ = -1;
  int lines_ = 0;
};

}  // namespace stickslip::app
