// The contact problem of a scene: M, H, f, w, μ and, with joints, G and b = 0.

#include "generate/scene.hpp"

namespace stickslip::internal {
namespace {

/// Where a body's unknowns begin, or −1 for the ground.
std::vector<Index> number_unknowns(const Scene& scene, Index& total) {
  std::vector<Index> start;
  total = 0;
  for (const Body& body : scene.bodies) {
    start.push_back(body.fixed ? -1 : total);
    if (!body.fixed) total += scene.dimension == 3 ? 6 : 3;
  }
  return start;
}

/// Adds sign·(force, torque) to a column at the unknowns of a body.
void add_wrench(std::vector<Triplet>& entries, int dimension, Index row, Index column, double sign,
                Vector3 force, Vector3 torque) {
  const auto add = [&](Index k, double x) {
    if (x != 0) entries.push_back({row + k, column, sign * x});
  };
  if (dimension == 2) {
    add(0, force.x), add(1, force.z), add(2, torque.y);
  } else {
    add(0, force.x), add(1, force.y), add(2, force.z), add(3, torque.x), add(4, torque.y), add(5, torque.z);
  }
}

std::vector<Triplet> mass_matrix(const Scene& scene, const std::vector<Index>& start) {
  std::vector<Triplet> M;
  for (std::size_t b = 0; b < scene.bodies.size(); ++b) {
    const Body& body = scene.bodies[b];
    if (body.fixed) continue;
    const Index d = scene.dimension;
    for (Index k = 0; k < d; ++k) M.push_back({start[b] + k, start[b] + k, body.mass});
    if (d == 2) {
      M.push_back({start[b] + 2, start[b] + 2, body.inertia[1][1]});
      continue;
    }
    for (Index i = 0; i < 3; ++i)
      for (Index j = 0; j < 3; ++j)
        if (const double J = body.inertia[std::size_t(i)][std::size_t(j)]; J != 0)
          M.push_back({start[b] + 3 + i, start[b] + 3 + j, J});
  }
  return M;
}

std::vector<double> impulse_of_loads(const Scene& scene) {
  std::vector<double> f;
  for (const Body& body : scene.bodies) {
    if (body.fixed) continue;
    const Vector3 force = scene.step * (body.mass * scene.acceleration + body.force);
    const Vector3 torque = scene.step * body.torque;
    if (scene.dimension == 2)
      f.insert(f.end(), {force.x, force.z, torque.y});
    else
      f.insert(f.end(), {force.x, force.y, force.z, torque.x, torque.y, torque.z});
  }
  return f;
}

}  // namespace

GlobalProblem assemble(const Scene& scene) {
  const Index d = scene.dimension, n = Index(scene.contacts.size());
  Index unknowns = 0;
  const std::vector<Index> start = number_unknowns(scene, unknowns);
  std::vector<Triplet> H, G;
  H.reserve(std::size_t(n) * std::size_t(d == 3 ? 36 : 12));
  std::vector<double> w(std::size_t(n * d), 0.0);
  const auto add_axis = [&](std::vector<Triplet>& entries, Index column, int first, int second, Vector3 point,
                            Vector3 e, bool angular) {
    for (const auto& [b, sign] : {std::pair{first, -1.0}, std::pair{second, 1.0}})
      if (const Index row = start[std::size_t(b)]; row >= 0) {
        const Vector3 arm = point - scene.bodies[std::size_t(b)].centre;
        add_wrench(entries, int(d), row, column, sign, angular ? Vector3{} : e, angular ? e : cross(arm, e));
      }
  };
  for (Index i = 0; i < n; ++i) {
    const ContactPoint& c = scene.contacts[std::size_t(i)];
    std::array<Vector3, 3> axes = frame(c.normal);
    if (d == 2) axes[1] = {c.normal.z, 0, -c.normal.x};
    for (Index k = 0; k < d; ++k)
      add_axis(H, i * d + k, c.first, c.second, c.point, axes[std::size_t(k)], false);
    w[std::size_t(i * d)] = -c.approach;
  }
  Index rows = 0;
  for (const JointRow& joint : scene.joints)
    add_axis(G, rows++, joint.first, joint.second, joint.point, joint.axis, joint.angular);
  std::vector<double> mu(std::size_t(n), scene.mu);
  SparseMatrix M(unknowns, unknowns, mass_matrix(scene, start)), contacts(unknowns, n * d, H);
  if (rows == 0)
    return {int(d), std::move(M), std::move(contacts), impulse_of_loads(scene), std::move(w), std::move(mu)};
  return {int(d),
          std::move(M),
          std::move(contacts),
          impulse_of_loads(scene),
          std::move(w),
          std::move(mu),
          SparseMatrix(unknowns, rows, G),
          std::vector<double>(std::size_t(rows), 0.0)};
}

ProblemFile problem_file(const Scene& scene) {
  return {assemble(scene), {}, {}, {scene.title, scene.description, ""}};
}

}  // namespace stickslip::internal
