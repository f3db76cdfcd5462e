// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/fem/large_strain_form.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

#include <fmt/core.h>

#include "setka/base/error.hpp"
#include "setka/exec/parallel.hpp"
#include "setka/exec/scratch.hpp"
#include "setka/exec/vector.hpp"
#include "setka/fem/element_operator_kernel.hpp"
#include "setka/fem/large_strain_lanes.hpp"

namespace setka::fem {
namespace {

using exec::Array;
using exec::Device;
using exec::Scratch;
using exec::Stream;
using exec::View;

std::shared_ptr<const ElementSet> make_set(const Device& device, const Region& region,
                                           std::span<const LawMaterial> materials,
                                           std::span<const std::int32_t> material_of) {
  for (const LawMaterial& material : materials) check(material);
  require(material_of.size() == region.type.size(), [&] {
    return fmt::format("LargeStrainForm: {} elements but materials for {}", region.type.size(),
                       material_of.size());
  });
  if (std::ranges::find(region.type, Element::hex8_incompatible) != region.type.end())
    refuse_incompatible_modes();
  std::vector<std::int32_t> family_of;  // by law
  for (const std::int32_t of : material_of) {
    require(of >= 0 && static_cast<std::size_t>(of) < materials.size(), [&] {
      return fmt::format("LargeStrainForm: an element has material {} of {}", of, materials.size());
    });
    family_of.push_back(static_cast<std::int32_t>(materials[static_cast<std::size_t>(of)].law));
  }
  return std::make_shared<const ElementSet>(device, region, family_of);
}

template <class T>
std::vector<T> converted(std::span<const double> values) {
  return {values.begin(), values.end()};
}

/// [materials, constants of the law and resistance to hourglasses]; those of other laws have none.
std::vector<double> constants_table(Law law, std::span<const LawMaterial> materials, double hourglass) {
  std::vector<double> table;
  with_law(law, [&]<template <class> class Own>() {
    for (const LawMaterial& material : materials) {
      std::vector<double> own = material.constants;
      if (material.law != law) own.clear();
      own.resize(Own<double>::constants, 0.0);
      own.push_back(hourglass / 8 * material.small_shear());
      table.insert(table.end(), own.begin(), own.end());
    }
  });
  return table;
}

template <class T>
void forces_on_host(const Stream& stream, Element element, Law law, bool stored,
                    const kernel::LargeStrainGroup<T>& group, const T* u, T* f, double* energy) {
  const auto all_blocks = [&](const auto& body) {
    exec::host::for_each(stream.device().threads(), group.blocks, 4,
                         [&](std::int64_t b) { block_forces(body, b); });
  };
  with_large_strains(element, law, [&]<Element type, template <class> class Own>() {
    if constexpr (type == Element::hex8) {
      if (stored) return all_blocks(kernel::ElementForces<T, type, true, Own>{group, u, f, energy});
    }
    all_blocks(kernel::ElementForces<T, type, false, Own>{group, u, f, energy});
  });
}

int history_of(Law law) {
  int size = 0;
  with_law(law, [&]<template <class> class Own>() { size = Own<double>::history_size; });
  return size;
}

}  // namespace

void refuse_incompatible_modes() {
  throw Error(Fault::input, "LargeStrainForm: incompatible modes have no formulation for large strains",
              "use hex8, hex8_uniform or hex20_reduced");
}

template <class T>
LargeStrainForm<T>::LargeStrainForm(const Device& device, const Region& region,
                                    std::span<const LawMaterial> materials,
                                    std::span<const std::int32_t> material_of,
                                    const LargeStrainOptions& options)
    : set_(make_set(device, region, materials, material_of)),
      coordinates_(device, converted<T>(region.coordinates)) {
  require(options.hourglass >= 0, [&] {
    return fmt::format("LargeStrainForm: the hourglass resistance is {}; 0 or more is right",
                       options.hourglass);
  });
  for (std::size_t g = 0; g < set_->groups().size(); ++g)
    groups_.push_back(make_group(g, materials, material_of, options));
}

template <class T>
auto LargeStrainForm<T>::make_group(std::size_t g, std::span<const LawMaterial> materials,
                                    std::span<const std::int32_t> material_of,
                                    const LargeStrainOptions& options) const -> Group {
  const ElementGroup& group = set_->groups()[g];
  const auto first = static_cast<std::size_t>(group.elements().front());
  const Law law = materials[static_cast<std::size_t>(material_of[first])].law;
  const bool stored = options.derivatives == Derivatives::stored && group.type() == Element::hex8;
  const std::vector<double> table = constants_table(law, materials, options.hourglass);
  Group made{law,
             stored,
             Array<std::int32_t>(
                 device(), group.in_lanes(1, [&](std::size_t element, int) { return material_of[element]; })),
             Array<T>(device()),
             Array<T>(device()),
             Array<double>(device(), table),
             Array<T>(device(), converted<T>(table)),
             Array<T>(device(), converted<T>(constants_table(law, materials, 0)))};
  with_large_strains(group.type(), law, [&]<Element type, template <class> class>() {
    using Own = kernel::Solid<type>;
    std::vector<T> reference;
    std::vector<T> weights;
    for (int p = 0; p < Own::points; ++p) {
      double r[3];
      double dn[3 * Own::nodes];
      weights.push_back(static_cast<T>(Own::Points::at(p, r)));
      Own::Functions::gradients(r, dn);
      for (const double value : dn) reference.push_back(static_cast<T>(value));
    }
    reference.insert(reference.end(), weights.begin(), weights.end());
    made.reference = Array<T>(device(), reference);
    if constexpr (type == Element::hex8_uniform || type == Element::hex8) {
      if (type == Element::hex8 && !stored) return;
      const std::int64_t elements = group.blocks() * block_lanes;
      made.geometry = Array<T>(device(), elements * kernel::geometry_size<type, true>);
      exec::parallel_for(device(), elements,
                         kernel::ElementGeometry<T, type>{set_->view(g), made.geometry.data()});
    }
  });
  return made;
}

template <class T>
kernel::LargeStrainGroup<double> LargeStrainForm<T>::exact_group(std::size_t group) const {
  const ElementGroupView whole = set_->view(group);
  return {whole.blocks,
          whole.node,
          groups_[group].material.data(),
          whole.coordinates,
          groups_[group].exact.data(),
          whole.reference.gradients,
          whole.reference.weights,
          nullptr,
          nullptr,
          nullptr};
}

template <class T>
kernel::LargeStrainGroup<T> LargeStrainForm<T>::group(std::size_t group, PointHistory<T>* history) const {
  const Group& own = groups_[group];
  require(history != nullptr || history_of(own.law) == 0, [&] {
    return fmt::format("LargeStrainForm: the law {} needs the history of its points", name(own.law));
  });
  const ElementGroupView whole = set_->view(group);
  return {whole.blocks,
          whole.node,
          own.material.data(),
          coordinates_.data(),
          own.constants.data(),
          own.reference.data(),
          own.reference.data() + own.reference.size() - set_->groups()[group].points(),
          own.geometry.data(),
          history != nullptr ? history->before[group].data() : nullptr,
          history != nullptr ? history->after[group].data() : nullptr};
}

template <class T>
PointHistory<T> LargeStrainForm<T>::fresh_history() const {
  PointHistory<T> made;
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    const ElementGroup& group = set_->groups()[g];
    const std::int64_t size = group.blocks() * block_lanes * group.points() * history_of(groups_[g].law);
    const std::vector<T> zeros(static_cast<std::size_t>(size), T(0));
    made.before.emplace_back(device(), zeros);
    made.after.emplace_back(device(), zeros);
  }
  return made;
}

template <class T>
void LargeStrainForm<T>::forces(const Stream& stream, View<const T> u, View<T> values, double* energy,
                                PointHistory<T>* history) const {
  forces_by(stream, u, values, energy, true, history);
}

template <class T>
double LargeStrainForm<T>::hourglass_energy(const Stream& stream, View<const T> u, View<T> values) const {
  const bool any = std::ranges::any_of(
      set_->groups(), [](const ElementGroup& group) { return group.type() == Element::hex8_uniform; });
  if (!any) return 0;
  const Scratch<double> energy(stream, 2);
  forces_by(stream, u, values, energy.data(), true, nullptr);
  forces_by(stream, u, values, energy.data() + 1, false, nullptr);
  std::array<double, 2> both{};
  exec::copy_async<double>(stream, energy, {both.data(), 2});
  stream.synchronize();
  return both[0] - both[1];
}

template <class T>
void LargeStrainForm<T>::forces_by(const Stream& stream, View<const T> u, View<T> values, double* energy,
                                   bool springs, PointHistory<T>* history) const {
  require(u.size == 3 * node_count() && values.size == set_->element_vector_size(3), [&] {
    return fmt::format("LargeStrainForm: {} displacements and {} forces of elements; {} and {} are right",
                       u.size, values.size, 3 * node_count(), set_->element_vector_size(3));
  });
  std::int64_t lanes = 0;
  for (const ElementGroup& group : set_->groups()) lanes += group.blocks() * block_lanes;
  const Scratch<double> of_elements(stream, energy != nullptr ? lanes : 0);
  double* own_energy = energy != nullptr ? of_elements.data() : nullptr;
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    const Group& own = groups_[g];
    const Element element = set_->groups()[g].type();
    kernel::LargeStrainGroup<T> group = this->group(g, history);
    if (!springs) group.constants = own.without_springs.data();
    T* const f = values.data + 3 * set_->first_slot(g);
    if (stream.is_cuda()) {
      if constexpr (with_cuda)
        cuda::large_strain_forces<T>(stream, element, own.law, own.stored, group, u.data, f, own_energy);
    } else {
      forces_on_host(stream, element, own.law, own.stored, group, u.data, f, own_energy);
    }
    if (energy == nullptr) continue;
    // Fill-ups count nothing, so that all groups are one sum.
    const std::int64_t size = set_->groups()[g].size();
    const std::int64_t all = set_->groups()[g].blocks() * block_lanes;
    exec::fill<double>(stream, {own_energy + size, all - size}, 0.0);
    own_energy += all;
  }
  if (energy != nullptr) exec::reduce(stream, lanes, kernel::EnergySum{of_elements.data()}, energy);
}

void node_forces(const Stream& stream, const LargeStrainForm<double>& form, View<const double> u,
                 View<double> f, double* energy, PointHistory<double>* history) {
  const ElementSet& set = form.set();
  require(f.size == 3 * set.node_count(),
          [&] { return fmt::format("node_forces: {} forces; {} are right", f.size, 3 * set.node_count()); });
  const Scratch<double> values(stream, set.element_vector_size(3));
  form.forces(stream, u, {values.data(), values.size()}, energy, history);
  const auto split = kernel::RowAndColumn::of(1);
  exec::parallel_for(
      stream, split.count(f.size),
      kernel::SumOverElements<3>{
          set.first_of_node().data, set.slot().data, nullptr, values.data(), {f.data, f.size, 1, 1}, split});
}

template class LargeStrainForm<float>;
template class LargeStrainForm<double>;

}  // namespace setka::fem
