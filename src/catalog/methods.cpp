#include "stickslip/methods.hpp"

#include <array>
#include <string_view>

#include "base/text.hpp"

namespace stickslip {
namespace {

/// family(option=value, …) with what was set; the family's visitor reads and checks it.
class Text {
 public:
  explicit Text(std::string_view family) : text_(family) {}

  Text& add(std::string_view option, const std::optional<double>& value) {
    return value ? put(option, internal::shortest(*value)) : *this;
  }
  Text& add(std::string_view option, const std::optional<long>& value) {
    return value ? put(option, std::to_string(*value)) : *this;
  }
  template <class Choice, std::size_t N>
  Text& add(std::string_view option, const std::optional<Choice>& value,
            const std::array<std::string_view, N>& words) {
    return value ? put(option, words[static_cast<std::size_t>(*value)]) : *this;
  }
  std::string done() const { return any_ ? text_ + ')' : text_; }

 private:
  Text& put(std::string_view option, std::string_view value) {
    text_ += any_ ? ", " : "(";
    any_ = true;
    text_.append(option).append("=").append(value);
    return *this;
  }

  std::string text_;
  bool any_ = false;
};

constexpr std::array<std::string_view, 7> orders = {"auto",      "given",     "shuffled", "reshuffled",
                                                    "symmetric", "bandwidth", "coloured"};
constexpr std::array<std::string_view, 4> maps = {"nm", "ac", "jm", "fb"};
constexpr std::array<std::string_view, 3> searches = {"none", "goldstein_price", "armijo"};

}  // namespace

std::string GaussSeidel::name() const {
  return Text("gs")
      .add("relaxation", relaxation)
      .add("order", order, orders)
      .add("seed", seed)
      .add("anderson", anderson)
      .done();
}

std::string Newton::name() const {
  return Text("newton")
      .add("map", map, maps)
      .add("search", search, searches)
      .add("regularisation", regularisation)
      .add("sweeps", sweeps)
      .done();
}

std::string Proximal::name() const {
  return Text("proximal")
      .add("alpha0", alpha0)
      .add("alpha_max", alpha_max)
      .add("inner_factor", inner_factor)
      .done();
}

std::string Admm::name() const {
  return Text("admm").add("rho", rho).add("relaxation", relaxation).add("anderson", anderson).done();
}

std::string InteriorPoint::name() const { return Text("nipm").add("paths", paths).done(); }

}  // namespace stickslip
