// Abaqus' .inp: *NODE and *ELEMENT, TYPE=C3D4, C3D10…, C3D8…; all other keywords and their data are skipped.
#include <algorithm>
#include <charconv>

#include "dynamics/elements/mesh/element_reader.hpp"
#include "stickslip/errors.hpp"

namespace stickslip::internal {
namespace {

std::string upper(std::string_view text) {
  std::string out;
  for (char c : text)
    if (c != ' ' && c != '\t' && c != '\r') out += char(std::toupper(static_cast<unsigned char>(c)));
  return out;
}

class AbaqusReader {
 public:
  explicit AbaqusReader(std::string_view bytes) : rest_(bytes) {}

  ElementMesh read() {
    while (next_line()) {
      if (line_.starts_with("**") || upper(line_).empty()) continue;
      if (line_.starts_with("*")) {
        finish_element();
        keyword();
      } else if (section_ == Section::nodes) {
        node();
      } else if (section_ == Section::elements) {
        element();
      }
    }
    finish_element();
    return collector_.mesh();
  }

 private:
  enum class Section { other, nodes, elements };

  [[noreturn]] void fail(const std::string& what) const {
    throw InputError("line " + std::to_string(number_) + ": " + what);
  }

  bool next_line() {
    if (rest_.empty()) return false;
    const std::size_t end = std::min(rest_.find('\n'), rest_.size());
    line_ = rest_.substr(0, end);
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    while (!line_.empty() && (line_.front() == ' ' || line_.front() == '\t')) line_.remove_prefix(1);
    ++number_;
    return true;
  }

  void keyword() {
    std::string text = upper(line_);
    section_ = Section::other;
    if (text.starts_with("*NODE,") || text == "*NODE") section_ = Section::nodes;
    if (!text.starts_with("*ELEMENT,")) return;
    const std::size_t at = text.find("TYPE=");
    if (at == std::string::npos) fail("*ELEMENT has no TYPE");
    const std::string type = text.substr(at + 5, text.find(',', at) - at - 5);
    if (type.starts_with("C3D10"))
      kind_ = ElementKind::t10;
    else if (type == "C3D4" || type == "C3D4H")
      kind_ = ElementKind::t4;
    else if (type == "C3D8" ||
             (type.starts_with("C3D8") && !std::isdigit(static_cast<unsigned char>(type[4]))))
      kind_ = ElementKind::h8;
    else if (type.starts_with("C3D"))
      fail("elements of type " + type + " are not read (C3D4, C3D8, C3D10)");
    else
      return;
    section_ = Section::elements;
  }

  /// The next entry of the line, empty at its end.
  std::string entry() {
    const std::size_t end = std::min(line_.find(','), line_.size());
    std::string text = upper(line_.substr(0, end));
    line_.remove_prefix(std::min(end + 1, line_.size()));
    return text;
  }

  template <class Number>
  Number value(const std::string& text) const {
    Number x{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), x);
    if (error != std::errc{} || end != text.data() + text.size()) fail("wanted a number, got '" + text + "'");
    return x;
  }

  template <class Add>
  void placed(Add&& add_it) const {
    try {
      add_it();
    } catch (const InputError& error) {
      fail(error.what());
    }
  }

  void node() {
    const auto number = value<std::int64_t>(entry());
    Point x{};
    for (double& c : x) {
      const std::string text = entry();
      c = text.empty() ? 0 : value<double>(text);
    }
    placed([&] { collector_.node(number, x); });
  }

  void element() {
    // An element may go on in the next line.
    if (!begun_) value<std::int64_t>(entry());
    begun_ = true;
    while (!line_.empty() && own_.size() < std::size_t(nodes_of(kind_)))
      if (const std::string text = entry(); !text.empty()) own_.push_back(value<std::int64_t>(text));
    if (own_.size() == std::size_t(nodes_of(kind_))) {
      placed([&] { collector_.element(kind_, own_); });
      own_.clear();
      begun_ = false;
    }
  }

  void finish_element() const {
    if (begun_)
      fail("an element has " + std::to_string(own_.size()) + " nodes, it needs " +
           std::to_string(nodes_of(kind_)));
  }

  std::string_view rest_, line_;
  long number_ = 0;
  Section section_ = Section::other;
  ElementKind kind_ = ElementKind::h8;
  bool begun_ = false;
  std::vector<std::int64_t> own_;
  MeshCollector collector_;
};

}  // namespace

ElementMesh read_abaqus(std::string_view bytes) { return AbaqusReader(bytes).read(); }

}  // namespace stickslip::internal
