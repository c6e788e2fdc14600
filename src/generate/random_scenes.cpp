// Problems drawn at random: manufactured solutions, and the instances of CAD 5.2.

#include <algorithm>
#include <array>
#include <cmath>

#include "base/random.hpp"
#include "base/text.hpp"
#include "generate/families.hpp"
#include "stickslip/errors.hpp"

namespace stickslip::internal {
namespace {

/// A unit vector of d − 1 numbers.
std::vector<double> direction(Random& random, int d) {
  if (d == 2) return {random.uniform() < 0.5 ? -1.0 : 1.0};
  const double angle = random.uniform(0, 2 * M_PI);
  return {std::cos(angle), std::sin(angle)};
}

using Axis = std::array<double, 3>;

Axis cross(const Axis& a, const Axis& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

/// Normal and tangents, orthonormal; in the plane the third axis is the one that it turns about.
std::array<Axis, 3> random_frame(Random& random, int d) {
  const double turn = random.uniform(0, 2 * M_PI);
  if (d == 2)
    return {Axis{std::cos(turn), std::sin(turn), 0}, Axis{-std::sin(turn), std::cos(turn), 0}, Axis{0, 0, 1}};
  const double height = random.uniform(-1, 1), radius = std::sqrt(1 - height * height);
  const Axis n = {radius * std::cos(turn), radius * std::sin(turn), height};
  const Axis t = {-std::sin(turn), std::cos(turn), 0};
  return {n, t, cross(n, t)};
}

/// The columns of contact i on a rigid body: the work of an axis e at the point p is (e, p × e). p lies at
/// ±n/2, a little off, as on a rough sphere of radius one half.
void attach(std::vector<Triplet>& H, int d, Index body, Index i, const std::array<Axis, 3>& frame,
            double sign, Random& random) {
  const int dofs = d == 3 ? 6 : 3;
  Axis p;
  for (std::size_t c = 0; c < 3; ++c)
    p[c] = -0.5 * sign * frame[0][c] + (int(c) < d ? random.uniform(-0.1, 0.1) : 0.0);
  for (int k = 0; k < d; ++k) {
    const Axis& e = frame[std::size_t(k)];
    const Axis moment = cross(p, e);
    for (int c = 0; c < d; ++c) H.push_back({body * dofs + c, i * d + k, sign * e[std::size_t(c)]});
    for (int c = d; c < dofs; ++c)
      H.push_back({body * dofs + c, i * d + k, sign * moment[std::size_t(d == 3 ? c - 3 : 2)]});
  }
}

}  // namespace

ProblemFile manufactured(const GenerateRequest& request, bool unsymmetric) {
  const int d = request.dimension.value_or(3), dofs = d == 3 ? 6 : 3;
  const auto n = Index(request.size.value_or(100));
  const Index bodies = std::max(Index(1), n);
  Random random(request.seed);

  // Bodies: a mass matrix each, near diagonal, with a skew part where asked for.
  std::vector<Triplet> M;
  for (Index body = 0; body < bodies; ++body)
    for (int a = 0; a < dofs; ++a) {
      M.push_back({body * dofs + a, body * dofs + a, random.uniform(0.5, 2) * (a < d ? 1 : 0.1)});
      for (int b = 0; b < a; ++b)
        if (const double x = random.uniform(-0.02, 0.02); unsymmetric && a >= d) {
          M.push_back({body * dofs + a, body * dofs + b, x});
          M.push_back({body * dofs + b, body * dofs + a, -x});
        }
    }
  // Contacts: between a body and its neighbour in a chain with random jumps; beyond the last body is the
  // ground.
  std::vector<Triplet> H;
  for (Index i = 0; i < n; ++i) {
    const Index one = i % bodies;
    const Index other = random.uniform() < 0.7 ? one + 1 : Index(random.below(std::uint64_t(bodies) + 1));
    const auto frame = random_frame(random, d);
    attach(H, d, one, i, frame, -1, random);
    if (other < bodies && other != one) attach(H, d, other, i, frame, 1, random);
  }

  std::vector<double> mu(std::size_t(n), 0.0), r, u;
  for (Index i = 0; i < n; ++i) {
    mu[std::size_t(i)] = request.mu.value_or(random.uniform(0.1, 1.2));
    const double size = random.uniform(0.2, 2), kind = random.uniform();
    const auto e = direction(random, d);
    const double inside = random.uniform(0, 0.9), slip = random.uniform(0.1, 1);
    const bool open = kind < 0.2, stick = kind < 0.7;
    r.push_back(open ? 0 : size);
    u.push_back(open ? size : 0);
    for (double x : e) {
      r.push_back(open ? 0 : mu[std::size_t(i)] * size * x * (stick ? inside : 1));
      u.push_back(open ? x : stick ? 0 : -slip * x);
    }
  }
  const GlobalProblem body_form(d, {bodies * dofs, bodies * dofs, M}, {bodies * dofs, n * d, H},
                                std::vector<double>(std::size_t(bodies * dofs)),
                                std::vector<double>(r.size()), mu);
  const ReducedProblem drawn = Reduction(body_form).reduced();
  std::vector<double> q(r.size()), minus_r(r);
  for (double& x : minus_r) x = -x;
  drawn.W().multiply(minus_r, u, q);
  ReducedProblem problem(drawn.W(), std::move(q), std::move(mu));
  problem.degrees_of_freedom = bodies * dofs;
  return {std::move(problem),
          StoredPoint{u, r, {}, {}},
          {},
          {unsymmetric ? "manufactured, unsymmetric" : "manufactured",
           "q = u − W r for r and u that obey Coulomb's law", ""}};
}

ProblemFile random_instance(const GenerateRequest& request) {
  const int d = request.dimension.value_or(3);
  const auto n = Index(request.size.value_or(10)), m = 4 * n;
  const double mu_min = request.mu_min.value_or(0.5), mu_max = request.mu_max.value_or(2);
  if (mu_min > mu_max)
    throw InputError("mu_min must be at most mu_max = " + shortest(mu_max) + ", got " + shortest(mu_min));
  Random random(request.seed);
  // A sparse positive definite M: I plus a few random symmetric rank-one terms on pairs of unknowns.
  std::vector<Triplet> M, H;
  for (Index i = 0; i < m; ++i) M.push_back({i, i, random.uniform(0.1, 1)});
  for (Index k = 0; k < 4 * m; ++k) {
    const Index i = Index(random.below(std::uint64_t(m))), j = Index(random.below(std::uint64_t(m)));
    const double a = random.normal() / 2, b = random.normal() / 2;
    M.insert(M.end(), {{i, i, a * a}, {i, j, a * b}, {j, i, a * b}, {j, j, b * b}});
  }
  for (Index c = 0; c < n * d; ++c)
    for (int k = 0; k < 6; ++k) H.push_back({Index(random.below(std::uint64_t(m))), c, random.normal()});
  std::vector<double> f, mu;
  for (Index i = 0; i < m; ++i) f.push_back(random.normal());
  for (Index i = 0; i < n; ++i) mu.push_back(random.uniform(mu_min, mu_max));
  return {GlobalProblem(d, {m, m, M}, {m, n * d, H}, f, std::vector<double>(std::size_t(n * d)), mu),
          {},
          {},
          {"random instance", "after Cadoux 2009, section 5.2", ""}};
}

}  // namespace stickslip::internal
