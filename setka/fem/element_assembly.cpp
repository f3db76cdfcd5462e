// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/fem/element_assembly.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include <fmt/core.h>

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

/// Rows of a matrix in runs, one for each thread of the CPU: work(first, last).
template <class Work>
void in_runs(const exec::Device& cpu, std::int64_t rows, const Work& work) {
  const std::int64_t runs = std::clamp<std::int64_t>(rows / 64, 1, cpu.threads());
  exec::host::for_each(cpu.threads(), runs, 1,
                       [&](std::int64_t run) { work(rows * run / runs, rows * (run + 1) / runs); });
}

/// The columns of the rows, ascending, as a CPU finds them: it knows which it has, and sorts those alone.
/// count: [rows], of each; list: where they go, or nothing.
void find_columns(const exec::Device& cpu, const kernel::NodesAndBlocks& nodes, std::int64_t rows,
                  std::int64_t* count, const kernel::ListNeighbours* list) {
  in_runs(cpu, rows, [&](std::int64_t first, std::int64_t last) {
    std::vector<std::int64_t> has(static_cast<std::size_t>(rows), -1);  // the last row with this column
    std::vector<std::int32_t> found;
    for (std::int64_t row = first; row < last; ++row) {
      found.clear();
      const std::int64_t node = nodes.node[row];
      for (std::int64_t k = nodes.places.first_of_node[node]; k < nodes.places.first_of_node[node + 1]; ++k) {
        const auto own = nodes.places.element(k);
        for (int b = 0; b < own.group->nodes; ++b) {
          const std::int32_t block = nodes.block[own.node(b)];
          if (block < 0 || has[static_cast<std::size_t>(block)] == row) continue;
          has[static_cast<std::size_t>(block)] = row;
          found.push_back(block);
        }
      }
      if (list == nullptr) {
        count[row] = static_cast<std::int64_t>(found.size());
        continue;
      }
      std::sort(found.begin(), found.end());
      std::copy(found.begin(), found.end(), list->column + list->first[row]);
      std::fill_n(list->row_of + list->first[row], found.size(), static_cast<std::int32_t>(row));
    }
  });
}

/// What kernel::AssembleBlock does of all blocks, row by row: a CPU looks up where a block is instead of
/// looking for it in every element. Sums have the same order.
template <int components>
void assemble_rows(const exec::Device& cpu, const kernel::AssembleBlock<components>& body,
                   const std::int32_t* block_of, std::int64_t rows) {
  in_runs(cpu, rows, [&](std::int64_t first, std::int64_t last) {
    std::vector<std::int32_t> place(static_cast<std::size_t>(rows));  // of a block in the row
    for (std::int64_t row = first; row < last; ++row) {
      const std::int32_t begin = body.offset[row];
      const std::int32_t end = body.offset[row + 1];
      for (std::int32_t at = begin; at < end; ++at)
        place[static_cast<std::size_t>(body.column[at])] = at - begin;
      const std::int64_t node = body.nodes.node[row];
      const std::int64_t width = std::int64_t{components} * (end - begin);
      double* const out = body.value + std::int64_t{components} * components * begin;
      const auto& places = body.nodes.places;
      for (std::int64_t k = places.first_of_node[node]; k < places.first_of_node[node + 1]; ++k) {
        const auto own = places.element(k);
        if (!own.present()) continue;
        for (int b = 0; b < own.group->nodes; ++b) {
          const std::int64_t other = own.node(b);
          if (block_of[other] < 0) continue;
          double* const to =
              out + std::int64_t{components} * place[static_cast<std::size_t>(block_of[other])];
          for (int c = 0; c < components; ++c) {
            for (int r = 0; r < components; ++r) {
              if (body.unknown[components * node + c] >= 0 && body.unknown[components * other + r] >= 0)
                to[c * width + r] += own.entry(own.row + c, components * b + r);
            }
          }
        }
      }
    }
  });
}

}  // namespace

DeviceAssembly::DeviceAssembly(const exec::Stream& stream, const ElementSet& set, const DofMap& dofs)
    : rows_(dofs.space().blocks()),
      block_of_(stream.device()),
      node_of_(stream.device()),
      offset_(stream.device()),
      column_(stream.device()),
      row_of_(stream.device()) {
  const exec::Device& device = stream.device();
  require(device == set.device() && device == dofs.device(), [&] {
    return fmt::format("assemble: the stream is on {}, the elements on {}, the unknowns on {}",
                       device.label(), set.device().label(), dofs.device().label());
  });
  require_field("assemble", set, dofs.components(), dofs);
  require(dofs.picks(), "assemble: constraints that mix unknowns are assembled on the host");
  const Space& space = dofs.space();
  const std::int32_t components = space.components();
  std::vector<std::int32_t> block_of(static_cast<std::size_t>(set.node_count()), -1);
  std::vector<std::int32_t> node_of(static_cast<std::size_t>(rows_));
  for (std::int32_t place = 0; place < space.size(); ++place) {
    const std::int32_t dof = space.dof_of_place()[static_cast<std::size_t>(place)];
    if (dof < 0) continue;
    block_of[static_cast<std::size_t>(dof / components)] = place / components;
    node_of[static_cast<std::size_t>(place / components)] = dof / components;
  }
  block_of_ = exec::Array<std::int32_t>(device, block_of);
  node_of_ = exec::Array<std::int32_t>(device, node_of);

  const kernel::NodesAndBlocks nodes{matrix_places<1>(set, nullptr), block_of_.data(), node_of_.data()};
  const exec::Scratch<std::int64_t> first(stream, std::int64_t{rows_} + 1);
  if (device.is_cuda()) {
    exec::parallel_for(stream, rows_, kernel::CountNeighbours{nodes, first.data()});
  } else {
    find_columns(device, nodes, rows_, first.data(), nullptr);
  }
  exec::exclusive_scan<std::int64_t>(stream, first, first);
  const std::int64_t count = exec::value_at(stream, first.view().part(rows_, 1));
  require(count <= std::numeric_limits<std::int32_t>::max(),
          "assemble: the matrix has more blocks than 32 bits count");
  offset_ = exec::Array<std::int32_t>(device, std::int64_t{rows_} + 1);
  column_ = exec::Array<std::int32_t>(device, count);
  row_of_ = exec::Array<std::int32_t>(device, count);
  exec::parallel_for(stream, rows_ + 1, kernel::NarrowOffsets{first.data(), offset_.data()});
  const kernel::ListNeighbours list{nodes, first.data(), column_.data(), row_of_.data()};
  if (device.is_cuda()) {
    exec::parallel_for(stream, rows_, list);
  } else {
    find_columns(device, nodes, rows_, nullptr, &list);
  }
  stream.synchronize();
}

/// A matrix of the pattern, and forces of what is prescribed, to which the elements are added.
class DeviceAssembly::Target {
 public:
  Target(const DeviceAssembly& pattern, const exec::Stream& stream, const DofMap& dofs)
      : pattern_(pattern),
        stream_(stream),
        dofs_(dofs),
        value_(stream.device(), std::int64_t{dofs.components()} * dofs.components() * pattern.column_.size()),
        from_shifts_(stream.device(), dofs.size()),
        shifts_(stream.device()) {
    exec::fill<double>(stream, value_, 0.0);
    exec::fill<double>(stream, from_shifts_, 0.0);
    const Constraints& constraints = dofs.space().constraints();
    if (constraints.shifted()) shifts_ = exec::Array<double>(stream.device(), constraints.shifts());
  }

  template <int components>
  void add(const kernel::MatrixPlaces<components>& places) {
    const kernel::MatrixNodes<components> nodes{places, pattern_.node_of_.data()};
    const kernel::AssembleBlock<components> assemble{nodes,
                                                     dofs_.place().data,
                                                     pattern_.offset_.data(),
                                                     pattern_.column_.data(),
                                                     pattern_.row_of_.data(),
                                                     value_.data()};
    if (stream_.is_cuda()) {
      exec::parallel_for(stream_, pattern_.column_.size(), assemble);
    } else {
      assemble_rows(stream_.device(), assemble, pattern_.block_of_.data(), pattern_.rows_);
    }
    if (shifts_.size() == 0) return;
    exec::parallel_for(
        stream_, pattern_.rows_,
        kernel::ForcesOfShifts<components>{nodes, dofs_.place().data, shifts_.data(), from_shifts_.data()});
  }

  DeviceSystem finish() && {
    stream_.synchronize();
    const exec::Device& device = stream_.device();
    const int components = dofs_.components();
    return {
        sparse::BlockCsr<double>(pattern_.rows_, pattern_.rows_, components, components,
                                 pattern_.offset_.to(device), pattern_.column_.to(device), std::move(value_)),
        std::move(from_shifts_)};
  }

 private:
  const DeviceAssembly& pattern_;
  const exec::Stream& stream_;
  const DofMap& dofs_;
  exec::Array<double> value_;
  exec::Array<double> from_shifts_;
  exec::Array<double> shifts_;
};

DeviceSystem DeviceAssembly::assemble(const exec::Stream& stream, const ElementSet& set,
                                      const ElementMatrices& matrices, const DofMap& dofs) const {
  check_fit("assemble", stream, set, matrices, dofs);
  require(dofs.space().blocks() == rows_ && set.node_count() == block_of_.size(),
          "assemble: the pattern is not that of these unknowns");
  Target target(*this, stream, dofs);
  with_field(dofs.components(),
             [&]<int components>() { target.add(matrix_places<components>(set, &matrices)); });
  return std::move(target).finish();
}

DeviceSystem DeviceAssembly::assemble(const exec::Stream& stream, const Form& form, const DofMap& dofs,
                                      std::int64_t bytes_at_once) const {
  const ElementSet& set = *form.set();
  require_field("assemble", set, form.components(), dofs);
  require(dofs.space().blocks() == rows_ && set.node_count() == block_of_.size(),
          "assemble: the pattern is not that of these unknowns");
  Target target(*this, stream, dofs);
  with_field(dofs.components(), [&]<int components>() {
    form.integrate_in_ranges(stream, bytes_at_once, [&](const Form::Range& range) {
      target.add(matrix_places<components>(set, range));
    });
  });
  return std::move(target).finish();
}

DeviceSystem assemble(const exec::Stream& stream, const ElementSet& set, const ElementMatrices& matrices,
                      const DofMap& dofs) {
  return DeviceAssembly(stream, set, dofs).assemble(stream, set, matrices, dofs);
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
