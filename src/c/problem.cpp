// Problems from arrays in C.

#include <memory>
#include <variant>

#include "c/handles.hpp"
#include "stickslip/generate.hpp"

namespace stickslip::internal {
namespace {

std::size_t size_of(std::int64_t count, const char* what) {
  if (count < 0)
    throw InputError(std::string(what) + " is " + std::to_string(count) + "; it must not be negative");
  return std::size_t(count);
}

std::size_t block_length(std::int32_t dimension) {
  if (dimension != 2 && dimension != 3)
    throw InputError("dimension is " + std::to_string(dimension) + "; it must be 2 or 3");
  return std::size_t(dimension);
}

std::vector<double> copy(const double* data, std::size_t count, const char* what) {
  const auto numbers = array(data, count, what);
  return {numbers.begin(), numbers.end()};
}

/// Entries that compressed rows have: the last row start.
std::size_t entries(const std::int32_t* row_start, std::size_t rows, const std::string& what) {
  const auto starts = array(row_start, rows + 1, (what + ": row_start").c_str());
  return size_of(starts[rows], (what + ": the last row_start").c_str());
}

SparseMatrix matrix(const stickslip_matrix* A, const std::string& what) {
  const stickslip_matrix& given_A = given(A, what.c_str());
  const std::size_t rows = size_of(given_A.rows, (what + ": rows").c_str()),
                    count = entries(given_A.row_start, rows, what);
  try {
    return SparseMatrix::from_csr(given_A.rows, given_A.columns, {given_A.row_start, rows + 1},
                                  array(given_A.column, count, "column"),
                                  array(given_A.value, count, "value"));
  } catch (const InputError& error) {
    throw InputError(what + ": " + error.what());
  }
}

stickslip_problem* reduced(BlockMatrix W, const double* q, const double* mu) {
  const auto contacts = std::size_t(W.size()), numbers = contacts * std::size_t(W.dimension());
  return new stickslip_problem{
      {ReducedProblem(std::move(W), copy(q, numbers, "q"), copy(mu, contacts, "mu"))}};
}

stickslip_problem* from_blocks(std::int32_t dimension, std::int32_t contacts, const std::int32_t* row_start,
                               const std::int32_t* column, const double* blocks, const double* q,
                               const double* mu, BlockLayout layout) {
  const std::size_t d = block_length(dimension), n = size_of(contacts, "contacts"),
                    count = entries(row_start, n, "W");
  return reduced(BlockMatrix::from_bsr(dimension, std::span(row_start, n + 1), array(column, count, "column"),
                                       array(blocks, count * d * d, "blocks"), layout),
                 q, mu);
}

/// The scalar matrix of a reduced problem must have d·n rows, which BlockMatrix alone cannot know.
stickslip_problem* from_scalars(std::int32_t dimension, std::int32_t contacts, const SparseMatrix& W,
                                const double* q, const double* mu) {
  const std::size_t numbers = block_length(dimension) * size_of(contacts, "contacts");
  if (std::size_t(W.rows()) != numbers)
    throw InputError("W has " + std::to_string(W.rows()) + " rows; " + std::to_string(contacts) +
                     " contacts need " + std::to_string(numbers));
  return reduced(BlockMatrix(W, dimension), q, mu);
}

stickslip_problem* global(std::int32_t dimension, std::int32_t contacts, const stickslip_matrix* M,
                          const stickslip_matrix* H, const double* f, const double* w, const double* mu,
                          SparseMatrix G, std::vector<double> b) {
  const std::size_t d = block_length(dimension), n = size_of(contacts, "contacts");
  SparseMatrix mass = matrix(M, "M");
  const auto rows = std::size_t(mass.rows());
  return new stickslip_problem{{GlobalProblem(dimension, std::move(mass), matrix(H, "H"), copy(f, rows, "f"),
                                              w == nullptr ? std::vector<double>(d * n) : copy(w, d * n, "w"),
                                              copy(mu, n, "mu"), std::move(G), std::move(b))}};
}

/// The problem in the form that a setter needs.
template <class Form>
Form& form(stickslip_problem* problem, const char* what) {
  auto* found = std::get_if<Form>(&given(problem, "the problem").file.problem);
  if (found == nullptr)
    throw InputError(std::string(what) + " belongs to the " +
                     (std::is_same_v<Form, ReducedProblem> ? "reduced" : "global") +
                     " form; the problem has the other one");
  return *found;
}

template <class Form, class Set>
stickslip_status change(stickslip_problem* problem, const char* what, Set&& set) {
  return guarded([&] {
    set(form<Form>(problem, what));
    return STICKSLIP_OK;
  });
}

std::size_t numbers(const GlobalProblem& p) { return std::size_t(p.dimension()) * std::size_t(p.contacts()); }

}  // namespace
}  // namespace stickslip::internal

using namespace stickslip;
using namespace stickslip::internal;

extern "C" {

stickslip_problem* stickslip_problem_reduced(int32_t dimension, int32_t contacts, const int32_t* row_start,
                                             const int32_t* column, const double* blocks, const double* q,
                                             const double* mu) {
  return made([&] {
    return from_blocks(dimension, contacts, row_start, column, blocks, q, mu, BlockLayout::row_major);
  });
}

stickslip_problem* stickslip_problem_reduced_by_columns(int32_t dimension, int32_t contacts,
                                                        const int32_t* row_start, const int32_t* column,
                                                        const double* blocks, const double* q,
                                                        const double* mu) {
  return made([&] {
    return from_blocks(dimension, contacts, row_start, column, blocks, q, mu, BlockLayout::column_major);
  });
}

stickslip_problem* stickslip_problem_reduced_sparse(int32_t dimension, int32_t contacts,
                                                    const stickslip_matrix* W, const double* q,
                                                    const double* mu) {
  return made([&] { return from_scalars(dimension, contacts, matrix(W, "W"), q, mu); });
}

stickslip_problem* stickslip_problem_reduced_dense(int32_t dimension, int32_t contacts, const double* W,
                                                   const double* q, const double* mu) {
  return made([&] {
    const std::size_t n = block_length(dimension) * size_of(contacts, "contacts");
    const auto value = array(W, n * n, "W");
    std::vector<Triplet> all;
    all.reserve(n * n);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) all.push_back({Index(i), Index(j), value[i * n + j]});
    return from_scalars(dimension, contacts, {Index(n), Index(n), all}, q, mu);
  });
}

stickslip_problem* stickslip_problem_global(int32_t dimension, int32_t contacts, const stickslip_matrix* M,
                                            const stickslip_matrix* H, const double* f, const double* w,
                                            const double* mu) {
  return made([&] { return global(dimension, contacts, M, H, f, w, mu, {}, {}); });
}

stickslip_problem* stickslip_problem_global_with_constraints(int32_t dimension, int32_t contacts,
                                                             const stickslip_matrix* M,
                                                             const stickslip_matrix* H, const double* f,
                                                             const double* w, const double* mu,
                                                             const stickslip_matrix* G, const double* b) {
  return made([&] {
    SparseMatrix held = matrix(G, "G");
    const auto columns = std::size_t(held.columns());
    return global(dimension, contacts, M, H, f, w, mu, std::move(held), copy(b, columns, "b"));
  });
}

stickslip_problem* stickslip_problem_generate(const char* family, int32_t contacts, uint64_t seed) {
  return made([&] {
    GenerateRequest request;
    if (size_of(contacts, "contacts") > 0) request.size = contacts;
    request.seed = seed;
    return new stickslip_problem{generate(&given(family, "the family"), request)};
  });
}

void stickslip_problem_free(stickslip_problem* problem) { delete problem; }

int32_t stickslip_problem_dimension(const stickslip_problem* problem) {
  return problem == nullptr ? 0
                            : std::visit([](const auto& p) { return p.dimension(); }, problem->file.problem);
}

int32_t stickslip_problem_contacts(const stickslip_problem* problem) {
  return problem == nullptr ? 0
                            : std::visit([](const auto& p) { return p.contacts(); }, problem->file.problem);
}

int stickslip_problem_is_global(const stickslip_problem* problem) {
  return problem != nullptr && problem->file.is_global() ? 1 : 0;
}

int32_t stickslip_problem_degrees_of_freedom(const stickslip_problem* problem) {
  if (problem == nullptr) return -1;
  if (const auto* p = std::get_if<GlobalProblem>(&problem->file.problem)) return p->degrees_of_freedom();
  return std::get<ReducedProblem>(problem->file.problem).degrees_of_freedom.value_or(-1);
}

stickslip_status stickslip_problem_set_q(stickslip_problem* problem, const double* q) {
  return change<ReducedProblem>(problem, "q",
                                [&](ReducedProblem& p) { p.set_q(array(q, p.q().size(), "q")); });
}

stickslip_status stickslip_problem_set_mu(stickslip_problem* problem, const double* mu) {
  return guarded([&] {
    std::visit([&](auto& p) { p.set_mu(array(mu, p.mu().size(), "mu")); },
               given(problem, "the problem").file.problem);
    return STICKSLIP_OK;
  });
}

stickslip_status stickslip_problem_set_f(stickslip_problem* problem, const double* f) {
  return change<GlobalProblem>(problem, "f", [&](GlobalProblem& p) { p.set_f(array(f, p.f().size(), "f")); });
}

stickslip_status stickslip_problem_set_w(stickslip_problem* problem, const double* w) {
  return change<GlobalProblem>(problem, "w", [&](GlobalProblem& p) { p.set_w(array(w, numbers(p), "w")); });
}

stickslip_status stickslip_problem_set_b(stickslip_problem* problem, const double* b) {
  return change<GlobalProblem>(problem, "b", [&](GlobalProblem& p) { p.set_b(array(b, p.b().size(), "b")); });
}

stickslip_status stickslip_problem_set_M_values(stickslip_problem* problem, const double* value) {
  return change<GlobalProblem>(problem, "M", [&](GlobalProblem& p) {
    p.set_M_values(array(value, p.M().value().size(), "the values of M"));
  });
}

stickslip_status stickslip_problem_set_H_values(stickslip_problem* problem, const double* value) {
  return change<GlobalProblem>(problem, "H", [&](GlobalProblem& p) {
    p.set_H_values(array(value, p.H().value().size(), "the values of H"));
  });
}

}  // extern "C"
