// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/analysis/explicit_model.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include <fmt/core.h>

#include "setka/analysis/forces.hpp"
#include "setka/base/error.hpp"
#include "setka/base/log.hpp"
#include "setka/deck/element_names.hpp"
#include "setka/dynamics/curve.hpp"
#include "setka/model/element_type.hpp"

namespace setka::analysis {
namespace {

[[noreturn]] void refuse(const Setup& setup, model::Line line, const std::string& what,
                         const std::string& remedy) {
  throw Error(Fault::input, "*DYNAMIC, EXPLICIT: " + what, remedy, setup.model->source(line));
}

/// A lumped mass has no place for anything that ties unknowns together.
void refuse_constraints(const Setup& setup, const LoadState& loads, const model::Step& step) {
  const model::Model& model = *setup.model;
  for (std::size_t i = 0; i < model.equations.size(); ++i) {
    if (loads.has_equation(i))
      refuse(setup, model.equations[i].line,
             "masses are lumped, and *EQUATION, *TIE and rigid bodies would tie them together",
             "use *DYNAMIC, DIRECT, or take it out");
  }
  if (!model.mean_rotations.empty())
    refuse(setup, model.mean_rotations.front().line, "masses are lumped, and *MPC would tie them together",
           "use *DYNAMIC, DIRECT, or take it out");
  if (!model.transforms.empty())
    refuse(setup, model.transforms.front().system.line, "directions of *TRANSFORM are not computed",
           "hold and load the nodes in global directions");
  if (!step.base_motions.empty())
    refuse(setup, step.base_motions.front().line, "*BASE MOTION is for sums of modes",
           "move the base by *BOUNDARY, AMPLITUDE=");
}

void refuse_elements(const Setup& setup) {
  const mesh::Mesh& mesh = setup.model->mesh;
  for (std::int32_t e = 0; e < mesh.element_count(); ++e) {
    const model::ElementType type = model::element_type(mesh, e);
    if (type.family == model::Family::solid && type.integration != model::Integration::incompatible) continue;
    throw Error(
        Fault::input,
        fmt::format("*DYNAMIC, EXPLICIT: element {} is of type {}", mesh.element_label(e), deck::name(type)),
        "use C3D4, C3D6, C3D8, C3D8R, C3D10, C3D15, C3D20 or C3D20R");
  }
}

/// The one row of a table: temperatures have no part in explicit steps.
const std::vector<double>& one_row(const Setup& setup, const model::Material& material,
                                   const model::Table& table, const char* what) {
  if (table.empty())
    refuse(setup, material.line, fmt::format("material {} has no {}", material.name, what),
           fmt::format("add {} after it", what));
  if (table.size() > 1)
    refuse(setup, material.line, fmt::format("{} of material {} depends on temperature", what, material.name),
           "give one line of it");
  return table.front().values;
}

fem::LawMaterial law_of(const Setup& setup, const model::Material& material) {
  const double density = one_row(setup, material, material.density, "*DENSITY")[0];
  try {
    if (!material.hyperelastic.empty()) {
      if (!material.elastic.empty())
        refuse(setup, material.line,
               fmt::format("material {} has both *ELASTIC and *HYPERELASTIC", material.name),
               "leave one of them out");
      const auto& c = one_row(setup, material, material.hyperelastic, "*HYPERELASTIC");
      return fem::mooney_rivlin(c[0], c[1], c[2], density);
    }
    const auto& c = one_row(setup, material, material.elastic, "*ELASTIC");
    if (material.elastic_kind != model::ElasticKind::isotropic)
      refuse(setup, material.line, fmt::format("material {} is not isotropic", material.name),
             "give Young's modulus and Poisson's ratio, or use *DYNAMIC, DIRECT");
    return fem::saint_venant_kirchhoff(c[0], c[1], density);
  } catch (const Error& error) {
    if (error.where().line > 0) throw;
    throw Error(Fault::input, fmt::format("material {}: {}", material.name, error.message()), error.remedy(),
                setup.model->source(material.line));
  }
}

void find_laws(const Setup& setup, ExplicitModel& made) {
  const model::Model& model = *setup.model;
  std::map<const model::Material*, std::int32_t> known;
  std::optional<double> damping;
  const model::Material* damped = nullptr;
  for (std::int32_t e = 0; e < model.mesh.element_count(); ++e) {
    const model::Material& material = setup.material(e);
    const auto [at, added] = known.try_emplace(&material, static_cast<std::int32_t>(made.laws.size()));
    made.material_of.push_back(at->second);
    if (!added) continue;
    made.laws.push_back(law_of(setup, material));
    if (material.damping_by_stiffness != 0)
      refuse(setup, material.line,
             fmt::format("material {} has *DAMPING with BETA, which is not diagonal", material.name),
             "give ALPHA alone");
    if (damping && *damping != material.damping_by_mass)
      refuse(setup, material.line,
             fmt::format("materials {} and {} have ALPHA {} and {} of *DAMPING", damped->name, material.name,
                         *damping, material.damping_by_mass),
             "give all materials the same ALPHA");
    damping = material.damping_by_mass;
    damped = &material;
  }
  made.damping = damping.value_or(0);
}

void refuse_loads(const Setup& setup, const LoadState& loads, const model::Step& step) {
  const model::Model& model = *setup.model;
  if (!model.initial_stresses.empty() || !model.initial_strains.empty() || model.stock_user_stress)
    refuse(setup, step.line, "initial stresses and strains are not computed",
           "take *INITIAL CONDITIONS of these types out");
  if (has_thermal_strains(setup, loads))
    refuse(setup, step.line, "thermal strains are not computed", "take *TEMPERATURE out");
  for (const model::DistributedLoad& load : loads.distributed_loads()) {
    if (load.kind == model::DistributedKind::attraction)
      refuse(setup, load.line, "*DLOAD, NEWTON is not computed",
             "use *DYNAMIC, DIRECT for small displacements");
  }
  for (const model::OutputRequest& request : step.output) {
    if (request.kind == model::OutputKind::section_print)
      refuse(setup, request.line, "*SECTION PRINT is for small displacements", "take it out of the step");
  }
}

/// Once a deck: what users of large displacements may expect otherwise.
void tell_of_dead_loads(const Setup& setup, const LoadState& loads) {
  for (const model::DistributedLoad& load : loads.distributed_loads()) {
    if (load.kind == model::DistributedKind::gravity) continue;
    const SourceLine at = setup.model->source(load.line);
    log::warning("{}:{}: *DYNAMIC, EXPLICIT: {} as on the undeformed body; the load does not follow it",
                 at.file, at.line,
                 load.kind == model::DistributedKind::pressure ? "the pressure acts" : "rotation loads act");
    return;
  }
}

void find_loads(const Setup& setup, const LoadState& loads, ExplicitModel& made) {
  const ElementState state(setup, std::span<const double>());
  std::vector<std::int32_t> amplitudes;
  for (const model::PointLoad& load : loads.point_loads()) amplitudes.push_back(load.amplitude);
  for (const model::DistributedLoad& load : loads.distributed_loads()) amplitudes.push_back(load.amplitude);
  std::ranges::sort(amplitudes);
  amplitudes.erase(std::unique(amplitudes.begin(), amplitudes.end()), amplitudes.end());
  for (const std::int32_t amplitude : amplitudes) {
    made.loads.push_back(
        {amplitude, applied_forces(setup, loads, state, [&](std::int32_t own, bool imaginary) {
           return own == amplitude && !imaginary ? 1.0 : 0.0;
         })});
  }
}

/// Where an amplitude jumps, in its own time; none: nowhere.
std::optional<double> jump_of(const model::Amplitude& amplitude) {
  for (std::size_t i = 1; i < amplitude.points.size(); ++i) {
    const auto& a = amplitude.points[i - 1];
    const auto& b = amplitude.points[i];
    if (a[0] == b[0] && a[1] != b[1]) return b[0];
  }
  return std::nullopt;
}

void find_held(const Setup& setup, const LoadState& loads, double start_time,
               const std::vector<double>* start, ExplicitModel& made) {
  const model::Model& model = *setup.model;
  const std::size_t dofs = 3 * static_cast<std::size_t>(model.mesh.node_count());
  std::map<std::int32_t, std::vector<double>> motions;
  for (const model::PrescribedValue& value : loads.prescribed()) {
    if (value.direction > 3 || value.imaginary) continue;
    const auto dof = 3 * static_cast<std::size_t>(value.node) + static_cast<std::size_t>(value.direction) - 1;
    made.held.push_back(static_cast<std::int32_t>(dof));
    const double now = start == nullptr || start->empty() ? 0.0 : (*start)[dof];
    const double first = value.value * loads.factor(value.amplitude, 0, start_time);
    const auto place = [&] {
      return fmt::format("node {}, direction {}", model.mesh.node_label(value.node), value.direction);
    };
    if (start != nullptr && std::abs(first - now) > 1e-6 * std::max(std::abs(first), std::abs(now)))
      refuse(setup, value.line,
             fmt::format("{} is at {:g} and is prescribed {:g} when the step begins", place(), now, first),
             "a jump would be a shock without bound: give *BOUNDARY an AMPLITUDE that begins where the node "
             "is");
    if (value.value == 0) continue;
    if (value.amplitude >= 0) {
      const model::Amplitude& curve = model.amplitudes[static_cast<std::size_t>(value.amplitude)];
      if (const auto jump = jump_of(curve))
        refuse(setup, value.line,
               fmt::format("{} jumps with the amplitude {} at its time {:g}", place(), curve.name, *jump),
               "let the amplitude go there in a time longer than zero");
    }
    auto& motion = motions[value.amplitude];
    motion.resize(dofs, 0.0);
    motion[dof] = value.value;
  }
  for (auto& [amplitude, values] : motions) made.motions.push_back({amplitude, std::move(values)});
}

}  // namespace

ExplicitModel explicit_model(const Setup& setup, const LoadState& loads, const model::Step& step,
                             double start_time, const std::vector<double>* start) {
  refuse_elements(setup);
  refuse_constraints(setup, loads, step);
  refuse_loads(setup, loads, step);
  ExplicitModel made;
  find_laws(setup, made);
  find_held(setup, loads, start_time, start, made);
  find_loads(setup, loads, made);
  tell_of_dead_loads(setup, loads);
  return made;
}

void refuse_hyperelastic(const Setup& setup, const model::Step& step) {
  for (const model::Section& section : setup.model->sections) {
    const model::Material& material = setup.model->materials[static_cast<std::size_t>(section.material)];
    if (material.hyperelastic.empty()) continue;
    throw Error(
        Fault::input,
        fmt::format("material {} is hyperelastic, which only *DYNAMIC, EXPLICIT computes", material.name),
        "give it *ELASTIC, or make the step one with *DYNAMIC, EXPLICIT", setup.model->source(step.line));
  }
}

}  // namespace setka::analysis
