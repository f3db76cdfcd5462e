// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/analysis/attraction.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "setka/exec/device.hpp"
#include "setka/exec/parallel.hpp"
#include "setka/fem/element.hpp"

namespace setka::analysis {
namespace {

bool attracts(const model::DistributedLoad& load) {
  return load.kind == model::DistributedKind::attraction;
}

/// An element that pulls the others.
struct Body {
  std::int32_t element;
  double factor;
  double mass;
  std::array<double, 3> centre;
  std::vector<double> x;  // [nodes, 3] where it is
  std::size_t points;
};

Body body_of(const Setup& setup, const ElementState& state, std::int32_t element, double factor,
             std::span<const double> u) {
  const fem::Element type = setup.solids.type[static_cast<std::size_t>(element)];
  const auto points = static_cast<std::size_t>(fem::point_count(type));
  Body body{element, factor, 0, {}, {}, points};
  element_coordinates(setup.solids, element, body.x);
  if (!u.empty()) {
    std::vector<double> moved;
    element_values(setup.solids, element, u, moved);
    for (std::size_t i = 0; i < moved.size(); ++i) body.x[i] += moved[i];
  }
  std::vector<double> volume(points);
  fem::point_volumes(type, body.x, volume);
  std::vector<double> at(3 * points);
  fem::point_coordinates(type, body.x, at);
  double total = 0;
  for (std::size_t p = 0; p < points; ++p) {
    total += volume[p];
    for (std::size_t k = 0; k < 3; ++k) body.centre[k] += volume[p] * at[3 * p + k];
  }
  for (double& coordinate : body.centre) coordinate /= total;
  body.mass = total * state.density(element);
  return body;
}

/// Acceleration of a body by all others.
std::array<double, 3> pull(const std::vector<Body>& bodies, const Body& own) {
  std::array<double, 3> sum{};
  for (const Body& other : bodies) {
    if (other.element == own.element) continue;
    std::array<double, 3> arm{};
    double square = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      arm[k] = other.centre[k] - own.centre[k];
      square += arm[k] * arm[k];
    }
    const double by = other.mass / (square * std::sqrt(square));
    for (std::size_t k = 0; k < 3; ++k) sum[k] += by * arm[k];
  }
  return sum;
}

}  // namespace

bool has_attraction(const LoadState& loads) {
  return std::ranges::any_of(loads.distributed_loads(), attracts);
}

void add_attraction(const Setup& setup, const LoadState& loads, const ElementState& state,
                    const LoadFactor& factor, std::span<const double> u, std::vector<double>& applied) {
  const int threads = exec::Device::cpu().threads();
  std::vector<Body> bodies;
  refuse_parts(setup, "*DLOAD, NEWTON");
  for (const model::DistributedLoad& load : loads.distributed_loads()) {
    if (!attracts(load) || setup.is_spring(load.element)) continue;
    const double by = load.value * factor(load.amplitude, load.imaginary);
    if (by != 0) bodies.push_back(body_of(setup, state, load.element, by, u));
  }
  const double constant = setup.model->constants.newton_gravity.value_or(0);
  std::vector<std::vector<double>> forces(bodies.size());
  exec::host::for_each(threads, static_cast<std::int64_t>(bodies.size()), 1, [&](std::int64_t index) {
    const Body& body = bodies[static_cast<std::size_t>(index)];
    const fem::Element type = setup.solids.type[static_cast<std::size_t>(body.element)];
    const double density = state.density(body.element);
    const std::array<double, 3> pulled = pull(bodies, body);
    std::vector<double> by_volume;
    for (std::size_t p = 0; p < body.points; ++p) {
      for (const double by : pulled) by_volume.push_back(body.factor * constant * density * by);
    }
    std::vector<double>& own = forces[static_cast<std::size_t>(index)];
    own.assign(body.x.size(), 0.0);
    fem::body_force(type, body.x, by_volume, own);
  });
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const auto nodes = setup.solids.nodes(bodies[b].element);
    for (std::size_t d = 0; d < forces[b].size(); ++d)
      applied[3 * static_cast<std::size_t>(nodes[d / 3]) + d % 3] += forces[b][d];
  }
}

}  // namespace setka::analysis
