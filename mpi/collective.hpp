// Work of process 0 that the others help with, and one end of it for all.
#pragma once

#include <exception>
#include <string>
#include <type_traits>

#include "distributed/letters.hpp"
#include "distributed/together.hpp"
#include "stickslip/errors.hpp"

namespace stickslip::internal {

/// Process 0 calls work(together), the others serve; then all get what it returned, a copy of bytes. What `work` throws leaves on process 0, and
/// an InputError that points there on the others. What breaks off in the middle of messages ends all processes.
template <class Answer, class Work>
Answer led(Ranks& ranks, const Work& work) {
  static_assert(std::is_trivially_copyable_v<Answer>);
  struct Letter {
    Answer answer;
    bool failed;
  } letter{};
  std::exception_ptr failure;
  if (ranks.rank() == 0) {
    Together together(ranks);
    try {
      letter.answer = work(together);
    } catch (...) {
      if (together.entangled()) ranks.abort(1);
      failure = std::current_exception();
      letter.failed = true;
    }
  } else {
    try {
      serve(ranks);
    } catch (...) {
      ranks.abort(1);
    }
  }
  if (ranks.rank() != 0) receive<Letter>(ranks, 0, {&letter, 1});
  for (int rank = 1; ranks.rank() == 0 && rank < ranks.size(); ++rank)
    send<Letter>(ranks, rank, {&letter, 1});
  if (failure) std::rethrow_exception(failure);
  if (letter.failed) throw InputError("process 0 refused, and says why");
  return letter.answer;
}

}  // namespace stickslip::internal
