// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "setka/exec/device.hpp"
#include "setka/grid/lines.hpp"
#include "setka/grid/sweep_geometry.hpp"
#include "setka/grid/sweep_kernel.hpp"

/// The ways that sweep() chooses from. Sizes are checked already, and there is at least one row.
namespace setka::grid {

/// The fused way where lines fit on the chip, else split ones.
template <class T>
void sweep_as_fits(const exec::Stream& stream, const Lines& lines, const kernel::Bands<T>& bands, const T* d,
                   T* x);

template <class T>
void sweep_reference(const exec::Stream& stream, const Lines& lines, const kernel::Bands<T>& bands,
                     const T* d, T* x);

template <class T>
void sweep_split(const exec::Stream& stream, const Lines& lines, const kernel::Bands<T>& bands, const T* d,
                 T* x);

namespace host {

template <class T>
void sweep_fused(const exec::Stream& stream, const Lines& lines, const kernel::Bands<T>& bands, const T* d,
                 T* x);

/// Of constant coefficients.
template <class T>
void sweep_constant(const exec::Stream& stream, const Lines& lines, const kernel::Bands<T>& bands, const T* d,
                    T* x);

}  // namespace host

namespace cuda {

/// Whether the lines fit; if not, nothing is done.
template <class T>
bool sweep_fused(const exec::Stream& stream, const Lines& lines, const kernel::Bands<T>& bands, const T* d,
                 T* x);

/// Of a fused sweep of doubles.
Room fused_room(const exec::Stream& stream, const Geometry& geometry, bool along, bool constant);

}  // namespace cuda
}  // namespace setka::grid
