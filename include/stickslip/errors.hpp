// What the library throws. A problem that is valid but was not solved is a Status, never an exception.
#pragma once

#include <stdexcept>
#include <string>

#include "stickslip/export.hpp"

namespace stickslip {

/// Base of everything the library throws on purpose; `what()` is one line that can be shown to a user.
class STICKSLIP_EXPORT Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Bad input: sizes, NaN, μ < 0, an unknown name, a malformed file. The message names the object, the value
/// and the rule.
class STICKSLIP_EXPORT InputError : public Error {
 public:
  using Error::Error;
};

/// A file could not be written; nothing is left behind.
class STICKSLIP_EXPORT OutputError : public Error {
 public:
  using Error::Error;
};

/// An optional component is not there; the message names the package that provides it.
class STICKSLIP_EXPORT MissingComponent : public Error {
 public:
  using Error::Error;
};

}  // namespace stickslip
