// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "json.hpp"
#include "setka/analysis/solids.hpp"
#include "setka/domains/decomposition.hpp"
#include "setka/domains/graph.hpp"
#include "setka/plan/team_device.hpp"

namespace setka::app {

/// What an iteration of conjugate gradients with the assembled matrix would take, a part a device.
struct IterationPrediction {
  plan::TeamDevice device;
  plan::Transfer link;
  std::vector<double> of_part;  // seconds
  double together = 0;          // of the part that takes longest
  double alone = 0;             // of the whole on one device

  double speedup() const { return alone / together; }
};

/// The graph of the nodes of the mesh, which are the first ones of the solids: what plane elements have
/// beyond it counts for the nodes that it stands over.
domains::Graph graph_of_mesh(const analysis::Solids& solids, std::int32_t mesh_nodes);

/// Three unknowns a node of the mesh, whose nodes are the first ones of the solids.
IterationPrediction predict_iteration(const analysis::Solids& solids, std::int32_t mesh_nodes,
                                      const domains::Decomposition& parts, const plan::TeamDevice& device,
                                      const plan::Transfer& link);

/// "predicted: an iteration of ... takes ...", and on what ground.
std::string in_words(const IterationPrediction& predicted);

nlohmann::ordered_json to_json(const IterationPrediction& predicted);

}  // namespace setka::app
