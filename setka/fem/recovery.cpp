// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/fem/recovery.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "setka/base/error.hpp"
#include "setka/exec/parallel.hpp"
#include "setka/exec/scratch.hpp"
#include "setka/fem/element.hpp"
#include "setka/fem/elements.hpp"
#include "setka/fem/recovery_kernel.hpp"

namespace setka::fem {

using exec::Array;
using exec::Stream;
using exec::View;

template <int components>
std::vector<double> node_means(const Stream& stream, const ElementSet& set, const PointPlaces& places,
                               View<const double> at_points) {
  const exec::Scratch<double> values(stream, set.element_vector_size(components));
  for (std::size_t g = 0; g < set.groups().size(); ++g) {
    const ElementGroup& group = set.groups()[g];
    with_solid("Recovery", group.type(), [&]<Element type>() {
      exec::parallel_for(stream, group.blocks() * group.nodes() * block_lanes,
                         kernel::ToNodes<type, components>{group.size(), places.first(g), at_points.data,
                                                           values.data() + components * set.first_slot(g)});
    });
  }
  Array<double> mean(set.device(), components * set.node_count());
  exec::parallel_for(
      stream, set.node_count(),
      kernel::NodeMeans<components>{set.first_of_node().data, set.slot().data, values.data(), mean.data()});
  stream.synchronize();
  return mean.to_vector();
}
template std::vector<double> node_means<1>(const Stream&, const ElementSet&, const PointPlaces&,
                                           View<const double>);
template std::vector<double> node_means<3>(const Stream&, const ElementSet&, const PointPlaces&,
                                           View<const double>);
template std::vector<double> node_means<6>(const Stream&, const ElementSet&, const PointPlaces&,
                                           View<const double>);

Recovery::Recovery(std::shared_ptr<const Form> elasticity)
    : elasticity_(std::move(elasticity)),
      places_(*elasticity_->set()),
      stress_(set().device()),
      strain_(set().device()) {
  require(elasticity_->kind() == FormKind::elasticity && (set().groups().empty() || set().dimension() == 3),
          "Recovery: not the elasticity of solids");
}

void Recovery::take(const Stream& stream, View<const double> u, bool strains) {
  if (stress_.size() != 9 * places_.count()) stress_ = Array<double>(set().device(), 9 * places_.count());
  elasticity_->flux_at_points(stream, places_, u, stress_);
  if (!strains) return;
  if (!measure_) {
    std::array<double, 36> unit{};
    for (std::size_t i = 0; i < 6; ++i) unit[7 * i] = i < 3 ? 1.0 : 0.5;
    measure_.emplace(FormKind::elasticity, elasticity_->set(), 3, unit,
                     std::vector<std::int32_t>(static_cast<std::size_t>(set().element_count()), 0));
    strain_ = Array<double>(set().device(), 9 * places_.count());
  }
  for (const ElementGroup& group : set().groups())
    require(is_plain(group.type()), "Recovery: strains of elements with internal modes depend on D");
  measure_->flux_at_points(stream, places_, u, strain_);
}

std::vector<double> Recovery::node_stresses(const Stream& stream) const {
  return node_means<6>(stream, set(), places_, stress_);
}

std::vector<double> Recovery::node_strains(const Stream& stream) const {
  return node_means<6>(stream, set(), places_, strain_);
}

std::vector<double> Recovery::node_energies(const Stream& stream) const {
  Array<double> energy(set().device(), places_.count());
  exec::parallel_for(stream, places_.count(),
                     kernel::EnergyDensity{stress_.data(), strain_.data(), energy.data()});
  return node_means<1>(stream, set(), places_, energy);
}

Recovery::OfElements Recovery::of_elements(const Stream& stream) const {
  OfElements made;
  made.variation.resize(static_cast<std::size_t>(set().element_count()));
  made.mises.resize(made.variation.size());
  for (std::size_t g = 0; g < set().groups().size(); ++g) {
    const ElementGroup& group = set().groups()[g];
    Array<double> variation(set().device(), group.size());
    Array<double> mises(set().device(), group.size());
    exec::parallel_for(stream, group.size(),
                       kernel::StressOfElement{group.points(), places_.first(g), stress_.data(),
                                               variation.data(), mises.data()});
    stream.synchronize();
    const std::vector<double> own = variation.to_vector();
    const std::vector<double> own_mises = mises.to_vector();
    for (std::size_t i = 0; i < own.size(); ++i) {
      made.variation[static_cast<std::size_t>(group.elements()[i])] = own[i];
      made.mises[static_cast<std::size_t>(group.elements()[i])] = own_mises[i];
    }
  }
  return made;
}

}  // namespace setka::fem
