// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "setka/analysis/element_state.hpp"
#include "setka/analysis/frequency.hpp"
#include "setka/analysis/setup.hpp"
#include "setka/fem/assembly.hpp"
#include "setka/fem/constraints.hpp"
#include "setka/fem/space.hpp"
#include "setka/sparse/block_csr.hpp"

namespace setka::analysis {

/// Consistent masses of elements; springs have none but MASS elements. State and setup must outlive it.
fem::ElementMatrix modal_mass(const Setup& setup, const ElementState& state);

/// Stiffness of elements about the preload, if any, which must outlive it as well.
fem::ElementMatrix modal_stiffness(const Setup& setup, const ElementState& state, const Preload* preload);

/// K and M in blocks of three unknowns.
struct ModalMatrices {
  fem::Space space;
  sparse::BlockCsr<double> stiffness;
  sparse::BlockCsr<double> mass;
};

/// On a GPU where that is wanted and can be: elements are uniform, nothing is preloaded, and constraints only
/// pick unknowns. On the host otherwise.
ModalMatrices modal_matrices(const Setup& setup, const ElementState& state,
                             const fem::Constraints& constraints, const Preload* preload,
                             const Computing& computing, bool on_device, Monitor& monitor);

}  // namespace setka::analysis
