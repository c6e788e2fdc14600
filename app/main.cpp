// The command line. Results go to standard output, messages to standard error.

#include <fmt/format.h>
#include <hdf5.h>

#include <iostream>

#include "command.hpp"
#include "stickslip/errors.hpp"
#include "stickslip/version.hpp"

namespace {

/// One line on standard error.
int complain(const std::string& message, int status) {
  std::cerr << "stickslip: " << message << '\n';
  return status;
}

}  // namespace

int main(int argc, char** argv) {
  using namespace stickslip;
  // After a damaged file libhdf5 1.10 complains on standard error when it closes itself; every file of ours is closed.
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
  app::add_demo(cli, session);

  try {
    cli.parse(argc, argv);
  } catch (const CLI::Success& success) {
    return cli.exit(success);
  } catch (const CLI::ParseError& error) {
    return complain(std::string(error.what()) + " (try 'stickslip --help')", app::bad_input);
  }
  try {
    const int status = session.work();
    std::cout.flush();
    if (!std::cout) return complain("standard output: cannot be written", app::bad_input);
    return status;
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
