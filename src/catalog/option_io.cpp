#include "catalog/option_io.hpp"

#include <charconv>
#include <cmath>

#include "base/text.hpp"
#include "stickslip/errors.hpp"

namespace stickslip::internal {
namespace {

std::string to_text(const Range& range) {
  return (range.open_low ? "(" : "[") + shortest(range.low) + ", " + shortest(range.high) + "]";
}

std::string join(std::span<const std::string_view> words) {
  std::string text;
  for (auto word : words) text += (text.empty() ? "" : " | ") + std::string(word);
  return text;
}

/// Sets fields from a spec and remembers which options were known.
class Reader final : public OptionVisitor {
 public:
  Reader(const Spec& spec, std::string owner) : spec_(spec), owner_(std::move(owner)) {}

  void real(std::string_view name, double& value, Range range, std::string_view) override {
    if (const Spec* given = find(name)) value = number(name, *given, range);
  }

  void integer(std::string_view name, long& value, Range range, std::string_view) override {
    const Spec* given = find(name);
    if (!given) return;
    const double x = number(name, *given, range);
    if (x != std::floor(x)) fail(name, "must be a whole number, got " + given->word);
    value = static_cast<long>(x);
  }

  void choice(std::string_view name, int& value, std::span<const std::string_view> choices,
              std::string_view) override {
    const Spec* given = find(name);
    if (!given) return;
    if (!given->options.empty()) fail(name, "takes no options of its own");
    value = index(name, given->word, choices);
  }

  void part(std::string_view name, int& kind, std::span<const std::string_view> kinds, std::string_view,
            const std::function<void(OptionVisitor&)>& inner) override {
    const Spec* given = find(name);
    if (!given) return;
    kind = index(name, given->word, kinds);
    Reader reader(*given, owner_ + " " + std::string(name) + "=" + given->word);
    inner(reader);
    reader.finish();
  }

  /// Refuses what no field asked for.
  void finish() const {
    for (const Option& option : spec_.options)
      if (std::find(known_.begin(), known_.end(), option.name) == known_.end()) {
        const std::string near = nearest(option.name, known_);
        std::string all;
        for (const auto& word : known_) all += (all.empty() ? "" : ", ") + word;
        throw InputError(owner_ + " has no option '" + option.name + "'" +
                         (!near.empty()    ? "; did you mean '" + near + "'?"
                          : known_.empty() ? "; it has none"
                                           : "; it has " + all));
      }
  }

 private:
  const Spec* find(std::string_view name) {
    known_.emplace_back(name);
    return spec_.find(name);
  }

  double number(std::string_view name, const Spec& given, Range range) const {
    double x = 0;
    const char* end = given.word.data() + given.word.size();
    const auto parsed = std::from_chars(given.word.data(), end, x);
    if (parsed.ec != std::errc{} || parsed.ptr != end || !given.options.empty())
      fail(name, "must be a number, got " + print(given));
    if (!(x <= range.high) || x < range.low || (range.open_low && x == range.low))
      fail(name, "must lie in " + to_text(range) + ", got " + given.word);
    return x;
  }

  int index(std::string_view name, const std::string& word, std::span<const std::string_view> choices) const {
    const std::vector<std::string> words(choices.begin(), choices.end());
    for (std::size_t k = 0; k < words.size(); ++k)
      if (words[k] == word) return static_cast<int>(k);
    const std::string near = nearest(word, words);
    fail(name, "must be one of " + join(choices) + ", got " + word +
                   (near.empty() ? "" : "; did you mean '" + near + "'?"));
  }

  [[noreturn]] void fail(std::string_view name, const std::string& what) const {
    throw InputError(owner_ + ": option '" + std::string(name) + "' " + what);
  }

  const Spec& spec_;
  std::string owner_;
  std::vector<std::string> known_;
};

/// The value of every field, as a spec.
class Writer final : public OptionVisitor {
 public:
  void real(std::string_view name, double& value, Range, std::string_view) override {
    add(name, {shortest(value)});
  }
  void integer(std::string_view name, long& value, Range, std::string_view) override {
    add(name, {std::to_string(value)});
  }
  void choice(std::string_view name, int& value, std::span<const std::string_view> choices,
              std::string_view) override {
    add(name, {std::string(choices[std::size_t(value)])});
  }
  void part(std::string_view name, int& kind, std::span<const std::string_view> kinds, std::string_view,
            const std::function<void(OptionVisitor&)>& inner) override {
    Writer writer;
    inner(writer);
    add(name, {std::string(kinds[std::size_t(kind)]), writer.values});
  }

  std::vector<Option> values;

 private:
  void add(std::string_view name, Spec value) { values.push_back({std::string(name), std::move(value)}); }
};

std::vector<Option> values_of(const Visitable& options) {
  Writer writer;
  options(writer);
  return std::move(writer.values);
}

/// The defaults of a part that is not the default one: read its bare word into the defaults and look.
std::vector<Option> defaults_of_part(const Visitable& defaults, const std::string& name,
                                     const std::string& word) {
  read_options(Spec{"", {{name, {word}}}}, "", defaults);
  return Spec{"", values_of(defaults)}.find(name)->options;
}

class Describer final : public OptionVisitor {
 public:
  explicit Describer(std::string prefix = {}) : prefix_(std::move(prefix)) {}

  void real(std::string_view name, double& value, Range range, std::string_view meaning) override {
    add(name, meaning, to_text(range), shortest(value));
  }
  void integer(std::string_view name, long& value, Range range, std::string_view meaning) override {
    add(name, meaning, to_text(range) + ", whole", std::to_string(value));
  }
  void choice(std::string_view name, int& value, std::span<const std::string_view> choices,
              std::string_view meaning) override {
    add(name, meaning, join(choices), std::string(choices[std::size_t(value)]));
  }
  void part(std::string_view name, int& kind, std::span<const std::string_view> kinds,
            std::string_view meaning, const std::function<void(OptionVisitor&)>& inner) override {
    add(name, meaning, join(kinds), std::string(kinds[std::size_t(kind)]));
    Describer part_describer(prefix_ + std::string(name) + ".");
    inner(part_describer);
    descriptions.insert(descriptions.end(), part_describer.descriptions.begin(),
                        part_describer.descriptions.end());
  }

  std::vector<OptionDescription> descriptions;

 private:
  void add(std::string_view name, std::string_view meaning, std::string range, std::string value) {
    descriptions.push_back(
        {prefix_ + std::string(name), std::string(meaning), std::move(range), std::move(value)});
  }

  std::string prefix_;
};

}  // namespace

void read_options(const Spec& spec, const std::string& owner, const Visitable& options) {
  Reader reader(spec, owner);
  options(reader);
  reader.finish();
}

Spec write_options(const std::string& word, const Visitable& options, const Visitable& defaults) {
  Spec spec{word};
  const auto given = values_of(options), standard = values_of(defaults);
  for (std::size_t k = 0; k < given.size(); ++k) {
    if (given[k] == standard[k]) continue;
    Spec value{given[k].value.word};
    const auto inner = value.word == standard[k].value.word
                           ? standard[k].value.options
                           : defaults_of_part(defaults, given[k].name, value.word);
    for (std::size_t j = 0; j < given[k].value.options.size(); ++j)
      if (j >= inner.size() || given[k].value.options[j] != inner[j])
        value.options.push_back(given[k].value.options[j]);
    spec.options.push_back({given[k].name, value});
  }
  return spec;
}

std::vector<OptionDescription> describe_options(const Visitable& options) {
  Describer describer;
  options(describer);
  return describer.descriptions;
}

}  // namespace stickslip::internal
