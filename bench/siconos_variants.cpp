#include "siconos_variants.hpp"

#include <Friction_cst.h>
#include <SiconosNumerics.h>
#include <SolverOptions.h>

namespace bench {
namespace {

void as_it_is(SolverOptions&) {}

/// Gauss–Seidel that computes the true error after every sweep, so that it stops when it may.
void true_error_each_sweep(SolverOptions& o) {
  o.iparam[SICONOS_FRICTION_3D_IPARAM_ERROR_EVALUATION] = SICONOS_FRICTION_3D_NSGS_ERROR_EVALUATION_FULL;
}

void relaxed(SolverOptions& o) {
  o.iparam[SICONOS_FRICTION_3D_NSGS_RELAXATION] = SICONOS_FRICTION_3D_NSGS_RELAXATION_TRUE;
  o.dparam[SICONOS_FRICTION_3D_NSGS_RELAXATION_VALUE] = 1.5;
}

void jean_moreau(SolverOptions& o) {
  o.iparam[SICONOS_FRICTION_3D_NSN_FORMULATION] = SICONOS_FRICTION_3D_NSN_FORMULATION_JEANMOREAU_STD;
}

void hybrid(SolverOptions& o) {
  o.iparam[SICONOS_FRICTION_3D_NSN_HYBRID_STRATEGY] = SICONOS_FRICTION_3D_NSN_HYBRID_STRATEGY_VI_EG_NSN;
}

void csparse(SolverOptions& o) {
  o.iparam[SICONOS_FRICTION_3D_NSN_LINEAR_SOLVER] = SICONOS_FRICTION_3D_NSN_USE_CSLUSOL;
}

void residual_balancing(SolverOptions& o) {
  o.iparam[SICONOS_FRICTION_3D_ADMM_IPARAM_RHO_STRATEGY] =
      SICONOS_FRICTION_3D_ADMM_RHO_STRATEGY_RESIDUAL_BALANCING;
  o.iparam[SICONOS_FRICTION_3D_ADMM_IPARAM_INITIAL_RHO] = SICONOS_FRICTION_3D_ADMM_INITIAL_RHO_NORM_INF;
}

constexpr int newton = SICONOS_FRICTION_3D_ONECONTACT_NSN,
              quartic = SICONOS_FRICTION_3D_ONECONTACT_QUARTIC_NU;

constexpr SiconosVariant variants[] = {
    {"NSGS", SICONOS_FRICTION_3D_NSGS, 0, as_it_is,
     "Gauss–Seidel as it comes: cheap error, default local solver"},
    {"NSGS-FULL", SICONOS_FRICTION_3D_NSGS, 0, true_error_each_sweep,
     "Gauss–Seidel, true error at every sweep"},
    {"NSGS-AC", SICONOS_FRICTION_3D_NSGS, newton, as_it_is,
     "Gauss–Seidel, Alart–Curnier Newton at each contact"},
    {"NSGS-AC-FULL", SICONOS_FRICTION_3D_NSGS, newton, true_error_each_sweep,
     "NSGS-AC, true error at every sweep"},
    {"NSGS-AC-GP", SICONOS_FRICTION_3D_NSGS, SICONOS_FRICTION_3D_ONECONTACT_NSN_GP, as_it_is,
     "NSGS-AC with a Goldstein–Price search"},
    {"NSGS-QUARTIC", SICONOS_FRICTION_3D_NSGS, quartic, as_it_is,
     "Gauss–Seidel, each contact in closed form"},
    {"NSGS-QUARTIC-FULL", SICONOS_FRICTION_3D_NSGS, quartic, true_error_each_sweep,
     "NSGS-QUARTIC, true error at every sweep"},
    {"NSGS-PLI", SICONOS_FRICTION_3D_NSGS, SICONOS_FRICTION_3D_ONECONTACT_ProjectionOnConeWithLocalIteration,
     as_it_is, "Gauss–Seidel, projections with local iterations"},
    {"NSGS-P", SICONOS_FRICTION_3D_NSGS, SICONOS_FRICTION_3D_ONECONTACT_ProjectionOnCone, as_it_is,
     "Gauss–Seidel, one projection at each contact"},
    {"PSOR", SICONOS_FRICTION_3D_NSGS, 0, relaxed, "Gauss–Seidel with relaxation 1.5"},
    {"PROX", SICONOS_FRICTION_3D_PROX, 0, as_it_is, "proximal point, Newton inside"},
    {"PROX-NSGS", SICONOS_FRICTION_3D_PROX, SICONOS_FRICTION_3D_NSGS, as_it_is,
     "proximal point, Gauss–Seidel inside"},
    {"TFP", SICONOS_FRICTION_3D_TFP, 0, as_it_is, "Tresca fixed point"},
    {"PFP", SICONOS_FRICTION_3D_PFP, 0, as_it_is, "Panagiotopoulos' alternation"},
    {"ACLM", SICONOS_FRICTION_3D_ACLMFP, 0, as_it_is, "Acary, Cadoux, Lemaréchal, Malick fixed point"},
    {"SOCLCP", SICONOS_FRICTION_3D_SOCLCP, 0, as_it_is, "convex relaxation"},
    {"NSN_AC", SICONOS_FRICTION_3D_NSN_AC, 0, as_it_is, "nonsmooth Newton, Alart–Curnier"},
    {"NSN_AC-CSPARSE", SICONOS_FRICTION_3D_NSN_AC, 0, csparse, "NSN_AC with CSparse's factorisation"},
    {"NSN_JM", SICONOS_FRICTION_3D_NSN_AC, 0, jean_moreau, "nonsmooth Newton, Jean–Moreau"},
    {"NSN_AC-HYBRID", SICONOS_FRICTION_3D_NSN_AC, 0, hybrid, "NSN_AC after some extragradient steps"},
    {"NSN_FB", SICONOS_FRICTION_3D_NSN_FB, 0, as_it_is, "nonsmooth Newton, Fischer–Burmeister"},
    {"NSN_NM", SICONOS_FRICTION_3D_NSN_NM, 0, as_it_is, "nonsmooth Newton, natural map"},
    {"DSFP", SICONOS_FRICTION_3D_DSFP, 0, as_it_is, "De Saxcé's fixed point"},
    {"FPP", SICONOS_FRICTION_3D_FPP, 0, as_it_is, "fixed point projection"},
    {"EG", SICONOS_FRICTION_3D_EG, 0, as_it_is, "extragradient"},
    {"HP", SICONOS_FRICTION_3D_HP, 0, as_it_is, "hyperplane projection"},
    {"VI_FP", SICONOS_FRICTION_3D_VI_FPP, 0, as_it_is, "fixed point for variational inequalities"},
    {"VI_EG", SICONOS_FRICTION_3D_VI_EG, 0, as_it_is, "extragradient for variational inequalities"},
    {"ADMM", SICONOS_FRICTION_3D_ADMM, 0, as_it_is, "alternating directions"},
    {"ADMM-RB", SICONOS_FRICTION_3D_ADMM, 0, residual_balancing,
     "alternating directions, residual balancing"},
};

}  // namespace

std::span<const SiconosVariant> siconos_variants() { return variants; }

SolverOptions* make_options(const SiconosVariant& variant, double tolerance) {
  SolverOptions* o = solver_options_create(variant.id);
  if (!o) return nullptr;
  if (variant.internal) solver_options_update_internal(o, 0, variant.internal);
  o->dparam[SICONOS_DPARAM_TOL] = tolerance;
  o->iparam[SICONOS_IPARAM_MAX_ITER] = 100'000'000;  // the time limit decides, as it does for the others
  variant.adjust(*o);
  return o;
}

}  // namespace bench
