// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "setka/exec/array.hpp"
#include "setka/exec/device.hpp"
#include "setka/fem/assembly.hpp"
#include "setka/fem/dof_map.hpp"
#include "setka/fem/element_matrices.hpp"
#include "setka/fem/element_set.hpp"
#include "setka/fem/form.hpp"
#include "setka/sparse/block_csr.hpp"

/// From element matrices on a device to a system of equations, there or on the host.
namespace setka::fem {

struct DeviceSystem {
  sparse::BlockCsr<double> matrix;  // T'KT in blocks of the components
  exec::Array<double> from_shifts;  // T'Kg, in blocks
};

/// T'KT and T'Kg on the device of the elements, for constraints that pick unknowns (Space::picks();
/// Error(Fault::usage) otherwise). The pattern is found once; values are summed as often as there are
/// matrices, each block in the order of its node's list of elements.
///
/// Bytes: reads the triangles of element matrices about twice, writes the matrix once.
class DeviceAssembly {
 public:
  DeviceAssembly(const exec::Stream& stream, const ElementSet& set, const DofMap& dofs);

  DeviceSystem assemble(const exec::Stream& stream, const ElementSet& set, const ElementMatrices& matrices,
                        const DofMap& dofs) const;

  /// The same bits without all element matrices in memory: as many as fit into some bytes are integrated and
  /// added at a time.
  static constexpr std::int64_t usual_bytes = std::int64_t{1} << 31;
  DeviceSystem assemble(const exec::Stream& stream, const Form& form, const DofMap& dofs,
                        std::int64_t bytes_at_once = usual_bytes) const;

 private:
  class Target;

  std::int32_t rows_;
  exec::Array<std::int32_t> block_of_;  // [nodes], -1: no unknowns
  exec::Array<std::int32_t> node_of_;   // [rows]
  exec::Array<std::int32_t> offset_;
  exec::Array<std::int32_t> column_;
  exec::Array<std::int32_t> row_of_;
};

/// For one matrix of a pattern.
DeviceSystem assemble(const exec::Stream& stream, const ElementSet& set, const ElementMatrices& matrices,
                      const DofMap& dofs);

/// The element matrices of a set for the assembly on the host, which knows every kind of constraint: copies
/// them from the device.
ElementMatrix element_matrices_on_host(const ElementSet& set, const ElementMatrices& matrices);

}  // namespace setka::fem
