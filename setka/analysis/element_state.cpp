// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/analysis/element_state.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

#include "setka/analysis/user_material.hpp"
#include "setka/fem/element.hpp"
#include "setka/model/element_type.hpp"
#include "setka/model/local_system.hpp"
#include "setka/model/shell_axes.hpp"

namespace setka::analysis {
namespace {

using fem::Element;

std::vector<std::vector<double>> by_element(const Setup& setup,
                                            const std::vector<model::InitialTensor>& given, double shear) {
  std::vector<std::vector<double>> values;
  if (given.empty()) return values;
  values.resize(static_cast<std::size_t>(setup.solids.element_count()));
  for (const model::InitialTensor& tensor : given) {
    auto e = static_cast<std::size_t>(tensor.element);
    int points = fem::point_count(setup.solids.type[e]);
    std::int32_t point = tensor.point;
    for (auto [next, last] = setup.solids.further_parts(tensor.element); point >= points && next < last;
         ++next) {
      point -= points;
      e = static_cast<std::size_t>(next);
      points = fem::point_count(setup.solids.type[e]);
    }
    if (values[e].empty()) values[e].assign(6 * static_cast<std::size_t>(points), 0.0);
    if (point < 0 || point >= points) continue;
    for (std::size_t k = 0; k < 6; ++k)
      values[e][6 * static_cast<std::size_t>(point) + k] = (k < 3 ? 1.0 : shear) * tensor.values[k];
  }
  return values;
}

bool is_shell(const Setup& setup, std::int32_t element) {
  return model::family(setup.model->mesh, setup.solids.mesh_element(element)) == model::Family::shell;
}

}  // namespace

ElementState::ElementState(const Setup& setup, std::span<const double> temperature)
    : setup_(setup),
      temperature_(on_solid_nodes(setup.solids, temperature.empty()
                                                    ? std::span<const double>(setup.initial_temperature)
                                                    : temperature)),
      initial_temperature_(on_solid_nodes(setup.solids, setup.initial_temperature)),
      initial_stress_(by_element(setup, setup.model->initial_stresses, 1)),
      initial_strain_(by_element(setup, setup.model->initial_strains, 2)) {
  for (const model::Material& material : setup.model->materials) {
    std::vector<double> d;
    if (material.elastic.size() == 1) {
      const auto matrix = elastic_matrix(*setup.model, material, 0);
      d.assign(matrix.begin(), matrix.end());
    }
    plain_.push_back(std::move(d));
  }
}

const model::LocalSystem* ElementState::orientation(std::int32_t element) const {
  const auto section = static_cast<std::size_t>(setup_.section_of[static_cast<std::size_t>(element)]);
  const std::int32_t system = setup_.model->sections[section].orientation;
  return system < 0 ? nullptr : &setup_.model->orientations[static_cast<std::size_t>(system)];
}

model::Axes ElementState::PointAxes::at(std::size_t point) const {
  return of_shell ? *of_shell
                  : model::axes_at(*system, std::span<const double, 3>(places.data() + 3 * point, 3));
}

bool ElementState::is_turned(std::int32_t element) const {
  if (!is_shell(setup_, element)) return orientation(element) != nullptr;
  const model::Material& material = setup_.material(element);
  return material.elastic_kind != model::ElasticKind::isotropic ||
         material.expansion_kind != model::TensorKind::isotropic;
}

ElementState::PointAxes ElementState::point_axes(std::int32_t element) const {
  PointAxes axes;
  axes.system = orientation(element);
  if (is_shell(setup_, element))
    axes.of_shell = model::shell_axes(setup_.model->mesh, setup_.solids.mesh_element(element), axes.system);
  else
    axes.places = point_places(element);
  return axes;
}

bool ElementState::is_plain(std::int32_t element) const {
  const auto material = &setup_.material(element) - setup_.model->materials.data();
  return !plain_[static_cast<std::size_t>(material)].empty() && !is_turned(element);
}

std::vector<double> ElementState::point_places(std::int32_t element) const {
  const Element type = setup_.solids.type[static_cast<std::size_t>(element)];
  std::vector<double> x;
  element_coordinates(setup_.solids, element, x);
  std::vector<double> at(3 * static_cast<std::size_t>(fem::point_count(type)));
  fem::point_coordinates(type, x, at);
  return at;
}

void ElementState::temperatures(std::int32_t element, std::span<const double> at_solid_nodes,
                                std::vector<double>& at_points) const {
  const Element type = setup_.solids.type[static_cast<std::size_t>(element)];
  at_points.assign(static_cast<std::size_t>(fem::point_count(type)), 0.0);
  if (at_solid_nodes.empty()) return;
  std::vector<double> own;
  for (const std::int32_t node : setup_.solids.nodes(element))
    own.push_back(at_solid_nodes[static_cast<std::size_t>(node)]);
  fem::point_temperatures(type, own, at_points);
}

void ElementState::stiffness(std::int32_t element, std::vector<double>& d) const {
  const Element type = setup_.solids.type[static_cast<std::size_t>(element)];
  const auto points = static_cast<std::size_t>(fem::point_count(type));
  const model::Material& material = setup_.material(element);
  const auto& plain = plain_[static_cast<std::size_t>(&material - setup_.model->materials.data())];
  const bool turned = is_turned(element);
  d.resize(36 * points);
  if (!plain.empty() && !turned) {
    for (std::size_t p = 0; p < points; ++p)
      std::copy(plain.begin(), plain.end(), d.begin() + static_cast<std::ptrdiff_t>(36 * p));
    return;
  }
  std::vector<double> temperature;
  temperatures(element, temperature_, temperature);
  const PointAxes axes = turned ? point_axes(element) : PointAxes();
  for (std::size_t p = 0; p < points; ++p) {
    std::array<double, 36> matrix = elastic_matrix(*setup_.model, material, temperature[p]);
    if (turned) matrix = rotate_stiffness(matrix, axes.at(p));
    std::copy(matrix.begin(), matrix.end(), d.begin() + static_cast<std::ptrdiff_t>(36 * p));
  }
}

bool ElementState::free_strain(std::int32_t element, std::vector<double>& e0) const {
  if (leaves_out_free_strains_) return false;
  const model::Material& material = setup_.material(element);
  const bool thermal = !material.expansion.empty() && !temperature_.empty();
  const std::vector<double>* given =
      initial_strain_.empty() ? nullptr : &initial_strain_[static_cast<std::size_t>(element)];
  if (given != nullptr && given->empty()) given = nullptr;
  if (!thermal && given == nullptr) return false;
  const Element type = setup_.solids.type[static_cast<std::size_t>(element)];
  const auto points = static_cast<std::size_t>(fem::point_count(type));
  e0.assign(6 * points, 0.0);
  if (given != nullptr) e0 = *given;
  if (!thermal) return true;
  std::vector<double> now;
  std::vector<double> before;
  temperatures(element, temperature_, now);
  temperatures(element, initial_temperature_, before);
  const bool turned = is_turned(element);
  const PointAxes axes = turned ? point_axes(element) : PointAxes();
  for (std::size_t p = 0; p < points; ++p) {
    std::array<double, 6> strain = thermal_strain(material, before[p], now[p]);
    if (turned) strain = rotate_strain(strain, axes.at(p));
    for (std::size_t k = 0; k < 6; ++k) e0[6 * p + k] += strain[k];
  }
  return true;
}

bool ElementState::initial_stress(std::int32_t element, std::vector<double>& s0) const {
  if (leaves_out_free_strains_) return false;
  if (setup_.model->stock_user_stress) {
    const std::vector<double> at = point_places(element);
    s0.assign(2 * at.size(), 0.0);
    for (std::size_t p = 0; 3 * p < at.size(); ++p) {
      for (std::size_t k = 0; k < 3; ++k) s0[6 * p + k] = -100 * at[3 * p + 1];
    }
    return true;
  }
  if (initial_stress_.empty() || initial_stress_[static_cast<std::size_t>(element)].empty()) return false;
  s0 = initial_stress_[static_cast<std::size_t>(element)];
  return true;
}

bool ElementState::has_strainless_stress(std::int32_t element) const {
  if (setup_.is_spring(element) || leaves_out_free_strains_) return false;
  const auto e = static_cast<std::size_t>(element);
  const bool thermal = !setup_.material(element).expansion.empty() && !temperature_.empty();
  const bool strained = !initial_strain_.empty() && !initial_strain_[e].empty();
  const bool stressed = !initial_stress_.empty() && !initial_stress_[e].empty();
  return thermal || strained || stressed || setup_.model->stock_user_stress;
}

bool ElementState::strainless_stress(std::int32_t element, std::span<const double> d,
                                     std::vector<double>& s) const {
  std::vector<double> e0;
  const bool strained = free_strain(element, e0);
  const bool stressed = initial_stress(element, s);
  if (!stressed) s.assign(e0.size(), 0.0);
  for (std::size_t p = 0; strained && 6 * p < e0.size(); ++p) {
    for (std::size_t i = 0; i < 6; ++i) {
      for (std::size_t j = 0; j < 6; ++j) s[6 * p + i] -= d[36 * p + 6 * i + j] * e0[6 * p + j];
    }
  }
  return strained || stressed;
}

double ElementState::density(std::int32_t element) const {
  std::vector<double> temperature;
  temperatures(element, temperature_, temperature);
  double sum = 0;
  for (const double value : temperature) sum += value;
  return analysis::density(*setup_.model, setup_.material(element),
                           sum / static_cast<double>(temperature.size()));
}

Spring spring_directions(const Setup& setup, std::int32_t element) {
  const model::SpringSection& section = setup.spring_section(element);
  const model::Family family = model::family(setup.model->mesh, element);
  if (family == model::Family::mass) return {SpringKind::grounded};
  if (family == model::Family::dashpot) return {SpringKind::axial};
  Spring spring{SpringKind::axial};
  spring.curve = section.curve;
  if (family == model::Family::axial_spring) return spring;
  spring.kind = setup.solids.nodes(element).size() == 2 ? SpringKind::relative : SpringKind::grounded;
  spring.first_direction = section.first_direction;
  spring.second_direction = section.second_direction;
  if (section.orientation >= 0)
    spring.system = &setup.model->orientations[static_cast<std::size_t>(section.orientation)];
  return spring;
}

Spring ElementState::spring(std::int32_t element) const {
  const auto e = static_cast<std::size_t>(element);
  const model::SpringSection& section = setup_.model->springs[static_cast<std::size_t>(setup_.spring_of[e])];
  const auto nodes = setup_.solids.nodes(element);
  double temperature = 0;
  for (const std::int32_t node : nodes) {
    if (!temperature_.empty())
      temperature += temperature_[static_cast<std::size_t>(node)] / static_cast<double>(nodes.size());
  }
  Spring spring = spring_directions(setup_, element);
  if (spring.curve.empty()) {
    if (!section.stiffness.empty()) spring.constant = interpolate(section.stiffness, temperature)[0];
  } else {
    spring.constant = spring.response(0).slope;
  }
  return spring;
}

void ElementState::element_matrix(std::int32_t element, std::span<double> k) const {
  thread_local std::vector<double> x;
  thread_local std::vector<double> d;
  element_coordinates(setup_.solids, element, x);
  if (setup_.is_spring(element)) {
    spring(element).stiffness(x, k);
    return;
  }
  stiffness(element, d);
  fem::stiffness(setup_.solids.type[static_cast<std::size_t>(element)], x, d, k);
}

}  // namespace setka::analysis
