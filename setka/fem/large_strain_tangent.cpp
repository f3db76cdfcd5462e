// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/fem/large_strain_tangent.hpp"

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "setka/base/error.hpp"
#include "setka/fem/element_lane_data.hpp"
#include "setka/fem/large_strain_lanes.hpp"
#include "setka/fem/large_strain_tangent_kernel.hpp"

namespace setka::fem {
namespace {

using exec::Stream;
using exec::View;

/// Eight elements at a time.
template <Element type, template <class> class Law>
void tangent_on_host(const Stream& stream, const kernel::TangentProduct& on) {
  constexpr int nodes = kernel::Solid<type>::nodes;
  constexpr int rows = 3 * nodes;
  constexpr int width = Law<Lanes>::constants + 1;
  constexpr int remembered = kernel::Solid<type>::points * Law<Lanes>::history_size;
  for_lanes(stream, on.group.blocks, [&](LaneRange at) {
    const std::int32_t* const node = on.group.node + interleaved(at.block, nodes, 0, at.first);
    Lanes x[rows];
    Lanes u[rows];
    Lanes before[remembered > 0 ? remembered : 1];
    Lanes after[remembered > 0 ? remembered : 1];
    load_lanes<nodes>(node, on.group.coordinates, x);
    load_lanes<nodes>(node, on.u, u);
    for (int i = 0; i < remembered; ++i)
      before[i].load(on.group.before + interleaved(at.block, remembered, i, at.first));
    const LaneConstants<double, width> constant{on.group.constants,
                                                on.group.material + interleaved(at.block, 1, 0, at.first)};
    const LanesSource<double> geometry{kernel::geometry_of<type, false>(on.group, at.block, at.first)};
    const auto law = Law<Lanes>::of(constant);
    const Lanes resistance = constant(width - 1);
    for (int k = 0; k < on.count(rows); ++k) {
      Lanes v[rows];
      Lanes df[rows];
      for (int i = 0; i < rows; ++i) {
        for (int l = 0; l < Lanes::count; ++l) v[i].set(l, on.direction(nodes, at.block, i, at.first + l, k));
      }
      kernel::element_tangent<type>(on.group, geometry, x, u, v, law, resistance,
                                    kernel::History<Lanes>{before, after}, df);
      for (int i = 0; i < rows; ++i) {
        for (int l = 0; l < Lanes::count; ++l) on.put(rows, at.block, i, at.first + l, k, df[i][l]);
      }
    }
  });
}

void tangent(const Stream& stream, const LargeStrainForm<double>& form, std::size_t g,
             const kernel::TangentProduct& on) {
  const Element element = form.set().groups()[g].type();
  if (stream.is_cuda()) {
    if constexpr (with_cuda) cuda::large_strain_tangent(stream, element, form.law(g), on);
    return;
  }
  with_large_strains(element, form.law(g), [&]<Element type, template <class> class Own>() {
    tangent_on_host<type, Own>(stream, on);
  });
}

void check_state(const LargeStrainForm<double>& form, View<const double> u) {
  require(u.size == 3 * form.node_count(), [&] {
    return fmt::format("tangent: {} displacements; {} are right", u.size, 3 * form.node_count());
  });
}

}  // namespace

void integrate_tangent(const Stream& stream, const LargeStrainForm<double>& form, View<const double> u,
                       ElementMatrices& matrices, PointHistory<double>* history) {
  check_state(form, u);
  require(matrices.fit(form.set()) && (form.set().groups().empty() || matrices.components() == 3),
          "integrate_tangent: the matrices are not those of this form's elements");
  for (std::size_t g = 0; g < form.set().groups().size(); ++g)
    tangent(stream, form, g, {form.group(g, history), u.data, {}, 0, matrices.group(g).data});
}

TangentOperator::TangentOperator(std::shared_ptr<const LargeStrainForm<double>> form,
                                 std::shared_ptr<const DofMap> unknowns, View<const double> u,
                                 PointHistory<double>* history)
    : ElementOperator(std::shared_ptr<const ElementSet>(form, &form->set()), std::move(unknowns), 3,
                      std::nullopt),
      form_(std::move(form)),
      history_(history),
      u_(form_->device(), std::vector<double>(static_cast<std::size_t>(3 * form_->node_count()), 0.0)) {
  if (u.size > 0) set_state(form_->device(), u);
}

void TangentOperator::set_state(const Stream& stream, View<const double> u) {
  check_state(*form_, u);
  exec::copy_async<double>(stream, u, u_);
}

void TangentOperator::multiply(const Stream& stream, const kernel::DofSource& v, int columns,
                               double* values) const {
  for (std::size_t g = 0; g < set().groups().size(); ++g) {
    tangent(stream, *form_, g,
            {form_->group(g, history_), u_.data(), v, columns, values + 3 * set().first_slot(g) * columns});
  }
}

}  // namespace setka::fem
