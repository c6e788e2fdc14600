// stickslip view RUN.h5 | FOLDER | PROBLEM: simulations, problems and reports of campaigns in the browser.

#include <fmt/format.h>

#include <cmath>
#include <iostream>
#include <optional>

#include "campaign_site.hpp"
#include "command.hpp"
#include "programs/program.hpp"
#include "stickslip/errors.hpp"
#include "stickslip/record.hpp"
#include "viewer/export_page.hpp"
#include "viewer/picture.hpp"
#include "viewer/site.hpp"

namespace stickslip::app {
namespace {

namespace fs = std::filesystem;

struct ViewArguments {
  std::string path, page, png, show, size = "1280x800";
  std::optional<double> time;
  viewer::SolveChoice solve;
  int port = 0;
  bool no_open = false;
};

viewer::PictureChoice picture_choice(const ViewArguments& args) {
  viewer::PictureChoice choice;
  if (std::sscanf(args.size.c_str(), "%dx%d", &choice.width, &choice.height) != 2 || choice.width < 100 ||
      choice.height < 100 || choice.width > 8000 || choice.height > 8000)
    throw InputError(
        fmt::format("--size {}: write WIDTHxHEIGHT in pixels, each from 100 to 8000", args.size));
  choice.time = args.time.value_or(-1);
  choice.show = args.show;
  return choice;
}

/// Without a browser: the painter of SVG, which knows only the last state.
int paint(const ViewArguments& args, const Session& session) {
  const fs::path target = fs::path(args.png).replace_extension(".svg");
  export_record(args.path, target);
  if (!session.quiet)
    fmt::print(stderr,
               "stickslip: there is no Chromium to draw with (package chromium); {} is a plain picture of "
               "the last state\n",
               target.string());
  std::cout << target.string() << '\n';
  return done;
}

int serve(const ViewArguments& args, const Session& session, const viewer::HttpServer::Handler& handler) {
  viewer::HttpServer server(args.port, handler);
  std::cout << server.address() << std::endl;
  if (!args.no_open) programs::open_in_browser(server.address());
  if (!session.quiet) fmt::print(stderr, "stickslip: serving {}; Ctrl-C ends\n", args.path);
  install_interrupt_handler();
  server.serve(interrupt_requested);
  return interrupted;
}

int view(const ViewArguments& args, const Session& session) {
  if (args.time && !(*args.time >= 0 && std::isfinite(*args.time)))
    throw InputError("--time: it must be a finite number ≥ 0");
  if (!(args.solve.tolerance > 0) || !(args.solve.time_limit > 0))
    throw InputError("--tolerance, --time-limit: they must be > 0");
  if (is_campaign(args.path)) {
    if (!args.png.empty() || !args.page.empty())
      throw InputError(
          fmt::format("{}: it is a campaign; --png and --export are for records and problems, `stickslip "
                      "campaign report` writes its page",
                      args.path));
    CampaignSite site(args.path);
    return serve(args, session, [&](const viewer::Request& request) { return site.answer(request); });
  }
  viewer::Site site(args.path, args.solve);
  if (!args.png.empty()) {
    if (site.size() != 1) throw InputError("--png: a folder has several records; name one");
    const viewer::PictureChoice choice = picture_choice(args);
    if (!viewer::has_browser() && site.is_record(0)) return paint(args, session);
    viewer::write_png(site, choice, args.png);
    std::cout << args.png << '\n';
  }
  if (!args.page.empty()) {
    const viewer::ExportNote note = viewer::export_page(site, args.page);
    std::cout << args.page << '\n';
    if (!session.quiet)
      fmt::print(stderr, "stickslip: {:.1f} MB{}{}\n", double(note.bytes) / 1e6,
                 note.left_out.empty() ? "" : "; ", note.left_out);
  }
  if (!args.png.empty() || !args.page.empty()) return done;

  return serve(args, session, [&](const viewer::Request& request) { return site.answer(request); });
}

}  // namespace

void add_view(CLI::App& app, Session& session) {
  auto args = std::make_shared<ViewArguments>();
  auto* command = app.add_subcommand("view", "Show a simulation or a problem in the browser");
  command->footer(
      "Example: stickslip view run.h5   (stickslip view run.h5 --png run.png --time 1.2 --show chains)");
  command
      ->add_option("path", args->path,
                   "a record, a problem file, a folder with some of them, or the folder of a campaign")
      ->required();
  command->add_option("--port", args->port, "on 127.0.0.1; 0: any that is free")->capture_default_str();
  command->add_flag("--no-open", args->no_open, "only print the address");
  command->add_option("--export", args->page, "write one page that holds everything, at most 50 MB, and end");
  command->add_option("--png", args->png, "write a picture and end");
  command->add_option("--time", args->time, "of the picture, s; the last state without it");
  command->add_option("--size", args->size, "of the picture, in pixels")->capture_default_str();
  command->add_option(
      "--show", args->show,
      "what the picture shows, joined by &: chains, forces, colour=speed, view=front, dark, …");
  command->add_option("--solver", args->solve.solver, "by which a problem is solved")->capture_default_str();
  command->add_option("--tolerance", args->solve.tolerance, "of that solve")->capture_default_str();
  command->add_option("--time-limit", args->solve.time_limit, "of that solve, s")->capture_default_str();
  command->callback([args, &session] { session.work = [args, &session] { return view(*args, session); }; });
}

}  // namespace stickslip::app
