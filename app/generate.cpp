// stickslip generate NAME -o DIR: the built-in problem families.

#include "stickslip/generate.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <type_traits>

#include "command.hpp"
#include "stickslip/errors.hpp"
#include "stickslip/io.hpp"

namespace stickslip::app {
namespace {

struct GenerateArguments {
  std::string family, folder;
  GenerateRequest request;
  long count = 1;
  bool list = false, picture = false;
};

int list_families() {
  std::vector<std::vector<std::string>> rows = {{"name", "problem", "options", "reference"}};
  for (const auto& f : problem_families())
    rows.push_back({f.name, f.summary, fmt::format("{}", fmt::join(f.options, " ")), f.reference});
  std::cout << table(rows);
  return done;
}

int write_problems(const GenerateArguments& args) {
  if (args.list) return list_families();
  if (args.family.empty())
    throw InputError("generate: which family? ('stickslip generate --list' shows all)");
  if (args.folder.empty()) throw InputError("generate: where to? give a folder with -o");
  if (args.count < 1) throw InputError("generate: --count must be ≥ 1");
  for (long k = 0; k < args.count; ++k) {
    GenerateRequest request = args.request;
    request.seed += std::uint64_t(k);
    const ProblemFile file = generate(args.family, request);
    const std::string drawing = args.picture ? picture(args.family, request) : "";
    std::error_code failure;
    std::filesystem::create_directories(args.folder, failure);
    if (failure) throw OutputError(args.folder + ": cannot be created: " + failure.message());
    const auto contacts = std::visit([](const auto& problem) { return problem.contacts(); }, file.problem);
    const auto path = std::filesystem::path(args.folder) /
                      fmt::format("{}-{}-{}.hdf5", args.family, contacts, request.seed);
    write_fclib(path, file);
    std::cout << path.string() << '\n';
    if (!args.picture) continue;
    const auto beside = std::filesystem::path(path).replace_extension(".svg");
    write_picture(beside, drawing);
    std::cout << beside.string() << '\n';
  }
  return done;
}

}  // namespace

void write_picture(const std::filesystem::path& path, const std::string& text) {
  std::ofstream out(path, std::ios::binary);
  out << text;
  out.close();
  if (!out) throw OutputError(path.string() + ": cannot be written");
}

void add_generate(CLI::App& app, Session& session) {
  auto args = std::make_shared<GenerateArguments>();
  auto* command = app.add_subcommand("generate", "Write problems of a built-in family");
  command->footer("Example: stickslip generate manufactured -o problems --size 200 --seed 7");
  command->add_option("name", args->family, "the family");
  command->add_option("-o,--output", args->folder, "folder for the files");
  args->request.visit([&](const char* name, auto& field, double, double, const char* meaning) {
    std::string flag = std::string("--") + name;
    std::replace(flag.begin(), flag.end(), '_', '-');
    auto* option = command->add_option(flag, field, meaning);
    if constexpr (std::is_same_v<std::remove_cvref_t<decltype(field)>, std::uint64_t>)
      option->capture_default_str();
  });
  command->add_option("--count", args->count, "so many problems, with rising seeds")->capture_default_str();
  command->add_flag("--picture", args->picture,
                    "draw the bodies and contacts too, as an SVG file beside the problem");
  command->add_flag("--list", args->list, "show the families");
  command->callback([args, &session] { session.work = [args] { return write_problems(*args); }; });
}

}  // namespace stickslip::app
