// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/analysis/modal_loads.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include <fmt/core.h>

#include "setka/analysis/cyclic_loads.hpp"
#include "setka/analysis/forces.hpp"
#include "setka/analysis/modal_matrices.hpp"
#include "setka/analysis/solve_system.hpp"
#include "setka/analysis/user_constraints.hpp"
#include "setka/analysis/user_material.hpp"
#include "setka/base/error.hpp"
#include "setka/dynamics/superposition.hpp"
#include "setka/exec/parallel.hpp"

namespace setka::analysis {
namespace {

model::Line line_of(const model::Step& step) {
  if (const auto* modal = std::get_if<model::ModalDynamicStep>(&step.procedure)) return modal->line;
  if (const auto* spectrum = std::get_if<model::ResponseSpectrumStep>(&step.procedure)) return spectrum->line;
  return std::get<model::SteadyStateStep>(step.procedure).line;
}

std::string_view name_of(const model::Step& step) {
  if (std::holds_alternative<model::ResponseSpectrumStep>(step.procedure)) return "*RESPONSE SPECTRUM";
  return std::holds_alternative<model::ModalDynamicStep>(step.procedure) ? "*MODAL DYNAMIC"
                                                                         : "*STEADY STATE DYNAMICS";
}

/// sector: where the force acts, from 1
std::vector<double> on_modes(const ModalBasis& basis, const std::vector<double>& force, int sector,
                             int threads) {
  std::vector<double> work(basis.shapes.size());
  exec::host::for_each(threads, static_cast<std::int64_t>(work.size()), 1, [&](std::int64_t index) {
    const auto j = static_cast<std::size_t>(index);
    double sum = 0;
    for (std::size_t d = 0; d < force.size(); ++d) sum += force[d] * basis.shapes[j][d];
    if (basis.wheel) {
      const auto [real, imaginary] = basis.wheel->parts(basis.modes[j], sector);
      double of_imaginary = 0;
      for (std::size_t d = 0; d < force.size(); ++d) of_imaginary += force[d] * basis.wheel->imaginary[j][d];
      sum = real * sum + imaginary * of_imaginary;
    }
    work[j] = sum;
  });
  return work;
}

/// An Error where something is held that was free when the modes were found, or the other way round.
void require_same_supports(const Setup& setup, const model::Step& step, const ModalBasis& basis,
                           const fem::Constraints& constraints) {
  const auto now = constraints.unknown_dofs();
  if (std::ranges::equal(now, basis.unknown_dofs)) return;
  std::vector<std::int32_t> changed;
  std::ranges::set_symmetric_difference(now, basis.unknown_dofs, std::back_inserter(changed));
  const std::int32_t dof = changed.front();
  const std::int32_t node = dof / 3;
  const bool was_free = std::ranges::binary_search(basis.unknown_dofs, dof);
  throw Error(
      Fault::input,
      fmt::format("{}: node {}, direction {} is {} here, but was {} in the *FREQUENCY step", name_of(step),
                  node < setup.model->mesh.node_count() ? setup.model->mesh.node_label(node) : 0, dof % 3 + 1,
                  was_free ? "prescribed" : "free", was_free ? "free" : "held"),
      "hold it by *BOUNDARY in the *FREQUENCY step as well", setup.model->source(line_of(step)));
}

}  // namespace

std::vector<double> mass_times(const Setup& setup, const ElementState& state, const std::vector<double>& u) {
  const fem::ElementMatrix mass = modal_mass(setup, state);
  std::vector<double> product(u.size(), 0.0);
  std::vector<double> m;
  std::vector<double> own;
  for (std::int32_t e = 0; e < setup.solids.element_count(); ++e) {
    if (setup.is_spring(e) && setup.spring_section(e).mass == 0) continue;
    const auto nodes = setup.solids.nodes(e);
    const std::size_t n = 3 * nodes.size();
    m.assign(n * n, 0.0);
    mass(e, m);
    element_values(setup.solids, e, u, own);
    for (std::size_t i = 0; i < n; ++i) {
      double sum = 0;
      for (std::size_t j = 0; j < n; ++j) sum += m[i * n + j] * own[j];
      product[3 * static_cast<std::size_t>(nodes[i / 3]) + i % 3] += sum;
    }
  }
  return product;
}

std::vector<BasePattern> base_patterns(const LoadState& loads, const model::Step& step) {
  std::vector<BasePattern> patterns;
  std::set<std::pair<std::int32_t, bool>> known;
  for (const model::PrescribedValue& value : loads.prescribed()) {
    if (value.value == 0 || value.direction < 1 || value.direction > 3) continue;
    if (!known.emplace(value.amplitude, value.imaginary).second) continue;
    patterns.push_back({value.amplitude, value.imaginary, false, value.imaginary,
                        [a = value.amplitude, i = value.imaginary](const model::PrescribedValue& v) {
                          return v.amplitude == a && v.imaginary == i ? v.value : 0.0;
                        }});
  }
  for (const model::BaseMotion& motion : step.base_motions) {
    patterns.push_back({motion.amplitude, motion.imaginary, motion.acceleration, false,
                        [d = motion.direction](const model::PrescribedValue& v) {
                          return v.direction == d && v.value == 0 ? 1.0 : 0.0;
                        }});
  }
  return patterns;
}

fem::Constraints constraints_of(const Setup& setup, const LoadState& loads, const BasePattern& pattern) {
  if (!pattern.of_imaginary_values) return user_constraints(setup, loads, pattern.value_of);
  std::vector<model::PrescribedValue> imaginary;
  for (const model::PrescribedValue& value : loads.prescribed()) {
    if (value.imaginary) imaginary.push_back(value);
  }
  return user_constraints(setup, loads, [&](const model::PrescribedValue& real) {
    for (const model::PrescribedValue& value : imaginary) {
      if (value.node == real.node && value.direction == real.direction) return pattern.value_of(value);
    }
    return 0.0;
  });
}

namespace {

/// How much longer a dashpot becomes by displacements of the solids' nodes.
double stretch(const Setup& setup, std::int32_t element, std::span<const double> u) {
  const auto nodes = setup.solids.nodes(element);
  const double* const x = setup.solids.coordinates.data();
  std::array<double, 3> along{};
  double length = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    along[k] = x[3 * static_cast<std::size_t>(nodes[1]) + k] - x[3 * static_cast<std::size_t>(nodes[0]) + k];
    length = std::hypot(length, along[k]);
  }
  double sum = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    sum += along[k] / length *
           (u[3 * static_cast<std::size_t>(nodes[1]) + k] - u[3 * static_cast<std::size_t>(nodes[0]) + k]);
  }
  return sum;
}

constexpr double no_stretch = 1e-9;  // over the motion of a base that carries a dashpot along: rounding

double reach_of(std::span<const double> u) {
  double found = 0;
  for (const double x : u) found = std::max(found, std::abs(x));
  return found;
}

bool is_dashpot(const Setup& setup, std::int32_t element) {
  return setup.is_spring(element) && !setup.spring_section(element).damping.empty();
}

}  // namespace

Dense DampedModes::coupling(double frequency) const {
  if (dashpots.empty()) return {};
  const auto count = static_cast<std::int64_t>(modes.size());
  Dense sum(count, count);
  for (const ModalDashpot& dashpot : dashpots) {
    const double constant = interpolate(*dashpot.constant, frequency)[0];
    for (std::int64_t j = 0; j < count; ++j) {
      const double by = constant * dashpot.on_modes[static_cast<std::size_t>(j)];
      for (std::int64_t i = 0; i < count; ++i)
        sum(i, j) += by * dashpot.on_modes[static_cast<std::size_t>(i)];
    }
  }
  return sum;
}

void require_dashpots_on_modes(const Setup& setup, const model::Step& step, const ModalLoads& loads) {
  for (std::int32_t e = 0; e < setup.solids.element_count(); ++e) {
    if (!is_dashpot(setup, e)) continue;
    for (const BaseShape& base : loads.bases) {
      if (std::abs(stretch(setup, e, base.shape)) <= no_stretch * reach_of(base.shape)) continue;
      throw Error(Fault::input,
                  fmt::format("{}: a base that moves dashpots, as element {}, is not computed", name_of(step),
                              setup.model->mesh.element_label(e)),
                  "use *DYNAMIC, or loads instead of the motion of the base",
                  setup.model->source(line_of(step)));
    }
  }
}

bool DampedModes::damped() const {
  if (!dashpots.empty()) return true;
  return std::ranges::any_of(modes, [](const auto& mode) { return mode.damping != 0; }) ||
         std::ranges::any_of(loss, [](double l) { return l != 0; });
}

void check_modal(const Setup& setup, const LoadState& loads, const model::Step& step,
                 const ModalBasis* basis) {
  const SourceLine source = setup.model->source(line_of(step));
  if (basis == nullptr) {
    throw Error(Fault::input,
                fmt::format("{} is a sum of modes, but no step before it finds any", name_of(step)),
                "add a step with *FREQUENCY before it", source);
  }
  if (basis->modes.empty()) {
    throw Error(Fault::input,
                fmt::format("{} is a sum of modes, but *FREQUENCY found none between its two frequencies",
                            name_of(step)),
                "ask *FREQUENCY for other modes", source);
  }
  if (basis->wheel) {
    for (std::int32_t e = 0; e < setup.solids.element_count(); ++e) {
      if (!is_dashpot(setup, e)) continue;
      throw Error(Fault::input,
                  fmt::format("{}: dashpots, as element {}, are not computed with modes by nodal diameters",
                              name_of(step), setup.model->mesh.element_label(e)),
                  "use *MODAL DAMPING, or a model of the whole wheel", source);
    }
  }
  if (!loads.temperatures().empty()) {
    throw Error(Fault::input, fmt::format("{}: what *TEMPERATURE does in it is not computed", name_of(step)),
                "leave *TEMPERATURE out of the step", source);
  }
}

ElementState modal_state(const Setup& setup, const ModalBasis& basis) {
  ElementState state(
      setup, basis.preload ? std::span<const double>(basis.preload->temperature) : std::span<const double>());
  state.leave_out_free_strains();
  if (basis.preload) state.set_preload(basis.preload->displacements);
  return state;
}

ModalLoads modal_loads(const Setup& setup, const LoadState& loads, const model::Step& step,
                       const ModalBasis& basis, const ElementState& state, const Computing& computing,
                       Monitor& monitor) {
  const Stage stage = monitor.stage("loads of modes");
  const int threads = computing.cpu.threads();
  ModalLoads all;
  require_same_supports(setup, step, basis, user_constraints(setup, loads, [](const auto&) { return 0.0; }));

  for (const int sector : loaded_sectors(loads)) {
    const LoadState own = basis.wheel ? loads_of_sector(setup, loads, sector, basis.wheel->angle) : loads;
    std::set<std::pair<std::int32_t, bool>> amplitudes;
    for (const model::PointLoad& load : own.point_loads()) amplitudes.emplace(load.amplitude, load.imaginary);
    for (const model::DistributedLoad& load : own.distributed_loads())
      amplitudes.emplace(load.amplitude, load.imaginary);
    for (const auto& varies : amplitudes) {
      ModalForce force;
      std::tie(force.amplitude, force.imaginary) = varies;
      force.sector = sector;
      force.force = applied_forces(setup, own, state, [&](std::int32_t amplitude, bool imaginary) {
        return amplitude == force.amplitude && imaginary == force.imaginary ? 1.0 : 0.0;
      });
      force.on_modes = on_modes(basis, force.force, sector, threads);
      all.forces.push_back(std::move(force));
    }
  }

  const std::vector<BasePattern> patterns = base_patterns(loads, step);
  if (basis.wheel && !patterns.empty()) {
    throw Error(
        Fault::input,
        fmt::format("{}: a base that moves is not computed with modes by nodal diameters", name_of(step)),
        "use loads, or a model of the whole wheel", setup.model->source(line_of(step)));
  }
  for (const BasePattern& pattern : patterns) {
    const fem::Constraints of_users = constraints_of(setup, loads, pattern);
    std::optional<fem::Constraints> of_solids;
    if (!setup.solids.rows.empty()) of_solids = of_users.compose(setup.solids.rows);
    const fem::Constraints& constraints = of_solids ? *of_solids : of_users;
    Stiffness stiffness = make_stiffness(setup, state, constraints, computing, monitor);
    const solve::SolveResult solved =
        solve_system(setup, constraints, of_users, stiffness, {}, computing, monitor);
    if (!solved.report.converged) {
      throw Error(Fault::input,
                  fmt::format("{}: the shape of the base's motion is not found: {}", name_of(step),
                              solved.report.trouble),
                  "choose another --solver", setup.model->source(line_of(step)));
    }
    BaseShape base;
    base.amplitude = pattern.amplitude;
    base.imaginary = pattern.imaginary;
    base.acceleration = pattern.acceleration;
    base.shape = stiffness.space.expand(solved.x, computing.cpu);
    // As in CalculiX the mass between what is prescribed and what is free does not count.
    std::vector<double> inner = base.shape;
    for (std::size_t d = 0; d < inner.size(); ++d) {
      if (constraints.row(static_cast<std::int32_t>(d)).empty()) inner[d] = 0;
    }
    base.on_modes = on_modes(basis, mass_times(setup, state, inner), 1, threads);
    all.bases.push_back(std::move(base));
  }
  return all;
}

DampedModes damped_modes(const Setup& setup, const model::Step& step, const ModalBasis& basis) {
  const model::ModalDamping& damping = step.damping;
  DampedModes damped;
  damped.loss.assign(basis.modes.size(), 0.0);
  damped.of_base = damping.by_mass;
  for (const model::Mode& mode : basis.modes) {
    damped.modes.push_back(
        dynamics::damped_by_rayleigh(mode.eigenvalue, damping.by_mass, damping.by_stiffness));
  }
  for (const model::ModalDamping::Range& range : damping.ranges) {
    if (range.first > basis.modes.back().number) {
      throw Error(Fault::input,
                  fmt::format("*MODAL DAMPING: mode {}, but *FREQUENCY found {} only", range.first,
                              basis.modes.back().number),
                  "ask *FREQUENCY for more modes", setup.model->source(range.line));
    }
    for (std::size_t j = 0; j < basis.modes.size(); ++j) {
      if (basis.modes[j].number < range.first || basis.modes[j].number > range.last) continue;
      if (damping.structural)
        damped.loss[j] = range.ratio;
      else
        damped.modes[j] = dynamics::damped_by_ratio(basis.modes[j].eigenvalue, range.ratio);
    }
  }
  for (std::int32_t e = 0; e < setup.solids.element_count(); ++e) {
    if (basis.of_temperature || !is_dashpot(setup, e)) continue;
    ModalDashpot& dashpot = damped.dashpots.emplace_back();
    dashpot.constant = &setup.spring_section(e).damping;
    for (const std::vector<double>& shape : basis.shapes)
      dashpot.on_modes.push_back(stretch(setup, e, shape));
  }
  return damped;
}

std::vector<double> superposed(const ModalBasis& basis, const ModalLoads& loads, std::span<const double> q,
                               std::span<const double> base, int threads) {
  const std::size_t dofs = basis.shapes.front().size();
  std::vector<double> u(dofs, 0.0);
  exec::host::for_each(threads, static_cast<std::int64_t>(dofs), exec::host::serial_below,
                       [&](std::int64_t index) {
                         const auto d = static_cast<std::size_t>(index);
                         double sum = 0;
                         for (std::size_t b = 0; b < base.size(); ++b)
                           sum += base[b] * loads.bases[b].shape[d];
                         for (std::size_t j = 0; j < q.size(); ++j) sum += q[j] * basis.shapes[j][d];
                         u[d] = sum;
                       });
  return u;
}

}  // namespace setka::analysis
