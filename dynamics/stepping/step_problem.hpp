// The contact problem of one step: M v = H r + G λ + f, Gᵀ v + b = 0, u = Hᵀ v + w, in memory that is used again.
//
// At a contact with the frame R = (n, t₁, t₂) at the point p, a body has the columns
//   rigid          H = ± ( R ; [p − x]× R )
//   pseudo-rigid   H = ± ( R ; X₁ R ; X₂ R ; X₃ R ),   X = F⁻¹ (p − x)      (SSN (20), in the order of bodies.hpp)
//   elements       H = ± ( N_a R ) at the nodes a of the facet that touches
// with + for the second body, to which the normal points. Obstacles add their velocity to w.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "base/raw_numbers.hpp"
#include "dynamics/bodies/bodies.hpp"
#include "dynamics/stepping/joints.hpp"
#include "dynamics/surfaces/surface_detector.hpp"
#include "stickslip/problem.hpp"

namespace stickslip::internal {

/// A contact as the problem sees it.
struct ProblemContact {
  std::array<int, 2> body;  ///< of the scene, obstacles too
  Vector point;
  Matrix frame;  ///< columns n, t₁, t₂
  double mu = 0;
  double offset = 0;  ///< added to u_N: what the law at the step asks for
  Vector obstacle;    ///< relative velocity that obstacles bring, after the step, in the frame
  std::array<int, 2> share = {-1, -1};  ///< of StepProblem::shares, where a side is a surface of elements
};

/// A matrix in compressed rows, as it is filled.
struct MatrixRows {
  std::vector<Index> start{0}, column;
  std::vector<double> value;
  void add(Index at, double x) { column.push_back(at), value.push_back(x); }
  void end() { start.push_back(Index(column.size())); }
};

class StepProblem {
 public:
  std::vector<ProblemContact> contacts;
  std::span<const SurfaceShare> shares;  ///< points of surfaces of elements
  std::vector<double> guess;             ///< three numbers a contact, N·s, normal first
  std::vector<double> guess_velocity;    ///< likewise u, from which SSN goes on; empty: none
  /// Relative velocities are those that the forces of a few steps make: what rests must not creep.
  bool quiet = false;
  /// Impulses alone, without the forces of the step: contacts at rest have neither impulse nor velocity, and digits take more iterations.
  bool landing = false;

  int size() const { return int(contacts.size()); }

  /// Fills H and A⁻¹H for the contacts at the middle of the step.
  void assemble(const Bodies& bodies);

  /// H of a contact for one side, column-major, as many rows as the body has; null for obstacles and for surfaces of elements.
  const double* H(int contact, int side) const { return pointer(H_, contact, side); }
  /// A⁻¹ H.
  const double* Y(int contact, int side) const { return pointer(Y_, contact, side); }
  /// The point of a surface of elements, null where the side is none.
  const SurfaceShare* share(int contact, int side) const {
    const int at = contacts[std::size_t(contact)].share[std::size_t(side)];
    return at < 0 ? nullptr : &shares[std::size_t(at)];
  }
  /// Makes ready the row of W that the side i of a contact has through its body of elements; sides are given as 2·contact + side.
  void begin_row(const Bodies& bodies, int i);
  /// H_iᵀ A⁻¹ H_j for another side j of that body.
  Matrix coupling(int j);
  int rows(const Bodies& bodies, int contact, int side) const {
    return bodies.models[std::size_t(contacts[std::size_t(contact)].body[std::size_t(side)])].rows();
  }
  /// Contacts of a body, rising, as 2·contact + side.
  std::span<const int> sides_of(int body) const {
    return {sides_.data() + side_start_[std::size_t(body)],
            std::size_t(side_start_[std::size_t(body) + 1] - side_start_[std::size_t(body)])};
  }

  /// Hᵀ v of one contact, obstacles and the offset left out.
  Vector relative_velocity(const Bodies& bodies, int contact, std::span<const double> v) const;
  /// H r of one contact for one side, as many numbers as the body has rows; not for surfaces of elements.
  void impulse_of(const Bodies& bodies, int contact, int side, const double* r, double* part) const;
  /// impulse ← impulse + H r, contact by contact: all sides, or those of one contact.
  void add_impulse_of(const Bodies& bodies, int contact, int side, std::span<const double> r,
                      std::span<double> impulse) const;
  void add_impulse(const Bodies& bodies, std::span<const double> r, std::span<double> impulse) const;

  /// The same problem as a value, impulses in units of `unit` N·s, a power of two. Rows of G that depend on others are left out.
  GlobalProblem global(const Bodies& bodies, const JointSet& joints, std::span<const double> free,
                       double unit = 1) const;
  /// The same for the bodies that have contacts only; without joints.
  GlobalProblem touching(const Bodies& bodies, std::span<const double> free, double unit) const;

 private:
  const double* pointer(const RawNumbers& data, int contact, int side) const {
    const int at = start_[std::size_t(2 * contact + side)];
    return at < 0 ? nullptr : data.data() + at;
  }

  void add_elements(const Bodies& bodies, int body, Index row, double unit, MatrixRows& M,
                    MatrixRows& H) const;
  /// The coordinates of a reduced basis: M diagonal, H = Φᵀ Rᵀ N R_c; f is appended.
  void add_reduced(const Bodies& bodies, int body, Index row, double unit, std::span<const double> free,
                   MatrixRows& M, MatrixRows& H, std::vector<double>& f) const;
  enum class Part { all, touching };
  GlobalProblem assembled(const Bodies& bodies, const JointSet* joints, std::span<const double> free,
                          double unit, Part part) const;

  RawNumbers H_, Y_;
  std::vector<int> start_;  // of the blocks of 2·contact + side
  std::vector<int> side_start_, sides_;

  // The row of W at hand: left Σ_k N_k (A⁻¹)_kl at those nodes l of the surface that were asked for.
  struct ElementRow {
    const ElementBody* body = nullptr;
    const SurfaceShare* point = nullptr;
    int side = 0;
    Matrix left;
    std::vector<Matrix> at;
    std::vector<char> known;
  };
  ElementRow row_;
};

/// The independent rows of G, in the metric of A⁻¹: an elimination with pivots leaves out what is a combination of others.
std::vector<int> independent_rows(const Bodies& bodies, const JointSet& joints);

}  // namespace stickslip::internal
