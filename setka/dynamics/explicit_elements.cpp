// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/dynamics/explicit_elements.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

#include <fmt/core.h>

#include "setka/base/error.hpp"
#include "setka/dynamics/explicit_lane_data.hpp"
#include "setka/exec/parallel.hpp"
#include "setka/exec/scratch.hpp"
#include "setka/exec/vector.hpp"
#include "setka/fem/elements.hpp"

namespace setka::dynamics {
namespace {

using exec::Array;
using exec::Device;
using exec::Scratch;
using exec::Stream;
using exec::View;
using fem::Element;

/// Calls body.operator()<type>(), the type being one that explicit dynamics has.
template <class Body>
void with_explicit_solid(Element type, const Body& body) {
  fem::with_solid("ExplicitElements", type, [&]<Element t>() {
    if constexpr (t == Element::hex8_incompatible) {
      throw Error(Fault::input, "ExplicitElements: incompatible modes have no formulation for large strains",
                  "use hex8, hex8_uniform or hex20_reduced");
    } else {
      body.template operator()<t>();
    }
  });
}

fem::ElementSet make_set(const Device& device, const fem::Region& topology,
                         std::span<const HyperelasticMaterial> materials,
                         std::span<const std::int32_t> material_of) {
  std::vector<fem::ElementMaterial> small;
  for (const HyperelasticMaterial& material : materials) {
    check(material);
    small.push_back(material.small_strains());
  }
  for (const Element type : topology.type) with_explicit_solid(type, []<Element>() {});
  return {device, topology, small, material_of};
}

template <class T>
std::vector<T> converted(std::span<const double> values) {
  return {values.begin(), values.end()};
}

std::vector<double> law_table(std::span<const HyperelasticMaterial> materials, double hourglass) {
  std::vector<double> table;
  for (const HyperelasticMaterial& m : materials) {
    const double constants[kernel::law_constants] = {m.lame, m.shear, m.c10,
                                                     m.c01,  m.bulk,  hourglass / 8 * m.small_shear()};
    table.insert(table.end(), std::begin(constants), std::end(constants));
  }
  return table;
}

/// All elements of a group: one body, by threads of a GPU or lanes of a CPU.
template <class T, Element type, bool stored, template <class> class Law>
void group_forces(const Stream& stream, const kernel::ElementForces<T, type, stored, Law>& body) {
  const std::int64_t blocks = body.group.blocks;
  if constexpr (with_cuda) {
    if (stream.is_cuda()) return exec::cuda::for_each(stream, blocks * fem::block_lanes, body);
  }
  exec::host::for_each(stream.device().threads(), blocks, 4, [&](std::int64_t b) { block_forces(body, b); });
}

}  // namespace

template <class T>
ExplicitElements<T>::ExplicitElements(const Device& device, const fem::Region& topology,
                                      std::span<const HyperelasticMaterial> materials,
                                      std::span<const std::int32_t> material_of,
                                      const ExplicitElementOptions& options)
    : set_(make_set(device, topology, materials, material_of)),
      coordinates_(device, converted<T>(topology.coordinates)),
      constants_(device, law_table(materials, options.hourglass)),
      own_constants_(device, converted<T>(law_table(materials, options.hourglass))),
      no_springs_(device, converted<T>(law_table(materials, 0))),
      mass_(device, set_.node_count()) {
  require(options.hourglass >= 0, [&] {
    return fmt::format("ExplicitElements: the hourglass resistance is {}; 0 or more is right",
                       options.hourglass);
  });
  for (std::size_t g = 0; g < set_.groups().size(); ++g)
    groups_.push_back(make_group(g, materials, material_of, options.derivatives));
  lump();
}

template <class T>
auto ExplicitElements<T>::make_group(std::size_t g, std::span<const HyperelasticMaterial> materials,
                                     std::span<const std::int32_t> material_of, Derivatives derivatives) const
    -> Group {
  const fem::ElementGroup& group = set_.groups()[g];
  const bool linear = std::ranges::all_of(group.elements(), [&](std::int32_t e) {
    return materials[static_cast<std::size_t>(material_of[static_cast<std::size_t>(e)])].saint_venant();
  });
  const bool stored = derivatives == Derivatives::stored && group.type() == Element::hex8;
  Group made{Array<T>(device()), Array<T>(device()), linear, stored};
  with_explicit_solid(group.type(), [&]<Element type>() {
    using Solid = fem::kernel::Solid<type>;
    std::vector<T> reference;
    std::vector<T> weights;
    for (int p = 0; p < Solid::points; ++p) {
      double r[3];
      double dn[3 * Solid::nodes];
      weights.push_back(static_cast<T>(Solid::Points::at(p, r)));
      Solid::Functions::gradients(r, dn);
      for (const double value : dn) reference.push_back(static_cast<T>(value));
    }
    reference.insert(reference.end(), weights.begin(), weights.end());
    made.reference = Array<T>(device(), reference);
    if constexpr (type == Element::hex8_uniform || type == Element::hex8) {
      if (type == Element::hex8 && !stored) return;
      const std::int64_t elements = group.blocks() * fem::block_lanes;
      made.geometry = Array<T>(device(), elements * kernel::geometry_size<type, true>);
      exec::parallel_for(device(), elements,
                         kernel::ElementGeometry<T, type>{set_.view(g), made.geometry.data()});
    }
  });
  return made;
}

template <class T>
void ExplicitElements<T>::lump() {
  const Scratch<double> values(device(), set_.element_vector_size(1));
  for (std::size_t g = 0; g < set_.groups().size(); ++g) {
    with_explicit_solid(set_.groups()[g].type(), [&]<Element type>() {
      exec::parallel_for(device(), set_.groups()[g].blocks() * fem::block_lanes,
                         kernel::ElementMass<type>{set_.view(g), values.data() + set_.first_slot(g)});
    });
  }
  exec::parallel_for(
      device(), node_count(),
      kernel::NodeMass{set_.first_of_node().data, set_.slot().data, values.data(), mass_.data()});
}

template <class T>
kernel::ExplicitGroup<T> ExplicitElements<T>::view(std::size_t g, const T* constants) const {
  const fem::ElementGroupView whole = set_.view(g);
  const Group& own = groups_[g];
  const std::int64_t points = set_.groups()[g].points();
  return {whole.blocks,
          whole.node,
          whole.material,
          coordinates_.data(),
          constants,
          own.reference.data(),
          own.reference.data() + own.reference.size() - points,
          own.geometry.data()};
}

template <class T>
void ExplicitElements<T>::forces(const Stream& stream, View<const T> u, View<T> values,
                                 double* energy) const {
  forces_by(stream, u, values, energy, own_constants_.data());
}

template <class T>
double ExplicitElements<T>::hourglass_energy(const Stream& stream, View<const T> u, View<T> values) const {
  const bool any = std::ranges::any_of(
      set_.groups(), [](const fem::ElementGroup& group) { return group.type() == Element::hex8_uniform; });
  if (!any) return 0;
  const Scratch<double> energy(stream, 2);
  forces_by(stream, u, values, energy.data(), own_constants_.data());
  forces_by(stream, u, values, energy.data() + 1, no_springs_.data());
  std::array<double, 2> both{};
  exec::copy_async<double>(stream, energy, {both.data(), 2});
  stream.synchronize();
  return both[0] - both[1];
}

template <class T>
void ExplicitElements<T>::forces_by(const Stream& stream, View<const T> u, View<T> values, double* energy,
                                    const T* constants) const {
  require(u.size == 3 * node_count() && values.size == set_.element_vector_size(3), [&] {
    return fmt::format("ExplicitElements: {} displacements and {} forces of elements; {} and {} are right",
                       u.size, values.size, 3 * node_count(), set_.element_vector_size(3));
  });
  std::int64_t lanes = 0;
  for (const fem::ElementGroup& group : set_.groups()) lanes += group.blocks() * fem::block_lanes;
  const Scratch<double> of_elements(stream, energy != nullptr ? lanes : 0);
  double* own_energy = energy != nullptr ? of_elements.data() : nullptr;
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    T* const f = values.data + 3 * set_.first_slot(g);
    const auto with_law = [&]<Element type, bool stored>() {
      if (groups_[g].linear) {
        group_forces(stream, kernel::ElementForces<T, type, stored, kernel::SaintVenantKirchhoff>{
                                 view(g, constants), u.data, f, own_energy});
      } else {
        group_forces(stream, kernel::ElementForces<T, type, stored, kernel::Hyperelastic>{
                                 view(g, constants), u.data, f, own_energy});
      }
    };
    with_explicit_solid(set_.groups()[g].type(), [&]<Element type>() {
      if constexpr (type == Element::hex8) {
        if (groups_[g].stored) return with_law.template operator()<type, true>();
      }
      with_law.template operator()<type, false>();
    });
    if (energy == nullptr) continue;
    // Fill-ups count nothing, so that all groups are one sum.
    const std::int64_t size = set_.groups()[g].size();
    const std::int64_t all = set_.groups()[g].blocks() * fem::block_lanes;
    exec::fill<double>(stream, {own_energy + size, all - size}, 0.0);
    own_energy += all;
  }
  if (energy != nullptr) exec::reduce(stream, lanes, kernel::EnergySum{of_elements.data()}, energy);
}

template <class T>
StableStep ExplicitElements<T>::least_stable_step(const Stream& stream, View<const T> u) const {
  require(u.size == 3 * node_count(), [&] {
    return fmt::format("ExplicitElements: {} displacements; {} are right", u.size, 3 * node_count());
  });
  const Scratch<double> wide(stream, std::is_same_v<T, double> ? 0 : u.size);
  const double* displacements = nullptr;
  if constexpr (std::is_same_v<T, double>) {
    displacements = u.data;
  } else {
    exec::parallel_for(stream, u.size, kernel::Widen{u.data, wide.data()});
    displacements = wide.data();
  }
  double highest = 0;
  StableStep least;
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    const fem::ElementGroupView whole = set_.view(g);
    const kernel::ExplicitGroup<double> group{whole.blocks,
                                              whole.node,
                                              whole.material,
                                              whole.coordinates,
                                              constants_.data(),
                                              whole.reference.gradients,
                                              whole.reference.weights,
                                              nullptr};
    const std::int64_t elements = whole.blocks * fem::block_lanes;
    const Scratch<double> frequency(stream, elements);
    with_explicit_solid(set_.groups()[g].type(), [&]<Element type>() {
      const kernel::ElementFrequency<type> body{group, whole.density, displacements, frequency.data()};
      if constexpr (with_cuda) {
        if (stream.is_cuda()) return exec::cuda::for_each(stream, elements, body);
      }
      exec::host::for_each(stream.device().threads(), whole.blocks, 1,
                           [&](std::int64_t b) { block_frequencies(body, b); });
    });
    if (exec::count_not_finite<double>(stream, frequency) > 0) {
      throw Error(
          Fault::input,
          fmt::format("explicit dynamics: a {} has no finite frequency", name(set_.groups()[g].type())),
          "check the mesh for elements without volume, and the displacements for elements turned inside out");
    }
    const auto most = exec::largest<double>(stream, frequency);
    if (most <= highest) continue;
    highest = most;
    std::vector<double> each(set_.groups()[g].elements().size());
    exec::copy_async<double>(stream, {frequency.data(), set_.groups()[g].size()},
                             {each.data(), set_.groups()[g].size()});
    stream.synchronize();
    const auto place = std::ranges::max_element(each) - each.begin();
    least = {2 / highest, set_.groups()[g].elements()[static_cast<std::size_t>(place)]};
  }
  return least;
}

template class ExplicitElements<float>;
template class ExplicitElements<double>;

}  // namespace setka::dynamics
