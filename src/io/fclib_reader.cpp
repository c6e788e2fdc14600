// FCLIB HDF5 problems in.
//
//   /fclib_local             u = W r + q [+ V l],  Vᵀ r + R l + s = 0
//                            spacedim, W, [V, R], vectors/{q, mu, [s]}
//   /fclib_global            M v = H r + G l + f,  Gᵀ v + b = 0,  u = Hᵀ v + w
//                            spacedim, M, H, [G], vectors/{f, w, mu, [b]}
//   /solution                u, r, [v], [l], and a certificate of ours
//   /guesses/{1, 2, …}       u, r, [v], [l]
//   info                     title, description, math_info and attributes
#include "io/fclib_reader.hpp"

#include <algorithm>
#include <limits>

#include "io/fclib_matrix.hpp"
#include "io/files.hpp"
#include "io/hdf5_memory_driver.hpp"
#include "io/message.hpp"
#include "stickslip/errors.hpp"

namespace stickslip {
namespace internal::io {

namespace {

constexpr std::string_view signature = "\x89HDF\r\n\x1a\n";
constexpr std::int64_t freedom_of_a_body = 6;
// links cost next to nothing: without a limit a small file could ask for any amount of memory
constexpr Index most_guesses = 1000;

int read_dimension(const Hdf5Group& root) {
  const int d = root.integer("spacedim");
  if (d != 2 && d != 3) refuse(root.name() + "/spacedim", "is " + std::to_string(d) + ", must be 2 or 3");
  return d;
}

/// A vector whose extent must be `size`.
std::vector<double> read_vector(const Hdf5Group& group, const char* name, Index size,
                                const std::string& because) {
  const Hdf5Vector vector = group.reals(name);
  require_size(vector.name(), vector.size(), static_cast<std::uint64_t>(size), because);
  return vector.doubles();
}

/// μ, one number for each d of the `size` rows or columns that `sizes` speaks of.
std::vector<double> read_friction(const Hdf5Group& root, const Hdf5Group& vectors, int d, Index size,
                                  const std::string& sizes) {
  if (size % d != 0)
    refuse(root.name() + "/spacedim",
           "is " + std::to_string(d) + ", but " + sizes + ", not a multiple of it");
  return read_vector(vectors, "mu", size / d,
                     sizes + ", " + counted(static_cast<std::uint64_t>(size / d), "contact") +
                         " with spacedim " + std::to_string(d));
}

std::optional<Index> read_degrees_of_freedom(const Hdf5Group& root) {
  if (!root.has("info")) return {};
  const Hdf5Group info = root.group("info");
  std::optional<std::int64_t> n = info.integer_attribute("numberOfDegreeOfFreedom");
  if (!n || *n < 0) {
    n = info.integer_attribute("numberOfInvolvedDS");
    if (n && *n <= std::numeric_limits<Index>::max()) *n *= freedom_of_a_body;
  }
  if (!n || *n < 0 || *n > std::numeric_limits<Index>::max()) return {};
  return static_cast<Index>(*n);
}

ReducedProblem read_local(const Hdf5Group& root, Index& equalities) {
  const int d = read_dimension(root);
  const FclibMatrix W(root, "W");
  const Hdf5Group vectors = root.group("vectors");
  W.require_shape(W.rows(), W.rows(), "square");
  std::vector<double> q = read_vector(vectors, "q", W.rows(), W.rows_text());
  std::vector<double> mu = read_friction(root, vectors, d, W.rows(), W.rows_text());

  const bool has_V = root.has("V"), has_R = root.has("R");
  if (has_V != has_R) refuse(root.name(), has_V ? "has V but no R" : "has R but no V");
  if (!has_V) return {BlockMatrix(W.read(), d), std::move(q), std::move(mu)};

  const FclibMatrix V(root, "V"), R(root, "R");
  V.require_shape(W.rows(), V.columns(), W.rows_text());
  R.require_shape(V.columns(), V.columns(), V.columns_text());
  const std::vector<double> s = read_vector(vectors, "s", V.columns(), V.columns_text());
  equalities = V.columns();
  return eliminate_equalities(d, W.read(), V.read(), R.read(), std::move(q), s, std::move(mu));
}

GlobalProblem read_global(const Hdf5Group& root) {
  const int d = read_dimension(root);
  const FclibMatrix M(root, "M"), H(root, "H");
  const Hdf5Group vectors = root.group("vectors");
  M.require_shape(M.rows(), M.rows(), "square");
  H.require_shape(M.rows(), H.columns(), M.rows_text());
  std::vector<double> f = read_vector(vectors, "f", M.rows(), M.rows_text());
  std::vector<double> w = read_vector(vectors, "w", H.columns(), H.columns_text());
  std::vector<double> mu = read_friction(root, vectors, d, H.columns(), H.columns_text());
  if (!root.has("G")) return {d, M.read(), H.read(), std::move(f), std::move(w), std::move(mu)};

  const FclibMatrix G(root, "G");
  G.require_shape(M.rows(), G.columns(), M.rows_text());
  std::vector<double> b = read_vector(vectors, "b", G.columns(), G.columns_text());
  return {d, M.read(), H.read(), std::move(f), std::move(w), std::move(mu), G.read(), std::move(b)};
}

/// What a stored point may hold: v for the global form, l with equalities, and no part larger than `largest`.
struct PointForm {
  bool has_v;
  bool has_l;
  std::uint64_t largest;
};

PointForm point_form(const ProblemFile& file, Index equalities) {
  if (const auto* local = std::get_if<ReducedProblem>(&file.problem))
    return {false, equalities > 0, local->q().size()};
  const auto& global = std::get<GlobalProblem>(file.problem);
  return {true, global.bilateral_constraints() > 0, std::max(global.f().size(), global.w().size())};
}

/// u and r, a certificate of ours, and of v and l those that the form has. Siconos leaves parts that it does
/// not know unwritten: zeros.
StoredPoint read_point(const Hdf5Group& group, const PointForm& form) {
  const auto part = [&](const char* name, bool wanted) {
    return wanted && group.has(name) ? group.reals(name, form.largest).doubles() : std::vector<double>{};
  };
  return {part("u", true), part("r", true), part("v", form.has_v), part("l", form.has_l),
          part("certificate", true)};
}

void read_points(const Hdf5Group& root, const PointForm& form, ProblemFile& file) {
  if (root.has("solution")) file.solution = read_point(root.group("solution"), form);
  if (root.has("guesses")) {
    const Hdf5Group guesses = root.group("guesses");
    const Index count = guesses.integer("number_of_guesses");
    if (count < 0 || count > most_guesses)
      refuse(guesses.name() + "/number_of_guesses",
             "is " + std::to_string(count) + ", must be from 0 to " + std::to_string(most_guesses));
    for (Index k = 1; k <= count; ++k)
      file.guesses.push_back(read_point(guesses.group(std::to_string(k).c_str()), form));
  }
  require_points(file);
}

ProblemInfo read_info(const Hdf5Group& root) {
  if (!root.has("info")) return {};
  const Hdf5Group info = root.group("info");
  return {info.text_or_empty("title"), info.text_or_empty("description"), info.text_or_empty("math_info")};
}

ProblemFile read_tree(const Hdf5Group& top) {
  for (const char* rolling : {"fclib_global_rolling", "fclib_local_rolling"})
    if (top.has(rolling)) refuse(rolling, "is a problem with rolling friction, which is not supported");
  const bool local = top.has("fclib_local"), global = top.has("fclib_global");
  if (local && global) refuse("fclib_global", "stands beside fclib_local, but a file must hold one problem");
  if (!local && !global) refuse("fclib_local", "there is neither this group nor fclib_global");

  Index equalities = 0;
  const Hdf5Group root = top.group(local ? "fclib_local" : "fclib_global");
  auto file = local ? ProblemFile{read_local(root, equalities)} : ProblemFile{read_global(root)};
  if (auto* problem = std::get_if<ReducedProblem>(&file.problem))
    problem->degrees_of_freedom = read_degrees_of_freedom(root);
  file.info = read_info(root);
  read_points(top, point_form(file, equalities), file);
  return file;
}

}  // namespace

bool is_hdf5(std::string_view bytes) {
  if (bytes.starts_with(signature)) return true;
  for (std::size_t at = 512; at < bytes.size(); at *= 2)
    if (bytes.substr(at).starts_with(signature)) return true;
  return false;
}

ProblemFile read_fclib_image(std::string_view bytes) {
  if (bytes.empty()) throw InputError("is empty");
  if (!is_hdf5(bytes)) throw InputError("is not an HDF5 file");
  const Hdf5Session session;
  const Hdf5Image image = open_hdf5_image(bytes);
  return read_tree(Hdf5Group(image.file.get(), bytes));
}

}  // namespace internal::io

using namespace internal;

ProblemFile read_fclib(const std::filesystem::path& path) {
  return io::with_file_name(path, [&] { return io::read_fclib_image(io::read_bytes(path)); });
}

}  // namespace stickslip
