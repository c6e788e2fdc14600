#include "catalog/spec.hpp"

#include <cctype>

#include "stickslip/errors.hpp"

namespace stickslip::internal {
namespace {

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  Spec whole() {
    Spec result = spec(0);
    skip_spaces();
    if (at_ != text_.size()) fail("expected the end");
    return result;
  }

 private:
  static constexpr int deepest = 20;

  Spec spec(int depth) {
    if (depth > deepest) fail("nested too deeply");
    Spec result{word()};
    skip_spaces();
    if (!accept('(')) return result;
    if (skip_spaces(), accept(')')) return result;
    do {
      skip_spaces();
      std::string name = word();
      skip_spaces();
      if (!accept('=')) fail("expected '=' after '" + name + "'");
      if (result.find(name)) fail("option '" + name + "' is given twice");
      skip_spaces();
      Spec value = spec(depth + 1);
      result.options.push_back({std::move(name), std::move(value)});
      skip_spaces();
    } while (accept(','));
    if (!accept(')')) fail("expected ',' or ')'");
    return result;
  }

  std::string word() {
    skip_spaces();
    const std::size_t begin = at_;
    while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) ||
                                  std::string_view("_-+.").find(text_[at_]) != std::string_view::npos))
      ++at_;
    if (at_ == begin) fail("expected a name or a value");
    return std::string(text_.substr(begin, at_ - begin));
  }

  bool accept(char c) {
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  void skip_spaces() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
  }

  [[noreturn]] void fail(const std::string& what) const {
    throw InputError("solver '" + std::string(text_) + "': " + what + " at position " +
                     std::to_string(at_ + 1));
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

const Spec* Spec::find(std::string_view name) const {
  for (const Option& option : options)
    if (option.name == name) return &option.value;
  return nullptr;
}

void Spec::set(const std::string& name, const Spec& value) {
  for (Option& option : options) {
    if (option.name != name) continue;
    if (option.value.word != value.word)
      option.value = value;
    else
      for (const Option& inner : value.options) option.value.set(inner.name, inner.value);
    return;
  }
  options.push_back({name, value});
}

Spec parse_spec(std::string_view text) { return Parser(text).whole(); }

std::string print(const Spec& spec) {
  std::string text = spec.word;
  for (std::size_t k = 0; k < spec.options.size(); ++k)
    text += (k == 0 ? "(" : ", ") + spec.options[k].name + "=" + print(spec.options[k].value);
  return spec.options.empty() ? text : text + ")";
}

}  // namespace stickslip::internal
