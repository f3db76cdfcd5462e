// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>

#include "setka/base/monitor.hpp"
#include "setka/exec/device.hpp"
#include "setka/modes/modes.hpp"
#include "setka/sparse/block_csr.hpp"
#include "setka/sparse/csr.hpp"

namespace setka::domains {

/// How a model is reduced; 0 each: what suits its size and the number of modes.
struct Reduction {
  int parts = 0;
  std::int64_t modes_a_part = 0;  // of the parts whose interface is held
  std::int64_t interface_modes = 0;
};

/// Modes of a whole model from its reduced parts, and what they cost.
struct ReducedModes {
  modes::Modes modes;  // shapes over the unknowns of the whole, with residuals against it
  int parts = 0;
  std::int64_t unknowns = 0;         // of the whole
  std::int64_t interface = 0;        // of them, those between parts
  std::int64_t interface_modes = 0;  // in place of them
  std::int64_t reduced = 0;          // unknowns of the reduced model, those included

  double worst_residual() const;
};

/// The choices that zeros of a reduction stand for.
Reduction chosen_reduction(const Reduction& wanted, std::int64_t unknowns, std::int64_t modes);

/// The lowest modes of a whole model by component mode synthesis (Craig-Bampton parts, interface modes).
///
/// K and M are shared out by their rows: a partition of the graph of K gives each block row a part, and rows
/// with a neighbour of a later part are the interface, so that inner unknowns of different parts are not
/// coupled. place: of the unknowns among the rows, as sparse::over_unknowns() takes it. K and M are on any
/// device; all is computed on the host (cpu).
///
/// Frequencies are never below those of the whole model, and the higher the farther above.
ReducedModes reduced_modes(const sparse::BlockCsr<double>& k, const sparse::BlockCsr<double>& m,
                           std::span<const std::int32_t> place, std::int64_t count,
                           const Reduction& reduction, const exec::Device& cpu, Monitor& monitor);

/// The same of matrices over the unknowns, with the part of each: from 0 to parts - 1.
ReducedModes reduced_modes(const sparse::SymmetricCsr& k, const sparse::SymmetricCsr& m,
                           std::span<const std::int32_t> part_of, std::int64_t count,
                           const Reduction& reduction, Monitor& monitor);

}  // namespace setka::domains
