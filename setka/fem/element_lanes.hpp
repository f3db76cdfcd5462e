// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "setka/exec/simd.hpp"

namespace setka::fem {

/// One number of each of eight neighbouring elements. The functions of the element kernels take it in the
/// place of a double.
using Lanes = exec::Simd<double>;

}  // namespace setka::fem
