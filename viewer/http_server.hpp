// A small server of HTTP/1.1 for one person on one machine: GET and HEAD, on the loopback address only.
//
// What a browser may be talked into by another page is refused: a Host header that is not this address (DNS rebinding), requests that come
// from another site, every method that changes something. There are no paths of files anywhere; a handler knows its routes.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>

namespace stickslip::viewer {

struct Request {
  std::string path;                          ///< decoded nowhere: a % in a path is no route of ours
  std::map<std::string, std::string> query;  ///< after the ?, plain numbers and words

  /// A whole number of the query; `fallback` where it is not there. Throws InputError where it is none.
  std::uint64_t number(const std::string& name, std::uint64_t fallback) const;
};

struct Response {
  int status = 200;
  std::string type = "application/json";
  std::string body = {};
  std::string policy = {};  ///< of content security; empty: scripts, styles and data of this server only
};

/// {"message": …}, which the page shows.
Response failure(int status, const std::string& message);

class HttpServer {
 public:
  using Handler = std::function<Response(const Request&)>;

  /// Listens on 127.0.0.1; port 0: any that is free. Throws InputError where the port is taken.
  HttpServer(int port, Handler handler);
  ~HttpServer();

  int port() const;
  std::string address() const;  ///< http://127.0.0.1:PORT/
  /// Answers until `stop` is set; looks at it five times a second.
  void serve(const std::atomic<bool>& stop);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace stickslip::viewer
