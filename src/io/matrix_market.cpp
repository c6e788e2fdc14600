// One Matrix Market file in and out.
#include "io/matrix_market.hpp"

#include <algorithm>
#include <cctype>
#include <limits>

#include "io/message.hpp"
#include "io/siconos_matrix.hpp"
#include "io/text_scanner.hpp"

namespace stickslip::internal::io {

namespace {

constexpr Index largest = std::numeric_limits<Index>::max();

struct Layout {
  bool coordinate = false;
  bool symmetric = false;
};

/// The next word of the banner in lower case, which must be one of `choices`.
std::string banner_word(TextScanner& text, std::initializer_list<std::string_view> choices) {
  std::string word(text.word());
  std::transform(word.begin(), word.end(), word.begin(), [](unsigned char c) { return std::tolower(c); });
  if (std::find(choices.begin(), choices.end(), word) != choices.end()) return word;
  std::string list;
  for (const std::string_view choice : choices) list += (list.empty() ? "" : " or ") + std::string(choice);
  text.fail("wanted " + list + " in the Matrix Market banner, got '" + shown(word) + "'");
}

Layout read_banner(TextScanner& text) {
  banner_word(text, {"%%matrixmarket"});
  banner_word(text, {"matrix"});
  Layout layout;
  layout.coordinate = banner_word(text, {"coordinate", "array"}) == "coordinate";
  banner_word(text, {"real", "double", "integer"});
  layout.symmetric = banner_word(text, {"general", "symmetric"}) == "symmetric";
  text.rest_of_line();
  while (text.peek() == '%') text.rest_of_line();
  return layout;
}

void require_end(TextScanner& text) {
  if (!text.at_end())
    text.fail("the matrix ends here, but the file goes on with '" + shown(text.word()) + "'");
}

void add(RawMatrix& A, Index i, Index j, double value, bool symmetric) {
  if (value == 0) return;
  A.entries.push_back({i, j, value});
  if (symmetric && i != j) A.entries.push_back({j, i, value});
}

}  // namespace

RawMatrix parse_matrix_market(std::string_view bytes) {
  TextScanner text(bytes);
  const Layout layout = read_banner(text);
  RawMatrix A;
  A.rows = text.integer("the number of rows", 0, largest);
  A.columns = text.integer("the number of columns", 0, largest);
  if (layout.symmetric && A.rows != A.columns) text.fail("a symmetric matrix must be square");
  if (layout.coordinate) {
    const Index count = text.integer("the number of entries", 0, largest);
    for (Index k = 0; k < count; ++k) {
      const Index i = text.integer("a row", 1, A.rows) - 1, j = text.integer("a column", 1, A.columns) - 1;
      add(A, i, j, text.real("an entry"), layout.symmetric);
    }
  } else if (A.rows > 0) {
    for (Index j = 0; j < A.columns; ++j)
      for (Index i = layout.symmetric ? j : 0; i < A.rows; ++i)
        add(A, i, j, text.real("an entry"), layout.symmetric);
  }
  require_end(text);
  return A;
}

std::vector<double> parse_matrix_market_vector(std::string_view bytes) {
  TextScanner text(bytes);
  const Layout layout = read_banner(text);
  if (layout.coordinate || layout.symmetric) text.fail("a vector must be in layout array general");
  const Index size = text.integer("the number of rows", 0, largest);
  text.integer("the number of columns of a vector", 1, 1);
  std::vector<double> values = text.reals("an entry", size);
  require_end(text);
  return values;
}

std::string matrix_market_text(const SparseMatrix& A) {
  std::string text = "%%MatrixMarket matrix coordinate real general\n" + std::to_string(A.rows()) + ' ' +
                     std::to_string(A.columns()) + ' ' + std::to_string(A.nonzeros()) + '\n';
  for (const Triplet& entry : A.triplets()) {
    text += std::to_string(entry.row + 1) + ' ' + std::to_string(entry.column + 1) + ' ';
    append_number(text, entry.value);
    text += '\n';
  }
  return text;
}

std::string matrix_market_text(std::span<const double> vector) {
  std::string text = "%%MatrixMarket matrix array real general\n" + std::to_string(vector.size()) + " 1\n";
  for (const double value : vector) {
    append_number(text, value);
    text += '\n';
  }
  return text;
}

}  // namespace stickslip::internal::io
