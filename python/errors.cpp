// The library's exceptions as Python's: InputError is a ValueError, OutputError an OSError, MissingComponent an ImportError.

#include "stickslip/errors.hpp"

#include "python/bindings.hpp"

namespace stickslip::python {

void bind_errors(py::module_& module) {
  const auto add = [&]<class E>(const char* name, PyObject* base, const char* text) {
    auto& type = py::register_exception<E>(module, name, base);
    type.attr("__module__") = "stickslip";
    type.attr("__doc__") = text;
  };
  add.operator()<Error>("Error", PyExc_RuntimeError, "What stickslip raises and no other name fits.");
  add.operator()<InputError>("InputError", PyExc_ValueError,
                             "Bad input: sizes, NaN, μ < 0, an unknown name, a malformed file. The message "
                             "names object, value and rule.");
  add.operator()<OutputError>("OutputError", PyExc_OSError,
                              "A file could not be written; nothing is left behind.");
  add.operator()<MissingComponent>(
      "MissingComponent", PyExc_ImportError,
      "An optional component is not there; the message names the package that provides it.");
}

}  // namespace stickslip::python
