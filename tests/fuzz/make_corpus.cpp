// Writes tiny problems in every format as seeds for the fuzzers: `make_corpus FOLDER` makes FOLDER/fclib and
// FOLDER/text.
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>

#include "stickslip/io.hpp"

namespace {

namespace fs = std::filesystem;
using namespace stickslip;

ProblemFile local(int d, int contacts) {
  std::vector<Triplet> entries;
  const int n = d * contacts;
  for (int i = 0; i < n; ++i) entries.push_back({i, i, 2.0 + i});
  if (contacts > 1) entries.push_back({0, d, 0.5});
  ProblemFile file{ReducedProblem(BlockMatrix(SparseMatrix(n, n, entries), d),
                                  std::vector<double>(std::size_t(n), -1.0),
                                  std::vector<double>(std::size_t(contacts), 0.5))};
  std::get<ReducedProblem>(file.problem).degrees_of_freedom = 6;
  return file;
}

ProblemFile global(int d, bool bilateral) {
  std::vector<Triplet> M, H;
  for (int i = 0; i < 3; ++i) M.push_back({i, i, 2.0 + i});
  for (int j = 0; j < d; ++j) H.push_back({j, j, 1});
  const std::vector<double> f(3, 1.0), w(std::size_t(d), -1.0);
  if (!bilateral) return {GlobalProblem(d, SparseMatrix(3, 3, M), SparseMatrix(3, d, H), f, w, {0.5})};
  const std::vector<Triplet> G = {{0, 0, 1.0}};
  return {GlobalProblem(d, SparseMatrix(3, 3, M), SparseMatrix(3, d, H), f, w, {0.5}, SparseMatrix(3, 1, G),
                        {0.1})};
}

std::string bytes_of(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

void add_points(ProblemFile& file, std::size_t size) {
  const StoredPoint point{std::vector<double>(size, 1.0), std::vector<double>(size, 2.0), {}, {}};
  file.solution = point;
  file.guesses = {point};
  file.info = {"title", "description", "math"};
}

/// A Matrix Market folder as one file, as fuzz_text unpacks it.
void write_packed(const fs::path& path, const ProblemFile& file) {
  const fs::path folder = path.string() + ".folder";
  write_matrix_market(folder, file);
  std::ofstream packed(path, std::ios::binary);
  for (const auto& entry : fs::directory_iterator(folder))
    packed << '@' << entry.path().filename().string() << '\n' << bytes_of(entry.path());
  fs::remove_all(folder);
}

void write_all(const fs::path& folder) {
  fs::create_directories(folder / "fclib");
  fs::create_directories(folder / "text");
  for (const int d : {2, 3}) {
    const std::string name = std::to_string(d);
    ProblemFile plain = local(d, 2), full = local(d, 2);
    add_points(full, std::size_t(2 * d));
    write_fclib(folder / "fclib" / ("local" + name), plain);
    write_fclib(folder / "fclib" / ("local_full" + name), full);
    write_fclib(folder / "fclib" / ("global" + name), global(d, false));
    write_fclib(folder / "fclib" / ("bilateral" + name), global(d, true));
    write_siconos_text(folder / "text" / ("dense" + name), local(d, 1));
    write_siconos_text(folder / "text" / ("blocks" + name), local(d, 31));
    write_siconos_text(folder / "text" / ("sparse" + name), global(d, false));
    write_packed(folder / "text" / ("local" + name), full);
    write_packed(folder / "text" / ("bilateral" + name), global(d, true));
  }
  std::ofstream(folder / "text" / "columns") << "2\n1\n2\n2\n2\n2\nCSparse\n2-by-2, nzmax: 2 nnz: 2, 1-norm: "
                                                "3\n    col 0 : locations 0 to 0\n      0 : 4\n"
                                                "    col 1 : locations 1 to 1\n      1 : 3\n-1 0.25\n0.5\n";
  std::ofstream(folder / "text" / "symmetric")
      << "@W.mtx\n%%MatrixMarket matrix array real symmetric\n2 2\n4\n1\n3\n@q.mtx\n%%MatrixMarket matrix "
         "array real "
         "general\n2 1\n1\n2\n@mu.mtx\n%%MatrixMarket matrix array real general\n1 1\n0.5\n";
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: make_corpus FOLDER\n";
    return 2;
  }
  write_all(argv[1]);
}
