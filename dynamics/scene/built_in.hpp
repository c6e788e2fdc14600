// The texts of the built-in scenes, dynamics/scene/built_in/*.toml as they were when the library was built.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace stickslip::internal {

struct SceneText {
  std::string name;
  std::string_view text;
};
/// Sorted by name.
const std::vector<SceneText>& built_in_texts();

}  // namespace stickslip::internal
