// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "setka/domains/graph.hpp"
#include "setka/domains/partition.hpp"
#include "setka/sparse/block_csr.hpp"

namespace setka::domains {

/// A part with some layers of its neighbours' vertices.
struct OverlappingPart {
  std::vector<std::int32_t> vertices;  // own ones and those of the layers, ascending
  std::vector<bool> own;               // which of them the partition gave it
  /// Weights of a partition of unity, 1 in sum over the parts of a vertex. Across a border between two parts
  /// they fall linearly, from 1 at the first vertex that the other has not to 0 at the first that it has
  /// alone.
  std::vector<double> weight;
};

/// The parts of a partition, each with so many layers of the graph around it; 0: nothing is shared.
std::vector<OverlappingPart> overlapping_parts(const Graph& graph, const Partition& partition, int layers,
                                               int threads);

/// Which parts have a vertex, and where.
struct PartsOfVertices {
  struct Place {
    std::int32_t part;
    std::int32_t position;  // among the part's vertices
  };
  std::vector<std::int64_t> offset;  // [vertices + 1]
  std::vector<Place> place;          // by part

  PartsOfVertices(std::int32_t vertices, std::span<const OverlappingPart> parts);
  std::span<const Place> of(std::int32_t vertex) const {
    const auto v = static_cast<std::size_t>(vertex);
    return std::span(place).subspan(static_cast<std::size_t>(offset[v]),
                                    static_cast<std::size_t>(offset[v + 1] - offset[v]));
  }
};

/// Some block rows of a square matrix on the host and the columns of the same numbers, on a device that
/// computes by one thread. rows: ascending.
sparse::BlockCsr<double> principal_submatrix(const sparse::BlockCsr<double>& a,
                                             std::span<const std::int32_t> rows);

}  // namespace setka::domains
