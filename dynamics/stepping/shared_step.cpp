#include "dynamics/stepping/shared_step.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

#include "base/rank_lists.hpp"
#include "base/timer.hpp"
#include "bodies/symmetric.hpp"
#include "dynamics/stepping/body_line.hpp"
#include "dynamics/stepping/contact_order.hpp"
#include "dynamics/stepping/sent_contact.hpp"
#include "linalg/colouring.hpp"
#include "stickslip/errors.hpp"

namespace stickslip::internal {
namespace {

/// The line is laid and cut anew where one rank has so many times its part of the contacts, or so many times as many contacts as after the last cut are
/// between ranks; at most once in so many steps.
constexpr double uneven = 1.2, stale = 1.5;
constexpr long rarest_cut = 20;

/// Whether M = Mᵀ for the bodies of a problem, as BodyGraph finds it.
bool symmetric(const Bodies& bodies, const StepProblem& problem) {
  for (int b = 0; b < bodies.size(); ++b) {
    const BodyModel& model = bodies.models[std::size_t(b)];
    if (!model.moves() || problem.sides_of(b).empty()) continue;
    const int n = model.rows();
    BodyGraph::Dense M = BodyGraph::Dense::Zero(n, n);
    M.diagonal().head<3>().setConstant(model.inertial_mass());
    if (model.deforms())
      M.bottomRightCorner(n - 3, n - 3) = bodies.A9(b);
    else
      M.bottomRightCorner(n - 3, n - 3) = bodies.middle(b).A;
    if (!symmetric_up_to_rounding(M)) return false;
  }
  return true;
}

/// What a detector remembers of a pair, in three words, the first of which is its pair of shapes. Before them all stands a mark.
using DeepPair = std::array<std::uint64_t, 3>;

std::vector<DeepPair> deep_pairs(const Detector& detector) {
  const std::vector<std::uint64_t> words = detector.memory();
  std::vector<DeepPair> pairs;
  for (std::size_t k = 1; k + 3 <= words.size(); k += 3)
    pairs.push_back({words[k], words[k + 1], words[k + 2]});
  return pairs;
}
void remember(const std::vector<DeepPair>& pairs, Detector& detector) {
  std::vector<std::uint64_t> words = detector.memory();
  words.resize(1);
  for (const DeepPair& pair : pairs) words.insert(words.end(), pair.begin(), pair.end());
  detector.restore(words);
}

std::uint64_t pair_of(const DeepPair& pair) { return pair[0]; }
std::uint64_t pair_of(const RememberedContact& contact) { return body_pair(contact.a, contact.b); }
std::uint64_t pair_of(const TouchingPoint& contact) { return body_pair(contact.body[0], contact.body[1]); }
std::uint64_t pair_of(const ProblemContact& contact) { return body_pair(contact.body[0], contact.body[1]); }
std::uint64_t pair_of(const SentContact& contact) { return body_pair(contact.body[0], contact.body[1]); }

/// The pairs of a list of contacts.
template <class Contacts>
std::vector<std::uint64_t> pairs_of(const Contacts& contacts) {
  std::vector<std::uint64_t> pairs;
  pairs.reserve(contacts.size());
  for (const auto& contact : contacts) pairs.push_back(pair_of(contact));
  return pairs;
}

template <class T>
std::vector<T> one_after_the_other(const std::vector<std::vector<T>>& parts) {
  std::vector<T> all;
  for (const auto& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

}  // namespace

SharedStep::SharedStep(SharedSolver& solver, const Bodies& bodies) : solver_(solver) {
  for (const BodyModel& model : bodies.models) {
    pairs_.extent.push_back(model.moves() ? float(model.size) : std::numeric_limits<float>::infinity());
    if (!model.moves()) continue;
    if (rows_ == 0) rows_ = model.rows();
    uniform_ = uniform_ && model.rows() == rows_ && !model.has_elements();
  }
  divided_ = bodies.elements.empty();
  if (divided_) {
    const std::vector<std::int64_t> equal(std::size_t(bodies.size()), 1);
    cut(line_through_space(bodies.states, pairs_.extent), cut_by_work(equal, ranks().size()));
  } else {
    std::vector<int> given(std::size_t(bodies.size())), all(std::size_t(ranks().size()) + 1, bodies.size());
    std::iota(given.begin(), given.end(), 0);
    all[0] = 0;
    cut(std::move(given), std::move(all));
  }
  since_cut_ = rarest_cut;
}

void SharedStep::cut(std::vector<int> line, std::vector<int> cut) {
  line_ = std::move(line);
  cut_ = std::move(cut);
  home_.resize(line_.size());
  for (int rank = 0; rank < ranks().size(); ++rank)
    for (const int body : part_of_line(rank)) home_[std::size_t(body)] = rank;
  pairs_.mine.resize(line_.size());
  for (std::size_t b = 0; b < home_.size(); ++b) pairs_.mine[b] = home_[b] == ranks().rank() ? 1 : 0;
  looks_at_pairs_ = false;
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

template <class T>
void SharedStep::keep_mine(std::vector<T>& list) const {
  std::erase_if(list, [&](const T& contact) { return home_of_pair(pair_of(contact)) != ranks().rank(); });
}

/// What all ranks have of a list, each to who has it by the cut.
template <class T>
std::vector<T> SharedStep::moved(const std::vector<T>& list) const {
  std::vector<std::vector<T>> parts{std::size_t(ranks().size())};
  for (const T& contact : list) parts[std::size_t(home_of_pair(pair_of(contact)))].push_back(contact);
  return in_whole_order(one_after_the_other(swapped(ranks(), std::move(parts))),
                        [](const T& contact) { return pair_of(contact); });
}

/// What ranks have of a list, on the first.
template <class T>
std::vector<T> SharedStep::gathered(std::vector<T> list) const {
  keep_mine(list);
  return in_whole_order(joined_on_first<T>(ranks(), list), [](const T& contact) { return pair_of(contact); });
}

std::vector<std::int64_t> SharedStep::work(const ContactMemory& memory) const {
  std::vector<std::int64_t> work(line_.size(), 0);
  for (const RememberedContact& contact : memory.last)
    ++work[std::size_t(pairs_.keeper(int(contact.a), int(contact.b)))];
  ranks().add(work);
  for (std::size_t b = 0; b < work.size(); ++b)
    if (std::isfinite(pairs_.extent[b])) ++work[b];
  return work;
}

std::int64_t SharedStep::crossing(const ContactMemory& memory) const {
  return std::ranges::count_if(memory.last, [&](const RememberedContact& contact) {
    const auto moves = [&](std::int64_t body) { return std::isfinite(pairs_.extent[std::size_t(body)]); };
    return moves(contact.a) && moves(contact.b) && home(int(contact.a)) != home(int(contact.b));
  });
}

void SharedStep::cut_anew(const Bodies& bodies, ContactMemory& memory, Detector& detector) {
  const std::vector<std::int64_t> by_body = work(memory);
  std::vector<int> line = line_through_space(bodies.states, pairs_.extent);
  std::vector<std::int64_t> along;
  for (const int body : line) along.push_back(by_body[std::size_t(body)]);
  cut(std::move(line),
      solver_.cuts_bodies() ? solver_.cut_bodies(along) : cut_by_work(along, ranks().size()));
  memory.last = moved(memory.last);
  remember(moved(deep_pairs(detector)), detector);
  std::int64_t counts[2] = {std::int64_t(memory.last.size()), crossing(memory)};
  ranks().add(counts);
  crossing_share_ = counts[0] > 0 ? double(counts[1]) / double(counts[0]) : 0;
  since_cut_ = 0;
}

bool SharedStep::due(const ContactMemory& memory) {
  const auto n = std::size_t(ranks().size());
  std::vector<std::int64_t> counts(n + 1, 0);  // contacts of each rank; those between ranks
  counts[std::size_t(ranks().rank())] = std::int64_t(memory.last.size());
  counts[n] = crossing(memory);
  ranks().add(counts);
  if (++since_cut_ <= rarest_cut) return false;
  const auto crossing = double(counts[n]);
  counts.pop_back();
  const auto all = double(std::accumulate(counts.begin(), counts.end(), std::int64_t(0)));
  return double(*std::ranges::max_element(counts)) * double(n) > uneven * all ||
         crossing > stale * crossing_share_ * all;
}

void SharedStep::begin(const Bodies& bodies, ContactMemory& memory, Detector& detector) {
  if (ranks().size() == 1) return;
  // Rank 0 may have gathered what belongs to others, and all have everything after a restart.
  keep_mine(memory.last);
  std::vector<DeepPair> deep = deep_pairs(detector);
  const std::size_t known = deep.size();
  keep_mine(deep);
  if (deep.size() < known) remember(deep, detector);
  if (divided_ && (solver_.cuts_bodies() || due(memory))) cut_anew(bodies, memory, detector);
  if (!looks_at_pairs_) detector.look_at(pairs_);
  looks_at_pairs_ = true;
}

Solved SharedStep::solve(const Bodies& bodies, const JointSet& joints, StepProblem& mine,
                         std::span<const double> free, ContactSolver& solver) {
  const Timer timer;
  const int contacts = sum(mine.size());
  Solved solved;
  if (contacts == 0)
    solved = solver.solve(bodies, joints, mine, free);
  else if (Touching touching; uniform_ && contacts >= coloured_contacts &&
                              ContactSolver::by_bodies(bodies, joints, contacts) &&
                              shared(bodies, mine, contacts, touching))
    solved = solve_shared(bodies, mine, free, contacts, touching, solver);
  else
    solved = solve_on_first(bodies, joints, mine, free, solver);
  solved.seconds = timer.seconds();
  return solved;
}

bool SharedStep::shared(const Bodies& bodies, const StepProblem& mine, int contacts,
                        Touching& touching) const {
  touching = who_touches(bodies, mine);
  touching.symmetric = largest(symmetric(bodies, mine) ? 0.0 : 1.0) == 0;
  return solver_.shares({.redundancy = 3.0 * contacts / (double(rows_) * double(touching.bodies)),
                         .contacts_a_pair = contacts_a_pair(touching.bodies_of),
                         .symmetric = touching.symmetric});
}

SharedStep::Touching SharedStep::who_touches(const Bodies& bodies, const StepProblem& mine) const {
  Touching touching;
  const auto moving = [&](int body) { return bodies.models[std::size_t(body)].moves(); };
  const auto pairs = joined_everywhere<std::uint64_t>(ranks(), pairs_of(mine.contacts));
  const std::vector<int> order = whole_order(pairs);
  touching.place = places_in(order);
  touching.bodies_of.reserve(pairs.size());
  for (const int k : order) {
    const int a = int(pairs[std::size_t(k)] >> 32U), b = int(pairs[std::size_t(k)] & 0xffffffffU);
    touching.bodies_of.push_back({moving(a) ? a : b, moving(a) && moving(b) ? b : BodyGraph::none});
  }
  std::vector<Index> number(bodies.models.size(), 0);
  for (const auto& pair : touching.bodies_of)
    for (const Index body : pair)
      if (body != BodyGraph::none) number[std::size_t(body)] = 1;
  for (Index& n : number) n = n != 0 ? touching.bodies++ : BodyGraph::none;
  for (auto& pair : touching.bodies_of)
    for (Index& body : pair)
      if (body != BodyGraph::none) body = number[std::size_t(body)];
  return touching;
}

Solved SharedStep::solve_shared(const Bodies& bodies, StepProblem& mine, std::span<const double> free,
                                int contacts, Touching& touching, ContactSolver& solver) {
  const std::vector<int> rank_of = solver_.plan(touching.bodies, std::move(touching.bodies_of));

  // Each contact to the rank that solves it.
  std::vector<std::int64_t> sizes(std::size_t(ranks().size()), 0);
  sizes[std::size_t(ranks().rank())] = mine.size();
  ranks().add(sizes);
  const auto offset =
      std::size_t(std::accumulate(sizes.begin(), sizes.begin() + ranks().rank(), std::int64_t(0)));
  const auto solver_of = [&](int c) {
    return std::size_t(rank_of[std::size_t(touching.place[offset + std::size_t(c)])]);
  };
  std::vector<std::vector<SentContact>> leaving{std::size_t(ranks().size())};
  for (int c = 0; c < mine.size(); ++c) leaving[solver_of(c)].push_back(sent(mine, c));
  const auto parts = swapped(ranks(), std::move(leaving));
  const auto came = one_after_the_other(parts);
  const std::vector<int> order_here = whole_order(pairs_of(came)), place_here = places_in(order_here);
  share_.contacts.clear();
  share_.guess.clear();
  for (const int k : order_here) take(came[std::size_t(k)], share_);
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
    solver_.solve(std::move(*part), std::move(body_sizes), {rigid, touching.symmetric},
                  solver.large_request(guess_), result_);
  } catch (const InputError&) {  // on all ranks, or on none
    return solver.beyond_repair(mine.size(), 0);
  }
  end(SharedPhase::solving);

  // And back to who has it.
  std::vector<std::vector<Answer>> back;
  std::size_t next = 0;
  for (const auto& from : parts) {
    auto& answers = back.emplace_back();
    for (std::size_t k = 0; k < from.size(); ++k)
      answers.push_back(
          answer(result_.r, result_.u, result_.contacts, std::size_t(place_here[next++]), unit));
  }
  const auto answers = swapped(ranks(), std::move(back));
  std::vector<std::size_t> at(answers.size(), 0);
  clear(solver);
  for (int c = 0; c < mine.size(); ++c) {
    const std::size_t rank = solver_of(c);
    take(answers[rank][at[rank]++], solver);
  }
  solver.lambda.clear();
  end(SharedPhase::gathering);
  return {.status = result_.status,
          .iterations = result_.iterations,
          .error = result_.error(),
          .converged = result_.converged(),
          .seconds = 0,
          .unit = unit};
}

StepProblem SharedStep::whole(const StepProblem& mine) const {
  std::vector<SentContact> leaving;
  for (int c = 0; c < mine.size(); ++c) leaving.push_back(sent(mine, c));
  const auto joined = joined_on_first<SentContact>(ranks(), leaving);
  const auto velocity = joined_on_first<double>(ranks(), mine.guess_velocity);
  StepProblem all;
  for (const int k : whole_order(pairs_of(joined))) {
    take(joined[std::size_t(k)], all);
    if (!velocity.empty())
      all.guess_velocity.insert(all.guess_velocity.end(), &velocity[std::size_t(3 * k)],
                                &velocity[std::size_t(3 * k)] + 3);
  }
  all.shares = mine.shares;
  all.quiet = mine.quiet;
  all.landing = mine.landing;
  return all;
}

Solved SharedStep::solve_on_first(const Bodies& bodies, const JointSet& joints, const StepProblem& mine,
                                  std::span<const double> free, ContactSolver& solver) {
  std::vector<std::int64_t> sizes(std::size_t(ranks().size()), 0);
  sizes[std::size_t(ranks().rank())] = mine.size();
  ranks().add(sizes);
  StepProblem all = whole(mine);
  const auto pairs = joined_on_first<std::uint64_t>(ranks(), pairs_of(mine.contacts));
  end(SharedPhase::sharing);
  std::vector<std::vector<Answer>> back{std::size_t(ranks().size())};
  std::vector<Solved> solved(1);
  solver_.alone([&](BlockSolver* helper) {
    all.assemble(bodies);
    solver.set_body_solver(helper);
    solved[0] = solver.solve(bodies, joints, all, free);
    solver.set_body_solver(nullptr);
    const std::vector<int> place = places_in(whole_order(pairs));
    std::size_t next = 0;
    for (std::size_t rank = 0; rank < back.size(); ++rank)
      for (std::int64_t k = 0; k < sizes[rank]; ++k)
        back[rank].push_back(answer(solver.r, solver.u, solver.statuses, std::size_t(place[next++]), 1));
  });
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
  // A body's impulses are added by who has it, in the order of one process. A part of a body in a letter: the pair of its contact, the side, then H r.
  struct Part {
    std::uint64_t pair;
    std::size_t row, rows;
    const double* numbers;
  };
  const int me = ranks().rank();
  std::vector<std::vector<double>> leaving{std::size_t(ranks().size())};
  for (int c = 0; c < mine.size(); ++c)
    for (int side = 0; side < 2; ++side) {
      const auto& pair = mine.contacts[std::size_t(c)].body;
      const int body = pair[std::size_t(side)], to = home(body);
      if (to == me || !mine.H(c, side)) continue;
      auto& letter = leaving[std::size_t(to)];
      const int rows = bodies.models[std::size_t(body)].rows();
      letter.insert(letter.end(), {double(pair[0]), double(pair[1]), double(side)});
      letter.resize(letter.size() + std::size_t(rows));
      mine.impulse_of(bodies, c, side, &r[std::size_t(3 * c)], letter.data() + letter.size() - rows);
    }
  const auto letters = swapped(ranks(), std::move(leaving));
  std::vector<Part> parts;
  for (int rank = 0; rank < ranks().size(); ++rank) {
    const auto& letter = letters[std::size_t(rank)];
    for (std::size_t k = 0; k < letter.size(); k += 3 + parts.back().rows) {
      const BodyModel& model = bodies.models[std::size_t(letter[k + std::size_t(letter[k + 2])])];
      parts.push_back({body_pair(std::int64_t(letter[k]), std::int64_t(letter[k + 1])),
                       std::size_t(model.row), std::size_t(model.rows()), &letter[k + 3]});
    }
  }
  parts = in_whole_order(std::move(parts), [](const Part& part) { return part.pair; });
  auto part = parts.begin();
  const auto add_parts = [&](std::uint64_t before) {
    for (; part != parts.end() && part->pair < before; ++part)
      for (std::size_t i = 0; i < part->rows; ++i) impulse[part->row + i] += part->numbers[i];
  };
  for (int c = 0; c < mine.size(); ++c) {
    add_parts(pair_of(mine.contacts[std::size_t(c)]));
    for (int side = 0; side < 2; ++side)
      if (home(mine.contacts[std::size_t(c)].body[std::size_t(side)]) == me)
        mine.add_impulse_of(bodies, c, side, r, impulse);
  }
  add_parts(std::numeric_limits<std::uint64_t>::max());

  // All get all: the rows of the bodies of rank 0, 1, … along the line.
  const auto rows_of = [&](int body) {
    const BodyModel& model = bodies.models[std::size_t(body)];
    return model.moves() ? impulse.subspan(std::size_t(model.row), std::size_t(model.rows()))
                         : std::span<double>();
  };
  std::vector<double> sums;
  for (const int body : part_of_line(me)) {
    const auto rows = rows_of(body);
    sums.insert(sums.end(), rows.begin(), rows.end());
  }
  sums = joined_everywhere<double>(ranks(), sums);
  const double* from = sums.data();
  for (const int body : line_) {
    const auto rows = rows_of(body);
    std::copy_n(from, rows.size(), rows.begin());
    from += rows.size();
  }
}

void SharedStep::gather(std::vector<TouchingPoint>& contacts, ContactMemory& memory, Detector& detector) {
  auto all = gathered(contacts);
  auto last = gathered(memory.last);
  const auto deep = gathered(deep_pairs(detector));
  if (ranks().rank() == 0) {
    contacts = std::move(all);
    memory.last = std::move(last);
    remember(deep, detector);
  }
  end(SharedPhase::gathering);
}

}  // namespace stickslip::internal
