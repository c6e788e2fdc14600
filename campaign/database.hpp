// SQLite with owners: a connection, a prepared statement, a transaction. Errors are exceptions with one line.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

struct sqlite3;
struct sqlite3_stmt;

namespace stickslip::campaign {

class Database {
 public:
  enum class Mode { read, write, create };
  /// Throws InputError when the file is absent, unreadable or no database; OutputError when it cannot be
  /// made.
  Database(const std::filesystem::path& path, Mode mode);
  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  void execute(const std::string& sql);
  std::int64_t last_id() const;
  sqlite3* handle() const { return handle_; }
  const std::string& name() const { return name_; }
  /// Throws what SQLite complains about: OutputError for a full disk and the like, InputError for damage.
  [[noreturn]] void fail() const;

 private:
  std::string name_;
  sqlite3* handle_ = nullptr;
};

/// `bind` fills the ? in order; `step` is true while there is a row; `get` takes its columns in order.
class Statement {
 public:
  Statement(const Database& database, const std::string& sql);
  ~Statement();
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;

  Statement& bind(std::int64_t value);
  Statement& bind(double value);
  Statement& bind(const std::string& value);
  Statement& bind(bool value) { return bind(std::int64_t(value)); }
  template <class T>
  Statement& bind(const std::optional<T>& value) {
    return value ? bind(*value) : bind_null();
  }
  Statement& bind_null();

  bool step();
  /// Steps to the end and makes it ready for other values.
  void run();

  void get(std::int64_t& value);
  void get(double& value);
  void get(bool& value);
  void get(std::string& value);
  template <class T>
  void get(std::optional<T>& value) {
    if (is_null()) {
      ++column_;
      value.reset();
    } else {
      get(value.emplace());
    }
  }

 private:
  bool is_null() const;
  void check(int code) const;

  const Database& database_;
  sqlite3_stmt* handle_ = nullptr;
  int parameter_ = 0, column_ = 0;
};

/// Begins at once; rolled back unless committed.
class Transaction {
 public:
  explicit Transaction(Database& database);
  ~Transaction();
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  void commit();

 private:
  Database& database_;
  bool open_ = true;
};

}  // namespace stickslip::campaign
