// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/fem/element_operator.hpp"

#include <algorithm>
#include <utility>

#include <fmt/core.h>

#include "setka/base/error.hpp"
#include "setka/exec/parallel.hpp"
#include "setka/exec/scratch.hpp"
#include "setka/fem/element.hpp"
#include "setka/fem/element_dispatch.hpp"
#include "setka/fem/element_lanes.hpp"
#include "setka/fem/solid_kernel.hpp"

namespace setka::fem {
namespace {

using exec::MultiView;
using exec::Scratch;
using exec::Stream;
using exec::View;
using mesh::ElementType;

constexpr int most_columns = ElementOperator::most_columns;

/// One column: all elements of a block at once; each entry of the triangle is read once and used for both of
/// its places.
template <int rows, class Rows>
void multiply_block(std::int64_t block, const Rows& u, const double* k, double* values) {
  constexpr int parts = block_lanes / Lanes::count;
  Lanes x[rows][parts];
  Lanes y[rows][parts];
  for (int i = 0; i < rows / 3; ++i) {
    for (int lane = 0; lane < block_lanes; ++lane) {
      double own[3];
      u.at_node(block, i, lane, 0, own);
      for (int c = 0; c < 3; ++c) x[3 * i + c][lane / Lanes::count].set(lane % Lanes::count, own[c]);
    }
  }
  for (auto& row : y) {
    for (Lanes& part : row) part = 0;
  }
  for (int i = 0; i < rows; ++i) {
    Lanes sum[parts];
    for (int part = 0; part < parts; ++part) {
      Lanes entry;
      entry.load(mesh::row<Lanes::count>(k, part));
      sum[part] = y[i][part] + entry * x[i][part];
    }
    k += block_lanes;
    for (int j = i + 1; j < rows; ++j, k += block_lanes) {
      for (int part = 0; part < parts; ++part) {
        Lanes entry;
        entry.load(mesh::row<Lanes::count>(k, part));
        sum[part] += entry * x[j][part];
        y[j][part] += entry * x[i][part];
      }
    }
    for (int part = 0; part < parts; ++part)
      sum[part].store(values + interleaved(block, rows, i, part * Lanes::count));
  }
}

/// Several columns: one element after the other, columns side by side.
template <int rows, class Rows>
void multiply_block(std::int64_t block, const Rows& u, const double* k, int columns, double* values) {
  double x[rows][most_columns];
  double y[rows][most_columns];
  for (int lane = 0; lane < block_lanes; ++lane) {
    for (int i = 0; i < rows; ++i) {
      for (int c = 0; c < columns; ++c) {
        x[i][c] = u(block, i, lane, c);
        y[i][c] = 0;
      }
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
      std::copy_n(y[i], columns, values + interleaved(block, rows, i, lane) * columns);
    }
  }
}

template <int nodes, class Rows>
void multiply_stored(const Stream& stream, std::int64_t blocks, const Rows& u, const double* k, int columns,
                     double* values) {
  if constexpr (with_cuda) {
    if (stream.is_cuda()) return cuda::multiply_stored<nodes>(stream, blocks, u, k, columns, values);
  }
  constexpr int rows = 3 * nodes;
  exec::host::for_each(stream.device().threads(), blocks, 1, [&](std::int64_t block) {
    const double* const own = k + interleaved(block, triangle_size(rows), 0, 0);
    if (columns == 1) {
      multiply_block<rows>(block, u, own, values);
    } else {
      multiply_block<rows>(block, u, own, columns, values);
    }
  });
}

}  // namespace

ElementOperator::ElementOperator(std::shared_ptr<const ElementSet> set,
                                 std::shared_ptr<const ElementUnknowns> unknowns)
    : set_(std::move(set)), unknowns_(std::move(unknowns)) {
  require(set_->device() == unknowns_->device(), [&] {
    return fmt::format("ElementOperator: the elements are on {}, the unknowns on {}", set_->device().label(),
                       unknowns_->device().label());
  });
  require(unknowns_->dof_count() == 3 * set_->node_count(), [&] {
    return fmt::format("ElementOperator: {} degrees of freedom for {} nodes; 3 a node are right",
                       unknowns_->dof_count(), set_->node_count());
  });
  for (const ElementGroup& group : set_->groups()) {
    require(is_solid(group.type()), [&] {
      return fmt::format("ElementOperator: {} is not a solid element", mesh::info(group.type()).name);
    });
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
  const Scratch<double> values(stream, set_->element_vector_size() * x.columns);
  const auto split = kernel::RowAndColumn::of(x.columns);
  const auto sum = [&](const std::int32_t* dof, MultiView<double> to) {
    exec::parallel_for(
        stream, split.count(to.rows),
        kernel::SumOverElements{set_->first_place().data, set_->place().data, dof, values.data(), to, split});
  };
  const auto columns = static_cast<int>(x.columns);
  if (unknowns_->picks()) {
    multiply(stream, {x, unknowns_->unknown().data}, columns, values.data());
    return sum(unknowns_->dof().data, y);
  }
  const std::int64_t dofs = unknowns_->dof_count();
  const Scratch<double> all(stream, dofs * x.columns);
  const MultiView<double> u{all.data(), dofs, x.columns, x.columns};
  unknowns_->expand(stream, x, u);
  multiply(stream, {u, nullptr}, columns, values.data());
  sum(nullptr, u);
  unknowns_->restrict_forces(stream, u, y);
}

StoredElementOperator::StoredElementOperator(std::shared_ptr<const ElementSet> set,
                                             std::shared_ptr<const ElementMatrices> matrices,
                                             std::shared_ptr<const ElementUnknowns> unknowns,
                                             ElementScheme scheme)
    : ElementOperator(std::move(set), std::move(unknowns)), matrices_(std::move(matrices)), scheme_(scheme) {
  require(matrices_->fit(this->set()),
          "StoredElementOperator: the matrices are not those of this set of elements");
}

void StoredElementOperator::multiply(const Stream& stream, const kernel::DofSource& u, int columns,
                                     double* values) const {
  for (std::size_t g = 0; g < set().groups().size(); ++g) {
    const ElementGroup& group = set().groups()[g];
    double* const own = values + set().first_row(g) * columns;
    const double* const k = matrices_->group(g).data;
    with_solid("StoredElementOperator", group.type(), [&]<ElementType type>() {
      constexpr int nodes = kernel::Solid<type>::nodes;
      const kernel::GatheredRows gathered{set().view(g).node, nodes, u};
      if (scheme_ == ElementScheme::gather)
        return multiply_stored<nodes>(stream, group.blocks(), gathered, k, columns, own);
      const auto split = kernel::RowAndColumn::of(columns);
      exec::parallel_for(stream, split.count(group.blocks() * 3 * nodes * block_lanes),
                         kernel::ExpandToElements{gathered, columns, split, own});
      multiply_stored<nodes>(stream, group.blocks(), kernel::ExpandedRows{own, 3 * nodes, columns}, k,
                             columns, own);
    });
  }
}

}  // namespace setka::fem
