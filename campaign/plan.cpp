#include "campaign/plan.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <utility>

#include "base/text.hpp"
#include "campaign/command_words.hpp"
#include "campaign/sources.hpp"
#include "campaign/toml_reader.hpp"
#include "catalog/spec.hpp"
#include "stickslip/catalog.hpp"
#include "stickslip/errors.hpp"
#include "stickslip/generate.hpp"

namespace stickslip::campaign {

using namespace internal;

namespace {

namespace fs = std::filesystem;

/// The fields of GenerateRequest beside the seed; a family says which of them it uses.
constexpr std::array family_fields = {"size",  "dimension", "mu",     "mu_min", "mu_max",
                                      "angle", "density",   "points", "load"};

std::string read_text(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  if (!fs::is_regular_file(file) || !(text << in.rdbuf()))
    throw InputError(file.string() + ": no such plan, or it cannot be read");
  return text.str();
}

/// Reads one plan: holds what its parts need to know of each other.
class PlanReader {
 public:
  PlanReader(const fs::path& file, std::string text, fs::path binaries, PlanChanges changes)
      : name_(file.string()),
        folder_(fs::absolute(file).parent_path()),
        binaries_(std::move(binaries)),
        changes_(std::move(changes)),
        table_(parse_toml(text, name_)),
        top_(table_, name_, "the plan",
             {"title", "tolerances", "tolerance", "time_limit", "memory_limit", "repetitions", "repeat_for",
              "grace", "history", "threads", "rank_limit", "form", "solvers", "optional_solvers", "solver",
              "sets", "set"}) {
    plan_.text = std::move(text);
    plan_.file = fs::absolute(file);
  }

  Settings settings() const {
    Settings s;
    s.memory_limit = top_.count("memory_limit", 16).value_or(s.memory_limit);
    s.repetitions = top_.count("repetitions", 1).value_or(s.repetitions);
    s.repeat_for = top_.number("repeat_for", -1e-300).value_or(s.repeat_for);
    s.grace = top_.number("grace", 0).value_or(s.grace);
    s.history = top_.flag("history").value_or(s.history);
    s.threads = top_.count("threads", 1).value_or(s.threads);
    s.rank_limit = top_.count("rank_limit", 0).value_or(s.rank_limit);
    return s;
  }

  Plan read() {
    plan_.title = top_.text("title").value_or(plan_.file.stem().string());
    plan_.settings = settings();
    for (const auto& name : top_.texts("solvers")) add_internal(top_, "solvers", name, name);
    for (const auto& name : top_.texts("optional_solvers")) add_if_known(name);
    for (const auto* table : top_.tables("solver")) add_solver(*table);
    if (plan_.solvers.empty())
      top_.refuse("the plan has no solver: write solvers = [\"auto\", …] or [[solver]]");
    if (!changes_.problems.empty())
      take_given_problems();
    else
      take_planned_problems();
    if (plan_.sets.empty() && plan_.notes.empty()) top_.refuse("the plan has no problems: write [[set]]");
    if (plan_.sets.empty())
      throw InputError(name_ + ": none of its problem sets is there (" + plan_.notes.back() + ")");
    return std::move(plan_);
  }

 private:
  /// The sets of this plan, then those of the plans that it names in `sets`.
  void take_planned_problems() {
    for (const auto* table : top_.tables("set")) add_set(*table);
    for (const auto& other : top_.texts("sets")) {
      const fs::path file = folder_ / other;
      if (!fs::is_regular_file(file)) top_.refuse("sets", "no plan '" + other + "' beside this one");
      // What the sets say of themselves holds; what they leave open is as this plan has it.
      const std::string text = read_text(file);
      const toml::table table = parse_toml(text, file.string());
      const std::string mine = std::exchange(name_, file.string());
      const TableReader in(table, name_, "a plan of sets", {"title", "set"});
      for (const auto* set : in.tables("set")) add_set(*set);
      name_ = mine;
      plan_.text += "\n# The sets of " + other + ":\n";
      std::istringstream lines(text);
      for (std::string line; std::getline(lines, line);) plan_.text += "#   " + line + "\n";
    }
  }

  void add_if_known(const std::string& name) {
    const std::string word = parse_spec(name).word;
    for (const auto& entry : catalogue())
      if (entry.label == word) return add_internal(top_, "optional_solvers", name, name);
    plan_.notes.push_back("solver " + name + " left out: there is none of that name yet");
  }

  void add(const TableReader& where, SolverRecord solver) {
    for (const auto& other : plan_.solvers)
      if (other.label == solver.label) where.refuse("name", "solver '" + solver.label + "' is there twice");
    plan_.solvers.push_back(std::move(solver));
  }

  void add_internal(const TableReader& where, std::string_view key, const std::string& label,
                    const std::string& given) {
    SolverRecord solver;
    solver.label = label;
    solver.given = given;
    try {
      solver.composition = composition(given);
      const std::string word = parse_spec(given).word;
      solver.family = parse_spec(solver.composition).word;
      for (const auto& entry : catalogue())
        if (entry.label == word) solver.family = entry.family, solver.reference = entry.reference;
    } catch (const InputError& error) {
      where.refuse(key, error.what());
    }
    add(where, std::move(solver));
  }

  /// [[solver]]: one of ours by name, or an external command, or several by names = […] and {name}.
  void add_solver(const toml::table& table) {
    const TableReader in(
        table, name_, "[[solver]]",
        {"name", "names", "solver", "command", "family", "reference", "patience", "optional"});
    if (in.has("name") == in.has("names")) in.refuse("[[solver]] needs either 'name' or 'names'");
    const auto command = in.text("command");
    if (command && in.has("solver")) in.refuse("solver", "a [[solver]] has 'solver' or 'command', not both");
    if (!command) {
      if (in.has("names")) in.refuse("names", "'names' goes with 'command' (write solvers = […] for ours)");
      const std::string name = *in.text("name");
      add_internal(in, in.has("solver") ? "solver" : "name", name, in.text("solver").value_or(name));
      return;
    }
    const std::string label = in.text("name").value_or("");
    for (const auto& name : in.has("names") ? in.texts("names") : std::vector<std::string>{label}) {
      SolverRecord solver;
      solver.external = true;
      solver.family = in.text("family").value_or("external");
      solver.reference = in.text("reference").value_or("");
      solver.patience = in.number("patience", 0).value_or(solver.patience);
      solver.label = in.has("names") && in.has("family") ? solver.family + ":" + name : name;
      try {
        // What is known now is filled in now; what is known for each solve stays as it is.
        solver.given = fill_in(*command, {{"name", name},
                                          {"bin", binaries_.string()},
                                          {"plan", folder_.string()},
                                          {"problem", "{problem}"},
                                          {"solution", "{solution}"},
                                          {"tolerance", "{tolerance}"},
                                          {"time_limit", "{time_limit}"},
                                          {"threads", "{threads}"},
                                          {"repetitions", "{repetitions}"},
                                          {"repeat_for", "{repeat_for}"}});
        const auto words = split_command(solver.given);
        if (words.empty()) in.refuse("command", "the command is empty");
        if (find_program(words[0], folder_).empty()) {
          if (in.flag("optional").value_or(false)) {
            plan_.notes.push_back("solver " + solver.label + " left out: " + words[0] + " is not there");
            continue;
          }
          in.refuse("command", "command '" + words[0] + "' is not there or cannot be run");
        }
      } catch (const InputError& error) {
        if (std::string_view(error.what()).starts_with(name_)) throw;
        in.refuse("command", error.what());
      }
      add(in, std::move(solver));
    }
  }

  std::vector<Goal> goals(const TableReader& in) const {
    std::vector<Goal> all;
    if (!in.has("goals")) {
      std::vector<double> tolerances = in.numbers("tolerances", 0);
      if (tolerances.empty()) tolerances = in.numbers("tolerance", 0);
      if (tolerances.empty()) tolerances = top_.numbers("tolerances", 0);
      if (tolerances.empty()) tolerances = top_.numbers("tolerance", 0);
      if (tolerances.empty()) tolerances = {Goal{}.tolerance};
      const double limit =
          in.number("time_limit", 0).value_or(top_.number("time_limit", 0).value_or(Goal{}.time_limit));
      for (const double tolerance : tolerances) all.push_back({tolerance, limit});
    } else {
      if (in.has("tolerances") || in.has("tolerance") || in.has("time_limit"))
        in.refuse("goals", "'goals' replaces 'tolerances' and 'time_limit'");
      for (const auto* table : in.tables("goals")) {
        const TableReader goal(*table, name_, "goals", {"tolerance", "time_limit"});
        all.push_back({goal.number("tolerance", 0).value_or(Goal{}.tolerance),
                       goal.number("time_limit", 0).value_or(Goal{}.time_limit)});
      }
    }
    return changed(std::move(all));
  }

  std::vector<Goal> changed(std::vector<Goal> all) const {
    if (changes_.tolerances) {
      const double limit = all[0].time_limit;
      all.clear();
      for (const double tolerance : *changes_.tolerances) all.push_back({tolerance, limit});
    }
    if (changes_.time_limit)
      for (auto& goal : all) goal.time_limit = *changes_.time_limit;
    return all;
  }

  /// At most so many, evenly taken, the first among them.
  static void thin(std::vector<ProblemRecord>& problems, std::optional<std::int64_t> most) {
    if (!most || std::int64_t(problems.size()) <= *most) return;
    std::vector<ProblemRecord> kept;
    for (std::int64_t k = 0; k < *most; ++k)
      kept.push_back(std::move(problems[std::size_t(k) * problems.size() / std::size_t(*most)]));
    problems = std::move(kept);
  }

  void add(const TableReader& where, ProblemSet set) {
    for (const auto& other : plan_.sets)
      if (other.name == set.name) where.refuse("name", "set '" + set.name + "' is there twice");
    std::set<std::string> names;
    for (auto& problem : set.problems) {
      problem.set = set.name;
      if (!names.insert(problem.name).second)
        where.refuse("problem '" + problem.name + "' is there twice in set '" + set.name + "'");
    }
    plan_.sets.push_back(std::move(set));
  }

  /// The form that the table `in` asks for, if it does.
  static void choose_form(const TableReader& in, std::vector<ProblemRecord>& problems) {
    const std::string form = in.text("form").value_or("given");
    if (form != "given" && form != "reduced") in.refuse("form", "'form' must be \"given\" or \"reduced\"");
    if (form == "reduced")
      for (auto& problem : problems) problem.form = form;
  }

  void add_set(const toml::table& table) {
    const TableReader in(table, name_, "[[set]]",
                         {"name",   "files", "family",     "size",      "dimension",  "mu",      "mu_min",
                          "mu_max", "angle", "density",    "points",    "load",       "seeds",   "form",
                          "sample", "goals", "tolerances", "tolerance", "time_limit", "optional"});
    if (!in.has("name")) in.refuse("[[set]] needs a 'name'");
    ProblemSet set;
    set.name = *in.text("name");
    if (in.has("files") == in.has("family"))
      in.refuse("set '" + set.name + "' needs either 'files' or 'family'");
    set.problems = in.has("files") ? by_files(in, set.name) : by_family(in);
    if (set.problems.empty()) return;
    choose_form(in.has("form") ? in : top_, set.problems);
    thin(set.problems, in.count("sample", 1));
    thin(set.problems, changes_.sample);
    set.goals = goals(in);
    add(in, std::move(set));
  }

  std::vector<ProblemRecord> by_files(const TableReader& in, const std::string& set) {
    if (in.has("seeds")) in.refuse("seeds", "'seeds' goes with 'family', not with 'files'");
    for (const char* key : family_fields)
      if (in.has(key)) in.refuse(key, "'" + std::string(key) + "' goes with 'family', not with 'files'");
    std::vector<fs::path> folders = {folder_}, files;
    if (const char* data = std::getenv("STICKSLIP_DATA")) folders.emplace_back(data);
    const bool optional = in.flag("optional").value_or(false);
    const std::string where =
        std::getenv("STICKSLIP_DATA") ? " or in $STICKSLIP_DATA" : "; STICKSLIP_DATA is not set";
    for (const auto& pattern : in.texts("files")) {
      const auto found = find_files(pattern, folders);
      files.insert(files.end(), found.begin(), found.end());
      if (found.empty() && !optional)
        in.refuse("files", "set '" + set + "': no file '" + pattern + "' beside the plan" + where);
    }
    if (files.empty())
      plan_.notes.push_back("set '" + set + "' left out: none of its files is beside the plan" + where);
    std::sort(files.begin(), files.end());
    files.erase(std::unique(files.begin(), files.end()), files.end());
    return problems_of_files(files);
  }

  std::vector<ProblemRecord> by_family(const TableReader& in) {
    FamilyRequest request;
    request.family = *in.text("family");
    std::vector<std::string> known;
    for (const auto& family : problem_families()) known.push_back(family.name);
    if (std::find(known.begin(), known.end(), request.family) == known.end()) {
      if (in.flag("optional").value_or(false)) {
        plan_.notes.push_back("set '" + *in.text("name") + "' left out: there is no family '" +
                              request.family + "' yet");
        return {};
      }
      const std::string near = nearest(request.family, known);
      in.refuse("family", "unknown problem family '" + request.family + "'" +
                              (near.empty() ? "" : "; did you mean '" + near + "'?") +
                              " ('stickslip generate --list' shows all)");
    }
    for (const char* key : family_fields)
      if (const auto values = in.numbers(key, -1e300); !values.empty())
        request.fields.emplace_back(key, values);
    // seeds = 5 means 1 to 5; a list is taken as it is.
    if (const auto seeds = in.counts("seeds", 0); seeds.size() == 1 && in.is_single("seeds")) {
      request.seeds.clear();
      for (std::int64_t seed = 1; seed <= seeds[0]; ++seed) request.seeds.push_back(seed);
    } else if (!seeds.empty()) {
      request.seeds = seeds;
    }
    auto problems = problems_of_family(request);
    // The smallest shows whether the family can do what is asked, before the campaign begins.
    if (!problems.empty()) try {
        load_source(problems.front().source);
      } catch (const InputError& error) {
        in.refuse("family", error.what());
      }
    return problems;
  }

  /// The command line's files and folders: a file or a folder of files is a set, a folder of folders several.
  void take_given_problems() {
    std::vector<double> tolerances = top_.numbers("tolerances", 0);
    if (tolerances.empty()) tolerances = top_.numbers("tolerance", 0);
    if (tolerances.empty()) tolerances = {Goal{}.tolerance};
    std::vector<Goal> all;
    for (const double tolerance : tolerances)
      all.push_back({tolerance, top_.number("time_limit", 0).value_or(Goal{}.time_limit)});
    all = changed(std::move(all));
    std::map<std::string, std::vector<fs::path>> sets;
    for (const auto& given : changes_.problems) {
      const auto files = find_files(given.string(), {fs::current_path()});
      if (files.empty()) throw InputError(given.string() + ": no problem files there");
      const fs::path base = fs::weakly_canonical(fs::absolute(given));
      for (const auto& file : files) {
        const fs::path below = file.lexically_relative(base);
        const bool deeper = !below.empty() && below.has_parent_path() && *below.begin() != "..";
        sets[deeper ? below.begin()->string() : file.parent_path().filename().string()].push_back(file);
      }
    }
    for (auto& [name, files] : sets) {
      ProblemSet set{name, problems_of_files(files), all};
      choose_form(top_, set.problems);
      thin(set.problems, changes_.sample);
      add(top_, std::move(set));
    }
  }

  std::string name_;
  fs::path folder_, binaries_;
  PlanChanges changes_;
  toml::table table_;
  TableReader top_;
  Plan plan_;
};

}  // namespace

Plan read_plan(const fs::path& file, const fs::path& binaries, const PlanChanges& changes) {
  return PlanReader(file, read_text(file), binaries, changes).read();
}

Settings read_settings(const std::string& text, const std::string& name) {
  return PlanReader(name, text, {}, {}).settings();
}

}  // namespace stickslip::campaign
