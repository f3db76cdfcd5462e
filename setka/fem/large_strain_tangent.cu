// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/exec/parallel.cuh"
#include "setka/fem/large_strain_tangent_kernel.hpp"

namespace setka::fem::cuda {

void large_strain_tangent(const exec::Stream& stream, Element element, Law law,
                          const kernel::TangentProduct& on) {
  with_large_strains(element, law, [&]<Element type, template <class> class Own>() {
    const std::int64_t vectors = on.count(3 * kernel::Solid<type>::nodes);
    exec::cuda::for_each(stream, on.group.blocks * block_lanes * vectors,
                         kernel::ElementTangent<type, Own>{on});
  });
}

}  // namespace setka::fem::cuda
