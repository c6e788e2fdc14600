#include "bodies/velocity_sweep.hpp"

#include <algorithm>
#include <atomic>
#include <cassert>
#include <memory>
#include <type_traits>
#include <vector>

#include "base/exact_sum.hpp"
#include "base/large_pages.hpp"
#include "base/pieces.hpp"
#include "base/raw_numbers.hpp"
#include "bodies/velocity_storage.hpp"
#include "cone/project.hpp"

namespace stickslip::internal {
namespace {

using namespace velocity_form;

template <class Storage>
class TypedVelocitySweep final : public VelocitySweep {
  static constexpr int D = Storage::D;
  using Local = typename Storage::Local;
  using Record = typename Storage::Record;

 public:
  TypedVelocitySweep(const BodyGraph& graph, const LocalOptions& options, Colouring layout, ThreadTeam* team)
      : problem_(graph.problem()),
        options_(options),
        storage_(graph, layout.chunks()),
        chunk_start_(std::move(layout.chunk_start)),
        colour_start_(std::move(layout.colour_start)),
        team_(team) {
    const auto n = std::size_t(problem_.contacts());
    records_.resize(n);
    if constexpr (!Record::has_block) blocks_.resize(n * D * D);
    ask_for_large_pages(records_.data(), n * sizeof(Record));
    if (!std::ranges::is_sorted(layout.contacts)) place_.resize(n);
    std::atomic<bool> moves = true;
    share(Storage::fills_in_order ? nullptr : team_, std::size_t(chunks()), [&](std::size_t chunk) {
      for (auto k = std::size_t(chunk_start_[chunk]); k < std::size_t(chunk_start_[chunk + 1]); ++k) {
        const Index contact = layout.contacts[k];
        if (!place_.empty()) place_[std::size_t(contact)] = Index(k);
        if (!prepare(graph, contact, Index(chunk), k)) moves = false;
      }
    });
    for (Index contact = 0; !moves && contact < Index(n); ++contact)
      if (!(diagonal(contact)[0] > 0))
        throw InputError("contact " + std::to_string(contact) +
                         ": the normal diagonal entry of W must be positive");
    changes_.resize(std::size_t(chunks()));
    v_ = scratch_ = storage_.free();
  }

  void join(const HaloPlan& plan, Ranks& ranks) override {
    halo_ = std::make_unique<Halo>(plan, storage_.first_lines(), ranks);
  }

  void set_local_tolerance(double tolerance) override { options_.set_tolerance(tolerance); }

  void set_loads(const BodyGraph& graph) override {
    storage_.set_loads(graph);
    in_pieces(team_, records_.size(), [&](std::size_t begin, std::size_t end) {
      for (std::size_t k = begin; k < end; ++k) {
        std::copy_n(&problem_.w()[std::size_t(records_[k].contact) * D], D, records_[k].w);
        prepare_local(k);  // which forgets how the contact slipped
      }
    });
    v_ = storage_.free();
  }

  void start(std::span<const double> r) override {
    accumulate(storage_.free(), r.data(), v_);
    sweeps_ = 0;
  }

  Change sweep(std::span<const Index> order, double omega, double* r) override {
    assert(order.empty() || !halo_);
    const Change change =
        order.empty() ? sweep_chunks(omega, r) : run<false>(order, 0, order.size(), omega, r);
    if (++sweeps_ == sweeps_between_refreshes) start({r, records_.size() * D});
    return change;
  }

  void velocity(std::span<const double> r, std::span<double> u) override {
    accumulate(storage_.free(), r.data(), scratch_);
    gather_all(scratch_, u);
  }

  bool velocity_at_hand(std::span<double> u) override {
    if (!halo_) {
      gather_all(v_, u);
      return true;
    }
    copy_in_pieces(team_, v_, scratch_);
    ++halo_->ranks().passes().looks;
    halo_->everywhere(numbers(scratch_));
    gather_all(scratch_, u);
    return true;
  }

  void product(std::span<const double> r, std::span<double> u) override {
    accumulate(storage_.still(), r.data(), scratch_);
    in_pieces(team_, records_.size(), [&](std::size_t begin, std::size_t end) {
      for (std::size_t k = begin; k < end; ++k) {
        double* ui = u.data() + std::size_t(records_[k].contact) * D;
        std::fill_n(ui, D, 0.0);
        Storage::gather(scratch_.data(), records_[k], ui);
      }
    });
  }

  void magnitude(std::span<const double> r, std::span<double> s) override {
    copy_in_pieces(team_, storage_.still(), scratch_);
    in_colours(scratch_, [&](std::size_t chunk) {
      for (auto k = std::size_t(chunk_start_[chunk]); k < std::size_t(chunk_start_[chunk + 1]); ++k)
        Storage::scatter_size(scratch_.data(), records_[k], r.data() + std::size_t(records_[k].contact) * D);
    });
    pass_everywhere(scratch_);
    in_pieces(team_, records_.size(), [&](std::size_t begin, std::size_t end) {
      for (std::size_t k = begin; k < end; ++k)
        Storage::gather_size(scratch_.data(), records_[k], s.data() + std::size_t(records_[k].contact) * D);
    });
  }

  std::span<const double> v() override {
    unpacked_.resize(std::size_t(problem_.degrees_of_freedom()));
    storage_.unpack(v_, unpacked_.data());
    return unpacked_;
  }

  const double* diagonal(Index contact) const override {
    const std::size_t k = place(contact);
    if constexpr (Record::has_block)
      return records_[k].block();
    else
      return &blocks_[k * D * D];
  }
  void arms(Index contact, int rows, double* first, double* second) const override {
    std::fill_n(first, rows * D, 0.0);
    std::fill_n(second, rows * D, 0.0);
    storage_.arms(records_[place(contact)], rows, first, second);
  }
  std::size_t bytes() const override {
    return records_.size() * sizeof(Record) + storage_.bytes() + v_.size() * sizeof(Line);
  }

 private:
  /// Contacts ahead whose bodies, and whose records, are fetched.
  static constexpr std::size_t bodies_ahead = 4, records_ahead = 8;

  std::size_t place(Index contact) const {
    return std::size_t(place_.empty() ? contact : place_[std::size_t(contact)]);
  }

  Index chunks() const { return Index(chunk_start_.size()) - 1; }

  double* block_of(std::size_t k) {
    if constexpr (Record::has_block)
      return records_[k].block();
    else
      return &blocks_[k * D * D];
  }

  void prepare_local(std::size_t k) {
    Record& record = records_[k];
    const double mu = problem_.mu()[std::size_t(record.contact)];
    if constexpr (std::is_same_v<Local, NewtonLocalSolver<D>>)
      record.local.prepare(block_of(k), mu, options_.newton);
    else if constexpr (std::is_same_v<Local, FixedPointLocalSolver<D>>)
      record.local.prepare(block_of(k), mu, options_.fixed_point);
    else
      record.local.prepare(block_of(k), mu);
  }

  /// False: the contact is to be refused.
  bool prepare(const BodyGraph& graph, Index contact, Index chunk, std::size_t k) {
    Record& record = *std::construct_at(&records_[k]);
    record.contact = contact;
    std::copy_n(&problem_.w()[std::size_t(contact) * D], D, record.w);
    storage_.fill(graph, contact, chunk, record, block_of(k));
    if (!(block_of(k)[0] > 0)) return false;
    prepare_local(k);
    std::fill_n(record.C(), D * D, 0.0);
    record.coupled = false;
    if (k > std::size_t(chunk_start_[std::size_t(chunk)])) storage_.couple(records_[k - 1], record);
    return true;
  }

  /// work(chunk) colour by colour, on this state.
  template <class Work>
  void in_colours(State& state, const Work& work) const {
    for (std::size_t colour = 0; colour + 1 < colour_start_.size(); ++colour) {
      const auto begin = std::size_t(colour_start_[colour]);
      share(team_, std::size_t(colour_start_[colour + 1]) - begin,
            [&](std::size_t chunk) { work(begin + chunk); });
      if (halo_) halo_->after_colour(colour, numbers(state));
    }
  }

  static double* numbers(State& state) { return state.empty() ? nullptr : state.front().x; }

  Change sweep_chunks(double omega, double* r) {
    if (halo_) ++halo_->ranks().passes().sweeps;
    in_colours(v_, [&](std::size_t chunk) {
      changes_[chunk] =
          run<true>({}, std::size_t(chunk_start_[chunk]), std::size_t(chunk_start_[chunk + 1]), omega, r);
    });
    if (changes_.size() == 1 && !halo_) return changes_[0];
    ExactSum step, size;
    for (const Change& part : changes_) step.add(part.step), size.add(part.size);
    add_up(halo_ ? &halo_->ranks() : nullptr, {&step, &size});
    return {step.value(), size.value()};
  }

  void accumulate(const State& from, const double* r, State& state) const {
    copy_in_pieces(team_, from, state);
    if (!halo_ && std::all_of(r, r + records_.size() * D, [](double x) { return x == 0; })) return;
    in_colours(state, [&](std::size_t chunk) {
      const auto end = std::size_t(chunk_start_[chunk + 1]);
      for (auto k = std::size_t(chunk_start_[chunk]); k < end; ++k) {
        if (k + bodies_ahead < end) Storage::prefetch(state.data(), records_[k + bodies_ahead]);
        Storage::scatter(state.data(), records_[k], r + std::size_t(records_[k].contact) * D);
      }
    });
    pass_everywhere(state);
  }

  /// The end of a product.
  void pass_everywhere(State& state) const {
    if (!halo_) return;
    ++halo_->ranks().passes().products;
    halo_->everywhere(numbers(state));
  }

  /// u ← Hᵀ v + w.
  void gather_all(const State& state, std::span<double> u) const {
    in_pieces(team_, records_.size(), [&](std::size_t begin, std::size_t end) {
      for (std::size_t k = begin; k < end; ++k) {
        if (k + bodies_ahead < end) Storage::prefetch(state.data(), records_[k + bodies_ahead]);
        const Record& record = records_[k];
        double* ui = u.data() + std::size_t(record.contact) * D;
        std::copy_n(record.w, D, ui);
        Storage::gather(state.data(), record, ui);
      }
    });
  }

  /// b ← w − W_αα r_α + H_αᵀ v: what does not wait for v comes first.
  void begin(const Record& record, const double* r, double* b) const {
    const double* const ri = r + std::size_t(record.contact) * D;
    std::copy_n(record.w, D, b);
    record.take_away(ri, b);
    Storage::gather(v_.data(), record, b);
  }

  /// Visits the places first … count of the order, or, `ahead`, of the records. Flat: a call would pass b and r through memory, which
  /// costs a third of a visit. `ahead`, in the order of the records: b of the next contact is begun before this one is solved, and C Δr makes up for what v
  /// lacked then. So a visit waits for the last one through C alone, and a branch of the local solver that
  /// was predicted wrongly has work to hide behind.
  template <bool ahead>
  __attribute__((flatten)) Change run(std::span<const Index> order, std::size_t first, std::size_t count,
                                      double omega, double* r) {
    Record* const records = records_.data();
    Line* const state = v_.data();
    const auto at = [&](std::size_t k) -> Record& { return records[ahead ? k : place(order[k])]; };
    Change change;
    double b[D], next[D], x[D], step[D];
    bool moved = false;
    if (ahead && count > first) begin(records[first], r, next);
    for (std::size_t k = first; k < count; ++k) {
      if (k + records_ahead < count) {
        const char* fetched = reinterpret_cast<const char*>(&at(k + records_ahead));
        for (std::size_t byte = 0; byte < sizeof(Record); byte += 64) __builtin_prefetch(fetched + byte);
        Storage::prefetch(state, at(k + bodies_ahead));
        __builtin_prefetch(r + std::size_t(at(k + bodies_ahead).contact) * D, 1);
      }
      Record& record = at(k);
      double* const ri = r + std::size_t(record.contact) * D;
      if constexpr (ahead) {
        std::copy_n(next, D, b);
        if (moved && record.coupled)
          for (int j = D - 1; j >= 0; --j)  // the local solver finds r_N last
            for (int i = 0; i < D; ++i) b[i] += record.C()[i + D * j] * step[j];
        begin(records[std::min(k + 1, count - 1)], r, next);
      } else {
        begin(record, r, b);
      }
      std::copy_n(ri, D, x);
      record.local.solve(b, x);
      if (omega != 1) relax(omega, ri, problem_.mu()[std::size_t(record.contact)], x);
      moved = false;
      for (int i = 0; i < D; ++i) {
        step[i] = x[i] - ri[i];
        moved |= step[i] != 0;
        change.size += x[i] * x[i];
      }
      if (!moved) continue;  // open contacts, above all
      for (int i = 0; i < D; ++i) {
        ri[i] = x[i];
        change.step += step[i] * step[i];
      }
      Storage::scatter(state, record, step);
    }
    return change;
  }

  /// x ← P_K(ω x + (1 − ω) old); only ω > 1 can leave K.
  static void relax(double omega, const double* old, double mu, double* x) {
    Vec<D> y;
    for (int i = 0; i < D; ++i) y[std::size_t(i)] = omega * x[i] + (1 - omega) * old[i];
    y = project_on_cone<D>(y, mu);
    std::copy_n(y.begin(), D, x);
  }

  const GlobalProblem& problem_;
  LocalOptions options_;  // iterative local solvers point to it
  Storage storage_;
  RawVector<Record> records_;
  RawVector<double> blocks_;  // W_αα in the order of the records, where these do not have them
  std::vector<Index> place_;  // record of each contact, unless as numbered
  std::vector<Index> chunk_start_, colour_start_;
  std::vector<Change> changes_;  // of each chunk
  ThreadTeam* team_ = nullptr;
  std::unique_ptr<Halo> halo_;  // where there are ranks
  State v_, scratch_;
  std::vector<double> unpacked_;
  long sweeps_ = 0;
};

}  // namespace

std::unique_ptr<VelocitySweep> VelocitySweep::make(const BodyGraph& graph, const LocalOptions& options,
                                                   Colouring layout, ThreadTeam* team) {
  if (!graph.applies() || options.kind == LocalOptions::Kind::hybrid || options.omega != 1) return nullptr;
  const auto make_with = [&]<class Storage>(std::type_identity<Storage>) -> std::unique_ptr<VelocitySweep> {
    return std::make_unique<TypedVelocitySweep<Storage>>(graph, options, std::move(layout), team);
  };
  const auto make_stored = [&]<int D, class Local>() -> std::unique_ptr<VelocitySweep> {
    if constexpr (D == 3)
      if (graph.rigid())
        return graph.symmetric() ? make_with(std::type_identity<RigidStorage<Local, true>>{})
                                 : make_with(std::type_identity<RigidStorage<Local, false>>{});
    return make_with(std::type_identity<DenseStorage<D, Local>>{});
  };
  const auto make_typed = [&]<int D>() -> std::unique_ptr<VelocitySweep> {
    switch (options.kind) {
      case LocalOptions::Kind::newton:
        return make_stored.template operator()<D, NewtonLocalSolver<D>>();
      case LocalOptions::Kind::fixed_point:
        return make_stored.template operator()<D, FixedPointLocalSolver<D>>();
      case LocalOptions::Kind::exact:
      case LocalOptions::Kind::hybrid:  // not here
        break;
    }
    return make_stored.template operator()<D, ExactLocalSolver<D>>();
  };
  return graph.problem().dimension() == 3 ? make_typed.template operator()<3>()
                                          : make_typed.template operator()<2>();
}

std::unique_ptr<VelocitySweep> VelocitySweep::make(const BodyGraph& graph, const LocalOptions& options,
                                                   ThreadTeam* team) {
  return make(graph, options, graph.colouring(), team);
}

std::unique_ptr<VelocitySweep> VelocitySweep::make(const GlobalProblem& problem,
                                                   const LocalOptions& options) {
  return make(BodyGraph(problem), options, nullptr);
}

namespace {

/// bench_velocity: 1.14 at 12 blocks a row while W lies in the caches (break-even at 9 to 10), 1.3 and more
/// at 10 beyond; below a hundred contacts there is nothing to gain.
constexpr std::size_t cache_bytes = std::size_t{16} << 20, least_contacts = 100;

}  // namespace

bool velocity_form_pays(const BodyGraph& graph) {
  if (!graph.applies()) return false;
  const auto contacts = std::size_t(graph.problem().contacts());
  const std::size_t blocks = graph.off_diagonal_blocks() + contacts;
  const auto d = std::size_t(graph.problem().dimension());
  const bool in_cache = blocks * d * d * sizeof(double) < cache_bytes;
  const std::size_t least = !graph.rigid() ? 21 : in_cache ? 12 : 8;  // blocks a row
  return contacts >= least_contacts && blocks >= least * contacts;
}

}  // namespace stickslip::internal
