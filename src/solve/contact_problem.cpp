#include "solve/contact_problem.hpp"

#include <algorithm>

#include "base/pieces.hpp"
#include "bodies/body_operator.hpp"
#include "bodies/reduction_operator.hpp"
#include "solve/prepared_system.hpp"

namespace stickslip::internal {

struct ContactProblem::Kept {
  PreparedSystem parts;
  bool valid = false, formed = false;
  bool loaded = false;  // with the present loads
};

ContactProblem::ContactProblem() = default;
ContactProblem::ContactProblem(const ReducedProblem& problem) { bind(problem); }
ContactProblem::ContactProblem(const GlobalProblem& problem) { bind(problem); }
ContactProblem::~ContactProblem() = default;

void ContactProblem::bind(const ReducedProblem& problem) {
  reset();
  matrix_ = &problem;
}

void ContactProblem::bind(const GlobalProblem& problem) {
  if (global_ == &problem && sweep_ && !formed() && !share_ && structure_ == structure_of(problem, team())) {
    sweep_->set_loads(*bodies_);
    products_.reset();
    for (auto& kept : kept_)
      if (kept) kept->loaded = false;
    return;
  }
  reset();
  global_ = &problem;
}

void ContactProblem::bind(const Share& share, Ranks& ranks) {
  reset();
  global_ = &share.problem;
  share_ = &share;
  ranks_ = &ranks;
}

void ContactProblem::set_threads(int threads) {
  ThreadTeam* const before = shared_;
  shared_ = nullptr;
  if (threads >= 2 && mu().size() > piece_size) {
    if (!team_ || team_->size() != threads) {
      if (before) forget();  // they know the old threads
      team_ = std::make_unique<ThreadTeam>(threads);
    }
    shared_ = team_.get();
  }
  if (shared_ != before) forget();
}

void ContactProblem::set_body_solver(BlockSolver* solver) {
  if (solver == body_solver_) return;
  body_solver_ = solver;
  for (auto& kept : kept_)
    if (kept) kept->valid = false;
}

void ContactProblem::reset() {
  matrix_ = nullptr;
  if (global_) forget();
  global_ = nullptr;
  share_ = nullptr;
  ranks_ = nullptr;
  for (auto& kept : kept_)
    if (kept) kept->valid = false;
}

/// What was made for a global problem.
void ContactProblem::forget() {
  made_.reset();
  products_.reset();
  sweep_.reset();
  bodies_.reset();
  reduction_.reset();
  for (auto& kept : kept_)
    if (kept) kept->valid = false;
}

PreparedSystem& ContactProblem::prepared(Scaled scaled, Frictionless frictionless, Stopwatch* watch) {
  if (frictionless == Frictionless::normals && std::ranges::find(mu(), 0.0) == mu().end())
    frictionless = Frictionless::whole;  // the same, to be shared
  auto& kept = kept_[2 * int(scaled) + int(frictionless)];
  if (!kept) kept = std::make_unique<Kept>();
  if (!kept->valid || kept->formed != formed()) {
    kept->parts.problem.prepare(*this, scaled, frictionless);
    kept->parts.system.analyse(kept->parts.problem, watch);
    if (sweep_) bodies_->forget_columns();  // who needs Hᵀ most has taken it
    kept->valid = kept->loaded = true;
    kept->formed = formed();
  } else if (!kept->loaded) {
    kept->parts.problem.prepare(*this, scaled, frictionless);
    kept->parts.system.keep(watch);
    kept->loaded = true;
  }
  return kept->parts;
}

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
    products_ = std::make_unique<BodyOperator>(*global_, velocity_sweep(), team(), ranks_);
  else
    products_ = std::make_unique<ReductionOperator>(*global_, reduction());
}

const BodyGraph& ContactProblem::bodies() {
  if (!bodies_)
    bodies_ = share_ ? std::make_unique<BodyGraph>(*global_, share_->body_size, share_->kind)
                     : std::make_unique<BodyGraph>(*global_, team());
  return *bodies_;
}

bool ContactProblem::bodies_pay() {
  constexpr Index least_contacts = 64;
  return !formed() && global_->contacts() >= least_contacts && global_->bilateral_constraints() == 0 &&
         bodies().applies();
}

const Colouring* ContactProblem::layout() {
  if (formed() || contacts_in_all() < coloured_contacts) return nullptr;
  return share_ ? &share_->layout : &bodies().colouring();
}

VelocitySweep& ContactProblem::velocity_sweep() {
  if (!sweep_) {
    sweep_ = make_velocity_sweep({});
    structure_ = structure_of(*global_, team());
  }
  return *sweep_;
}

std::unique_ptr<VelocitySweep> ContactProblem::make_velocity_sweep(const LocalOptions& local) {
  if (!share_) return VelocitySweep::make(bodies(), local, team());
  auto sweep = VelocitySweep::make(bodies(), local, share_->layout, team());
  if (sweep) sweep->join(share_->halo, *ranks_);
  return sweep;
}

std::unique_ptr<SpringSystem> ContactProblem::make_springs(std::span<const double> scale,
                                                           std::span<const std::uint8_t> idle) {
  const Colouring& chunks = share_ ? share_->layout : bodies().colouring();
  return SpringSystem::make({bodies(), velocity_sweep(), chunks, team(), share_, ranks_}, scale, idle);
}

double ContactProblem::redundancy() {
  std::int64_t freedom = global_->degrees_of_freedom();
  if (share_) {
    freedom = 0;
    for (const Index body : share_->home) freedom += share_->body_size[std::size_t(body)];
    ranks_->add({&freedom, 1});
  }
  return double(dimension()) * double(contacts_in_all()) / double(freedom);
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
