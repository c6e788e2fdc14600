// stickslip scenes [NAME]: the built-in scenes.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <iostream>
#include <nlohmann/json.hpp>

#include "command.hpp"
#include "stickslip/errors.hpp"
#include "stickslip/scene.hpp"

namespace stickslip::app {
namespace {

int list_scenes(const std::string& name, bool json) {
  if (!name.empty()) {
    std::cout << built_in_scene(name).text;
    return done;
  }
  if (json) {
    nlohmann::ordered_json all = nlohmann::ordered_json::array();
    for (const BuiltInScene& scene : built_in_scenes()) {
      nlohmann::ordered_json parameters = nlohmann::ordered_json::object();
      for (const Parameter& p : scene.parameters) parameters[p.name] = p.value;
      all.push_back({{"name", scene.name}, {"title", scene.title}, {"parameters", parameters}});
    }
    std::cout << all.dump() << '\n';
    return done;
  }
  std::vector<std::vector<std::string>> rows = {{"name", "scene", "parameters"}};
  for (const BuiltInScene& scene : built_in_scenes()) {
    std::vector<std::string> words;
    for (const Parameter& p : scene.parameters) words.push_back(fmt::format("{}={:g}", p.name, p.value));
    rows.push_back({scene.name, scene.title, fmt::format("{}", fmt::join(words, " "))});
  }
  std::cout << table(rows);
  return done;
}

}  // namespace

void add_scenes(CLI::App& app, Session& session) {
  struct Arguments {
    std::string name;
    bool json = false;
  };
  auto args = std::make_shared<Arguments>();
  auto* command = app.add_subcommand("scenes", "List the built-in scenes, or print one");
  command->footer("Example: stickslip scenes incline > my.toml");
  command->add_option("name", args->name, "print this scene");
  command->add_flag("--json", args->json, "as JSON");
  command->callback(
      [args, &session] { session.work = [args] { return list_scenes(args->name, args->json); }; });
}

}  // namespace stickslip::app
