#include "dynamics/stepping/element_scene.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.hpp"
#include "stickslip/errors.hpp"

namespace stickslip::internal {
namespace {

std::shared_ptr<const ElementModel> model_of(const std::shared_ptr<const ElementMesh>& mesh,
                                             ElementMaterial material, std::optional<double> mass,
                                             std::vector<std::shared_ptr<const ElementModel>>& known) {
  const auto same = [&](const std::shared_ptr<const ElementModel>& model) {
    const ElementMaterial& m = model->material();
    const double density = mass ? *mass / model->volume() : material.density;
    return &model->mesh() == mesh.get() && m.density == density &&
           m.elastic.lambda == material.elastic.lambda && m.elastic.mu == material.elastic.mu &&
           m.modes == material.modes && m.mass == material.mass;
  };
  if (const auto found = std::find_if(known.begin(), known.end(), same); found != known.end()) return *found;
  check_mesh(*mesh);
  if (mass) {
    material.density = 1;
    material.density = *mass / ElementModel(mesh, material).volume();
  }
  known.push_back(std::make_shared<const ElementModel>(mesh, material));
  return known.back();
}

/// Nodes inside a box when the centre of mass is at `centre`.
template <class Visit>
void each_node_in(const std::array<Point, 2>& box, const ElementModel& model, const Vector& centre,
                  const Visit& visit) {
  const double slack = 1e-9 * model.size();
  for (int a = 0; a < model.nodes(); ++a) {
    const Vector x = centre + model.X()[std::size_t(a)];
    bool inside = true;
    for (std::size_t d = 0; d < 3; ++d)
      inside = inside && x[int(d)] >= box[0][d] - slack && x[int(d)] <= box[1][d] + slack;
    if (inside) visit(a);
  }
}

std::shared_ptr<const ReducedBasis> basis_of(const std::shared_ptr<const ElementModel>& model,
                                             const ReducedElements& reduced, KnownElements& known) {
  if (reduced.modes < 0 || (reduced.modes == 0 && reduced.interface.empty()))
    throw InputError(fmt::format(
        "reduced: modes is {}; it must be a whole number ≥ 0, and ≥ 1 without an interface", reduced.modes));
  std::vector<int> nodes;
  for (const auto& box : reduced.interface) {
    const std::size_t before = nodes.size();
    each_node_in(box, *model, model->centre(), [&](int a) { nodes.push_back(a); });
    if (nodes.size() == before) throw InputError("reduced: there are no nodes in a box of its interface");
  }
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  for (const KnownElements::Reduced& one : known.bases)
    if (one.model == model && one.modes == reduced.modes && one.interface == nodes) return one.basis;
  try {
    known.bases.push_back(
        {model, reduced.modes, nodes, std::make_shared<const ReducedBasis>(*model, reduced.modes, nodes)});
  } catch (const InputError& error) {
    throw InputError(fmt::format("reduced: {}", error.what()));
  }
  return known.bases.back().basis;
}

/// The marks of held unknowns, and their groups.
std::vector<char> hold_nodes(const ElementBodyRequest& request, const ElementModel& model,
                             const Vector& centre, int element, std::vector<HeldUnknowns>& groups) {
  const auto& hold = request.body.elements.hold;
  if (hold.empty()) return {};
  std::vector<char> marks(std::size_t(model.rows()), 0);
  for (std::size_t g = 0; g < hold.size(); ++g) {
    HeldUnknowns group{.element = element, .velocity = hold[g].velocity};
    each_node_in(hold[g].box, model, centre, [&](int a) {
      for (int d = 0; d < 3; ++d)
        if (hold[g].axes[std::size_t(d)]) {
          marks[std::size_t(3 * a + d)] = 1;
          group.unknowns.push_back(3 * a + d);
        }
    });
    if (group.unknowns.empty()) throw InputError(fmt::format("hold {}: there are no nodes in its box", g));
    groups.push_back(std::move(group));
  }
  return marks;
}

}  // namespace

void add_element_body(const ElementBodyRequest& request, Bodies& bodies, KnownElements& known) {
  const SceneBody& body = request.body;
  const ElementOptions& options = body.elements;
  if (!body.mesh) throw InputError("it has no mesh");
  if (options.strain == ElementStrain::green && options.modes == ElementModes::incompatible)
    throw InputError("incompatible modes are for small strain");
  if (!(options.mass_damping >= 0) || !std::isfinite(options.mass_damping))
    throw InputError(
        fmt::format("mass_damping is {}; it must be a finite number ≥ 0", shortest(options.mass_damping)));
  if (!options.hold.empty() && options.axes != ElementAxes::world)
    throw InputError("nodes can be held only with axes = \"world\"");
  if (options.reduced && (options.strain != ElementStrain::small || !options.hold.empty()))
    throw InputError("a reduced basis is for small strain, without held nodes");
  const Rotation Q = rotation(body.rotation).normalized();
  if (!options.hold.empty() && !Q.isApprox(Rotation::Identity(), 1e-12))
    throw InputError("a body with held nodes must not be turned at the start");
  const auto model = model_of(
      body.mesh,
      {.density = request.density, .elastic = request.elastic, .modes = options.modes, .mass = options.mass},
      body.mass, known.models);
  const Vector centre = std::isnan(body.position[0]) ? model->centre() : vector(body.position);
  const int place = int(bodies.elements.size());
  ElementBodyChoice choice{.model = model,
                           .strain = options.strain,
                           .axes = options.axes,
                           .mass_damping = options.mass_damping,
                           .stiffness_damping = body.damping};
  if (options.reduced) choice.basis = basis_of(model, *options.reduced, known);
  choice.held = hold_nodes(request, *model, centre, place, bodies.held);
  bodies.elements.emplace_back(std::move(choice), centre, Q.toRotationMatrix());

  BodyModel made;
  made.kind = BodyKind::elements;
  made.name = request.name;
  made.size = model->size();
  made.thickness = model->thickness();
  made.mass = model->mass();
  made.volume = model->volume();
  made.inertia = model->inertia();
  made.element = place;
  made.element_rows = model->rows();
  BodyState state;
  state.x = centre;
  state.Q = Q;
  state.F = Q.toRotationMatrix();
  bodies.models.push_back(std::move(made));
  bodies.states.push_back(state);
}

}  // namespace stickslip::internal
