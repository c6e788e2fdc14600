// Files written here and read by libfclib 3.1.0, the reference implementation, and the other way round.
#include <gmock/gmock.h>

#include "io/samples.hpp"

#if STICKSLIP_HAVE_FCLIB

extern "C" {
#include <fclib.h>
}

namespace stickslip::internal::io_test {
namespace {

/// A matrix in one of the three storages of libfclib, with the memory behind it.
struct ReferenceMatrix {
  std::vector<int> p, i;
  std::vector<double> x;
  fclib_matrix matrix{};

  ReferenceMatrix(const SparseMatrix& A, int storage) {
    const SparseMatrix lines = storage == -1 ? A.transposed() : A;
    x.assign(lines.value().begin(), lines.value().end());
    if (storage < 0) {
      p.assign(lines.row_start().begin(), lines.row_start().end());
      i.assign(lines.column().begin(), lines.column().end());
    } else {
      for (const Triplet& entry : A.triplets()) {
        i.push_back(entry.row);
        p.push_back(entry.column);
      }
    }
    matrix = {A.nonzeros(),
              A.rows(),
              A.columns(),
              p.data(),
              i.data(),
              x.data(),
              storage < 0 ? storage : A.nonzeros(),
              nullptr};
  }
};

SparseMatrix from_reference(const fclib_matrix& A) {
  std::vector<Triplet> entries;
  if (A.nz >= 0)
    for (int k = 0; k < A.nz; ++k) entries.push_back({A.i[k], A.p[k], A.x[k]});
  else
    for (int line = 0; line < (A.nz == -1 ? A.n : A.m); ++line)
      for (int k = A.p[line]; k < A.p[line + 1]; ++k)
        entries.push_back(A.nz == -1 ? Triplet{A.i[k], line, A.x[k]} : Triplet{line, A.i[k], A.x[k]});
  return {A.m, A.n, entries};
}

std::vector<double> copy(std::span<const double> values) { return {values.begin(), values.end()}; }

std::vector<double> copy(const double* values, std::size_t size) {
  return values ? std::vector<double>(values, values + size) : std::vector<double>{};
}

class FclibReference : public testing::TestWithParam<int> {
 protected:
  std::string path() const { return (folder_ / "a.hdf5").string(); }
  fclib_info info_{const_cast<char*>("two blocks"), const_cast<char*>("a test: \xc3\xa9"),
                   const_cast<char*>("unique")};
  TemporaryFolder folder_;
};

void expect_same_point(const fclib_solution& a, const StoredPoint& b) {
  EXPECT_EQ(copy(a.u, b.u.size()), b.u);
  EXPECT_EQ(copy(a.r, b.r.size()), b.r);
  EXPECT_EQ(copy(a.v, b.v.size()), b.v);
  EXPECT_EQ(copy(a.l, b.l.size()), b.l);
}

void expect_same_points(const std::string& path, const ProblemFile& file) {
  fclib_solution* solution = fclib_read_solution(path.c_str());
  ASSERT_NE(solution, nullptr);
  expect_same_point(*solution, *file.solution);
  fclib_delete_solutions(solution, 1);
  int count = 0;
  fclib_solution* guesses = fclib_read_guesses(path.c_str(), &count);
  ASSERT_EQ(count, 2);
  for (int k = 0; k < count; ++k) expect_same_point(guesses[k], file.guesses[std::size_t(k)]);
  fclib_delete_solutions(guesses, count);
}

void write_points(const std::string& path, ProblemFile& file) {
  const auto reference = [](StoredPoint& point) {
    return fclib_solution{point.v.data(), point.u.data(), point.r.data(), point.l.data()};
  };
  fclib_solution solution = reference(*file.solution);
  ASSERT_EQ(fclib_write_solution(&solution, path.c_str()), 1);
  std::vector<fclib_solution> guesses;
  for (StoredPoint& guess : file.guesses) guesses.push_back(reference(guess));
  ASSERT_EQ(fclib_write_guesses(static_cast<int>(guesses.size()), guesses.data(), path.c_str()), 1);
}

TEST_P(FclibReference, ReadsOurLocalFile) {
  const ProblemFile file = full_file(local_problem(GetParam(), 4));
  const auto& problem = std::get<ReducedProblem>(file.problem);
  write_fclib(path(), file);
  fclib_local* read = fclib_read_local(path().c_str());
  ASSERT_NE(read, nullptr);
  EXPECT_EQ(read->spacedim, GetParam());
  expect_same(from_reference(*read->W), problem.W().to_sparse());
  EXPECT_EQ(copy(read->q, problem.q().size()), copy(problem.q()));
  EXPECT_EQ(copy(read->mu, problem.mu().size()), copy(problem.mu()));
  EXPECT_STREQ(read->info->title, file.info.title.c_str());
  EXPECT_STREQ(read->info->description, file.info.description.c_str());
  EXPECT_STREQ(read->info->math_info, file.info.math_info.c_str());
  fclib_delete_local(read);
  expect_same_points(path(), file);
}

TEST_P(FclibReference, ReadsOurGlobalFile) {
  for (const bool bilateral : {false, true}) {
    const ProblemFile file = full_file(global_problem(GetParam(), bilateral));
    const auto& problem = std::get<GlobalProblem>(file.problem);
    write_fclib(path(), file);
    fclib_global* read = fclib_read_global(path().c_str());
    ASSERT_NE(read, nullptr);
    EXPECT_EQ(read->spacedim, GetParam());
    expect_same(from_reference(*read->M), problem.M());
    expect_same(from_reference(*read->H), problem.H());
    if (bilateral) expect_same(from_reference(*read->G), problem.G());
    EXPECT_EQ(copy(read->f, problem.f().size()), copy(problem.f()));
    EXPECT_EQ(copy(read->w, problem.w().size()), copy(problem.w()));
    EXPECT_EQ(copy(read->b, problem.b().size()), copy(problem.b()));
    EXPECT_EQ(copy(read->mu, problem.mu().size()), copy(problem.mu()));
    fclib_delete_global(read);
    expect_same_points(path(), file);
  }
}

TEST_P(FclibReference, WritesLocalFilesThatWeRead) {
  for (const int storage : {0, -1, -2}) {
    SCOPED_TRACE("storage " + std::to_string(storage));
    std::filesystem::remove(path());
    ProblemFile file = full_file(local_problem(GetParam(), 4));
    const auto& problem = std::get<ReducedProblem>(file.problem);
    ReferenceMatrix W(problem.W().to_sparse(), storage);
    auto q = copy(problem.q()), mu = copy(problem.mu());
    fclib_local written{&W.matrix, nullptr, nullptr, mu.data(), q.data(), nullptr, GetParam(), &info_};
    ASSERT_EQ(fclib_write_local(&written, path().c_str()), 1);
    write_points(path(), file);
    fclib_create_int_attributes_in_info(path().c_str(), "numberOfDegreeOfFreedom", 30);
    const ProblemFile back = read_problem(path());
    expect_same(file, back);
    EXPECT_EQ(std::get<ReducedProblem>(back.problem).degrees_of_freedom, 30);
  }
}

TEST_P(FclibReference, WritesGlobalFilesThatWeRead) {
  for (const bool bilateral : {false, true})
    for (const int storage : {0, -1, -2}) {
      SCOPED_TRACE("storage " + std::to_string(storage));
      std::filesystem::remove(path());
      ProblemFile file = full_file(global_problem(GetParam(), bilateral));
      const auto& problem = std::get<GlobalProblem>(file.problem);
      ReferenceMatrix M(problem.M(), storage), H(problem.H(), storage), G(problem.G(), storage);
      auto f = copy(problem.f()), w = copy(problem.w()), b = copy(problem.b()), mu = copy(problem.mu());
      fclib_global written{&M.matrix, &H.matrix,  bilateral ? &G.matrix : nullptr,
                           mu.data(), f.data(),   bilateral ? b.data() : nullptr,
                           w.data(),  GetParam(), &info_};
      ASSERT_EQ(fclib_write_global(&written, path().c_str()), 1);
      write_points(path(), file);
      expect_same(file, read_problem(path()));
    }
}

TEST_P(FclibReference, WritesEqualitiesThatWeEliminate) {
  const ReducedProblem base = local_problem(GetParam(), 2);
  const int m = 2 * GetParam();
  ReferenceMatrix W(base.W().to_sparse(), -1);
  const SparseMatrix V(m, 1, std::vector<Triplet>{{0, 0, 0.5}, {m - 1, 0, -0.25}}),
      R(1, 1, std::vector<Triplet>{{0, 0, 2}});
  ReferenceMatrix reference_V(V, -1), reference_R(R, -1);
  auto q = copy(base.q()), mu = copy(base.mu());
  std::vector<double> s = {0.3};
  fclib_local written{
      &W.matrix, &reference_V.matrix, &reference_R.matrix, mu.data(), q.data(), s.data(), GetParam(), &info_};
  ASSERT_EQ(fclib_write_local(&written, path().c_str()), 1);
  const ProblemFile back = read_problem(path());
  expect_same(
      std::get<ReducedProblem>(back.problem),
      eliminate_equalities(GetParam(), base.W().to_sparse(), V, R, copy(base.q()), s, copy(base.mu())));
}

INSTANTIATE_TEST_SUITE_P(Dimension, FclibReference, testing::Values(2, 3));

TEST(FclibAttributes, InvolvedSystemsCountSixEach) {
  const TemporaryFolder folder;
  const std::string path = (folder / "a.hdf5").string();
  ProblemFile file{local_problem(3, 2)};
  std::get<ReducedProblem>(file.problem).degrees_of_freedom.reset();
  write_fclib(path, file);
  fclib_create_int_attributes_in_info(path.c_str(), "numberOfInvolvedDS", 7);
  EXPECT_EQ(std::get<ReducedProblem>(read_problem(path).problem).degrees_of_freedom, 42);
  fclib_create_int_attributes_in_info(path.c_str(), "numberOfDegreeOfFreedom", -1);
  EXPECT_EQ(std::get<ReducedProblem>(read_problem(path).problem).degrees_of_freedom, 42);
}

}  // namespace
}  // namespace stickslip::internal::io_test

#else

TEST(FclibReference, NeedsLibfclib) { GTEST_SKIP() << "built without libfclib (package libfclib-dev)"; }

#endif
