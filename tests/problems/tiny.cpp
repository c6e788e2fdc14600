#include "problems/tiny.hpp"

#include <cmath>
#include <stdexcept>

#include "base/random.hpp"
#include "stickslip/generate.hpp"

namespace stickslip::tests {

using internal::Random;
namespace {

using Numbers = std::vector<double>;

const Numbers unit2 = {1, 0, 0, 1};
/// A rigid body's block: coupled, symmetric, condition about 5.
const Numbers body3 = {2, 0.5, -0.3, 0.5, 1.5, 0.2, -0.3, 0.2, 1};

ProblemFile file(ReducedProblem problem) { return {std::move(problem)}; }

/// α W, β q: other units of mass and velocity. The stored solution follows: r·β/α, u·β.
ProblemFile in_units(double alpha, double beta) {
  ProblemFile source = generate("manufactured", {.size = 8, .seed = 5});
  const auto& p = std::get<ReducedProblem>(source.problem);
  auto entries = p.W().to_sparse().triplets();
  for (Triplet& e : entries) e.value *= alpha;
  Numbers q(p.q().begin(), p.q().end());
  for (double& x : q) x *= beta;
  for (double& x : source.solution->r) x *= beta / alpha;
  for (double& x : source.solution->u) x *= beta;
  const Index rows = Index(q.size());
  ReducedProblem scaled(BlockMatrix(SparseMatrix(rows, rows, entries), 3), q, {p.mu().begin(), p.mu().end()});
  source.problem = std::move(scaled);
  return source;
}

/// Each contact of a small manufactured problem twice: the impulses are not unique, the velocities are.
ProblemFile duplicated() {
  const ProblemFile source = generate("manufactured", {.size = 4, .seed = 3});
  const auto& p = std::get<ReducedProblem>(source.problem);
  const Index n = p.contacts() * 3;
  std::vector<Triplet> entries;
  for (const Triplet& e : p.W().to_sparse().triplets())
    for (const Index i : {0, n})
      for (const Index j : {0, n}) entries.push_back({e.row + i, e.column + j, e.value});
  Numbers q(p.q().begin(), p.q().end()), mu(p.mu().begin(), p.mu().end());
  q.insert(q.end(), p.q().begin(), p.q().end());
  mu.insert(mu.end(), p.mu().begin(), p.mu().end());
  return file({BlockMatrix(SparseMatrix(2 * n, 2 * n, entries), 3), q, mu});
}

/// n unit masses in a row above the ground, one contact between each and the next, a step of gravity; a pull
/// along T1 that the lowest contact (μ n) can just not hold for the top masses. Contact i lies under mass i.
ProblemFile chain(Index n, double pull) {
  std::vector<Triplet> M, H;
  Numbers f(std::size_t(3 * n)), mu(std::size_t(n), 0.5);
  for (Index i = 0; i < n; ++i) {
    for (Index c = 0; c < 3; ++c) {
      M.push_back({3 * i + c, 3 * i + c, 1});
      H.push_back({3 * i + c, 3 * i + c, 1});
      if (i > 0) H.push_back({3 * (i - 1) + c, 3 * i + c, -1});
    }
    f[std::size_t(3 * i)] = -1;
    f[std::size_t(3 * i + 1)] = i == n - 1 ? pull : 0.0;
  }
  return {GlobalProblem(3, {3 * n, 3 * n, M}, {3 * n, 3 * n, H}, f, Numbers(std::size_t(3 * n)), mu)};
}

/// Three boxes of width 2 and height 1 in the plane, one upon the other, two contacts at the corners of each
/// lower face: hyperstatic in the tangents (12 unknowns, 9 degrees of freedom). One step of gravity, a push
/// on the top box.
ProblemFile stack_of_boxes() {
  constexpr Index boxes = 3;
  std::vector<Triplet> M, H;
  Numbers f, mu(2 * boxes, 0.6);
  for (Index body = 0; body < boxes; ++body) {
    const double inertia[3] = {1, 1, (4.0 + 1.0) / 12};
    for (Index a = 0; a < 3; ++a) M.push_back({3 * body + a, 3 * body + a, inertia[a]});
    f.insert(f.end(), {body == 2 ? 0.01 : 0.0, -0.0981, 0});
    for (Index side = 0; side < 2; ++side) {
      const Index contact = 2 * body + side;
      const double x = side == 0 ? -1 : 1;
      // Work of the normal (0, 1) and the tangent (1, 0) at p: (e, p × e). The upper body at (x, −½), the
      // lower at (x, ½).
      const auto add = [&](Index on, double y, double sign) {
        H.insert(H.end(), {{3 * on + 1, 2 * contact, sign}, {3 * on + 2, 2 * contact, sign * x}});
        H.insert(H.end(), {{3 * on, 2 * contact + 1, sign}, {3 * on + 2, 2 * contact + 1, -sign * y}});
      };
      add(body, -0.5, 1);
      if (body > 0) add(body - 1, 0.5, -1);
    }
  }
  return {GlobalProblem(2, {9, 9, M}, {9, 12, H}, f, Numbers(12), mu)};
}

/// n contacts in the plane on n/3 bodies of three degrees of freedom, with random directions (2n unknowns on
/// n degrees of freedom) and a known solution. Drawn here, so that a change of the built-in families does not
/// change it.
ProblemFile crowded(Index n, std::uint64_t seed) {
  const Index bodies = n / 3;
  Random random(seed);
  std::vector<Triplet> M, H;
  for (Index body = 0; body < bodies; ++body)
    for (int a = 0; a < 3; ++a) {
      M.push_back({body * 3 + a, body * 3 + a, random.uniform(0.5, 2)});
      for (int b = 0; b < a; ++b) random.uniform(-0.1, 0.1);
    }
  for (Index i = 0; i < n; ++i) {
    const Index one = i % bodies;
    const Index other = random.uniform() < 0.7 ? one + 1 : Index(random.below(std::uint64_t(bodies) + 1));
    for (const Index body : {one, other})
      if (body < bodies && (body == one || other != one))
        for (int c = 0; c < 2; ++c)
          for (int a = 0; a < 3; ++a)
            H.push_back({body * 3 + a, i * 2 + c, random.normal() * (a < 2 ? 1 : 0.5)});
  }
  Numbers mu, r, u;
  for (Index i = 0; i < n; ++i) {
    mu.push_back(random.uniform(0.1, 1.2));
    const double size = random.uniform(0.2, 2), kind = random.uniform(), e = random.uniform() < 0.5 ? -1 : 1;
    const double inside = random.uniform(0, 0.9), slip = random.uniform(0.1, 1);
    const bool open = kind < 0.2, stick = kind < 0.7;
    r.insert(r.end(), {open ? 0 : size, open ? 0 : mu.back() * size * e * (stick ? inside : 1)});
    u.insert(u.end(), {open ? size : 0, open ? e : stick ? 0 : -slip * e});
  }
  const GlobalProblem bodies_only(2, {bodies * 3, bodies * 3, M}, {bodies * 3, n * 2, H},
                                  Numbers(std::size_t(bodies * 3)), Numbers(r.size()), mu);
  const ReducedProblem drawn = Reduction(bodies_only).reduced();
  Numbers q(r.size()), minus_r(r);
  for (double& x : minus_r) x = -x;
  drawn.W().multiply(minus_r, u, q);
  return {ReducedProblem(drawn.W(), q, mu), StoredPoint{u, r, {}, {}}};
}

/// Frictionless and frictional contacts, planes with a restitution term, mixed in one problem.
ProblemFile mixed_friction() {
  ProblemFile source = generate("manufactured", {.size = 9, .mu = 0.0, .seed = 8});
  const auto& p = std::get<ReducedProblem>(source.problem);
  Numbers mu = {0, 0.3, 2, 0, 1, 0.05, 0, 5, 0.8};
  ReducedProblem changed(p.W(), {p.q().begin(), p.q().end()}, mu);
  source.problem = std::move(changed);
  source.solution.reset();  // it belonged to μ = 0
  return source;
}

}  // namespace

const std::vector<TinyProblem>& tiny_problems() {
  static const std::vector<TinyProblem> all = {
      {"open_2d",
       [] {
         return file(one_contact(2, unit2, {1, 3}, 0.5));
       }},
      {"stick_2d",
       [] {
         return file(one_contact(2, unit2, {-1, 0.3}, 0.5));
       }},
      {"slip_2d",
       [] {
         return file(one_contact(2, {1, 0.2, 0.2, 1}, {-1, 3}, 0.5));
       }},
      {"open_3d",
       [] {
         return file(one_contact(3, body3, {0.5, -2, 1}, 0.7));
       }},
      {"stick_3d",
       [] {
         return file(one_contact(3, body3, {-2, 0.1, 0.2}, 0.7));
       }},
      {"slip_3d",
       [] {
         return file(one_contact(3, body3, {-1, 4, -3}, 0.3));
       }},
      {"frictionless_3d",
       [] {
         return file(one_contact(3, body3, {-1, 4, -3}, 0));
       }},
      // Between take-off and slip, semismooth Newton with a nonmonotone search goes to and fro: the merit
      // stays above the error that it began with.
      {"rough_3d",
       [] {
         return file(one_contact(3, body3, {-1, 4, -3}, 3));
       },
       {"semismooth(linearisation=newt)", "semismooth(search=nonmonotone)"}},
      {"tie_3d",
       [] {
         return file(one_contact(3, {1, 0, 0, 0, 1, 0, 0, 0, 1}, {-1, 0.3, 0.4}, 0.5));
       }},
      {"manufactured_2d", [] { return generate("manufactured", {.size = 12, .dimension = 2, .seed = 10}); }},
      // Gauss–Seidel runs into a cycle at an error of 0.01, Tresca's fixed point too (ADMM does without
      // mixing); two of the semismooth Newton methods do not get that far.
      {"cycling_2d",
       [] { return crowded(12, 2); },
       {"gs", "tresca", "semismooth(linearisation=newt, search=armijo)",
        "semismooth(linearisation=fix, search=none)"}},
      {"manufactured_3d", [] { return generate("manufactured", {.size = 15, .seed = 1}); }},
      {"manufactured_frictionless",
       [] { return generate("manufactured", {.size = 12, .mu = 0.0, .seed = 4}); }},
      {"manufactured_unsymmetric",
       [] { return generate("manufactured_unsymmetric", {.size = 15, .seed = 6}); }},
      {"mixed_friction", mixed_friction},
      {"units_small", [] { return in_units(1e-6, 1e6); }},
      {"units_large", [] { return in_units(1e6, 1e-6); }},
      {"duplicated_contacts", duplicated},
      {"incline_stick", [] { return generate("incline", {.angle = 20}); }},
      {"incline_slip", [] { return generate("incline", {.angle = 40}); }},
      {"bad_boy", [] { return generate("bad_boy"); }},
      {"bead", [] { return generate("bead"); }},
      {"random_2d", [] { return generate("random", {.size = 6, .dimension = 2, .seed = 1}); }},
      {"random_3d", [] { return generate("random", {.size = 10, .seed = 2}); }},
      {"chain_stick", [] { return chain(6, 0.4); }},
      {"chain_slip", [] { return chain(6, 0.6); }},
      {"stack_of_boxes", stack_of_boxes},
  };
  return all;
}

ProblemFile tiny_problem(const std::string& name) {
  for (const auto& problem : tiny_problems())
    if (problem.name == name) return problem.make();
  throw std::out_of_range("no tiny problem '" + name + "'");
}

ReducedProblem reduced(const ProblemFile& source) {
  if (source.is_global()) return Reduction(std::get<GlobalProblem>(source.problem)).reduced();
  return std::get<ReducedProblem>(source.problem);
}

ReducedProblem one_contact(int dimension, const std::vector<double>& A, std::vector<double> q, double mu) {
  std::vector<Triplet> entries;
  for (Index i = 0; i < dimension; ++i)
    for (Index j = 0; j < dimension; ++j) entries.push_back({i, j, A[std::size_t(i * dimension + j)]});
  return {BlockMatrix(SparseMatrix(dimension, dimension, entries), dimension), std::move(q), {mu}};
}

}  // namespace stickslip::tests
