// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/analysis/nodal_values.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

#include "setka/analysis/element_batches.hpp"
#include "setka/fem/element.hpp"

namespace setka::analysis {

std::vector<double> solid_node_values(const Setup& setup, int components,
                                      const std::vector<double>& at_points, int threads) {
  return solid_node_values(setup, ElementRun::of(setup), components, at_points, threads);
}

std::vector<double> solid_node_values(const Setup& setup, const ElementRun& run, int components,
                                      const std::vector<double>& at_points, int threads) {
  const Solids& solids = setup.solids;
  const auto c = static_cast<std::size_t>(components);
  std::vector<double> sum(c * static_cast<std::size_t>(solids.node_count()), 0.0);
  std::vector<double> count(static_cast<std::size_t>(solids.node_count()), 0.0);
  const auto extrapolate = [&](std::int32_t of_run, std::vector<double>& own) {
    const std::int32_t e = run.first + of_run;
    const fem::Element type = solids.type[static_cast<std::size_t>(e)];
    const auto points = static_cast<std::size_t>(fem::point_count(type));
    own.resize(points == 0 ? 0 : c * solids.nodes(e).size());
    if (points == 0) return;
    const auto first = static_cast<std::size_t>(run.first_point(setup, e));
    fem::extrapolate(type, components, std::span(at_points).subspan(c * first, c * points), own);
  };
  sum_over_elements(threads, run.count(), extrapolate,
                    [&](std::int32_t of_run, const std::vector<double>& own, const NodeShare& share) {
                      const auto nodes = solids.nodes(run.first + of_run);
                      for (std::size_t i = 0; c * i < own.size(); ++i) {
                        if (!share.has(nodes[i])) continue;
                        const auto node = static_cast<std::size_t>(nodes[i]);
                        count[node] += 1;
                        for (std::size_t k = 0; k < c; ++k) sum[c * node + k] += own[c * i + k];
                      }
                    });
  run.collect(sum);
  run.collect(count);
  exec::host::for_each(threads, solids.node_count(), exec::host::serial_below, [&](std::int64_t node) {
    const auto n = static_cast<std::size_t>(node);
    for (std::size_t k = 0; k < c && count[n] > 0; ++k) sum[c * n + k] /= count[n];
  });
  return sum;
}

namespace {

/// [mesh nodes] whether a mean over copies is none of the node's business: solids show it beside them.
std::vector<std::int8_t> nodes_apart(const Setup& setup) {
  std::vector<std::int8_t> apart(static_cast<std::size_t>(setup.model->mesh.node_count()), 0);
  if (!setup.shows_solids) return apart;
  for (const std::int32_t node : setup.solids.node) {
    const auto n = static_cast<std::size_t>(node);
    if (n < apart.size()) apart[n] = 1;
  }
  return apart;
}

/// [copies] in means at nodes of the mesh: over a parabola across a surface, and of the corners of a beam. A
/// copy counts as often as elements have it: at a knot some share one, others have their own.
std::vector<double> weights_of_copies(const Solids& solids) {
  const std::size_t first = static_cast<std::size_t>(solids.node_count()) - solids.origin.size();
  if (!solids.wholes.empty()) {  // whose layers and fibres have nodes of their own there
    std::vector<double> weights(solids.origin.size(), 1.0);
    for (std::size_t i = 0; i < solids.copy_is_idle.size(); ++i)
      weights[i] = solids.copy_is_idle[i] != 0 ? 0 : 1;
    return weights;
  }
  std::vector<double> weights(solids.origin.size(), 0.0);
  for (const std::int32_t node : solids.node) {
    if (static_cast<std::size_t>(node) >= first) weights[static_cast<std::size_t>(node) - first] += 1;
  }
  for (const std::int32_t copy : solids.amid_surfaces) weights[static_cast<std::size_t>(copy) - first] *= 4;
  for (const std::int32_t copy : solids.amid_sides) weights[static_cast<std::size_t>(copy) - first] = 0;
  return weights;
}

}  // namespace

std::vector<double> mesh_node_values(const Setup& setup, int components, std::vector<double> values) {
  const Solids& solids = setup.solids;
  const auto c = static_cast<std::size_t>(components);
  if (solids.origin.empty()) return values;
  const auto mesh_nodes = static_cast<std::size_t>(setup.model->mesh.node_count());
  const std::vector<std::int8_t> apart = nodes_apart(setup);
  const std::vector<double> weight = weights_of_copies(solids);
  std::vector<double> sum(mesh_nodes, 0.0);  // of weights
  for (std::size_t i = 0; i < solids.origin.size(); ++i) {
    const auto node = static_cast<std::size_t>(solids.origin[i]);
    if (weight[i] == 0 || apart[node] != 0) continue;
    for (std::size_t k = 0; k < c; ++k) {
      double& value = values[c * node + k];
      value = (sum[node] == 0 ? 0.0 : value) + weight[i] * values[c * (mesh_nodes + i) + k];
    }
    sum[node] += weight[i];
  }
  values.resize(c * setup.result_nodes());
  for (std::size_t n = 0; n < mesh_nodes; ++n) {
    for (std::size_t k = 0; k < c && sum[n] > 0; ++k) values[c * n + k] /= sum[n];
  }
  return values;
}

}  // namespace setka::analysis
