#include "solvers/automatic/stage_methods.hpp"

#include <algorithm>
#include <limits>

#include "solvers/admm/admm.hpp"
#include "solvers/gauss_seidel/gauss_seidel.hpp"
#include "solvers/newton/newton.hpp"
#include "solvers/parts/domain_sweeps.hpp"

namespace stickslip::internal {

std::unique_ptr<Method> make_sweeps() {
  GaussSeidelOptions options;
  options.extrapolation = GaussSeidelOptions::Extrapolation::aitken;
  options.form = GaussSeidelOptions::Form::velocity;
  return make_gauss_seidel(options);
}

std::unique_ptr<Method> make_mixing(long window) {
  GaussSeidelOptions options;
  options.anderson = window;
  options.form = GaussSeidelOptions::Form::velocity;
  return make_gauss_seidel(options);
}

std::unique_ptr<Method> make_short_newton() {
  NewtonOptions options;
  options.patience = 4;
  options.regularisation = 1e-6;
  options.sweeps = 0;
  return make_newton(options);
}

std::unique_ptr<Method> make_penalty(double rho) {
  AdmmOptions options;
  options.rho = rho;
  options.rebalance = 0;
  return make_admm(options);
}

std::unique_ptr<Nipm> make_interior() {
  NipmOptions options;
  options.burst = 0;
  options.certificate = options.keep_guess = false;
  return std::make_unique<Nipm>(options);
}

std::unique_ptr<Method> make_warm_proximal() {
  ProximalOptions options;
  options.inner_iterations = 4;
  options.parameter.grow = 10;
  return make_proximal(options);
}

std::unique_ptr<Method> make_body_proximal(Map map) {
  ProximalOptions options;
  options.newton.map = map;
  options.damping = ProximalOptions::Damping::on;
  options.parameter.largest = 1e4;
  return make_proximal(options);
}

std::unique_ptr<Method> make_yielding() {
  ProximalOptions options;
  options.compliance = 0.01;
  options.compliance_accuracy = 0.7;
  options.parameter.shrink = 1.5;
  return make_proximal(options);
}

std::unique_ptr<Method> make_domains(const AutomaticOptions& options) {
  AutomaticOptions whole = options;
  whole.suspicious = std::numeric_limits<double>::infinity();
  whole.domains = 0;
  whole.rounds = whole.body_rounds = options.domain_rounds;
  AutomaticOptions brief = whole;
  brief.many_bodies = options.domain_bodies;
  brief.little_redundancy = 0;
  brief.body_horizon = 0;
  brief.body_patience = 1;
  brief.rounds = brief.body_rounds = 1;
  return make_domain_sweeps({.patience = options.centre_patience,
                             .patience_between = options.domain_patience,
                             .share = options.domain_share,
                             .seeds = options.domain_seeds,
                             .largest = options.domain_part,
                             .turns = options.domains},
                            [whole, brief](DomainEffort effort, double part) mutable {
                              if (effort == DomainEffort::whole) return make_automatic(whole);
                              brief.brief = part > brief.brief_part ? 1 : 0;
                              return make_automatic(brief);
                            });
}

}  // namespace stickslip::internal
