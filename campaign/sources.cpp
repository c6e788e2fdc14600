#include "campaign/sources.hpp"

#include <glob.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <set>
#include <type_traits>

#include "base/text.hpp"
#include "catalog/spec.hpp"
#include "stickslip/errors.hpp"
#include "stickslip/generate.hpp"
#include "stickslip/io.hpp"

namespace stickslip::campaign {

using namespace internal;

namespace {

namespace fs = std::filesystem;

/// A Matrix Market folder is one problem, not a folder of problems.
bool is_problem_folder(const fs::path& folder) {
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ".mtx") return true;
  return false;
}

void collect(const fs::path& path, std::vector<fs::path>& into) {
  static const std::set<std::string> extensions = {".hdf5", ".h5", ".dat"};
  if (!fs::is_directory(path) || is_problem_folder(path)) {
    into.push_back(path);
    return;
  }
  for (const auto& entry : fs::recursive_directory_iterator(path))
    if (entry.is_directory() ? is_problem_folder(entry.path())
                             : extensions.count(entry.path().extension().string()) > 0)
      into.push_back(entry.path());
}

std::vector<fs::path> matches(const fs::path& pattern) {
  glob_t found{};
  std::vector<fs::path> all;
  if (::glob(pattern.c_str(), GLOB_TILDE, nullptr, &found) == 0)
    for (std::size_t k = 0; k < found.gl_pathc; ++k) collect(found.gl_pathv[k], all);
  ::globfree(&found);
  return all;
}

double real(const Spec& value) {
  double number = 0;
  std::from_chars(value.word.data(), value.word.data() + value.word.size(), number);
  return number;
}

/// Sets the field of that name; false where there is none.
bool set_field(GenerateRequest& request, const std::string& name, double value) {
  bool found = false;
  request.visit([&](const char* field_name, auto& field, double, double, const char*) {
    if (name != field_name) return;
    found = true;
    if constexpr (requires { *field; })
      field = static_cast<std::remove_cvref_t<decltype(*field)>>(value);
    else
      field = std::uint64_t(value);
  });
  return found;
}

}  // namespace

std::vector<fs::path> find_files(const std::string& pattern, const std::vector<fs::path>& folders) {
  std::vector<fs::path> files;
  if (fs::path(pattern).is_absolute() || pattern.starts_with('~')) {
    files = matches(pattern);
  } else {
    for (const auto& folder : folders)
      if (files.empty()) files = matches(folder / pattern);
  }
  for (auto& file : files) file = fs::weakly_canonical(file);
  std::sort(files.begin(), files.end());
  files.erase(std::unique(files.begin(), files.end()), files.end());
  return files;
}

std::vector<ProblemRecord> problems_of_files(const std::vector<fs::path>& files) {
  // The last name of the path, then the last two, and so on, until all differ.
  for (int parts = 1;; ++parts) {
    std::vector<ProblemRecord> problems;
    std::set<std::string> names;
    bool whole = false;
    for (const auto& file : files) {
      fs::path name = file.filename(), rest = file.parent_path();
      for (int k = 1; k < parts && rest.has_relative_path(); ++k) {
        name = rest.filename() / name;
        rest = rest.parent_path();
      }
      whole |= !rest.has_relative_path();
      ProblemRecord& problem = problems.emplace_back();
      problem.name = name.string();
      problem.source = file.string();
      names.insert(problem.name);
    }
    if (names.size() == files.size() || whole) return problems;
  }
}

std::vector<ProblemRecord> problems_of_family(const FamilyRequest& request) {
  std::vector<Spec> specs = {{request.family}};
  const auto combine = [&](const std::string& name, const std::vector<Spec>& values) {
    std::vector<Spec> more;
    for (const auto& spec : specs)
      for (const auto& value : values) {
        more.push_back(spec);
        more.back().set(name, value);
      }
    specs = std::move(more);
  };
  for (const auto& [name, numbers] : request.fields) {
    std::vector<Spec> values;
    for (const double number : numbers) values.push_back({shortest(number)});
    combine(name, values);
  }
  std::vector<Spec> seeds;
  for (const auto seed : request.seeds) seeds.push_back({std::to_string(seed)});
  combine("seed", seeds);
  std::vector<ProblemRecord> problems;
  for (const auto& spec : specs) {
    ProblemRecord& problem = problems.emplace_back();
    problem.name = problem.source = print(spec);
  }
  return problems;
}

bool is_family(const std::string& source) { return !source.starts_with('/'); }

namespace {

GenerateRequest request_of(const Spec& spec) {
  GenerateRequest request;
  for (const auto& [name, value] : spec.options)
    if (!set_field(request, name, real(value)))
      throw InputError("family '" + spec.word + "' does not use " + name);
  return request;
}

}  // namespace

ProblemFile load_source(const std::string& source) {
  if (!is_family(source)) return read_problem(source);
  const Spec spec = parse_spec(source);
  return generate(spec.word, request_of(spec));
}

std::string picture_of(const std::string& source) {
  const Spec spec = parse_spec(source);
  return picture(spec.word, request_of(spec));
}

}  // namespace stickslip::campaign
