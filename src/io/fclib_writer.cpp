// FCLIB HDF5 problems out, as libfclib 3.1.0 reads them: int32, float64, contiguous, matrices in compressed
// columns.
//
// The file is made in memory and written in one go, so that a full disk is met outside the HDF5 library,
// which does not survive failing writes cleanly. Of a stored point only those parts are written that it has.
#include <string>

#include "io/files.hpp"
#include "io/hdf5_session.hpp"
#include "io/message.hpp"
#include "stickslip/errors.hpp"

namespace stickslip {
namespace internal::io {

namespace {

void check(bool well, const std::string& what) {
  if (!well) throw OutputError("the HDF5 library could not make " + what + " (" + hdf5_reason() + ")");
}

class GroupWriter {
 public:
  GroupWriter(hid_t parent, const std::string& name)
      : group_(H5Gcreate2(parent, name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose) {
    check(bool(group_), name);
  }

  GroupWriter group(const std::string& name) const { return {group_.get(), name}; }

  void vector(const std::string& name, std::span<const double> values) const {
    dataset(name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, values.size(), values.data());
  }
  void vector(const std::string& name, std::span<const Index> values) const {
    dataset(name, H5T_STD_I32LE, H5T_NATIVE_INT32, values.size(), values.data());
  }
  void integer(const std::string& name, Index value) const {
    vector(name, std::span<const Index>(&value, 1));
  }

  void text(const std::string& name, const std::string& value) const {
    const Hdf5Handle type(H5Tcopy(H5T_C_S1), H5Tclose), space(H5Screate(H5S_SCALAR), H5Sclose);
    check(H5Tset_size(type.get(), value.size() + 1) >= 0, name);
    dataset(name, type.get(), type.get(), space.get(), value.c_str());
  }

  void integer_attribute(const std::string& name, Index value) const {
    const hsize_t one = 1;
    const Hdf5Handle space(H5Screate_simple(1, &one, nullptr), H5Sclose);
    const Hdf5Handle attribute(
        H5Acreate2(group_.get(), name.c_str(), H5T_STD_I32LE, space.get(), H5P_DEFAULT, H5P_DEFAULT),
        H5Aclose);
    check(attribute && H5Awrite(attribute.get(), H5T_NATIVE_INT32, &value) >= 0, name);
  }

  /// Compressed columns of A are the compressed rows of Aᵀ.
  void matrix(const std::string& name, const SparseMatrix& A) const {
    const GroupWriter parts = group(name);
    const SparseMatrix transposed = A.transposed();
    parts.integer("nzmax", A.nonzeros());
    parts.integer("m", A.rows());
    parts.integer("n", A.columns());
    parts.integer("nz", -1);
    parts.vector("p", transposed.row_start());
    parts.vector("i", transposed.column());
    parts.vector("x", transposed.value());
  }

 private:
  void dataset(const std::string& name, hid_t file_type, hid_t type, std::size_t size,
               const void* data) const {
    const hsize_t extent = size;
    const Hdf5Handle space(H5Screate_simple(1, &extent, nullptr), H5Sclose);
    check(bool(space), name);
    dataset(name, file_type, type, space.get(), size == 0 ? nullptr : data);
  }
  void dataset(const std::string& name, hid_t file_type, hid_t type, hid_t space, const void* data) const {
    // Without the time of writing: the same problem is the same bytes.
    const Hdf5Handle creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    check(creation && H5Pset_obj_track_times(creation.get(), false) >= 0, name);
    const Hdf5Handle set(
        H5Dcreate2(group_.get(), name.c_str(), file_type, space, H5P_DEFAULT, creation.get(), H5P_DEFAULT),
        H5Dclose);
    check(set && (!data || H5Dwrite(set.get(), type, whole_space, whole_space, H5P_DEFAULT, data) >= 0),
          name);
  }

  Hdf5Handle group_;
};

void write_info(const GroupWriter& root, const ProblemInfo& info, std::optional<Index> degrees_of_freedom) {
  const GroupWriter group = root.group("info");
  group.text("title", info.title);
  group.text("description", info.description);
  group.text("math_info", info.math_info);
  if (degrees_of_freedom) group.integer_attribute("numberOfDegreeOfFreedom", *degrees_of_freedom);
}

void write_problem(hid_t file, const ReducedProblem& problem, const ProblemInfo& info) {
  const GroupWriter root(file, "fclib_local");
  root.integer("spacedim", problem.dimension());
  root.matrix("W", problem.W().to_sparse());
  const GroupWriter vectors = root.group("vectors");
  vectors.vector("q", problem.q());
  vectors.vector("mu", problem.mu());
  write_info(root, info, problem.degrees_of_freedom);
}

void write_problem(hid_t file, const GlobalProblem& problem, const ProblemInfo& info) {
  const GroupWriter root(file, "fclib_global");
  root.integer("spacedim", problem.dimension());
  root.matrix("M", problem.M());
  root.matrix("H", problem.H());
  const GroupWriter vectors = root.group("vectors");
  vectors.vector("f", problem.f());
  vectors.vector("w", problem.w());
  vectors.vector("mu", problem.mu());
  if (problem.bilateral_constraints() > 0) {
    root.matrix("G", problem.G());
    vectors.vector("b", problem.b());
  }
  write_info(root, info, {});
}

void write_point(const GroupWriter& group, const StoredPoint& point, bool global) {
  if (!point.u.empty()) group.vector("u", point.u);
  if (!point.r.empty()) group.vector("r", point.r);
  if (global && !point.v.empty()) group.vector("v", point.v);
  if (global && !point.l.empty()) group.vector("l", point.l);
  if (!point.certificate.empty()) group.vector("certificate", point.certificate);
}

void write_points(hid_t file, const ProblemFile& problem) {
  if (problem.solution) write_point(GroupWriter(file, "solution"), *problem.solution, problem.is_global());
  if (problem.guesses.empty()) return;
  const GroupWriter guesses(file, "guesses");
  guesses.integer("number_of_guesses", static_cast<Index>(problem.guesses.size()));
  for (std::size_t k = 0; k < problem.guesses.size(); ++k)
    write_point(guesses.group(std::to_string(k + 1)), problem.guesses[k], problem.is_global());
}

/// The bytes of the FCLIB file.
std::string image_of(const ProblemFile& problem) {
  const Hdf5Session session;
  const Hdf5Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  constexpr std::size_t growth = 1U << 22U;
  check(access && H5Pset_fapl_core(access.get(), growth, false) >= 0, "a file in memory");
  const Hdf5Handle file(H5Fcreate("problem", H5F_ACC_TRUNC, H5P_DEFAULT, access.get()), H5Fclose);
  check(bool(file), "a file in memory");
  std::visit([&](const auto& form) { write_problem(file.get(), form, problem.info); }, problem.problem);
  write_points(file.get(), problem);

  check(H5Fflush(file.get(), H5F_SCOPE_GLOBAL) >= 0, "the file");
  const ssize_t size = H5Fget_file_image(file.get(), nullptr, 0);
  check(size > 0, "the file");
  std::string bytes(static_cast<std::size_t>(size), '\0');
  check(H5Fget_file_image(file.get(), bytes.data(), bytes.size()) == size, "the file");
  return bytes;
}

}  // namespace

}  // namespace internal::io

using namespace internal;

void write_fclib(const std::filesystem::path& path, const ProblemFile& file) {
  io::require_points(file);
  std::string bytes;
  try {
    bytes = io::image_of(file);
  } catch (const OutputError& error) {
    throw OutputError(path.string() + ": cannot be written: " + error.what());
  }
  io::write_bytes(path, bytes);
}

}  // namespace stickslip
