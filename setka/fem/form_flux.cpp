// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/fem/form_flux_kernel.hpp"

#include <cstddef>
#include <vector>

#include <fmt/core.h>

#include "setka/base/error.hpp"
#include "setka/exec/array.hpp"
#include "setka/exec/parallel.hpp"
#include "setka/fem/form.hpp"

namespace setka::fem {

int Form::flux_size() const {
  return kind_ == FormKind::mass ? components_ : set_->dimension() * components_;
}

void Form::flux_at_points(const exec::Stream& stream, const PointPlaces& places, exec::View<const double> u,
                          exec::View<double> out) const {
  require(stream.device() == set_->device(), "Form: the stream is not on the device of the elements");
  const std::int64_t fluxes = flux_size() * places.count();
  require(u.size == components_ * set_->node_count() && out.size == fluxes, [&] {
    return fmt::format("Form: {} values of nodes and {} fluxes at points; {} and {} are right", u.size,
                       out.size, components_ * set_->node_count(), fluxes);
  });
  for (std::size_t g = 0; g < set_->groups().size(); ++g) {
    const ElementGroup& group = set_->groups()[g];
    if (stream.is_cuda()) {
      if constexpr (with_cuda) {
        cuda::flux_at_points(stream, kind_, components_, group.type(), group.size(), set_->view(g),
                             coefficients(g), u.data, places.first(g), out.data);
      }
      continue;
    }
    with_flux(kind_, components_, group.type(), [&]<Element type, class Kind>() {
      const kernel::PointFlux<type, Kind> body{set_->view(g), coefficients(g), u.data, places.first(g),
                                               out.data};
      exec::host::for_each(stream.device().threads(), group.size(), 64, body);
    });
  }
}

}  // namespace setka::fem
