// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/analysis/modal_matrices.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "setka/analysis/element_materials.hpp"
#include "setka/analysis/preload.hpp"
#include "setka/base/error.hpp"
#include "setka/base/log.hpp"
#include "setka/fem/dof_map.hpp"
#include "setka/fem/element.hpp"
#include "setka/fem/element_assembly.hpp"
#include "setka/fem/element_set.hpp"
#include "setka/fem/form.hpp"
#include "setka/fem/node_order.hpp"

namespace setka::analysis {
namespace {

/// What turns is pushed outward by its displacement: k -= w^2 m across the axis.
void add_softening(const model::DistributedLoad& load, std::span<const double> m, std::span<double> k) {
  const std::array<double, 3>& axis = load.direction;
  const double length = std::sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
  const auto n = static_cast<std::size_t>(std::lround(std::sqrt(static_cast<double>(k.size()))));
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      const double mass = m[(i - i % 3) * n + (j - j % 3)];  // the same in each direction
      const double along = axis[i % 3] * axis[j % 3] / (length * length);
      k[i * n + j] -= load.value * mass * ((i % 3 == j % 3 ? 1.0 : 0.0) - along);
    }
  }
}

/// Both matrices from elements on a device; none where it cannot be.
std::optional<ModalMatrices> on_the_device(const Setup& setup, const ElementState& state,
                                           const fem::Constraints& constraints, const exec::Device& device,
                                           Monitor& monitor) {
  std::optional<Stage> stage(monitor.stage("elements to the device"));
  const fem::Space space(setup.solids.region(), 3, constraints);
  const ElementMaterials of_elements = element_materials(setup, state);
  if (!of_elements.trouble.empty()) {
    log::debug("assembled on the CPU: {}", of_elements.trouble);
    return std::nullopt;
  }
  if (!space.picks()) {
    log::debug("assembled on the CPU: constraints do more than to pick unknowns");
    return std::nullopt;
  }
  const fem::DofMap dofs(device, space);
  const auto set = std::make_shared<const fem::ElementSet>(device, setup.solids.region());
  stage.reset();
  stage.emplace(monitor.stage("assemble"));
  const fem::DeviceAssembly assembly(device, *set, dofs);
  const auto assembled = [&](const fem::Form& form) { return assembly.assemble(device, form, dofs).matrix; };
  sparse::BlockCsr<double> k = assembled(*of_elements.elasticity(set));
  sparse::BlockCsr<double> m = assembled(*of_elements.mass(set));
  return ModalMatrices{space, std::move(k), std::move(m)};
}

}  // namespace

fem::ElementMatrix modal_mass(const Setup& setup, const ElementState& state) {
  return [&setup, &state](std::int32_t e, std::span<double> m) {
    if (setup.is_spring(e)) {
      std::fill(m.begin(), m.end(), 0.0);
      const double own = setup.spring_section(e).mass;
      for (std::size_t i = 0; own != 0 && i < 3; ++i) m[4 * i] = own;  // of MASS elements, which have a node
      return;
    }
    thread_local std::vector<double> x;
    thread_local std::vector<double> d;
    element_coordinates(setup.solids, e, x);
    state.stiffness(e, d);
    fem::mass(setup.solids.type[static_cast<std::size_t>(e)], x, state.density(e), m, d);
  };
}

fem::ElementMatrix modal_stiffness(const Setup& setup, const ElementState& state, const Preload* preload) {
  if (preload == nullptr)
    return [&state](std::int32_t e, std::span<double> k) { state.element_matrix(e, k); };
  std::vector<std::vector<const model::DistributedLoad*>> loads;
  if (!preload->loads.empty()) {
    loads.resize(static_cast<std::size_t>(setup.solids.element_count()));
    for (const model::DistributedLoad& load : preload->loads) {
      const auto [first, last] = setup.solids.further_parts(load.element);
      if (first < last && load.kind == model::DistributedKind::pressure)
        refuse_parts(setup, "*DLOAD of pressures in a step of modes with a preload");
      loads[static_cast<std::size_t>(load.element)].push_back(&load);
      for (std::int32_t part = first; part < last; ++part)
        loads[static_cast<std::size_t>(part)].push_back(&load);
    }
  }
  return [&setup, &state, preload, loads = std::move(loads), mass = modal_mass(setup, state)](
             std::int32_t e, std::span<double> k) {
    thread_local std::vector<double> x;
    thread_local std::vector<double> u;
    thread_local std::vector<double> d;
    element_coordinates(setup.solids, e, x);
    element_values(setup.solids, e, preload->displacements, u);
    if (setup.is_spring(e)) {
      state.spring(e).stiffness_at(x, u, k);
      return;
    }
    state.element_matrix(e, k);
    state.stiffness(e, d);
    const auto first = static_cast<std::size_t>(setup.first_point(e));
    const auto points = static_cast<std::size_t>(setup.first_point(e + 1)) - first;
    add_preload(setup.solids.type[static_cast<std::size_t>(e)], x, u,
                std::span(preload->stresses).subspan(6 * first, 6 * points), d, k);
    if (loads.empty() || loads[static_cast<std::size_t>(e)].empty()) return;
    std::vector<double> m;
    for (const model::DistributedLoad* load : loads[static_cast<std::size_t>(e)]) {
      if (load->kind == model::DistributedKind::pressure) {
        const auto at = static_cast<std::size_t>(e);
        fem::add_pressure_stiffness(setup.solids.type[at], load->face + setup.solids.first_face[at], x, u,
                                    load->value, k);
        continue;
      }
      if (m.empty()) {
        m.resize(k.size());
        mass(e, m);
      }
      add_softening(*load, m, k);
    }
  };
}

ModalMatrices modal_matrices(const Setup& setup, const ElementState& state,
                             const fem::Constraints& constraints, const Preload* preload,
                             const Computing& computing, bool on_device, Monitor& monitor) {
  const fem::ElementMatrix stiffness = modal_stiffness(setup, state, preload);
  if (on_device && preload == nullptr) {
    try {
      std::optional<ModalMatrices> made = on_the_device(setup, state, constraints, computing.device, monitor);
      if (made) return std::move(*made);
    } catch (const Error& error) {
      if (error.fault() != Fault::resource || computing.shortage == modes::Shortage::stop) throw;
      log::warning("{}; assembling on the CPU", error.message());
    }
  }
  const fem::Region region = setup.solids.region();
  const fem::Space space(region, 3, constraints, fem::order_along_curve(region));
  const auto assembled = [&](const fem::ElementMatrix& matrix) {
    return fem::assemble(space, matrix, computing.cpu, monitor).matrix;
  };
  sparse::BlockCsr<double> k = assembled(stiffness);
  sparse::BlockCsr<double> m = assembled(modal_mass(setup, state));
  return {space, std::move(k), std::move(m)};
}

}  // namespace setka::analysis
