// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/fem/element_diagonal.hpp"

#include <cstddef>

#include <fmt/core.h>

#include "setka/base/error.hpp"
#include "setka/exec/parallel.hpp"
#include "setka/exec/vector.hpp"
#include "setka/fem/element.hpp"
#include "setka/fem/element_diagonal_kernel.hpp"

namespace setka::fem {

void check_fit(const char* what, const exec::Stream& stream, const ElementSet& set,
               const ElementMatrices& matrices, const DofMap& unknowns) {
  require(stream.device() == set.device() && stream.device() == unknowns.device(), [&] {
    return fmt::format("{}: the stream is on {}, the elements on {}, the unknowns on {}", what,
                       stream.device().label(), set.device().label(), unknowns.device().label());
  });
  require(matrices.fit(set),
          [&] { return fmt::format("{}: the matrices are not those of this set of elements", what); });
  require_field(what, set, matrices.components(), unknowns);
}

namespace {

void check_room(const DofMap& unknowns, exec::View<double> d, int block) {
  require(d.size == unknowns.size() * block && unknowns.size() % block == 0, [&] {
    return fmt::format("diagonal: room for {} entries, but there are {} unknowns in blocks of {}", d.size,
                       unknowns.size(), block);
  });
}

/// d += what the matrices have that are there.
template <int components>
void add_diagonal(const exec::Stream& stream, const kernel::MatrixPlaces<components>& places,
                  const DofMap& unknowns, exec::View<double> d, int block) {
  if (unknowns.picks()) {
    exec::parallel_for(stream, d.size,
                       kernel::PickedDiagonal<components>{places, unknowns.dof().data, block, d.data});
  } else {
    exec::parallel_for(
        stream, d.size,
        kernel::GeneralDiagonal<components>{places, unknowns.rows(), unknowns.columns(), block, d.data});
  }
}

}  // namespace

void diagonal(const exec::Stream& stream, const ElementSet& set, const ElementMatrices& matrices,
              const DofMap& unknowns, exec::View<double> d, int block) {
  check_fit("diagonal", stream, set, matrices, unknowns);
  check_room(unknowns, d, block);
  exec::fill<double>(stream, d, 0.0);
  with_field(matrices.components(), [&]<int components>() {
    add_diagonal(stream, matrix_places<components>(set, &matrices), unknowns, d, block);
  });
}

void diagonal(const exec::Stream& stream, const Form& form, const DofMap& unknowns, exec::View<double> d,
              int block, std::int64_t bytes_at_once) {
  const ElementSet& set = *form.set();
  require_field("diagonal", set, form.components(), unknowns);
  check_room(unknowns, d, block);
  exec::fill<double>(stream, d, 0.0);
  with_field(form.components(), [&]<int components>() {
    form.integrate_in_ranges(stream, bytes_at_once, [&](const Form::Range& range) {
      add_diagonal(stream, matrix_places<components>(set, range), unknowns, d, block);
    });
  });
}

void node_blocks(const exec::Stream& stream, const ElementSet& set, const ElementMatrices& matrices,
                 const DofMap& unknowns, exec::View<double> blocks) {
  check_fit("node_blocks", stream, set, matrices, unknowns);
  require(unknowns.picks(),
          "node_blocks: nodes have blocks of their own only where constraints pick unknowns");
  const std::int64_t entries = std::int64_t{matrices.components()} * matrices.components() * set.node_count();
  require(blocks.size == entries, [&] {
    return fmt::format("node_blocks: room for {} entries, but {} nodes have {}", blocks.size,
                       set.node_count(), entries);
  });
  with_field(matrices.components(), [&]<int components>() {
    exec::parallel_for(stream, blocks.size,
                       kernel::NodeBlocks<components>{matrix_places<components>(set, &matrices),
                                                      unknowns.place().data, blocks.data});
  });
}

}  // namespace setka::fem
