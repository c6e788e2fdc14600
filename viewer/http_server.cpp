#include "viewer/http_server.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <thread>

#include "stickslip/errors.hpp"

namespace stickslip::viewer {
namespace {

constexpr std::size_t most_request_bytes = 8192;
constexpr int most_connections = 32;
constexpr std::chrono::seconds patience{10};

const char* reason(int status) {
  switch (status) {
    case 200:
      return "OK";
    case 400:
      return "Bad Request";
    case 403:
      return "Forbidden";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    case 410:
      return "Gone";
    case 421:
      return "Misdirected Request";
    case 431:
      return "Request Header Fields Too Large";
    case 503:
      return "Service Unavailable";
    default:
      return "Error";
  }
}

/// Nothing but what this server sends may run or be asked for, and no other page may hold this one.
constexpr std::string_view own_policy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'";
constexpr std::string_view guards =
    "; base-uri 'none'; form-action 'none'; frame-ancestors 'none'\r\n"
    "X-Content-Type-Options: nosniff\r\nX-Frame-Options: DENY\r\nReferrer-Policy: no-referrer\r\n"
    "Cross-Origin-Resource-Policy: same-origin\r\nCross-Origin-Opener-Policy: same-origin\r\nCache-Control: "
    "no-store\r\n";

class Socket {
 public:
  explicit Socket(int descriptor) : descriptor_(descriptor) {}
  ~Socket() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  Socket(Socket&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  Socket& operator=(Socket&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
  }
  int get() const { return descriptor_; }

 private:
  int descriptor_;
};

/// Waits for `events` until the deadline or until `stop`.
bool wait_for(int descriptor, short events, std::chrono::steady_clock::time_point deadline,
              const std::atomic<bool>& stop) {
  while (!stop) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
    if (left.count() <= 0) return false;
    pollfd one{descriptor, events, 0};
    const int found = ::poll(&one, 1, int(std::min<long>(left.count(), 200)));
    if (found > 0) return true;
    if (found < 0 && errno != EINTR) return false;
  }
  return false;
}

void send_all(int descriptor, std::string_view bytes, const std::atomic<bool>& stop) {
  while (!bytes.empty()) {
    // The patience is that for the next piece, so that a slow reader gets large answers too.
    if (!wait_for(descriptor, POLLOUT, std::chrono::steady_clock::now() + patience, stop)) return;
    const ssize_t sent = ::send(descriptor, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent > 0)
      bytes.remove_prefix(std::size_t(sent));
    else if (sent < 0 && errno != EAGAIN && errno != EINTR)
      return;
  }
}

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = char(c - 'A' + 'a');
  return out;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

/// The head of a request taken apart; where it is refused, the answer.
struct Head {
  std::string method;
  Request request;
  std::optional<Response> refused;
};

Head parse(std::string_view text, int port) {
  Head head;
  const auto refuse = [&](int status, const char* why) {
    head.refused = failure(status, why);
    return head;
  };
  const std::size_t line_end = text.find("\r\n");
  const std::string_view line = text.substr(0, line_end);
  const std::size_t space = line.find(' '), last = line.rfind(' ');
  if (line_end == std::string_view::npos || space == std::string_view::npos || last == space)
    return refuse(400, "this is no request");
  head.method = line.substr(0, space);
  std::string_view target = line.substr(space + 1, last - space - 1);
  if (!line.substr(last + 1).starts_with("HTTP/1.")) return refuse(400, "this is no request of HTTP/1.1");

  int hosts = 0;
  bool ours = false, cross_site = false, has_body = false;
  for (std::string_view rest = text.substr(line_end + 2); !rest.empty();) {
    const std::size_t end = rest.find("\r\n");
    const std::string_view field = rest.substr(0, end);
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 2);
    if (field.empty()) break;
    const std::size_t colon = field.find(':');
    if (colon == std::string_view::npos) return refuse(400, "a header without a colon");
    const std::string name = lower(field.substr(0, colon)), value = lower(trimmed(field.substr(colon + 1)));
    if (name == "host") {
      ++hosts;
      for (const char* own : {"127.0.0.1", "localhost", "[::1]"})
        ours = ours || value == fmt::format("{}:{}", own, port);
    } else if (name == "sec-fetch-site") {
      cross_site = value == "cross-site";
    } else if (name == "content-length") {
      has_body = has_body || value != "0";
    } else if (name == "transfer-encoding") {
      has_body = true;
    }
  }
  if (hosts != 1 || !ours) return refuse(421, "the Host header names another place");
  if (cross_site) return refuse(403, "the request comes from another site");
  if (head.method != "GET" && head.method != "HEAD") return refuse(405, "only GET and HEAD are answered");
  if (has_body) return refuse(400, "a request here has no content");
  if (!target.starts_with('/')) return refuse(400, "the target is no path");

  const std::size_t question = target.find('?');
  head.request.path = target.substr(0, question);
  if (question != std::string_view::npos)
    for (std::string_view rest = target.substr(question + 1); !rest.empty();) {
      const std::size_t end = rest.find('&');
      const std::string_view pair = rest.substr(0, end);
      rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
      const std::size_t equals = pair.find('=');
      head.request.query[std::string(pair.substr(0, equals))] =
          equals == std::string_view::npos ? "" : std::string(pair.substr(equals + 1));
    }
  return head;
}

}  // namespace

std::uint64_t Request::number(const std::string& name, std::uint64_t fallback) const {
  const auto found = query.find(name);
  if (found == query.end()) return fallback;
  std::uint64_t value = 0;
  const char* end = found->second.data() + found->second.size();
  const auto [at, error] = std::from_chars(found->second.data(), end, value);
  if (error != std::errc() || at != end) throw InputError(fmt::format("{} is no whole number", name));
  return value;
}

Response failure(int status, const std::string& message) {
  return {
      status, "application/json",
      nlohmann::json{{"message", message}}.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace)};
}

struct HttpServer::State {
  Handler handler;
  Socket listener{-1};
  int port = 0;
  std::mutex mutex;
  std::condition_variable all_gone;
  int connections = 0;

  void answer(const Socket& client, const std::atomic<bool>& stop) const;
};

/// One request, one answer; the connection is closed after it.
void HttpServer::State::answer(const Socket& client, const std::atomic<bool>& stop) const {
  const auto deadline = std::chrono::steady_clock::now() + patience;
  std::string text;
  std::array<char, 4096> piece;
  std::size_t end = std::string::npos;
  bool too_large = false;
  while (end == std::string::npos && !too_large) {
    if (!wait_for(client.get(), POLLIN, deadline, stop)) return;
    const ssize_t got = ::recv(client.get(), piece.data(), piece.size(), MSG_DONTWAIT);
    if (got == 0) return;
    if (got < 0) {
      if (errno == EAGAIN || errno == EINTR) continue;
      return;
    }
    text.append(piece.data(), std::size_t(got));
    end = text.find("\r\n\r\n");
    too_large = std::min(end, text.size()) > most_request_bytes;
  }
  Response response;
  std::string method = "GET";
  if (too_large) {
    response = failure(431, "the request is too large");
  } else {
    Head head = parse(std::string_view(text).substr(0, end + 2), port);
    method = head.method;
    if (head.refused) {
      response = *head.refused;
    } else {
      try {
        response = handler(head.request);
      } catch (const InputError& error) {
        response = failure(400, error.what());
      } catch (const std::exception& error) {
        response = failure(500, error.what());
      }
    }
  }
  std::string out = fmt::format(
      "HTTP/1.1 {} {}\r\nContent-Type: {}\r\nContent-Length: {}\r\nConnection: close\r\n"
      "{}Content-Security-Policy: {}{}\r\n",
      response.status, reason(response.status), response.type, response.body.size(),
      response.status == 405 ? "Allow: GET, HEAD\r\n" : "",
      response.policy.empty() ? own_policy : std::string_view(response.policy), guards);
  if (method != "HEAD") out += response.body;
  send_all(client.get(), out, stop);
  // What was not read is read, or the system would cut the answer off; not for long.
  ::shutdown(client.get(), SHUT_WR);
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(1);
  while (wait_for(client.get(), POLLIN, until, stop) &&
         ::recv(client.get(), piece.data(), piece.size(), MSG_DONTWAIT) > 0) {
  }
}

HttpServer::HttpServer(int port, Handler handler) : state_(std::make_unique<State>()) {
  state_->handler = std::move(handler);
  if (port < 0 || port > 65535) throw InputError(fmt::format("--port {}: it must be from 0 to 65535", port));
  const int listener = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (listener < 0) throw InputError(fmt::format("no socket: {}", std::strerror(errno)));
  state_->listener = Socket(listener);
  const int yes = 1;
  ::setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(std::uint16_t(port));
  socklen_t size = sizeof address;
  auto* generic = reinterpret_cast<sockaddr*>(&address);
  if (::bind(listener, generic, size) != 0 || ::listen(listener, most_connections) != 0)
    throw InputError(fmt::format("port {}: {}; choose another by --port", port, std::strerror(errno)));
  ::getsockname(listener, generic, &size);
  state_->port = ntohs(address.sin_port);
}

HttpServer::~HttpServer() = default;

int HttpServer::port() const { return state_->port; }
std::string HttpServer::address() const { return fmt::format("http://127.0.0.1:{}/", state_->port); }

void HttpServer::serve(const std::atomic<bool>& stop) {
  State& state = *state_;
  while (!stop) {
    pollfd one{state.listener.get(), POLLIN, 0};
    if (::poll(&one, 1, 200) <= 0) continue;
    const int accepted = ::accept4(state.listener.get(), nullptr, nullptr, SOCK_CLOEXEC);
    if (accepted < 0) continue;
    auto client = std::make_shared<Socket>(accepted);
    const int yes = 1;
    ::setsockopt(accepted, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    {
      // Beyond the most, the newest wait in the queue of the system.
      std::unique_lock lock(state.mutex);
      state.all_gone.wait_for(lock, patience, [&] { return state.connections < most_connections || stop; });
      if (state.connections >= most_connections) continue;
      ++state.connections;
    }
    std::thread([&state, &stop, client = std::move(client)]() mutable {
      state.answer(*client, stop);
      client.reset();
      const std::lock_guard lock(state.mutex);
      --state.connections;
      state.all_gone.notify_all();
    }).detach();
  }
  std::unique_lock lock(state.mutex);
  state.all_gone.wait(lock, [&] { return state.connections == 0; });
}

}  // namespace stickslip::viewer
