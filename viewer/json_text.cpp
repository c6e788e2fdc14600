#include "viewer/json_text.hpp"

#include <nlohmann/json.hpp>

namespace stickslip::viewer {

std::string json_string(std::string_view text) {
  const std::string json =
      nlohmann::json(std::string(text)).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  std::string out;
  for (char c : json) {
    if (c == '<')
      out += "\\u003c";
    else
      out += c;
  }
  return out;
}

}  // namespace stickslip::viewer
