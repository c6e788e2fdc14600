// stickslip._stickslip: the library as an extension module. The package around it (python/stickslip) has the names that people
// type; nothing is computed here.

#include "python/bindings.hpp"
#include "python/interrupt.hpp"
#include "stickslip/measures.hpp"
#include "stickslip/version.hpp"

PYBIND11_MODULE(_stickslip, module) {
  using namespace stickslip;
  module.attr("__version__") = version();
  module.attr("OPEN") = int(ContactStatus::open);
  module.attr("STICK") = int(ContactStatus::stick);
  module.attr("SLIP") = int(ContactStatus::slip);
  python::InterruptWatch::remember_main_thread();
  python::bind_errors(module);
  python::bind_problem(module);
  python::bind_result(module);
  python::bind_solver(module);
  python::bind_catalogue(module);
  python::bind_generate(module);
  python::bind_files(module);
  python::bind_check(module);
  python::bind_cone(module);
  python::bind_campaign(module);
  python::bind_shapes(module);
  python::bind_elements(module);
  python::bind_scene(module);
  python::bind_simulation(module);
}
