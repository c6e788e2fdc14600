// Options describe themselves: one visit over the fields serves parsing, validation, printing and
// documentation.
#pragma once

#include <functional>
#include <span>
#include <string_view>

namespace stickslip::internal {

/// The admissible values of a number, ends included unless `open_low`.
struct Range {
  double low, high;
  bool open_low = false;
};

/// Sees every field of an options struct in turn and may change it. A struct with options has a member
/// `void visit(OptionVisitor&)` that names its fields.
class OptionVisitor {
 public:
  virtual ~OptionVisitor() = default;
  virtual void real(std::string_view name, double& value, Range range, std::string_view meaning) = 0;
  virtual void integer(std::string_view name, long& value, Range range, std::string_view meaning) = 0;
  virtual void choice(std::string_view name, int& value, std::span<const std::string_view> choices,
                      std::string_view meaning) = 0;
  /// One of several parts, the chosen one with options of its own that `inner` visits.
  virtual void part(std::string_view name, int& kind, std::span<const std::string_view> kinds,
                    std::string_view meaning, const std::function<void(OptionVisitor&)>& inner) = 0;

  /// A choice kept as an enumeration whose values count from 0 in the order of the names.
  template <class Enum>
  void choice(std::string_view name, Enum& value, std::span<const std::string_view> choices,
              std::string_view meaning) {
    int index = static_cast<int>(value);
    choice(name, index, choices, meaning);
    value = static_cast<Enum>(index);
  }
};

}  // namespace stickslip::internal
