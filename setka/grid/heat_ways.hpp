// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "setka/exec/device.hpp"
#include "setka/grid/heat_kernel.hpp"

namespace setka::grid {

/// The change of so many cells, whole planes across axis 0, from change.first on, in the fastest way that the
/// grid allows. u and next are two arrays.
template <class T>
void change_heat(const exec::Stream& stream, std::int64_t cells, const kernel::HeatChange<T>& change);

namespace cuda {

/// Of a change with is_uniform(). Whether the grid fits; if not, nothing is done.
template <class T>
bool uniform_change(const exec::Stream& stream, std::int64_t cells, const kernel::HeatChange<T>& change);

}  // namespace cuda
}  // namespace setka::grid
