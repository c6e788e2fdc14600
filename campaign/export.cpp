#include "campaign/export.hpp"

#include "base/text.hpp"
#include "campaign/flat_rows.hpp"

namespace stickslip::campaign {

using namespace internal;

namespace {

std::string cell(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}
std::string cell(double value) { return shortest(value); }
std::string cell(std::int64_t value) { return std::to_string(value); }
std::string cell(bool value) { return value ? "1" : "0"; }
template <class T>
std::string cell(const std::optional<T>& value) {
  return value ? cell(*value) : "";
}

const char* type(const std::string&) { return "text"; }
const char* type(double) { return "real"; }
const char* type(std::int64_t) { return "integer"; }
const char* type(bool) { return "boolean"; }
template <class T>
const char* type(const std::optional<T>&) {
  return type(T{});
}

}  // namespace

void write_csv(const Campaign& campaign, std::ostream& out) {
  std::string line;
  flat_columns({}, {}, {}, {},
               [&](const std::string& name, const auto&) { line += (line.empty() ? "" : ",") + name; });
  out << line << "\n";
  each_run(campaign, [&](const auto& problem, const auto& solver, const auto& run, const auto& machine) {
    line.clear();
    bool first = true;
    flat_columns(problem, solver, run, machine, [&](const std::string&, const auto& field) {
      line += (first ? "" : ",") + cell(field);
      first = false;
    });
    out << line << "\n";
  });
}

void write_csv_types(std::ostream& out) {
  out << "column,type\n";
  flat_columns({}, {}, {}, {}, [&](const std::string& name, const auto& field) {
    out << name << ',' << type(field) << "\n";
  });
}

}  // namespace stickslip::campaign
