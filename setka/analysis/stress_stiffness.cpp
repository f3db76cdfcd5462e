// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/analysis/stress_stiffness.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <vector>

#include "setka/analysis/preload.hpp"
#include "setka/fem/assembly.hpp"
#include "setka/fem/dof_map.hpp"
#include "setka/fem/element_assembly.hpp"
#include "setka/fem/element_set.hpp"
#include "setka/fem/form.hpp"

namespace setka::analysis {
namespace {

bool has_springs(const Setup& setup) {
  for (std::int32_t e = 0; e < setup.solids.element_count(); ++e) {
    if (setup.is_spring(e)) return true;
  }
  return false;
}

sparse::BlockCsr<double> by_form(const Setup& setup, const fem::Space& space,
                                 std::span<const double> stresses, const exec::Device& device) {
  const auto set = std::make_shared<const fem::ElementSet>(device, setup.solids.region());
  std::vector<std::int32_t> row_of(stresses.size() / 6);
  std::iota(row_of.begin(), row_of.end(), 0);
  const fem::Form form(fem::FormKind::stress_stiffness, set, 3, stresses, row_of);
  const fem::DofMap dofs(device, space);
  return fem::DeviceAssembly(device, *set, dofs).assemble(device, form, dofs).matrix;
}

}  // namespace

sparse::BlockCsr<double> stress_stiffness(const Setup& setup, const ElementState& state,
                                          const fem::Space& space, std::span<const double> displacements,
                                          std::span<const double> stresses, const exec::Device& device,
                                          const exec::Device& cpu, Monitor& monitor) {
  const Stage stage = monitor.stage("stress stiffness");
  if (device.is_cuda() && space.picks() && !has_springs(setup))
    return by_form(setup, space, stresses, device);
  const fem::ElementMatrix of_element = [&](std::int32_t e, std::span<double> k) {
    thread_local std::vector<double> x;
    thread_local std::vector<double> u;
    element_coordinates(setup.solids, e, x);
    if (setup.is_spring(e)) {
      element_values(setup.solids, e, displacements, u);
      state.spring(e).stress_stiffness(x, u, k);
      return;
    }
    std::ranges::fill(k, 0.0);
    const auto first = static_cast<std::size_t>(setup.first_point(e));
    const auto points = static_cast<std::size_t>(setup.first_point(e + 1)) - first;
    add_stress_stiffness(setup.solids.type[static_cast<std::size_t>(e)], x,
                         stresses.subspan(6 * first, 6 * points), k);
  };
  return fem::assemble(space, of_element, cpu, monitor).matrix;
}

}  // namespace setka::analysis
