// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/analysis/cyclic_frequency.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/core.h>

#include "setka/analysis/load_state.hpp"
#include "setka/base/error.hpp"
#include "setka/model/cyclic_symmetry.hpp"

namespace setka::analysis {
namespace {

template <class T>
void append_again(std::vector<T>& values) {
  const std::size_t count = values.size();
  values.reserve(2 * count);
  for (std::size_t i = 0; i < count; ++i) values.push_back(values[i]);
}

/// Of both copies: displacements of the mesh's nodes come before those of layers and trusses.
Preload preload_of_copies(const Preload& preload, std::int32_t nodes, std::int32_t elements) {
  Preload both = preload;
  const auto own = 3 * static_cast<std::size_t>(nodes);
  std::vector<double>& u = both.displacements;
  if (!u.empty()) {
    std::vector<double> mesh(u.begin(), u.begin() + static_cast<std::ptrdiff_t>(own));
    std::vector<double> copies(u.begin() + static_cast<std::ptrdiff_t>(own), u.end());
    append_again(mesh);
    append_again(copies);
    u = std::move(mesh);
    u.insert(u.end(), copies.begin(), copies.end());
  }
  append_again(both.stresses);
  append_again(both.temperature);
  for (const model::DistributedLoad& load : preload.loads) {
    both.loads.push_back(load);
    both.loads.back().element += elements;
  }
  return both;
}

/// What a frame of both copies has of the first.
void keep_real_part(const Setup& setup, model::Frame& frame) {
  const auto nodes = static_cast<std::size_t>(setup.model->mesh.node_count());
  const auto elements = static_cast<std::size_t>(setup.model->mesh.element_count());
  const auto points = static_cast<std::size_t>(setup.points.first_point.back());
  for (auto* fields : {&frame.node_fields, &frame.local_node_fields}) {
    for (model::NodeField& field : *fields)
      field.values.resize(std::min(field.values.size(), nodes * static_cast<std::size_t>(field.components)));
  }
  for (model::PointField& field : frame.point_fields)
    field.values.resize(std::min(field.values.size(), points * static_cast<std::size_t>(field.components)));
  for (auto* values :
       {&frame.element_mises, &frame.element_volume, &frame.element_energy, &frame.element_kinetic_energy})
    values->resize(std::min(values->size(), elements));
}

}  // namespace

bool asks_for_diameters(const model::Model& model, const model::Step& step) {
  const auto* const procedure = std::get_if<model::FrequencyStep>(&step.procedure);
  if (procedure == nullptr || !procedure->diameters) return false;
  if (!model.cyclic)
    throw Error(Fault::input, "*SELECT CYCLIC SYMMETRY MODES in a model without *CYCLIC SYMMETRY MODEL",
                "give the sector's sides by *TIE, CYCLIC SYMMETRY and *CYCLIC SYMMETRY MODEL",
                model.source(procedure->line));
  return true;
}

model::ModeTable solve_cyclic_frequency(const Setup& setup, int number, double total_time,
                                        const Preload* preload, const Computing& computing,
                                        const ModeSink& sink, Monitor& monitor) {
  const model::Model& model = *setup.model;
  const model::CyclicSymmetry& cyclic = *model.cyclic;
  const std::int32_t nodes = model.mesh.node_count();
  const auto& step = model.steps[static_cast<std::size_t>(number) - 1];
  const model::NodalDiameters diameters = *std::get<model::FrequencyStep>(step.procedure).diameters;
  const model::CyclicSearch found = model::find_sides(model, cyclic);
  model::Model pair = model::two_copies(model, cyclic);
  const std::size_t own_equations = pair.equations.size();
  std::optional<Preload> preload_of_both;
  if (preload != nullptr) refuse_parts(setup, "*SELECT CYCLIC SYMMETRY MODES with a preload");
  if (preload != nullptr) preload_of_both = preload_of_copies(*preload, nodes, model.mesh.element_count());

  std::optional<model::ModeTable> all;
  for (int diameter = diameters.first; diameter <= diameters.last; ++diameter) {
    const Stage stage = monitor.stage(fmt::format("nodal diameter {}", diameter));
    pair.equations.resize(own_equations);
    {
      model::EquationMaker equations(pair);
      model::add_cyclic(equations, found, diameter, nodes, false, cyclic.line);
    }
    Setup of_both = set_up(pair);
    of_both.imaginary_nodes = nodes;
    LoadState loads(pair);
    const std::vector<double> at_rest(static_cast<std::size_t>(of_both.solids.user_dofs), 0.0);
    for (std::size_t s = 0; s < static_cast<std::size_t>(number); ++s) loads.begin(pair.steps[s], at_rest);
    const ModeSink of_diameter{[&](const model::ModeTable& table) {
                                 model::ModeTable own = table;
                                 for (model::Mode& mode : own.modes) mode.nodal_diameter = diameter;
                                 if (sink.table) sink.table(own);
                               },
                               [&](const model::Frame& frame) {
                                 model::Frame real = frame;
                                 keep_real_part(setup, real);
                                 if (real.mode) real.mode->nodal_diameter = diameter;
                                 if (sink.shape) sink.shape(real);
                               }};
    model::ModeTable table =
        solve_frequency(of_both, loads, pair.steps[static_cast<std::size_t>(number) - 1], number, total_time,
                        preload_of_both ? &*preload_of_both : nullptr, computing, of_diameter, monitor);
    for (model::Mode& mode : table.modes) mode.nodal_diameter = diameter;
    if (!all) {
      all = std::move(table);
      continue;
    }
    all->modes.insert(all->modes.end(), table.modes.begin(), table.modes.end());
    all->iterations += table.iterations;
    if (all->check != table.check) all->check.clear();
    if (all->converged && !table.converged) {
      all->converged = false;
      all->trouble = table.trouble;
    }
  }
  return std::move(*all);
}

}  // namespace setka::analysis
