// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string_view>

/// All that predictions of decks have learnt from runs, in one table: numbers without a unit, so that they
/// hold on every machine. Rates are none of them; those are measured by setka calibrate.
///
/// How they were got: from the half of the models of `setka bench plan` that is marked for it, and for
/// iterations from plates, columns, roofs and pumps of other sizes beside, on two cores of a Xeon; nothing
/// was fitted to the other half. docs/plan.md has what they leave.
namespace setka::plan::factors {

/// Nodes an element of a large body, from topology: those of a bar or a sheet are more.
struct InnerNodes {
  std::string_view kind;  // that the kind of most elements begins with
  double nodes;
};
inline constexpr InnerNodes inner_nodes[] = {
    {"tet4", 1 / 5.5}, {"tet10", 1.38}, {"wedge6", 0.5}, {"wedge15", 2.5}, {"hex20", 4}, {"", 1},
};

/// Iterations: first * aspect^of_aspect * thinness^of_thinness. The first row whose words the kind of most
/// elements has.
struct IterationModel {
  std::string_view kind;
  double first;
  double of_aspect;
  double of_thinness;
  double spread;  // of the logarithm
};
/// Conjugate gradients with multigrid to a residual of 1e-8. Sections of shells and beams are stiff across by
/// the square of their slenderness.
inline constexpr IterationModel cg_multigrid[] = {
    {" of shells", 130, 0, 0, 0.5}, {" of beams", 130, 0, 0, 0.5}, {"tet4", 18, 0, 0, 0.25},
    {"tet10", 7.8, 1.8, 0, 0.25},   {"hex20", 9.7, 1.75, 0, 0.25}, {"", 13.5, 0.4, 0.3, 0.35},
};
/// LOBPCG with multigrid to residuals of 1e-6, without the search for missing modes.
inline constexpr IterationModel lobpcg_multigrid[] = {
    {" of shells", 100, 0, 0, 0.5}, {" of beams", 100, 0, 0, 0.5}, {"tet4", 11, 0.3, 0, 0.3},
    {"tet10", 7, 1.1, 0, 0.3},      {"hex20", 8, 1.15, 0, 0.35},   {"", 10.3, 0.4, 0, 0.3},
};

/// Steps of Lanczos, of three columns each: first + a_mode * modes.
inline constexpr double lanczos_first_steps = 10;
inline constexpr double lanczos_steps_a_mode = 0.42;
inline constexpr double lanczos_spread = 0.17;

/// As how many columns the matrix itself counts in products with blocks of them.
inline constexpr double columns_of_matrix = 12;

/// Operations from which a factor is made in single precision (solve/solver_choices.hpp).
inline constexpr double rough_from_flops = 2e9;

/// What stages without iterations spread by, and the machine from one hour to the next.
inline constexpr double stage_spread = 0.15;
inline constexpr double factor_spread = 0.2;
inline constexpr double estimated_factor_spread = 0.5;  // where the ordering was not analysed
inline constexpr double machine_spread = 0.2;

// Memory, over what the arrays take by their sizes.

/// Of multigrid over the matrix in double precision, at the worst moment of its set-up. Coarse levels of
/// elements with few neighbours have many.
struct MultigridMemory {
  std::string_view kind;
  double over_matrix;
};
inline constexpr MultigridMemory multigrid_memory[] = {
    {"tet4", 4.7}, {"tet10", 1.8}, {"hex20", 1.05}, {"wedge15", 1.4}, {"", 2.1},
};
inline constexpr double multigrid_bytes = 12e6;  // beside it: the coarsest level, threads
/// Of matrices of modes: what is made on the way, over one of them.
inline constexpr double more_of_modes = 0.7;

/// Of a factor with what its making needs, over its entries: full supernodes, fronts that wait.
inline constexpr double memory_over_factor = 2.37;
/// Of Lanczos, with a second factor that counts modes.
inline constexpr double lanczos_memory_over_factor = 3.3;
inline constexpr double factor_bytes = 6e6;  // beside it: threads of BLAS

}  // namespace setka::plan::factors
