#include "dynamics/scene/built_in.hpp"

#include <fmt/format.h>

#include "base/text.hpp"
#include "stickslip/errors.hpp"
#include "stickslip/scene.hpp"

namespace stickslip {

const std::vector<BuiltInScene>& built_in_scenes() {
  static const std::vector<BuiltInScene> all = [] {
    std::vector<BuiltInScene> scenes;
    for (const internal::SceneText& entry : internal::built_in_texts()) {
      const SceneSummary summary = summarise_scene(entry.text, entry.name);
      scenes.push_back({entry.name, summary.title, summary.parameters, entry.text});
    }
    return scenes;
  }();
  return all;
}

const BuiltInScene& built_in_scene(std::string_view name) {
  std::vector<std::string> names;
  for (const BuiltInScene& scene : built_in_scenes()) {
    if (scene.name == name) return scene;
    names.push_back(scene.name);
  }
  const std::string near = internal::nearest(name, names);
  throw InputError(fmt::format(
      "{}: there is no such file, and no built-in scene of that name{}", name,
      near.empty() ? " ('stickslip scenes' lists them)" : fmt::format("; did you mean '{}'?", near)));
}

}  // namespace stickslip
