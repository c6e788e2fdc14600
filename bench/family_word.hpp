// FAMILY:SIZE:SEED:LOAD of the command line of a bench.
#pragma once

#include <cstdlib>
#include <string>

#include "stickslip/generate.hpp"

namespace bench {

struct FamilyWord {
  std::string family;
  stickslip::GenerateRequest request;
};

/// What is left out at the end stays as the request has it.
inline FamilyWord read_family_word(const std::string& text, double load = 0) {
  FamilyWord word{text.substr(0, text.find(':')), {}};
  word.request.load = load;
  std::size_t at = text.find(':');
  const auto next = [&](const auto& take) {
    if (at == std::string::npos) return;
    take(text.c_str() + at + 1);
    at = text.find(':', at + 1);
  };
  next([&](const char* digits) { word.request.size = std::atol(digits); });
  next([&](const char* digits) { word.request.seed = std::strtoull(digits, nullptr, 10); });
  next([&](const char* digits) { word.request.load = std::atof(digits); });
  return word;
}

}  // namespace bench
