// What the server answers: the page, and under /api/NUMBER/ the records and problems that were named on the command line. There are no other
// routes, and no path of a request ever becomes the path of a file.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "viewer/http_server.hpp"
#include "viewer/problem_source.hpp"
#include "viewer/run_source.hpp"

namespace stickslip::viewer {

class Site {
 public:
  /// A record, a problem, or a folder with some of them. Throws InputError where there is nothing to show, MissingComponent where this build
  /// has no page.
  Site(const std::filesystem::path& path, const SolveChoice& solve);
  ~Site();

  Response answer(const Request& request);

  std::size_t size() const;
  /// Those that were named; opened when they are first asked for.
  std::shared_ptr<const RunSource> run(std::size_t item) const;
  std::shared_ptr<ProblemSource> problem(std::size_t item) const;
  bool is_record(std::size_t item) const;
  std::string items() const;  ///< names and kinds, as JSON

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// The page with the given head (style), data and script elements. Throws MissingComponent.
std::string page_with(const std::string& head, const std::string& data, const std::string& script);

}  // namespace stickslip::viewer
