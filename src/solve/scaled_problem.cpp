#include "solve/scaled_problem.hpp"

#include <algorithm>
#include <cmath>

#include "base/pieces.hpp"
#include "problem/contact_sums.hpp"

namespace stickslip::internal {

void contact_scale(const ContactOperator& problem, std::vector<double>& scale) {
  const auto d = std::size_t(problem.dimension());
  scale.resize(problem.mu().size());
  in_pieces(problem.team(), scale.size(), [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      double trace = 0;
      for (std::size_t c = 0; c < d; ++c) trace += problem.diagonal(Index(i))[c * (d + 1)];
      scale[i] = 1 / std::sqrt(trace / double(d));
    }
  });
}

void ScaledProblem::prepare(const ContactProblem& problem, Scaled scaled, Frictionless frictionless) {
  problem_ = &problem;
  dimension_ = problem.dimension();
  const auto d = std::size_t(dimension_);
  mu_.assign(problem.mu().begin(), problem.mu().end());
  scale_.assign(mu_.size(), 1.0);
  load_scale_ = 1;
  if (scaled == Scaled::on) {
    contact_scale(problem, scale_);
    const double sum = sum_contacts(problem, [&](std::size_t i) {
      double load = 0;
      for (std::size_t c = 0; c < d; ++c) load += problem.q()[i * d + c] * problem.q()[i * d + c];
      return load * scale_[i] * scale_[i];
    });
    if (sum > 0) load_scale_ = 1 / std::sqrt(sum / double(problem.contacts_in_all()));
  }
  idle_.clear();
  if (frictionless == Frictionless::normals && std::ranges::find(mu_, 0.0) != mu_.end())
    for (double mu : mu_) idle_.push_back(mu == 0);
  q_.resize(mu_.size() * d);
  scale_contacts(problem.q(), q_, [&](double scale) { return load_scale_ * scale; });
  drop_idle(q_);
  has_blocks_ = problem.formed();
  if (has_blocks_) copy_blocks(problem.matrix().W());
  bodies_ = {};
  if (const GlobalProblem* global = problem.global(); global && global->bilateral_constraints() == 0) {
    bodies_ = {&global->M(), &global->H(), scale_, idle_};
    bodies_.solver = problem.body_solver();
    if (const BodyGraph* graph = problem.known_bodies()) {
      bodies_.Ht = graph->columns();
      if (graph->rigid()) bodies_.chunks = &graph->colouring();
    }
  }
}

void ScaledProblem::copy_blocks(const BlockMatrix& W) {
  const auto d = std::size_t(dimension_), area = d * d;
  auto [row_start, column, blocks, diagonal] = std::move(W_).release();  // memory of the last problem
  row_start.assign(W.row_start().begin(), W.row_start().end());
  column.assign(W.column().begin(), W.column().end());
  blocks.resize(column.size() * area);
  diagonal.resize(scale_.size() * area);
  const auto copy = [&](const double* from, std::size_t i, std::size_t j, double* to) {
    const double factor = scale_[i] * scale_[j];
    for (std::size_t k = 0; k < area; ++k) to[k] = from[k] * factor;
    if (idle_.empty()) return;
    for (std::size_t k = 0; k < area; ++k)
      if ((idle_[i] && k % d != 0) || (idle_[j] && k / d != 0)) to[k] = 0;
  };
  for (std::size_t i = 0; i < scale_.size(); ++i) {
    copy(W.diagonal(Index(i)), i, i, &diagonal[i * area]);
    for (Index e = W.row_start()[i]; e < W.row_start()[i + 1]; ++e)
      copy(W.block(e), i, std::size_t(column[std::size_t(e)]), &blocks[std::size_t(e) * area]);
  }
  W_ = BlockMatrix(dimension_, std::move(row_start), std::move(column), std::move(blocks),
                   std::move(diagonal));
}

void ScaledProblem::drop_idle(std::span<double> x) const {
  const auto d = std::size_t(dimension_);
  for (std::size_t i = 0; i < idle_.size(); ++i)
    if (idle_[i]) std::fill_n(&x[i * d + 1], d - 1, 0.0);
}

void ScaledProblem::velocity(std::span<const double> r, std::span<double> u) const {
  if (has_blocks_) return W_.multiply(r, q_, u);
  // In physical units, where the operator has q already.
  point_.resize(r.size());
  to_physical(r, point_);
  drop_idle(point_);
  problem_->velocity(point_, u);
  scale_contacts(u, u, [&](double scale) { return load_scale_ * scale; });
  drop_idle(u);
}

void ScaledProblem::product(std::span<const double> x, std::span<double> y) const {
  if (has_blocks_) return W_.multiply(x, y);
  point_.resize(x.size());
  scale_contacts(x, point_, [](double scale) { return scale; });
  drop_idle(point_);
  problem_->product(point_, y);
  scale_contacts(y, y, [](double scale) { return scale; });
  drop_idle(y);
}

void ScaledProblem::diagonal(Index i, double* block) const {
  const auto d = std::size_t(dimension_), at = std::size_t(i);
  const double* W = problem_->diagonal(i);
  for (std::size_t k = 0; k < d * d; ++k) {
    const bool dropped = !idle_.empty() && idle_[at] && k > 0;
    block[k] = dropped ? 0.0 : W[k] * scale_[at] * scale_[at];
  }
}

/// y_i ← factor(s_i) x_i.
template <class Factor>
void ScaledProblem::scale_contacts(std::span<const double> x, std::span<double> y, Factor factor) const {
  const auto d = std::size_t(dimension_);
  in_pieces(team(), scale_.size(), [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin, k = begin * d; i < end; ++i) {
      const double f = factor(scale_[i]);
      for (std::size_t c = 0; c < d; ++c, ++k) y[k] = f * x[k];
    }
  });
}

void ScaledProblem::to_scaled(std::span<const double> r, std::span<double> scaled) const {
  scale_contacts(r, scaled, [&](double scale) { return load_scale_ / scale; });
}

void ScaledProblem::to_physical(std::span<const double> scaled, std::span<double> r) const {
  scale_contacts(scaled, r, [&](double scale) { return scale / load_scale_; });
}

void ScaledProblem::velocity_to_physical(std::span<const double> scaled, std::span<double> u) const {
  scale_contacts(scaled, u, [&](double scale) { return 1 / (scale * load_scale_); });
}

}  // namespace stickslip::internal
