// What a solver says of itself: its options, and the stages of one made of several.
#pragma once

#include <string>

namespace stickslip {

/// One option of a solver, for people and for other programs.
struct OptionDescription {
  std::string name;  ///< dotted for the options of a part: local.tolerance
  std::string meaning;
  std::string range;  ///< e.g. "(0, 2]" or "given | shuffled"
  std::string value;  ///< as set in this solver
};

/// A stage of a solver made of several.
struct StageDescription {
  std::string name;
  std::string round;  ///< "before" the rounds, or which of them
  std::string start;  ///< from where
  std::string when;   ///< the condition under which it runs
  std::string until;  ///< what ends it beside the end of the solve
};

}  // namespace stickslip
