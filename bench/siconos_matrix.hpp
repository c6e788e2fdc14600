// W as Siconos stores it.
#pragma once

#include "stickslip/block_matrix.hpp"

struct NumericsMatrix;

namespace bench {

/// W (d = 3) in Siconos' sparse-block storage, the diagonal in its place in each row. Never freed: the
/// programs that use it solve one problem and end.
NumericsMatrix* to_siconos(const stickslip::BlockMatrix& W);

}  // namespace bench
