#include "verify/verify.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <set>
#include <stdexcept>

#include "verify/linear_system.hpp"

namespace stickslip_verify {
namespace {

using Real = long double;

void require(bool condition, const char* message) {
  if (!condition) throw std::invalid_argument(message);
}

void require_shape(const Matrix& A, int rows, int columns) {
  require(A.rows == rows && A.columns == columns, "verify: a matrix does not have the size of the problem");
  require(A.row.size() == A.value.size() && A.column.size() == A.value.size(),
          "verify: triplets of unequal length");
  for (std::size_t k = 0; k < A.value.size(); ++k)
    require(A.row[k] >= 0 && A.row[k] < rows && A.column[k] >= 0 && A.column[k] < columns,
            "verify: a triplet lies outside its matrix");
}

Real norm(const Vector& x) {
  Real sum = 0;
  for (Real component : x) sum += component * component;
  return std::sqrt(sum);
}

/// The projection on K in the half plane of x, whose axes are the cone's edge (1, μ)/√(1+μ²) and its outer
/// normal (−μ, 1)/√(1+μ²): `polar` behind the edge's foot, `inside` below the edge, otherwise the foot of x
/// on the edge.
enum class Zone { polar, inside, edge };
struct Contact {
  Zone zone;
  Vector projection;
};
Contact project(const Vector& x, Real mu) {
  Real square = 0;
  for (std::size_t i = 1; i < x.size(); ++i) square += x[i] * x[i];
  const Real t = std::sqrt(square);
  const Real length = std::sqrt(1 + mu * mu), along = (x[0] + mu * t) / length,
             across = (t - mu * x[0]) / length;
  if (along <= 0) return {Zone::polar, Vector(x.size(), 0)};
  if (across <= 0) return {Zone::inside, x};
  Vector p(x.size());
  p[0] = along / length;
  for (std::size_t i = 1; i < x.size(); ++i) p[i] = mu * along / length * (x[i] / t);
  return {Zone::edge, p};
}

/// ⟨B⁻¹c, c⟩ for a small positive semi-definite block given by rows, by elimination in the order (N, T1, T2).
/// A pivot below 10⁻¹⁴ of the trace is left out, with its unknown.
Real energy_of(std::vector<Vector> A, const Vector& c) {
  const std::size_t d = c.size();
  Vector x = c;
  Real trace = 0;
  for (std::size_t i = 0; i < d; ++i) trace += A[i][i];
  const auto singular = [&](std::size_t k) { return !(A[k][k] > 1e-14L * trace); };
  for (std::size_t k = 0; k < d; ++k)
    for (std::size_t i = k + 1; i < d && !singular(k); ++i) {
      const Real factor = A[i][k] / A[k][k];
      for (std::size_t j = k; j < d; ++j) A[i][j] -= factor * A[k][j];
      x[i] -= factor * x[k];
    }
  Real energy = 0;
  for (std::size_t k = d; k-- > 0;) {
    for (std::size_t j = k + 1; j < d; ++j) x[k] -= A[k][j] * x[j];
    x[k] = singular(k) ? 0 : x[k] / A[k][k];
    energy += x[k] * c[k];
  }
  return energy;
}

/// What both forms come down to.
struct State {
  int dimension;
  std::span<const double> mu, r;
  Vector u, q, absolute;                      ///< W r + q, q, |W||r| + |q|
  std::vector<std::vector<Vector>> diagonal;  ///< W_αα by rows
};

Report measure(const State& s) {
  const int d = s.dimension, n = static_cast<int>(s.mu.size());
  Report report;
  std::vector<std::pair<Zone, Real>> zones;
  Real error = 0, energy = 0, free_energy = 0, impulse = 0, velocity = 0, complementarity = 0;
  for (int a = 0; a < n; ++a) {
    const Real mu = s.mu[a];
    Vector r(d), shifted(d), z(d), free(d), c(d);
    Real slip = 0;
    for (int i = 0; i < d; ++i) {
      r[i] = s.r[d * a + i];
      shifted[i] = s.u[d * a + i];
      free[i] = s.q[d * a + i];
      if (i > 0) slip += shifted[i] * shifted[i];
    }
    velocity = std::max(velocity, -shifted[0]);
    shifted[0] += mu * std::sqrt(slip);
    Real product = 0;
    for (int i = 0; i < d; ++i) {
      z[i] = r[i] - shifted[i];
      product += r[i] * shifted[i];
    }
    complementarity = std::max(complementarity, std::abs(product));
    const Contact contact = project(z, mu), own = project(r, mu);
    zones.push_back({contact.zone, std::sqrt(slip)});
    Real outside = 0;
    for (int i = 0; i < d; ++i) {
      c[i] = r[i] - contact.projection[i];
      error += c[i] * c[i];
      outside += (r[i] - own.projection[i]) * (r[i] - own.projection[i]);
    }
    impulse = std::max(impulse, std::sqrt(outside));
    energy += energy_of(s.diagonal[a], c);
    free_energy += energy_of(s.diagonal[a], free);
  }
  const Real q_norm = norm(s.q), scale = q_norm > 0 ? q_norm : 1;
  report.error = static_cast<double>(std::sqrt(error) / scale);
  report.energy = static_cast<double>(free_energy > 0 ? energy / free_energy : energy);
  report.impulse_violation = static_cast<double>(impulse);
  report.velocity_violation = static_cast<double>(std::max<Real>(0, velocity));
  report.complementarity = static_cast<double>(complementarity);
  report.rounding = static_cast<double>(0x1p-53L * norm(s.absolute) / scale);
  // A slip velocity below the error means nothing: such a contact sticks.
  for (const auto& [zone, slip] : zones) {
    const bool open = zone == Zone::polar;
    const bool stick = zone == Zone::inside || slip <= std::min(10 * report.error + 1e-12, 1e-6) * scale;
    (open ? report.open : stick ? report.stick : report.slip)++;
    report.status.push_back(open ? 0 : stick ? 1 : 2);
  }
  for (Real component : s.u) report.u.push_back(static_cast<double>(component));
  return report;
}

std::vector<std::vector<Vector>> zero_blocks(int dimension, int contacts) {
  return std::vector(contacts, std::vector(dimension, Vector(dimension, 0)));
}

}  // namespace

Report verify_reduced(int dimension, const Matrix& W, std::span<const double> q, std::span<const double> mu,
                      std::span<const double> r) {
  const int contacts = static_cast<int>(mu.size()), size = dimension * contacts;
  require(dimension == 2 || dimension == 3, "verify: the dimension is neither 2 nor 3");
  require(static_cast<int>(q.size()) == size && static_cast<int>(r.size()) == size,
          "verify: q or r does not have the size of the problem");
  require_shape(W, size, size);
  State s{dimension,
          mu,
          r,
          Vector(q.begin(), q.end()),
          Vector(q.begin(), q.end()),
          Vector(size),
          zero_blocks(dimension, contacts)};
  for (int i = 0; i < size; ++i) s.absolute[i] = std::abs(s.q[i]);
  for (std::size_t k = 0; k < W.value.size(); ++k) {
    const int i = W.row[k], j = W.column[k];
    const Real term = static_cast<Real>(W.value[k]) * r[j];
    s.u[i] += term;
    s.absolute[i] += std::abs(term);
    if (i / dimension == j / dimension) s.diagonal[i / dimension][i % dimension][j % dimension] += W.value[k];
  }
  return measure(s);
}

Report verify_global(int dimension, const Matrix& M, const Matrix& H, std::span<const double> f,
                     std::span<const double> w, std::span<const double> mu, const Matrix& G,
                     std::span<const double> b, std::span<const double> r,
                     const std::function<bool()>& stop) {
  const int contacts = static_cast<int>(mu.size()), size = dimension * contacts;
  const int n = M.rows, bilateral = static_cast<int>(b.size());
  require(dimension == 2 || dimension == 3, "verify: the dimension is neither 2 nor 3");
  require(static_cast<int>(w.size()) == size && static_cast<int>(r.size()) == size &&
              static_cast<int>(f.size()) == n,
          "verify: f, w or r does not have the size of the problem");
  require_shape(M, n, n);
  require_shape(H, n, size);
  Matrix constraints = G;
  if (bilateral == 0 && G.value.empty()) constraints = {n, 0, {}, {}, {}};
  require_shape(constraints, n, bilateral);
  const LinearSystem system(M, constraints, stop);

  // Columns and rows of H.
  std::vector<std::vector<std::pair<int, Real>>> column(size), row(n);
  for (std::size_t k = 0; k < H.value.size(); ++k) {
    column[H.column[k]].emplace_back(H.row[k], H.value[k]);
    row[H.row[k]].emplace_back(H.column[k], H.value[k]);
  }
  // u = Hᵀv + w for the load f + h·Hr, with Gᵀv = −b.
  const auto velocity = [&](bool with_impulses) {
    Vector right(n + bilateral);
    for (int i = 0; i < n; ++i) right[i] = f[i];
    for (int k = 0; k < bilateral; ++k) right[n + k] = -static_cast<Real>(b[k]);
    if (with_impulses)
      for (int j = 0; j < size; ++j)
        for (const auto& [i, h] : column[j]) right[i] += h * r[j];
    const Vector v = system.solve(right);
    Vector u(w.begin(), w.end());
    for (int j = 0; j < size; ++j)
      for (const auto& [i, h] : column[j]) u[j] += h * v[i];
    return u;
  };
  State s{dimension, mu, r, velocity(true), velocity(false), Vector(size), zero_blocks(dimension, contacts)};
  for (int i = 0; i < size; ++i) s.absolute[i] = std::abs(s.q[i]);

  // Column j of W = Hᵀ v with the load H e_j alone, on the bodies that it touches.
  std::vector<std::vector<int>> rows_of;
  for (int i = 0; i < n; ++i) {
    const std::size_t body = static_cast<std::size_t>(system.body(i));
    if (rows_of.size() <= body) rows_of.resize(body + 1);
    rows_of[body].push_back(i);
  }
  Vector load(n + bilateral, 0), v(n + bilateral, 0), W_column(size, 0);
  for (int j = 0; j < size; ++j) {
    if (stop && stop()) throw Stopped{};
    std::set<int> bodies, touched;
    for (const auto& [i, h] : column[j]) {
      load[i] += h;
      bodies.insert(system.body(i));
    }
    for (int body : bodies) {
      system.solve_body(body, load, v);
      for (int i : rows_of[body])
        for (const auto& [k, h] : row[i]) {
          W_column[k] += h * v[i];
          touched.insert(k);
        }
    }
    for (int k : touched) {
      s.absolute[k] += std::abs(W_column[k] * static_cast<Real>(r[j]));
      if (k / dimension == j / dimension)
        s.diagonal[k / dimension][k % dimension][j % dimension] = W_column[k];
      W_column[k] = 0;
    }
    for (const auto& [i, h] : column[j]) load[i] = 0;
  }
  return measure(s);
}

CertificateReport check_certificate(int dimension, const Matrix& W, std::span<const double> q,
                                    std::span<const double> mu, std::span<const double> d, double tolerance) {
  const int contacts = static_cast<int>(mu.size()), size = dimension * contacts;
  require(dimension == 2 || dimension == 3, "verify: the dimension is neither 2 nor 3");
  require(static_cast<int>(q.size()) == size && static_cast<int>(d.size()) == size,
          "verify: q or d does not have the size of the problem");
  require_shape(W, size, size);
  Vector image(size, 0), absolute(size, 0);
  for (std::size_t k = 0; k < W.value.size(); ++k) {
    const Real term = static_cast<Real>(W.value[k]) * d[W.row[k]];
    image[W.column[k]] += term;
    absolute[W.column[k]] += std::abs(term);
  }
  const Real length = norm(Vector(d.begin(), d.end()));
  CertificateReport report;
  if (!(length > 0)) return report;
  Real work = 0, tangent = 0, outside = 0;
  for (int a = 0; a < contacts; ++a) {
    const Vector own(d.begin() + dimension * a, d.begin() + dimension * (a + 1));
    const Vector p = project(own, mu[a]).projection;
    Real square = 0;
    for (int i = 0; i < dimension; ++i) {
      square += (own[i] - p[i]) * (own[i] - p[i]);
      if (i > 0) tangent += own[i] * own[i];
      work += own[i] * q[dimension * a + i];
    }
    outside = std::max(outside, std::sqrt(square));
  }
  const Real residual = norm(image), scale = norm(absolute), q_norm = norm(Vector(q.begin(), q.end()));
  report.cone_violation = static_cast<double>(outside / length);
  report.tangent = static_cast<double>(std::sqrt(tangent) / length);
  report.residual = static_cast<double>(residual / length);
  report.scale = static_cast<double>(scale / length);
  report.work = static_cast<double>(work / length);
  if (work < 0)
    report.least_impulse =
        residual > 0 ? static_cast<double>(-work / residual) : std::numeric_limits<double>::infinity();
  report.in_cone = report.cone_violation <= tolerance;
  report.normal_only = report.tangent <= tolerance;
  report.in_kernel = residual <= tolerance * scale;
  report.negative_work = work < -tolerance * q_norm * length;
  return report;
}

std::string verify_certificate(int dimension, const Matrix& W, std::span<const double> q,
                               std::span<const double> mu, std::span<const double> d, double tolerance) {
  const CertificateReport report = check_certificate(dimension, W, q, mu, d, tolerance);
  const char* verdict = report.proves_infeasible() ? "valid: no solution exists"
                        : report.refutes_slater()  ? "incomplete: no r gives u in K*, a solution may exist"
                                                   : "invalid";
  char text[400];
  std::snprintf(
      text, sizeof text,
      "%s; d outside K %.3g, |d_T| %.3g, |W'd| %.3g of %.3g, q.d %.3g (each by |d|), least |r| %.3g", verdict,
      report.cone_violation, report.tangent, report.residual, report.scale, report.work,
      report.least_impulse);
  return text;
}

}  // namespace stickslip_verify
