// The bodies of a problem given by W alone, where there is but one: W = A Bᵀ with as many columns as it has degrees of freedom.
#pragma once

#include <span>
#include <vector>

#include "stickslip/block_matrix.hpp"

namespace stickslip::internal {

/// A rigid body that stands on many contacts makes W dense, n² blocks of rank 6 (3 in the plane). With v = Bᵀ r a visit to a
/// contact costs the same whatever their number.
template <int D>
class SingleBody {
 public:
  static constexpr int rank = D == 3 ? 6 : 3;
  /// Contacts from which to look for it: below, it hardly pays.
  static constexpr Index least_contacts = 24;

  /// Looks for A and B by crosses of W, one row and one column for each degree of freedom. False: W is not of this kind.
  /// What lies off these crosses is not looked at where W is unsymmetric: whoever sweeps this way measures with W in the end.
  bool find(const BlockMatrix& W);
  bool found() const { return !contacts_.empty(); }
  void forget() { contacts_.clear(); }

  /// v ← Bᵀ r.
  void start(std::span<const double> r);
  /// b ← b + A_i v.
  void add_velocity(Index i, double* b) const {
    const auto& A = contacts_[std::size_t(i)].A;
    double even[lanes] = {}, odd[lanes] = {};
    for (int k = 0; k + 1 < padded; k += 2)
      for (int c = 0; c < lanes; ++c) {
        even[c] += A[k][c] * v_[k];
        odd[c] += A[k + 1][c] * v_[k + 1];
      }
    for (int c = 0; c < D; ++c) b[c] += even[c] + odd[c];
  }
  /// v ← v + B_iᵀ change.
  void add_impulse(Index i, const double* change) {
    const auto& B = contacts_[std::size_t(i)].B;
    for (int c = 0; c < D; ++c)
      for (int k = 0; k < padded; ++k) v_[k] += B[c][k] * change[c];
  }

 private:
  static constexpr int lanes = 4, padded = D == 3 ? 6 : 4;

  /// Rows of A and B of a contact, filled up with zeros to whole vectors.
  struct Contact {
    double A[padded][lanes] = {}, B[D][padded] = {};
  };

  static bool may_be_one(const BlockMatrix& W);

  std::vector<Contact> contacts_;
  std::vector<double> left_;  // of the diagonal, what the crosses so far leave
  double v_[padded] = {};
};

}  // namespace stickslip::internal
