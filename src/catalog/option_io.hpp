// Options between structs and specs: reading with validation, writing what differs, describing.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "catalog/spec.hpp"
#include "solve/options.hpp"
#include "stickslip/catalog.hpp"

namespace stickslip::internal {

/// A struct with options, seen only through its visit.
using Visitable = std::function<void(OptionVisitor&)>;

/// Sets the fields that `spec` names. `owner` is named in messages. Throws InputError on an unknown option
/// (with the nearest one), a value that is no number or out of range, or an unknown choice.
void read_options(const Spec& spec, const std::string& owner, const Visitable& options);
/// word(option=value, …) with the options that differ from those of `defaults`.
Spec write_options(const std::string& word, const Visitable& options, const Visitable& defaults);
std::vector<OptionDescription> describe_options(const Visitable& options);

}  // namespace stickslip::internal
