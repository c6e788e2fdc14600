#include "campaign/runner.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstring>
#include <deque>
#include <list>
#include <map>

#include "campaign/host.hpp"
#include "campaign/machine.hpp"
#include "stickslip/errors.hpp"

namespace stickslip::campaign {
namespace {

namespace fs = std::filesystem;

/// A host process and what it has said so far. Ends it when destroyed.
class HostProcess {
 public:
  HostProcess(HostOrder order, int slot) : order_(std::move(order)), slot_(slot) {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) throw OutputError(std::string("no pipe: ") + std::strerror(errno));
    const pid_t parent = ::getpid();
    pid_ = ::fork();
    if (pid_ < 0) {
      ::close(ends[0]), ::close(ends[1]);
      throw OutputError(std::string("no process can be started: ") + std::strerror(errno));
    }
    if (pid_ == 0) {
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);
      if (::getppid() != parent) ::_exit(1);
      ::close(ends[0]);
      host(order_, ends[1]);
      ::_exit(0);
    }
    ::close(ends[1]);
    from_ = ends[0];
  }
  ~HostProcess() {
    if (pid_ > 0) {
      ::kill(pid_, SIGTERM);
      end();
    }
    ::close(from_);
  }
  HostProcess(const HostProcess&) = delete;
  HostProcess& operator=(const HostProcess&) = delete;

  int descriptor() const { return from_; }
  int slot() const { return slot_; }
  const HostOrder& order() const { return order_; }

  /// Takes what is there and hands over whole lines. False at the end.
  bool listen(const std::function<void(const std::string&)>& line) {
    char buffer[65536];
    const ssize_t count = ::read(from_, buffer, sizeof buffer);
    if (count < 0) return errno == EINTR || errno == EAGAIN;
    text_.append(buffer, std::size_t(count));
    std::size_t at = 0;
    for (std::size_t end; (end = text_.find('\n', at)) != std::string::npos; at = end + 1)
      line(text_.substr(at, end - at));
    text_.erase(0, at);
    return count > 0;
  }

  /// Waits for the process and says how it ended.
  std::string end() {
    int status = 0;
    while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
    }
    pid_ = 0;
    if (WIFSIGNALED(status))
      return fmt::format("ended by signal {} ({})", WTERMSIG(status), ::strsignal(WTERMSIG(status)));
    return fmt::format("ended with exit status {}", WEXITSTATUS(status));
  }

  std::size_t next = 0;    ///< tasks before this one are finished
  bool under_way = false;  ///< whether that one has begun
  std::string unloadable;  ///< why the problem could not be loaded

 private:
  HostOrder order_;
  int slot_;
  pid_t pid_ = 0;
  int from_ = -1;
  std::string text_;
};

/// A folder that is removed in the end.
class Scratch {
 public:
  explicit Scratch(fs::path path) : path_(std::move(path)) { clear(); }
  ~Scratch() { clear(); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  fs::path of_slot(int slot) const {
    fs::path path = path_ / std::to_string(slot);
    std::error_code failure;
    fs::create_directories(path, failure);
    if (failure) throw OutputError(path.string() + ": cannot be created: " + failure.message());
    return path;
  }

 private:
  void clear() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  fs::path path_;
};

class Runner {
 public:
  Runner(Store& store, const fs::path& folder, const RunnerOptions& options)
      : store_(store), options_(options), scratch_(folder / "scratch") {
    const auto meta = store.meta();
    const auto at = [&](const char* key) { return meta.count(key) ? meta.at(key) : std::string(); };
    settings_ = read_settings(at("plan"), at("plan_name"));
    plan_folder_ = at("plan_folder");
    machine_ = this_machine();
    store.add(machine_);
    for (const auto& problem : store.problems()) problems_[problem.id] = problem;
    for (const auto& solver : store.solvers()) solvers_[solver.id] = solver;
    progress_.total = store.tasks().size();
    for (const auto& run : store.runs()) ++progress_.finished, progress_.solved += run.solved;
    for (const auto& task : store.pending()) {
      if (waiting_.empty() || waiting_.back().front().problem != task.problem) waiting_.emplace_back();
      waiting_.back().push_back(task);
    }
    cores_ = usable_cores();
    for (int slot = 0; slot < options.jobs; ++slot) free_.push_back(slot);
  }

  RunnerSummary run() {
    while (!(waiting_.empty() && hosts_.empty())) {
      if (options_.stop && options_.stop->load()) return {progress_, true};
      while (!waiting_.empty() && !free_.empty()) {
        const std::vector<Task> tasks = std::move(waiting_.front());
        waiting_.pop_front();
        start(tasks);
      }
      listen();
    }
    return {progress_, false};
  }

 private:
  void start(const std::vector<Task>& tasks) {
    HostOrder order;
    order.problem = problems_.at(tasks.front().problem);
    order.tasks = tasks;
    for (const auto& task : tasks) order.solvers.push_back(solvers_.at(task.solver));
    order.settings = settings_;
    order.plan_folder = plan_folder_;
    const int slot = free_.front();
    free_.pop_front();
    order.scratch = scratch_.of_slot(slot);
    for (std::int64_t k = 0; k < settings_.threads && k < std::int64_t(cores_.size()); ++k)
      order.cores.push_back(cores_[std::size_t(slot * settings_.threads + k) % cores_.size()]);
    hosts_.push_back(std::make_unique<HostProcess>(std::move(order), slot));
  }

  void listen() {
    std::vector<pollfd> waits;
    for (const auto& host : hosts_) waits.push_back({host->descriptor(), POLLIN, 0});
    ::poll(waits.data(), nfds_t(waits.size()), 100);
    std::size_t k = 0;
    for (auto at = hosts_.begin(); at != hosts_.end(); ++k) {
      HostProcess& host = **at;
      const bool goes_on = waits[k].revents == 0 ||
                           host.listen([&](const std::string& line) { take(host, read_host_line(line)); });
      if (goes_on) {
        ++at;
        continue;
      }
      finish(host);
      free_.push_back(host.slot());
      at = hosts_.erase(at);
    }
    notify(nullptr);
  }

  void take(HostProcess& host, HostMessage message) {
    if (auto* loaded = std::get_if<Loaded>(&message)) {
      store_.set_figures(loaded->problem);
      problems_[loaded->problem.id] = loaded->problem;
    } else if (auto* unloadable = std::get_if<Unloadable>(&message)) {
      host.unloadable = unloadable->why;
    } else if (auto* changed = std::get_if<Changed>(&message)) {
      throw InputError(changed->why);
    } else if (auto* started = std::get_if<Started>(&message)) {
      host.next = started->task;
      host.under_way = true;
    } else if (auto* run = std::get_if<RunRecord>(&message)) {
      add(*run);
      ++host.next;
      host.under_way = false;
    }
  }

  /// A host that came to its end: what it did not do becomes rows, or is given to another host.
  void finish(HostProcess& host) {
    const std::string how = host.end();
    const auto& tasks = host.order().tasks;
    if (host.next >= tasks.size()) return;
    if (!host.under_way) {
      // It could not load the problem, whether it said so or died of it.
      ProblemRecord problem = problems_.at(host.order().problem.id);
      problem.message = host.unloadable.empty() ? "the process that loads it " + how : host.unloadable;
      store_.set_figures(problem);
      for (std::size_t k = host.next; k < tasks.size(); ++k) fail(tasks[k], "load_failed", problem.message);
      return;
    }
    fail(tasks[host.next], "crashed", "the process that watches the solve " + how);
    const std::vector<Task> rest(tasks.begin() + std::ptrdiff_t(host.next) + 1, tasks.end());
    if (!rest.empty()) waiting_.push_front(rest);
  }

  void fail(const Task& task, const std::string& status, const std::string& message) {
    RunRecord run;
    run.task = task;
    run.status = status;
    run.message = message;
    run.started = now_utc();
    add(run);
  }

  void add(RunRecord& run) {
    run.machine = machine_.id;
    store_.add(run);
    ++progress_.finished;
    ++progress_.new_rows;
    progress_.solved += run.solved;
    notify(&run);
  }

  void notify(const RunRecord* run) {
    progress_.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    if (options_.observer) options_.observer(progress_, run, run ? &solvers_.at(run->task.solver) : nullptr);
  }

  Store& store_;
  const RunnerOptions& options_;
  Scratch scratch_;  // outlives the hosts
  Settings settings_;
  fs::path plan_folder_;
  Machine machine_;
  std::map<std::int64_t, ProblemRecord> problems_;
  std::map<std::int64_t, SolverRecord> solvers_;
  std::deque<std::vector<Task>> waiting_;
  std::deque<int> free_;
  std::vector<int> cores_;
  std::list<std::unique_ptr<HostProcess>> hosts_;
  RunnerProgress progress_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace

void write_plan(Store& store, const Plan& plan) {
  auto transaction = store.transaction();
  store.set_meta("created", now_utc());
  store.set_meta("version", this_machine().version);
  store.set_meta("title", plan.title);
  store.set_meta("plan", plan.text);
  store.set_meta("plan_name", plan.file.filename().string());
  store.set_meta("plan_folder", plan.file.parent_path().string());
  std::vector<SolverRecord> solvers = plan.solvers;
  for (auto& solver : solvers) store.add(solver);
  for (const auto& set : plan.sets)
    for (ProblemRecord problem : set.problems) {
      store.add(problem);
      for (const auto& goal : set.goals)
        for (const auto& solver : solvers)
          store.add(Task{problem.id, solver.id, goal.tolerance, goal.time_limit});
    }
  transaction.commit();
}

RunnerSummary run_pending(Store& store, const fs::path& folder, const RunnerOptions& options) {
  return Runner(store, folder, options).run();
}

}  // namespace stickslip::campaign
