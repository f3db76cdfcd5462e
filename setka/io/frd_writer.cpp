// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/io/frd_writer.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <ctime>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "setka/base/build_info.hpp"
#include "setka/base/error.hpp"
#include "setka/base/meanwhile.hpp"
#include "setka/io/detail/position.hpp"
#include "setka/io/detail/rows.hpp"
#include "setka/io/numbers.hpp"
#include "setka/model/attributes.hpp"
#include "setka/model/local_system.hpp"

namespace setka::io {

using mesh::Cell;

/// A field as a block of the file.
struct FrdWriter::Block {
  model::OutputKind kind;
  std::string_view field;  // of the frame, and in the request
  std::string_view name;
  int components;
  std::string_view component_lines;
};

namespace {

constexpr std::string_view vector_of_displacements =
    " -5  D1          1    2    1    0\n -5  D2          1    2    2    0\n -5  D3          1    2    3    "
    "0\n"
    " -5  ALL         1    2    0    0    1ALL\n";
constexpr std::string_view vector_of_velocities =
    " -5  V1          1    2    1    0\n -5  V2          1    2    2    0\n -5  V3          1    2    3    "
    "0\n"
    " -5  ALL         1    2    0    0    1ALL\n";
constexpr std::string_view vector_of_accelerations =
    " -5  A1          1    2    1    0\n -5  A2          1    2    2    0\n -5  A3          1    2    3    "
    "0\n"
    " -5  ALL         1    2    0    0    1ALL\n";
constexpr std::string_view vector_of_forces =
    " -5  F1          1    2    1    0\n -5  F2          1    2    2    0\n -5  F3          1    2    3    "
    "0\n"
    " -5  ALL         1    2    0    0    1ALL\n";
constexpr std::string_view tensor_of_stresses =
    " -5  SXX         1    4    1    1\n -5  SYY         1    4    2    2\n -5  SZZ         1    4    3    "
    "3\n"
    " -5  SXY         1    4    1    2\n -5  SYZ         1    4    2    3\n -5  SZX         1    4    3    "
    "1\n";
constexpr std::string_view tensor_of_strains =
    " -5  EXX         1    4    1    1\n -5  EYY         1    4    2    2\n -5  EZZ         1    4    3    "
    "3\n"
    " -5  EXY         1    4    1    2\n -5  EYZ         1    4    2    3\n -5  EZX         1    4    3    "
    "1\n";

/// The number of a shape in the file, and the node of ours that each of its nodes is; none: not in the file.
struct FrdShape {
  int number;
  std::span<const std::int8_t> order;
};

std::optional<FrdShape> frd_shape(Cell cell) {
  static constexpr std::array<std::int8_t, 20> as_is{0,  1,  2,  3,  4,  5,  6,  7,  8,  9,
                                                     10, 11, 12, 13, 14, 15, 16, 17, 18, 19};
  static constexpr std::array<std::int8_t, 20> hex20{0,  1,  2,  3,  4,  5,  6,  7,  8,  9,
                                                     10, 11, 16, 17, 18, 19, 12, 13, 14, 15};
  static constexpr std::array<std::int8_t, 15> wedge15{0, 1, 2, 3, 4, 5, 6, 7, 8, 12, 13, 14, 9, 10, 11};
  const auto same = std::span(as_is).first(static_cast<std::size_t>(mesh::node_count(cell)));
  switch (cell) {
    case Cell::hex8:
      return FrdShape{1, same};
    case Cell::wedge6:
      return FrdShape{2, same};
    case Cell::tet4:
      return FrdShape{3, same};
    case Cell::hex20:
      return FrdShape{4, hex20};
    case Cell::wedge15:
      return FrdShape{5, wedge15};
    case Cell::tet10:
      return FrdShape{6, same};
    case Cell::tri3:
      return FrdShape{7, same};
    case Cell::tri6:
      return FrdShape{8, same};
    case Cell::quad4:
      return FrdShape{9, same};
    case Cell::quad8:
      return FrdShape{10, same};
    case Cell::line2:
      return FrdShape{11, same};
    case Cell::line3:
      return FrdShape{12, same};
    case Cell::point1:
      return std::nullopt;
  }
  return std::nullopt;
}

/// Of materials and then springs, from 1; 0 where an element has neither.
std::vector<std::int32_t> material_numbers(const model::Model& model) {
  std::vector<std::int32_t> numbers = model::materials_of_elements(model);
  for (std::int32_t& number : numbers) ++number;
  const std::vector<std::int32_t> springs = model::springs_of_elements(model);
  for (std::size_t e = 0; e < springs.size(); ++e) {
    if (springs[e] >= 0) numbers[e] = static_cast<std::int32_t>(model.materials.size()) + springs[e] + 1;
  }
  return numbers;
}

/// CalculiX adds the error to stresses.
bool asks_for(const model::OutputRequest& request, std::string_view field) {
  return std::ranges::any_of(request.variables, [&](const std::string& variable) {
    return variable == field || ((variable == "S" || variable == "SF") && field == "ERR");
  });
}

/// Twelve columns, as many figures as fit between 1 and 10^10.
std::string frd_time(double time) {
  const int figures = time > 0 ? static_cast<int>(std::floor(std::log10(time))) : -1;
  if (figures < 0 || figures > 9) return fmt::format("{:12.5E}", time);
  return fmt::format("{:12.{}f}", time, 9 - figures);
}

std::tm local_time() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  ::localtime_r(&now, &parts);
  return parts;
}

char* put_raw(char* at, const void* data, std::size_t size) {
  std::memcpy(at, data, size);
  return at + size;
}

char* put_text(char* at, std::string_view text) {
  return put_raw(at, text.data(), text.size());
}

/// What a row begins with.
char* put_label(char* at, std::int32_t label) {
  return put_integer(put_text(at, " -1"), label, 10);
}

constexpr std::size_t label_width = 13;

/// Positions in the order of their labels, in which most meshes are already.
template <class Label>
void sort_by_label(std::vector<std::int32_t>& positions, const Label& label) {
  const auto before = [&](std::int32_t a, std::int32_t b) { return label(a) < label(b); };
  if (!std::is_sorted(positions.begin(), positions.end(), before))
    std::sort(positions.begin(), positions.end(), before);
}

}  // namespace

FrdWriter::FrdWriter(std::filesystem::path path, const model::Model& model, FrdOptions options,
                     std::shared_ptr<const model::ShownSolids> shown)
    : file_(std::move(path)),
      shown_(std::move(shown)),
      model_(shown_ == nullptr ? model : shown_->model),
      options_(options),
      has_element_(static_cast<std::size_t>(model_.mesh.node_count())),
      transform_of_node_(model::transforms_of_nodes(model_)),
      mesh_(meanwhile(model_.mesh.node_count(), [this] { write_mesh(); })) {}

void FrdWriter::write_mesh() {
  const mesh::Mesh& mesh = model_.mesh;
  for (std::int32_t e = 0; e < mesh.element_count(); ++e) {
    for (const std::int32_t node : mesh.nodes(e)) has_element_[static_cast<std::size_t>(node)] = true;
  }
  for (std::int32_t node = 0; node < mesh.node_count(); ++node) {
    if (has_element_[static_cast<std::size_t>(node)]) nodes_.push_back(node);
  }
  sort_by_label(nodes_, [&](std::int32_t node) { return mesh.node_label(node); });
  write_header();
  write_nodes();
  write_elements();
  file_.begin_sync();
}

void FrdWriter::write_header() {
  static constexpr std::array months{"january", "february", "march",     "april",   "may",      "june",
                                     "july",    "august",   "september", "october", "november", "december"};
  const std::tm now = local_time();
  auto out = std::back_inserter(file_.text());
  const auto user_line = [&](std::string_view text) { fmt::format_to(out, "    1U{:<66.66}\n", text); };
  const auto entry = [&](std::string_view key, std::string_view value) {
    user_line(fmt::format("{:<18}{}", key, value));
  };
  fmt::format_to(out, "    1C\n");
  for (std::size_t at = 0; at < model_.title.size();) {
    const std::size_t end = std::min(model_.title.find('\n', at), model_.title.size());
    user_line(std::string_view(model_.title).substr(at, end - at));
    at = end + 1;
  }
  entry("USER", "");
  entry("DATE", fmt::format("{:02}.{}.{}", now.tm_mday, months[static_cast<std::size_t>(now.tm_mon)],
                            now.tm_year + 1900));
  entry("TIME", fmt::format("{:02}:{:02}:{:02}", now.tm_hour, now.tm_min, now.tm_sec));
  entry("HOST", "");
  entry("PGM", "Setka");
  entry("VERSION", fmt::format("Version {}", build_info().version));
  entry("DIR", "");
  entry("DBN", "");
  for (std::size_t m = 0; m < model_.materials.size(); ++m) {
    user_line(fmt::format("MAT{:5}{}", m + 1, model_.materials[m].name));
  }
  for (std::size_t s = 0; s < model_.springs.size(); ++s) {
    user_line(fmt::format("MAT{:5}SPRING", model_.materials.size() + s + 1));
  }
}

void FrdWriter::write_nodes() {
  const mesh::Mesh& mesh = model_.mesh;
  fmt::format_to(std::back_inserter(file_.text()), "    2C{:30}{:38}\n", nodes_.size(),
                 options_.binary ? 3 : 1);
  constexpr std::size_t most_bytes = label_width + 3 * c_exponent_width + 1;
  detail::write_rows(file_, nodes_.size(), most_bytes, [&](char* at, std::size_t row) {
    const std::int32_t label = mesh.node_label(nodes_[row]);
    const std::span<const double, 3> place = mesh.coordinates(nodes_[row]);
    if (options_.binary) return put_raw(put_raw(at, &label, sizeof label), place.data(), place.size_bytes());
    at = put_label(at, label);
    for (const double x : place) at = put_c_exponent(at, static_cast<float>(x));
    return put_text(at, "\n");
  });
  if (!options_.binary) file_.write(" -3\n");
}

void FrdWriter::write_elements() {
  const mesh::Mesh& mesh = model_.mesh;
  std::vector<std::int32_t> elements;
  for (std::int32_t e = 0; e < mesh.element_count(); ++e) {
    if (frd_shape(mesh.cell(e))) elements.push_back(e);
  }
  sort_by_label(elements, [&](std::int32_t e) { return mesh.element_label(e); });
  const std::vector<std::int32_t> materials = material_numbers(model_);
  fmt::format_to(std::back_inserter(file_.text()), "    3C{:30}{:38}\n", elements.size(),
                 options_.binary ? 2 : 1);
  constexpr std::size_t integer_width = 10;  // figures at most
  constexpr std::size_t line_start = 4;
  constexpr std::size_t most_bytes = label_width + 23 * integer_width + 2 * line_start + 1;
  detail::write_rows(file_, elements.size(), most_bytes, [&](char* at, std::size_t row) {
    const std::int32_t e = elements[row];
    const FrdShape shape = *frd_shape(mesh.cell(e));
    const std::span<const std::int32_t> nodes = mesh.nodes(e);
    const std::array<std::int32_t, 4> head{mesh.element_label(e), shape.number, 0,
                                           materials[static_cast<std::size_t>(e)]};
    if (options_.binary) {
      at = put_raw(at, head.data(), sizeof head);
      for (const std::int8_t i : shape.order) {
        const std::int32_t label = mesh.node_label(nodes[static_cast<std::size_t>(i)]);
        at = put_raw(at, &label, sizeof label);
      }
      return at;
    }
    at = put_label(at, head[0]);
    for (std::size_t i = 1; i < 4; ++i) at = put_integer(at, head[i], 5);
    for (std::size_t i = 0; i < shape.order.size(); ++i) {
      if (i % 10 == 0) at = put_text(at, "\n -2");
      at = put_integer(at, mesh.node_label(nodes[static_cast<std::size_t>(shape.order[i])]), 10);
    }
    return put_text(at, "\n");
  });
  if (!options_.binary) file_.write(" -3\n");
}

void FrdWriter::write_block_head(const Block& block, std::int64_t rows, const model::Frame& frame) {
  auto out = std::back_inserter(file_.text());
  ++blocks_;
  fmt::format_to(out, "    1PSTEP{:26}{:12}{:12}          \n", blocks_, frame.increment, frame.step);
  if (frame.mode) {
    const auto entry = [&](std::string_view key, std::string_view value) {
      fmt::format_to(out, "    1P{:<10}{:>20}{:34}\n", key, value, "");
    };
    entry("GM", "1.000000E+00");  // the modal mass
    entry("GK", fmt::format("{:.6E}", frame.mode->eigenvalue));
    entry("HID", "-1");  // no cyclic symmetry
    entry("SUBC", "0");
    entry("MODE", std::to_string(frame.mode->number));
  }
  const double shown_time = frame.mode       ? frame.mode->frequency()
                            : frame.buckling ? frame.buckling->factor
                                             : frame.time;
  fmt::format_to(out, "  100CL{:5}{}{:12}{:22}{:5}{:<6}{:6}\n", 100 + frames_, frd_time(shown_time), rows,
                 analysis_, frames_, frame.mode ? "MODAL" : "", options_.binary ? 2 : 1);
  const int shown = block.components == 3 ? 4 : block.components;  // a vector has its length as well
  fmt::format_to(out, " -4  {:<8}{:5}    1\n{}", std::string(block.name) + (imaginary_ ? "I" : ""), shown,
                 block.component_lines);
}

void FrdWriter::write_block(const Block& block, const model::OutputRequest& request,
                            const model::Frame& frame) {
  const std::string name(block.field);
  const model::NodeField* field = request.global ? frame.node_field(name) : frame.local_node_field(name);
  if (field == nullptr &&
      (block.field == "NT" || block.field == "ERR" || block.field == "V" || block.field == "A"))
    return;
  const bool of_heat = block.field == "HFL" || block.field == "RFL";
  if (field == nullptr && of_heat != frame.of_temperature()) return;  // asked for by a step of another kind
  const auto width = static_cast<std::size_t>(block.components);
  std::size_t wanted = width * static_cast<std::size_t>(model_.mesh.node_count());
  if (shown_ != nullptr && !shown_->node.empty())
    wanted = width * (static_cast<std::size_t>(*std::ranges::max_element(shown_->node)) + 1);
  const bool enough = field != nullptr &&
                      (shown_ == nullptr ? field->values.size() == wanted : field->values.size() >= wanted);
  require(enough, [&] {
    return fmt::format(".frd: {} is asked for and needs {} values; the frame has {}", block.field, wanted,
                       field == nullptr ? 0 : field->values.size());
  });
  std::vector<std::int32_t> chosen;
  if (request.set >= 0 && shown_ == nullptr) {
    for (const std::int32_t node : model_.node_sets[static_cast<std::size_t>(request.set)].nodes) {
      if (has_element_[static_cast<std::size_t>(node)]) chosen.push_back(node);
    }
  }
  const std::vector<std::int32_t>& nodes = chosen.empty() ? nodes_ : chosen;
  write_block_head(block, static_cast<std::int64_t>(nodes.size()), frame);

  static constexpr std::array<std::size_t, 6> order{0, 1, 2, 3, 5, 4};  // xx yy zz xy yz zx
  const std::size_t most_bytes = label_width + width * c_exponent_width + 1;
  detail::write_rows(file_, nodes.size(), most_bytes, [&](char* at, std::size_t row) {
    const std::int32_t node = nodes[row];
    std::array<double, 6> values{};
    std::copy_n(field->values.data() + width * place_of(node), width, values.data());
    const std::int32_t transform = transform_of_node_[static_cast<std::size_t>(node)];
    if (width == 3 && block.kind == model::OutputKind::node_file && !request.global && transform >= 0) {
      const model::LocalSystem& system = model_.transforms[static_cast<std::size_t>(transform)].system;
      const auto local = model::to_local(model::axes_at(system, model_.mesh.coordinates(node)),
                                         std::span<const double, 3>(values.data(), 3));
      std::copy(local.begin(), local.end(), values.begin());
    }
    const std::int32_t label = model_.mesh.node_label(node);
    at = options_.binary ? put_raw(at, &label, sizeof label) : put_label(at, label);
    for (std::size_t i = 0; i < width; ++i) {
      const auto value = static_cast<float>(values[order[i]]);
      at = options_.binary ? put_raw(at, &value, sizeof value) : put_c_exponent(at, value);
    }
    return options_.binary ? at : put_text(at, "\n");
  });
  if (!options_.binary) file_.write(" -3\n");
}

void FrdWriter::write_blocks(const model::Step& step, const model::Frame& frame) {
  using model::OutputKind;
  static constexpr std::array blocks{
      Block{OutputKind::node_file, "U", "DISP", 3, vector_of_displacements},
      Block{OutputKind::node_file, "V", "VELO", 3, vector_of_velocities},
      Block{OutputKind::node_file, "A", "ACCE", 3, vector_of_accelerations},
      Block{OutputKind::node_file, "NT", "NDTEMP", 1, " -5  T           1    1    0    0\n"},
      Block{OutputKind::element_file, "S", "STRESS", 6, tensor_of_stresses},
      Block{OutputKind::element_file, "SF", "STRESS", 6, tensor_of_stresses},
      Block{OutputKind::element_file, "E", "TOSTRAIN", 6, tensor_of_strains},
      Block{OutputKind::node_file, "RF", "FORC", 3, vector_of_forces},
      Block{OutputKind::element_file, "ENER", "ENER", 1, " -5  ENER        1    1    0    0\n"},
      Block{OutputKind::element_file, "HFL", "FLUX", 3, vector_of_forces},
      Block{OutputKind::node_file, "RFL", "RFL", 1, " -5  RFL         1    1    0    0\n"},
      Block{OutputKind::element_file, "ERR", "ERROR", 1, " -5  STR(%)      1    1    0    0\n"},
  };
  for (const Block& block : blocks) {
    for (const model::OutputRequest& request : step.output) {
      if (request.kind != block.kind || request.frequency == 0) continue;
      if (!asks_for(request, block.field)) continue;
      write_block(block, request, frame);
      break;
    }
  }
}

void FrdWriter::write(const model::Step& step, const model::Frame& frame) {
  if (mesh_.valid()) mesh_.get();
  if (!output_is_due(step, frame)) return;
  ++frames_;
  const auto* heat = std::get_if<model::HeatStep>(&step.procedure);
  const bool at_rest =
      std::holds_alternative<model::StaticStep>(step.procedure) || (heat != nullptr && heat->steady);
  const bool buckles = std::holds_alternative<model::BuckleStep>(step.procedure);
  analysis_ = buckles ? 4 : frame.mode ? 2 : at_rest ? 0 : 1;
  write_blocks(step, frame);
  imaginary_ = true;
  for (const model::Frame& part : frame.imaginary) write_blocks(step, part);
  imaginary_ = false;
  file_.begin_sync();
}

std::string FrdWriter::position() {
  if (mesh_.valid()) mesh_.get();
  return fmt::format("{} {} {}", frames_, blocks_, detail::to_text(file_.keep()));
}

void FrdWriter::go_on(const std::string& position) {
  if (mesh_.valid()) mesh_.get();
  std::istringstream text(position);
  text >> frames_ >> blocks_;
  file_.go_on(detail::position_from(text));
}

void FrdWriter::finish() {
  if (mesh_.valid()) mesh_.get();
  file_.write(" 9999\n");
  file_.commit();
  files_.push_back(file_.path());
}

}  // namespace setka::io
