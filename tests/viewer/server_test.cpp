// The server as an attacker sees it: raw bytes over a socket.

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>

#include <atomic>
#include <fstream>
#include <thread>

#include "record_maker.hpp"
#include "stickslip/errors.hpp"
#include "viewer/bundle.hpp"
#include "viewer/export_page.hpp"
#include "viewer/http_server.hpp"
#include "viewer/site.hpp"

namespace stickslip::viewer {
namespace {

using tests::Folder;

/// Sends the bytes and reads until the other side closes.
std::string talk(int port, const std::string& bytes) {
  const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(std::uint16_t(port));
  timeval patience{20, 0};
  ::setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  EXPECT_EQ(::connect(socket, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  for (std::size_t sent = 0; sent < bytes.size();) {
    const ssize_t n = ::send(socket, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
    if (n <= 0) break;
    sent += std::size_t(n);
  }
  std::string answer;
  char piece[65536];
  for (ssize_t n; (n = ::recv(socket, piece, sizeof piece, 0)) > 0;) answer.append(piece, std::size_t(n));
  ::close(socket);
  return answer;
}

int status_of(const std::string& answer) {
  return answer.starts_with("HTTP/1.1 ") ? std::atoi(answer.c_str() + 9) : 0;
}

class Serving {
 public:
  explicit Serving(HttpServer::Handler handler)
      : server_(0, std::move(handler)), thread_([this] { server_.serve(stop_); }) {}
  ~Serving() {
    stop_ = true;
    thread_.join();
  }
  int port() const { return server_.port(); }
  std::string ask(const std::string& line, const std::string& more = "",
                  const std::string& host = "127.0.0.1") const {
    return talk(port(),
                line + " HTTP/1.1\r\nHost: " + host + ":" + std::to_string(port()) + "\r\n" + more + "\r\n");
  }

 private:
  std::atomic<bool> stop_{false};
  HttpServer server_;
  std::thread thread_;
};

HttpServer::Handler echo() {
  return [](const Request& request) {
    if (request.path == "/large")
      return Response{200, "application/octet-stream", std::string(30'000'000, 'x')};
    return Response{200, "text/plain", request.path + " " + std::to_string(request.number("n", 7))};
  };
}

TEST(HttpServer, answers_get_and_head) {
  const Serving serving(echo());
  const std::string answer = serving.ask("GET /a?n=12");
  EXPECT_EQ(status_of(answer), 200);
  EXPECT_TRUE(answer.ends_with("\r\n\r\n/a 12"));
  EXPECT_NE(answer.find("Content-Security-Policy: default-src 'none'"), std::string::npos);
  EXPECT_NE(answer.find("X-Content-Type-Options: nosniff"), std::string::npos);
  EXPECT_EQ(answer.find("Access-Control"), std::string::npos);
  const std::string head = serving.ask("HEAD /a");
  EXPECT_EQ(status_of(head), 200);
  EXPECT_TRUE(head.ends_with("\r\n\r\n"));
  EXPECT_EQ(status_of(serving.ask("GET /a", "", "localhost")), 200);
  EXPECT_EQ(status_of(serving.ask("GET /a?n=x")), 400);
}

TEST(HttpServer, refuses_other_hosts_sites_and_methods) {
  const Serving serving(echo());
  EXPECT_EQ(status_of(serving.ask("GET /", "", "evil.example")), 421);
  EXPECT_EQ(status_of(serving.ask("GET /", "", "127.0.0.1.evil.example")), 421);
  EXPECT_EQ(status_of(talk(serving.port(), "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")), 421)
      << "without the port";
  EXPECT_EQ(status_of(talk(serving.port(), "GET / HTTP/1.1\r\n\r\n")), 421) << "without a host";
  EXPECT_EQ(status_of(serving.ask("GET /", "Host: evil.example\r\n")), 421) << "two hosts";
  EXPECT_EQ(status_of(serving.ask("GET /", "Sec-Fetch-Site: cross-site\r\n")), 403);
  for (const char* method : {"POST", "PUT", "DELETE", "OPTIONS", "TRACE", "CONNECT", "get"})
    EXPECT_EQ(status_of(serving.ask(std::string(method) + " /")), 405) << method;
  EXPECT_EQ(status_of(serving.ask("GET /", "Content-Length: 5\r\n")), 400);
  EXPECT_EQ(status_of(serving.ask("GET /", "Transfer-Encoding: chunked\r\n")), 400);
  EXPECT_EQ(status_of(serving.ask("GET http://elsewhere/")), 400);
}

TEST(HttpServer, survives_nonsense_and_large_requests) {
  const Serving serving(echo());
  EXPECT_EQ(status_of(talk(serving.port(), "GARBAGE\r\n\r\n")), 400);
  EXPECT_EQ(status_of(talk(serving.port(), "\r\n\r\n")), 400);
  EXPECT_EQ(status_of(talk(serving.port(), std::string("\0\xff GET\r\n\r\n", 11))), 400);
  EXPECT_EQ(status_of(serving.ask("GET /" + std::string(20000, 'a'))), 431);
  EXPECT_EQ(status_of(talk(serving.port(), std::string(100000, 'x'))), 431);
  EXPECT_EQ(status_of(serving.ask("GET /")), 200) << "and goes on";
}

TEST(HttpServer, serves_many_at_once) {
  const Serving serving(echo());
  std::atomic<int> good{0};
  std::vector<std::thread> readers;
  for (int k = 0; k < 40; ++k)
    readers.emplace_back([&, k] {
      const std::string answer = serving.ask(k % 10 == 0 ? "GET /large" : "GET /small");
      if (status_of(answer) == 200 && (k % 10 != 0 || answer.size() > 30'000'000)) ++good;
    });
  for (std::thread& reader : readers) reader.join();
  EXPECT_EQ(good, 40);
}

TEST(HttpServer, a_taken_port_is_said) {
  const Serving serving(echo());
  EXPECT_THROW(HttpServer(serving.port(), echo()), InputError);
  EXPECT_THROW(HttpServer(70000, echo()), InputError);
}

class SiteTest : public testing::Test {
 protected:
  void SetUp() override {
    if (bundle::page().empty()) GTEST_SKIP() << "this build has no viewer page (npm failed)";
    tests::make_record(folder_ / "run.h5", 5);
    std::ofstream(folder_ / "secret.txt") << "secret";
  }
  Folder folder_;
};

TEST_F(SiteTest, serves_its_record_and_nothing_else) {
  Site site(folder_ / "run.h5", {});
  const Serving serving([&](const Request& request) { return site.answer(request); });
  for (const char* path :
       {"/", "/viewer.js", "/viewer.css", "/api/items", "/api/0/info", "/api/0/progress?first=2",
        "/api/0/bodies?first=1&count=2", "/api/0/contacts?first=1&count=2", "/api/0/steps?points=5",
        "/api/0/body?index=0", "/api/0/contact?key=1"})
    EXPECT_EQ(status_of(serving.ask(std::string("GET ") + path)), 200) << path;
  for (const char* path :
       {"/secret.txt", "/../secret.txt", "/api/0/../../secret.txt", "/%2e%2e/secret.txt", "//secret.txt",
        "/api/../secret.txt", "/run.h5", "/api/1/info", "/api/-1/info", "/api/0", "/api/0/", "/api/0/info/",
        "/api/0/..", "/api/99999999999999999999/info", "/api/0x0/info", "/api//info", "/viewer.js/x"}) {
    const std::string answer = serving.ask(std::string("GET ") + path);
    EXPECT_EQ(status_of(answer), 404) << path;
    EXPECT_EQ(answer.find("secret\n"), std::string::npos);
  }
  EXPECT_EQ(status_of(serving.ask("GET /api/0/bodies?first=-1")), 400);
  EXPECT_EQ(status_of(serving.ask("GET /api/0/body?index=3")), 400);
  EXPECT_EQ(status_of(serving.ask("POST /api/0/info")), 405);
}

TEST_F(SiteTest, two_viewers_at_once) {
  Site first(folder_ / "run.h5", {}), second(folder_ / "run.h5", {});
  const Serving one([&](const Request& request) { return first.answer(request); });
  const Serving other([&](const Request& request) { return second.answer(request); });
  std::atomic<int> good{0};
  std::vector<std::thread> readers;
  for (int k = 0; k < 24; ++k)
    readers.emplace_back([&, k] {
      const Serving& serving = k % 2 == 0 ? one : other;
      good += status_of(serving.ask("GET /api/0/bodies?first=" + std::to_string(k % 6))) == 200;
    });
  for (std::thread& reader : readers) reader.join();
  EXPECT_EQ(good, 24);
}

TEST_F(SiteTest, a_record_deleted_while_viewing_gives_a_message) {
  Site site(folder_ / "run.h5", {});
  EXPECT_EQ(site.answer({"/api/0/info", {}}).status, 200);
  std::filesystem::remove(folder_ / "run.h5");
  const Response answer = site.answer({"/api/0/bodies", {{"first", "0"}}});
  EXPECT_EQ(answer.status, 410);
  EXPECT_NE(answer.body.find("there is no such record"), std::string::npos);
}

TEST_F(SiteTest, a_folder_lists_what_is_in_it) {
  tests::make_record(folder_ / "second.h5", 1);
  Site site(folder_.path(), {});
  EXPECT_EQ(site.items(),
            R"({"items":[{"name":"run.h5","kind":"record"},{"name":"second.h5","kind":"record"}]})");
  EXPECT_EQ(site.answer({"/api/1/info", {}}).status, 200);
  EXPECT_THROW(Site(folder_ / "secret.txt", {}), InputError);
  EXPECT_THROW(Site(folder_ / "nowhere", {}), InputError);
}

TEST_F(SiteTest, an_exported_page_keeps_its_budget_and_says_what_it_left_out) {
  tests::make_record(folder_ / "long.h5", 400);
  const Site site(folder_ / "long.h5", {});
  const ExportNote whole = export_page(site, folder_ / "whole.html");
  EXPECT_EQ(whole.left_out, "");
  EXPECT_EQ(whole.bytes, std::filesystem::file_size(folder_ / "whole.html"));
  // Room for about half of the frames beside the page, its text and the figures of the steps.
  const std::uint64_t room = whole.bytes - site.run(0)->steps(1000).size() - site.run(0)->info().size();
  tests::make_record(folder_ / "short.h5", 1);
  const ExportNote least = export_page(Site(folder_ / "short.h5", {}), folder_ / "short.html");
  ASSERT_GT(room, least.bytes);
  const std::uint64_t budget = whole.bytes - (room - least.bytes) / 2;
  const ExportNote thin = export_page(site, folder_ / "thin.html", budget);
  EXPECT_LE(thin.bytes, budget);
  EXPECT_NE(thin.left_out.find("of 401 frames are left out"), std::string::npos) << thin.left_out;
  EXPECT_THROW(export_page(site, folder_ / "none.html", 1000), InputError);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "none.html"));
}

}  // namespace
}  // namespace stickslip::viewer
