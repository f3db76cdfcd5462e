// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "setka/exec/device.hpp"
#include "setka/exec/view.hpp"

namespace setka::exec {

/// y[at[i]] = keep[i] y[at[i]] + add[i] for some entries of a vector, each of them named once at most, on the
/// memory of the stream's device; the others stay. On a GPU it returns before the work is done.
void update_entries(const Stream& stream, View<const std::int32_t> at, View<const double> keep,
                    View<const double> add, View<double> y);

}  // namespace setka::exec
