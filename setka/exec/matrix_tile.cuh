// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace setka::exec::cuda {

/// c += a b for 8x4, 4x8 and 8x8 tiles spread over a warp: lane l holds a[l / 4][l % 4], b[l % 4][l / 4] and
/// c[l / 4][2 (l % 4) .. + 1].
__device__ inline void multiply_tile(double (&c)[2], double a, double b) {
  asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
      : "+d"(c[0]), "+d"(c[1])
      : "d"(a), "d"(b));
}

}  // namespace setka::exec::cuda
