// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/fem/element_assembly.hpp"

#include <cstddef>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "setka/base/error.hpp"
#include "setka/exec/parallel.hpp"
#include "setka/exec/scan.hpp"
#include "setka/exec/scratch.hpp"
#include "setka/exec/vector.hpp"
#include "setka/fem/element_assembly_kernel.hpp"
#include "setka/fem/element_diagonal.hpp"
#include "setka/fem/element_fields.hpp"

namespace setka::fem {

namespace {

template <int components>
DeviceSystem assembled(const exec::Stream& stream, const ElementSet& set, const ElementMatrices& matrices,
                       const DofMap& dofs) {
  const exec::Device& device = stream.device();
  const Space& space = dofs.space();
  std::vector<std::int32_t> block_of(static_cast<std::size_t>(set.node_count()), -1);
  std::vector<std::int32_t> node_of(static_cast<std::size_t>(space.blocks()));
  for (std::int32_t place = 0; place < space.size(); ++place) {
    const std::int32_t dof = space.dof_of_place()[static_cast<std::size_t>(place)];
    if (dof < 0) continue;
    block_of[static_cast<std::size_t>(dof / components)] = place / components;
    node_of[static_cast<std::size_t>(place / components)] = dof / components;
  }
  const exec::Array<std::int32_t> blocks(device, block_of);
  const exec::Array<std::int32_t> nodes_of(device, node_of);
  const kernel::NodesAndBlocks<components> nodes{matrix_places<components>(set, matrices), blocks.data(),
                                                 nodes_of.data()};

  const std::int64_t rows = space.blocks();
  const exec::Scratch<std::int64_t> first(stream, rows + 1);
  exec::parallel_for(stream, rows, kernel::CountNeighbours<components>{nodes, first.data()});
  exec::exclusive_scan<std::int64_t>(stream, first, first);
  const std::int64_t count = exec::value_at(stream, first.view().part(rows, 1));
  require(count <= std::numeric_limits<std::int32_t>::max(),
          "assemble: the matrix has more blocks than 32 bits count");
  exec::Array<std::int32_t> offset(device, rows + 1);
  exec::Array<std::int32_t> column(device, count);
  const exec::Scratch<std::int32_t> row_of(stream, count);
  exec::parallel_for(stream, rows + 1, kernel::NarrowOffsets{first.data(), offset.data()});
  exec::parallel_for(stream, rows,
                     kernel::ListNeighbours<components>{nodes, first.data(), column.data(), row_of.data()});
  exec::Array<double> value(device, components * components * count);
  exec::parallel_for(stream, count,
                     kernel::AssembleBlock<components>{nodes, dofs.place().data, offset.data(), column.data(),
                                                       row_of.data(), value.data()});

  exec::Array<double> from_shifts(device, components * rows);
  if (space.constraints().shifted()) {
    const exec::Array<double> shifts(device, space.constraints().shifts());
    exec::parallel_for(
        stream, rows,
        kernel::ForcesOfShifts<components>{nodes, dofs.place().data, shifts.data(), from_shifts.data()});
    stream.synchronize();  // what the kernels read is dropped here
  } else {
    exec::fill<double>(stream, from_shifts, 0.0);
  }
  stream.synchronize();
  return {sparse::BlockCsr<double>(space.blocks(), space.blocks(), components, components, std::move(offset),
                                   std::move(column), std::move(value)),
          std::move(from_shifts)};
}

}  // namespace

DeviceSystem assemble(const exec::Stream& stream, const ElementSet& set, const ElementMatrices& matrices,
                      const DofMap& dofs) {
  check_fit("assemble", stream, set, matrices, dofs);
  require(dofs.picks(), "assemble: constraints that mix unknowns are assembled on the host");
  return with_field(dofs.components(),
                    [&]<int components>() { return assembled<components>(stream, set, matrices, dofs); });
}

namespace {

/// Triangles of all groups on the host, and where in them an element is.
struct HostMatrices {
  std::vector<std::vector<double>> group;
  std::vector<int> rows;  // of an element of the group
  struct Place {
    std::int32_t group;
    std::int64_t position;
  };
  std::vector<Place> place;  // [elements]
};

}  // namespace

ElementMatrix element_matrices_on_host(const ElementSet& set, const ElementMatrices& matrices) {
  auto host = std::make_shared<HostMatrices>();
  host->place.resize(static_cast<std::size_t>(set.element_count()));
  for (std::size_t g = 0; g < set.groups().size(); ++g) {
    const ElementGroup& group = set.groups()[g];
    std::vector<double> values(static_cast<std::size_t>(matrices.group(g).size));
    exec::detail::copy_to_host(set.device(), matrices.group(g).data, values.data(),
                               values.size() * sizeof(double));
    host->group.push_back(std::move(values));
    host->rows.push_back(matrices.components() * group.nodes());
    for (std::size_t i = 0; i < group.elements().size(); ++i) {
      host->place[static_cast<std::size_t>(group.elements()[i])] = {static_cast<std::int32_t>(g),
                                                                    static_cast<std::int64_t>(i)};
    }
  }
  return [host](std::int32_t element, std::span<double> k) {
    const HostMatrices::Place at = host->place[static_cast<std::size_t>(element)];
    const int rows = host->rows[static_cast<std::size_t>(at.group)];
    const double* const values = host->group[static_cast<std::size_t>(at.group)].data();
    const auto lane = static_cast<int>(at.position % block_lanes);
    for (int i = 0; i < rows; ++i) {
      for (int j = i; j < rows; ++j) {
        const double entry = values[interleaved(at.position / block_lanes, triangle_size(rows),
                                                triangle_entry(rows, i, j), lane)];
        const auto row = static_cast<std::size_t>(i);
        const auto column = static_cast<std::size_t>(j);
        k[row * static_cast<std::size_t>(rows) + column] = entry;
        k[column * static_cast<std::size_t>(rows) + row] = entry;
      }
    }
  };
}

}  // namespace setka::fem
