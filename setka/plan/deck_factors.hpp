// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string_view>

/// All that predictions of decks have learnt from runs, in one table: numbers without a unit, so that they
/// hold on every machine. Rates are none of them; those are measured by setka calibrate.
///
/// How they were got: by the half of the models of `setka bench plan` that is marked for it, on two cores of
/// a Xeon; the other half was never looked at. docs/plan.md has what they leave.
namespace setka::plan::factors {

/// Iterations of conjugate gradients with multigrid to a residual of 1e-8: first * aspect^of_aspect *
/// slenderness^of_slenderness * (unknowns / 1e4)^of_size.
struct IterationModel {
  std::string_view kind;  // that the kind of most elements begins with
  double first;
  double of_aspect;
  double of_slenderness;
  double of_size;
  double spread;
};
inline constexpr IterationModel cg_multigrid[] = {
    {"tet4", 22, 0.3, 0.05, 0.05, 0.25},
    {"tet10", 25, 0.3, 0.05, 0.05, 0.25},
    {"hex20", 24, 0.3, 0.05, 0.05, 0.3},
    {"", 18, 0.3, 0.05, 0.05, 0.25},
};

/// Iterations of LOBPCG with multigrid to residuals of 1e-6, the search for missing modes included.
inline constexpr IterationModel lobpcg_multigrid[] = {
    {"tet", 35, 0.2, 0.05, 0.05, 0.25},
    {"hex20", 38, 0.2, 0.05, 0.05, 0.25},
    {"", 32, 0.2, 0.05, 0.05, 0.25},
};

/// Steps of Lanczos, of three columns each: first + a_mode * modes.
inline constexpr double lanczos_first_steps = 10;
inline constexpr double lanczos_steps_a_mode = 1;
inline constexpr double lanczos_spread = 0.2;

/// What stages without iterations spread by, and the machine from one hour to the next.
inline constexpr double stage_spread = 0.15;
inline constexpr double factor_spread = 0.2;
inline constexpr double estimated_factor_spread = 0.5;  // where the ordering was not analysed
inline constexpr double machine_spread = 0.1;

// Memory, over what the arrays take by their sizes.

/// Of multigrid over the matrix in double precision, at the worst moment of its set-up.
inline constexpr double multigrid_over_matrix = 2.0;
/// Of a factor as it is stored, with what supernodes fill up, over its entries.
inline constexpr double stored_over_factor = 1.15;
/// Fronts that wait for their parents, over the factor.
inline constexpr double fronts_over_factor = 0.3;

}  // namespace setka::plan::factors
