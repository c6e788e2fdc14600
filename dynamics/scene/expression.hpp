// Arithmetic in scenes: expressions of numbers, parameters and time (muParser behind it).
#pragma once

#include <memory>
#include <string>
#include <vector>

namespace stickslip::internal {

/// Compiled once, evaluated often. Beside muParser's operators and functions: pi, floor, ceil, mod(a, b), random(n) in [0, 1),
/// the same for the same n everywhere.
class Expression {
 public:
  /// Throws InputError that quotes the text and says what is wrong in it.
  Expression(std::string text, std::vector<std::string> variables);
  ~Expression();
  Expression(const Expression&) = delete;
  Expression& operator=(const Expression&) = delete;

  /// Values in the order of the variables. Throws InputError where the result is not finite.
  double value(const std::vector<double>& variables) const;
  /// The same with another value of the last variable; takes no memory.
  double value(const std::vector<double>& variables, double last) const;
  bool uses(const std::string& variable) const;

 private:
  struct Parser;
  std::unique_ptr<Parser> parser_;
};

/// Names that parameters cannot have: t and pi.
bool is_reserved(const std::string& name);

}  // namespace stickslip::internal
