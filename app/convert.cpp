// stickslip convert IN OUT: between the file formats.

#include <iostream>

#include "command.hpp"
#include "stickslip/errors.hpp"
#include "stickslip/io.hpp"

namespace stickslip::app {
namespace {

int convert(const std::string& in, const std::string& out, bool reduce) {
  ProblemFile file = read_problem(in);
  if (reduce && file.is_global()) {
    ReducedProblem reduced = Reduction(std::get<GlobalProblem>(file.problem)).reduced();
    file.problem = std::move(reduced);
    // A reduced problem has neither velocities of bodies nor multipliers.
    const auto strip = [](StoredPoint& point) { point.v.clear(), point.l.clear(); };
    if (file.solution) strip(*file.solution);
    for (auto& guess : file.guesses) strip(guess);
  }
  const auto extension = std::filesystem::path(out).extension();
  if (extension == ".hdf5" || extension == ".h5")
    write_fclib(out, file);
  else if (extension == ".dat")
    write_siconos_text(out, file);
  else if (extension.empty())
    write_matrix_market(out, file);
  else
    throw InputError(
        out + ": unknown kind of output; use .hdf5 (FCLIB), .dat (Siconos text) or a folder (Matrix Market)");
  return done;
}

}  // namespace

void add_convert(CLI::App& app, Session& session) {
  auto in = std::make_shared<std::string>(), out = std::make_shared<std::string>();
  auto reduce = std::make_shared<bool>(false);
  auto* command = app.add_subcommand(
      "convert", "Convert between FCLIB (.hdf5), Siconos text (.dat) and Matrix Market (folder)");
  command->footer("Example: stickslip convert --reduce stack_global.hdf5 stack.hdf5");
  command->add_option("in", *in, "any problem file")->required();
  command->add_option("out", *out, "NAME.hdf5, NAME.dat or a folder")->required();
  command->add_flag("--reduce", *reduce, "global → reduced: form W and q");
  command->callback([=, &session] { session.work = [=] { return convert(*in, *out, *reduce); }; });
}

}  // namespace stickslip::app
