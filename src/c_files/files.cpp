// Problem files from C.

#include "c/handles.hpp"
#include "stickslip/io.hpp"

using namespace stickslip;
using namespace stickslip::internal;

extern "C" {

stickslip_problem* stickslip_problem_read(const char* path) {
  return made([&] { return new stickslip_problem{read_problem(&given(path, "the path"))}; });
}

stickslip_status stickslip_problem_write(const stickslip_problem* problem, const char* path, const double* r,
                                         const double* u) {
  return guarded([&] {
    ProblemFile file = given(problem, "the problem").file;
    if (r != nullptr && u != nullptr) {
      const std::size_t count = std::visit(
          [](const auto& p) { return std::size_t(p.contacts()) * std::size_t(p.dimension()); }, file.problem);
      file.solution = StoredPoint{{u, u + count}, {r, r + count}, {}, {}};
    }
    write_fclib(&given(path, "the path"), file);
    return STICKSLIP_OK;
  });
}

}  // extern "C"
