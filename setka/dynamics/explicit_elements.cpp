// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/dynamics/explicit_elements.hpp"

#include <algorithm>
#include <cstddef>
#include <type_traits>
#include <vector>

#include <fmt/core.h>

#include "setka/base/error.hpp"
#include "setka/dynamics/stable_step_kernel.hpp"
#include "setka/exec/parallel.hpp"
#include "setka/exec/scratch.hpp"
#include "setka/exec/vector.hpp"
#include "setka/fem/large_strain_lanes.hpp"
#include "setka/fem/lumped_mass.hpp"

namespace setka::dynamics {
namespace {

using exec::Scratch;
using exec::Stream;
using exec::View;
using fem::Element;

/// A block of 32 elements.
template <Element type, template <class> class Law>
void block_frequencies(const kernel::FrequencySource& on, std::int64_t block, double* frequency) {
  using Lanes = exec::Simd<double>;
  using Data = kernel::FrequencyData<type, double>;
  const std::int64_t begin = block * fem::block_lanes;
  for (std::int64_t first = begin; first < begin + fem::block_lanes; first += Lanes::count) {
    kernel::FrequencyData<type, Lanes> all;
    for (int l = 0; l < Lanes::count; ++l) {
      Data one;
      on.load(first + l, one);
      for (int i = 0; i < 3 * Data::nodes; ++i) {
        all.x[i].set(l, one.x[i]);
        all.u[i].set(l, one.u[i]);
      }
      for (int i = 0; i < Data::nodes; ++i) all.mass[i].set(l, one.mass[i]);
      all.small.set(l, one.small);
      if constexpr (type == Element::hex8_uniform) {
        for (int i = 0; i < kernel::uniform_size; ++i) all.uniform[i].set(l, one.uniform[i]);
      }
    }
    constexpr int width = Law<Lanes>::constants + 1;
    const fem::LaneConstants<double, width> constant{on.group.constants, on.group.material + first};
    const Lanes found =
        kernel::highest_frequency(on.group, all, Law<Lanes>::of(constant), constant(width - 1));
    found.store(frequency + first);
  }
}

std::vector<double> densities(std::span<const fem::LawMaterial> materials) {
  std::vector<double> table;
  for (const fem::LawMaterial& material : materials) table.push_back(material.density);
  return table;
}

}  // namespace

template <class T>
ExplicitElements<T>::ExplicitElements(const exec::Device& device, const fem::Region& region,
                                      std::span<const fem::LawMaterial> materials,
                                      std::span<const std::int32_t> material_of,
                                      const fem::LargeStrainOptions& options)
    : form_(device, region, materials, material_of, options),
      density_(fem::FormKind::mass, form_.shared_set(), 3, densities(materials), material_of),
      mass_(fem::lumped_mass(density_)) {}

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
  for (std::size_t g = 0; g < set().groups().size(); ++g) {
    const fem::ElementGroupView whole = set().view(g);
    const std::int64_t elements = whole.blocks * fem::block_lanes;
    const Scratch<double> frequency(stream, elements);
    const Element element = set().groups()[g].type();
    const kernel::FrequencySource from{form_.exact_group(g), density_.view(g).density, displacements};
    if (stream.is_cuda()) {
      if constexpr (with_cuda)
        cuda::element_frequencies(stream, element, form_.law(g), from, frequency.data());
    } else {
      fem::with_large_strains(element, form_.law(g), [&]<Element type, template <class> class Law>() {
        exec::host::for_each(stream.device().threads(), whole.blocks, 1, [&](std::int64_t b) {
          block_frequencies<type, Law>(from, b, frequency.data());
        });
      });
    }
    if (exec::count_not_finite<double>(stream, frequency) > 0) {
      throw Error(
          Fault::input,
          fmt::format("explicit dynamics: a {} has no finite frequency", name(set().groups()[g].type())),
          "check the mesh for elements without volume, and the displacements for elements turned inside out");
    }
    const auto most = exec::largest<double>(stream, frequency);
    if (most <= highest) continue;
    highest = most;
    std::vector<double> each(set().groups()[g].elements().size());
    exec::copy_async<double>(stream, {frequency.data(), set().groups()[g].size()},
                             {each.data(), set().groups()[g].size()});
    stream.synchronize();
    const auto place = std::ranges::max_element(each) - each.begin();
    least = {2 / highest, set().groups()[g].elements()[static_cast<std::size_t>(place)]};
  }
  return least;
}

template class ExplicitElements<float>;
template class ExplicitElements<double>;

}  // namespace setka::dynamics
