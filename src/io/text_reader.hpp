// The readers of text that is already in memory; the public functions and the fuzzer both come through here.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "stickslip/io.hpp"

namespace stickslip::internal::io {

/// A Siconos text problem. Throws InputError, `line N: rule`, without a file name.
ProblemFile read_siconos_bytes(std::string_view text);

/// The files of a folder by name: whether there is one, and its text (or InputError).
struct TextFolder {
  std::function<bool(const std::string&)> has;
  std::function<std::string(const std::string&)> open;
};

/// A Matrix Market problem. Throws InputError, `FILE: rule`, without the folder's name.
ProblemFile read_matrix_market_files(const TextFolder& files);

}  // namespace stickslip::internal::io
