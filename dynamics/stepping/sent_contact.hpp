// What passes between ranks in a step: contacts to who solves them, and answers back.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "dynamics/detection/frame.hpp"
#include "dynamics/stepping/contact_solver.hpp"
#include "dynamics/stepping/step_problem.hpp"

namespace stickslip::internal {

/// A contact of a problem on its way.
struct SentContact {
  std::array<std::int32_t, 2> body, share;
  std::array<double, 3> point, normal, obstacle, guess;
  double mu, offset;
};

inline SentContact sent(const StepProblem& problem, int c) {
  const ProblemContact& contact = problem.contacts[std::size_t(c)];
  SentContact made{.body = {contact.body[0], contact.body[1]},
                   .share = {contact.share[0], contact.share[1]},
                   .point = {},
                   .normal = {},
                   .obstacle = {},
                   .guess = {},
                   .mu = contact.mu,
                   .offset = contact.offset};
  for (std::size_t i = 0; i < 3; ++i) {
    made.point[i] = contact.point[Eigen::Index(i)];
    made.normal[i] = contact.frame(Eigen::Index(i), 0);
    made.obstacle[i] = contact.obstacle[Eigen::Index(i)];
    made.guess[i] = problem.guess[std::size_t(3 * c) + i];
  }
  return made;
}

inline void take(const SentContact& from, StepProblem& problem) {
  const auto vector = [](const std::array<double, 3>& x) { return Vector(x[0], x[1], x[2]); };
  problem.contacts.push_back({.body = {from.body[0], from.body[1]},
                              .point = vector(from.point),
                              .frame = contact_frame(vector(from.normal)),
                              .mu = from.mu,
                              .offset = from.offset,
                              .obstacle = vector(from.obstacle),
                              .share = {from.share[0], from.share[1]}});
  problem.guess.insert(problem.guess.end(), from.guess.begin(), from.guess.end());
}

/// What a solve says of a contact.
struct Answer {
  std::array<double, 3> r, u;
  ContactStatus status;
};

inline Answer answer(std::span<const double> r, std::span<const double> u,
                     std::span<const ContactStatus> statuses, std::size_t c, double unit) {
  Answer made{{}, {}, statuses[c]};
  for (std::size_t i = 0; i < 3; ++i) made.r[i] = unit * r[3 * c + i], made.u[i] = u[3 * c + i];
  return made;
}

inline void clear(ContactSolver& solver) {
  solver.r.clear();
  solver.u.clear();
  solver.statuses.clear();
}
inline void take(const Answer& from, ContactSolver& solver) {
  solver.r.insert(solver.r.end(), from.r.begin(), from.r.end());
  solver.u.insert(solver.u.end(), from.u.begin(), from.u.end());
  solver.statuses.push_back(from.status);
}

}  // namespace stickslip::internal
