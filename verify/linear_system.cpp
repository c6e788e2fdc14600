#include "verify/linear_system.hpp"

#include <Eigen/SparseLU>
#include <numeric>
#include <stdexcept>
#include <string>

namespace stickslip_verify {

struct LinearSystem::Body {
  std::vector<int> rows;  ///< global numbers
  std::vector<int> row, column;
  std::vector<double> value;
  Eigen::SparseLU<Eigen::SparseMatrix<double>> factors;
};

LinearSystem::~LinearSystem() = default;

LinearSystem::LinearSystem(const Matrix& M, const Matrix& G, const std::function<bool()>& stop) {
  const int n = M.rows, size = n + G.columns;
  Matrix A{size, size, M.row, M.column, M.value};
  for (std::size_t k = 0; k < G.value.size(); ++k) {
    const int i = G.row[k], j = n + G.column[k];
    A.row.insert(A.row.end(), {i, j});
    A.column.insert(A.column.end(), {j, i});
    A.value.insert(A.value.end(), {-G.value[k], G.value[k]});
  }

  // Bodies are the connected components of the pattern: union and find.
  std::vector<int> parent(size);
  std::iota(parent.begin(), parent.end(), 0);
  const auto root = [&](int i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
  };
  for (std::size_t k = 0; k < A.value.size(); ++k)
    if (A.value[k] != 0) parent[root(A.row[k])] = root(A.column[k]);

  body_.resize(size);
  local_.resize(size);
  std::vector<int> number(size, -1);
  for (int i = 0; i < size; ++i) {
    int& b = number[root(i)];
    if (b < 0) {
      b = static_cast<int>(bodies_.size());
      bodies_.push_back(std::make_unique<Body>());
    }
    body_[i] = b;
    local_[i] = static_cast<int>(bodies_[b]->rows.size());
    bodies_[b]->rows.push_back(i);
  }
  for (std::size_t k = 0; k < A.value.size(); ++k) {
    if (A.value[k] == 0) continue;
    Body& body = *bodies_[body_[A.row[k]]];
    body.row.push_back(local_[A.row[k]]);
    body.column.push_back(local_[A.column[k]]);
    body.value.push_back(A.value[k]);
  }
  for (const auto& body : bodies_) {
    if (stop && stop()) throw Stopped{};
    const int m = static_cast<int>(body->rows.size());
    std::vector<Eigen::Triplet<double>> entries;
    for (std::size_t k = 0; k < body->value.size(); ++k)
      entries.emplace_back(body->row[k], body->column[k], body->value[k]);
    Eigen::SparseMatrix<double> matrix(m, m);
    matrix.setFromTriplets(entries.begin(), entries.end());
    body->factors.compute(matrix);
    if (body->factors.info() != Eigen::Success)
      throw std::runtime_error("the matrix of the body with row " + std::to_string(body->rows[0]) +
                               " cannot be factorised");
  }
}

void LinearSystem::solve_body(int b, const Vector& right, Vector& x) const {
  const Body& body = *bodies_[b];
  const std::size_t m = body.rows.size();
  for (int row : body.rows) x[row] = 0;
  // The first pass solves, two more refine.
  for (int pass = 0; pass < 3; ++pass) {
    Vector residual(m);
    for (std::size_t i = 0; i < m; ++i) residual[i] = right[body.rows[i]];
    for (std::size_t k = 0; k < body.value.size(); ++k)
      residual[body.row[k]] -= static_cast<long double>(body.value[k]) * x[body.rows[body.column[k]]];
    Eigen::VectorXd rounded(static_cast<Eigen::Index>(m));
    for (std::size_t i = 0; i < m; ++i)
      rounded[static_cast<Eigen::Index>(i)] = static_cast<double>(residual[i]);
    const Eigen::VectorXd correction = body.factors.solve(rounded);
    for (std::size_t i = 0; i < m; ++i) x[body.rows[i]] += correction[static_cast<Eigen::Index>(i)];
  }
}

Vector LinearSystem::solve(const Vector& right) const {
  Vector x(body_.size());
  for (std::size_t b = 0; b < bodies_.size(); ++b) solve_body(static_cast<int>(b), right, x);
  return x;
}

}  // namespace stickslip_verify
