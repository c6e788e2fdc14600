// [generate]: a family of `stickslip generate` as bodies of a scene. Contacts are detected like all others; those of the first step are the
// ones that the family has (tests/dynamics/stepping/family_test.cpp).

#include <fmt/format.h>

#include "dynamics/scene/scene_table.hpp"
#include "stickslip/errors.hpp"
#include "stickslip/generate.hpp"

namespace stickslip::internal {
namespace {

Shape shape_of(const FamilyBody& body) {
  if (body.radius > 0) return Sphere{body.radius};
  if (body.corners.empty()) return Plane{body.normal, body.offset};
  return Convex{body.corners};
}

}  // namespace

void add_family(const SceneTable& table, Scene& scene) {
  table.allow({"family", "size", "seed", "material", "ground"});
  const auto family = table.text("family");
  if (!family) table.refuse("family", "it needs a family ('stickslip generate --list' shows all)");
  GenerateRequest request;
  request.size = table.whole("size");
  if (const auto seed = table.whole("seed")) {
    if (*seed < 0) table.refuse("seed", "'seed' must be ≥ 0");
    request.seed = std::uint64_t(*seed);
  }
  FamilyBodies made;
  try {
    made = family_bodies(*family, request);
  } catch (const InputError& error) {
    table.refuse(table.has("size") ? "size" : "family", error.what());
  }
  const std::string material = table.text("material").value_or(""),
                    ground = table.text("ground").value_or("");
  int fixed = 0, moving = 0;
  for (const FamilyBody& body : made.bodies) {
    SceneBody copy{
        .kind = body.fixed ? BodyKind::fixed : BodyKind::rigid,
        .name = body.fixed ? fmt::format("ground[{}]", fixed++) : fmt::format("{}[{}]", *family, moving++),
        .material = body.fixed ? ground : material,
        .shape = shape_of(body)};
    if (!body.fixed) copy.mass = body.mass;
    if (body.radius > 0) copy.position = body.centre;
    copy.where = table.where();
    scene.bodies.push_back(std::move(copy));
  }
}

}  // namespace stickslip::internal
