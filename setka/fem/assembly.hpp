// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "setka/base/monitor.hpp"
#include "setka/exec/device.hpp"
#include "setka/fem/space.hpp"
#include "setka/sparse/block_csr.hpp"

namespace setka::fem {

/// Writes the matrix of an element of n nodes, [components n, components n] row-major. Called from several
/// threads at once.
using ElementMatrix = std::function<void(std::int32_t element, std::span<double> k)>;

struct System {
  sparse::BlockCsr<double> matrix;  // T'KT in blocks of the components, on the host
  std::vector<double> from_shifts;  // T'Kg: what prescribed values push; to be taken off the right-hand side
};

/// Assembles T'KT and T'Kg on a team of CPU threads. Entries are added in the order of the elements whatever
/// the number of threads, so the result has the same bits at every run.
///
/// structured: is called with the matrix as soon as its pattern is known, before there are values; its arrays
/// stay where they are.
System assemble(const Space& space, const ElementMatrix& element_matrix, const exec::Device& cpu,
                Monitor& monitor,
                const std::function<void(const sparse::BlockCsr<double>&)>& structured = {});

}  // namespace setka::fem
