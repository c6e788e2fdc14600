// What a solve will take of memory, counted before it runs.
#pragma once

#include <string>

#include "stickslip/export.hpp"
#include "stickslip/problem.hpp"

namespace stickslip {

/// Bytes. Each way to solve counts the problem itself.
struct MemoryEstimate {
  double problem = 0;    ///< the problem as it was given
  double sweeps = 0;     ///< sweeps and mixing, without W where bodies are known
  double bodies = 0;     ///< factorised through the bodies, W not formed; 0: does not apply
  double matrix = 0;     ///< W and a scaled copy of it, its factors not counted
  double factors = 0;    ///< with the factors of W; 0: not known, because W is not formed
  double automatic = 0;  ///< what `auto` needs on its route
  /// Of `auto`: "matrix" (W), "bodies" (factorised through them), or "gradients" (conjugate gradients through the bodies first, domains
  /// apart: packings, whose factors are large).
  std::string route;
};

/// Orders the bodies, or the contacts of W, for the elimination; factorises nothing and forms nothing.
STICKSLIP_EXPORT MemoryEstimate estimate_memory(const ReducedProblem& problem);
STICKSLIP_EXPORT MemoryEstimate estimate_memory(const GlobalProblem& problem);

/// "4G", "500M", "2e9": bytes with k, M, G or T for powers of 1024. Throws InputError on anything else.
STICKSLIP_EXPORT double parse_size(std::string_view text);
/// For people: "1.5 GiB", "320 MiB".
STICKSLIP_EXPORT std::string format_size(double bytes);

}  // namespace stickslip
