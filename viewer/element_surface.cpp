#include "viewer/element_surface.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "stickslip/errors.hpp"
#include "viewer/json_text.hpp"

namespace stickslip::viewer {
namespace {

using Face = std::vector<std::size_t>;

/// Faces by their nodes, corners first, anticlockwise seen from outside.
const std::vector<Face>& faces_of(const std::string& kind) {
  static const std::vector<Face> t4 = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}},
                                 t10 = {{0, 2, 1, 6, 5, 4},
                                        {0, 1, 3, 4, 8, 7},
                                        {1, 2, 3, 5, 9, 8},
                                        {0, 3, 2, 7, 9, 6}},
                                 h8 = {{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4},
                                       {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}};
  if (kind == "t4") return t4;
  if (kind == "t10") return t10;
  if (kind == "h8") return h8;
  throw InputError(fmt::format("elements of kind '{}' are not known; t4, t10, h8 are", kind));
}

std::size_t nodes_of(const std::string& kind) { return kind == "t4" ? 4 : kind == "t10" ? 10 : 8; }

/// Triangles of a face, by the places of its nodes.
std::vector<std::array<std::size_t, 3>> triangles_of(std::size_t nodes) {
  if (nodes == 6) return {{0, 3, 5}, {3, 1, 4}, {5, 4, 2}, {3, 4, 5}};
  if (nodes == 4) return {{0, 1, 2}, {0, 2, 3}};
  return {{0, 1, 2}};
}

void need(bool good) {
  if (!good) throw InputError("the lists of its elements do not fit each other");
}

}  // namespace

ElementSurface::ElementSurface(const internal::RecordReader& reader) {
  const std::string root = "/stickslip/elements/";
  if (!reader.has("/stickslip/elements")) return;
  const std::vector<std::int64_t> body = reader.integers(root + "body"),
                                  node_start = reader.integers(root + "node_start"),
                                  element_start = reader.integers(root + "element_start"),
                                  list_start = reader.integers(root + "list_start"),
                                  list = reader.integers(root + "list");
  const std::vector<std::string> kinds = reader.texts(root + "kind");
  const std::size_t E = body.size();
  need(kinds.size() == E && node_start.size() == E + 1 && element_start.size() == E + 1 &&
       list_start.size() == E + 1);
  const auto N = std::int64_t(reader.shape(root + "position").at(1)),
             C = std::int64_t(reader.shape(root + "stress").at(1));
  need(node_start.back() == N && element_start.back() == C && list_start.back() == std::int64_t(list.size()));
  for (std::size_t e = 0; e < E; ++e) {
    need(node_start[e] >= 0 && node_start[e] <= node_start[e + 1] && list_start[e] >= 0 &&
         list_start[e] <= list_start[e + 1]);
    const std::vector<std::int64_t> own(list.begin() + list_start[e], list.begin() + list_start[e + 1]);
    for (std::int64_t node : own) need(node >= 0 && node < node_start[e + 1] - node_start[e]);
    faces_of(kinds[e]);
    need(std::int64_t(own.size()) ==
         (element_start[e + 1] - element_start[e]) * std::int64_t(nodes_of(kinds[e])));
    add_body(kinds[e], int(body[e]), node_start[e], element_start[e], own);
  }
}

void ElementSurface::add_body(const std::string& kind, int body, std::int64_t first_node,
                              std::int64_t first_element, const std::vector<std::int64_t>& list) {
  const std::vector<Face>& faces = faces_of(kind);
  const std::size_t per_element = nodes_of(kind), corners = kind == "h8" ? 4 : 3;
  const auto key = [&](std::size_t element, const Face& face) {
    std::array<std::int64_t, 4> k = {-1, -1, -1, -1};
    for (std::size_t c = 0; c < corners; ++c) k[c] = list[element * per_element + face[c]];
    std::sort(k.begin(), k.end());
    return k;
  };
  // Faces that come once are the surface.
  std::map<std::array<std::int64_t, 4>, int> seen;
  for (std::size_t e = 0; e < list.size() / per_element; ++e)
    for (const Face& face : faces) ++seen[key(e, face)];
  std::map<std::int64_t, int> vertex;
  for (std::size_t e = 0; e < list.size() / per_element; ++e)
    for (const Face& face : faces) {
      if (seen[key(e, face)] != 1) continue;
      for (const auto& triangle : triangles_of(face.size()))
        for (std::size_t k : triangle) {
          const std::int64_t node = list[e * per_element + face[k]];
          const auto [found, is_new] = vertex.try_emplace(node, int(nodes_.size()));
          if (is_new) {
            nodes_.push_back(first_node + node);
            owner_.push_back(body);
            around_.emplace_back();
          }
          triangles_.push_back(found->second);
        }
    }
  for (std::size_t e = 0; e < list.size() / per_element; ++e)
    for (std::size_t k = 0; k < per_element; ++k)
      if (const auto found = vertex.find(list[e * per_element + k]); found != vertex.end())
        around_[std::size_t(found->second)].push_back(first_element + std::int64_t(e));
}

std::string ElementSurface::json() const {
  return fmt::format("{{\"vertices\":{},\"triangles\":{},\"owner\":{}}}", vertices(), list_text(triangles_),
                     list_text(owner_));
}

std::vector<double> ElementSurface::positions(const internal::RecordReader& reader,
                                              std::uint64_t record) const {
  const std::vector<double> all = reader.rows("/stickslip/elements/position", record, 1);
  std::vector<double> x;
  x.reserve(3 * nodes_.size());
  for (std::int64_t node : nodes_)
    for (std::size_t i = 0; i < 3; ++i) x.push_back(all.at(3 * std::size_t(node) + i));
  return x;
}

std::vector<double> ElementSurface::stresses(const internal::RecordReader& reader,
                                             std::uint64_t record) const {
  const std::vector<double> all = reader.rows("/stickslip/elements/stress", record, 1);
  std::vector<double> out;
  out.reserve(nodes_.size());
  for (const auto& elements : around_) {
    double sum = 0;
    for (std::int64_t e : elements) {
      const double* s = &all.at(6 * std::size_t(e) + 5) - 5;
      const auto square = [](double x) { return x * x; };
      sum += std::sqrt(0.5 * (square(s[0] - s[1]) + square(s[1] - s[2]) + square(s[2] - s[0])) +
                       3 * (square(s[3]) + square(s[4]) + square(s[5])));
    }
    out.push_back(sum / double(std::max<std::size_t>(1, elements.size())));
  }
  return out;
}

}  // namespace stickslip::viewer
