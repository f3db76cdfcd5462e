// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "setka/exec/device.hpp"
#include "setka/exec/view.hpp"

/// Blocks of columns between the double precision of Krylov methods and the single precision that
/// preconditioners compute in. 12 bytes an entry.
namespace setka::solve {

void to_single(const exec::Stream& stream, exec::MultiView<const double> from, exec::MultiView<float> to);
void to_double(const exec::Stream& stream, exec::MultiView<const float> from, exec::MultiView<double> to);

}  // namespace setka::solve
