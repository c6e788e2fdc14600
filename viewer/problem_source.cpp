#include "viewer/problem_source.hpp"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <atomic>
#include <cmath>
#include <mutex>
#include <thread>

#include "cone/project.hpp"
#include "problem/islands.hpp"
#include "residual/operator_measures.hpp"
#include "stickslip/errors.hpp"
#include "stickslip/io.hpp"
#include "stickslip/measures.hpp"
#include "stickslip/solver.hpp"
#include "viewer/graph_layout.hpp"
#include "viewer/json_text.hpp"

namespace stickslip::viewer {

namespace {

constexpr std::size_t most_edges = 150000;
constexpr std::size_t most_history = 4000;

struct Edge {
  int a, b;
  double weight;
};

/// The islands side by side in rows, the largest first, each a ball of its own size.
struct Layout {
  std::vector<float> position;
  std::vector<int> island;
  std::size_t islands = 0;
};

Layout lay_out(const BlockMatrix& W) {
  internal::Islands islands;
  islands.find(W);
  Layout out;
  out.position.resize(3 * std::size_t(W.size()));
  out.island.resize(std::size_t(W.size()));
  out.islands = islands.count();
  double x = 0, y = 0, row_height = 0, widest = 0;
  for (std::size_t k = 0; k < islands.count(); ++k) {
    const std::vector<int> nodes(islands[k].begin(), islands[k].end());
    const std::vector<float> places = lay_out_connected(W.row_start(), W.column(), nodes);
    Eigen::AlignedBox3f box;
    for (std::size_t i = 0; i < nodes.size(); ++i)
      box.extend(Eigen::Vector3f(places[3 * i], places[3 * i + 1], places[3 * i + 2]));
    const Eigen::Vector3f middle = box.center(), size = box.sizes().array() + 1.6f;
    // Rows about as wide as the first island, or as a square of all small ones.
    if (k == 0) widest = std::max<double>(3.0 * size[0], 1.6 * std::sqrt(double(islands.count())));
    if (x > 0 && x + size[0] > widest) {
      x = 0;
      y -= row_height;
      row_height = 0;
    }
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const auto node = std::size_t(nodes[i]);
      out.island[node] = int(k);
      out.position[3 * node] = float(x + size[0] / 2) + places[3 * i] - middle[0];
      out.position[3 * node + 1] = float(y - size[1] / 2) + places[3 * i + 1] - middle[1];
      out.position[3 * node + 2] = places[3 * i + 2] - middle[2];
    }
    x += size[0];
    row_height = std::max<double>(row_height, size[1]);
  }
  return out;
}

/// ‖r_α − P_K(r_α − û_α)‖ of each contact.
template <int D>
std::vector<double> contact_errors(const ReducedProblem& problem, const std::vector<double>& r,
                                   const std::vector<double>& u) {
  std::vector<double> errors;
  for (std::size_t c = 0; c < problem.mu().size(); ++c) {
    const double mu = problem.mu()[c];
    const double *rc = &r[D * c], *uc = &u[D * c];
    double slip = 0, square = 0;
    for (int k = 1; k < D; ++k) slip += uc[k] * uc[k];
    internal::Vec<D> x;
    for (std::size_t k = 0; k < D; ++k) x[k] = rc[k] - uc[k] - (k == 0 ? mu * std::sqrt(slip) : 0);
    const internal::Vec<D> p = internal::project_on_cone<D>(x, mu);
    for (std::size_t k = 0; k < D; ++k) square += (rc[k] - p[k]) * (rc[k] - p[k]);
    errors.push_back(std::sqrt(square));
  }
  return errors;
}

ReducedProblem reduced_of(const ProblemFile& file) {
  if (const auto* reduced = std::get_if<ReducedProblem>(&file.problem)) return *reduced;
  return Reduction(std::get<GlobalProblem>(file.problem)).reduced();
}

}  // namespace

struct ProblemSource::State {
  State(ProblemFile given, const SolveChoice& how)
      : file(std::move(given)), problem(reduced_of(file)), choice(how), solver(how.solver) {}

  ProblemFile file;
  ReducedProblem problem;
  SolveChoice choice;
  Solver solver;
  std::string info;

  mutable std::mutex mutex;
  std::vector<Progress> history;
  long seen = 0, stride = 1;
  bool done = false;
  std::string result = {};  // JSON of what is known at the end
  std::atomic<bool> cancel{false};
  std::thread worker;

  void look(const Progress& progress);
  void solve();
  std::string point(const std::vector<double>& r, const char* source) const;
};

/// Keeps every so many, twice as many apart whenever they become too many.
void ProblemSource::State::look(const Progress& progress) {
  const std::lock_guard lock(mutex);
  if (seen++ % stride != 0) return;
  history.push_back(progress);
  if (history.size() < most_history) return;
  for (std::size_t k = 0; 2 * k < history.size(); ++k) history[k] = history[2 * k];
  history.resize((history.size() + 1) / 2);
  stride *= 2;
}

/// Impulses, velocities, statuses and errors of a point.
std::string ProblemSource::State::point(const std::vector<double>& r, const char* source) const {
  std::vector<double> u(r.size());
  const double error = natural_error(problem, r, u);
  std::vector<ContactStatus> statuses(problem.mu().size());
  internal::contact_statuses(problem, error, r, u, statuses);
  std::vector<int> status;
  for (ContactStatus one : statuses) status.push_back(int(one));
  const std::vector<double> errors =
      problem.dimension() == 3 ? contact_errors<3>(problem, r, u) : contact_errors<2>(problem, r, u);
  return fmt::format(
      "\"point\":{{\"source\":\"{}\",\"error\":{},\"r\":{},\"u\":{},\"status\":{},\"errors\":{}}}", source,
      number_text(error, 6), list_text(r, 7), list_text(u, 7), list_text(status), list_text(errors, 4));
}

void ProblemSource::State::solve() {
  std::string text;
  try {
    SolveRequest request;
    request.tolerance = choice.tolerance;
    request.time_limit = choice.time_limit;
    request.cancel = &cancel;
    request.observer = [this](const Progress& progress) { look(progress); };
    const SolveResult found = solver.solve(problem, request);
    text = fmt::format(
        "\"status\":\"{}\",\"solver\":{},\"used\":{},\"stage\":{},\"iterations\":{},\"total\":{},"
        "\"error\":{},\"message\":{}",
        name(found.status), json_string(found.solver), json_string(found.solver_used),
        json_string(found.stage), found.iterations, number_text(found.timing.total, 6),
        number_text(found.error(), 6), json_string(found.message));
    if (found.r.size() == problem.q().size()) text += "," + point(found.r, "this solve");
    const std::lock_guard lock(mutex);
    history.push_back({found.iterations, found.timing.total, found.error()});
  } catch (const std::exception& error) {
    text = fmt::format("\"status\":\"not solved\",\"message\":{}", json_string(error.what()));
  }
  const std::lock_guard lock(mutex);
  result = text;
  done = true;
}

ProblemSource::ProblemSource(const std::filesystem::path& path, const SolveChoice& choice)
    : state_(std::make_unique<State>(read_problem(path), choice)) {
  State& s = *state_;
  const BlockMatrix& W = s.problem.W();
  const std::size_t d2 = std::size_t(W.dimension()) * std::size_t(W.dimension());
  std::vector<Edge> edges;
  for (int i = 0; i < W.size(); ++i)
    for (Index k = W.row_start()[std::size_t(i)]; k < W.row_start()[std::size_t(i) + 1]; ++k) {
      const int j = W.column()[std::size_t(k)];
      const double weight = Eigen::Map<const Eigen::VectorXd>(W.block(k), Eigen::Index(d2)).norm();
      if (j > i && weight > 0) edges.push_back({i, j, weight});
    }
  const std::size_t all = edges.size();
  if (all > most_edges) {
    std::nth_element(edges.begin(), edges.begin() + most_edges, edges.end(),
                     [](const Edge& a, const Edge& b) { return a.weight > b.weight; });
    edges.resize(most_edges);
  }
  std::vector<int> ends;
  for (const Edge& edge : edges) ends.insert(ends.end(), {edge.a, edge.b});
  const Layout layout = lay_out(W);
  s.info = fmt::format(
      "{{\"kind\":\"problem\",\"name\":{},\"title\":{},\"description\":{},\"form\":\"{}\",\"contacts\":{},"
      "\"dimension\":{},\"islands\":{},\"couplings\":{},\"edges\":{},\"position\":{},\"island\":{},\"mu\":{},"
      "\"tolerance\":{}",
      json_string(path.filename().string()), json_string(s.file.info.title),
      json_string(s.file.info.description), s.file.is_global() ? "global" : "reduced", s.problem.contacts(),
      s.problem.dimension(), layout.islands, all, list_text(ends), list_text(layout.position, 5),
      list_text(layout.island), list_text(s.problem.mu(), 6), number_text(choice.tolerance, 6));
  if (s.file.solution && s.file.solution->r.size() == s.problem.q().size())
    s.info += "," + s.point(s.file.solution->r, "the file");
  s.info += "}";
  s.worker = std::thread([&s] { s.solve(); });
}

ProblemSource::~ProblemSource() {
  state_->cancel = true;
  finish();
}

void ProblemSource::finish() const {
  if (state_->worker.joinable()) state_->worker.join();
}

std::string ProblemSource::info() const { return state_->info; }

std::string ProblemSource::solve() const {
  const State& s = *state_;
  const std::lock_guard lock(s.mutex);
  std::vector<long> iteration;
  std::vector<double> seconds, error;
  for (const Progress& one : s.history) {
    iteration.push_back(one.iteration);
    seconds.push_back(one.seconds);
    error.push_back(one.error);
  }
  return fmt::format("{{\"done\":{},\"iteration\":{},\"seconds\":{},\"history\":{}{}{}}}",
                     s.done ? "true" : "false", list_text(iteration), list_text(seconds, 5),
                     list_text(error, 5), s.done ? "," : "", s.result);
}

}  // namespace stickslip::viewer
