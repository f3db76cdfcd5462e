// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/analysis/heat_materials.hpp"

#include <array>
#include <cstddef>

#include <fmt/core.h>

#include "setka/analysis/user_material.hpp"
#include "setka/base/error.hpp"
#include "setka/exec/parallel.hpp"
#include "setka/fem/element.hpp"
#include "setka/model/local_system.hpp"

namespace setka::analysis {
namespace {

constexpr std::size_t tensor = 6;  // xx yy zz xy xz yz

/// In the axes of the material.
std::array<double, tensor> conductivity_of(const model::Material& material, double temperature) {
  const std::vector<double> given = interpolate(material.conductivity, temperature);
  switch (material.conductivity_kind) {
    case model::TensorKind::isotropic:
      return {given[0], given[0], given[0], 0, 0, 0};
    case model::TensorKind::orthotropic:
      return {given[0], given[1], given[2], 0, 0, 0};
    case model::TensorKind::anisotropic:
      break;
  }
  // CalculiX has xx xy yy xz yz zz.
  return {given[0], given[2], given[5], given[1], given[3], given[4]};
}

std::array<double, tensor> in_global_axes(const std::array<double, tensor>& k, const model::Axes& axes) {
  static constexpr std::array<std::array<std::size_t, 3>, 3> place{{{0, 3, 4}, {3, 1, 5}, {4, 5, 2}}};
  std::array<double, tensor> turned{};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = i; j < 3; ++j) {
      for (std::size_t a = 0; a < 3; ++a) {
        for (std::size_t b = 0; b < 3; ++b) turned[place[i][j]] += axes[a][i] * k[place[a][b]] * axes[b][j];
      }
    }
  }
  return turned;
}

[[noreturn]] void refuse(const Setup& setup, const model::Material& material, const char* what,
                         const char* keyword) {
  throw Error(Fault::input,
              fmt::format("material {} has no {}, which *HEAT TRANSFER needs", material.name, what),
              fmt::format("add {}", keyword), setup.model->source(material.line));
}

double capacity_of(const model::Model& model, const model::Material& material, double temperature) {
  return density(model, material, temperature) * interpolate(material.specific_heat, temperature)[0];
}

}  // namespace

const model::Section& HeatMaterials::section(std::int32_t of_model) const {
  return setup_.model
      ->sections[static_cast<std::size_t>(setup_.section_of[static_cast<std::size_t>(of_model)])];
}

HeatMaterials::HeatMaterials(const Setup& setup, const fem::Region& region,
                             std::span<const std::int32_t> elements, bool with_capacity)
    : setup_(setup), region_(region), elements_(elements) {
  for (std::int32_t e = 0; e < setup.solids.element_count(); ++e) {
    const model::Material& material = setup.material(e);
    if (material.conductivity.empty()) refuse(setup, material, "conductivity", "*CONDUCTIVITY");
    conductivity_varies_ = conductivity_varies_ || material.conductivity.size() > 1;
    const std::int32_t system = section(e).orientation;
    turns_ = turns_ || (system >= 0 && material.conductivity_kind != model::TensorKind::isotropic &&
                        setup.model->orientations[static_cast<std::size_t>(system)].cylindrical);
    if (!with_capacity) continue;
    if (material.specific_heat.empty()) refuse(setup, material, "specific heat", "*SPECIFIC HEAT");
    if (material.density.empty()) refuse(setup, material, "density", "*DENSITY");
    capacity_varies_ = capacity_varies_ || material.specific_heat.size() > 1 || material.density.size() > 1;
  }
}

template <class Values>
HeatCoefficients HeatMaterials::at_points(std::span<const double> temperature, int width, bool places,
                                          int threads, const Values& values) const {
  HeatCoefficients made;
  const std::span<const fem::Element> types = region_.type;
  std::vector<std::int64_t> first(types.size() + 1, 0);
  for (std::size_t e = 0; e < types.size(); ++e) first[e + 1] = first[e] + fem::point_count(types[e]);
  const auto count = static_cast<std::size_t>(first.back());
  const auto columns = static_cast<std::size_t>(width);
  made.table.resize(columns * count);
  made.row_of.resize(count);
  for (std::size_t p = 0; p < count; ++p) made.row_of[p] = static_cast<std::int32_t>(p);
  exec::host::for_each(threads, static_cast<std::int64_t>(types.size()), 64, [&](std::int64_t index) {
    const auto e = static_cast<std::int32_t>(index);
    const fem::Element type = types[static_cast<std::size_t>(e)];
    const auto points = static_cast<std::size_t>(fem::point_count(type));
    thread_local std::vector<double> own;
    thread_local std::vector<double> at;
    thread_local std::vector<double> x;
    thread_local std::vector<double> where;
    own.clear();
    x.clear();
    for (const std::int32_t node : region_.nodes(e)) {
      own.push_back(temperature[static_cast<std::size_t>(node)]);
      const auto at_node = region_.coordinates_of(node);
      x.insert(x.end(), at_node.begin(), at_node.end());
    }
    at.resize(points);
    fem::point_temperatures(type, own, at);
    if (places) {
      where.resize(3 * points);
      fem::point_coordinates(type, x, where);
    }
    values(e, at, where,
           std::span(made.table)
               .subspan(columns * static_cast<std::size_t>(first[static_cast<std::size_t>(e)]),
                        columns * points));
  });
  return made;
}

HeatCoefficients HeatMaterials::conductivity(std::span<const double> temperature, int threads) const {
  const model::Model& model = *setup_.model;
  const auto turned = [&](std::int32_t element, double at, std::span<const double, 3> place) {
    const model::Section& own = section(of_model(element));
    const auto k = conductivity_of(setup_.material(of_model(element)), at);
    if (own.orientation < 0) return k;
    return in_global_axes(
        k, model::axes_at(model.orientations[static_cast<std::size_t>(own.orientation)], place));
  };
  if (!conductivity_varies_ && !turns_) {
    HeatCoefficients made;
    made.table.assign(tensor * model.sections.size(), 0.0);
    std::vector<bool> known(model.sections.size(), false);
    static constexpr std::array<double, 3> anywhere{};
    for (std::int32_t e = 0; e < region_.element_count(); ++e) {
      const auto row = static_cast<std::size_t>(setup_.section_of[static_cast<std::size_t>(of_model(e))]);
      made.row_of.push_back(static_cast<std::int32_t>(row));
      if (known[row]) continue;
      known[row] = true;
      std::ranges::copy(turned(e, 0, anywhere),
                        made.table.begin() + static_cast<std::ptrdiff_t>(tensor * row));
    }
    return made;
  }
  return at_points(
      temperature, tensor, turns_, threads,
      [&](std::int32_t e, std::span<const double> at, std::span<const double> where, std::span<double> out) {
        static constexpr std::array<double, 3> anywhere{};
        for (std::size_t p = 0; p < at.size(); ++p) {
          const auto place = turns_ ? where.subspan(3 * p).first<3>() : std::span<const double, 3>(anywhere);
          std::ranges::copy(turned(e, at[p], place), out.begin() + static_cast<std::ptrdiff_t>(tensor * p));
        }
      });
}

HeatCoefficients HeatMaterials::capacity(std::span<const double> temperature, int threads) const {
  const model::Model& model = *setup_.model;
  if (!capacity_varies_) {
    HeatCoefficients made;
    for (const model::Material& material : model.materials) {
      const bool known = !material.specific_heat.empty() && !material.density.empty();
      made.table.push_back(known ? capacity_of(model, material, 0) : 0.0);
    }
    for (std::int32_t e = 0; e < region_.element_count(); ++e) {
      const model::Material& material = setup_.material(of_model(e));
      made.row_of.push_back(static_cast<std::int32_t>(&material - model.materials.data()));
    }
    return made;
  }
  return at_points(
      temperature, 1, false, threads,
      [&](std::int32_t e, std::span<const double> at, std::span<const double>, std::span<double> out) {
        for (std::size_t p = 0; p < at.size(); ++p)
          out[p] = capacity_of(model, setup_.material(of_model(e)), at[p]);
      });
}

}  // namespace setka::analysis
