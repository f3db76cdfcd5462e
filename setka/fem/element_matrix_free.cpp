// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/fem/element_matrix_free.hpp"

#include <utility>

#include <fmt/core.h>

#include "setka/base/error.hpp"
#include "setka/exec/parallel.hpp"
#include "setka/fem/element_dispatch.hpp"
#include "setka/fem/element_lane_data.hpp"
#include "setka/fem/element_matrix_free_kernel.hpp"

namespace setka::fem {

namespace {

using exec::Stream;
using mesh::ElementType;

constexpr bool is_standard(ElementType type) {
  return type != ElementType::c3d8i && type != ElementType::c3d8r;
}

/// Eight elements and one column.
template <ElementType type>
void multiply_lanes(const ElementGroupView& group, LaneRange at, const Lanes* x, const Lanes* d,
                    const kernel::DofSource& u, int column, int columns, double* values) {
  constexpr int nodes = kernel::Solid<type>::nodes;
  Lanes own[3 * nodes];
  Lanes f[3 * nodes];
  const kernel::GatheredRows gathered{group.node, nodes, u};
  for (int i = 0; i < nodes; ++i) {
    for (int l = 0; l < Lanes::count; ++l) {
      double value[3];
      gathered.at_node(at.block, i, at.first + l, column, value);
      for (int c = 0; c < 3; ++c) own[3 * i + c].set(l, value[c]);
    }
  }
  if (group.lame != nullptr) {
    kernel::solid_product<type>(x, own, group.reference, kernel::IsotropicLaw<Lanes>{d[0], d[1]}, f);
  } else {
    kernel::solid_product<type>(x, own, group.reference, kernel::GeneralLaw<const Lanes*>{d}, f);
  }
  for (int i = 0; i < 3 * nodes; ++i) {
    double* const to = values + interleaved(at.block, 3 * nodes, i, at.first) * columns + column;
    if (columns == 1) {
      f[i].store(to);
    } else {
      for (int l = 0; l < Lanes::count; ++l) to[std::ptrdiff_t{l} * columns] = f[i][l];
    }
  }
}

template <ElementType type>
void multiply_on_host(const Stream& stream, const ElementGroupView& group, const kernel::DofSource& u,
                      int columns, double* values) {
  constexpr int nodes = kernel::Solid<type>::nodes;
  exec::host::for_each(stream.device().threads(), group.blocks, 1, [&](std::int64_t block) {
    for (int first = 0; first < block_lanes; first += Lanes::count) {
      const LaneRange at{block, first};
      Lanes x[3 * nodes];
      Lanes d[36];
      load_coordinates<nodes>(group, at, x);
      const bool isotropic = group.lame != nullptr;
      load_material(group, at, isotropic ? group.lame : group.d, isotropic ? 2 : 36, d);
      for (int column = 0; column < columns; ++column)
        multiply_lanes<type>(group, at, x, d, u, column, columns, values);
    }
  });
}

}  // namespace

MatrixFreeOperator::MatrixFreeOperator(std::shared_ptr<const ElementSet> set,
                                       std::shared_ptr<const ElementUnknowns> unknowns)
    : ElementOperator(std::move(set), std::move(unknowns)) {
  for (const ElementGroup& group : this->set().groups()) {
    require(is_standard(group.type()), [&] {
      return fmt::format(
          "MatrixFreeOperator: {} has a formulation of its own; use StoredElementOperator for it",
          mesh::info(group.type()).name);
    });
  }
}

void MatrixFreeOperator::multiply(const Stream& stream, const kernel::DofSource& u, int columns,
                                  double* values) const {
  for (std::size_t g = 0; g < set().groups().size(); ++g) {
    double* const own = values + set().first_row(g) * columns;
    with_solid("MatrixFreeOperator", set().groups()[g].type(), [&]<ElementType type>() {
      if constexpr (is_standard(type)) {
        if constexpr (with_cuda) {
          if (stream.is_cuda())
            return cuda::multiply_matrix_free<type>(stream, set().view(g), u, columns, own);
        }
        multiply_on_host<type>(stream, set().view(g), u, columns, own);
      }
    });
  }
}

}  // namespace setka::fem
