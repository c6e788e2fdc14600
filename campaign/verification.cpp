#include "campaign/verification.hpp"

namespace stickslip::campaign {

stickslip_verify::Matrix to_raw(const SparseMatrix& A) {
  stickslip_verify::Matrix raw{A.rows(), A.columns(), {}, {}, {}};
  for (const Triplet& e : A.triplets()) {
    raw.row.push_back(e.row);
    raw.column.push_back(e.column);
    raw.value.push_back(e.value);
  }
  return raw;
}

Verifier::Verifier(const ProblemFile& file) : file_(file) {
  if (const auto* p = std::get_if<GlobalProblem>(&file.problem)) {
    M_ = to_raw(p->M());
    H_ = to_raw(p->H());
    G_ = to_raw(p->G());
  } else {
    W_ = to_raw(std::get<ReducedProblem>(file.problem).W().to_sparse());
  }
}

stickslip_verify::Report Verifier::operator()(std::span<const double> r,
                                              const std::function<bool()>& stop) const {
  if (const auto* p = std::get_if<GlobalProblem>(&file_.problem))
    return stickslip_verify::verify_global(p->dimension(), M_, H_, p->f(), p->w(), p->mu(), G_, p->b(), r,
                                           stop);
  const auto& p = std::get<ReducedProblem>(file_.problem);
  return stickslip_verify::verify_reduced(p.dimension(), W_, p.q(), p.mu(), r);
}

}  // namespace stickslip::campaign
