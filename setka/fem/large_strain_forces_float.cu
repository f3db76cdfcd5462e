// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/fem/large_strain_forces.cuh"

SETKA_LARGE_STRAIN_FORCES(float)
