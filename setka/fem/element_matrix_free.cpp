// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/fem/element_matrix_free.hpp"

#include <utility>

#include <fmt/core.h>

#include "setka/base/error.hpp"
#include "setka/exec/parallel.hpp"
#include "setka/fem/element.hpp"
#include "setka/fem/element_lane_data.hpp"
#include "setka/fem/element_matrix_free_kernel.hpp"
#include "setka/fem/elements.hpp"

namespace setka::fem {

namespace {

using exec::Stream;

/// Eight elements and one column; x, d: coordinates and elasticity, node: [nodes, 32] from the first of the
/// eight on.
template <Element type>
void multiply_lanes(const ElementGroupView& group, const Lanes* x, const Lanes* d, const std::uint16_t* node,
                    const double* from, double* to) {
  constexpr int nodes = kernel::Solid<type>::nodes;
  Lanes own[3 * nodes];
  Lanes f[3 * nodes];
  for (int i = 0; i < nodes; ++i) load_nodes(mesh::row<block_lanes>(node, i), from, mesh::row<3>(own, i));
  if (group.lame != nullptr) {
    kernel::solid_product<type>(x, own, group.reference, kernel::IsotropicLaw<Lanes>{d[0], d[1]}, f);
  } else {
    kernel::solid_product<type>(x, own, group.reference, kernel::GeneralLaw<const Lanes*>{d}, f);
  }
  for (int i = 0; i < nodes; ++i) add_to_nodes(mesh::row<block_lanes>(node, i), mesh::row<3>(f, i), to);
}

template <Element type>
void multiply_block(const ElementGroupView& group, std::int64_t block, const std::uint16_t* node,
                    const ChunkVectors& on) {
  constexpr int nodes = kernel::Solid<type>::nodes;
  for (int first = 0; first < block_lanes; first += Lanes::count) {
    const LaneRange at{block, first};
    Lanes x[3 * nodes];
    Lanes d[36];
    load_coordinates<nodes>(group, at, x);
    const bool isotropic = group.lame != nullptr;
    load_material(group, at, isotropic ? group.lame : group.d, isotropic ? 2 : 36, d);
    for (std::int64_t column = 0; column < on.columns; ++column)
      multiply_lanes<type>(group, x, d, node + first, on.x + column * on.stride, on.y + column * on.stride);
  }
}

}  // namespace

MatrixFreeOperator::MatrixFreeOperator(std::shared_ptr<const Form> stiffness,
                                       std::shared_ptr<const DofMap> unknowns, int chunk_nodes)
    : ElementOperator(stiffness->set(), std::move(unknowns), 3, chunk_nodes),
      stiffness_(std::move(stiffness)) {
  require(stiffness_->kind() == FormKind::elasticity && !stiffness_->varies(),
          "MatrixFreeOperator: not the elasticity of one material an element; use a FormOperator");
  for (const ElementGroup& group : this->set().groups()) {
    if (!is_solid(group.type())) refuse_element("MatrixFreeOperator", group.type());
    require(is_plain(group.type()), [&] {
      return fmt::format(
          "MatrixFreeOperator: {} has a formulation of its own; use StoredElementOperator for it",
          name(group.type()));
    });
  }
}

void MatrixFreeOperator::multiply(const Stream& stream, const kernel::DofSource& u, int columns,
                                  double* values) const {
  for (std::size_t g = 0; g < set().groups().size(); ++g) {
    double* const own = values + 3 * set().first_slot(g) * columns;
    if constexpr (with_cuda)
      cuda::multiply_matrix_free(stream, set().groups()[g].type(), stiffness_->view(g), u, columns, own);
  }
}

void MatrixFreeOperator::multiply_chunk(const ElementChunk& chunk, const ChunkVectors& on) const {
  const ElementGroupView group = stiffness_->view(chunk.group);
  with_solid("MatrixFreeOperator", set().groups()[chunk.group].type(), [&]<Element type>() {
    if constexpr (kernel::Solid<type>::plain) {
      const std::uint16_t* node = on.node;
      for (std::int64_t block = chunk.first_block; block < chunk.last_block; ++block) {
        multiply_block<type>(group, block, node, on);
        node = mesh::row<block_lanes>(node, kernel::Solid<type>::nodes);
      }
    }
  });
}

std::unique_ptr<ElementOperator> matrix_free(std::shared_ptr<const Form> form,
                                             std::shared_ptr<const DofMap> unknowns) {
  const bool of_solids = form->set()->dimension() == 3 && form->components() == 3;
  if (of_solids && form->kind() == FormKind::elasticity && !form->varies())
    return std::make_unique<MatrixFreeOperator>(std::move(form), std::move(unknowns));
  return std::make_unique<FormOperator>(std::move(form), std::move(unknowns));
}

}  // namespace setka::fem
