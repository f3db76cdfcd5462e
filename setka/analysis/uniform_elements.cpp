// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/analysis/uniform_elements.hpp"

#include <algorithm>
#include <cstddef>
#include <map>

#include <fmt/core.h>

namespace setka::analysis {
namespace {

bool same_at_all_points(const std::vector<double>& d) {
  for (std::size_t k = 36; k < d.size(); ++k) {
    if (d[k] != d[k % 36]) return false;
  }
  return true;
}

}  // namespace

UniformElements uniform_elements(const Setup& setup, const ElementState& state) {
  UniformElements made;
  made.material_of.reserve(setup.solids.type.size());
  std::map<std::int32_t, std::int32_t> last_of_section;  // into materials
  const auto density_of = [&](std::int32_t e) {
    return setup.material(e).density.empty() ? 0.0 : state.density(e);
  };
  std::vector<double> d;
  for (std::int32_t e = 0; e < setup.solids.element_count(); ++e) {
    if (setup.is_spring(e)) {
      made.trouble =
          fmt::format("element {} is a spring, which is no solid", setup.model->mesh.element_label(e));
      return made;
    }
    const std::int32_t section = setup.section_of[static_cast<std::size_t>(e)];
    const auto known = last_of_section.find(section);
    if (known != last_of_section.end() && state.is_plain(e)) {
      made.material_of.push_back(known->second);
      continue;
    }
    state.stiffness(e, d);
    if (!same_at_all_points(d)) {
      made.trouble =
          fmt::format("the material of element {} varies within it", setup.model->mesh.element_label(e));
      return made;
    }
    const double density = density_of(e);
    const auto same = [&](const fem::ElementMaterial& other) {
      return std::equal(d.begin(), d.begin() + 36, other.d.begin()) && density == other.density;
    };
    if (known == last_of_section.end() || !same(made.materials[static_cast<std::size_t>(known->second)])) {
      last_of_section[section] = static_cast<std::int32_t>(made.materials.size());
      fem::ElementMaterial& material = made.materials.emplace_back();
      std::copy_n(d.begin(), 36, material.d.begin());
      material.density = density;
    }
    made.material_of.push_back(last_of_section[section]);
  }
  return made;
}

}  // namespace setka::analysis
