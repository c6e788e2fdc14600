#include "distributed/packed_share.hpp"

#include <cassert>
#include <cstring>
#include <span>
#include <type_traits>

namespace stickslip::internal {
namespace {

/// Numbers and vectors of numbers, one after the other.
class Writer {
 public:
  template <class Range>
  void add(const Range& range) {
    const std::span numbers(range);
    const std::uint64_t count = numbers.size();
    append(&count, sizeof count);
    append(numbers.data(), numbers.size_bytes());
  }
  std::vector<std::byte> take() { return std::move(bytes_); }

 private:
  void append(const void* from, std::size_t size) {
    if (size == 0) return;
    const std::size_t at = bytes_.size();
    bytes_.resize(at + size);
    std::memcpy(&bytes_[at], from, size);
  }

  std::vector<std::byte> bytes_;
};

class Reader {
 public:
  explicit Reader(std::vector<std::byte> bytes) : bytes_(std::move(bytes)) {}

  template <class Number>
  std::vector<Number> take() {
    std::uint64_t count = 0;
    copy(&count, sizeof count);
    std::vector<Number> numbers(count);
    copy(numbers.data(), count * sizeof(Number));
    return numbers;
  }

 private:
  void copy(void* to, std::size_t size) {
    assert(at_ + size <= bytes_.size());
    if (size > 0) std::memcpy(to, &bytes_[at_], size);
    at_ += size;
  }

  std::vector<std::byte> bytes_;
  std::size_t at_ = 0;
};

void add(Writer& out, const SparseMatrix& A) {
  out.add(A.row_start());
  out.add(A.column());
  out.add(A.value());
}

SparseMatrix take_matrix(Reader& in, Index columns) {
  auto start = in.take<Index>(), column = in.take<Index>();
  auto value = in.take<double>();
  const auto rows = Index(start.size()) - 1;
  return SparseMatrix::from_csr(rows, columns, std::move(start), std::move(column), std::move(value));
}

/// Rank, number of bodies, bodies, message after message.
void add(Writer& out, const HaloPlan::Exchange& exchange) {
  for (const auto* messages : {&exchange.out, &exchange.in}) {
    std::vector<Index> flat;
    for (const auto& message : *messages) {
      flat.push_back(message.rank);
      flat.push_back(Index(message.bodies.size()));
      flat.insert(flat.end(), message.bodies.begin(), message.bodies.end());
    }
    out.add(flat);
  }
}

HaloPlan::Exchange take_exchange(Reader& in) {
  HaloPlan::Exchange exchange;
  for (auto* messages : {&exchange.out, &exchange.in}) {
    const auto flat = in.take<Index>();
    for (auto at = flat.begin(); at != flat.end();) {
      const Index rank = *at++, count = *at++;
      messages->push_back({rank, {at, at + count}});
      at += count;
    }
  }
  return exchange;
}

}  // namespace

std::vector<std::byte> pack(const PackedShare& packed) {
  const Share& share = packed.share;
  const GlobalProblem& problem = share.problem;
  Writer out;
  out.add(std::vector<Index>{problem.dimension(), share.kind.rigid, share.kind.symmetric,
                             share.contacts_in_all, Index(share.halo.after_colour.size())});
  out.add(problem.f());
  out.add(problem.w());
  out.add(problem.mu());
  add(out, problem.M());
  add(out, problem.H());
  for (const auto* numbers : {&share.contacts, &share.body_size, &share.home, &share.layout.contacts,
                              &share.layout.chunk_start, &share.layout.colour_start})
    out.add(*numbers);
  for (const auto& exchange : share.halo.after_colour) add(out, exchange);
  add(out, share.halo.everywhere);
  out.add(packed.guess);
  return out.take();
}

PackedShare unpack_share(std::vector<std::byte> bytes) {
  Reader in(std::move(bytes));
  const auto head = in.take<Index>();
  auto f = in.take<double>(), w = in.take<double>(), mu = in.take<double>();
  auto M = take_matrix(in, Index(f.size())), H = take_matrix(in, Index(w.size()));
  PackedShare packed{.share = {.problem = GlobalProblem(head[0], std::move(M), std::move(H), std::move(f),
                                                        std::move(w), std::move(mu)),
                               .contacts = {},
                               .body_size = {},
                               .kind = {head[1] != 0, head[2] != 0},
                               .layout = {},
                               .halo = {},
                               .home = {},
                               .contacts_in_all = head[3]},
                     .guess = {}};
  Share& share = packed.share;
  for (auto* numbers : {&share.contacts, &share.body_size, &share.home, &share.layout.contacts,
                        &share.layout.chunk_start, &share.layout.colour_start})
    *numbers = in.take<Index>();
  for (Index colour = 0; colour < head[4]; ++colour) share.halo.after_colour.push_back(take_exchange(in));
  share.halo.everywhere = take_exchange(in);
  packed.guess = in.take<double>();
  return packed;
}

}  // namespace stickslip::internal
