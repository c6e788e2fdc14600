// What the user gave as a problem: W, q, mu; M, H, f, w, mu with G and b; a path; a problem.

#include "python/make_problem.hpp"

#include <fmt/format.h>

#include "python/arguments.hpp"
#include "python/problem.hpp"
#include "python/sparse_input.hpp"
#include "stickslip/errors.hpp"
#include "stickslip/io.hpp"

namespace stickslip::python {
namespace {

bool is_path(py::handle source) {
  return PyUnicode_Check(source.ptr()) || PyBytes_Check(source.ptr()) || py::hasattr(source, "__fspath__");
}

std::string rows_by_columns(std::array<std::int64_t, 2> shape) {
  return fmt::format("{}×{}", shape[0], shape[1]);
}

/// d from the numbers a contact, the shape of q (or w), or the blocks of W.
int dimension_of(const std::string& vector, const Numbers& numbers, const Numbers& mu, bool one_mu,
                 std::optional<int> blocks, py::handle given) {
  if (!given.is_none()) {
    const long d = whole("dimension", given);
    if (d != 2 && d != 3) throw InputError(fmt::format("dimension must be 2 or 3, got {}", d));
    return int(d);
  }
  if (numbers.shape().size() == 2 && (numbers.shape()[1] == 2 || numbers.shape()[1] == 3))
    return int(numbers.shape()[1]);
  if (!one_mu && mu.size() > 0) {
    const std::size_t d = numbers.size() / mu.size();
    if (numbers.size() % mu.size() == 0 && (d == 2 || d == 3)) return int(d);
    throw InputError(
        fmt::format("{} has {} numbers and mu {}: a contact needs 2 or 3 numbers of {} and one of mu", vector,
                    numbers.size(), mu.size(), vector));
  }
  if (blocks) return *blocks;
  if (numbers.size() == 0) return 3;
  throw InputError(
      fmt::format("one mu for all contacts leaves their dimension open; give dimension=2 or 3, or {} with "
                  "the shape (contacts, dimension)",
                  vector));
}

/// μ of each contact: a single number holds for all.
std::vector<double> friction(const Numbers& mu, bool one_mu, std::size_t contacts) {
  if (one_mu) return std::vector<double>(contacts, mu[0]);
  if (mu.size() != contacts)
    throw InputError(
        fmt::format("mu has {} numbers, expected {}, one for each contact", mu.size(), contacts));
  return mu.vector();
}

bool is_one_number(const Numbers& mu) { return mu.shape().empty(); }

ProblemFile reduced_problem(py::handle W, py::handle q, py::handle mu, py::handle dimension) {
  const Numbers load("q", q), coefficients("mu", mu);
  const MatrixInput matrix("W", W);
  const auto shape = matrix.shape();
  if (shape[0] != shape[1]) throw InputError("W must be square, got " + rows_by_columns(shape));
  if (shape[0] != std::int64_t(load.size()))
    throw InputError(fmt::format("W is {}, but q has {} numbers", rows_by_columns(shape), load.size()));
  const bool one = is_one_number(coefficients);
  const int d = dimension_of("q", load, coefficients, one, matrix.block_edge(), dimension);
  auto mus = friction(coefficients, one, load.size() / std::size_t(d));
  return {ReducedProblem(block_matrix(matrix, d), load.vector(), std::move(mus))};
}

ProblemFile global_problem(py::handle mu, const py::dict& others) {
  const auto given = [&](const char* name) -> py::object {
    return others.contains(name) ? py::object(others[name]) : py::object(py::none());
  };
  for (const char* name : {"M", "H", "f"})
    if (given(name).is_none())
      throw InputError(fmt::format("the global form needs M, H, f and mu; {} is missing", name));
  if (given("G").is_none() != given("b").is_none())
    throw InputError("bilateral constraints need both G and b");
  const Numbers coefficients("mu", mu), f("f", given("f"));
  SparseMatrix M = sparse_matrix({"M", given("M")}), H = sparse_matrix({"H", given("H")});
  if (M.rows() != M.columns() || std::size_t(M.rows()) != f.size())
    throw InputError(fmt::format("M is {}×{}, but f has {} numbers", M.rows(), M.columns(), f.size()));
  if (H.rows() != M.rows())
    throw InputError(fmt::format("H is {}×{}, but M has {} rows", H.rows(), H.columns(), M.rows()));
  Numbers w;
  const bool has_w = !given("w").is_none();
  if (has_w) {
    w = Numbers("w", given("w"));
    if (w.size() != std::size_t(H.columns()))
      throw InputError(fmt::format("H is {}×{}, but w has {} numbers", H.rows(), H.columns(), w.size()));
  }
  std::vector<double> velocity = has_w ? w.vector() : std::vector<double>(std::size_t(H.columns()), 0.0);
  const bool one = is_one_number(coefficients);
  int d = 3;
  if (has_w) {
    d = dimension_of("w", w, coefficients, one, std::nullopt, given("dimension"));
  } else {
    const py::array zeros = copy(velocity, {py::ssize_t(velocity.size())});
    d = dimension_of("H's columns", Numbers("w", zeros), coefficients, one, std::nullopt, given("dimension"));
  }
  auto mus = friction(coefficients, one, velocity.size() / std::size_t(d));
  SparseMatrix G;
  std::vector<double> b;
  if (!given("G").is_none()) {
    G = sparse_matrix({"G", given("G")});
    b = Numbers("b", given("b")).vector();
  }
  return {GlobalProblem(d, std::move(M), std::move(H), f.vector(), std::move(velocity), std::move(mus),
                        std::move(G), std::move(b))};
}

}  // namespace

ProblemFile problem_file(py::handle W, py::handle q, py::handle mu, const py::dict& others) {
  const auto is_given = [&](const char* name) { return others.contains(name) && !others[name].is_none(); };
  const bool global = !others.empty() && (is_given("M") || is_given("H") || is_given("f") || is_given("w") ||
                                          is_given("G") || is_given("b"));
  if (W.is_none() && !global)
    throw InputError(
        "give a problem: W, q and mu, or M=, H=, f=, w=, mu=, or a file, or what read() and generate() "
        "return");
  if (!W.is_none() && global) throw InputError("give W, q, mu or M, H, f, w, mu, not both");
  if (global) {
    if (!q.is_none()) throw InputError("q goes with W; the global form has f and w");
    if (mu.is_none()) throw InputError("the global form needs M, H, f and mu; mu is missing");
    return global_problem(mu, others);
  }
  if (is_path(W)) {
    if (!q.is_none() || !mu.is_none())
      throw InputError("a file is a whole problem; q and mu go with a matrix W");
    const std::string name = path("problem", W);
    const py::gil_scoped_release released;
    return read_problem(name);
  }
  if (q.is_none() || mu.is_none())
    throw InputError(fmt::format("W needs q and mu; {} is missing", q.is_none() ? "q" : "mu"));
  const py::object dimension =
      others.contains("dimension") ? py::object(others["dimension"]) : py::object(py::none());
  return reduced_problem(W, q, mu, dimension);
}

py::object make_problem(py::handle W, py::handle q, py::handle mu, const py::dict& others) {
  if (!py::isinstance<Problem>(W)) return py::cast(Problem(problem_file(W, q, mu, others)));
  if (!q.is_none() || !mu.is_none()) throw InputError("this is a whole problem; q and mu go with a matrix W");
  for (const auto& [name, value] : others)
    if (!value.is_none())
      throw InputError(
          fmt::format("this is a whole problem; {} has no place beside it", std::string(py::str(name))));
  return py::reinterpret_borrow<py::object>(W);
}

}  // namespace stickslip::python
