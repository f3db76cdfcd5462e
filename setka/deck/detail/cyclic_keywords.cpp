// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// *TIE, CYCLIC SYMMETRY, *CYCLIC SYMMETRY MODEL and *SELECT CYCLIC SYMMETRY MODES.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/core.h>

#include "setka/base/text.hpp"
#include "setka/deck/detail/local_system.hpp"
#include "setka/deck/detail/reader.hpp"
#include "setka/deck/element_names.hpp"
#include "setka/mesh/cell.hpp"
#include "setka/model/cyclic_symmetry.hpp"
#include "setka/model/element_type.hpp"

namespace setka::deck::detail {
namespace {

constexpr std::int64_t most_sectors = 1000000;

std::string labels_of(const mesh::Mesh& mesh, const std::vector<std::int32_t>& nodes) {
  std::vector<std::int32_t> numbers;
  numbers.reserve(nodes.size());
  for (const std::int32_t node : nodes) numbers.push_back(mesh.node_label(node));
  return fmt::format("node{} {}", nodes.size() == 1 ? "" : "s", some_numbers(numbers, 10));
}

/// The tie of a card: the one that it names, or the only one.
const model::Tie& tie_of(const Reader& reader, const Card& card) {
  const std::vector<model::Tie>& ties = reader.cyclic_ties;
  if (ties.empty())
    reader.fail(card.line, "*CYCLIC SYMMETRY MODEL without sides",
                "give them before it by *TIE, CYCLIC SYMMETRY");
  const std::string_view name = card.value("TIE");
  if (name.empty()) {
    if (ties.size() == 1) return ties.front();
    reader.fail(card.line, "*CYCLIC SYMMETRY MODEL: several *TIE, CYCLIC SYMMETRY come before it",
                "name one of them by TIE=");
  }
  const auto found = std::ranges::find(ties, name, &model::Tie::name);
  if (found == ties.end())
    reader.fail(card.line,
                fmt::format("*CYCLIC SYMMETRY MODEL: there is no *TIE, CYCLIC SYMMETRY named {}", name),
                "name one that comes before it");
  return *found;
}

/// Layers, bars and sections are not turned by equations of their nodes alone.
void refuse_other_elements_on_sides(Reader& reader, const model::CyclicSearch& found, Line line) {
  const mesh::Mesh& mesh = reader.mesh();
  std::vector<std::int8_t> on_side(static_cast<std::size_t>(mesh.node_count()), 0);
  for (const model::CyclicNode& tied : found.tied) {
    on_side[static_cast<std::size_t>(tied.node)] = 1;
    for (std::int32_t i = 0; i < tied.count; ++i)
      on_side[static_cast<std::size_t>(tied.others[static_cast<std::size_t>(i)])] = 1;
  }
  for (std::int32_t e = 0; e < mesh.element_count(); ++e) {
    const model::Family family = model::family(mesh, e);
    if (family == model::Family::solid || model::is_spring(family)) continue;
    for (const std::int32_t node : mesh.nodes(e)) {
      if (on_side[static_cast<std::size_t>(node)] == 0) continue;
      reader.fail(
          line,
          fmt::format("*CYCLIC SYMMETRY MODEL: element {} of type {} has node {} on a side of the sector",
                      mesh.element_label(e), deck::name(mesh, e), mesh.node_label(node)),
          "solids and springs are tied there; cut the sector where the others are within it");
    }
  }
}

/// Spectra, whose sums would be taken for those of the sector alone.
void refuse_spectra(Reader& reader) {
  bool by_diameters = false;
  for (const model::Step& step : reader.model().steps) {
    if (const auto* modes = std::get_if<model::FrequencyStep>(&step.procedure))
      by_diameters = modes->diameters.has_value();
    if (!by_diameters) continue;
    if (std::holds_alternative<model::ResponseSpectrumStep>(step.procedure))
      reader.unsupported(step.line, "*RESPONSE SPECTRUM of modes of *SELECT CYCLIC SYMMETRY MODES");
  }
}

}  // namespace

void take_cyclic_tie(Reader& reader, model::Tie tie) {
  reader.cyclic_ties.push_back(std::move(tie));
}

void read_cyclic_symmetry(Reader& reader, const Card& card) {
  reader.check_parameters(card, {"N", "NGRAPH", "TIE", "ELSET", "CHECK"});
  if (!reader.other_cyclic_ties.empty()) return;  // of fluids and several stages: named there
  const std::int64_t sectors =
      reader.integer(reader.required(card, "N"), card.line, "*CYCLIC SYMMETRY MODEL, N");
  if (sectors < 2 || sectors > most_sectors)
    reader.fail(card.line, fmt::format("*CYCLIC SYMMETRY MODEL: N is {}", sectors),
                fmt::format("it is how many sectors make the wheel, 2 to {}", most_sectors));
  if (card.value("CHECK") == "NO")
    reader.unsupported(card.line, "*CYCLIC SYMMETRY MODEL, CHECK=NO: fractional nodal diameters");
  const std::string_view shown = card.value("NGRAPH");
  if (!shown.empty() && reader.integer(shown, card.line, "*CYCLIC SYMMETRY MODEL, NGRAPH") != 1)
    reader.warn_if_supported(card.line,
                             "*CYCLIC SYMMETRY MODEL: result files show one sector, whatever NGRAPH is");
  model::Model& model = reader.model();
  if (model.cyclic) {
    reader.unsupported(card.line, "*CYCLIC SYMMETRY MODEL: several in one model");
    return;
  }
  const model::Tie& tie = tie_of(reader, card);
  model::LocalSystem system;
  system.cylindrical = true;
  read_local_system(reader, card, system);
  model::CyclicSymmetry cyclic;
  cyclic.sectors = static_cast<int>(sectors);
  cyclic.dependent = tie.dependent;
  cyclic.independent = tie.independent;
  cyclic.tolerance = tie.tolerance;
  cyclic.a = system.a;
  cyclic.b = system.b;
  cyclic.line = card.line;
  model.cyclic = cyclic;
}

void read_cyclic_modes(Reader& reader, const Card& card) {
  reader.check_parameters(card, {"NMIN", "NMAX"});
  model::Model& model = reader.model();
  auto* procedure = std::get_if<model::FrequencyStep>(&model.steps.back().procedure);
  if (reader.procedure.empty() || procedure == nullptr || procedure->of_temperature)
    reader.fail(card.line, "*SELECT CYCLIC SYMMETRY MODES is of *FREQUENCY", "put it after *FREQUENCY");
  if (!model.cyclic) {
    if (reader.other_cyclic_ties.empty() && !reader.anything_unsupported())
      reader.fail(card.line, "*SELECT CYCLIC SYMMETRY MODES in a model without *CYCLIC SYMMETRY MODEL",
                  "give the sector's sides by *TIE, CYCLIC SYMMETRY and *CYCLIC SYMMETRY MODEL");
    return;
  }
  const int half = (model.cyclic->sectors + 1) / 2;  // as in CalculiX: one too many of an odd number
  const std::int64_t first = reader.integer(card.value("NMIN"), card.line, "NMIN", 0);
  const std::int64_t last = reader.integer(card.value("NMAX"), card.line, "NMAX", half);
  if (first < 0 || last < first || last > model.cyclic->sectors)
    reader.fail(card.line,
                fmt::format("*SELECT CYCLIC SYMMETRY MODES: nodal diameters from {} to {}", first, last),
                fmt::format("they go from 0 to half the number of sectors, here {}", half));
  procedure->diameters = model::NodalDiameters{static_cast<int>(first), static_cast<int>(last)};
}

void check_cyclic(Reader& reader) {
  refuse_spectra(reader);
  if (!reader.model().cyclic && !reader.cyclic_ties.empty())
    reader.fail(reader.cyclic_ties.front().line, "*TIE, CYCLIC SYMMETRY without *CYCLIC SYMMETRY MODEL",
                "give the number of sectors and the axis by *CYCLIC SYMMETRY MODEL");
}

void make_cyclic(Reader& reader, model::EquationMaker& equations) {
  model::Model& model = reader.model();
  if (!model.cyclic) return;
  model::CyclicSymmetry& cyclic = *model.cyclic;
  const std::string& dependent = model.surfaces[static_cast<std::size_t>(cyclic.dependent)].name;
  const std::string& independent = model.surfaces[static_cast<std::size_t>(cyclic.independent)].name;
  const model::CyclicSearch found = model::find_sides(model, cyclic);
  if (!found.amid.empty())
    reader.fail(cyclic.line,
                fmt::format("*CYCLIC SYMMETRY MODEL: {} on both sides, {} and {}, away from the axis",
                            labels_of(model.mesh, found.amid), dependent, independent),
                "check the two surfaces");
  if (!found.loose.empty())
    reader.fail(
        cyclic.line,
        fmt::format("*CYCLIC SYMMETRY MODEL: turned by 360/{} degrees surfaces {} and {} do not meet: {} "
                    "up to {:.4g} away, and the tolerance is {:.4g}",
                    cyclic.sectors, dependent, independent, labels_of(model.mesh, found.loose),
                    found.farthest, found.tolerance),
        "check N, the axis and the surfaces; POSITION TOLERANCE of *TIE counts up to a tenth of the "
        "faces' mean edge");
  refuse_other_elements_on_sides(reader, found, cyclic.line);
  cyclic.first_equation = static_cast<std::int32_t>(model.equations.size());
  const std::vector<std::int32_t> left_out =
      model::add_cyclic(equations, found, 0, 0, reader.has_heat_steps(), cyclic.line);
  if (!left_out.empty())
    reader.warn(
        cyclic.line,
        fmt::format("*CYCLIC SYMMETRY MODEL: {} of surface {}: directions that are prescribed or tied by "
                    "other constraints do not follow surface {}",
                    labels_of(model.mesh, left_out), dependent, independent));
}

}  // namespace setka::deck::detail
