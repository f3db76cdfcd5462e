// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "setka/domains/graph.hpp"
#include "setka/exec/team.hpp"

namespace setka::domains {

enum class Partitioner { automatic, metis, scotch, bisection };

/// "auto", "metis", "scotch" or "bisection"; an Error for other words.
Partitioner partitioner_of(std::string_view word);

/// Whether this build has it.
bool available(Partitioner partitioner);

struct PartitionOptions {
  /// automatic: METIS, without it Scotch, without both recursive bisection by coordinates.
  Partitioner partitioner = Partitioner::automatic;

  /// By how much the heaviest part may exceed what it is to weigh.
  double imbalance = 0.03;

  /// [parts] how much of the whole each is to weigh, in any unit; none: all the same.
  std::vector<double> shares = {};
};

struct Partition {
  int parts = 1;
  std::vector<std::int32_t> of;  // [vertices] the part of each
  std::string method;            // "METIS", "Scotch", "recursive bisection", "as the file gives it"
};

/// Shares the vertices out so that parts weigh what they are to and few edges are cut: the same at every run.
/// No part is empty; Error(Fault::usage) for more parts than vertices.
Partition partition(const Graph& graph, int parts, const PartitionOptions& options = {});

/// A part for each device of a team, by the shares that it gives them.
Partition partition(const Graph& graph, const exec::Team& team);

/// Vertices as somebody else has shared them out, from 0. Error(Fault::input) with the name of the file where
/// one is of no part or a part has none, as in one file of several that a mesh was written to.
Partition given_partition(int parts, std::vector<std::int32_t> of, const std::string& file);

/// What a partition is worth.
struct PartitionQuality {
  std::vector<std::int64_t> weight;  // of each part
  double imbalance = 0;              // of the heaviest over the mean, less one
  std::int64_t cut = 0;              // the weight of the edges between parts
};
PartitionQuality quality(const Graph& graph, const Partition& partition);

}  // namespace setka::domains
