// A campaign as one flat table of rows with typed columns: what data frames and Parquet writers take as it
// is.
#pragma once

#include <ostream>

#include "campaign/records.hpp"

namespace stickslip::campaign {

/// CSV (RFC 4180, UTF-8, one header line): the columns of the problem (problem_…), the solver (solver_…), the
/// run and the machine, one line for each run. Each column has one type in all lines; what is not known is
/// empty; booleans are 0 and 1; numbers read back as the same numbers.
void write_csv(const Campaign& campaign, std::ostream& out);

/// The columns of that table with their types (text, integer, real, boolean), as CSV: what a reader needs to
/// be told.
void write_csv_types(std::ostream& out);

}  // namespace stickslip::campaign
