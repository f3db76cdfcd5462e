// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/analysis/element_materials.hpp"

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

/// [points], from the first material of each element; those that vary have one a point, one after the other.
std::vector<std::int32_t> of_points(const Setup& setup, const std::vector<std::int32_t>& first,
                                    const std::vector<std::int32_t>& varying) {
  std::vector<std::int32_t> of(static_cast<std::size_t>(setup.points.first_point.back()));
  auto next = varying.begin();
  for (std::size_t e = 0; e < first.size(); ++e) {
    const bool varies = next != varying.end() && *next == static_cast<std::int32_t>(e);
    if (varies) ++next;
    const auto begin = static_cast<std::size_t>(setup.points.first_point[e]);
    const auto end = static_cast<std::size_t>(setup.points.first_point[e + 1]);
    for (std::size_t p = begin; p < end; ++p)
      of[p] = first[e] + (varies ? static_cast<std::int32_t>(p - begin) : 0);
  }
  return of;
}

}  // namespace

ElementMaterials element_materials(const Setup& setup, const ElementState& state) {
  ElementMaterials made;
  if (!setup.model->superelements.empty()) {
    made.trouble = fmt::format("matrix {} is of no elements", setup.model->superelements.front().name);
    return made;
  }
  made.material_of.reserve(setup.solids.type.size());
  std::map<std::int32_t, std::int32_t> last_of_section;  // into materials
  const auto density_of = [&](std::int32_t e) {
    return setup.material(e).density.empty() ? 0.0 : state.density(e);
  };
  std::vector<std::int32_t> varying;  // elements with a material a point
  std::vector<double> d;
  const auto material = [&](std::size_t p, double density) {
    fem::ElementMaterial own;
    std::copy_n(d.begin() + static_cast<std::ptrdiff_t>(36 * p), 36, own.d.begin());
    own.density = density;
    return own;
  };
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
    const double density = density_of(e);
    if (!same_at_all_points(d)) {
      varying.push_back(e);
      made.material_of.push_back(static_cast<std::int32_t>(made.materials.size()));
      for (std::size_t p = 0; 36 * p < d.size(); ++p) made.materials.push_back(material(p, density));
      continue;
    }
    const auto same = [&](const fem::ElementMaterial& other) {
      return std::equal(d.begin(), d.begin() + 36, other.d.begin()) && density == other.density;
    };
    if (known == last_of_section.end() || !same(made.materials[static_cast<std::size_t>(known->second)])) {
      last_of_section[section] = static_cast<std::int32_t>(made.materials.size());
      made.materials.push_back(material(0, density));
    }
    made.material_of.push_back(last_of_section[section]);
  }
  if (!varying.empty()) made.material_of = of_points(setup, made.material_of, varying);
  return made;
}

ElementMaterials ElementMaterials::of_elements(const Setup& setup,
                                               std::span<const std::int32_t> elements) const {
  ElementMaterials made;
  made.materials = materials;
  made.trouble = trouble;
  const bool by_points = material_of.size() != setup.solids.type.size();
  for (const std::int32_t e : elements) {
    const std::int64_t first = by_points ? setup.first_point(e) : e;
    const std::int64_t last = by_points ? setup.first_point(e + 1) : e + 1;
    made.material_of.insert(made.material_of.end(), material_of.begin() + first, material_of.begin() + last);
  }
  return made;
}

std::shared_ptr<const fem::Form> ElementMaterials::elasticity(
    const std::shared_ptr<const fem::ElementSet>& set) const {
  return fem::elastic_form(set, materials, material_of);
}

std::shared_ptr<const fem::Form> ElementMaterials::mass(
    const std::shared_ptr<const fem::ElementSet>& set) const {
  return fem::mass_form(set, materials, material_of);
}

std::shared_ptr<const fem::Form> elastic_form_on(const exec::Device& device, const Setup& setup,
                                                 const ElementState& state) {
  const ElementMaterials made = element_materials(setup, state);
  if (!made.trouble.empty()) return nullptr;
  return made.elasticity(std::make_shared<const fem::ElementSet>(device, setup.solids.region()));
}

}  // namespace setka::analysis
