// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>

#include "setka/exec/device.hpp"
#include "setka/exec/view.hpp"
#include "setka/sparse/csr.hpp"

/// What shift-invert methods do with symmetric matrices in host memory.
namespace setka::modes {

/// A + t B over the entries of both; every row has its diagonal, a zero if need be.
sparse::SymmetricCsr sum(const sparse::SymmetricCsr& a, double t, const sparse::SymmetricCsr& b);

/// Y = A X for columns that lie one after the other: [columns, rows].
void multiply(const sparse::SymmetricCsr& a, std::span<const double> x, std::span<double> y,
              std::int64_t columns);

/// The sum of the diagonal.
double trace(const sparse::SymmetricCsr& a);

/// A part of the lowest elastic eigenvalue of a compact body: the spectrum ends near trace K / trace M, and
/// over a body of n unknowns it spans n^(2/3). 0 without mass.
double small_shift(const sparse::SymmetricCsr& k, const sparse::SymmetricCsr& m);
double small_shift(double trace_k, double trace_m, std::int64_t unknowns);

/// Noise in [-1, 1], the same at every run for a seed.
void fill_noise(std::uint64_t seed, std::span<double> x);

/// The same numbers, in the memory of a device.
void fill_noise(const exec::Stream& stream, std::uint64_t seed, exec::View<double> x);

}  // namespace setka::modes
