// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/io/dat_writer.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "setka/base/error.hpp"
#include "setka/base/log.hpp"
#include "setka/io/dat_modes.hpp"
#include "setka/io/dat_tables.hpp"
#include "setka/io/detail/position.hpp"
#include "setka/model/attributes.hpp"

namespace setka::io {
namespace {

using model::OutputKind;

bool is_print(OutputKind kind) {
  return kind == OutputKind::node_print || kind == OutputKind::element_print ||
         kind == OutputKind::section_print;
}

bool prints_anything(const model::Step& step) {
  return std::ranges::any_of(step.output, [](const model::OutputRequest& request) {
    return is_print(request.kind) && request.frequency != 0;
  });
}

/// Whether a frame is of what the table shows: output requests stay from step to step, whether a step is of
/// mechanics or of heat.
bool belongs_to(const model::Frame& frame, const detail::TableForm& form) {
  const std::string name(form.variable);
  if (!frame.of_temperature())
    return !form.of_heat || frame.node_field(name) != nullptr || frame.point_field(name) != nullptr;
  return form.of_heat || frame.node_field(name) != nullptr || frame.point_field(name) != nullptr ||
         (name == "EVOL" && !frame.element_volume.empty());
}

void warn_of_missing_tables(const model::Model& model) {
  for (const model::Step& step : model.steps) {
    for (const model::OutputRequest& request : step.output) {
      if (!is_print(request.kind)) continue;
      for (const std::string& variable : request.variables) {
        if (DatWriter::has_table(request.kind, variable)) continue;
        const SourceLine place = model.source(request.line);
        log::warning("{}:{}: {} is not written to .dat", place.file, place.line, variable);
      }
    }
  }
}

}  // namespace

DatWriter::DatWriter(std::filesystem::path path, const model::Model& model, const model::PointLayout& layout)
    : file_(std::move(path)),
      model_(model),
      layout_(layout),
      transform_of_node_(model::transforms_of_nodes(model)),
      section_of_element_(model::sections_of_elements(model)) {
  require(layout.first_point.size() == static_cast<std::size_t>(model.mesh.element_count()) + 1, [&] {
    return fmt::format(".dat: the layout of points is for {} elements but the mesh has {}",
                       static_cast<std::int64_t>(layout.first_point.size()) - 1, model.mesh.element_count());
  });
  warn_of_missing_tables(model);
}

bool DatWriter::has_table(OutputKind kind, std::string_view variable) {
  if (kind == OutputKind::section_print)
    return variable == "SOF" || variable == "SOM" || variable == "SOAREA";
  return detail::table_form(kind, variable) != nullptr;
}

void DatWriter::write_modes(const model::ModeTable& table) {
  detail::print_modes(file_.text(), table);
  file_.flush();
}

void DatWriter::write_factors(const model::BucklingTable& table) {
  detail::print_factors(file_.text(), table);
  file_.flush();
}

void DatWriter::write(const model::Step& step, const model::Frame& frame) {
  if (!output_is_due(step, frame)) return;
  if (!frame.factors.empty()) detail::print_factors(file_.text(), frame.time, frame.factors);
  write_tables(step, frame);
  for (const model::Frame& imaginary : frame.imaginary) write_tables(step, imaginary);
  file_.flush();
}

void DatWriter::write_tables(const model::Step& step, const model::Frame& frame) {
  if (frame.mode && prints_anything(step)) {
    file_.text() += '\n';  // one that CalculiX has of frequencies alone
    detail::print_mode_number(file_.text(), frame.mode->number);
  }
  if (frame.buckling && prints_anything(step))
    detail::print_mode_number(file_.text(), frame.buckling->number);
  detail::DatTables tables{file_, model_, layout_, frame, transform_of_node_, section_of_element_};
  for (const model::OutputRequest& request : step.output) {
    if (request.set < 0 || request.frequency == 0) continue;
    for (const std::string& variable : request.variables) {
      if (frame.mode && variable == "ELKE") continue;  // CalculiX has no kinetic energy of modes
      if ((variable == "V" || variable == "A") && frame.node_field(variable) == nullptr)
        continue;  // nothing moves
      const detail::TableForm* form = detail::table_form(request.kind, variable);
      if (form != nullptr && belongs_to(frame, *form)) tables.print(*form, request);
    }
  }
  for (const model::OutputRequest& request : step.output) {
    if (request.kind != OutputKind::section_print || request.set < 0 || request.frequency == 0) continue;
    if (frame.of_temperature()) continue;  // no stresses, no forces
    const auto section = std::find_if(frame.sections.begin(), frame.sections.end(),
                                      [&](const auto& s) { return s.surface == request.set; });
    require(section != frame.sections.end(), [&] {
      return fmt::format(".dat: the frame has no forces on surface {}, which *SECTION PRINT asks for",
                         model_.surfaces[static_cast<std::size_t>(request.set)].name);
    });
    tables.print(*section);
  }
}

std::string DatWriter::position() {
  return detail::to_text(file_.keep());
}

void DatWriter::go_on(const std::string& position) {
  std::istringstream text(position);
  file_.go_on(detail::position_from(text));
}

void DatWriter::finish() {
  file_.commit();
  files_.push_back(file_.path());
}

}  // namespace setka::io
