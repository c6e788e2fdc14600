#include "solvers/convex/convex_sweep.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "linalg/block_kernels.hpp"

namespace stickslip::internal {
namespace {

template <int D, class Law>
class TypedConvexSweep final : public ConvexSweep {
 public:
  explicit TypedConvexSweep(const LocalFixedPointOptions& options)
      : options_(options), least_(options.tolerance) {}

  void prepare(const BlockMatrix& W, std::span<const double> size, std::span<const double> b) override {
    W_ = &W;
    size_ = size;
    b_ = b;
    local_.resize(std::size_t(W.size()));
    for (std::size_t i = 0; i < local_.size(); ++i)
      local_[i].prepare(W.diagonal(Index(i)), size[i], options_);
  }

  double sweep(double tolerance, std::span<double> r) override {
    options_.tolerance = std::max(tolerance, least_);
    const Index* start = W_->row_start().data();
    const Index* column = W_->column().data();
    const double* blocks = W_->block(0);
    double sum = 0;
    for (std::size_t i = 0; i < local_.size(); ++i) {
      double b[D];
      Vec<D> x, u;
      for (std::size_t c = 0; c < D; ++c) b[c] = b_[i * D + c], x[c] = r[i * D + c];
      add_row<D>(blocks, column, start[i], start[i + 1], r.data(), b);
      for (std::size_t c = 0; c < D; ++c) u[c] = b[c];
      add_block<D>(W_->diagonal(Index(i)), x.data(), u.data());
      const Vec<D> gap = Law::template residual<D>(x, u, size_[i]);
      sum += dot<D>(gap, gap);
      local_[i].set_size(size_[i]);
      local_[i].solve(b, &r[i * D]);
    }
    return std::sqrt(sum);
  }

 private:
  LocalFixedPointOptions options_;
  double least_;
  const BlockMatrix* W_ = nullptr;
  std::span<const double> size_, b_;
  std::vector<FixedPointLocalSolver<D, Law>> local_;
};

template <class Law>
std::unique_ptr<ConvexSweep> make_typed(int dimension, const LocalFixedPointOptions& options) {
  if (dimension == 3) return std::make_unique<TypedConvexSweep<3, Law>>(options);
  return std::make_unique<TypedConvexSweep<2, Law>>(options);
}

}  // namespace

std::unique_ptr<ConvexSweep> ConvexSweep::make(int dimension, ContactLaw law,
                                               const LocalFixedPointOptions& options) {
  return law == ContactLaw::cones ? make_typed<ConeLaw>(dimension, options)
                                  : make_typed<CylinderLaw>(dimension, options);
}

}  // namespace stickslip::internal
