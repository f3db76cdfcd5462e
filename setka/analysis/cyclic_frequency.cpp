// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/analysis/cyclic_frequency.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/core.h>

#include "setka/analysis/load_state.hpp"
#include "setka/analysis/user_constraints.hpp"
#include "setka/base/error.hpp"
#include "setka/base/log.hpp"
#include "setka/fem/constraints.hpp"
#include "setka/model/cyclic_symmetry.hpp"
#include "setka/model/element_type.hpp"

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

/// Whose states do not come as those of the sector, one copy after the other.
void refuse_expanded(const Setup& setup) {
  if (setup.solids.origin.empty()) return;
  const mesh::Mesh& mesh = setup.model->mesh;
  for (std::int32_t e = 0; e < mesh.element_count(); ++e) {
    const model::Family family = model::family(mesh, e);
    if (family == model::Family::solid || model::is_spring(family)) continue;
    throw Error(
        Fault::input,
        fmt::format("*SELECT CYCLIC SYMMETRY MODES with a preload is not computed with bars, shells and "
                    "beams, as element {}",
                    mesh.element_label(e)),
        "leave PERTURBATION out, or use solids", setup.model->source(setup.model->cyclic->line));
  }
}

/// What a frame of both copies has of the first.
void keep_real_part(const Setup& setup, model::Frame& frame) {
  const auto nodes = static_cast<std::size_t>(setup.model->mesh.node_count());
  const auto elements = static_cast<std::size_t>(setup.model->mesh.element_count());
  const auto points = static_cast<std::size_t>(setup.result_points().first_point.back());
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

/// Of a shape of both copies: those of the first and of the second, each in the order of the sector alone.
std::array<std::vector<double>, 2> parts_of(const Solids& of_both, const std::vector<double>& shape,
                                            std::int32_t nodes) {
  std::array<std::vector<double>, 2> parts;
  for (std::int32_t node = 0; node < of_both.node_count(); ++node) {
    const auto at = shape.begin() + 3 * static_cast<std::ptrdiff_t>(node);
    std::vector<double>& part = parts[of_both.origin_of(node) < nodes ? 0 : 1];
    part.insert(part.end(), at, at + 3);
  }
  return parts;
}

/// Adds the modes of a diameter to those of the wheel. A shape of unit modal mass on both copies has half as
/// much as there are sectors on the whole wheel; where all sectors move alike, or in turn one way and the
/// other, the two copies do not depend on each other, and the two modes of a pair together are one of the
/// wheel: as if each had a share of it.
void add_to_wheel(const Solids& solids, const ModalBasis& of_both, int diameter, int sectors,
                  std::int32_t nodes, ModalBasis& basis) {
  if (2 * diameter > sectors) return;  // those of a smaller diameter, the other way round
  const bool alone = diameter == 0 || 2 * diameter == sectors;
  const double scale = std::sqrt((alone ? 1.0 : 2.0) / sectors);
  std::size_t count = of_both.modes.size();
  if (count % 2 != 0) {
    log::warning("the last mode of nodal diameter {} lacks the other one of its pair: sums leave it out",
                 diameter);
    --count;
  }
  for (std::size_t j = 0; j < count; ++j) {
    auto parts = parts_of(solids, of_both.shapes[j], nodes);
    for (std::vector<double>& part : parts) {
      for (double& value : part) value *= scale;
    }
    model::Mode mode = of_both.modes[j];
    mode.nodal_diameter = diameter;
    mode.number = static_cast<int>(basis.modes.size()) + 1;
    basis.modes.push_back(mode);
    basis.shapes.push_back(std::move(parts[0]));
    basis.wheel->imaginary.push_back(std::move(parts[1]));
  }
}

}  // namespace

std::array<double, 2> ModesOfWheel::parts(const model::Mode& mode, int sector) const {
  const double phase = mode.nodal_diameter.value_or(0) * (sector - 1) * angle;
  return {std::cos(phase), -std::sin(phase)};
}

bool asks_for_diameters(const model::Model& model, const model::Step& step) {
  const auto* const procedure = std::get_if<model::FrequencyStep>(&step.procedure);
  if (procedure == nullptr || !procedure->diameters) return false;
  if (!model.cyclic)
    throw Error(Fault::input, "*SELECT CYCLIC SYMMETRY MODES in a model without *CYCLIC SYMMETRY MODEL",
                "give the sector's sides by *TIE, CYCLIC SYMMETRY and *CYCLIC SYMMETRY MODEL",
                model.source(procedure->line));
  return true;
}

model::ModeTable solve_cyclic_frequency(const Setup& setup, const LoadState& loads, int number,
                                        double total_time, const Preload* preload, const Computing& computing,
                                        const ModeSink& sink, Monitor& monitor, ModalBasis* basis) {
  const model::Model& model = *setup.model;
  const model::CyclicSymmetry& cyclic = *model.cyclic;
  const std::int32_t nodes = model.mesh.node_count();
  const auto& step = model.steps[static_cast<std::size_t>(number) - 1];
  const model::NodalDiameters diameters = *std::get<model::FrequencyStep>(step.procedure).diameters;
  const model::CyclicSearch found = model::find_sides(model, cyclic);
  model::Model pair = model::two_copies(model, cyclic);
  const std::size_t own_equations = pair.equations.size();
  std::optional<Preload> preload_of_both;
  if (preload != nullptr) refuse_expanded(setup);
  if (preload != nullptr) preload_of_both = preload_of_copies(*preload, nodes, model.mesh.element_count());

  if (basis != nullptr) {
    const fem::Constraints own = user_constraints(setup, loads, 1, total_time);
    basis->unknown_dofs.assign(own.unknown_dofs().begin(), own.unknown_dofs().end());
    if (preload != nullptr) basis->preload = *preload;
    basis->wheel.emplace().angle = -found.angle;  // as in CalculiX: the sides come one after the other
  }
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
    LoadState loads_of_both(pair);
    const std::vector<double> at_rest(static_cast<std::size_t>(of_both.solids.user_dofs), 0.0);
    for (std::size_t s = 0; s < static_cast<std::size_t>(number); ++s)
      loads_of_both.begin(pair.steps[s], at_rest);
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
    ModalBasis basis_of_both;
    model::ModeTable table =
        solve_frequency(of_both, loads_of_both, pair.steps[static_cast<std::size_t>(number) - 1], number,
                        total_time, preload_of_both ? &*preload_of_both : nullptr, computing, of_diameter,
                        monitor, basis != nullptr ? &basis_of_both : nullptr);
    if (basis != nullptr)
      add_to_wheel(of_both.solids, basis_of_both, diameter, cyclic.sectors, nodes, *basis);
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
