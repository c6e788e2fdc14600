// From a dimension known at run time to one that the compiler knows: the only place where the two meet.
#pragma once

#include <cassert>

namespace stickslip::internal {

/// Calls f.operator()<D>() with the D of the list that equals d; the last one where none does (a broken invariant).
template <int First, int... Others, class F>
decltype(auto) with_dimension(int d, F&& f) {
  if constexpr (sizeof...(Others) == 0) {
    assert(d == First);
    return f.template operator()<First>();
  } else {
    if (d == First) return f.template operator()<First>();
    return with_dimension<Others...>(d, f);
  }
}

/// The dimensions of contact problems with friction: three first, since most are.
template <class F>
decltype(auto) with_dimension(int d, F&& f) {
  return with_dimension<3, 2>(d, f);
}

}  // namespace stickslip::internal
