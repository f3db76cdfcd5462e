// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "exec/parallel_test_kernel.hpp"
#include "setka/exec/parallel.cuh"

SETKA_INSTANTIATE_FOR(setka::exec::test_kernel::CountVisits)
SETKA_INSTANTIATE_FOR(setka::exec::test_kernel::Reciprocals<double>)
SETKA_INSTANTIATE_FOR(setka::exec::test_kernel::Reciprocals<float>)
SETKA_INSTANTIATE_FOR(setka::exec::test_kernel::WriteNowhere)
SETKA_INSTANTIATE_REDUCE(setka::exec::test_kernel::LargestWithIndex)
