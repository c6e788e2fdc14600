#include "residual/maps.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "cone/axial.hpp"
#include "cone/fischer_burmeister.hpp"
#include "cone/jacobian.hpp"
#include "cone/small_matrix.hpp"

namespace stickslip::internal {
namespace {

template <int D>
MapValue<D> natural(const Vec<D>& u, const Vec<D>& r, double mu, double rho) {
  const Vec<D> z = add<D>(r, -rho, desaxce_shift<D>(u, mu));
  const Mat<D> J = cone_projection_jacobian<D>(z, mu);
  MapValue<D> phi;
  phi.value = add<D>(r, -1, project_on_cone<D>(z, mu));
  phi.by_r = combine<D>(1, scaled_identity<D>(1), -1, J);
  phi.by_u = product<D>(scaled<D>(rho, J), desaxce_jacobian<D>(u, mu));
  return phi;
}

template <int D>
MapValue<D> fischer_burmeister_map(const Vec<D>& u, const Vec<D>& r, double mu, double rho) {
  MapValue<D> phi;
  if (mu == 0) {
    const ScalarFischerBurmeister s = fischer_burmeister(r[0], rho * u[0]);
    phi.value = r;
    phi.value[0] = s.value;
    phi.by_r = scaled_identity<D>(1);
    phi.by_r[0] = s.by_x;
    phi.by_u[0] = rho * s.by_y;
    return phi;
  }
  Vec<D> x = r, y = add<D>({}, rho, u);
  x[0] *= mu;
  // û_N/μ = u_N/μ + ‖u_T‖.
  y[0] = rho * (u[0] / mu + tangent_norm<D>(u));
  const FischerBurmeister<D> f = fischer_burmeister<D>(x, y);
  phi.value = f.value;
  phi.by_r = f.by_x;
  for (int i = 0; i < D; ++i) phi.by_r[i] *= mu;
  // ∂y/∂u = ρ [ 1/μ  eᵀ ; 0  I ].
  Mat<D> y_u = desaxce_jacobian<D>(u, 1);
  y_u[0] = 1 / mu;
  phi.by_u = product<D>(scaled<D>(rho, f.by_y), y_u);
  return phi;
}

template <int D>
MapValue<D> hueber_stadler_wohlmuth(const Vec<D>& u, const Vec<D>& r, double mu, double rho_N, double rho_T) {
  MapValue<D> phi;
  const double d_N = detail::half_line_map<D>(phi, u, r, rho_N);
  Vec<D> d;
  for (int i = 1; i < D; ++i) d[i] = r[i] - rho_T * u[i];
  const double t = tangent_norm<D>(d);
  const double R = mu * project_on_half_line(d_N);
  if (mu == 0) {
    for (int i = 1; i < D; ++i) {
      phi.value[i] = r[i];
      phi.by_r[i + D * i] = 1;
    }
  } else if (d_N > 0 && t <= mu * d_N) {
    // Stick: Φ_T = μ d_N (r_T − d_T) = μ d_N ρ_T u_T.
    for (int i = 1; i < D; ++i) {
      phi.value[i] = R * rho_T * u[i];
      phi.by_u[i + D * i] = R * rho_T;
      phi.by_r[i] = mu * rho_T * u[i];
      phi.by_u[i] = -rho_N * phi.by_r[i];
    }
  } else {
    // Slide and take-off: Φ_T = ‖d_T‖ r_T − R d_T, with ∂‖d_T‖ = e.
    const Vec<D - 1> e = unit_tangent<D>(d);
    const double slope = d_N > 0 ? mu : 0.0;
    for (int i = 1; i < D; ++i) {
      phi.value[i] = t * r[i] - R * d[i];
      phi.by_r[i] = -slope * d[i];
      phi.by_u[i] = rho_N * slope * d[i];
      for (int j = 1; j < D; ++j) {
        const double by_d = r[i] * e[j - 1] - (i == j ? R : 0.0);
        phi.by_r[i + D * j] = by_d + (i == j ? t : 0.0);
        phi.by_u[i + D * j] = -rho_T * by_d;
      }
    }
  }
  return phi;
}

MapValue<3> xuewen_soh_wanji(const Vec<3>& u, const Vec<3>& r, double mu, double rho_N, double rho_T) {
  MapValue<3> phi;
  // min(ρ_N u_N, r_N) = r_N − (r_N − ρ_N u_N)₊.
  detail::half_line_map<3>(phi, u, r, rho_N);
  if (mu == 0) {
    for (int i = 1; i < 3; ++i) {
      phi.value[i] = r[i];
      phi.by_r[i + 3 * i] = 1;
    }
    return phi;
  }
  const double slip = rho_T * tangent_norm<3>(u), reserve = mu * r[0] - tangent_norm<3>(r);
  const Vec<2> s = unit_tangent<3>(u), t = unit_tangent<3>(r);
  phi.value[1] = std::min(slip, reserve);
  for (int j = 0; j < 2; ++j) {
    if (slip <= reserve)
      phi.by_u[1 + 3 * (j + 1)] = rho_T * s[j];
    else
      phi.by_r[1 + 3 * (j + 1)] = -t[j];
  }
  if (slip > reserve) phi.by_r[1] = mu;

  const double cross = u[1] * r[2] - u[2] * r[1], along = u[1] * r[1] + u[2] * r[2];
  phi.value[2] = rho_T * (std::abs(cross) + std::max(0.0, along));
  // Signs are read from the directions, so that u_T = 0 or r_T = 0 give the limit along the same axis as
  // above.
  const double sign = rho_T * (s[0] * t[1] - s[1] * t[0] < 0 ? -1 : 1);
  const double push = rho_T * (s[0] * t[0] + s[1] * t[1] > 0 ? 1 : 0);
  phi.by_u[2 + 3 * 1] = sign * r[2] + push * r[1];
  phi.by_u[2 + 3 * 2] = -sign * r[1] + push * r[2];
  phi.by_r[2 + 3 * 1] = -sign * u[2] + push * u[1];
  phi.by_r[2 + 3 * 2] = sign * u[1] + push * u[2];
  return phi;
}

/// Eigenvalues of [ a b ; b c ], rising; the smaller one from the determinant where that keeps its digits.
std::array<double, 2> eigenvalues(double a, double b, double c) {
  const double mean = 0.5 * (a + c), radius = std::hypot(0.5 * (a - c), b);
  const double largest = mean + radius;
  const double smallest = mean > 0 ? (a / largest) * c - (b / largest) * b : mean - radius;
  return {smallest, largest};
}

/// λ_max of the symmetric part of a block, in closed form (Smith 1961 for 3×3).
double largest_eigenvalue(const Mat<2>& A) { return eigenvalues(A[0], 0.5 * (A[1] + A[2]), A[3])[1]; }

double largest_eigenvalue(const Mat<3>& A) {
  const double mean = (A[0] + A[4] + A[8]) / 3;
  Mat<3> B = combine<3>(0.5, A, 0.5, transpose<3>(A));
  for (int i = 0; i < 3; ++i) B[4 * i] -= mean;
  double square = 0;
  for (double entry : B) square += entry * entry;
  const double p = std::sqrt(square / 6);
  if (p == 0) return mean;
  for (double& entry : B) entry /= p;
  const double half_determinant = std::clamp(0.5 * determinant<3>(B), -1.0, 1.0);
  return mean + 2 * p * std::cos(std::acos(half_determinant) / 3);
}

template <class Block>
double frobenius(const Block& A) {
  double square = 0;
  for (double entry : A) square += entry * entry;
  return std::sqrt(square);
}

std::array<double, 2> tangent_eigenvalues(const Mat<2>& A) { return {A[3], A[3]}; }
std::array<double, 2> tangent_eigenvalues(const Mat<3>& A) {
  return eigenvalues(A[4], 0.5 * (A[5] + A[7]), A[8]);
}

}  // namespace

std::string why_not(Map map, int dimension) {
  if (map != Map::xuewen_soh_wanji || dimension == 3) return {};
  return "map=xsw, RR (65), is for three dimensions: in the plane it has three equations for the two "
         "unknowns of a contact";
}

template <int D>
MapValue<D> evaluate_map(Map map, const Vec<D>& u, const Vec<D>& r, double mu, double rho_N, double rho_T) {
  switch (map) {
    case Map::natural:
      return natural<D>(u, r, mu, rho_N);
    case Map::alart_curnier:
      return alart_curnier<D>(u, r, mu, rho_N, rho_T);
    case Map::jean_moreau:
      return jean_moreau<D>(u, r, mu, rho_N, rho_T);
    case Map::fischer_burmeister:
      return fischer_burmeister_map<D>(u, r, mu, rho_N);
    case Map::hueber_stadler_wohlmuth:
      return hueber_stadler_wohlmuth<D>(u, r, mu, rho_N, rho_T);
    case Map::xuewen_soh_wanji:
    case Map::normal:
      break;
  }
  if constexpr (D == 3)
    if (map == Map::xuewen_soh_wanji) return xuewen_soh_wanji(u, r, mu, rho_N, rho_T);
  assert(false && "no such map of u and r: why_not");
  return {};
}

template <int D>
Vec<D> map_residual(Map map, const Vec<D>& u, const Vec<D>& r, double mu, double rho_N, double rho_T) {
  switch (map) {
    case Map::natural:
      return add<D>(r, -1, project_on_cone<D>(add<D>(r, -rho_N, desaxce_shift<D>(u, mu)), mu));
    case Map::alart_curnier:
      return alart_curnier_residual<D>(u, r, mu, rho_N, rho_T);
    case Map::jean_moreau:
      return jean_moreau_residual<D>(u, r, mu, rho_N, rho_T);
    default:
      return evaluate_map<D>(map, u, r, mu, rho_N, rho_T).value;
  }
}

template <int D>
Rho rho_for(RhoRule rule, const Mat<D>& W_block) {
  if (rule == RhoRule::one) return {1, 1};
  const auto inverse_or = [](double value, double otherwise) { return value > 0 ? 1 / value : otherwise; };
  if (rule == RhoRule::spectral || rule == RhoRule::norm) {
    const double rho =
        inverse_or(rule == RhoRule::norm ? frobenius(W_block) : largest_eigenvalue(W_block), 1);
    return {rho, rho};
  }
  const auto [smallest, largest] = tangent_eigenvalues(W_block);
  const double normal = inverse_or(W_block[0], inverse_or(largest, 1));
  double tangent = inverse_or(largest, normal);
  if (rule == RhoRule::split_conditioned && largest > 0) tangent *= std::max(1e-6, smallest / largest);
  return {normal, tangent};
}

#define STICKSLIP_INSTANTIATE(D)                                                                   \
  template MapValue<D> evaluate_map<D>(Map, const Vec<D>&, const Vec<D>&, double, double, double); \
  template Vec<D> map_residual<D>(Map, const Vec<D>&, const Vec<D>&, double, double, double);      \
  template Rho rho_for<D>(RhoRule, const Mat<D>&);
STICKSLIP_INSTANTIATE(2)
STICKSLIP_INSTANTIATE(3)
#undef STICKSLIP_INSTANTIATE

}  // namespace stickslip::internal
