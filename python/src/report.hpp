// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "python.hpp"
#include "setka/modes/modes.hpp"
#include "setka/solve/linear_solver.hpp"

/// What solvers say of their work, as dictionaries.
namespace setka::python {

py::dict as_dict(const solve::SolveReport& report);

/// Its shapes, [rows, modes], and all else, are given away.
py::dict as_dict(modes::Modes&& modes);

}  // namespace setka::python
