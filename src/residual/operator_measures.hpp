// The measures of a problem in operator form, from a u = W r + q that is at hand already. Sums over many contacts are exact: the same bits
// for any number of threads and ranks.
#pragma once

#include "problem/contact_operator.hpp"
#include "stickslip/measures.hpp"

namespace stickslip::internal {

double natural_error(const ContactOperator& problem, std::span<const double> r, std::span<const double> u);
Measures measure(const ContactOperator& problem, std::span<const double> r, std::span<const double> u);
/// ‖r_α − P_K(r_α − û_α)‖ of each contact, in units of u.
void contact_errors(int dimension, std::span<const double> mu, std::span<const double> r,
                    std::span<const double> u, std::vector<double>& errors);
/// The numbers of the largest of them, largest first, at most three; of equal ones the first.
void worst_contacts(std::span<const double> errors, std::vector<Index>& worst);
/// The error, and every measure, of r = 0, which need no product with W.
double natural_error_at_zero(const ContactOperator& problem);
Measures measure_at_zero(const ContactOperator& problem);
/// Read from P_K(r − û): open where it vanishes, stick where it lies inside the cone or where the slip
/// velocity is not clear of the error, ‖u_T‖ ≤ min(10·error + 1e-12, 1e-6)·‖q‖, and slip otherwise.
void contact_statuses(const ContactOperator& problem, double error, std::span<const double> r,
                      std::span<const double> u, std::vector<ContactStatus>& statuses);
void contact_statuses(const ReducedProblem& problem, double error, std::span<const double> r,
                      std::span<const double> u, std::vector<ContactStatus>& statuses);

}  // namespace stickslip::internal
