#include "dynamics/stepping/shared_step.hpp"

#include <algorithm>
#include <numeric>
#include <optional>

#include "base/rank_lists.hpp"
#include "base/timer.hpp"
#include "bodies/symmetric.hpp"
#include "dynamics/detection/frame.hpp"
#include "linalg/colouring.hpp"
#include "stickslip/errors.hpp"

namespace stickslip::internal {
namespace {

/// The line is cut anew where one rank has so many times its part of the contacts, at most once in so many steps.
constexpr double uneven = 1.2;
constexpr long rarest_cut = 20;

/// A contact of a problem on its way.
struct SentContact {
  std::array<std::int32_t, 2> body, share;
  std::array<double, 3> point, normal, obstacle, guess;
  double mu, offset;
};

SentContact sent(const StepProblem& problem, int c) {
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

void take(const SentContact& from, StepProblem& problem) {
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

Answer answer(std::span<const double> r, std::span<const double> u, std::span<const ContactStatus> statuses,
              std::size_t c, double unit) {
  Answer made{{}, {}, statuses[c]};
  for (std::size_t i = 0; i < 3; ++i) made.r[i] = unit * r[3 * c + i], made.u[i] = u[3 * c + i];
  return made;
}

void clear(ContactSolver& solver) {
  solver.r.clear();
  solver.u.clear();
  solver.statuses.clear();
}
void take(const Answer& from, ContactSolver& solver) {
  solver.r.insert(solver.r.end(), from.r.begin(), from.r.end());
  solver.u.insert(solver.u.end(), from.u.begin(), from.u.end());
  solver.statuses.push_back(from.status);
}

/// Whether M = Mᵀ for the bodies of a problem, as BodyGraph finds it.
bool symmetric(const Bodies& bodies, const StepProblem& problem, double unit) {
  for (int b = 0; b < bodies.size(); ++b) {
    const BodyModel& model = bodies.models[std::size_t(b)];
    if (!model.moves() || problem.sides_of(b).empty()) continue;
    const int n = model.rows();
    BodyGraph::Dense M = BodyGraph::Dense::Zero(n, n);
    M.diagonal().head<3>().setConstant(model.inertial_mass() / unit);
    if (model.deforms())
      M.bottomRightCorner(n - 3, n - 3) = bodies.A9(b) / unit;
    else
      M.bottomRightCorner(n - 3, n - 3) = bodies.middle(b).A / unit;
    if (!symmetric_up_to_rounding(M)) return false;
  }
  return true;
}

/// The words of a detector's memory, three for each pair, by the part of the line that their first shape lies in. The first word is a mark.
std::vector<std::vector<std::uint64_t>> split(const std::vector<std::uint64_t>& words,
                                              const std::vector<int>& cut) {
  std::vector<std::vector<std::uint64_t>> parts(cut.size() - 1);
  std::size_t part = 0;
  for (std::size_t k = 1; k + 3 <= words.size(); k += 3) {
    const int shape = int(words[k] >> 32U);
    while (part + 1 < parts.size() && shape >= cut[part + 1]) ++part;
    parts[part].insert(parts[part].end(), &words[k], &words[k] + 3);
  }
  return parts;
}
std::vector<std::vector<RememberedContact>> split(const std::vector<RememberedContact>& memory,
                                                  const std::vector<int>& cut) {
  std::vector<std::vector<RememberedContact>> parts;
  auto from = memory.begin();
  for (std::size_t k = 1; k < cut.size(); ++k) {
    const auto to = k + 1 == cut.size() ? memory.end()
                                        : std::partition_point(from, memory.end(), [&](const auto& contact) {
                                            return contact.a < cut[k];
                                          });
    parts.emplace_back(from, to);
    from = to;
  }
  return parts;
}

}  // namespace

std::vector<int> cut_by_work(std::span<const std::int64_t> work, int ranks) {
  const std::int64_t all = std::accumulate(work.begin(), work.end(), std::int64_t(0));
  std::vector<int> cut(std::size_t(ranks) + 1, int(work.size()));
  cut[0] = 0;
  std::int64_t passed = 0;
  int next = 1;
  for (std::size_t b = 0; b < work.size() && next < ranks; ++b) {
    // The body goes to the part that has its middle.
    const double middle = double(passed) + 0.5 * double(work[b]);
    while (next < ranks && middle * ranks >= double(all) * next) cut[std::size_t(next++)] = int(b);
    passed += work[b];
  }
  return cut;
}

SharedStep::SharedStep(SharedSolver& solver, const Bodies& bodies) : solver_(solver) {
  int rows = 0;
  for (const BodyModel& model : bodies.models) {
    if (!model.moves()) continue;
    if (rows == 0) rows = model.rows();
    uniform_ = uniform_ && model.rows() == rows && !model.has_elements();
  }
  divided_ = bodies.elements.empty();
  cut_.assign(std::size_t(ranks().size()) + 1, bodies.size());
  cut_[0] = 0;
  if (divided_) cut_ = cut_by_work(std::vector<std::int64_t>(std::size_t(bodies.size()), 1), ranks().size());
  since_cut_ = rarest_cut;
}

int SharedStep::home(int body) const {
  return int(std::upper_bound(cut_.begin() + 1, cut_.end() - 1, body) - cut_.begin()) - 1;
}

double SharedStep::largest(double x) const {
  ranks().largest({&x, 1});
  return x;
}

int SharedStep::sum(int x) const {
  std::int64_t all = x;
  ranks().add({&all, 1});
  return int(all);
}

void SharedStep::move(const std::vector<int>& cut, ContactMemory& memory, Detector& detector) {
  std::vector<RememberedContact> contacts;
  for (const auto& part : swapped(ranks(), split(memory.last, cut)))
    contacts.insert(contacts.end(), part.begin(), part.end());
  memory.last = std::move(contacts);
  std::vector<std::uint64_t> words = detector.memory();
  auto parts = swapped(ranks(), split(words, cut));
  words.resize(1);
  for (const auto& part : parts) words.insert(words.end(), part.begin(), part.end());
  detector.restore(words);
  cut_ = cut;
}

void SharedStep::begin(ContactMemory& memory, Detector& detector) {
  const auto me = std::size_t(ranks().rank());
  // Rank 0 may have gathered what belongs to others, and all have everything after a restart.
  memory.last = std::move(split(memory.last, cut_)[me]);
  std::vector<std::uint64_t> words = detector.memory();
  const auto own = std::move(split(words, cut_)[me]);
  words.resize(1);
  words.insert(words.end(), own.begin(), own.end());
  detector.restore(words);

  if (divided_ && ranks().size() > 1) {
    std::vector<std::int64_t> loads(std::size_t(ranks().size()), 0);
    loads[me] = std::int64_t(memory.last.size());
    ranks().add(loads);
    const auto all = double(std::accumulate(loads.begin(), loads.end(), std::int64_t(0)));
    const bool due =
        double(*std::ranges::max_element(loads)) * ranks().size() > uneven * all && ++since_cut_ > rarest_cut;
    if (solver_.cuts_bodies() || due) {
      std::vector<std::int64_t> work(std::size_t(cut_.back()), 0);
      for (const RememberedContact& contact : memory.last) ++work[std::size_t(contact.a)];
      ranks().add(work);
      for (std::int64_t& x : work) ++x;
      move(solver_.cuts_bodies() ? solver_.cut_bodies(work) : cut_by_work(work, ranks().size()), memory,
           detector);
      since_cut_ = 0;
    }
  }
  detector.look_at(first(), last());
}

Solved SharedStep::solve(const Bodies& bodies, const JointSet& joints, StepProblem& mine,
                         std::span<const double> free, ContactSolver& solver) {
  const Timer timer;
  const int contacts = sum(mine.size());
  Solved solved;
  if (contacts == 0)
    solved = solver.solve(bodies, joints, mine, free);
  else if (uniform_ && contacts >= coloured_contacts && ContactSolver::by_bodies(bodies, joints, contacts))
    solved = solve_shared(bodies, mine, free, contacts, solver);
  else
    solved = solve_on_first(bodies, joints, mine, free, solver);
  solved.seconds = timer.seconds();
  return solved;
}

Solved SharedStep::solve_shared(const Bodies& bodies, StepProblem& mine, std::span<const double> free,
                                int contacts, ContactSolver& solver) {
  // Who touches whom, on all ranks, with the bodies that have contacts numbered as they come.
  const auto moving = [&](int body) { return bodies.models[std::size_t(body)].moves(); };
  std::vector<std::array<Index, 2>> touching;
  for (const ProblemContact& contact : mine.contacts) {
    std::array<Index, 2> pair = {contact.body[0], contact.body[1]};
    if (!moving(contact.body[0])) pair = {contact.body[1], BodyGraph::none};
    if (!moving(contact.body[1])) pair[1] = BodyGraph::none;
    touching.push_back(pair);
  }
  touching = joined_everywhere<std::array<Index, 2>>(ranks(), touching);
  std::vector<Index> number(bodies.models.size(), 0);
  for (const auto& pair : touching)
    for (const Index body : pair)
      if (body != BodyGraph::none) number[std::size_t(body)] = 1;
  Index count = 0;
  for (Index& n : number) n = n != 0 ? count++ : BodyGraph::none;
  for (auto& pair : touching)
    for (Index& body : pair)
      if (body != BodyGraph::none) body = number[std::size_t(body)];
  const std::vector<int> rank_of = solver_.plan(count, std::move(touching));

  // Each contact to the rank that solves it. What comes from rank 0, 1, … is in the order of the whole.
  std::vector<std::int64_t> sizes(std::size_t(ranks().size()), 0);
  sizes[std::size_t(ranks().rank())] = mine.size();
  ranks().add(sizes);
  const auto offset =
      std::size_t(std::accumulate(sizes.begin(), sizes.begin() + ranks().rank(), std::int64_t(0)));
  std::vector<std::vector<SentContact>> leaving{std::size_t(ranks().size())};
  for (int c = 0; c < mine.size(); ++c)
    leaving[std::size_t(rank_of[offset + std::size_t(c)])].push_back(sent(mine, c));
  const auto came = swapped(ranks(), std::move(leaving));
  share_.contacts.clear();
  share_.guess.clear();
  for (const auto& part : came)
    for (const SentContact& contact : part) take(contact, share_);
  share_.assemble(bodies);

  ExactSum compliance = ContactSolver::compliance(bodies, share_);
  add_up(&ranks(), {&compliance});
  const double unit = ContactSolver::impulse_unit(compliance, contacts);
  std::vector<Index> body_sizes;
  bool rigid = true;
  for (int b = 0; b < bodies.size(); ++b) {
    const BodyModel& model = bodies.models[std::size_t(b)];
    rigid = rigid && !model.deforms();
    if (model.moves() && !share_.sides_of(b).empty()) body_sizes.push_back(model.rows());
  }
  const bool all_symmetric = largest(symmetric(bodies, share_, unit) ? 0.0 : 1.0) == 0;
  guess_.resize(share_.guess.size());
  for (std::size_t i = 0; i < guess_.size(); ++i) guess_[i] = share_.guess[i] / unit;
  std::optional<GlobalProblem> part;
  try {
    part.emplace(share_.touching(bodies, free, unit));
  } catch (const InputError&) {
  }
  end(SharedPhase::sharing);
  try {
    if (largest(part ? 0.0 : 1.0) > 0) throw InputError("a share has numbers that are not finite");
    solver_.solve(std::move(*part), std::move(body_sizes), {rigid, all_symmetric}, solver.request(guess_),
                  result_);
  } catch (const InputError&) {  // on all ranks, or on none
    return solver.beyond_repair(mine.size(), 0);
  }
  end(SharedPhase::solving);

  // And back to who has it.
  std::vector<std::vector<Answer>> back;
  std::size_t next = 0;
  for (const auto& from : came) {
    auto& answers = back.emplace_back();
    for (std::size_t k = 0; k < from.size(); ++k)
      answers.push_back(answer(result_.r, result_.u, result_.contacts, next++, unit));
  }
  const auto answers = swapped(ranks(), std::move(back));
  std::vector<std::size_t> at(answers.size(), 0);
  clear(solver);
  for (int c = 0; c < mine.size(); ++c) {
    const auto rank = std::size_t(rank_of[offset + std::size_t(c)]);
    take(answers[rank][at[rank]++], solver);
  }
  solver.lambda.clear();
  end(SharedPhase::gathering);
  return {.status = result_.status,
          .iterations = result_.iterations,
          .error = result_.error(),
          .converged = result_.converged(),
          .seconds = 0};
}

StepProblem SharedStep::whole(const StepProblem& mine) const {
  std::vector<SentContact> leaving;
  for (int c = 0; c < mine.size(); ++c) leaving.push_back(sent(mine, c));
  StepProblem all;
  for (const SentContact& contact : joined_on_first<SentContact>(ranks(), leaving)) take(contact, all);
  all.guess_velocity = joined_on_first<double>(ranks(), mine.guess_velocity);
  all.shares = mine.shares;
  all.quiet = mine.quiet;
  return all;
}

Solved SharedStep::solve_on_first(const Bodies& bodies, const JointSet& joints, const StepProblem& mine,
                                  std::span<const double> free, ContactSolver& solver) {
  std::vector<std::int64_t> sizes(std::size_t(ranks().size()), 0);
  sizes[std::size_t(ranks().rank())] = mine.size();
  ranks().add(sizes);
  StepProblem all = whole(mine);
  end(SharedPhase::sharing);
  std::vector<std::vector<Answer>> back{std::size_t(ranks().size())};
  std::vector<Solved> solved(1);
  if (ranks().rank() == 0) {
    all.assemble(bodies);
    solved[0] = solver.solve(bodies, joints, all, free);
    std::size_t next = 0;
    for (std::size_t rank = 0; rank < back.size(); ++rank)
      for (std::int64_t k = 0; k < sizes[rank]; ++k)
        back[rank].push_back(answer(solver.r, solver.u, solver.statuses, next++, 1));
  }
  end(SharedPhase::solving);
  const auto answers = swapped(ranks(), std::move(back));
  clear(solver);
  for (const Answer& one : answers[0]) take(one, solver);
  spread(ranks(), solver.lambda);
  spread(ranks(), solved);
  end(SharedPhase::gathering);
  return solved[0];
}

void SharedStep::add_impulse(const Bodies& bodies, const StepProblem& mine, std::span<const double> r,
                             std::span<double> impulse) const {
  // A body's impulses are added by who has it, in the order of one process: contacts of rank 0, 1, … A part of a body: its first row, then H r.
  const int me = ranks().rank();
  std::vector<std::vector<double>> leaving{std::size_t(ranks().size())};
  for (int c = 0; c < mine.size(); ++c)
    for (int side = 0; side < 2; ++side) {
      const int body = mine.contacts[std::size_t(c)].body[std::size_t(side)];
      const int to = home(body);
      if (to == me || !mine.H(c, side)) continue;
      auto& letter = leaving[std::size_t(to)];
      const BodyModel& model = bodies.models[std::size_t(body)];
      letter.push_back(double(model.row));
      letter.push_back(double(model.rows()));
      letter.resize(letter.size() + std::size_t(model.rows()));
      mine.impulse_of(bodies, c, side, &r[std::size_t(3 * c)], letter.data() + letter.size() - model.rows());
    }
  const auto came = swapped(ranks(), std::move(leaving));
  for (int rank = 0; rank < ranks().size(); ++rank) {
    if (rank == me) {
      for (int c = 0; c < mine.size(); ++c)
        for (int side = 0; side < 2; ++side)
          if (home(mine.contacts[std::size_t(c)].body[std::size_t(side)]) == me)
            mine.add_impulse_of(bodies, c, side, r, impulse);
      continue;
    }
    const auto& letter = came[std::size_t(rank)];
    for (std::size_t k = 0; k < letter.size();) {
      const auto row = std::size_t(letter[k]), rows = std::size_t(letter[k + 1]);
      for (std::size_t i = 0; i < rows; ++i) impulse[row + i] += letter[k + 2 + i];
      k += 2 + rows;
    }
  }
  // All get all: the rows of the bodies of rank 0, 1, … one after the other.
  const auto row_at = [&](int body) {
    for (; body < bodies.size(); ++body)
      if (bodies.models[std::size_t(body)].moves()) return std::size_t(bodies.models[std::size_t(body)].row);
    return impulse.size();
  };
  const std::size_t begin = row_at(first()), end_row = std::max(begin, row_at(last()));
  const auto all = joined_everywhere<double>(ranks(), impulse.subspan(begin, end_row - begin));
  std::ranges::copy(all, impulse.begin());
}

void SharedStep::gather(std::vector<TouchingPoint>& contacts, ContactMemory& memory, Detector& detector) {
  const bool here = ranks().rank() == 0;
  auto all = joined_on_first<TouchingPoint>(ranks(), contacts);
  auto last =
      joined_on_first<RememberedContact>(ranks(), split(memory.last, cut_)[std::size_t(ranks().rank())]);
  std::vector<std::uint64_t> words = detector.memory();
  const auto pairs = joined_on_first<std::uint64_t>(ranks(), split(words, cut_)[std::size_t(ranks().rank())]);
  if (here) {
    contacts = std::move(all);
    memory.last = std::move(last);
    words.resize(1);
    words.insert(words.end(), pairs.begin(), pairs.end());
    detector.restore(words);
  }
  end(SharedPhase::gathering);
}

}  // namespace stickslip::internal
