// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/fem/element_diagonal.hpp"

#include <cstddef>

#include <fmt/core.h>

#include "setka/base/error.hpp"
#include "setka/exec/parallel.hpp"
#include "setka/fem/element.hpp"
#include "setka/fem/element_diagonal_kernel.hpp"

namespace setka::fem {

kernel::MatrixPlaces matrix_places(const char* what, const exec::Stream& stream, const ElementSet& set,
                                   const ElementMatrices& matrices, const DofMap& unknowns) {
  require(stream.device() == set.device() && stream.device() == unknowns.device(), [&] {
    return fmt::format("{}: the stream is on {}, the elements on {}, the unknowns on {}", what,
                       stream.device().label(), set.device().label(), unknowns.device().label());
  });
  require(matrices.fit(set),
          [&] { return fmt::format("{}: the matrices are not those of this set of elements", what); });
  require(unknowns.dof_count() == 3 * set.node_count(), [&] {
    return fmt::format("{}: {} degrees of freedom for {} nodes; 3 a node are right", what,
                       unknowns.dof_count(), set.node_count());
  });
  kernel::MatrixPlaces places{};
  places.groups = static_cast<int>(set.groups().size());
  places.first_place = set.first_place().data;
  places.place = set.place().data;
  for (std::size_t g = 0; g < set.groups().size(); ++g) {
    const ElementGroup& group = set.groups()[g];
    require(is_solid(group.type()),
            [&] { return fmt::format("{}: {} is not a solid element", what, name(group.type())); });
    places.group[g] = {set.first_row(g), group.nodes(), set.view(g).node, matrices.group(g).data};
  }
  return places;
}

void diagonal(const exec::Stream& stream, const ElementSet& set, const ElementMatrices& matrices,
              const DofMap& unknowns, exec::View<double> d, int block) {
  const kernel::MatrixPlaces places = matrix_places("diagonal", stream, set, matrices, unknowns);
  require(d.size == unknowns.size() * block && unknowns.size() % block == 0, [&] {
    return fmt::format("diagonal: room for {} entries, but there are {} unknowns in blocks of {}", d.size,
                       unknowns.size(), block);
  });
  if (unknowns.picks()) {
    exec::parallel_for(stream, d.size, kernel::PickedDiagonal{places, unknowns.dof().data, block, d.data});
  } else {
    exec::parallel_for(stream, d.size,
                       kernel::GeneralDiagonal{places, unknowns.rows(), unknowns.columns(), block, d.data});
  }
}

void node_blocks(const exec::Stream& stream, const ElementSet& set, const ElementMatrices& matrices,
                 const DofMap& unknowns, exec::View<double> blocks) {
  const kernel::MatrixPlaces places = matrix_places("node_blocks", stream, set, matrices, unknowns);
  require(unknowns.picks(),
          "node_blocks: nodes have blocks of their own only where constraints pick unknowns");
  require(blocks.size == 9 * set.node_count(), [&] {
    return fmt::format("node_blocks: room for {} entries, but {} nodes have {}", blocks.size,
                       set.node_count(), 9 * set.node_count());
  });
  exec::parallel_for(stream, blocks.size, kernel::NodeBlocks{places, unknowns.place().data, blocks.data});
}

}  // namespace setka::fem
