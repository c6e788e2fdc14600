#include "viewer/site.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <mutex>

#include "io/hdf5_session.hpp"
#include "stickslip/errors.hpp"
#include "viewer/bundle.hpp"
#include "viewer/json_text.hpp"

namespace stickslip::viewer {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t most_items = 500;

enum class Kind { record, problem };

struct Item {
  fs::path path;
  Kind kind = Kind::record;
  std::shared_ptr<RunSource> run = {};
  std::shared_ptr<ProblemSource> problem = {};
};

/// A record has the group /stickslip; any other HDF5 file or text is tried as a problem.
bool is_record_file(const fs::path& path) {
  const internal::io::Hdf5Session session;
  const internal::io::Hdf5Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  return file && H5Lexists(file.get(), "/stickslip", H5P_DEFAULT) > 0;
}

std::vector<Item> find_items(const fs::path& path) {
  std::error_code failure;
  if (fs::is_regular_file(path, failure))
    return {{.path = path, .kind = is_record_file(path) ? Kind::record : Kind::problem}};
  if (!fs::is_directory(path, failure))
    throw InputError(fmt::format("{}: there is no such file or folder", path.string()));
  // A Matrix Market folder is a problem.
  if (fs::exists(path / "W.mtx", failure) || fs::exists(path / "M.mtx", failure))
    return {{.path = path, .kind = Kind::problem}};
  std::vector<Item> items;
  for (const auto& entry : fs::directory_iterator(path, failure)) {
    const std::string ending = entry.path().extension().string();
    if (!entry.is_regular_file(failure) || (ending != ".h5" && ending != ".hdf5" && ending != ".dat"))
      continue;
    items.push_back(
        {.path = entry.path(),
         .kind = ending != ".dat" && is_record_file(entry.path()) ? Kind::record : Kind::problem});
  }
  std::sort(items.begin(), items.end(), [](const Item& a, const Item& b) { return a.path < b.path; });
  if (items.empty())
    throw InputError(fmt::format("{}: no record and no problem is in it (.h5, .hdf5, .dat)", path.string()));
  if (items.size() > most_items) items.resize(most_items);
  return items;
}

void replace(std::string& text, std::string_view what, std::string_view by) {
  if (const std::size_t at = text.find(what); at != std::string::npos) text.replace(at, what.size(), by);
}

}  // namespace

std::string page_with(const std::string& head, const std::string& data, const std::string& script) {
  if (bundle::page().empty())
    throw MissingComponent(
        "this build has no viewer page: npm was not there, or could not reach its registry, when stickslip "
        "was built (install the "
        "packages nodejs and npm, and build again)");
  std::string page(bundle::page());
  replace(page, "@HEAD@", head);
  replace(page, "@DATA@", data);
  replace(page, "@SCRIPT@", script);
  return page;
}

struct Site::State {
  std::vector<Item> items;
  SolveChoice solve;
  std::string page;
  std::mutex mutex;

  Item& at(std::size_t k) {
    if (k >= items.size()) throw InputError(fmt::format("there is no item {}", k));
    return items[k];
  }
};

Site::Site(const fs::path& path, const SolveChoice& solve) : state_(std::make_unique<State>()) {
  state_->page = page_with("<link rel=\"stylesheet\" href=\"/viewer.css\">", "",
                           "<script src=\"/viewer.js\" defer></script>");
  state_->items = find_items(path);
  state_->solve = solve;
  // One file that cannot be read is said at once, not by the page.
  if (state_->items.size() == 1) {
    if (is_record(0))
      run(0);
    else
      problem(0);
  }
}

Site::~Site() = default;

std::size_t Site::size() const { return state_->items.size(); }
bool Site::is_record(std::size_t item) const { return state_->at(item).kind == Kind::record; }

std::shared_ptr<const RunSource> Site::run(std::size_t item) const {
  const std::lock_guard lock(state_->mutex);
  Item& one = state_->at(item);
  if (one.kind != Kind::record) throw InputError(fmt::format("{}: it is no record", one.path.string()));
  if (!one.run) one.run = std::make_shared<RunSource>(one.path);
  return one.run;
}

std::shared_ptr<ProblemSource> Site::problem(std::size_t item) const {
  const std::lock_guard lock(state_->mutex);
  Item& one = state_->at(item);
  if (one.kind != Kind::problem) throw InputError(fmt::format("{}: it is no problem", one.path.string()));
  if (!one.problem) one.problem = std::make_shared<ProblemSource>(one.path, state_->solve);
  return one.problem;
}

std::string Site::items() const {
  std::string out = "{\"items\":[";
  for (std::size_t k = 0; k < state_->items.size(); ++k)
    out += fmt::format("{}{{\"name\":{},\"kind\":\"{}\"}}", k > 0 ? "," : "",
                       json_string(state_->items[k].path.filename().string()),
                       state_->items[k].kind == Kind::record ? "record" : "problem");
  return out + "]}";
}

Response Site::answer(const Request& request) {
  constexpr const char* html = "text/html; charset=utf-8";
  if (request.path == "/") return {200, html, state_->page};
  if (request.path == "/viewer.css") return {200, "text/css; charset=utf-8", std::string(bundle::style())};
  if (request.path == "/viewer.js")
    return {200, "text/javascript; charset=utf-8", std::string(bundle::script())};
  if (request.path == "/api/items") return {200, "application/json", items()};

  // /api/NUMBER/WORD
  constexpr std::string_view api = "/api/";
  const auto nothing = [&] { return failure(404, "there is nothing at this address"); };
  std::string_view rest = request.path;
  if (!rest.starts_with(api)) return nothing();
  rest.remove_prefix(api.size());
  std::size_t item = 0;
  const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), item);
  rest.remove_prefix(std::size_t(end - rest.data()));
  if (error != std::errc() || item >= size() || !rest.starts_with('/')) return nothing();
  const std::string_view word = rest.substr(1);
  constexpr const char *json = "application/json", *bytes = "application/octet-stream";
  try {
    if (!is_record(item)) {
      if (word == "info") return {200, json, problem(item)->info()};
      if (word == "solve") return {200, json, problem(item)->solve()};
      return nothing();
    }
    const auto first = request.number("first", 0), count = request.number("count", 1),
               points = request.number("points", 1000);
    if (word == "info") return {200, json, run(item)->info()};
    if (word == "progress") return {200, json, run(item)->progress(first)};
    if (word == "bodies") return {200, bytes, run(item)->bodies(first, count)};
    if (word == "contacts") return {200, bytes, run(item)->contacts(first, count)};
    if (word == "steps") return {200, json, run(item)->steps(points)};
    if (word == "body") return {200, json, run(item)->body_history(request.number("index", 0), points)};
    if (word == "contact") return {200, json, run(item)->contact_history(request.number("key", 0), points)};
    return nothing();
  } catch (const InputError& problem) {
    std::error_code ignored;
    const bool gone = !fs::exists(state_->at(item).path, ignored);
    return failure(gone ? 410 : 400, problem.what());
  }
}

}  // namespace stickslip::viewer
