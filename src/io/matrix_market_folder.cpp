// A problem as a folder of Matrix Market files: W, q, mu, or M, H, f, w, mu and with bilateral constraints G,
// b; where a solution is known r, u, v, l. The dimension is rows(W) / size(mu), or size(w) / size(mu).
#include "io/files.hpp"
#include "io/matrix_market.hpp"
#include "io/message.hpp"
#include "io/text_reader.hpp"
#include "stickslip/errors.hpp"

namespace stickslip {
namespace internal::io {

namespace {

/// The files of the folder by the letter of their object.
class Folder {
 public:
  explicit Folder(const TextFolder& files) : files_(files) {}

  RawMatrix matrix(const std::string& letter) const { return named(letter, parse_matrix_market); }
  std::vector<double> vector(const std::string& letter) const {
    return named(letter, parse_matrix_market_vector);
  }
  std::optional<std::vector<double>> vector_if_there(const std::string& letter) const {
    if (!has(letter)) return {};
    return vector(letter);
  }
  bool has(const std::string& letter) const { return files_.has(letter + ".mtx"); }

 private:
  template <class Object>
  Object named(const std::string& letter, Object (*parse)(std::string_view)) const {
    const std::string name = letter + ".mtx";
    if (!has(letter)) refuse(name, "there is no such file");
    try {
      return parse(files_.open(name));
    } catch (const InputError& error) {
      throw InputError(name + ": " + error.what());
    }
  }

  const TextFolder& files_;
};

void require_shape(const std::string& name, const RawMatrix& A, std::size_t rows, std::size_t columns,
                   const std::string& because) {
  if (std::size_t(A.rows) != rows || std::size_t(A.columns) != columns)
    refuse(name + ".mtx", "is " + std::to_string(A.rows) + " x " + std::to_string(A.columns) + ", must be " +
                              std::to_string(rows) + " x " + std::to_string(columns) + " (" + because + ")");
}

/// size / contacts, which must be 2 or 3; without contacts it does not matter.
int dimension_of(const std::string& letter, std::size_t size, std::size_t contacts) {
  if (size == 0 && contacts == 0) return 3;
  for (const std::size_t d : {2U, 3U})
    if (size == d * contacts) return static_cast<int>(d);
  refuse("mu.mtx", "has " + counted(contacts, "number") + ", but " + letter + " has " + std::to_string(size) +
                       ", must have 2 or 3 for each contact");
}

ReducedProblem read_local(const Folder& folder) {
  std::vector<double> q = folder.vector("q"), mu = folder.vector("mu");
  const RawMatrix W = folder.matrix("W");
  require_shape("W", W, q.size(), q.size(), "q has " + counted(q.size(), "number"));
  const int d = dimension_of("q", q.size(), mu.size());
  return {BlockMatrix(W.build(), d), std::move(q), std::move(mu)};
}

GlobalProblem read_global(const Folder& folder) {
  std::vector<double> f = folder.vector("f"), w = folder.vector("w"), mu = folder.vector("mu");
  const RawMatrix M = folder.matrix("M"), H = folder.matrix("H");
  const std::string rows = "f has " + counted(f.size(), "number");
  require_shape("M", M, f.size(), f.size(), rows);
  require_shape("H", H, f.size(), w.size(), rows + ", w has " + counted(w.size(), "number"));
  const int d = dimension_of("w", w.size(), mu.size());
  if (!folder.has("G")) return {d, M.build(), H.build(), std::move(f), std::move(w), std::move(mu)};

  std::vector<double> b = folder.vector("b");
  const RawMatrix G = folder.matrix("G");
  require_shape("G", G, f.size(), b.size(), rows + ", b has " + counted(b.size(), "number"));
  return {d, M.build(), H.build(), std::move(f), std::move(w), std::move(mu), G.build(), std::move(b)};
}

void add_point(std::vector<NamedBytes>& files, const StoredPoint& point, bool global) {
  const auto add = [&](const char* name, std::span<const double> values) {
    if (!values.empty()) files.push_back({name, matrix_market_text(values)});
  };
  add("r.mtx", point.r);
  add("u.mtx", point.u);
  if (global) add("v.mtx", point.v);
  if (global) add("l.mtx", point.l);
}

std::vector<NamedBytes> files_of(const ReducedProblem& problem) {
  return {{"W.mtx", matrix_market_text(problem.W().to_sparse())},
          {"q.mtx", matrix_market_text(problem.q())},
          {"mu.mtx", matrix_market_text(problem.mu())}};
}

std::vector<NamedBytes> files_of(const GlobalProblem& problem) {
  std::vector<NamedBytes> files = {{"M.mtx", matrix_market_text(problem.M())},
                                   {"H.mtx", matrix_market_text(problem.H())},
                                   {"f.mtx", matrix_market_text(problem.f())},
                                   {"w.mtx", matrix_market_text(problem.w())},
                                   {"mu.mtx", matrix_market_text(problem.mu())}};
  if (problem.bilateral_constraints() > 0) {
    files.push_back({"G.mtx", matrix_market_text(problem.G())});
    files.push_back({"b.mtx", matrix_market_text(problem.b())});
  }
  return files;
}

}  // namespace

ProblemFile read_matrix_market_files(const TextFolder& files) {
  const Folder folder(files);
  const bool local = folder.has("W"), global = folder.has("M");
  if (local && global) refuse("W.mtx", "stands beside M.mtx, but a folder must hold one problem");
  if (!local && !global) refuse("W.mtx", "there is neither this file nor M.mtx in the folder");
  auto file = local ? ProblemFile{read_local(folder)} : ProblemFile{read_global(folder)};
  auto r = folder.vector_if_there("r"), u = folder.vector_if_there("u");
  auto v = global ? folder.vector_if_there("v") : std::nullopt,
       l = global ? folder.vector_if_there("l") : std::nullopt;
  if (r || u || v || l) {
    file.solution = StoredPoint{u.value_or(std::vector<double>{}), r.value_or(std::vector<double>{}),
                                v.value_or(std::vector<double>{}), l.value_or(std::vector<double>{})};
    require_points(file);
  }
  return file;
}

}  // namespace internal::io

using namespace internal;

ProblemFile read_matrix_market(const std::filesystem::path& folder) {
  return io::with_file_name(folder, [&] {
    std::error_code error;
    if (!std::filesystem::is_directory(folder, error))
      throw InputError("is not a folder of Matrix Market files");
    return io::read_matrix_market_files(
        {[&](const std::string& name) {
           std::error_code ignored;
           return std::filesystem::exists(folder / name, ignored);
         },
         [&](const std::string& name) { return io::read_bytes(folder / name); }});
  });
}

/// The format has no place for guesses or titles; they are left out.
void write_matrix_market(const std::filesystem::path& folder, const ProblemFile& file) {
  io::require_points(file);
  auto files = std::visit([](const auto& problem) { return io::files_of(problem); }, file.problem);
  if (file.solution) io::add_point(files, *file.solution, file.is_global());
  io::write_folder(folder, files,
                   {"W.mtx", "q.mtx", "mu.mtx", "M.mtx", "H.mtx", "f.mtx", "w.mtx", "G.mtx", "b.mtx", "r.mtx",
                    "u.mtx", "v.mtx", "l.mtx"});
}

}  // namespace stickslip
