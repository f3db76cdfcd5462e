// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/exec/parallel.cuh"
#include "setka/fem/form_flux_kernel.hpp"

namespace setka::fem::cuda {

void flux_at_points(const exec::Stream& stream, FormKind kind, int components, Element element,
                    std::int64_t elements, const ElementGroupView& group, const CoefficientView& coefficients,
                    const double* u, const std::int64_t* first_point, double* out) {
  with_flux(kind, components, element, [&]<Element type, class Form>() {
    exec::cuda::for_each(stream, elements,
                         kernel::PointFlux<type, Form>{group, coefficients, u, first_point, out});
  });
}

}  // namespace setka::fem::cuda
