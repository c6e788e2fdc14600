#include "dynamics/scene/expression.hpp"

#include <fmt/format.h>
#include <muParser.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <mutex>

#include "base/random.hpp"
#include "base/text.hpp"
#include "stickslip/errors.hpp"

namespace stickslip::internal {
namespace {

double random_number(double n) {
  Random random(std::uint64_t(std::int64_t(std::floor(n))) + 1);
  return random.uniform();
}
double modulo(double a, double b) { return a - b * std::floor(a / b); }
double round_down(double x) { return std::floor(x); }
double round_up(double x) { return std::ceil(x); }

}  // namespace

struct Expression::Parser {
  std::string text;
  std::vector<std::string> names;
  mutable std::vector<double> values;
  mutable std::mutex busy;  // muParser evaluates in memory of its own
  mu::Parser parser;
};

Expression::Expression(std::string text, std::vector<std::string> variables)
    : parser_(std::make_unique<Parser>()) {
  Parser& p = *parser_;
  p.text = std::move(text);
  p.names = std::move(variables);
  p.values.assign(p.names.size(), 0.0);
  try {
    p.parser.DefineConst("pi", M_PI);
    p.parser.DefineFun("random", random_number);
    p.parser.DefineFun("mod", modulo);
    p.parser.DefineFun("floor", round_down);
    p.parser.DefineFun("ceil", round_up);
    for (std::size_t k = 0; k < p.names.size(); ++k) p.parser.DefineVar(p.names[k], &p.values[k]);
    p.parser.SetExpr(p.text);
    for (const auto& [name, address] : p.parser.GetUsedVar())
      if (std::find(p.names.begin(), p.names.end(), name) == p.names.end()) {
        const std::string near = nearest(name, p.names);
        throw InputError(fmt::format("'{}': '{}' is unknown{}", p.text, name,
                                     near.empty() ? "" : fmt::format("; did you mean '{}'?", near)));
      }
    int results = 0;
    p.parser.Eval(results);
    if (results != 1) throw InputError(fmt::format("'{}': it is {} numbers, not one", p.text, results));
  } catch (const mu::Parser::exception_type& error) {
    throw InputError(fmt::format("'{}': {}", p.text, error.GetMsg()));
  }
}

Expression::~Expression() = default;

double Expression::value(const std::vector<double>& variables) const {
  return value(variables, variables.empty() ? 0.0 : variables.back());
}

double Expression::value(const std::vector<double>& variables, double last) const {
  const std::lock_guard<std::mutex> lock(parser_->busy);
  std::copy(variables.begin(), variables.end(), parser_->values.begin());
  if (!variables.empty()) parser_->values[variables.size() - 1] = last;
  double result = 0;
  try {
    result = parser_->parser.Eval();
  } catch (const mu::Parser::exception_type& error) {
    throw InputError(fmt::format("'{}': {}", parser_->text, error.GetMsg()));
  }
  if (!std::isfinite(result))
    throw InputError(fmt::format("'{}' is {}, not a finite number", parser_->text, result));
  return result;
}

bool Expression::uses(const std::string& variable) const {
  const auto used = parser_->parser.GetUsedVar();
  return used.find(variable) != used.end();
}

bool is_reserved(const std::string& name) {
  constexpr std::array words = {"t", "pi"};
  return std::find(words.begin(), words.end(), name) != words.end();
}

}  // namespace stickslip::internal
