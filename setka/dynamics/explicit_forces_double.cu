// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/dynamics/explicit_forces.cuh"

SETKA_FORCES(double, SETKA_DOUBLE_FORCES)
