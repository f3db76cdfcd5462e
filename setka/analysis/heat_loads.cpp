// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/analysis/heat_loads.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <set>

#include "setka/analysis/element_batches.hpp"
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

/// Of heat by volume in a solid.
void body_flux(const Setup& setup, std::int32_t solid, double value, std::vector<double>& own) {
  const fem::Element type = setup.solids.type[static_cast<std::size_t>(solid)];
  own.assign(setup.solids.nodes(solid).size(), 0.0);
  thread_local std::vector<double> x;
  element_coordinates(setup.solids, solid, x);
  const auto points = static_cast<std::size_t>(fem::point_count(type));
  thread_local std::vector<double> volume;
  thread_local std::vector<double> shape;
  volume.resize(points);
  shape.resize(points * own.size());
  fem::point_volumes(type, x, volume);
  fem::point_shape_values(type, shape);
  for (std::size_t p = 0; p < points; ++p) {
    for (std::size_t i = 0; i < own.size(); ++i) own[i] += value * volume[p] * shape[p * own.size() + i];
  }
}

/// Heat that an element's nodes take in; own: [Solids::loaded_nodes()].
void flux_on_nodes(const Setup& setup, const model::DistributedFlux& flux, double value,
                   std::vector<double>& own) {
  const Solids& solids = setup.solids;
  const Whole* const whole = solids.whole(flux.element);
  if (flux.face < 0 && whole == nullptr) {
    body_flux(setup, flux.element, value, own);
    return;
  }
  const auto nodes = solids.loaded_nodes(flux.element);
  own.assign(nodes.size(), 0.0);
  if (flux.face >= 0) {
    thread_local std::vector<double> x;
    loaded_coordinates(solids, flux.element, x);
    const int face = flux.face + solids.first_face[static_cast<std::size_t>(flux.element)];
    for (const fem::FacePoint& point : fem::face_points(solids.loaded_type(flux.element), face, x)) {
      const double heat = value * length_of(point.area);
      for (std::size_t i = 0; i < point.nodes.size(); ++i)
        own[static_cast<std::size_t>(point.nodes[i])] += heat * point.shape[i];
    }
    return;
  }
  // Of each part at its own nodes, which have what the whole has there.
  std::vector<double> of_part;
  const auto add_part = [&](std::int32_t part) {
    body_flux(setup, part, value, of_part);
    const auto part_nodes = solids.nodes(part);
    for (std::size_t i = 0; i < part_nodes.size(); ++i) {
      const auto found = std::ranges::lower_bound(solids.part_nodes, part_nodes[i], {}, &PartNode::node);
      for (const fem::Term& share : found->share) {
        const auto place = std::ranges::find(nodes, share.index) - nodes.begin();
        own[static_cast<std::size_t>(place)] += share.coefficient * of_part[i];
      }
    }
  };
  add_part(flux.element);
  const auto [first, last] = solids.further_parts(flux.element);
  for (std::int32_t part = first; part < last; ++part) add_part(part);
}

/// At the corner of a shell with a middle as forces are: -1/2 below, 2 amid, -1/2 above; of a membrane half
/// of it below and half above.
void add_point_flux(const Solids& solids, std::int32_t node, double value, std::vector<double>& sources) {
  const ExpandedNode* const expanded = solids.expanded_node(node);
  if (expanded != nullptr && expanded->hinged) {
    for (const std::size_t i : {0U, 1U}) sources[static_cast<std::size_t>(expanded->turning[i])] += value / 2;
    return;
  }
  if (expanded == nullptr || expanded->middle < 0) {
    sources[static_cast<std::size_t>(node)] += value;
    return;
  }
  sources[static_cast<std::size_t>(expanded->middle)] += 2 * value;
  for (const std::int32_t copy : expanded->turning) sources[static_cast<std::size_t>(copy)] -= value / 2;
}

}  // namespace

std::vector<HeatSource> heat_sources(const LoadState& loads) {
  std::set<HeatSource> sources;
  const auto take = [&](const auto& fluxes) {
    for (const auto& [flux, before] : fluxes) {
      sources.insert({flux.amplitude, false});
      if (flux.amplitude < 0 && before != 0) sources.insert({flux.amplitude, true});
    }
  };
  take(loads.point_fluxes());
  take(loads.distributed_fluxes());
  return {sources.begin(), sources.end()};
}

double factor_of(const HeatSource& source, const LoadState& loads, const HeatTime& time) {
  return now(loads, source.before ? 1 : 0, source.before ? 0 : 1, source.amplitude, time);
}

std::vector<double> heat_of(const HeatSource& source, const Setup& setup, const LoadState& loads, int threads,
                            std::span<const std::int8_t> of_elements) {
  std::vector<double> heat(static_cast<std::size_t>(setup.solids.node_count()), 0.0);
  const auto value_of = [&](const auto& flux, double before) {
    if (flux.amplitude != source.amplitude) return 0.0;
    return source.before ? before : flux.value;
  };
  for (const auto& [flux, before] : loads.point_fluxes()) {
    add_point_flux(setup.solids, flux.node,
                   setup.solids.force_share[static_cast<std::size_t>(flux.node)] * value_of(flux, before),
                   heat);
  }
  const auto& fluxes = loads.distributed_fluxes();
  const auto compute = [&](std::int32_t i, std::vector<double>& own) {
    const auto& [flux, before] = fluxes[static_cast<std::size_t>(i)];
    own.clear();
    if (!of_elements.empty() && of_elements[static_cast<std::size_t>(flux.element)] == 0) return;
    const double value = value_of(flux, before);
    if (value != 0) flux_on_nodes(setup, flux, value, own);
  };
  sum_over_elements(threads, static_cast<std::int32_t>(fluxes.size()), compute,
                    [&](std::int32_t i, const std::vector<double>& own, const NodeShare& share) {
                      if (own.empty()) return;
                      const auto nodes =
                          setup.solids.loaded_nodes(fluxes[static_cast<std::size_t>(i)].load.element);
                      for (std::size_t k = 0; k < nodes.size(); ++k) {
                        if (share.has(nodes[k])) heat[static_cast<std::size_t>(nodes[k])] += own[k];
                      }
                    });
  return heat;
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
  losses.reserve(loads.films().size() + loads.radiation().size());
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

std::vector<std::int32_t> amplitudes_of_losses(const LoadState& loads) {
  std::set<std::int32_t> amplitudes;
  for (const auto& [film, before] : loads.films()) amplitudes.insert({film.amplitude, film.film_amplitude});
  for (const auto& [radiation, before] : loads.radiation())
    amplitudes.insert({radiation.amplitude, radiation.emissivity_amplitude});
  amplitudes.erase(-1);
  return {amplitudes.begin(), amplitudes.end()};
}

}  // namespace setka::analysis
