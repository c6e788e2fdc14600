#include "viewer/export_page.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>

#include "io/files.hpp"
#include "stickslip/errors.hpp"
#include "viewer/bundle.hpp"
#include "viewer/json_text.hpp"

namespace stickslip::viewer {
namespace {

/// Fewer frames than these are no film: then contacts are given up.
constexpr std::uint64_t least_frames = 12;
constexpr int most_attempts = 6;

std::string base64(std::string_view bytes) {
  static constexpr char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t k = 0; k < bytes.size(); k += 3) {
    const std::size_t left = std::min<std::size_t>(3, bytes.size() - k);
    std::uint32_t word = 0;
    for (std::size_t i = 0; i < 3; ++i)
      word = word << 8 | (i < left ? std::uint32_t(static_cast<unsigned char>(bytes[k + i])) : 0u);
    for (std::size_t i = 0; i < 4; ++i) out += i <= left ? letters[word >> (18 - 6 * i) & 63] : '=';
  }
  return out;
}

/// The numbers of a frame for the page (web/viewer/embedded.ts): the first bytes of all words of four, then the second ones, and so on, since
/// bytes of one kind are alike; deflated; as letters.
std::string packed(const std::string& frame) {
  const std::size_t words = frame.size() / 4;  // every number has four bytes, or eight
  std::string planes(frame.size(), '\0');
  for (std::size_t k = 0; k < words; ++k)
    for (std::size_t plane = 0; plane < 4; ++plane) planes[plane * words + k] = frame[4 * k + plane];
  uLongf size = ::compressBound(uLong(planes.size()));
  std::string small(size, '\0');
  ::compress2(reinterpret_cast<Bytef*>(small.data()), &size, reinterpret_cast<const Bytef*>(planes.data()),
              uLong(planes.size()), Z_DEFAULT_COMPRESSION);
  small.resize(size);
  return base64(small);
}

std::string script_text() {
  // The only place where a script element could be ended early.
  std::string text(bundle::script());
  for (std::size_t at = 0; (at = text.find("</script", at)) != std::string::npos; at += 9)
    text.insert(at + 1, "\\");
  return text;
}

struct Frames {
  std::vector<std::uint64_t> kept;
  bool all_contacts = true;
  std::string left_out;
};

/// `room`: bytes for frames as they are in the record.
Frames choose(const RunSource& run, std::uint64_t room) {
  const std::uint64_t T = run.records(), body = run.body_bytes() + 16;
  std::uint64_t contacts = 0;
  for (std::uint64_t k = 0; k < T; ++k) contacts += run.contact_bytes(k) + 16;
  Frames frames;
  std::uint64_t most = T == 0 ? 0 : room / (body + (contacts + T - 1) / T);
  if (most < std::min(T, least_frames)) {
    frames.all_contacts = false;
    const std::uint64_t last = run.contact_bytes(T - 1);
    most = room > last ? (room - last) / body : 0;
    if (most < std::min<std::uint64_t>(T, 2))
      throw InputError("the record is too large for a page of its own: not even two frames fit");
  }
  const std::uint64_t count = std::min(T, most);
  for (std::uint64_t k = 0; k < count; ++k)
    frames.kept.push_back(count < 2 ? T - 1 : k * (T - 1) / (count - 1));
  if (count < T) frames.left_out = fmt::format("{} of {} frames are left out", T - count, T);
  if (!frames.all_contacts)
    frames.left_out += fmt::format("{}the contacts are those of the last frame only",
                                   frames.left_out.empty() ? "" : ", and ");
  return frames;
}

/// Letters of the page for a byte of the record, by three of its frames.
double ratio_of(const RunSource& run) {
  double before = 1, after = 2;
  const std::uint64_t T = run.records();
  for (const std::uint64_t k : {std::uint64_t(0), T / 2, T - 1}) {
    if (T == 0) break;
    for (const std::string& frame : {run.bodies(k, 1), run.contacts(k, 1)}) {
      before += double(frame.size());
      after += double(packed(frame).size());
    }
  }
  return after / before;
}

std::string record_data(const RunSource& run, std::uint64_t room, ExportNote& note) {
  const std::string info = run.info(), steps = run.steps(1000);
  const std::uint64_t text = info.size() + steps.size() + 4096;
  if (room < text)
    throw InputError("the record is too large for a page of its own: its bodies alone fill it");
  // How small frames become is found out: where it was hoped for too much, fewer of them are tried.
  const double left = double(room - text);
  double ratio = ratio_of(run);
  for (int attempt = 0; attempt < most_attempts; ++attempt) {
    const Frames frames = choose(run, std::uint64_t(0.97 * left / ratio));
    std::string bodies, contacts;
    for (std::uint64_t k : frames.kept) {
      const char* comma = bodies.empty() ? "" : ",";
      bodies += fmt::format("{}\"{}\"", comma, packed(run.bodies(k, 1)));
      const bool with = frames.all_contacts || k == frames.kept.back();
      contacts += fmt::format("{}\"{}\"", comma, with ? packed(run.contacts(k, 1)) : "");
    }
    const double size = double(bodies.size() + contacts.size());
    if (size > left) {
      ratio *= 1.02 * size / left;
      continue;
    }
    note.left_out = frames.left_out;
    return fmt::format(
        "{{\"info\":{},\"steps\":{},\"frames\":{},\"left_out\":{},\"bodies\":[{}],\"contacts\":[{}]}}", info,
        steps, list_text(frames.kept), json_string(note.left_out), bodies, contacts);
  }
  throw InputError("the record is too large for a page of its own");
}

}  // namespace

ExportNote export_page(const Site& site, const std::filesystem::path& target, std::uint64_t budget) {
  if (site.size() != 1) throw InputError("--export: a folder has several records; name one");
  ExportNote note;
  std::string data;
  const std::uint64_t frame = bundle::page().size() + bundle::style().size() + bundle::script().size() + 4096;
  if (site.is_record(0)) {
    data = record_data(*site.run(0), budget > frame ? budget - frame : 0, note);
  } else {
    const auto problem = site.problem(0);
    problem->finish();
    data = fmt::format("{{\"info\":{},\"solve\":{}}}", problem->info(), problem->solve());
    if (data.size() + frame > budget) throw InputError("the problem is too large for a page of its own");
  }
  const std::string head = fmt::format(
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src "
      "'unsafe-inline'; style-src 'unsafe-inline'; "
      "img-src data: blob:\">\n<style>{}</style>",
      bundle::style());
  const std::string page =
      page_with(head, fmt::format("<script type=\"application/json\" id=\"data\">{}</script>", data),
                fmt::format("<script>{}</script>", script_text()));
  internal::io::write_bytes(target, page);
  note.bytes = page.size();
  return note;
}

}  // namespace stickslip::viewer
