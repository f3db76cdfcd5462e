// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "support/launch_floor.hpp"

namespace setka::bench {

void launch_empty_kernel(const exec::Stream&) {}

}  // namespace setka::bench
