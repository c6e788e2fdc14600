// Small problems and throw-away folders for the tests of src/io.
#include "io/samples.hpp"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>

namespace stickslip::internal::io_test {

namespace fs = std::filesystem;

TemporaryFolder::TemporaryFolder() {
  std::string name = testing::TempDir() + "stickslip_io_XXXXXX";
  if (!::mkdtemp(name.data())) throw std::runtime_error("no temporary folder");
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

std::vector<std::string> TemporaryFolder::list() const {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(path_)) names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

namespace {

std::vector<double> numbers(int count, double start) {
  std::vector<double> values;
  for (int k = 0; k < count; ++k) values.push_back(std::sin(start + 1.7 * k) / 3);
  return values;
}

std::vector<double> frictions(int count) {
  std::vector<double> mu;
  for (int k = 0; k < count; ++k) mu.push_back(0.1 + k / 7.0);
  return mu;
}

}  // namespace

ReducedProblem local_problem(int dimension, int contacts) {
  std::vector<Triplet> entries;
  const int n = dimension * contacts;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      const int distance = std::abs(i / dimension - j / dimension);
      if (i == j)
        entries.push_back({i, j, 4 + 1.0 / (i + 3)});
      else if (distance == 0 || (distance == 1 && (i + 2 * j) % 3 == 0))
        entries.push_back({i, j, std::sin(7.0 * i + j) / 3});
    }
  ReducedProblem problem(BlockMatrix(SparseMatrix(n, n, entries), dimension), numbers(n, 0.3),
                         frictions(contacts));
  problem.degrees_of_freedom = 6 * (contacts + 1);
  return problem;
}

GlobalProblem global_problem(int dimension, bool bilateral) {
  const int n = 6, m = 2 * dimension;
  std::vector<Triplet> M, H, G;
  for (int i = 0; i < n; ++i) M.push_back({i, i, 2 + i / 3.0});
  M.push_back({0, 1, 0.1});
  M.push_back({1, 0, 0.1});
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < m; ++j)
      if ((i + j) % 2 == 0) H.push_back({i, j, std::cos(i + 3.0 * j)});
  if (!bilateral)
    return {dimension,     SparseMatrix(n, n, M), SparseMatrix(n, m, H),
            numbers(n, 1), numbers(m, 2),         frictions(2)};
  G = {{0, 0, 1}, {3, 0, -1.0 / 3}};
  return {dimension,     SparseMatrix(n, n, M), SparseMatrix(n, m, H), numbers(n, 1),
          numbers(m, 2), frictions(2),          SparseMatrix(n, 1, G), {0.7}};
}

ProblemFile full_file(std::variant<ReducedProblem, GlobalProblem> problem) {
  ProblemFile file{std::move(problem)};
  const auto point = [&](double start) {
    StoredPoint made;
    if (const auto* local = std::get_if<ReducedProblem>(&file.problem)) {
      made.u = numbers(local->contacts() * local->dimension(), start);
      made.r = numbers(local->contacts() * local->dimension(), start + 0.1);
      return made;
    }
    const auto& global = std::get<GlobalProblem>(file.problem);
    made.u = numbers(global.contacts() * global.dimension(), start);
    made.r = numbers(global.contacts() * global.dimension(), start + 0.1);
    made.v = numbers(global.degrees_of_freedom(), start + 0.2);
    made.l = numbers(global.bilateral_constraints(), start + 0.3);
    return made;
  };
  file.solution = point(5);
  file.guesses = {point(6), point(7)};
  file.info = {"two blocks", "a test: \xc3\xa9", "unique"};
  return file;
}

namespace {

/// Equal and with the same sign of zero; NaN cannot come out of a reader.
void expect_same_numbers(std::span<const double> a, std::span<const double> b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t k = 0; k < a.size(); ++k) {
    EXPECT_EQ(a[k], b[k]) << "number " << k;
    EXPECT_EQ(std::signbit(a[k]), std::signbit(b[k])) << "number " << k;
  }
}

}  // namespace

void expect_same(const SparseMatrix& a, const SparseMatrix& b) {
  ASSERT_EQ(a.rows(), b.rows());
  ASSERT_EQ(a.columns(), b.columns());
  EXPECT_TRUE(std::ranges::equal(a.row_start(), b.row_start()));
  EXPECT_TRUE(std::ranges::equal(a.column(), b.column()));
  expect_same_numbers(a.value(), b.value());
}

void expect_same(const ReducedProblem& a, const ReducedProblem& b) {
  ASSERT_EQ(a.dimension(), b.dimension());
  expect_same(a.W().to_sparse(), b.W().to_sparse());
  expect_same_numbers(a.q(), b.q());
  expect_same_numbers(a.mu(), b.mu());
}

void expect_same(const GlobalProblem& a, const GlobalProblem& b) {
  ASSERT_EQ(a.dimension(), b.dimension());
  expect_same(a.M(), b.M());
  expect_same(a.H(), b.H());
  expect_same(a.G(), b.G());
  expect_same_numbers(a.f(), b.f());
  expect_same_numbers(a.w(), b.w());
  expect_same_numbers(a.b(), b.b());
  expect_same_numbers(a.mu(), b.mu());
}

void expect_same(const StoredPoint& a, const StoredPoint& b) {
  expect_same_numbers(a.u, b.u);
  expect_same_numbers(a.r, b.r);
  expect_same_numbers(a.v, b.v);
  expect_same_numbers(a.l, b.l);
}

void expect_same(const ProblemFile& a, const ProblemFile& b) {
  ASSERT_EQ(a.is_global(), b.is_global());
  if (a.is_global())
    expect_same(std::get<GlobalProblem>(a.problem), std::get<GlobalProblem>(b.problem));
  else
    expect_same(std::get<ReducedProblem>(a.problem), std::get<ReducedProblem>(b.problem));
  ASSERT_EQ(a.solution.has_value(), b.solution.has_value());
  if (a.solution) expect_same(*a.solution, *b.solution);
  ASSERT_EQ(a.guesses.size(), b.guesses.size());
  for (std::size_t k = 0; k < a.guesses.size(); ++k) expect_same(a.guesses[k], b.guesses[k]);
  EXPECT_EQ(a.info.title, b.info.title);
  EXPECT_EQ(a.info.description, b.info.description);
  EXPECT_EQ(a.info.math_info, b.info.math_info);
}

std::string input_error(const std::function<void()>& act) {
  try {
    act();
  } catch (const InputError& error) {
    EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << "must be one line";
    return error.what();
  }
  ADD_FAILURE() << "no InputError";
  return {};
}

std::string output_error(const std::function<void()>& act) {
  try {
    act();
  } catch (const OutputError& error) {
    EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << "must be one line";
    return error.what();
  }
  ADD_FAILURE() << "no OutputError";
  return {};
}

void write_text(const fs::path& path, const std::string& text) {
  std::ofstream(path, std::ios::binary).write(text.data(), static_cast<std::streamsize>(text.size()));
}

std::string read_text(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const auto at = text.find(from);
  if (at == std::string::npos) throw std::logic_error("'" + from + "' is not in the text");
  return text.replace(at, from.size(), to);
}

}  // namespace stickslip::internal::io_test
