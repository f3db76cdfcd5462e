// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/analysis/deck_counts.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <variant>

#include "setka/analysis/found_modes.hpp"
#include "setka/analysis/load_state.hpp"
#include "setka/analysis/recovery.hpp"
#include "setka/analysis/user_constraints.hpp"
#include "setka/fem/element.hpp"
#include "setka/fem/touched_blocks.hpp"
#include "setka/model/element_type.hpp"
#include "setka/modes/lobpcg.hpp"
#include "setka/solve/cholesky.hpp"

namespace setka::analysis {
namespace {

using plan::DeckCounts;
using plan::StepCounts;
using plan::StepKind;

double real(auto count) {
  return static_cast<double>(count);
}

const char* suffix_of(model::Family family) {
  if (family == model::Family::shell) return " of shells";
  if (family == model::Family::membrane) return " of membranes";
  if (family == model::Family::beam) return " of beams";
  if (family == model::Family::truss) return " of trusses";
  return model::is_plane(family) ? " of layers" : "";
}

void count_elements(const Setup& setup, DeckCounts& counts) {
  const Solids& solids = setup.solids;
  const mesh::Mesh& mesh = setup.model->mesh;
  std::map<std::pair<fem::Element, std::string>, plan::ElementCounts> found;
  for (std::int32_t e = 0; e < solids.element_count(); ++e) {
    const fem::Element type = solids.type[static_cast<std::size_t>(e)];
    const char* const suffix = suffix_of(model::family(mesh, solids.mesh_element(e)));
    plan::ElementCounts& own = found[{type, suffix}];
    const double dofs = 3 * real(solids.nodes(e).size());
    own.elements += 1;
    own.values += dofs * dofs;
  }
  for (auto& [key, own] : found) {
    own.kind = std::string(fem::name(key.first)) + key.second;
    counts.kinds.push_back(own);
  }
}

double bytes_of_files(const model::Model& model) {
  double bytes = 0;
  for (const std::string& file : model.files) {
    std::error_code failed;
    const auto size = std::filesystem::file_size(file, failed);
    if (!failed) bytes += real(size);
  }
  return bytes;
}

/// Longest edge over shortest, of the corners of an element of the mesh; its edges go from corner to corner
/// of faces, for which neighbours in the list stand.
double aspect_of(const mesh::Mesh& mesh, std::int32_t element) {
  const auto nodes = mesh.nodes(element);
  const auto corners = static_cast<std::size_t>(mesh::corner_count(mesh.cell(element)));
  double longest = 0;
  double shortest = std::numeric_limits<double>::infinity();
  const auto take = [&](std::size_t i, std::size_t j) {
    const auto a = mesh.coordinates(nodes[i]);
    const auto b = mesh.coordinates(nodes[j]);
    const double length = std::hypot(b[0] - a[0], b[1] - a[1], b[2] - a[2]);
    longest = std::max(longest, length);
    shortest = std::min(shortest, length);
  };
  for (std::size_t i = 0; i + 1 < corners; ++i) take(i, i + 1);
  if (corners == 8) take(0, 4);
  return shortest > 0 && longest > 0 ? longest / shortest : 1;
}

void measure_shapes(const Setup& setup, DeckCounts& counts) {
  constexpr std::int32_t samples = 1000;
  const mesh::Mesh& mesh = setup.model->mesh;
  std::vector<double> aspect;
  const std::int32_t every = std::max(1, mesh.element_count() / samples);
  for (std::int32_t e = 0; e < mesh.element_count(); e += every) {
    if (mesh::corner_count(mesh.cell(e)) >= 2) aspect.push_back(aspect_of(mesh, e));
  }
  if (!aspect.empty()) {
    const auto middle = aspect.begin() + static_cast<std::ptrdiff_t>(aspect.size() / 2);
    std::nth_element(aspect.begin(), middle, aspect.end());
    counts.aspect = *middle;
  }
  if (setup.solids.element_count() == 0) return;
  const std::array<double, 6> box = setup.solids.region().box();
  double longest = 0;
  double shortest = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < 3; ++i) {
    longest = std::max(longest, box[3 + i] - box[i]);
    shortest = std::min(shortest, box[3 + i] - box[i]);
  }
  if (shortest > 0 && longest > 0) counts.slenderness = longest / shortest;
}

double contrast_of(const model::Model& model) {
  double softest = std::numeric_limits<double>::infinity();
  double stiffest = 0;
  for (const model::Section& section : model.sections) {
    if (section.material < 0) continue;
    const model::Material& material = model.materials[static_cast<std::size_t>(section.material)];
    if (material.elastic.empty() || material.elastic.front().values.empty()) continue;
    const double stiffness = material.elastic.front().values.front();
    if (!(stiffness > 0)) continue;
    softest = std::min(softest, stiffness);
    stiffest = std::max(stiffest, stiffness);
  }
  return stiffest > 0 ? stiffest / softest : 1;
}

struct KeywordOf {
  const char* operator()(const model::StaticStep&) const { return "*STATIC"; }
  const char* operator()(const model::FrequencyStep& step) const {
    return step.of_temperature ? "*HEAT TRANSFER, FREQUENCY" : "*FREQUENCY";
  }
  const char* operator()(const model::ModalDynamicStep&) const { return "*MODAL DYNAMIC"; }
  const char* operator()(const model::SteadyStateStep&) const { return "*STEADY STATE DYNAMICS"; }
  const char* operator()(const model::DynamicStep&) const { return "*DYNAMIC"; }
  const char* operator()(const model::ExplicitStep&) const { return "*DYNAMIC, EXPLICIT"; }
  const char* operator()(const model::ResponseSpectrumStep&) const { return "*RESPONSE SPECTRUM"; }
  const char* operator()(const model::SubstructureStep&) const { return "*SUBSTRUCTURE GENERATE"; }
  const char* operator()(const model::HeatStep&) const { return "*HEAT TRANSFER"; }
  const char* operator()(const model::BuckleStep&) const { return "*BUCKLE"; }
};

StepKind kind_of(const model::Model& model, const model::Step& step) {
  if (!model.superelements.empty()) return StepKind::other;
  if (std::holds_alternative<model::StaticStep>(step.procedure)) return StepKind::statics;
  const auto* const frequency = std::get_if<model::FrequencyStep>(&step.procedure);
  if (frequency == nullptr || frequency->of_temperature || frequency->diameters || frequency->modes == 0)
    return StepKind::other;
  return StepKind::modes;
}

/// Of factors beyond what is analysed: entries grow as n^(4/3), flops as n^2, times what like bodies have.
/// entries: of the matrix, of which second-order elements have twice as many a row.
void estimate_factor(StepCounts& step) {
  const double a_row = step.entries / std::max(step.unknowns, 1.0);
  step.factor_entries = 0.11 * a_row * std::pow(step.unknowns, 4.0 / 3);
  step.factor_flops = 0.012 * a_row * a_row * step.unknowns * step.unknowns;
}

void count_matrix(const fem::Space& space, const Computing& computing, StepCounts& step) {
  const bool factors = solve::Cholesky::available() && space.unknown_count() <= analysed_max_unknowns;
  const fem::PatternSize size = fem::size_of_pattern(space, computing.cpu, factors);
  step.unknowns = space.unknown_count();
  step.rows = real(size.rows);
  step.entries = real(size.entries);
  step.pairs = size.pairs;
  if (!solve::Cholesky::available()) return;
  if (factors) {
    const std::vector<double> place = space.block_coordinates(computing.cpu);
    if (const auto factor = solve::size_of_factor({size.offset, size.later, size.width, place})) {
      step.factor_flops = factor->flops;
      step.factor_entries = factor->entries;
      step.factor_is_exact = true;
      return;
    }
  }
  estimate_factor(step);
}

void count_output(const model::Step& step, const Computing& computing, StepCounts& counts) {
  counts.stresses = needs_elements(wanted_results(step));
  if (counts.kind != StepKind::modes) return;
  const auto& procedure = std::get<model::FrequencyStep>(step.procedure);
  counts.modes = procedure.modes;
  counts.frames = procedure.modes;
  counts.columns = real(modes::columns_of_pass(requested_modes(procedure, computing)));
}

bool same_unknowns(const fem::Constraints& a, const fem::Constraints& b) {
  return std::ranges::equal(a.unknown_dofs(), b.unknown_dofs());
}

}  // namespace

DeckCounts count_deck(const Setup& setup, const Computing& computing) {
  const model::Model& model = *setup.model;
  DeckCounts counts;
  counts.bytes = bytes_of_files(model);
  counts.nodes = model.mesh.node_count();
  counts.elements = model.mesh.element_count();
  counts.solid_nodes = setup.solids.node_count();
  counts.result_nodes = real(setup.result_nodes());
  counts.element_nodes = real(setup.solids.node.size());
  counts.points = real(setup.points.first_point.back());
  counts.contrast = contrast_of(model);
  count_elements(setup, counts);
  measure_shapes(setup, counts);
  LoadState loads(model);
  double time = 0;
  std::optional<fem::Constraints> counted;  // by the last step that was
  for (std::size_t s = 0; s < model.steps.size(); ++s) {
    const model::Step& step = model.steps[s];
    loads.begin(step, std::vector<double>(3 * static_cast<std::size_t>(model.mesh.node_count()), 0.0));
    StepCounts own;
    if (counted) own = counts.steps.back();
    own.number = static_cast<int>(s) + 1;
    own.keyword = std::visit(KeywordOf{}, step.procedure);
    own.kind = kind_of(model, step);
    own.modes = own.columns = 0;
    own.frames = 1;
    count_output(step, computing, own);
    if (own.kind == StepKind::other) {
      counted.reset();
      counts.steps.push_back(own);
      continue;
    }
    const auto* const statics = std::get_if<model::StaticStep>(&step.procedure);
    const double period = statics != nullptr ? statics->period : 1;
    time += statics != nullptr ? period : 0;
    const fem::Constraints of_users =
        user_constraints(setup, loads, period, time + (statics != nullptr ? 0 : period));
    const bool anew = !counted || !same_unknowns(*counted, of_users);
    if (anew) {
      const fem::Constraints constraints =
          setup.solids.rows.empty() ? of_users : of_users.compose(setup.solids.rows);
      const fem::Space space(setup.solids.region(), 3, constraints);
      counts.picks = counts.picks && space.picks();
      count_matrix(space, computing, own);
    }
    counted = of_users;
    counts.steps.push_back(own);
  }
  return counts;
}

}  // namespace setka::analysis
