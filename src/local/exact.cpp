// The one-contact solver in quadruple precision, for the few blocks that need it (local/exact.hpp has the
// equations).

#include "local/exact.hpp"

namespace stickslip::internal {
namespace {

__extension__ typedef __float128 Quad;

Quad root(Quad x) {
  if (!(x > 0)) return 0;
  Quad y = std::sqrt(double(x));
  if (y == 0) return 0;
  for (int step = 0; step < 2; ++step) y = (y + x / y) / 2;  // Newton doubles the digits: 53 → 106
  return y;
}

Quad magnitude(Quad x) { return x < 0 ? -x : x; }

/// The root a > 0 of l0 + l1 a + l2 a² = √(s0 + 2 s1 a + s2 a²) by bisection and Newton, from above.
Quad find_slip(Quad l0, Quad l1, Quad l2, Quad s0, Quad s1, Quad s2) {
  const Quad c = l1 - root(s2), e = root(s0) - l0, discriminant = root(c * c + 4 * l2 * e);
  Quad low = 0, high = c <= 0 ? (discriminant - c) / (2 * l2) : 2 * e / (discriminant + c), a = high;
  for (int iteration = 0; iteration < 400; ++iteration) {
    const Quad S = root(s0 + a * (2 * s1 + a * s2)), gap = l0 + a * (l1 + a * l2) - S;
    const Quad slope = l1 + 2 * a * l2 - (S > 0 ? (s1 + a * s2) / S : Quad(0)), next = a - gap / slope;
    if (magnitude(next - a) <= Quad(1e-28) * a) return next;
    (gap < 0 ? low : high) = a;
    a = next > low && next < high ? next : low > 0 ? root(low * high) : high / 16;
  }
  return a;
}

void solve_in_space(const double* A, double mu, const double* b, double* r) {
  const Quad inverse = Quad(1) / A[0], n1 = A[3], n2 = A[6], s1 = A[1] * inverse, s2 = A[2] * inverse;
  const Quad shift = Quad(1e-30) * std::max({std::abs(A[4]), std::abs(A[8]), A[0]});
  const Quad a11 = A[4] - s1 * n1 + shift, a12 = A[7] - s1 * n2, a21 = A[5] - s2 * n1,
             a22 = A[8] - s2 * n2 + shift;
  const Quad trace = a11 + a22, product = a11 * a22 - a12 * a21;
  const Quad determinant = product > shift * shift ? product : shift * shift;
  const Quad b1 = b[1] - s1 * b[0], b2 = b[2] - s2 * b[0];
  const Quad p1 = a22 * b1 - a12 * b2, p2 = a11 * b2 - a21 * b1, m = mu * inverse;
  const Quad l0 = m * (n1 * p1 + n2 * p2 - b[0] * determinant), s0 = p1 * p1 + p2 * p2;
  Quad a = 0;
  if (l0 < 0 || l0 * l0 < s0)
    a = find_slip(l0, m * (n1 * b1 + n2 * b2 - b[0] * trace), -m * b[0], s0, p1 * b1 + p2 * b2,
                  b1 * b1 + b2 * b2);
  const Quad det = determinant + a * (trace + a), r1 = -(p1 + a * b1) / det, r2 = -(p2 + a * b2) / det;
  r[0] = double(-(b[0] + n1 * r1 + n2 * r2) * inverse);
  r[1] = double(r1);
  r[2] = double(r2);
}

void solve_in_plane(const double* A, double mu, const double* b, double* r) {
  const Quad inverse = Quad(1) / A[0], n = A[2], s = A[1] * inverse;
  const Quad shift = Quad(1e-30) * std::max(std::abs(A[3]), A[0]), schur = A[3] - s * n + shift;
  const Quad bt = b[1] - s * b[0], l1 = -mu * inverse * b[0], l0 = mu * inverse * n * bt + l1 * schur;
  const Quad gap = (magnitude(bt) - l0) / l1, a = gap > 0 ? gap : Quad(0), rt = -bt / (schur + a);
  r[0] = double(-(b[0] + n * rt) * inverse);
  r[1] = double(rt);
}

}  // namespace

template <int D>
bool loses_digits(const double* A) {
  double largest = 0;
  for (int k = 0; k < D * D; ++k) largest = std::max(largest, std::abs(A[k]));
  if (A[0] < 1e-2 * largest) return true;
  if constexpr (D == 3) {
    const double a11 = A[4] - A[1] * A[3] / A[0], a12 = A[7] - A[1] * A[6] / A[0];
    const double a21 = A[5] - A[2] * A[3] / A[0], a22 = A[8] - A[2] * A[6] / A[0];
    return a11 * a22 - a12 * a21 < 1e-3 * (std::abs(a11 * a22) + std::abs(a12 * a21));
  }
  return A[3] - A[1] * A[2] / A[0] < 1e-3 * A[3];
}

template bool loses_digits<2>(const double*);
template bool loses_digits<3>(const double*);

void solve_in_quadruple(int dimension, const double* A, double mu, const double* b, double* r) {
  (dimension == 3 ? solve_in_space : solve_in_plane)(A, mu, b, r);
}

}  // namespace stickslip::internal
