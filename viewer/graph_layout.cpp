#include "viewer/graph_layout.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <unordered_map>

namespace stickslip::viewer {

namespace {

constexpr int most_pivots = 48;

/// Steps from `from` to every node, breadth first.
void distances(const std::vector<std::vector<int>>& neighbours, int from, std::vector<int>& queue,
               Eigen::Ref<Eigen::VectorXd> to) {
  to.setConstant(-1);
  to[from] = 0;
  queue.assign(1, from);
  for (std::size_t at = 0; at < queue.size(); ++at)
    for (int next : neighbours[std::size_t(queue[at])])
      if (to[next] < 0) {
        to[next] = to[queue[at]] + 1;
        queue.push_back(next);
      }
}

}  // namespace

std::vector<float> lay_out_connected(std::span<const int> row_start, std::span<const int> column,
                                     std::span<const int> nodes) {
  const int n = int(nodes.size());
  std::vector<float> out(std::size_t(3 * n), 0.0f);
  if (n < 2) return out;
  std::unordered_map<int, int> place;
  for (int k = 0; k < n; ++k) place.emplace(nodes[std::size_t(k)], k);
  std::vector<std::vector<int>> neighbours(static_cast<std::size_t>(n));
  for (int k = 0; k < n; ++k) {
    const auto node = std::size_t(nodes[std::size_t(k)]);
    for (int c = row_start[node]; c < row_start[node + 1]; ++c)
      if (const auto found = place.find(column[std::size_t(c)]); found != place.end()) {
        neighbours[std::size_t(k)].push_back(found->second);
        neighbours[std::size_t(found->second)].push_back(k);
      }
  }

  // Pivots one after the other, each farthest from those before it.
  const int pivots = std::min(n, most_pivots);
  Eigen::MatrixXd C(n, pivots);
  Eigen::VectorXd nearest = Eigen::VectorXd::Constant(n, n);
  std::vector<int> queue;
  int next = 0;
  for (int p = 0; p < pivots; ++p) {
    distances(neighbours, next, queue, C.col(p));
    nearest = nearest.cwiseMin(C.col(p));
    nearest.maxCoeff(&next);
  }
  C = C.array().square().matrix().eval();
  const Eigen::VectorXd rows = C.rowwise().mean();
  const Eigen::RowVectorXd columns = C.colwise().mean();
  const double all = C.mean();
  C = -0.5 * ((C.colwise() - rows).rowwise() - columns).array() - 0.5 * all;

  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(C.transpose() * C);
  const int dimensions = std::min(3, pivots);
  Eigen::MatrixXd X = Eigen::MatrixXd::Zero(n, 3);
  for (int d = 0; d < dimensions; ++d) X.col(d) = C * eigen.eigenvectors().col(pivots - 1 - d);

  // Nodes with the same distances fall together: a little of the golden angle parts them; then neighbours are one apart on average.
  double sum = 0;
  long count = 0;
  for (int k = 0; k < n; ++k)
    for (int other : neighbours[std::size_t(k)]) sum += (X.row(k) - X.row(other)).norm(), ++count;
  const double scale = sum > 0 ? double(count) / sum : 1;
  for (int k = 0; k < n; ++k) {
    const double angle = 2.399963 * k, height = 1 - 2 * (k + 0.5) / n, ring = std::sqrt(1 - height * height);
    const Eigen::Vector3d apart(ring * std::cos(angle), ring * std::sin(angle), height);
    for (int d = 0; d < 3; ++d) out[std::size_t(3 * k + d)] = float(scale * X(k, d) + 0.35 * apart[d]);
  }
  return out;
}

}  // namespace stickslip::viewer
