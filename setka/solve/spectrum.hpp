// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <optional>

#include "setka/exec/device.hpp"
#include "setka/exec/view.hpp"
#include "setka/solve/operator.hpp"
#include "setka/solve/patches.hpp"
#include "setka/sparse/team_csr.hpp"

namespace setka::solve {

/// An estimate from below, within some per cent, of the highest eigenvalue of D^-1 A, where D are the
/// diagonal blocks, and A over the patches in their rows; by so many steps of Lanczos' method from a fixed
/// random start, in single precision.
double highest_eigenvalue(const sparse::TeamCsr<float>& a, exec::View<const float> inverse_blocks,
                          const std::optional<Patches>& patches, int steps);

/// The same of B A, of operators on the device of the stream, in double precision; B: symmetric and positive
/// definite.
double highest_eigenvalue(const exec::Stream& stream, const Operator& a, const Operator& b, int steps);

struct Spectrum {
  double lowest = 1;
  double highest = 1;
};

/// z = B r on the stream of the matrix's device.
using Approximation = std::function<void(exec::View<const float> r, exec::View<float> z)>;

/// What conjugate gradients on a random right-hand side show of the spectrum of B A, from within: after so
/// many steps, or when the error is a hundredth, which takes few of them where the spectrum is narrow.
Spectrum spectrum_of_preconditioned(const sparse::TeamCsr<float>& a, const Approximation& b, int steps);

}  // namespace setka::solve
