// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "domains_prediction.hpp"

#include <cstddef>
#include <span>

#include <fmt/core.h>

#include "setka/domains/row_shares.hpp"
#include "setka/exec/device.hpp"
#include "setka/fem/region.hpp"
#include "setka/plan/team_formulas.hpp"

namespace setka::app {
namespace {

constexpr int unknowns_of_node = 3;

std::vector<plan::TeamPart> team_parts(const domains::Graph& nodes, std::span<const std::int32_t> owner,
                                       int count) {
  std::vector<plan::TeamPart> parts;
  for (const domains::RowShare& share : domains::row_shares(nodes, owner, count)) {
    parts.push_back(plan::team_part(
        {static_cast<double>(share.rows), static_cast<double>(share.own), static_cast<double>(share.boundary),
         static_cast<double>(share.beside), static_cast<double>(share.ghosts)},
        unknowns_of_node));
  }
  return parts;
}

/// The nodes of each element of the solids, those beyond the mesh as the ones that they stand over.
std::vector<std::int32_t> nodes_of_mesh(const analysis::Solids& solids, std::int32_t mesh_nodes) {
  std::vector<std::int32_t> nodes = solids.node;
  for (std::int32_t& node : nodes) {
    if (node >= mesh_nodes) node = solids.origin[static_cast<std::size_t>(node - mesh_nodes)];
  }
  return nodes;
}

std::string milliseconds(double seconds) {
  return fmt::format("{:.3g} ms", 1e3 * seconds);
}

}  // namespace

domains::Graph graph_of_mesh(const analysis::Solids& solids, std::int32_t mesh_nodes) {
  const std::vector<std::int32_t> node = nodes_of_mesh(solids, mesh_nodes);
  const auto count = static_cast<std::size_t>(mesh_nodes);
  const fem::Region region{std::span(solids.coordinates).first(3 * count), solids.type, solids.first_node,
                           node};
  return domains::node_graph(region, exec::Device::cpu().threads());
}

IterationPrediction predict_iteration(const analysis::Solids& solids, std::int32_t mesh_nodes,
                                      const domains::Decomposition& parts, const plan::TeamDevice& device,
                                      const plan::Transfer& link) {
  const auto count = static_cast<std::size_t>(mesh_nodes);
  const domains::Graph graph = graph_of_mesh(solids, mesh_nodes);
  const plan::TeamMachine machine = device.machine(link);
  IterationPrediction predicted{device, link, {}, 0, 0};
  const std::vector<plan::TeamPart> shared =
      team_parts(graph, parts.owner_of_node().first(count), parts.count());
  for (const plan::TeamPart& part : shared)
    predicted.of_part.push_back(plan::cg_iteration(part, machine, shared.size() > 1).seconds());
  predicted.together = plan::cg_iteration(shared, machine).seconds();
  const std::vector<std::int32_t> of_one(count, 0);
  predicted.alone = plan::cg_iteration(team_parts(graph, of_one, 1), machine).seconds();
  return predicted;
}

std::string in_words(const IterationPrediction& predicted) {
  const plan::TeamDevice& device = predicted.device;
  const std::string title = device.hardware.substr(0, device.hardware.find(','));
  const std::size_t parts = predicted.of_part.size();
  std::string text = fmt::format("predicted: an iteration of conjugate gradients takes {} on one {}",
                                 milliseconds(predicted.alone), title);
  if (parts > 1) {
    text += fmt::format(", {} on {}: {:.2f} times as fast", milliseconds(predicted.together), parts,
                        predicted.speedup());
  }
  text +=
      fmt::format("\n  from {} as measured on {}: {:.4g} GB/s of memory, {:.3g} us a launch", device.name,
                  device.date.substr(0, device.date.find('T')), 1e-9 * device.memory, 1e6 * device.launch);
  if (parts > 1) {
    text += fmt::format("; links of {:.3g} GB/s and {:.3g} us", 1e-9 * predicted.link.rate,
                        1e6 * predicted.link.latency);
  }
  return text;
}

nlohmann::ordered_json to_json(const IterationPrediction& predicted) {
  const plan::TeamDevice& device = predicted.device;
  return {{"device", device.name},
          {"hardware", device.hardware},
          {"measured", device.date},
          {"memory_bytes_per_s", device.memory},
          {"launch_s", device.launch},
          {"link", {{"bytes_per_s", predicted.link.rate}, {"latency_s", predicted.link.latency}}},
          {"one_device_s", predicted.alone},
          {"devices_s", predicted.together},
          {"speedup", predicted.speedup()}};
}

}  // namespace setka::app
