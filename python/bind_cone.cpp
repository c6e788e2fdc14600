// project_on_cone and natural_map over arrays of contacts.

#include <fmt/format.h>

#include <cmath>

#include "base/dimension.hpp"
#include "cone/project.hpp"
#include "python/arrays.hpp"
#include "python/bindings.hpp"
#include "stickslip/errors.hpp"

namespace stickslip::python {
namespace {

/// d numbers a contact: one contact, or the last axis of an array.
int dimension_of(const std::string& name, const Numbers& x) {
  const std::size_t d = x.shape().empty() ? 0 : x.shape().back();
  if (d != 2 && d != 3)
    throw InputError(
        fmt::format("{} must have 2 or 3 numbers a contact along its last axis, got {}", name, d));
  return int(d);
}

/// μ of every contact.
std::vector<double> friction(const Numbers& mu, std::size_t contacts) {
  if (mu.size() != 1 && mu.size() != contacts)
    throw InputError(fmt::format("mu has {} numbers, expected 1 or {}", mu.size(), contacts));
  std::vector<double> all(contacts);
  for (std::size_t i = 0; i < contacts; ++i) {
    all[i] = mu.size() == 1 ? mu[0] : mu[i];
    if (!(all[i] >= 0) || !std::isfinite(all[i]))
      throw InputError(fmt::format("mu of contact {} is {}; it must be finite and ≥ 0", i, all[i]));
  }
  return all;
}

std::vector<py::ssize_t> shape_of(const Numbers& x) { return {x.shape().begin(), x.shape().end()}; }

/// y_α = f(contact α, μ_α), typed on the dimension.
template <class Function>
py::array each_contact(const std::string& name, const Numbers& x, const py::object& coefficients,
                       Function&& function) {
  const int d = dimension_of(name, x);
  const std::vector<double> mu = friction(Numbers("mu", coefficients), x.size() / std::size_t(d));
  std::vector<double> y(x.size());
  internal::with_dimension(d, [&]<int D>() {
    for (std::size_t i = 0; i < mu.size(); ++i) {
      const internal::Vec<D> value = function.template operator()<D>(i, mu[i]);
      std::copy(value.begin(), value.end(), y.begin() + std::ptrdiff_t(i * D));
    }
  });
  return take(std::move(y), shape_of(x));
}

}  // namespace

void bind_cone(py::module_& module) {
  using namespace py::literals;
  module.def(
      "project_on_cone",
      [](const py::object& points, const py::object& mu) {
        const Numbers x("x", points);
        return each_contact("x", x, mu, [&]<int D>(std::size_t i, double coefficient) {
          return internal::project_on_cone<D>(internal::load<D>(x.span(), i), coefficient);
        });
      },
      "x"_a, "mu"_a, R"(Projects x, shape (..., d), onto the friction cones ‖x_T‖ ≤ mu x_N, the normal first.

>>> import stickslip as ss
>>> ss.project_on_cone([[1, 0, 0], [-1, 0, 0], [0, 2, 0]], 1)
array([[1., 0., 0.],
       [0., 0., 0.],
       [1., 1., 0.]])
)");
  module.def(
      "natural_map",
      [](const py::object& velocities, const py::object& impulses, const py::object& mu) {
        const Numbers u("u", velocities), r("r", impulses);
        if (u.shape() != r.shape()) throw InputError("u and r must have the same shape");
        return each_contact("u", u, mu, [&]<int D>(std::size_t i, double coefficient) {
          return internal::natural_residual<D>(internal::load<D>(r.span(), i), internal::load<D>(u.span(), i),
                                               coefficient);
        });
      },
      "u"_a, "r"_a, "mu"_a,
      R"(r − P_K(r − û), û = u + (mu‖u_T‖, 0, 0), of every contact: zero where Coulomb's law holds.

>>> import stickslip as ss
>>> ss.natural_map([[0, 0.3]], [[1, -0.5]], 0.5).round(12) + 0.0
array([[0., 0.]])
)");
}

}  // namespace stickslip::python
