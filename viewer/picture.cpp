#include "viewer/picture.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <thread>

#include "io/files.hpp"
#include "programs/program.hpp"
#include "programs/scratch_folder.hpp"
#include "stickslip/errors.hpp"

namespace stickslip::viewer {
namespace {

namespace fs = std::filesystem;

constexpr double most_seconds = 150;

/// Chromium takes its picture when the page has loaded. The page has an image, /api/held, that is answered when the page has asked for /api/ready:
/// everything is drawn.
class Shutter {
 public:
  Response answer(Site& site, const Request& request) {
    if (request.path == "/api/ready") ready_ = true;
    if (request.path == "/api/held")
      while (!ready_) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    if (request.path == "/api/ready" || request.path == "/api/held") return {};
    return site.answer(request);
  }
  void open() { ready_ = true; }

 private:
  std::atomic<bool> ready_{false};
};

std::string browser() {
  if (const char* given = std::getenv("CHROMIUM")) return programs::find_program({given});
  return programs::find_program({"chromium", "chromium-browser", "google-chrome", "chrome"});
}

}  // namespace

bool has_browser() { return !browser().empty(); }

void write_png(Site& site, const PictureChoice& choice, const fs::path& target) {
  const std::string program = browser();
  if (program.empty()) throw MissingComponent("--png: there is no Chromium to draw with (package chromium)");
  for (char c : choice.show)
    if (!std::isalnum(static_cast<unsigned char>(c)) &&
        std::string_view("=&.,_-").find(c) == std::string_view::npos)
      throw InputError(fmt::format("--show {}: write NAME or NAME=VALUE, joined by &", choice.show));
  if (!site.is_record(0)) site.problem(0)->finish();
  Shutter shutter;
  HttpServer server(0, [&](const Request& request) { return shutter.answer(site, request); });
  std::atomic<bool> stop{false};
  std::thread serving([&] { server.serve(stop); });
  const programs::ScratchFolder scratch(fs::temp_directory_path());
  const fs::path log = scratch.path() / "log", drawn = scratch.path() / "picture.png";
  const std::string address = fmt::format("{}#picture&time={:.9g}{}{}", server.address(), choice.time,
                                          choice.show.empty() ? "" : "&", choice.show);
  std::vector<std::string> words = {program,
                                    "--headless=new",
                                    "--disable-gpu",
                                    "--use-angle=swiftshader",
                                    "--enable-unsafe-swiftshader",
                                    "--disable-dev-shm-usage",
                                    "--hide-scrollbars",
                                    "--no-first-run",
                                    "--disable-background-networking",
                                    "--disable-component-update",
                                    "--force-device-scale-factor=1",
                                    fmt::format("--user-data-dir={}", (scratch.path() / "profile").string()),
                                    fmt::format("--window-size={},{}", choice.width, choice.height),
                                    "--screenshot=" + drawn.string(),
                                    address};
  // Chromium refuses its sandbox to root. The page is our own.
  if (::geteuid() == 0) words.insert(words.begin() + 1, "--no-sandbox");
  std::error_code ignored;
  const int status = programs::run_program(words, log, most_seconds);
  shutter.open();
  stop = true;
  serving.join();
  if (status != 0 || !fs::exists(drawn, ignored))
    throw OutputError(
        fmt::format("{}: {} ended with {}: {}", target.string(), program, status, programs::last_line(log)));
  internal::io::write_bytes(target, internal::io::read_bytes(drawn));
}

}  // namespace stickslip::viewer
