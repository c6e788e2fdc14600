// Statuses in words, the message of each thread, the version.

#include <cstring>

#include "c/handles.hpp"
#include "stickslip/version.hpp"

namespace {

// Fixed memory: a message can be kept when there is no memory left.
thread_local char last_message[1024] = "";

}  // namespace

extern "C" {

const char* stickslip_version(void) { return stickslip::version(); }

const char* stickslip_message(void) { return last_message; }

void stickslip_keep_message_(const char* text) {
  std::strncpy(last_message, text, sizeof last_message - 1);
  last_message[sizeof last_message - 1] = '\0';
}

const char* stickslip_status_name(stickslip_status status) {
  switch (status) {
    case STICKSLIP_INPUT_ERROR:
      return "input_error";
    case STICKSLIP_OUTPUT_ERROR:
      return "output_error";
    case STICKSLIP_MISSING_COMPONENT:
      return "missing_component";
    case STICKSLIP_OUT_OF_MEMORY:
      return "out_of_memory";
    case STICKSLIP_INTERNAL_ERROR:
      return "internal_error";
    default:
      break;
  }
  if (status < STICKSLIP_CONVERGED || status > STICKSLIP_CANCELLED) return "unknown";
  return stickslip::name(static_cast<stickslip::Status>(status)).data();  // a literal: it ends with 0
}

}  // extern "C"
