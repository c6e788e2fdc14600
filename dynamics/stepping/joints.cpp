#include "dynamics/stepping/joints.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

namespace stickslip::internal {
namespace {

Matrix orthonormal(const Vector& axis) {
  Matrix frame;
  frame.col(0) = axis.normalized();
  frame.col(1) = frame.col(0).unitOrthogonal();
  frame.col(2) = frame.col(0).cross(frame.col(1));
  return frame;
}

}  // namespace

void JointSet::add(const Bodies& bodies, JointKind kind, int first, int second, const Vector& point,
                   const Vector& axis, const Vector& other) {
  const auto at = [&](int body, const Vector& p) -> Attached {
    if (body < 0) return {-1, p};
    return {body, bodies.map_of(body).inverse() * (p - bodies.states[std::size_t(body)].x)};
  };
  const auto along = [&](int body, const Vector& d) -> Attached {
    if (body < 0) return {-1, d};
    return {body, bodies.map_of(body).inverse() * d};
  };
  const auto push = [&](const JointEquation& row) {
    rows_.push_back(row);
    const auto moving = [&](int body) {
      return body >= 0 && bodies.models[std::size_t(body)].moves() ? body : -1;
    };
    bodies_of_.push_back({moving(first), moving(second)});
  };
  const Matrix frame = orthonormal(axis);
  const Attached p_a = at(first, point), p_b = at(second, kind == JointKind::distance ? other : point);

  if (kind == JointKind::ball || kind == JointKind::hinge || kind == JointKind::fixed)
    for (int k = 0; k < 3; ++k)
      push({.kind = JointEquation::Kind::coincide, .point_a = p_a, .point_b = p_b, .axis = k});
  const auto perpendicular = [&](int a, int b) {
    push({.kind = JointEquation::Kind::dot,
          .direction_a = along(first, frame.col(a)),
          .direction_b = along(second, frame.col(b))});
  };
  if (kind == JointKind::hinge) {
    perpendicular(0, 1);
    perpendicular(0, 2);
  }
  if (kind == JointKind::fixed || kind == JointKind::prismatic) {
    perpendicular(0, 1);
    perpendicular(1, 2);
    perpendicular(2, 0);
  }
  if (kind == JointKind::prismatic)
    for (int k : {1, 2})
      push({.kind = JointEquation::Kind::slide,
            .point_a = p_a,
            .point_b = p_b,
            .direction_b = along(second, frame.col(k))});
  if (kind == JointKind::distance)
    push({.kind = JointEquation::Kind::distance,
          .point_a = p_a,
          .point_b = p_b,
          .length = (point - other).norm()});
  for (int body : {first, second})
    if (body >= 0 && std::find(involved_.begin(), involved_.end(), body) == involved_.end())
      involved_.push_back(body);
  start_.push_back(rows());
  blocks_.assign(rows_.size() * 24, 0.0);
  b_.assign(rows_.size(), 0.0);
}

template <class PoseOf>
void JointSet::take_poses(const Bodies& bodies, const PoseOf& pose_of) const {
  pose_.resize(bodies.models.size());
  for (int body : involved_) pose_[std::size_t(body)] = pose_of(body);
}

double JointSet::value(const JointEquation& row) const {
  switch (row.kind) {
    case JointEquation::Kind::coincide:
      return (point(row.point_a) - point(row.point_b))[row.axis];
    case JointEquation::Kind::dot:
      return direction(row.direction_a).dot(direction(row.direction_b));
    case JointEquation::Kind::slide:
      return (point(row.point_a) - point(row.point_b)).dot(direction(row.direction_b));
    case JointEquation::Kind::distance:
      return (point(row.point_a) - point(row.point_b)).norm() - row.length;
  }
  return 0;
}

void JointSet::differentiate(const Bodies& bodies) {
  std::fill(blocks_.begin(), blocks_.end(), 0.0);
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    const JointEquation& row = rows_[r];
    // c · ḋ for a direction d, by the rows of its body; c · ṗ has c itself beside it.
    const auto add_direction = [&](const Attached& d, int side, const Vector& c) {
      if (d.body < 0 || !bodies.models[std::size_t(d.body)].moves()) return;
      double* G = &blocks_[(2 * r + std::size_t(side)) * 12];
      if (bodies.models[std::size_t(d.body)].deforms())
        for (int j = 0; j < 3; ++j) Eigen::Map<Vector>(G + 3 + 3 * j) += d.local[j] * c;
      else
        Eigen::Map<Vector>(G + 3) += (at(d).F * d.local).cross(c);
    };
    const auto add_point = [&](const Attached& p, int side, const Vector& c) {
      if (p.body < 0 || !bodies.models[std::size_t(p.body)].moves()) return;
      Eigen::Map<Vector>(&blocks_[(2 * r + std::size_t(side)) * 12]) += c;
      add_direction(p, side, c);
    };
    const auto between_points = [&](const Vector& c) {
      add_point(row.point_a, 0, c);
      add_point(row.point_b, 1, -c);
    };
    switch (row.kind) {
      case JointEquation::Kind::coincide:
        between_points(Vector::Unit(row.axis));
        break;
      case JointEquation::Kind::dot:
        add_direction(row.direction_a, 0, direction(row.direction_b));
        add_direction(row.direction_b, 1, direction(row.direction_a));
        break;
      case JointEquation::Kind::slide:
        between_points(direction(row.direction_b));
        add_direction(row.direction_b, 1, point(row.point_a) - point(row.point_b));
        break;
      case JointEquation::Kind::distance:
        between_points((point(row.point_a) - point(row.point_b)).normalized());
        break;
    }
  }
}

void JointSet::linearise(const Bodies& bodies) {
  take_poses(bodies, [&](int body) { return bodies.middle_pose(body); });
  differentiate(bodies);
}

void JointSet::linearise_at_states(const Bodies& bodies) {
  take_poses(bodies, [&](int body) -> Bodies::Pose {
    return {bodies.states[std::size_t(body)].x, bodies.map_of(body)};
  });
  differentiate(bodies);
}

double JointSet::velocity(const Bodies& bodies, int row, std::span<const double> v) const {
  double sum = 0;
  for (int side = 0; side < 2; ++side) {
    const int body = bodies_of_[std::size_t(row)][std::size_t(side)];
    if (body < 0) continue;
    const BodyModel& model = bodies.models[std::size_t(body)];
    const double* G = block(row, side);
    for (int i = 0; i < model.rows(); ++i) sum += G[i] * v[std::size_t(model.row + i)];
  }
  return sum;
}

double JointSet::predict(const Bodies& bodies, std::span<const double> v, double h) {
  take_poses(bodies, [&](int body) {
    const BodyModel& model = bodies.models[std::size_t(body)];
    return bodies.next_pose(body, model.moves() ? &v[std::size_t(model.row)] : nullptr);
  });
  double largest = 0;
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    const double error = value(rows_[r]) / h;
    b_[r] = error - velocity(bodies, int(r), v);
    largest = std::max(largest, std::abs(error));
  }
  return largest;
}

void JointSet::errors(const Bodies& bodies, std::span<double> g) const {
  take_poses(bodies, [&](int body) -> Bodies::Pose {
    return {bodies.states[std::size_t(body)].x, bodies.map_of(body)};
  });
  for (std::size_t r = 0; r < rows_.size(); ++r) g[r] = value(rows_[r]);
}

void JointSet::add_impulse(const Bodies& bodies, std::span<const double> lambda,
                           std::span<double> impulse) const {
  for (std::size_t r = 0; r < rows_.size(); ++r)
    for (int side = 0; side < 2; ++side) {
      const int body = bodies_of_[r][std::size_t(side)];
      if (body < 0) continue;
      const BodyModel& model = bodies.models[std::size_t(body)];
      const double* G = block(int(r), side);
      for (int i = 0; i < model.rows(); ++i) impulse[std::size_t(model.row + i)] += lambda[r] * G[i];
    }
}

}  // namespace stickslip::internal
