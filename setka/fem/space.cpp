// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/fem/space.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <numeric>

#include <fmt/core.h>

#include "setka/exec/parallel.hpp"
#include "setka/fem/corner_interpolation.hpp"

namespace setka::fem {
namespace {

constexpr std::size_t max_modes = 6;

std::size_t at(std::int32_t i) {
  return static_cast<std::size_t>(i);
}

struct Box {
  std::array<double, 3> low{};
  std::array<double, 3> high{};

  explicit Box(std::span<const double> coordinates) {
    for (std::size_t i = 0; i < coordinates.size(); ++i) {
      const double x = coordinates[i];
      low[i % 3] = i < 3 ? x : std::min(low[i % 3], x);
      high[i % 3] = i < 3 ? x : std::max(high[i % 3], x);
    }
  }

  double length() const {
    double length = 0;
    for (std::size_t i = 0; i < 3; ++i) length = std::max(length, (high[i] - low[i]) / 2);
    return length == 0 ? 1 : length;
  }
};

/// How a component at a place moves in each of the modes.
class Motions {
 public:
  Motions(const Region& region, int components)
      : components_(components), box_(region.coordinates), length_(box_.length()) {}

  int count() const { return components_ == 3 ? 6 : (components_ == 2 ? 3 : components_); }

  std::array<double, max_modes> of(std::span<const double, 3> x, std::size_t component) const {
    std::array<double, max_modes> moved{};
    moved[component] = 1;
    std::array<double, 3> arm{};
    for (std::size_t i = 0; i < 3; ++i) arm[i] = (x[i] - (box_.low[i] + box_.high[i]) / 2) / length_;
    if (components_ == 2) moved[2] = component == 0 ? -arm[1] : arm[0];
    if (components_ == 3) {
      moved[3 + (component + 1) % 3] = arm[(component + 2) % 3];
      moved[3 + (component + 2) % 3] = -arm[(component + 1) % 3];
    }
    return moved;
  }

 private:
  int components_;
  Box box_;
  double length_;
};

}  // namespace

Space::Space(const Region& region, int components, Constraints constraints,
             std::span<const std::int32_t> order) {
  require(components >= 1 && components <= max_components,
          [&] { return fmt::format("Space: {} components; 1 to {} are right", components, max_components); });
  require(constraints.dof_count() == components * region.node_count(), [&] {
    return fmt::format("Space: {} degrees of freedom for {} nodes; {} a node are right",
                       constraints.dof_count(), region.node_count(), components);
  });
  auto data = std::make_shared<Data>();
  data->region = region;
  data->components = components;
  data->constraints = std::move(constraints);
  number(*data, order);
  find_picks(*data);
  data_ = std::move(data);
}

Space Space::prescribing(const Constraints& constraints) const {
  require(constraints.dof_count() == this->constraints().dof_count() &&
              constraints.unknown_count() == unknown_count(),
          "Space: constraints of other unknowns were given");
  auto data = std::make_shared<Data>(*data_);
  data->constraints = constraints;
  return Space(std::move(data));
}

void Space::number(Data& data, std::span<const std::int32_t> order) {
  const std::span<const std::int32_t> dofs = data.constraints.unknown_dofs();
  std::vector<std::int32_t> nodes;  // of the blocks
  for (const std::int32_t dof : dofs) {
    const std::int32_t node = dof / data.components;
    if (nodes.empty() || nodes.back() != node) nodes.push_back(node);
  }
  data.blocks = static_cast<std::int32_t>(nodes.size());
  std::vector<std::int32_t> block(nodes.size());  // of each of them
  std::iota(block.begin(), block.end(), 0);
  if (!order.empty()) {
    std::vector<std::int32_t> sorted = block;
    std::ranges::stable_sort(sorted, {}, [&](std::int32_t b) {
      const std::size_t node = at(nodes[at(b)]);
      return node < order.size() ? order[node] : std::numeric_limits<std::int32_t>::max();
    });
    for (std::size_t i = 0; i < sorted.size(); ++i) block[at(sorted[i])] = static_cast<std::int32_t>(i);
  }
  data.place.reserve(dofs.size());
  std::size_t current = 0;
  for (const std::int32_t dof : dofs) {
    if (nodes[current] != dof / data.components) ++current;
    data.place.push_back(data.components * block[current] + dof % data.components);
  }
}

void Space::find_picks(Data& data) {
  const Constraints& constraints = data.constraints;
  std::vector<std::int32_t> place_of_dof(at(constraints.dof_count()), -1);
  std::vector<std::int32_t> dof_of_place(at(data.components * data.blocks), -1);
  std::int32_t picked = 0;
  for (std::int32_t d = 0; d < constraints.dof_count(); ++d) {
    const auto row = constraints.row(d);
    if (row.empty()) continue;
    const std::int32_t place = data.place[at(row[0].index)];
    if (row.size() > 1 || row[0].coefficient != 1 || dof_of_place[at(place)] >= 0) return;
    dof_of_place[at(place)] = d;
    place_of_dof[at(d)] = place;
    ++picked;
  }
  data.picks = picked == constraints.unknown_count();
  if (!data.picks) return;
  data.place_of_dof = std::move(place_of_dof);
  data.dof_of_place = std::move(dof_of_place);
}

std::vector<double> Space::spread(std::span<const double> q) const {
  std::vector<double> blocked(static_cast<std::size_t>(size()), 0.0);
  for (std::size_t i = 0; i < q.size(); ++i) blocked[at(data_->place[i])] = q[i];
  return blocked;
}

std::vector<double> Space::collect(std::span<const double> blocked) const {
  std::vector<double> q(data_->place.size());
  for (std::size_t i = 0; i < q.size(); ++i) q[i] = blocked[at(data_->place[i])];
  return q;
}

double Space::length() const {
  return Box(region().coordinates).length();
}

NearNullspace Space::near_nullspace(const exec::Device& cpu) const {
  const Motions motions(region(), components());
  const auto components = static_cast<std::size_t>(this->components());
  const auto modes = static_cast<std::size_t>(motions.count());
  NearNullspace made{motions.count(), std::vector<double>(static_cast<std::size_t>(size()) * modes, 0.0),
                     std::vector<double>(3 * at(blocks()), 0.0)};
  if (picks()) {
    exec::host::for_each(cpu.threads(), blocks(), exec::host::serial_below, [&](std::int64_t block) {
      const auto b = static_cast<std::size_t>(block);
      for (std::size_t c = 0; c < components; ++c) {
        const std::size_t place = components * b + c;
        const std::int32_t dof = data_->dof_of_place[place];
        if (dof < 0) continue;
        const auto x = region().coordinates_of(dof / this->components());
        const auto moved = motions.of(x, at(dof) % components);
        std::copy_n(moved.begin(), modes, made.values.begin() + static_cast<std::ptrdiff_t>(modes * place));
        std::ranges::copy(x, made.coordinates.begin() + static_cast<std::ptrdiff_t>(3 * b));
      }
    });
    return made;
  }

  // The unknowns q that come nearest to a motion u, each by itself: q_j = sum T_dj u_d / sum T_dj^2.
  std::vector<double> met(at(blocks()), 0.0);  // how often a block was met
  std::vector<double> weight(static_cast<std::size_t>(size()), 0.0);
  for (std::int32_t node = 0; node < region().node_count(); ++node) {
    const auto x = region().coordinates_of(node);
    for (std::size_t c = 0; c < components; ++c) {
      const auto moved = motions.of(x, c);
      for (const Term& term : constraints().row(this->components() * node + static_cast<std::int32_t>(c))) {
        const std::size_t place = at(this->place(term));
        const std::size_t block = place / components;
        weight[place] += term.coefficient * term.coefficient;
        met[block] += 1;
        for (std::size_t k = 0; k < 3; ++k) made.coordinates[3 * block + k] += x[k];
        for (std::size_t m = 0; m < modes; ++m) made.values[modes * place + m] += term.coefficient * moved[m];
      }
    }
  }
  for (std::size_t place = 0; place < weight.size(); ++place) {
    if (weight[place] == 0) continue;
    for (std::size_t m = 0; m < modes; ++m) made.values[modes * place + m] /= weight[place];
  }
  for (std::size_t i = 0; i < made.coordinates.size(); ++i) {
    if (met[i / 3] > 0) made.coordinates[i] /= met[i / 3];
  }
  return made;
}

solve::AmgGeometry Space::amg_geometry(const exec::Device& cpu) const {
  NearNullspace modes = near_nullspace(cpu);
  return {modes.modes, std::move(modes.values), std::move(modes.coordinates),
          corner_interpolation(*this, cpu)};
}

}  // namespace setka::fem
