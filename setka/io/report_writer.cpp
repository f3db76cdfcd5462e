// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/io/report_writer.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <iterator>
#include <span>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "setka/base/error.hpp"
#include "setka/io/output_file.hpp"
#include "setka/io/report_codec.hpp"
#include "setka/model/attributes.hpp"

namespace setka::io {
namespace {

constexpr std::string_view place_of_numbers = "<!-- setka: numbers -->";

std::string page_text(const std::filesystem::path& page) {
  std::ifstream in(page, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  if (!in || text.find(place_of_numbers) == std::string::npos) {
    throw Error(Fault::resource, fmt::format("{}, the page of reports, cannot be read", page.string()),
                "build web/ again, or install setka again");
  }
  return text;
}

/// JSON has no word for what is no number.
std::string number(double value) {
  return std::isfinite(value) ? fmt::format("{}", value) : "null";
}

std::string numbers(std::span<const double> values) {
  std::string text = "[";
  for (const double value : values) {
    if (text.size() > 1) text += ',';
    text += number(value);
  }
  text += ']';
  return text;
}

/// Names of sets may be in any bytes; what is no UTF-8 becomes U+FFFD. Nothing in it ends a script element.
std::string json_string(std::string_view text) {
  std::string made;
  for (const char letter :
       nlohmann::json(text).dump(-1, ' ', true, nlohmann::json::error_handler_t::replace)) {
    letter == '<' ? made += "\\u003c" : made += letter;
  }
  return made;
}

std::string_view word(ReportFrameKind kind) {
  constexpr std::array<std::string_view, 5> words{"state", "mode", "buckling", "time", "harmonic"};
  return words[static_cast<std::size_t>(kind)];
}

/// The packed numbers of a page: elements behind its text, by their numbers.
class Blobs {
 public:
  explicit Blobs(OutputFile& file) : file_(file) {}

  int add(std::string_view bytes) {
    file_.write(fmt::format("<script type=\"text/plain\" id=\"numbers-{}\">", ++count_));
    file_.write(base64(bytes));
    file_.write("</script>\n");
    return count_;
  }

 private:
  OutputFile& file_;
  int count_ = 0;
};

std::string surface_json(const ReportSurface& surface, const mesh::Mesh& mesh, Blobs& blobs) {
  const std::size_t points = surface.node.size();
  std::vector<double> own(points);
  std::vector<std::uint16_t> codes;
  std::array<double, 3> low{};
  std::array<double, 3> high{};
  for (std::size_t k = 0; k < 3; ++k) {
    for (std::size_t i = 0; i < points; ++i) own[i] = surface.positions[3 * i + k];
    const Quantised quantised = quantise(own, 16);
    low[k] = quantised.low;
    high[k] = quantised.high;
    codes.insert(codes.end(), quantised.codes.begin(), quantised.codes.end());
  }
  std::vector<std::int32_t> labels(points);
  for (std::size_t i = 0; i < points; ++i) labels[i] = mesh.node_label(surface.node[i]);
  std::string text = fmt::format(
      "{{\"points\":{},\"low\":{},\"high\":{},\"positions\":{},\"labels\":{},\"triangles\":{},\"edges\":{},"
      "\"triangleCount\":{},\"edgeCount\":{},\"sheets\":{},\"parts\":[",
      points, numbers(low), numbers(high), blobs.add(packed_codes(codes, 3)),
      blobs.add(packed_numbers(labels)), blobs.add(packed_references(surface.triangles)),
      blobs.add(packed_numbers(surface.edges)), surface.triangles.size() / 3, surface.edges.size() / 2,
      surface.has_sheets);
  for (const ReportPart& part : surface.parts) {
    text += fmt::format("{}{{\"name\":{},\"section\":{}}}", &part == surface.parts.data() ? "" : ",",
                        json_string(part.name), part.is_section);
  }
  text += "],\"chunks\":[";
  for (const ReportChunk& chunk : surface.chunks) {
    text += fmt::format("{}{{\"parts\":[{}],\"behind\":{},\"triangles\":{},\"sharp\":{},\"edges\":{}}}",
                        &chunk == surface.chunks.data() ? "" : ",", fmt::join(chunk.parts, ","), chunk.behind,
                        chunk.triangles, chunk.sharp_edges, chunk.edges);
  }
  return text + "]}";
}

std::string frame_json(const PackedFrame& frame, Blobs& blobs) {
  std::string text = fmt::format("{{\"kind\":\"{}\",\"step\":{},\"time\":{}", word(frame.kind), frame.step,
                                 number(frame.time));
  if (frame.mode) {
    text +=
        fmt::format(",\"number\":{},\"frequency\":{}", frame.mode->number, number(frame.mode->frequency()));
    if (frame.mode->nodal_diameter) text += fmt::format(",\"diameter\":{}", *frame.mode->nodal_diameter);
  }
  if (frame.buckling)
    text +=
        fmt::format(",\"number\":{},\"factor\":{}", frame.buckling->number, number(frame.buckling->factor));
  text += ",\"fields\":[";
  for (const PackedField& field : frame.fields) {
    text += fmt::format(
        "{}{{\"name\":{},\"components\":{},\"bits\":{},\"imaginary\":{},\"low\":{},\"high\":{},\"codes\":{}}"
        "}",
        &field == frame.fields.data() ? "" : ",", json_string(field.name), field.components, field.bits,
        field.imaginary, numbers(field.low), numbers(field.high), blobs.add(field.bytes));
  }
  return text + "]}";
}

}  // namespace

std::size_t report_bytes(std::int64_t nodes) {
  constexpr double least = 2.0e6;
  constexpr double most = 20.0e6;
  constexpr double few = 20e3;
  constexpr double many = 700e3;
  const double share = std::clamp((static_cast<double>(nodes) - few) / (many - few), 0.0, 1.0);
  return static_cast<std::size_t>(least + share * (most - least));
}

ReportWriter::ReportWriter(std::filesystem::path path, const std::filesystem::path& page,
                           const model::Model& model, std::shared_ptr<const model::ShownSolids> shown,
                           const ReportOptions& options)
    : path_(std::move(path)),
      model_(model),
      shown_(std::move(shown)),
      surface_(report_surface(model, shown_.get(), options.most_triangles)),
      frames_(surface_.value,
              options.most_bytes > 0 ? options.most_bytes : report_bytes(model.mesh.node_count())) {
  const std::string text = page_text(page);
  const std::size_t at = text.find(place_of_numbers);
  before_ = text.substr(0, at);
  after_ = text.substr(at + place_of_numbers.size());
}

void ReportWriter::write(const model::Step& step, const model::Frame& frame) {
  if (!output_is_due(step, frame) || !frame.nodes.empty()) return;
  const ReportFrameKind kind = kind_of(step, frame);
  if (supports_of_ != frame.step) {
    supports_ = supports_in(frame.step);
    supports_of_ = frame.step;
  }
  sizes_.push_back(sizes_of(kind, frame));
  frames_.add(kind, frame);
}

std::vector<bool> ReportWriter::supports_in(int step) const {
  std::vector<bool> supports(3 * static_cast<std::size_t>(model_.mesh.node_count()), false);
  const std::vector<std::int32_t> transform_of = model::transforms_of_nodes(model_);
  const auto add = [&](const std::vector<model::PrescribedValue>& values) {
    for (const model::PrescribedValue& value : values) {
      if (value.direction > 3) continue;
      const auto node = static_cast<std::size_t>(value.node);
      for (std::size_t k = 0; k < 3; ++k) {
        // What is held along an axis of the node's own acts along all global ones.
        if (transform_of[node] >= 0 || static_cast<std::size_t>(value.direction) == k + 1)
          supports[3 * node + k] = true;
      }
    }
  };
  const auto steps = std::min(static_cast<std::size_t>(std::max(step, 0)), model_.steps.size());
  std::size_t first = 0;
  for (std::size_t s = 0; s < steps; ++s) {
    if (model_.steps[s].operations.new_boundary) first = s;
  }
  add(model_.prescribed);
  for (std::size_t s = first; s < steps; ++s) add(model_.steps[s].prescribed);
  return supports;
}

FrameSizes ReportWriter::sizes_of(ReportFrameKind kind, const model::Frame& frame) const {
  FrameSizes made;
  made.kind = kind;
  made.step = frame.step;
  made.time = frame.time;
  const mesh::Mesh& mesh = this->mesh();
  for (const model::NodeField& field : frame.node_fields) {
    const auto components = static_cast<std::size_t>(field.components);
    const bool tensor = components == 6;
    if (field.empty() || (tensor && field.name != "S")) continue;
    FrameSizes::Size size{tensor ? "S_Mises" : field.name, 0, 0, -1, -1};
    for (std::int32_t node = 0; node < mesh.node_count(); ++node) {
      const std::int32_t at = shown_ != nullptr ? shown_->node[static_cast<std::size_t>(node)] : node;
      const double* const v = field.values.data() + components * static_cast<std::size_t>(at);
      const double value = tensor ? mises(v) : components == 3 ? std::hypot(v[0], v[1], v[2]) : v[0];
      if (!std::isfinite(value)) continue;
      if (size.node < 0 || value > size.largest) {
        size.largest = value;
        size.node = node;
      }
      if (size.lowest < 0 || value < size.smallest) {
        size.smallest = value;
        size.lowest = node;
      }
    }
    made.sizes.push_back(std::move(size));
    if (field.name != "RF" || components != 3) continue;
    made.reactions.emplace(3, 0.0);
    for (std::size_t i = 0; i < supports_.size(); ++i) {
      if (supports_[i]) (*made.reactions)[i % 3] += field.values[i];
    }
  }
  return made;
}

void ReportWriter::finish() {
  OutputFile file(path_);
  file.write(before_);
  Blobs blobs(file);
  std::string json = "{\"format\":1,";
  if (!members_.empty()) json.append(members_).append(",");
  json.append("\"model\":").append(surface_json(surface_, mesh(), blobs)).append(",\"frames\":[");
  for (const PackedFrame& frame : frames_.frames()) {
    if (&frame != frames_.frames().data()) json.append(",\n");
    json.append(frame_json(frame, blobs));
  }
  json.append("],\"leftOut\":[");
  const std::vector<std::string> left_out = this->left_out();
  for (const std::string& sentence : left_out) {
    if (&sentence != left_out.data()) json.append(",");
    json.append(json_string(sentence));
  }
  file.write("<script type=\"application/json\" id=\"report\">");
  file.write(json);
  file.write("]}</script>\n");
  file.write(after_);
  file.commit();
  files_.push_back(path_);
}

void ReportWriter::go_on(const std::string& /*position*/) {
  throw Error(Fault::usage, "a report is of a whole run, and this one goes on from a checkpoint",
              "leave --report or --continue out");
}

std::vector<std::string> ReportWriter::left_out() const {
  std::vector<std::string> sentences;
  if (surface_.coarser()) {
    sentences.push_back(fmt::format(
        "The surface is shown by {} triangles of {}; values at its points are those computed there.",
        surface_.triangles.size() / 3, surface_.whole_triangles));
  }
  if (surface_.has_lines)
    sentences.emplace_back(
        "Beams, trusses and springs are drawn as prisms of one width, whatever their sections are.");
  if (surface_.sets_left_out)
    sentences.emplace_back(
        "Sets of elements overlap in too many ways to be switched on and off; sections can be.");
  if (frames_.bits() < 16)
    sentences.push_back(
        fmt::format("Values in the picture are rounded to {} bits of their range; those in tables are not.",
                    frames_.bits()));
  if (frames_.without_tensors())
    sentences.emplace_back(
        "Components of tensors are left out to keep the file small; result files have them.");
  if (static_cast<std::int64_t>(frames_.frames().size()) < frames_.given()) {
    sentences.push_back(
        fmt::format("{} of {} states are in the picture to keep the file small; result files have all.",
                    frames_.frames().size(), frames_.given()));
  }
  return sentences;
}

}  // namespace setka::io
