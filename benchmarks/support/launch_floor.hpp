// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "setka/exec/device.hpp"

namespace setka::bench {

/// Launches an empty kernel on the stream, with nothing around it: what no launch can be faster than.
/// Does nothing on the CPU.
void launch_empty_kernel(const exec::Stream& stream);

}  // namespace setka::bench
