// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

/// The sizes by which solvers are chosen where the user does not choose: of linear systems, of modes and of
/// increments in time. They are here, not in plan/, since this is the lowest folder that chooses by them and
/// plan/ stands on folders above it.
namespace setka::solve {

// Linear systems (docs/solvers.md).

/// Unknowns up to which a system is factorised at once: a matter of a moment, whatever the shape of the model
/// and however badly its elements are made.
inline constexpr std::int64_t cholesky_max_unknowns = 20000;

/// Operations of a factorisation from which it is tried in single precision, corrected by conjugate gradients
/// (docs/solvers.md): half a second of two cores saves as much as six corrections take.
inline constexpr double rough_factor_min_flops = 2e9;

/// Pivots, as parts of their diagonals, down to which that is done. Single precision knows them to some 1e-6:
/// of one of 1e-4 it has two digits. A plate a hundred times as wide as thick has 5e-4 and takes 4
/// iterations; one a thousand times as wide, with 3e-5 by rounding, would take 16.
inline constexpr double rough_factor_min_pivot = 1e-4;

// Multigrid over a team (docs/domains.md).

/// Bytes of a level's matrix, a member, below which one member takes the level over: what they take to pass
/// is about what members take to tell each other of a vector, some 25 microseconds between GPUs.
inline constexpr std::int64_t gathered_level_bytes_of_gpu = 100'000'000;
inline constexpr std::int64_t gathered_level_bytes_of_cpu = 500'000;
/// Of members that are processes so many are counted: one of them has the level, however many there are.
inline constexpr int gathered_level_max_processes = 16;

/// Beyond it PETSc's multigrid, which merges the parts of coarse levels, takes the place of ours, whose
/// aggregates lie within them (docs/many-machines.md).
inline constexpr int own_multigrid_max_processes = 1024;

// Products with many columns on a GPU (docs/solvers.md).

/// Columns from which products by tiles were measured to be a fifth faster.
inline constexpr std::int64_t column_tiles_min_columns = 32;

/// Such products that save as much time by tiles as these take to make: 0.27 ms each, and 0.2 s, on an H200
/// for 1.8 million unknowns; both grow as the matrix does.
inline constexpr int column_tiles_min_products = 750;

// Implicit dynamics (docs/dynamics.md has the measurements).

/// Unknowns up to which increments on the CPU are factorised: one factor serves all increments of a length,
/// each of which costs two triangular solutions.
inline constexpr std::int64_t dynamic_cholesky_max_unknowns = 50000;

/// Stiffness to inertia on the diagonal up to which conjugate gradients take diagonal blocks: they need about
/// as many products as with multigrid there, between 20 (1.5 s and 2.1 s) and 80 (3.1 s and 2.4 s).
inline constexpr double block_jacobi_max_stiffness_to_inertia = 50;

// Modes (docs/modes.md has the measurements).

/// Unknowns up to which all modes are computed densely, with and without a sparse factorisation at hand: a
/// dense problem of 500 takes a tenth of a second, and one of 2500 still less than LOBPCG may need for its
/// last mode.
inline constexpr std::int64_t dense_modes_max_unknowns = 500;
inline constexpr std::int64_t dense_modes_max_unknowns_without_cholesky = 2500;
/// The same where about half of all modes are wanted, which no iteration finds any faster.
inline constexpr std::int64_t dense_modes_max_unknowns_of_many = 4000;

/// Unknowns up to which Lanczos with a factor is faster than LOBPCG, measured on two cores; taken for less
/// beside a GPU, which makes LOBPCG faster and the factor not.
inline constexpr std::int64_t lanczos_max_unknowns = 12000;
inline constexpr std::int64_t lanczos_max_unknowns_beside_gpu = 10000;

/// Modes beyond this part of the unknowns are found by Lanczos too: the passes of LOBPCG would become a dense
/// problem by themselves.
inline constexpr std::int64_t lanczos_min_unknowns_a_mode = 20;

}  // namespace setka::solve
