// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/fem/element_operator.hpp"

#include <algorithm>
#include <optional>
#include <type_traits>
#include <utility>

#include <fmt/core.h>

#include "setka/base/error.hpp"
#include "setka/exec/parallel.hpp"
#include "setka/exec/scratch.hpp"
#include "setka/fem/element_fields.hpp"
#include "setka/fem/element_lane_data.hpp"
#include "setka/fem/elements.hpp"
#include "setka/fem/solid_kernel.hpp"

namespace setka::fem {
namespace {

using exec::MultiView;
using exec::Scratch;
using exec::Stream;
using exec::View;

constexpr int most_columns = ElementOperator::most_columns;
constexpr std::ptrdiff_t least_lead = 1024;  // doubles that are asked for before they are used

constexpr int block_parts = block_lanes / Lanes::count;

/// Of an array [rows, 32]: the part of row i.
template <class T>
T* lanes_of(T* values, int i, int part) {
  return mesh::row<Lanes::count>(values, i * block_parts + part);
}

/// Asks the memory for entries of triangles before they are used. Left to itself it begins anew with each
/// page, and rests while values of nodes are picked or added.
template <int entries = 1>
[[gnu::always_inline]] inline void prefetch(const double* ahead) {
  for (int line = 0; line < entries * block_parts; ++line)
    __builtin_prefetch(mesh::row<Lanes::count>(ahead, line), 0, 2);
}

/// A block asks for as many entries as it has, `lead` ahead of its own: for those of the first rows while it
/// picks and adds, nine a node, for the others row by row.
constexpr int prefetched_rows = 3;

/// y = K x for all elements of a block at once; each entry of the triangle is read once and used for both of
/// its places.
template <int rows>
[[gnu::always_inline]] inline void multiply_triangle(const double* k, std::ptrdiff_t lead,
                                                     const Lanes (&x)[rows][block_parts],
                                                     Lanes (&y)[rows][block_parts]) {
  for (auto& row : y) {
    for (Lanes& part : row) part = 0;
  }
  const auto multiply_row = [&](int i, auto ahead) {
    Lanes sum[block_parts];
    if constexpr (ahead) prefetch(k + lead);
    for (int part = 0; part < block_parts; ++part) {
      Lanes entry;
      entry.load(mesh::row<Lanes::count>(k, part));
      sum[part] = y[i][part] + entry * x[i][part];
    }
    k += block_lanes;
    for (int j = i + 1; j < rows; ++j, k += block_lanes) {
      if constexpr (ahead) prefetch(k + lead);
      for (int part = 0; part < block_parts; ++part) {
        Lanes entry;
        entry.load(mesh::row<Lanes::count>(k, part));
        sum[part] += entry * x[j][part];
        y[j][part] += entry * x[i][part];
      }
    }
    for (int part = 0; part < block_parts; ++part) y[i][part] = sum[part];
  };
  for (int i = 0; i < prefetched_rows; ++i) multiply_row(i, std::false_type{});
  for (int i = prefetched_rows; i < rows; ++i) multiply_row(i, std::true_type{});
}

/// One column of a chunk; node: [nodes, 32]. Five entries a node are asked for before the product, the four
/// that come before them by the block before.
template <int rows>
void multiply_block(const std::uint16_t* node, const double* k, std::ptrdiff_t lead, const double* from,
                    double* to) {
  constexpr int nodes = rows / 3;
  Lanes x[rows][block_parts];
  Lanes y[rows][block_parts];
  for (int i = 0; i < nodes; ++i) {
    prefetch<5>(mesh::row<block_lanes>(k, 4 * nodes + 5 * i) + lead);
    for (int part = 0; part < block_parts; ++part) {
      Lanes own[3];
      load_nodes(lanes_of(node, i, part), from, own);
      for (int c = 0; c < 3; ++c) x[3 * i + c][part] = own[c];
    }
  }
  multiply_triangle<rows>(k, lead, x, y);
  const double* const next = mesh::row<block_lanes>(k, triangle_size(rows));
  for (int i = 0; i < nodes; ++i) {
    prefetch<4>(mesh::row<4 * block_lanes>(next, i) + lead);
    for (int part = 0; part < block_parts; ++part) {
      const Lanes own[3] = {y[3 * i][part], y[3 * i + 1][part], y[3 * i + 2][part]};
      add_to_nodes(lanes_of(node, i, part), own, to);
    }
  }
}

/// One column of an element vector, in place: [rows, 32].
template <int rows>
void multiply_in_place(const double* k, double* values) {
  Lanes x[rows][block_parts];
  Lanes y[rows][block_parts];
  constexpr std::ptrdiff_t lead = least_lead;
  prefetch<prefetched_rows * rows>(k + lead);
  for (int i = 0; i < rows; ++i) {
    for (int part = 0; part < block_parts; ++part) x[i][part].load(lanes_of(values, i, part));
  }
  multiply_triangle<rows>(k, lead, x, y);
  for (int i = 0; i < rows; ++i) {
    for (int part = 0; part < block_parts; ++part) y[i][part].store(lanes_of(values, i, part));
  }
}

/// Several columns: one element after the other, columns side by side.
template <int rows>
void multiply_in_place(const double* k, int columns, double* values) {
  double x[rows][most_columns];
  double y[rows][most_columns];
  for (int lane = 0; lane < block_lanes; ++lane) {
    const auto row = [&](int i) { return values + interleaved(0, rows, i, lane) * columns; };
    for (int i = 0; i < rows; ++i) {
      std::copy_n(row(i), columns, x[i]);
      std::fill_n(y[i], columns, 0.0);
    }
    const double* entry = k + lane;
    for (int i = 0; i < rows; ++i) {
#pragma omp simd
      for (int c = 0; c < columns; ++c) y[i][c] += *entry * x[i][c];
      entry += block_lanes;
      for (int j = i + 1; j < rows; ++j, entry += block_lanes) {
        const double value = *entry;
#pragma omp simd
        for (int c = 0; c < columns; ++c) {
          y[i][c] += value * x[j][c];
          y[j][c] += value * x[i][c];
        }
      }
      std::copy_n(y[i], columns, row(i));
    }
  }
}

/// The block diagonal times an element vector.
template <int rows>
void multiply_expanded(const Stream& stream, std::int64_t blocks, const double* k, int columns,
                       double* values) {
  exec::host::for_each(stream.device().threads(), blocks, 1, [&](std::int64_t block) {
    const double* const own = k + interleaved(block, triangle_size(rows), 0, 0);
    double* const of_block = values + interleaved(block, rows, 0, 0) * columns;
    if (columns == 1) {
      multiply_in_place<rows>(own, of_block);
    } else {
      multiply_in_place<rows>(own, columns, of_block);
    }
  });
}

}  // namespace

ElementOperator::ElementOperator(std::shared_ptr<const ElementSet> set,
                                 std::shared_ptr<const DofMap> unknowns, int components,
                                 std::optional<int> chunk_nodes)
    : set_(std::move(set)), unknowns_(std::move(unknowns)) {
  require(set_->device() == unknowns_->device(), [&] {
    return fmt::format("ElementOperator: the elements are on {}, the unknowns on {}", set_->device().label(),
                       unknowns_->device().label());
  });
  require_field("ElementOperator", *set_, components, *unknowns_);
  if (components != 3) return;
  if (set_->device().is_cuda() || !chunk_nodes) return;
  chunks_ = std::make_unique<const ElementChunks>(*set_, *chunk_nodes);
  const View<const std::int32_t> dof = unknowns_->dof();
  for (std::int64_t row = 0; row < dof.size; ++row) {
    if (dof[row] < 0) idle_rows_.push_back(static_cast<std::int32_t>(row));
  }
}

void ElementOperator::apply(const Stream& stream, View<const double> x, View<double> y) const {
  apply(stream, MultiView<const double>{x.data, x.size, 1, 1}, MultiView<double>{y.data, y.size, 1, 1});
}

void ElementOperator::apply(const Stream& stream, MultiView<const double> x, MultiView<double> y) const {
  require(x.rows == rows() && y.rows == rows() && x.columns == y.columns, [&] {
    return fmt::format("ElementOperator: the operator is [{} x {}], but x is [{} x {}] and y [{} x {}]",
                       rows(), rows(), x.rows, x.columns, y.rows, y.columns);
  });
  for (std::int64_t first = 0; first < x.columns; first += most_columns) {
    const std::int64_t count = std::min<std::int64_t>(most_columns, x.columns - first);
    apply_panel(stream, {x.data + first, x.rows, count, x.stride}, {y.data + first, y.rows, count, y.stride});
  }
}

void ElementOperator::apply_panel(const Stream& stream, MultiView<const double> x,
                                  MultiView<double> y) const {
  if (unknowns_->picks()) {
    const std::int32_t* const unknown = unknowns_->place().data;
    return multiply_dofs(stream, {x, unknown}, {y, unknown});
  }
  const std::int64_t dofs = unknowns_->dof_count();
  const Scratch<double> all(stream, dofs * x.columns);
  const Scratch<double> more(stream, chunks_ != nullptr ? all.size() : 0);
  const MultiView<double> u{all.data(), dofs, x.columns, x.columns};
  // A chunk writes while others still read.
  const MultiView<double> f{chunks_ != nullptr ? more.data() : all.data(), dofs, x.columns, x.columns};
  unknowns_->expand(stream, x, u);
  multiply_dofs(stream, {u, nullptr}, {f, nullptr});
  unknowns_->restrict_forces(stream, f, y);
}

void ElementOperator::multiply_dofs(const Stream& stream, const kernel::DofSource& u,
                                    const DofTarget& y) const {
  if (chunks_ != nullptr) return multiply_chunks(stream, u, y);
  const std::int64_t columns = u.x.columns;
  const Scratch<double> values(stream, set_->element_vector_size(unknowns_->components()) * columns);
  multiply(stream, u, static_cast<int>(columns), values.data());
  const auto split = kernel::RowAndColumn::of(columns);
  with_field(unknowns_->components(), [&]<int components>() {
    exec::parallel_for(
        stream, split.count(y.y.rows),
        kernel::SumOverElements<components>{set_->first_of_node().data, set_->slot().data,
                                            y.unknown != nullptr ? unknowns_->dof().data : nullptr,
                                            values.data(), y.y, split});
  });
}

void ElementOperator::multiply_chunks(const Stream& stream, const kernel::DofSource& u,
                                      const DofTarget& y) const {
  const int workers = stream.device().threads();
  const std::int64_t columns = u.x.columns;
  const std::int64_t size = columns * chunks_->stride();
  const Scratch<double> vectors(stream, 2 * size * workers);
  const Scratch<double> partial(stream, 3 * chunks_->partial_count() * columns);
  exec::host::for_each(workers, workers, 1, [&](std::int64_t worker) {
    double* const from = vectors.data() + 2 * size * worker;
    double* const to = from + size;
    for (const ElementChunk& chunk : chunks_->share(static_cast<int>(worker), workers)) {
      chunks_->gather(chunk, u, from, to_prefetch(chunk));
      std::fill_n(to, size, 0.0);
      multiply_chunk(chunk,
                     {chunks_->numbers(chunk), from, to, chunks_->stride(), static_cast<int>(columns)});
      chunks_->scatter(chunk, to, y, partial.data());
    }
  });
  exec::host::for_each(workers, workers, 1, [&](std::int64_t worker) {
    chunks_->sum(static_cast<int>(worker), workers, partial.data(), y);
  });
  if (y.unknown == nullptr) return;
  for (const std::int32_t row : idle_rows_) std::fill_n(&y.y(row, 0), columns, 0.0);
}

StoredElementOperator::StoredElementOperator(std::shared_ptr<const ElementSet> set,
                                             std::shared_ptr<const ElementMatrices> matrices,
                                             std::shared_ptr<const DofMap> unknowns, ElementScheme scheme,
                                             int chunk_nodes)
    : ElementOperator(std::move(set), std::move(unknowns), matrices->components(),
                      scheme == ElementScheme::gather ? std::optional(chunk_nodes) : std::nullopt),
      matrices_(std::move(matrices)),
      scheme_(scheme) {
  require(matrices_->fit(this->set()),
          "StoredElementOperator: the matrices are not those of this set of elements");
}

void StoredElementOperator::multiply(const Stream& stream, const kernel::DofSource& u, int columns,
                                     double* values) const {
  with_field(matrices_->components(), [&]<int components>() {
    for (std::size_t g = 0; g < set().groups().size(); ++g)
      multiply_group<components>(stream, u, columns, g, values + components * set().first_slot(g) * columns);
  });
}

template <int components>
void StoredElementOperator::multiply_group(const Stream& stream, const kernel::DofSource& u, int columns,
                                           std::size_t g, double* values) const {
  const ElementGroup& group = set().groups()[g];
  const double* const k = matrices_->group(g).data;
  const std::int32_t* const node = set().view(g).node;
  if constexpr (with_cuda) {
    if (stream.is_cuda() && scheme_ == ElementScheme::gather) {
      return cuda::multiply_stored(stream, group.type(), components, group.blocks(), node, &u, k, columns,
                                   values);
    }
  }
  const auto split = kernel::RowAndColumn::of(columns);
  const kernel::GatheredRows<components> gathered{node, group.nodes(), u};
  exec::parallel_for(stream, split.count(group.blocks() * components * group.nodes() * block_lanes),
                     kernel::ExpandToElements<components>{gathered, columns, split, values});
  if constexpr (with_cuda) {
    if (stream.is_cuda()) {
      return cuda::multiply_stored(stream, group.type(), components, group.blocks(), node, nullptr, k,
                                   columns, values);
    }
  }
  with_element("StoredElementOperator", group.type(), [&]<Element type>() {
    using Own = kernel::Integrated<type>;
    if constexpr (is_field(components, Own::dimension))
      multiply_expanded<components * Own::nodes>(stream, group.blocks(), k, columns, values);
  });
}

const double* StoredElementOperator::to_prefetch(const ElementChunk& chunk) const {
  const int rows = 3 * set().groups()[chunk.group].nodes();
  return matrices_->group(chunk.group).data + interleaved(chunk.first_block, triangle_size(rows), 0, 0) +
         least_lead;
}

void StoredElementOperator::multiply_chunk(const ElementChunk& chunk, const ChunkVectors& on) const {
  const ElementGroup& group = set().groups()[chunk.group];
  const double* const k = matrices_->group(chunk.group).data;
  with_solid("StoredElementOperator", group.type(), [&]<Element type>() {
    constexpr int nodes = kernel::Solid<type>::nodes;
    const std::uint16_t* node = on.node;
    for (std::int64_t block = chunk.first_block; block < chunk.last_block; ++block) {
      const double* const own = k + interleaved(block, triangle_size(3 * nodes), 0, 0);
      // What was asked for while the chunk's values were picked is a lead to be used up by its end.
      const std::ptrdiff_t lead = least_lead + std::int64_t{Lanes::count} * chunk.nodes *
                                                   (chunk.last_block - block) /
                                                   (chunk.last_block - chunk.first_block);
      for (std::int64_t column = 0; column < on.columns; ++column)
        multiply_block<3 * nodes>(node, own, lead, on.x + column * on.stride, on.y + column * on.stride);
      node = mesh::row<block_lanes>(node, nodes);
    }
  });
}

}  // namespace setka::fem
