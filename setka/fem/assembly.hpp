// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "setka/base/monitor.hpp"
#include "setka/exec/device.hpp"
#include "setka/fem/block_numbering.hpp"
#include "setka/fem/constraints.hpp"
#include "setka/fem/solids.hpp"
#include "setka/sparse/block_csr.hpp"
#include "setka/sparse/csr.hpp"

namespace setka::fem {

/// Writes the stiffness of an element, [3n, 3n] row-major. Called from several threads at once.
using ElementMatrix = std::function<void(std::int32_t element, std::span<double> k)>;

struct System {
  sparse::BlockCsr<double> matrix;  // T'KT in blocks of three, on the host
  std::vector<double> from_shifts;  // T'Kg: what prescribed values push; to be taken off the right-hand side
};

/// Assembles T'KT and T'Kg on a team of CPU threads. Entries are added in the order of the elements whatever
/// the number of threads, so the result has the same bits at every run.
System assemble(const Solids& solids, const Constraints& constraints, const BlockNumbering& numbering,
                const ElementMatrix& element_matrix, const exec::Device& cpu, Monitor& monitor);

/// The matrix over the unknowns alone, without the places that fill the blocks: for factorisations.
sparse::SymmetricCsr over_unknowns(const sparse::BlockCsr<double>& matrix, const BlockNumbering& numbering);

}  // namespace setka::fem
