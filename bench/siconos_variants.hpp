// The solvers of Siconos that the adapter offers, by name.
#pragma once

#include <span>

struct SolverOptions;

namespace bench {

/// A solver of Siconos with the options that make it what its name says; everything else is Siconos' default.
struct SiconosVariant {
  const char* name;
  int id;        ///< SICONOS_FRICTION_3D_…
  int internal;  ///< its local or inner solver; 0: the default
  void (*adjust)(SolverOptions&);
  const char* about;
};

std::span<const SiconosVariant> siconos_variants();

/// Fresh options for one solve; nullptr where this build of Siconos lacks the solver.
SolverOptions* make_options(const SiconosVariant& variant, double tolerance);

}  // namespace bench
