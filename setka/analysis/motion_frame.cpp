// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/analysis/motion_frame.hpp"

#include <cstddef>

#include "setka/analysis/modal_matrices.hpp"
#include "setka/analysis/reactions.hpp"
#include "setka/exec/parallel.hpp"

namespace setka::analysis {
namespace {

std::vector<double> at_result_nodes(const Setup& setup, const std::vector<double>& values) {
  const auto count = static_cast<std::ptrdiff_t>(3 * setup.result_nodes());
  return {values.begin(), values.begin() + count};
}

}  // namespace

std::vector<double> kinetic_energy(const Setup& setup, const ElementState& state,
                                   const std::vector<double>& v, int threads) {
  const fem::ElementMatrix mass = modal_mass(setup, state);
  std::vector<double> energy(static_cast<std::size_t>(setup.solids.element_count()), 0.0);
  exec::host::for_each(threads, setup.solids.element_count(), 64, [&](std::int64_t index) {
    const auto e = static_cast<std::int32_t>(index);
    if (setup.is_spring(e)) return;
    std::vector<double> own;
    element_values(setup.solids, e, v, own);
    std::vector<double> m(own.size() * own.size(), 0.0);
    mass(e, m);
    double sum = 0;
    for (std::size_t i = 0; i < own.size(); ++i) {
      for (std::size_t j = 0; j < own.size(); ++j) sum += own[i] * m[i * own.size() + j] * own[j];
    }
    energy[static_cast<std::size_t>(e)] = sum / 2;
  });
  add_up_parts(setup, energy);
  return energy;
}

void fill_motion_frame(const Setup& setup, const ElementState& state, const Wanted& wanted,
                       const std::vector<double>& u, const std::vector<double>& v, int threads,
                       model::Frame& frame) {
  recover(setup, state, u, wanted, threads, frame);
  if (wanted.at_nodes.contains("V") && !v.empty())
    frame.node_fields.push_back({"V", 3, at_result_nodes(setup, v)});
  if (wanted.at_nodes.contains("RF")) {
    const std::vector<double> no_strains(u.size(), 0.0);
    frame.node_fields.push_back(
        {"RF", 3, forces_on_mesh(setup, external_forces(setup, state, u, no_strains, threads))});
  }
  if (wanted.at_points.contains("ELKE") && !v.empty())
    frame.element_kinetic_energy = kinetic_energy(setup, state, v, threads);
}

}  // namespace setka::analysis
