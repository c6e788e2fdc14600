// What is known of a problem once it is loaded: its fingerprint and the figures of RR Table 5.
#pragma once

#include <string>

#include "campaign/records.hpp"
#include "stickslip/problem_file.hpp"

namespace stickslip::campaign {

/// 16 hexadecimal digits of the numbers of a problem: form, dimension, matrices, vectors, μ. Equal problems
/// have equal fingerprints on every machine, whatever file they come from.
std::string fingerprint(const ProblemFile& file);

/// Fills in the figures of `problem`, but not its fingerprint and forms. `rank_limit`: rows of W up to which
/// its rank is counted; the conditioning, by all eigenvalues, is computed up to a tenth of that. What is not
/// computed is absent.
void fill_figures(const ProblemFile& file, std::int64_t rank_limit, ProblemRecord& problem);

}  // namespace stickslip::campaign
