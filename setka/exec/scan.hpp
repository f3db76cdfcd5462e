// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "setka/exec/device.hpp"
#include "setka/exec/view.hpp"

namespace setka::exec {

/// out[i] = in[0] + .. + in[i - 1], out[0] = 0; out may be in. To make offsets of n counts, give n + 1
/// entries, the last of them anything. For std::int32_t and std::int64_t; the caller sees to it that the
/// total fits.
template <class T>
void exclusive_scan(const Stream& stream, ViewOf<const T> in, ViewOf<T> out);

}  // namespace setka::exec
