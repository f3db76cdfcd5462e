// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/analysis/mode_shapes.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "setka/analysis/preload.hpp"
#include "setka/analysis/reactions.hpp"
#include "setka/exec/parallel.hpp"
#include "setka/fem/element.hpp"

namespace setka::analysis {
namespace {

constexpr std::int32_t batch_of_forces = 1024;  // elements whose forces are in memory at a time

/// Adds the forces on the undeformed element of what a preload changes in the stresses of du. x: [n, 3]
void add_preload_forces(const Setup& setup, const ElementState& state, std::int32_t e,
                        std::span<const double> x, std::span<const double> du, std::span<double> f) {
  const fem::Element type = setup.solids.type[static_cast<std::size_t>(e)];
  std::vector<double> before;
  std::vector<double> d;
  element_values(setup.solids, e, state.preload(), before);
  state.stiffness(e, d);
  const auto points = static_cast<std::size_t>(fem::point_count(type));
  std::vector<double> strain(6 * points, 0.0);
  std::vector<double> stress(6 * points, 0.0);
  add_preload_strains(type, x, before, du, strain);
  for (std::size_t p = 0; p < points; ++p) {
    for (std::size_t i = 0; i < 6; ++i) {
      for (std::size_t j = 0; j < 6; ++j) stress[6 * p + i] += d[36 * p + 6 * i + j] * strain[6 * p + j];
    }
  }
  std::vector<double> own(f.size());
  fem::internal_force(type, x, stress, own);
  for (std::size_t i = 0; i < f.size(); ++i) f[i] += own[i];
}

/// Of one element under every shape, [shapes, 3n].
void element_forces(const Setup& setup, const ElementState& state,
                    const std::vector<std::vector<double>>& shapes, std::int32_t e, std::vector<double>& f) {
  thread_local std::vector<double> k;
  thread_local std::vector<double> x;
  thread_local std::vector<double> u;
  const std::size_t n = 3 * setup.solids.nodes(e).size();
  element_coordinates(setup.solids, e, x);
  k.assign(n * n, 0.0);
  state.element_matrix(e, k);
  f.assign(n * shapes.size(), 0.0);
  for (std::size_t s = 0; s < shapes.size(); ++s) {
    if (shapes[s].empty()) continue;
    element_values(setup.solids, e, shapes[s], u);
    const std::span<double> own = std::span(f).subspan(n * s, n);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) own[i] += k[i * n + j] * u[j];
    }
    if (!state.preload().empty() && !setup.is_spring(e)) add_preload_forces(setup, state, e, x, u, own);
  }
}

}  // namespace

std::vector<std::vector<double>> expanded_shapes(const fem::Constraints& constraints,
                                                 std::span<const double> shapes, std::size_t modes,
                                                 int threads) {
  std::vector<std::vector<double>> u(modes);
  const std::int32_t dofs = constraints.dof_count();
  exec::host::for_each(threads, static_cast<std::int64_t>(modes), 1, [&](std::int64_t j) {
    u[static_cast<std::size_t>(j)].assign(static_cast<std::size_t>(dofs), 0.0);
  });
  exec::host::for_each(threads, dofs, exec::host::serial_below, [&](std::int64_t d) {
    for (const fem::Term& term : constraints.row(static_cast<std::int32_t>(d))) {
      const double* const of_modes = shapes.data() + static_cast<std::size_t>(term.index) * modes;
      for (std::size_t j = 0; j < modes; ++j)
        u[j][static_cast<std::size_t>(d)] += term.coefficient * of_modes[j];
    }
  });
  return u;
}

std::vector<std::vector<double>> forces_of_shapes(const Setup& setup, const ElementState& state,
                                                  const std::vector<std::vector<double>>& shapes,
                                                  int threads) {
  std::vector<std::vector<double>> forces;
  forces.reserve(shapes.size());
  for (const auto& shape : shapes) forces.emplace_back(shape.size());
  std::vector<std::vector<double>> own(batch_of_forces);  // [elements of a batch] of [shapes, 3n]
  const std::int32_t elements = setup.solids.element_count();
  for (std::int32_t first = 0; first < elements; first += batch_of_forces) {
    const std::int32_t count = std::min(batch_of_forces, elements - first);
    exec::host::for_each(threads, count, 8, [&](std::int64_t i) {
      element_forces(setup, state, shapes, first + static_cast<std::int32_t>(i),
                     own[static_cast<std::size_t>(i)]);
    });
    // Each thread adds to shapes of its own, element after element.
    exec::host::for_each(threads, static_cast<std::int64_t>(shapes.size()), 1, [&](std::int64_t shape) {
      const auto s = static_cast<std::size_t>(shape);
      if (shapes[s].empty()) return;
      for (std::int32_t i = 0; i < count; ++i) {
        const auto nodes = setup.solids.nodes(first + i);
        const double* const f = own[static_cast<std::size_t>(i)].data() + 3 * nodes.size() * s;
        for (std::size_t d = 0; d < 3 * nodes.size(); ++d)
          forces[s][3 * static_cast<std::size_t>(nodes[d / 3]) + d % 3] += f[d];
      }
    });
  }
  for (auto& force : forces) {
    if (!force.empty()) force = forces_on_mesh(setup, std::move(force));
  }
  return forces;
}

}  // namespace setka::analysis
