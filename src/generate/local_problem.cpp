// One contact of one body, drawn to be hard on a one-contact solver (after RR's Chute_local_problems).
//
// An implicit gyroscopic term makes the mass matrix of a turning body unsymmetric: with ω the angular
// velocity before the step and J the inertia, the linearisation of ω × Jω gives J + (h/2)([ω]× J − [Jω]×).
// For a body that spins about its axis of symmetry this adds a skew matrix, which may be as large as one
// likes while the symmetric part stays J. Three kinds, by seed: a spinning top on its tip, a leaning rod with
// much friction (Painlevé), a needle that spins about an axis of its own.

#include "base/random.hpp"
#include "generate/scenes.hpp"

namespace stickslip::internal {
namespace {

Matrix3 product(const Matrix3& A, const Matrix3& B) {
  Matrix3 C = {};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j)
      for (std::size_t k = 0; k < 3; ++k) C[i][j] += A[i][k] * B[k][j];
  return C;
}

Matrix3 skew(Vector3 a) { return {{{0, -a.z, a.y}, {a.z, 0, -a.x}, {-a.y, a.x, 0}}}; }

/// J + ½([s]× J − [Js]×), s = h ω.
Matrix3 with_gyroscopic_term(const Matrix3& J, Vector3 s) {
  Vector3 Js = {J[0][0] * s.x, J[1][1] * s.y, J[2][2] * s.z};
  const Matrix3 a = product(skew(s), J), b = skew(Js);
  Matrix3 A = J;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) A[i][j] += 0.5 * (a[i][j] - b[i][j]);
  return A;
}

/// Whether the symmetric part of A is at least a twentieth of J, by the leading minors of A_s − J/20.
bool definite(const Matrix3& A, const Matrix3& J) {
  Matrix3 S = {};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) S[i][j] = (A[i][j] + A[j][i]) / 2 - 0.05 * J[i][j];
  const double two = S[0][0] * S[1][1] - S[0][1] * S[1][0];
  const double three = S[0][0] * (S[1][1] * S[2][2] - S[1][2] * S[2][1]) -
                       S[0][1] * (S[1][0] * S[2][2] - S[1][2] * S[2][0]) +
                       S[0][2] * (S[1][0] * S[2][1] - S[1][1] * S[2][0]);
  return S[0][0] > 0 && two > 0 && three > 0;
}

}  // namespace

ProblemFile local_problem(const GenerateRequest& request) {
  Random random(request.seed);
  const int kind = int(request.seed % 3);
  const double mass = 1, a = std::pow(10.0, random.uniform(-3, -1));  // an inertia, kg m²
  double mu = random.uniform(0.3, 1.5);
  Matrix3 J = diagonal(a, a * random.uniform(0.98, 1.02), random.uniform(1.7, 2) * a);
  Vector3 spin, arm = {random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
  if (kind == 0) {
    // A touch near the axis: what the spin does not make unsymmetric hardly shows in W.
    spin = std::pow(10.0, random.uniform(0, 1.3)) * Vector3{0, 0, 1};
    arm = {random.uniform(-0.1, 0.1), random.uniform(-0.1, 0.1), random.uniform(0.7, 1.3)};
  } else {
    J[2][2] = a * std::pow(10.0, random.uniform(-5, -2));
    mu = random.uniform(1, 3);
    if (kind == 1)
      arm = {random.uniform(-0.02, 0.02), random.uniform(-0.02, 0.02), random.uniform(0.7, 1.3)};
    else
      spin = std::pow(10.0, random.uniform(0, 2)) * unit({random.normal(), random.normal(), random.normal()});
  }
  spin = spin + 0.02 * length(spin) * Vector3{random.normal(), random.normal(), random.normal()};
  Matrix3 A = with_gyroscopic_term(J, spin);
  for (int k = 0; k < 200 && !definite(A, J); ++k) A = with_gyroscopic_term(J, spin = 0.9 * spin);

  // The rod touches with a normal at 20 to 70 degrees to its axis; the others in any direction.
  const double lean = random.uniform(20, 70) * M_PI / 180, turn = random.uniform(0, 2 * M_PI);
  const double z = kind == 1 ? std::cos(lean) : random.uniform(-1, 1), radius = std::sqrt(1 - z * z);
  const auto frame_axes = frame({radius * std::cos(turn), radius * std::sin(turn), z});
  std::vector<Triplet> M, H;
  for (Index i = 0; i < 3; ++i) M.push_back({i, i, mass});
  for (Index i = 0; i < 3; ++i)
    for (Index j = 0; j < 3; ++j) M.push_back({3 + i, 3 + j, A[std::size_t(i)][std::size_t(j)]});
  double v[6];
  for (double& x : v) x = random.normal();
  for (Index k = 0; k < 3; ++k) {
    const auto e = numbers(frame_axes[std::size_t(k)]), m = numbers(cross(arm, frame_axes[std::size_t(k)]));
    for (Index i = 0; i < 3; ++i) {
      H.push_back({i, k, e[std::size_t(i)]});
      H.push_back({3 + i, k, m[std::size_t(i)]});
    }
  }
  // f = M v for a velocity v without contact that goes into the obstacle.
  double approach = 0;
  for (const Triplet& t : H)
    if (t.column == 0) approach += t.value * v[t.row];
  std::vector<double> f(6, 0.0);
  for (const Triplet& t : M) f[std::size_t(t.row)] += t.value * v[t.column] * (approach > 0 ? -1 : 1);
  const char* what[3] = {"a spinning top on its tip", "a leaning rod with much friction",
                         "a spinning needle"};
  return {GlobalProblem(3, {6, 6, M}, {6, 3, H}, f, {0, 0, 0}, {request.mu.value_or(mu)}),
          {},
          {},
          {"local problem", std::string("one contact: ") + what[kind], ""}};
}

}  // namespace stickslip::internal
