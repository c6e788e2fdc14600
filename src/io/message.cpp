// The wording of errors that all formats share.
#include "io/message.hpp"

#include <cmath>
#include <new>

#include "base/text.hpp"
#include "stickslip/errors.hpp"

namespace stickslip::internal::io {

namespace {

constexpr std::size_t longest_shown = 80;

void require_part(const std::string& object, std::span<const double> values, Index size,
                  std::string_view because) {
  if (values.empty()) return;
  require_size(object, values.size(), static_cast<std::uint64_t>(size), because);
  require_finite(object, values);
}

}  // namespace

void refuse(std::string_view object, std::string_view rule) {
  throw InputError(std::string(object) + ": " + std::string(rule));
}

std::string shown(std::string_view text) {
  std::string line(text.substr(0, longest_shown));
  for (char& c : line)
    if (static_cast<unsigned char>(c) < ' ' || c == '\x7f') c = '?';
  if (text.size() > longest_shown) line += "...";
  return line;
}

std::string counted(std::uint64_t count, std::string_view noun) {
  return std::to_string(count) + ' ' + std::string(noun) + (count == 1 ? "" : "s");
}

void require_finite(std::string_view object, std::span<const double> values) {
  for (std::size_t k = 0; k < values.size(); ++k)
    if (!std::isfinite(values[k]))
      refuse(object, "number " + std::to_string(k) + " is " + shortest(values[k]) + ", must be finite");
}

void require_size(std::string_view object, std::uint64_t got, std::uint64_t size, std::string_view because) {
  if (got != size) refuse(object, "has " + counted(got, "number") + ", but " + std::string(because));
}

void require_point(const std::string& object, const StoredPoint& point, const ProblemFile& file) {
  const auto* global = std::get_if<GlobalProblem>(&file.problem);
  const auto* local = std::get_if<ReducedProblem>(&file.problem);
  const int d = global ? global->dimension() : local->dimension();
  const Index contacts = global ? global->contacts() : local->contacts();
  const std::string contact_rule = counted(static_cast<std::uint64_t>(contacts), "contact") +
                                   " of dimension " + std::to_string(d) + " need " +
                                   std::to_string(contacts * d);
  require_part(object + "/u", point.u, contacts * d, contact_rule);
  require_part(object + "/r", point.r, contacts * d, contact_rule);
  require_part(object + "/certificate", point.certificate, contacts * d, contact_rule);
  if (!global) return;
  const Index n = global->degrees_of_freedom(), p = global->bilateral_constraints();
  require_part(object + "/v", point.v, n, "M has " + counted(static_cast<std::uint64_t>(n), "row"));
  require_part(object + "/l", point.l, p, "G has " + counted(static_cast<std::uint64_t>(p), "column"));
}

void require_points(const ProblemFile& file) {
  if (file.solution) require_point("solution", *file.solution, file);
  for (std::size_t k = 0; k < file.guesses.size(); ++k)
    require_point("guesses/" + std::to_string(k + 1), file.guesses[k], file);
}

ProblemFile with_file_name(const std::filesystem::path& path, const std::function<ProblemFile()>& read) {
  try {
    return read();
  } catch (const InputError& error) {
    throw InputError(path.string() + ": " + error.what());
  } catch (const std::bad_alloc&) {
    throw InputError(path.string() + ": needs more memory than there is");
  }
}

}  // namespace stickslip::internal::io
