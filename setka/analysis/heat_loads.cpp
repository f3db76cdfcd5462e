// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/analysis/heat_loads.hpp"

#include <cmath>
#include <cstddef>

#include "setka/fem/element.hpp"

namespace setka::analysis {
namespace {

/// A value that goes from what it was to what it is, unless an amplitude says otherwise.
double now(const LoadState& loads, double before, double value, std::int32_t amplitude,
           const HeatTime& time) {
  if (amplitude >= 0) return value * loads.factor(amplitude, time.step_time, time.total_time);
  return before + time.share * (value - before);
}

double length_of(const std::array<double, 3>& vector) {
  return std::hypot(vector[0], vector[1], vector[2]);
}

void add_flux(const Setup& setup, const model::DistributedFlux& flux, double value,
              std::vector<double>& sources) {
  const auto e = static_cast<std::size_t>(flux.element);
  const fem::Element type = setup.solids.type[e];
  const auto nodes = setup.solids.nodes(flux.element);
  std::vector<double> x;
  element_coordinates(setup.solids, flux.element, x);
  if (flux.face >= 0) {
    for (const fem::FacePoint& point : fem::face_points(type, flux.face + setup.solids.first_face[e], x)) {
      const double heat = value * length_of(point.area);
      for (std::size_t i = 0; i < point.nodes.size(); ++i)
        sources[static_cast<std::size_t>(nodes[static_cast<std::size_t>(point.nodes[i])])] +=
            heat * point.shape[i];
    }
    return;
  }
  const auto points = static_cast<std::size_t>(fem::point_count(type));
  std::vector<double> volume(points);
  std::vector<double> shape(points * nodes.size());
  fem::point_volumes(type, x, volume);
  fem::point_shape_values(type, shape);
  for (std::size_t p = 0; p < points; ++p) {
    for (std::size_t i = 0; i < nodes.size(); ++i)
      sources[static_cast<std::size_t>(nodes[i])] += value * volume[p] * shape[p * nodes.size() + i];
  }
}

/// At the corner of a shell with a middle as forces are: -1/2 below, 2 amid, -1/2 above.
void add_point_flux(const Solids& solids, std::int32_t node, double value, std::vector<double>& sources) {
  const ExpandedNode* const expanded = solids.expanded_node(node);
  if (expanded == nullptr || expanded->middle < 0) {
    sources[static_cast<std::size_t>(node)] += value;
    return;
  }
  sources[static_cast<std::size_t>(expanded->middle)] += 2 * value;
  for (const std::int32_t copy : expanded->turning) sources[static_cast<std::size_t>(copy)] -= value / 2;
}

}  // namespace

std::vector<double> heat_sources(const Setup& setup, const LoadState& loads, const HeatTime& time,
                                 std::span<const std::int8_t> of_elements) {
  return heat_sources(
      setup, loads,
      [&](double before, double value, std::int32_t amplitude) {
        return now(loads, before, value, amplitude, time);
      },
      of_elements);
}

std::vector<double> heat_sources(const Setup& setup, const LoadState& loads, const FluxNow& now,
                                 std::span<const std::int8_t> of_elements) {
  std::vector<double> sources(static_cast<std::size_t>(setup.solids.node_count()), 0.0);
  for (const auto& [flux, before] : loads.point_fluxes()) {
    add_point_flux(setup.solids, flux.node,
                   setup.solids.force_share[static_cast<std::size_t>(flux.node)] *
                       now(before, flux.value, flux.amplitude),
                   sources);
  }
  for (const auto& [flux, before] : loads.distributed_fluxes()) {
    if (!of_elements.empty() && of_elements[static_cast<std::size_t>(flux.element)] == 0) continue;
    const double value = now(before, flux.value, flux.amplitude);
    if (value != 0) add_flux(setup, flux, value, sources);
  }
  return sources;
}

double prescribed_temperature(const LoadState& loads, const model::PrescribedValue& value, double before,
                              const HeatTime& time) {
  return now(loads, before, value.value, value.amplitude, time);
}

std::vector<FaceLoss> face_losses(const Setup& setup, const LoadState& loads, const HeatTime& time) {
  const double zero = setup.model->constants.absolute_zero.value_or(0);
  const double sigma = setup.model->constants.stefan_boltzmann.value_or(0);
  const auto at = [&](double value, std::int32_t amplitude) {
    return value * loads.factor(amplitude, time.step_time, time.total_time);
  };
  std::vector<FaceLoss> losses;
  for (const auto& [film, before] : loads.films()) {
    losses.push_back({film.element, film.face,
                      now(loads, before, film.coefficient, film.film_amplitude, time),
                      at(film.sink, film.amplitude), 0, 0});
  }
  for (const auto& [radiation, before] : loads.radiation()) {
    const double emissivity = now(loads, before, radiation.emissivity, radiation.emissivity_amplitude, time);
    const double around = at(radiation.ambient, radiation.amplitude) - zero;
    losses.push_back(
        {radiation.element, radiation.face, 0, 0, sigma * emissivity, around, emissivity, around});
  }
  return losses;
}

}  // namespace setka::analysis
