// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/dynamics/stable_step_kernel.hpp"
#include "setka/exec/parallel.cuh"

namespace setka::dynamics::cuda {

void element_frequencies(const exec::Stream& stream, fem::Element element, fem::Law law,
                         const kernel::FrequencySource& from, double* frequency) {
  fem::with_large_strains(element, law, [&]<fem::Element type, template <class> class Law>() {
    exec::cuda::for_each(stream, from.group.blocks * fem::block_lanes,
                         kernel::ElementFrequency<type, Law>{from, frequency});
  });
}

}  // namespace setka::dynamics::cuda

SETKA_INSTANTIATE_FOR(setka::dynamics::kernel::Widen)
