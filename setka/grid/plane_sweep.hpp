// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "setka/exec/device.hpp"
#include "setka/grid/stationary.hpp"
#include "setka/grid/stationary_kernel.hpp"

/// One Jacobi sweep over some planes, the step that all ways of sweeping are made of.
namespace setka::grid {

/// Weights, extents and no data yet.
template <class T>
kernel::PlaneSweep<T> plane_sweep(const StationaryHeat& heat, double weight);

/// Runs it; change, when not null, is in the device's memory and becomes the largest of itself and of the
/// changes, as bits. On a GPU the call returns before the work is done.
template <class T>
void run(const exec::Stream& stream, int axes, const kernel::PlaneSweep<T>& sweep, kernel::Bits<T>* change);

/// The nodes of one colour, 0 or 1, in the inner ones of the sweep's planes, in place.
template <class T>
void run_colour(const exec::Stream& stream, int axes, const kernel::PlaneSweep<T>& sweep, T* u, const T* f,
                int colour, kernel::Bits<T>* change);

/// Whether the change is looked at after so many sweeps.
inline bool looked_at(const StationaryOptions& options, std::int64_t done) {
  return done == options.sweeps || (options.tolerance > 0 && done % options.check_every == 0);
}

void check(const char* who, const StationaryHeat& heat, const StationaryOptions& options, std::int64_t u,
           std::int64_t f);

namespace cuda {

template <class T>
void run(const exec::Stream& stream, int axes, const kernel::PlaneSweep<T>& sweep, kernel::Bits<T>* change);

template <class T, int Axes>
void largest_change(const exec::Stream& stream, std::int64_t n, const kernel::RedBlack<T, Axes>& body,
                    kernel::Bits<T>* change);

}  // namespace cuda
}  // namespace setka::grid
