#include "app/process.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <thread>

namespace stickslip::tests {

std::string read_file(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

Folder::Folder() {
  std::string pattern = (std::filesystem::temp_directory_path() / "stickslip-test-XXXXXX").string();
  if (!::mkdtemp(pattern.data())) throw std::runtime_error("mkdtemp failed");
  path_ = pattern;
}

Folder::~Folder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::vector<std::string> Folder::names() const {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(path_))
    names.push_back(entry.path().filename());
  std::sort(names.begin(), names.end());
  return names;
}

bool catches_interrupt(int pid) {
  std::ifstream status("/proc/" + std::to_string(pid) + "/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("SigCgt:")) return (std::stoull(line.substr(7), nullptr, 16) >> (SIGINT - 1)) & 1;
  return false;
}

Outcome run(const Call& call) {
  const Folder folder;
  const std::string out = call.output.empty() ? (folder / "out").string() : call.output, err = folder / "err";
  std::vector<std::string> words = {STICKSLIP_COMMAND};
  words.insert(words.end(), call.arguments.begin(), call.arguments.end());
  std::vector<char*> argv;
  for (auto& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);

  const pid_t pid = ::fork();
  if (pid == 0) {
    const int to_out = ::open(out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    const int to_err = ::open(err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600),
              from = ::open("/dev/null", O_RDONLY);
    if (to_out < 0 || to_err < 0) ::_exit(99);
    ::dup2(from, 0), ::dup2(to_out, 1), ::dup2(to_err, 2);
    for (const auto& [name, value] : call.environment) ::setenv(name.c_str(), value.c_str(), 1);
    ::execv(argv[0], argv.data());
    ::_exit(98);
  }
  if (call.meanwhile) call.meanwhile(pid);
  int status = 0;
  const auto start = std::chrono::steady_clock::now();
  while (::waitpid(pid, &status, WNOHANG) == 0) {
    if (std::chrono::steady_clock::now() - start > std::chrono::minutes(2)) ::kill(pid, SIGKILL);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  Outcome outcome;
  outcome.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  if (call.output.empty()) outcome.out = read_file(out);
  outcome.err = read_file(err);
  return outcome;
}

Outcome run(std::vector<std::string> arguments) { return run(Call{.arguments = std::move(arguments)}); }

}  // namespace stickslip::tests
