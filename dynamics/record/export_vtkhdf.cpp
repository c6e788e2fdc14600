// VTKHDF 2.0: the bodies' surfaces in time, as ParaView from 5.12 on reads them; without shapes, their points.
//
// Cells and their connectivity are the same at every time (offset 0); the points of each time follow each other.

#include <fmt/format.h>

#include "dynamics/record/growing_file.hpp"
#include "dynamics/record/record_view.hpp"

namespace stickslip::internal {

void export_vtkhdf(const RecordView& record, const std::filesystem::path& target) {
  std::vector<Surface> surfaces;
  std::vector<std::int64_t> connectivity, offsets = {0}, cell_body;
  std::vector<std::uint8_t> types;
  std::int64_t points = 0;
  for (const RecordView::Drawn& body : record.drawn) {
    surfaces.push_back(record.surface(body, 16));
    for (const auto& face : surfaces.back().faces) {
      for (int v : face) connectivity.push_back(points + v);
      offsets.push_back(std::int64_t(connectivity.size()));
      types.push_back(7);  // polygon
      cell_body.push_back(body.place);
    }
    points += std::int64_t(surfaces.back().vertices.size());
  }

  GrowingFile file(target);
  const std::string vtk = "/VTKHDF", steps = vtk + "/Steps";
  const Element f64{ElementType::f64}, i64{ElementType::i64}, u8{ElementType::u8};
  file.attribute(vtk, "Version", std::vector<std::int64_t>{2, 0});
  file.short_attribute(vtk, "Type", "UnstructuredGrid");
  file.fixed(vtk + "/Connectivity", i64, {connectivity.size()}, connectivity.data());
  file.fixed(vtk + "/Offsets", i64, {offsets.size()}, offsets.data());
  file.fixed(vtk + "/Types", u8, {types.size()}, types.data());
  file.fixed(vtk + "/CellData/body", i64, {cell_body.size()}, cell_body.data());
  const int all_points = file.growing(vtk + "/Points", f64, {3});
  std::vector<std::pair<int, std::int64_t>> counts;  // datasets that get the same number at every time
  counts.emplace_back(file.growing(vtk + "/NumberOfPoints", i64, {}), points);
  counts.emplace_back(file.growing(vtk + "/NumberOfCells", i64, {}), std::int64_t(types.size()));
  counts.emplace_back(file.growing(vtk + "/NumberOfConnectivityIds", i64, {}),
                      std::int64_t(connectivity.size()));
  counts.emplace_back(file.growing(steps + "/NumberOfParts", i64, {}), 1);
  counts.emplace_back(file.growing(steps + "/PartOffsets", i64, {}), 0);
  counts.emplace_back(file.growing(steps + "/CellOffsets", i64, {1}), 0);
  counts.emplace_back(file.growing(steps + "/ConnectivityIdOffsets", i64, {1}), 0);
  counts.emplace_back(file.growing(steps + "/CellDataOffsets/body", i64, {}), 0);
  const bool with_stress = !record.node_start.empty();
  const int von_mises = with_stress ? file.growing(vtk + "/CellData/von_mises", f64, {}) : 0;
  const int stress_offsets = with_stress ? file.growing(steps + "/CellDataOffsets/von_mises", i64, {}) : 0;
  std::vector<double> stresses;
  const int point_offsets = file.growing(steps + "/PointOffsets", i64, {});
  const int values = file.growing(steps + "/Values", f64, {});
  file.attribute(steps, "NSteps", std::vector<std::int64_t>{std::int64_t(record.times.size())});

  std::vector<Point> placed;
  for (std::size_t k = 0; k < record.times.size(); ++k) {
    const RecordView::State state = record.state(k);
    placed.clear();
    for (std::size_t d = 0; d < record.drawn.size(); ++d) {
      for (const Vector& v : record.vertices(record.drawn[d], surfaces[d], state)) placed.push_back(point(v));
      if (with_stress)
        for (std::size_t f = 0; f < surfaces[d].faces.size(); ++f)
          stresses.push_back(record.von_mises(record.drawn[d], f, state));
    }
    if (with_stress) {
      file.append(von_mises, stresses.data(), stresses.size());
      const std::int64_t at = std::int64_t(k * types.size());
      file.append(stress_offsets, &at, 1);
      stresses.clear();
    }
    file.append(all_points, placed.data(), placed.size());
    for (const auto& [dataset, value] : counts) file.append(dataset, &value, 1);
    const std::int64_t first = std::int64_t(k) * points;
    file.append(point_offsets, &first, 1);
    file.append(values, &record.times[k], 1);
  }
  file.commit();
}

}  // namespace stickslip::internal
