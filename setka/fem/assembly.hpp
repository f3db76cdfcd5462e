// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "setka/base/monitor.hpp"
#include "setka/fem/constraints.hpp"
#include "setka/fem/solids.hpp"
#include "setka/sparse/csr.hpp"

namespace setka::fem {

/// Writes the stiffness of an element, [3n, 3n] row-major. Called from several threads at once.
using ElementMatrix = std::function<void(std::int32_t element, std::span<double> k)>;

struct System {
  sparse::SymmetricCsr matrix;      // T'KT
  std::vector<double> from_shifts;  // T'Kg: what prescribed values push; to be taken off the right-hand side
};

/// Assembles T'KT and T'Kg on all CPU threads. Entries are added in the order of the elements whatever the
/// number of threads, so the result has the same bits at every run.
System assemble(const Solids& solids, const Constraints& constraints, const ElementMatrix& element_matrix,
                int threads, Monitor& monitor);

}  // namespace setka::fem
