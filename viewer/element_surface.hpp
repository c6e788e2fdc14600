// The surfaces of bodies of finite elements, as a record has them: triangles over the nodes that are seen, and the stress there.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "dynamics/record/record_reader.hpp"

namespace stickslip::viewer {

class ElementSurface {
 public:
  /// Empty where the record has no such bodies. Throws InputError where its lists do not fit each other.
  explicit ElementSurface(const internal::RecordReader& reader);

  bool empty() const { return nodes_.empty(); }
  std::size_t vertices() const { return nodes_.size(); }
  /// "skin" of the page's `info`: {"vertices", "triangles", "owner"}.
  std::string json() const;
  /// Three numbers a vertex at one time.
  std::vector<double> positions(const internal::RecordReader& reader, std::uint64_t record) const;
  /// Von Mises stress, the mean of the elements about each vertex.
  std::vector<double> stresses(const internal::RecordReader& reader, std::uint64_t record) const;

 private:
  void add_body(const std::string& kind, int body, std::int64_t first_node, std::int64_t first_element,
                const std::vector<std::int64_t>& list);

  std::vector<std::int64_t> nodes_;                ///< of each vertex, among all nodes of the record
  std::vector<int> owner_;                         ///< body of each vertex
  std::vector<int> triangles_;                     ///< vertices
  std::vector<std::vector<std::int64_t>> around_;  ///< elements about each vertex
};

}  // namespace stickslip::viewer
