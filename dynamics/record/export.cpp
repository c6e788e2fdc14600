// Records in other formats.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.hpp"
#include "dynamics/bodies/rotation.hpp"
#include "dynamics/elements/boundary.hpp"
#include "dynamics/record/record_view.hpp"
#include "dynamics/record/recorded_bodies.hpp"
#include "io/files.hpp"
#include "stickslip/errors.hpp"
#include "stickslip/record.hpp"

namespace stickslip {
namespace internal {
namespace {

/// All nodes, and the faces of the surface as triangles, each with its element.
Mesh surface_mesh(const ElementMesh& elements, std::vector<int>& face_element) {
  Mesh mesh{.vertices = elements.nodes};
  for (const Facet& facet : boundary_of(elements).facets) {
    const auto& n = facet.node;
    const auto add = [&](int a, int b, int c) {
      mesh.triangles.push_back({n[std::size_t(a)], n[std::size_t(b)], n[std::size_t(c)]});
      face_element.push_back(facet.element);
    };
    if (facet.nodes == 6) {
      add(0, 3, 5);
      add(3, 1, 4);
      add(5, 4, 2);
      add(3, 4, 5);
      continue;
    }
    add(0, 1, 2);
    if (facet.nodes == 4) add(0, 2, 3);
  }
  return mesh;
}

}  // namespace

RecordView::RecordView(const std::filesystem::path& given)
    : reader(given),
      path(given),
      title(reader.text("title")),
      times(reader.doubles("/stickslip/time")),
      names(reader.texts("/stickslip/body/name")) {
  // A few of the records say how far the bodies get.
  for (std::size_t k = 0; k < times.size(); k += std::max<std::size_t>(1, times.size() / 16))
    for (double x : reader.rows("/stickslip/position", k, 1)) extent = std::max(extent, 2 * std::abs(x));
  if (reader.has("/stickslip/elements/node_start")) {
    node_start = reader.integers("/stickslip/elements/node_start");
    element_start = reader.integers("/stickslip/elements/element_start");
  }
  int elements = 0, driven = 0;
  for (const RecordedBody& body : read_bodies(reader)) {
    Drawn one{.name = body.name, .shape = body.shape, .centre = Vector::Zero()};
    if (body.mesh) {
      one.shape = surface_mesh(*body.mesh, one.face_element);
      one.elements = elements++;
    }
    const bool has_mass =
        !std::holds_alternative<Plane>(one.shape) && !std::holds_alternative<Mesh>(one.shape);
    if (has_mass) one.centre = vector(mass_properties(body.shape).centre);
    if (!body.is_obstacle()) one.place = int(drawn.size());
    if (body.kind == "driven") one.driven = driven++;
    one.position = vector(body.position);
    one.F = rotation(body.rotation).normalized().toRotationMatrix();
    drawn.push_back(std::move(one));
  }
}

RecordView::State RecordView::state(std::size_t record) const {
  State state;
  state.position = reader.rows("/stickslip/position", record, 1);
  state.orientation = reader.rows("/stickslip/orientation", record, 1);
  state.velocity = reader.rows("/stickslip/velocity", record, 1);
  if (reader.has("/stickslip/driven/position")) {
    state.driven_position = reader.rows("/stickslip/driven/position", record, 1);
    state.driven_orientation = reader.rows("/stickslip/driven/orientation", record, 1);
  }
  if (reader.has("/stickslip/deformation"))
    state.deformation = reader.rows("/stickslip/deformation", record, 1);
  if (!node_start.empty()) {
    state.nodes = reader.rows("/stickslip/elements/position", record, 1);
    state.stress = reader.rows("/stickslip/elements/stress", record, 1);
  }
  return state;
}

Surface RecordView::surface(const Drawn& body, int segments) const {
  return surface_of(body.shape, segments, extent);
}

std::vector<Vector> RecordView::vertices(const Drawn& body, const Surface& surface,
                                         const State& state) const {
  std::vector<Vector> placed;
  if (body.elements >= 0) {
    const double* x = &state.nodes[3 * std::size_t(node_start[std::size_t(body.elements)])];
    for (std::size_t k = 0; k < surface.vertices.size(); ++k)
      placed.emplace_back(x[3 * k], x[3 * k + 1], x[3 * k + 2]);
    return placed;
  }
  const Placement at = placement(body, state);
  for (const Vector& v : surface.vertices) placed.push_back(at(v));
  return placed;
}

double RecordView::von_mises(const Drawn& body, std::size_t face, const State& state) const {
  if (body.elements < 0) return 0;
  const std::size_t element =
      std::size_t(element_start[std::size_t(body.elements)]) + std::size_t(body.face_element[face]);
  const double* s = &state.stress[6 * element];
  return std::sqrt(
      0.5 * ((s[0] - s[1]) * (s[0] - s[1]) + (s[1] - s[2]) * (s[1] - s[2]) + (s[2] - s[0]) * (s[2] - s[0])) +
      3 * (s[3] * s[3] + s[4] * s[4] + s[5] * s[5]));
}

Placement RecordView::placement(const Drawn& body, const State& state) const {
  const auto pose = [&](const std::vector<double>& positions, const std::vector<double>& orientations,
                        int number) {
    const double *x = &positions.at(3 * std::size_t(number)), *q = &orientations.at(4 * std::size_t(number));
    return Placement::about(body.centre, {x[0], x[1], x[2]},
                            Rotation(q[0], q[1], q[2], q[3]).toRotationMatrix());
  };
  if (body.driven >= 0) return pose(state.driven_position, state.driven_orientation, body.driven);
  if (body.place < 0) return Placement::about(body.centre, body.position, body.F);
  if (state.deformation.empty()) return pose(state.position, state.orientation, body.place);
  const auto b = std::size_t(body.place);
  Matrix F;
  for (int i = 0; i < 9; ++i) F(i / 3, i % 3) = state.deformation[9 * b + std::size_t(i)];
  return Placement::about(
      body.centre, vector(Point{state.position[3 * b], state.position[3 * b + 1], state.position[3 * b + 2]}),
      F);
}

void write_text(const std::filesystem::path& path, const std::string& text) { io::write_bytes(path, text); }

std::string xml_text(const std::string& text) {
  std::string out;
  for (char c : text) switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  return out;
}

void export_csv(const RecordView& record, const std::filesystem::path& target) {
  std::string text = "time,body,x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz\n";
  for (std::size_t k = 0; k < record.times.size(); ++k) {
    const RecordView::State state = record.state(k);
    for (std::size_t b = 0; b < record.bodies(); ++b) {
      // A name may hold commas: brick[0,0,0].
      std::string name = record.names[b];
      for (std::size_t at = 0; (at = name.find('"', at)) != std::string::npos; at += 2) name.insert(at, "\"");
      text += fmt::format("{:.17g},\"{}\"", record.times[k], name);
      for (std::size_t i = 0; i < 3; ++i) text += fmt::format(",{:.17g}", state.position[3 * b + i]);
      for (std::size_t i = 0; i < 4; ++i) text += fmt::format(",{:.17g}", state.orientation[4 * b + i]);
      for (std::size_t i = 0; i < 6; ++i) text += fmt::format(",{:.17g}", state.velocity[6 * b + i]);
      text += '\n';
    }
  }
  write_text(target, text);
}

/// Points of the bodies and of the contacts, as slabs of the record itself.
void export_xdmf(const RecordView& record, const std::filesystem::path& target) {
  const auto folder = std::filesystem::absolute(target).parent_path();
  const std::string file =
      xml_text(std::filesystem::absolute(record.path).lexically_relative(folder).string());
  const std::size_t T = record.times.size(), B = record.bodies();
  const std::vector<std::int64_t> start = record.reader.integers("/stickslip/contact/start");
  const std::size_t n = std::size_t(start.back());
  std::string text = "<?xml version=\"1.0\" ?>\n<Xdmf Version=\"2.0\">\n<Domain>\n";
  // Rows [first, first + count) of a dataset of `width` numbers a row.
  const auto slab = [&](const char* dataset, std::size_t rows, std::size_t first, std::size_t count,
                        std::size_t width) {
    return fmt::format(
        "<DataItem ItemType=\"HyperSlab\" Dimensions=\"{} {}\"><DataItem Dimensions=\"3 2\" "
        "Format=\"XML\">{} 0 1 1 {} {}</DataItem>"
        "<DataItem Dimensions=\"{} {}\" NumberType=\"Float\" Precision=\"8\" "
        "Format=\"HDF\">{}:{}</DataItem></DataItem>",
        count, width, first, count, width, rows, width, file, dataset);
  };
  const auto points = [&](const std::string& name, std::size_t count, const std::string& geometry,
                          const std::string& values) {
    return fmt::format(
        "<Grid Name=\"{}\"><Topology TopologyType=\"Polyvertex\" NumberOfElements=\"{}\"/>"
        "<Geometry GeometryType=\"XYZ\">{}</Geometry>{}</Grid>\n",
        name, count, geometry, values);
  };
  const auto attribute = [](const char* name, const char* type, const std::string& data) {
    return fmt::format("<Attribute Name=\"{}\" AttributeType=\"{}\" Center=\"Node\">{}</Attribute>", name,
                       type, data);
  };
  text += fmt::format("<Grid Name=\"{}\" GridType=\"Collection\" CollectionType=\"Temporal\">\n",
                      xml_text(record.title));
  for (std::size_t k = 0; k < T; ++k) {
    text +=
        fmt::format("<Grid GridType=\"Collection\" CollectionType=\"Spatial\"><Time Value=\"{:.17g}\"/>\n",
                    record.times[k]);
    if (B > 0)
      text += points(
          "bodies", B, slab("/VTKHDF/Points", T * B, k * B, B, 3),
          attribute("velocity", "Tensor6", slab("/VTKHDF/PointData/velocity", T * B, k * B, B, 6)) +
              attribute("quaternion", "Matrix", slab("/VTKHDF/PointData/quaternion", T * B, k * B, B, 4)));
    const auto first = std::size_t(start[k]), count = std::size_t(start[k + 1] - start[k]);
    if (count > 0)
      text +=
          points("contacts", count, slab("/stickslip/contact/point", n, first, count, 3),
                 attribute("impulse", "Vector", slab("/stickslip/contact/impulse", n, first, count, 3)) +
                     attribute("normal", "Vector", slab("/stickslip/contact/normal", n, first, count, 3)));
    text += "</Grid>\n";
  }
  text += "</Grid>\n</Domain>\n</Xdmf>\n";
  write_text(target, text);
}

namespace {

/// The surfaces of all bodies at one time, one after the other.
std::string vtp_text(const RecordView& record, const std::vector<Surface>& surfaces,
                     const RecordView::State& state) {
  std::string points, connectivity, offsets, ids, speeds, stresses;
  std::size_t count = 0, faces = 0, offset = 0;
  for (std::size_t d = 0; d < record.drawn.size(); ++d) {
    const RecordView::Drawn& body = record.drawn[d];
    double speed = 0;
    if (body.place >= 0) {
      const double* v = &state.velocity[6 * std::size_t(body.place)];
      speed = std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    }
    for (const Vector& p : record.vertices(body, surfaces[d], state)) {
      points += fmt::format("{:.9g} {:.9g} {:.9g}\n", p[0], p[1], p[2]);
    }
    for (const auto& face : surfaces[d].faces) {
      for (int v : face) connectivity += fmt::format("{} ", count + std::size_t(v));
      offset += face.size();
      offsets += fmt::format("{} ", offset);
      ids += fmt::format("{} ", body.place);
      speeds += fmt::format("{:.6g} ", speed);
      if (!state.stress.empty())
        stresses += fmt::format("{:.6g} ",
                                record.von_mises(body, std::size_t(&face - surfaces[d].faces.data()), state));
      ++faces;
    }
    count += surfaces[d].vertices.size();
  }
  if (!stresses.empty())
    stresses = fmt::format(
        "<DataArray type=\"Float64\" Name=\"von_mises\" format=\"ascii\">\n{}\n</DataArray>\n", stresses);
  return fmt::format(
      "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"0.1\" "
      "byte_order=\"LittleEndian\">\n<PolyData>\n"
      "<Piece NumberOfPoints=\"{}\" NumberOfPolys=\"{}\">\n<Points>\n<DataArray type=\"Float64\" "
      "NumberOfComponents=\"3\" "
      "format=\"ascii\">\n{}</DataArray>\n</Points>\n<Polys>\n<DataArray type=\"Int64\" "
      "Name=\"connectivity\" format=\"ascii\">\n"
      "{}\n</DataArray>\n<DataArray type=\"Int64\" Name=\"offsets\" "
      "format=\"ascii\">\n{}\n</DataArray>\n</Polys>\n<CellData>\n"
      "<DataArray type=\"Int64\" Name=\"body\" format=\"ascii\">\n{}\n</DataArray>\n<DataArray "
      "type=\"Float64\" Name=\"speed\" "
      "format=\"ascii\">\n{}\n</DataArray>\n{}</CellData>\n</Piece>\n</PolyData>\n</VTKFile>\n",
      count, faces, points, connectivity, offsets, ids, speeds, stresses);
}

}  // namespace

/// A file that lists one surface file a record, in a folder beside it.
void export_pvd(const RecordView& record, const std::filesystem::path& target) {
  std::vector<Surface> surfaces;
  for (const RecordView::Drawn& body : record.drawn) surfaces.push_back(record.surface(body, 16));
  const std::filesystem::path folder = target.parent_path() / (target.stem().string() + "_pvd");
  std::error_code failure;
  std::filesystem::create_directories(folder, failure);
  if (failure) throw OutputError(folder.string() + ": cannot be created: " + failure.message());
  std::string text = "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\">\n<Collection>\n";
  for (std::size_t k = 0; k < record.times.size(); ++k) {
    const std::string name = fmt::format("{:06d}.vtp", k);
    write_text(folder / name, vtp_text(record, surfaces, record.state(k)));
    text += fmt::format("<DataSet timestep=\"{:.17g}\" file=\"{}/{}\"/>\n", record.times[k],
                        xml_text(folder.filename().string()), name);
  }
  write_text(target, text + "</Collection>\n</VTKFile>\n");
}

namespace {

/// A name that USD takes: letters, digits and _, not beginning with a digit.
std::string usd_name(const std::string& name, std::size_t number) {
  std::string out;
  for (char c : name) out += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  return fmt::format("b{}_{}", number, out);
}

std::string usd_matrix(const Placement& p) {
  // Rows of points times the matrix: the transpose of ours.
  const Matrix& F = p.F;
  return fmt::format(
      "( ({:.9g}, {:.9g}, {:.9g}, 0), ({:.9g}, {:.9g}, {:.9g}, 0), ({:.9g}, {:.9g}, {:.9g}, 0), ({:.9g}, "
      "{:.9g}, {:.9g}, 1) )",
      F(0, 0), F(1, 0), F(2, 0), F(0, 1), F(1, 1), F(2, 1), F(0, 2), F(1, 2), F(2, 2), p.c[0], p.c[1],
      p.c[2]);
}

}  // namespace

void export_usda(const RecordView& record, const std::filesystem::path& target) {
  const double rate = 24;
  const double last = record.times.empty() ? 0 : record.times.back();
  std::string text = fmt::format(
      "#usda 1.0\n(\n    defaultPrim = \"World\"\n    upAxis = \"Z\"\n    metersPerUnit = 1\n"
      "    timeCodesPerSecond = {}\n    startTimeCode = 0\n    endTimeCode = {:.9g}\n)\n\ndef Xform "
      "\"World\"\n{{\n",
      rate, last * rate);
  std::vector<RecordView::State> states;
  for (std::size_t k = 0; k < record.times.size(); ++k) states.push_back(record.state(k));
  for (std::size_t d = 0; d < record.drawn.size(); ++d) {
    const RecordView::Drawn& body = record.drawn[d];
    const Surface surface = record.surface(body, 24);
    text += fmt::format("    def Mesh \"{}\"\n    {{\n        uniform token subdivisionScheme = \"none\"\n",
                        usd_name(body.name, d));
    text += "        int[] faceVertexCounts = [";
    for (std::size_t f = 0; f < surface.faces.size(); ++f)
      text += fmt::format("{}{}", f ? ", " : "", surface.faces[f].size());
    text += "]\n        int[] faceVertexIndices = [";
    bool first = true;
    for (const auto& face : surface.faces)
      for (int v : face) {
        text += fmt::format("{}{}", first ? "" : ", ", v);
        first = false;
      }
    const auto usd_points = [](const std::vector<Vector>& points) {
      std::string list = "[";
      for (std::size_t v = 0; v < points.size(); ++v)
        list += fmt::format("{}({:.7g}, {:.7g}, {:.7g})", v ? ", " : "", points[v][0], points[v][1],
                            points[v][2]);
      return list + "]";
    };
    if (body.elements >= 0 && !states.empty()) {
      // Its vertices move each for itself.
      text += "]\n        point3f[] points.timeSamples = {\n";
      for (std::size_t k = 0; k < states.size(); ++k)
        text += fmt::format("            {:.9g}: {},\n", record.times[k] * rate,
                            usd_points(record.vertices(body, surface, states[k])));
      text += "        }\n    }\n";
      continue;
    }
    text += "]\n        point3f[] points = " + usd_points(surface.vertices) + "\n";
    if (body.place < 0 || states.empty()) {
      text += "        matrix4d xformOp:transform = " +
              usd_matrix(Placement::about(body.centre, body.position, body.F)) + "\n";
    } else {
      text += "        matrix4d xformOp:transform.timeSamples = {\n";
      for (std::size_t k = 0; k < states.size(); ++k)
        text += fmt::format("            {:.9g}: {},\n", record.times[k] * rate,
                            usd_matrix(record.placement(body, states[k])));
      text += "        }\n";
    }
    text += "        uniform token[] xformOpOrder = [\"xformOp:transform\"]\n    }\n";
  }
  write_text(target, text + "}\n");
}

}  // namespace internal

void export_record(const std::filesystem::path& record, const std::filesystem::path& target) {
  const std::string ending = target.extension().string();
  const std::vector<
      std::pair<std::string, void (*)(const internal::RecordView&, const std::filesystem::path&)>>
      formats = {{".csv", internal::export_csv},   {".xdmf", internal::export_xdmf},
                 {".pvd", internal::export_pvd},   {".vtkhdf", internal::export_vtkhdf},
                 {".usda", internal::export_usda}, {".svg", internal::export_svg}};
  for (const auto& [name, write] : formats)
    if (name == ending) {
      write(internal::RecordView(record), target);
      return;
    }
  std::vector<std::string> names;
  for (const auto& format : formats) names.push_back(format.first);
  const std::string near = internal::nearest(ending, names);
  throw InputError(fmt::format("{}: unknown ending '{}'{} (.csv, .xdmf, .pvd, .vtkhdf, .usda, .svg)",
                               target.string(), ending,
                               near.empty() ? "" : fmt::format("; did you mean '{}'?", near)));
}

}  // namespace stickslip
