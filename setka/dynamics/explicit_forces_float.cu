// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/dynamics/explicit_forces.cuh"

SETKA_FORCES(float, SETKA_FLOAT_FORCES)
