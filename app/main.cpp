// The command line. Results go to standard output, messages to standard error.

#include <fmt/format.h>
#include <hdf5.h>

#include <algorithm>
#include <cstdio>
#include <iostream>

#include "base/text.hpp"
#include "command.hpp"
#include "distributed/shared_system.hpp"
#include "distributed/together.hpp"
#include "ranks.hpp"
#include "stickslip/errors.hpp"
#include "stickslip/version.hpp"

namespace {

const stickslip::app::Launch launched = stickslip::app::launch();

/// One line on standard error; where several processes would say the same, the first does.
int complain(const std::string& message, int status) {
  if (launched.rank == 0) std::cerr << "stickslip: " << message << '\n';
  return status;
}

/// A result that could not be printed is no success.
int finish(int status) {
  std::cout.flush();
  return std::cout ? status : complain("standard output: cannot be written", stickslip::app::bad_input);
}

/// What an exception means to the caller of the program.
template <class Work>
int guarded(const Work& work) {
  using namespace stickslip;
  try {
    return work();
  } catch (const MissingComponent& error) {
    return complain(error.what(), app::missing_component);
  } catch (const Error& error) {
    return complain(error.what(), app::bad_input);
  } catch (const std::bad_alloc&) {
    return complain("not enough memory", app::bad_input);
  } catch (const std::exception& error) {
    return complain(fmt::format("unexpected: {}", error.what()), app::bad_input);
  }
}

/// One of several processes.
int work_on_ranks(stickslip::app::Session& session) {
  using namespace stickslip;
  if (session.sharing == app::Session::Sharing::none)
    throw InputError(
        fmt::format("{} processes were started; only solve and simulate share their work", launched.size));
  const auto ranks = app::open_ranks();
  std::unique_ptr<internal::ParallelSolver> solver;
  if (!session.petsc.empty()) {
    // Said before MPI ends: mpirun stops the others at the first process that leaves with a status.
    const int opened = guarded([&] {
      solver = app::open_petsc(session.petsc);
      return app::done;
    });
    if (opened != app::done) return opened;
  }
  if (session.sharing == app::Session::Sharing::alike) {
    session.ranks = ranks.get();
    session.systems = solver.get();
    return guarded(session.work);
  }
  if (ranks->rank() != 0) {
    try {
      solver ? internal::serve_system(*ranks, *solver) : internal::serve(*ranks);
    } catch (const std::exception& error) {
      std::cerr << fmt::format("stickslip: process {} of {}: {}\n", ranks->rank(), ranks->size(),
                               error.what());
      ranks->abort(app::bad_input);
    }
    return app::done;
  }
  if (solver) {
    internal::SharedSystem system(*ranks, *solver);
    session.system = &system;
    const int status = guarded(session.work);
    if (system.entangled()) ranks->abort(status);
    return status;
  }
  internal::Together together(*ranks);
  session.together = &together;
  const int status = guarded(session.work);
  if (together.entangled()) ranks->abort(status);
  return status;
}

/// The message for a first word that is no subcommand, with the nearest one; empty when that was not the
/// trouble.
std::string unknown_subcommand(const CLI::App& cli, int argc, char** argv) {
  std::vector<std::string> names;
  for (const auto* command : cli.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(command->get_name());
  for (int k = 1; k < argc; ++k) {
    const std::string word = argv[k];
    if (word.starts_with('-')) continue;
    if (std::find(names.begin(), names.end(), word) != names.end()) return {};
    const std::string near = stickslip::internal::nearest(word, names);
    return "unknown subcommand '" + word + "'" + (near.empty() ? "" : "; did you mean '" + near + "'?") +
           " (try 'stickslip --help')";
  }
  return {};
}

}  // namespace

int main(int argc, char** argv) {
  using namespace stickslip;
  // After a damaged file libhdf5 1.10 complains on standard error when it closes itself; every file of ours
  // is closed.
  H5dont_atexit();
  CLI::App cli("stickslip: solvers for the discrete frictional contact problem", "stickslip");
  cli.set_version_flag("--version", std::string("stickslip ") + version());
  cli.require_subcommand(1);
  cli.fallthrough();
  app::Session session;
  cli.add_flag("-q,--quiet", session.quiet, "no progress, no messages but errors");
  cli.add_flag("-v,--verbose", session.verbose, "say more on standard error");
  app::add_solve(cli, session);
  app::add_info(cli, session);
  app::add_check(cli, session);
  app::add_list(cli, session);
  app::add_describe(cli, session);
  app::add_convert(cli, session);
  app::add_generate(cli, session);
#ifdef STICKSLIP_HAVE_DYNAMICS
  app::add_simulate(cli, session);
  app::add_scenes(cli, session);
  app::add_export(cli, session);
  app::add_view(cli, session);
#endif
  app::add_campaign(cli, session);
  app::add_demo(cli, session);

  if (launched.rank != 0 && !std::freopen("/dev/null", "w", stdout)) return app::bad_input;
  try {
    cli.parse(argc, argv);
  } catch (const CLI::Success& success) {
    cli.exit(success);
    return finish(app::done);
  } catch (const CLI::ParseError& error) {
    if (const std::string wrong = unknown_subcommand(cli, argc, argv); !wrong.empty())
      return complain(wrong, app::bad_input);
    return complain(std::string(error.what()) + " (try 'stickslip --help')", app::bad_input);
  }
  return guarded([&] {
    return finish(launched.size > 1 || !session.petsc.empty() ? work_on_ranks(session) : session.work());
  });
}
