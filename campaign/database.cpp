#include "campaign/database.hpp"

#include <sqlite3.h>

#include "stickslip/errors.hpp"

namespace stickslip::campaign {

Database::Database(const std::filesystem::path& path, Mode mode) : name_(path.string()) {
  if (mode != Mode::create && !std::filesystem::is_regular_file(path))
    throw InputError(name_ + ": no such campaign");
  const int flags = mode == Mode::create ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READWRITE;
  int code = sqlite3_open_v2(name_.c_str(), &handle_, flags, nullptr);
  // A campaign on a read-only medium can still be read.
  if (code != SQLITE_OK && mode == Mode::read) {
    sqlite3_close(handle_);
    code = sqlite3_open_v2(name_.c_str(), &handle_, SQLITE_OPEN_READONLY, nullptr);
  }
  if (code != SQLITE_OK) {
    const std::string why = handle_ ? sqlite3_errmsg(handle_) : sqlite3_errstr(code);
    sqlite3_close(handle_);
    if (mode == Mode::create) throw OutputError(name_ + ": cannot be created: " + why);
    throw InputError(name_ + ": cannot be opened: " + why);
  }
  sqlite3_extended_result_codes(handle_, 1);
  sqlite3_busy_timeout(handle_, 10'000);
}

Database::~Database() { sqlite3_close(handle_); }

void Database::fail() const {
  const std::string line = name_ + ": " + sqlite3_errmsg(handle_);
  switch (sqlite3_errcode(handle_) & 0xFF) {
    case SQLITE_NOTADB:
    case SQLITE_CORRUPT:
      throw InputError(line + " (not a campaign, or a damaged one)");
    case SQLITE_FULL:
    case SQLITE_IOERR:
      throw OutputError(line + "; rows written before are safe, 'campaign resume' continues");
    case SQLITE_BUSY:
      throw OutputError(line + " (another process is writing to this campaign)");
    default:
      throw OutputError(line);
  }
}

void Database::execute(const std::string& sql) {
  if (sqlite3_exec(handle_, sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) fail();
}

std::int64_t Database::last_id() const { return sqlite3_last_insert_rowid(handle_); }

Statement::Statement(const Database& database, const std::string& sql) : database_(database) {
  check(sqlite3_prepare_v2(database.handle(), sql.c_str(), -1, &handle_, nullptr));
}

Statement::~Statement() { sqlite3_finalize(handle_); }

void Statement::check(int code) const {
  if (code != SQLITE_OK) database_.fail();
}

Statement& Statement::bind(std::int64_t value) {
  check(sqlite3_bind_int64(handle_, ++parameter_, value));
  return *this;
}

Statement& Statement::bind(double value) {
  check(sqlite3_bind_double(handle_, ++parameter_, value));
  return *this;
}

Statement& Statement::bind(const std::string& value) {
  check(
      sqlite3_bind_text64(handle_, ++parameter_, value.data(), value.size(), SQLITE_TRANSIENT, SQLITE_UTF8));
  return *this;
}

Statement& Statement::bind_null() {
  check(sqlite3_bind_null(handle_, ++parameter_));
  return *this;
}

bool Statement::step() {
  const int code = sqlite3_step(handle_);
  column_ = 0;
  if (code == SQLITE_ROW) return true;
  if (code != SQLITE_DONE) {
    sqlite3_reset(handle_);
    database_.fail();
  }
  return false;
}

void Statement::run() {
  while (step()) {
  }
  check(sqlite3_reset(handle_));
  parameter_ = 0;
}

bool Statement::is_null() const { return sqlite3_column_type(handle_, column_) == SQLITE_NULL; }
void Statement::get(std::int64_t& value) { value = sqlite3_column_int64(handle_, column_++); }
void Statement::get(double& value) { value = sqlite3_column_double(handle_, column_++); }
void Statement::get(bool& value) { value = sqlite3_column_int64(handle_, column_++) != 0; }

void Statement::get(std::string& value) {
  const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(handle_, column_));
  value.assign(text ? text : "", text ? std::size_t(sqlite3_column_bytes(handle_, column_)) : 0);
  ++column_;
}

Transaction::Transaction(Database& database) : database_(database) { database_.execute("BEGIN IMMEDIATE"); }

Transaction::~Transaction() {
  if (open_) sqlite3_exec(database_.handle(), "ROLLBACK", nullptr, nullptr, nullptr);
}

void Transaction::commit() {
  database_.execute("COMMIT");
  open_ = false;
}

}  // namespace stickslip::campaign
