// stickslip.Problem.

#include <fmt/format.h>

#include "python/arguments.hpp"
#include "python/bindings.hpp"
#include "python/interruptible.hpp"
#include "python/make_problem.hpp"
#include "python/problem.hpp"
#include "stickslip/errors.hpp"
#include "stickslip/statistics.hpp"

namespace stickslip::python {
namespace {

/// The problem's memory, for views of it.
py::capsule owner(const Problem& problem) {
  using Shared = std::shared_ptr<ProblemFile>;
  return py::capsule(new Shared(problem.shared()), [](void* p) { delete static_cast<Shared*>(p); });
}

/// A scipy.sparse.csr_matrix over the arrays of A, read-only.
py::object csr(const SparseMatrix& A, const py::capsule& keep) {
  const auto indices = [&](std::span<const Index> all) {
    return view(py::dtype::of<Index>(), all.data(), {py::ssize_t(all.size())}, {py::ssize_t(sizeof(Index))},
                keep, Access::read);
  };
  const py::array data = view(A.value().data(), {py::ssize_t(A.value().size())}, keep, Access::read);
  return py::module_::import("scipy.sparse")
      .attr("csr_matrix")(py::make_tuple(data, indices(A.column()), indices(A.row_start())),
                          py::arg("shape") = py::make_tuple(A.rows(), A.columns()), py::arg("copy") = false);
}

/// A scipy.sparse.bsr_matrix with the blocks of W by rows, read-only so that nobody writes to a copy by mistake.
py::object bsr(const BlockMatrix& W) {
  const auto d = std::size_t(W.dimension()), area = d * d, n = std::size_t(W.size());
  const std::size_t count = std::size_t(W.off_diagonal_blocks()) + n;
  std::vector<Index> start = {0}, column;
  std::vector<double> numbers(count * area);
  start.reserve(n + 1);
  column.reserve(count);
  const auto add = [&](std::size_t j, const double* block) {
    double* target = &numbers[column.size() * area];
    for (std::size_t a = 0; a < d; ++a)
      for (std::size_t b = 0; b < d; ++b) target[a * d + b] = block[a + d * b];
    column.push_back(Index(j));
  };
  for (std::size_t i = 0; i < n; ++i) {
    bool diagonal = false;
    for (Index k = W.row_start()[i]; k < W.row_start()[i + 1]; ++k) {
      const auto j = std::size_t(W.column()[std::size_t(k)]);
      if (!diagonal && j > i) {
        add(i, W.diagonal(Index(i)));
        diagonal = true;
      }
      add(j, W.block(k));
    }
    if (!diagonal) add(i, W.diagonal(Index(i)));
    start.push_back(Index(column.size()));
  }
  py::array data = take(std::move(numbers), {py::ssize_t(count), py::ssize_t(d), py::ssize_t(d)});
  py::array columns = take(std::move(column), {py::ssize_t(count)}),
            starts = take(std::move(start), {py::ssize_t(n) + 1});
  const auto rows = py::ssize_t(n * d);
  return py::module_::import("scipy.sparse")
      .attr("bsr_matrix")(py::make_tuple(seal(data), seal(columns), seal(starts)),
                          py::arg("shape") = py::make_tuple(rows, rows),
                          py::arg("blocksize") = py::make_tuple(d, d), py::arg("copy") = false);
}

py::object point_as_dict(const StoredPoint& point, int dimension) {
  py::dict out;
  const auto by_contact = [&](const char* name, const std::vector<double>& x) {
    if (x.empty()) return;
    const auto n = py::ssize_t(x.size()) / dimension;
    out[name] =
        py::ssize_t(x.size()) == n * dimension ? copy(x, {n, dimension}) : copy(x, {py::ssize_t(x.size())});
  };
  by_contact("r", point.r);
  by_contact("u", point.u);
  if (!point.v.empty()) out["v"] = copy(point.v, {py::ssize_t(point.v.size())});
  if (!point.l.empty()) out["l"] = copy(point.l, {py::ssize_t(point.l.size())});
  by_contact("certificate", point.certificate);
  return out;
}

std::string describe(const Problem& problem) {
  const std::string& title = problem.file().info.title;
  std::string words =
      fmt::format("{}{} contact{} in {} dimensions, ",
                  title.empty() ? "problem: " : "problem '" + title + "': ", problem.contacts(),
                  problem.contacts() == 1 ? "" : "s", problem.dimension());
  if (!problem.is_global()) {
    const Index blocks = problem.reduced("W").W().off_diagonal_blocks() + problem.contacts();
    return words + fmt::format("reduced form (W, q, mu), {} block{}", blocks, blocks == 1 ? "" : "s");
  }
  const GlobalProblem& p = problem.global("M");
  return words + fmt::format("global form (M, H, f, w, mu), {} degrees of freedom", p.degrees_of_freedom()) +
         (p.bilateral_constraints() > 0 ? fmt::format(", {} bilateral constraints", p.bilateral_constraints())
                                        : "");
}

py::object reduce(Problem& problem) {
  const Problem::Use use(problem);
  ProblemFile reduced = interruptible([&](const internal::Stop& stop) {
    ProblemFile out{problem.is_global() ? Reduction(problem.global("M"), stop).reduced(stop)
                                        : problem.reduced("W")};
    out.info = problem.file().info;
    if (problem.is_global())
      std::get<ReducedProblem>(out.problem).degrees_of_freedom = problem.global("M").degrees_of_freedom();
    return out;
  });
  return py::cast(Problem(std::move(reduced)));
}

py::dict figures(Problem& problem) {
  const Problem::Use use(problem);
  const Statistics s = interruptible([&](const internal::Stop& stop) {
    if (!problem.is_global()) return statistics(problem.reduced("W"));
    const GlobalProblem& p = problem.global("M");
    ReducedProblem W = Reduction(p, stop).reduced(stop);
    W.degrees_of_freedom = p.degrees_of_freedom();
    return statistics(W);
  });
  const auto known = [](const auto& x) { return x ? py::object(py::cast(*x)) : py::object(py::none()); };
  py::dict out;
  out["contacts"] = s.contacts;
  out["dimension"] = s.dimension;
  out["degrees_of_freedom"] = known(s.degrees_of_freedom);
  out["density"] = known(s.density);
  out["blocks"] = s.blocks;
  out["blocks_per_row"] = s.blocks_per_row;
  out["asymmetry"] = s.asymmetry;
  out["smallest_block"] = s.smallest_block;
  out["largest_block"] = s.largest_block;
  out["rank_ratio"] = known(s.rank_ratio);
  out["islands"] = s.islands;
  out["mu_min"] = s.mu_min;
  out["mu_max"] = s.mu_max;
  out["q_norm"] = s.q_norm;
  return out;
}

/// Pickle: the arrays that make it again.
py::tuple state(Problem& problem) {
  const Problem::Use use(problem);
  py::dict parts;
  if (problem.is_global()) {
    const GlobalProblem& p = problem.global("M");
    const py::capsule keep = owner(problem);
    parts["M"] = csr(p.M(), keep);
    parts["H"] = csr(p.H(), keep);
    parts["f"] = copy(p.f(), {py::ssize_t(p.f().size())});
    parts["w"] = copy(p.w(), {py::ssize_t(p.w().size())});
    if (p.bilateral_constraints() > 0) {
      parts["G"] = csr(p.G(), keep);
      parts["b"] = copy(p.b(), {py::ssize_t(p.b().size())});
    }
    parts["mu"] = copy(p.mu(), {py::ssize_t(p.mu().size())});
  } else {
    const ReducedProblem& p = problem.reduced("W");
    parts["W"] = bsr(p.W());
    parts["q"] = copy(p.q(), {py::ssize_t(p.q().size())});
    parts["mu"] = copy(p.mu(), {py::ssize_t(p.mu().size())});
  }
  parts["dimension"] = problem.dimension();
  const ProblemInfo& info = problem.file().info;
  return py::make_tuple(parts, info.title, info.description, info.math_info);
}

}  // namespace

void bind_problem(py::module_& module) {
  py::class_<Problem> type(module, "Problem",
                           R"(A frictional contact problem: W, q, mu or M, H, f, w, mu (with G, b).

Validated when it is made, kept as the library has it, so that solving it again copies nothing.
q, mu, f, w and b are arrays that may be written to between solves; the matrices are read-only.

>>> import stickslip as ss
>>> p = ss.Problem([[1, 0], [0, 1]], [-1, 0.8], [0.5], title="one contact in the plane")
>>> p
problem 'one contact in the plane': 1 contact in 2 dimensions, reduced form (W, q, mu), 1 block
>>> p.q[:] = [-2, 0]
>>> float(ss.solve(p).r[0, 0])
2.0
)");
  type.def(
      py::init([](const py::object& W, const py::object& q, const py::object& mu, const py::kwargs& others) {
        std::string title;
        py::dict parts;
        for (const auto& [key, value] : others) {
          const std::string name = key.cast<std::string>();
          const std::vector<std::string> known = {"M", "H", "f", "w", "G", "b", "dimension", "title"};
          if (std::find(known.begin(), known.end(), name) == known.end())
            refuse_option("Problem", name, known);
          if (name == "title")
            title = text("title", value);
          else
            parts[key] = value;
        }
        if (py::isinstance<Problem>(W)) {  // a copy with memory of its own
          auto& other = W.cast<Problem&>();
          other.synchronise();
          ProblemFile copied = other.file();
          if (!title.empty()) copied.info.title = title;
          return std::make_unique<Problem>(std::move(copied));
        }
        auto problem = std::make_unique<Problem>(problem_file(W, q, mu, parts));
        if (!title.empty()) problem->info().title = title;
        return problem;
      }),
      py::arg("W") = py::none(), py::arg("q") = py::none(), py::arg("mu") = py::none(),
      "Problem(W, q, mu, *, dimension=None, title=''), Problem(M=, H=, f=, w=, mu=, G=, b=), "
      "Problem(path) or a copy "
      "of a problem.");
  type.def_property_readonly(
      "form", [](const Problem& p) { return p.is_global() ? "global" : "reduced"; },
      "'reduced' or 'global'.");
  type.def_property_readonly("dimension", &Problem::dimension,
                             "d: 2 or 3 numbers a contact, the normal first.");
  type.def_property_readonly("contacts", &Problem::contacts, "How many contacts.");
  type.def_property_readonly(
      "degrees_of_freedom",
      [](const Problem& p) -> py::object {
        if (p.is_global()) return py::cast(p.global("M").degrees_of_freedom());
        const auto known = p.reduced("W").degrees_of_freedom;
        return known ? py::object(py::cast(*known)) : py::object(py::none());
      },
      "Of the mechanical system, None where they are not known.");
  type.def_property_readonly(
      "W", [](const Problem& p) { return bsr(p.reduced("W").W()); },
      "scipy.sparse.bsr_matrix with d×d blocks; a copy, read-only.");
  for (const char* name : {"M", "H", "G"})
    type.def_property_readonly(
        name,
        [name](const Problem& p) {
          const GlobalProblem& g = p.global(name);
          return csr(*name == 'M' ? g.M() : *name == 'H' ? g.H() : g.G(), owner(p));
        },
        "scipy.sparse.csr_matrix over the problem's own arrays, read-only.");
  for (const char* name : {"q", "mu", "f", "w", "b"}) {
    type.def_property(
        name, [name](Problem& p) { return p.vector(name); },
        [name](Problem& p, const py::object& numbers) { p.set(name, numbers); },
        "numpy array; what is written to it is taken over by the next solve.");
    type.def(
        fmt::format("set_{}", name).c_str(),
        [name](Problem& p, const py::object& numbers) { p.set(name, numbers); }, py::arg(name),
        "Other numbers on the same contacts, checked at once.");
  }
  for (const char* name : {"M", "H"})
    type.def(
        fmt::format("set_{}_values", name).c_str(),
        [name](Problem& p, const py::object& numbers) { p.set_values(name, numbers); }, py::arg("values"),
        "Other numbers in the same pattern, in the order of .data.");
  type.def_property(
      "title", [](const Problem& p) { return p.file().info.title; },
      [](Problem& p, const py::object& words) { p.info().title = text("title", words); }, "One line.");
  type.def_property(
      "description", [](const Problem& p) { return p.file().info.description; },
      [](Problem& p, const py::object& words) { p.info().description = text("description", words); },
      "What it is.");
  type.def_property_readonly(
      "solution",
      [](const Problem& p) -> py::object {
        if (!p.file().solution) return py::none();
        return point_as_dict(*p.file().solution, p.dimension());
      },
      "What the file held: a dict with r, u, v, l, those that are there; or None.");
  type.def_property_readonly(
      "guesses",
      [](const Problem& p) {
        py::list all;
        for (const auto& guess : p.file().guesses) all.append(point_as_dict(guess, p.dimension()));
        return all;
      },
      "Stored guesses, each a dict as `solution` is.");
  type.def("reduce", &reduce, "The reduced form: W = Hᵀ M⁻¹ H and q.");
  type.def("statistics", &figures, "What it looks like, in figures: rank, islands, asymmetry, …; a dict.");
  type.def("__repr__", &describe);
  type.def(py::pickle(&state, [](const py::tuple& saved) {
    const py::dict parts = saved[0];
    const auto part = [&](const char* name) {
      return parts.contains(name) ? py::object(parts[name]) : py::object(py::none());
    };
    auto problem = std::make_unique<Problem>(problem_file(part("W"), part("q"), part("mu"), parts));
    problem->info() = {saved[1].cast<std::string>(), saved[2].cast<std::string>(),
                       saved[3].cast<std::string>()};
    return problem;
  }));
}

}  // namespace stickslip::python
