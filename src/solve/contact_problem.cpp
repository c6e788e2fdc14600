#include "solve/contact_problem.hpp"

#include "bodies/body_operator.hpp"
#include "bodies/reduction_operator.hpp"

namespace stickslip::internal {

ContactProblem::ContactProblem(const ReducedProblem& problem) : matrix_(&problem) {}
ContactProblem::ContactProblem(const GlobalProblem& problem) : global_(&problem) {}
ContactProblem::~ContactProblem() = default;

const Reduction& ContactProblem::reduction(const Stop& stop) {
  if (!reduction_) reduction_.emplace(*global_, stop);
  return *reduction_;
}

bool ContactProblem::form(const Stop& stop) {
  if (formed()) return true;
  try {
    made_.emplace(reduction(stop).reduced(stop));
  } catch (const Interrupted&) {
    return false;
  }
  matrix_ = &*made_;
  return true;
}

void ContactProblem::open() {
  if (formed() || products_) return;
  if (bodies().applies())
    products_ = std::make_unique<BodyOperator>(*global_, velocity_sweep());
  else
    products_ = std::make_unique<ReductionOperator>(*global_, reduction());
}

const BodyGraph& ContactProblem::bodies() {
  if (!bodies_) bodies_ = std::make_unique<BodyGraph>(*global_);
  return *bodies_;
}

bool ContactProblem::bodies_pay() {
  constexpr Index least_contacts = 64;
  return !formed() && global_->contacts() >= least_contacts && global_->bilateral_constraints() == 0 &&
         bodies().applies();
}

VelocitySweep& ContactProblem::velocity_sweep() {
  if (!sweep_) sweep_ = VelocitySweep::make(bodies(), {});
  return *sweep_;
}

void ContactProblem::velocities(std::span<const double> r, std::vector<double>& v,
                                std::vector<double>& lambda) {
  if (!sweep_) return reduction().velocity(r, v, lambda);
  sweep_->start(r);
  v.assign(sweep_->v().begin(), sweep_->v().end());
  lambda.clear();
}

int ContactProblem::dimension() const { return formed() ? matrix_->dimension() : global_->dimension(); }

std::span<const double> ContactProblem::mu() const { return formed() ? matrix_->mu() : global_->mu(); }

void ContactProblem::velocity(std::span<const double> r, std::span<double> u) const {
  if (formed()) return matrix_->W().multiply(r, matrix_->q(), u);
  products_->velocity(r, u);
}

void ContactProblem::product(std::span<const double> x, std::span<double> y) const {
  if (formed()) return matrix_->W().multiply(x, y);
  sweep_ ? sweep_->product(x, y) : reduction_->apply(x, y);
}

void ContactProblem::magnitude(std::span<const double> r, std::span<double> s) const {
  if (formed()) return MatrixOperator(*matrix_).magnitude(r, s);
  products_->magnitude(r, s);
}

}  // namespace stickslip::internal
