// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "setka/exec/parallel.cuh"
#include "setka/fem/large_strain_kernel.hpp"

/// The kernels of all elements and laws; each precision has a source of its own, since they compile for long.
namespace setka::fem::cuda {

template <class T>
void large_strain_forces(const exec::Stream& stream, Element element, Law law, bool stored,
                         const kernel::LargeStrainGroup<T>& group, const T* u, T* f, double* energy) {
  with_large_strains(element, law, [&]<Element type, template <class> class Own>() {
    const std::int64_t elements = group.blocks * block_lanes;
    if constexpr (type == Element::hex8) {
      if (stored)
        return exec::cuda::for_each(stream, elements,
                                    kernel::ElementForces<T, type, true, Own>{group, u, f, energy});
    }
    exec::cuda::for_each(stream, elements, kernel::ElementForces<T, type, false, Own>{group, u, f, energy});
  });
}

}  // namespace setka::fem::cuda

#define SETKA_LARGE_STRAIN_FORCES(T)                                                       \
  template void setka::fem::cuda::large_strain_forces<T>(                                  \
      const setka::exec::Stream&, setka::fem::Element, setka::fem::Law, bool,              \
      const setka::fem::kernel::LargeStrainGroup<T>&, const T*, T*, double*);              \
  SETKA_INSTANTIATE_FOR(setka::fem::kernel::ElementGeometry<T, setka::fem::Element::hex8>) \
  SETKA_INSTANTIATE_FOR(setka::fem::kernel::ElementGeometry<T, setka::fem::Element::hex8_uniform>)
