// Siconos' text problems (.dat): the dimension, the number of contacts, then
//
//   local :  W, q, μ                      u = W r + q
//   global:  M, H, f, w, μ                M v = H r + f,  u = Hᵀ v + w    (Siconos calls f q, and w b)
//
// Nothing in the file tells the two apart: the reading that uses up the whole file wins, the local one first.
#include <limits>

#include "io/files.hpp"
#include "io/message.hpp"
#include "io/siconos_matrix.hpp"
#include "io/text_reader.hpp"
#include "stickslip/errors.hpp"

namespace stickslip {
namespace internal::io {

namespace {

// up to here a local problem is written dense, as Siconos' own small tests are
constexpr Index largest_dense = 30;
constexpr Index largest = std::numeric_limits<Index>::max();

struct TextProblem {
  int dimension = 3;
  RawMatrix W_or_M, H;
  std::vector<double> q_or_f, w, mu;
};

void require_end(TextScanner& text) {
  if (!text.at_end())
    text.fail("the problem ends here, but the file goes on with '" + shown(text.word()) + "'");
}

void require_square(const TextScanner& text, const RawMatrix& A, const std::string& name) {
  if (A.rows != A.columns)
    text.fail(name + " is " + std::to_string(A.rows) + " x " + std::to_string(A.columns) +
              ", must be square");
}

/// d and nc, and how many rows (or columns) that makes.
Index read_header(TextScanner& text, TextProblem& problem, Index& contacts) {
  problem.dimension = text.integer("the dimension", 2, 3);
  contacts = text.integer("the number of contacts", 0, largest / problem.dimension);
  return contacts * problem.dimension;
}

void parse_local(TextScanner& text, TextProblem& problem) {
  Index contacts = 0;
  const Index size = read_header(text, problem, contacts);
  problem.W_or_M = read_siconos_matrix(text, "W");
  require_square(text, problem.W_or_M, "W");
  if (problem.W_or_M.rows != size)
    text.fail("W has " + std::to_string(problem.W_or_M.rows) + " rows, must have " + std::to_string(size) +
              " (" + counted(static_cast<std::uint64_t>(contacts), "contact") + " of dimension " +
              std::to_string(problem.dimension) + ")");
  problem.q_or_f = text.reals("q", size);
  problem.mu = text.reals("mu", contacts);
  require_end(text);
}

void parse_global(TextScanner& text, TextProblem& problem) {
  Index contacts = 0;
  const Index size = read_header(text, problem, contacts);
  problem.W_or_M = read_siconos_matrix(text, "M");
  require_square(text, problem.W_or_M, "M");
  problem.H = read_siconos_matrix(text, "H");
  if (problem.H.rows != problem.W_or_M.rows || problem.H.columns != size)
    text.fail("H is " + std::to_string(problem.H.rows) + " x " + std::to_string(problem.H.columns) +
              ", must be " + std::to_string(problem.W_or_M.rows) + " x " + std::to_string(size));
  problem.q_or_f = text.reals("f", problem.W_or_M.rows);
  problem.w = text.reals("w", size);
  problem.mu = text.reals("mu", contacts);
  require_end(text);
}

/// One of the two readings: what it gave, or how far it came and why it failed.
struct Reading {
  TextProblem problem;
  std::string failure;
  std::size_t position = 0;
};

Reading attempt(std::string_view bytes, void (*parse)(TextScanner&, TextProblem&)) {
  Reading reading;
  TextScanner text(bytes);
  try {
    parse(text, reading.problem);
  } catch (const InputError& error) {
    reading.failure = error.what();
  }
  reading.position = text.position();
  return reading;
}

ReducedProblem build_local(TextProblem problem) {
  return {BlockMatrix(problem.W_or_M.build(), problem.dimension), std::move(problem.q_or_f),
          std::move(problem.mu)};
}

GlobalProblem build_global(TextProblem problem) {
  return {problem.dimension,         problem.W_or_M.build(), problem.H.build(),
          std::move(problem.q_or_f), std::move(problem.w),   std::move(problem.mu)};
}

void append_vector(std::string& text, std::span<const double> values) {
  for (const double value : values) {
    append_number(text, value);
    text += ' ';
  }
  text += '\n';
}

std::string text_of(const ReducedProblem& problem) {
  std::string text = std::to_string(problem.dimension()) + '\n' + std::to_string(problem.contacts()) + '\n';
  if (problem.contacts() <= largest_dense)
    append_dense(text, problem.W());
  else
    append_sparse_block(text, problem.W());
  append_vector(text, problem.q());
  append_vector(text, problem.mu());
  return text;
}

std::string text_of(const GlobalProblem& problem) {
  if (problem.bilateral_constraints() > 0)
    refuse("G", "Siconos' text format has no bilateral constraints; write FCLIB or Matrix Market instead");
  std::string text = std::to_string(problem.dimension()) + '\n' + std::to_string(problem.contacts()) + '\n';
  append_sparse(text, problem.M());
  append_sparse(text, problem.H());
  append_vector(text, problem.f());
  append_vector(text, problem.w());
  append_vector(text, problem.mu());
  return text;
}

}  // namespace

ProblemFile read_siconos_bytes(std::string_view bytes) {
  if (bytes.empty()) throw InputError("is empty");
  Reading local = attempt(bytes, parse_local);
  if (local.failure.empty()) return {build_local(std::move(local.problem))};
  Reading global = attempt(bytes, parse_global);
  if (global.failure.empty()) return {build_global(std::move(global.problem))};
  throw InputError(local.position >= global.position ? local.failure : global.failure);
}

}  // namespace internal::io

using namespace internal;

ProblemFile read_siconos_text(const std::filesystem::path& path) {
  return io::with_file_name(path, [&] { return io::read_siconos_bytes(io::read_bytes(path)); });
}

/// The format has no place for a solution, guesses or titles; they are left out.
void write_siconos_text(const std::filesystem::path& path, const ProblemFile& file) {
  const std::string text = std::visit([](const auto& problem) { return io::text_of(problem); }, file.problem);
  io::write_bytes(path, text);
}

}  // namespace stickslip
