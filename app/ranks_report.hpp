// What several processes took, for people and programs.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "command.hpp"
#include "distributed/shared_solve.hpp"
#include "distributed/shared_system.hpp"
#include "distributed/together.hpp"

namespace stickslip::app {

/// Says on standard error what several processes do.
void say_of_ranks(std::string_view words, const Session& session);

nlohmann::ordered_json ranks_json(const internal::TogetherReport& report);
nlohmann::ordered_json ranks_json(const internal::SharedReport& report);
nlohmann::ordered_json petsc_json(const internal::SharedSystem::Report& report);

/// As a table: time, messages and bytes by phase.
void print_ranks(const internal::SharedReport& report);

}  // namespace stickslip::app
