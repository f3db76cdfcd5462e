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
#include "setka/fem/space_kernel.hpp"

namespace setka::fem {
namespace {

constexpr std::size_t max_modes = 6;

std::size_t at(std::int32_t i) {
  return static_cast<std::size_t>(i);
}

/// Half the longest side of a region's box; 1 where all nodes are in one place.
double length_of(const std::array<double, 6>& box) {
  double length = 0;
  for (std::size_t i = 0; i < 3; ++i) length = std::max(length, (box[3 + i] - box[i]) / 2);
  return length == 0 ? 1 : length;
}

kernel::Motions motions_of(const Region& region, int components) {
  const std::array<double, 6> box = region.box();
  kernel::Motions motions{components, {}, length_of(box)};
  for (std::size_t i = 0; i < 3; ++i) motions.middle[i] = (box[i] + box[3 + i]) / 2;
  return motions;
}

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

std::vector<double> Space::restrict_forces(std::span<const double> f, const exec::Device& cpu) const {
  if (!picks()) return spread(constraints().restrict_forces(f));
  std::vector<double> blocked(static_cast<std::size_t>(size()));
  exec::host::for_each(cpu.threads(), size(), exec::host::serial_below, [&](std::int64_t place) {
    const std::int32_t dof = data_->dof_of_place[static_cast<std::size_t>(place)];
    blocked[static_cast<std::size_t>(place)] = dof >= 0 ? f[at(dof)] : 0.0;
  });
  return blocked;
}

std::vector<double> Space::expand(std::span<const double> blocked, const exec::Device& cpu) const {
  if (!picks()) return constraints().expand(collect(blocked));
  const std::span<const double> shift = constraints().shifts();
  std::vector<double> u(shift.size());
  exec::host::for_each(cpu.threads(), constraints().dof_count(), exec::host::serial_below,
                       [&](std::int64_t dof) {
                         const auto d = static_cast<std::size_t>(dof);
                         const std::int32_t place = data_->place_of_dof[d];
                         u[d] = shift[d] + (place >= 0 ? blocked[at(place)] : 0.0);
                       });
  return u;
}

double Space::length() const {
  return length_of(region().box());
}

NearNullspace Space::near_nullspace(const exec::Device& device) const {
  const kernel::Motions motions = motions_of(region(), components());
  if (picks()) {
    const exec::Array<std::int32_t> dof(device, dof_of_place());
    const exec::Array<double> coordinates(device, region().coordinates);
    NearNullspace made{motions.count(), exec::Array<double>(device, size() * motions.count())};
    exec::parallel_for(device, size(),
                       kernel::ModesOfPlace{motions, dof.data(), coordinates.data(), made.values.data()});
    return made;
  }

  // The unknowns q that come nearest to a motion u, each by itself: q_j = sum T_dj u_d / sum T_dj^2.
  const auto modes = static_cast<std::size_t>(motions.count());
  std::vector<double> values(static_cast<std::size_t>(size()) * modes, 0.0);
  std::vector<double> weight(static_cast<std::size_t>(size()), 0.0);
  std::array<double, max_modes> moved{};
  for (std::int32_t d = 0; d < constraints().dof_count(); ++d) {
    motions.of(region().coordinates_of(d / components()).data(), d % components(), moved.data());
    for (const Term& term : constraints().row(d)) {
      const std::size_t place = at(this->place(term));
      weight[place] += term.coefficient * term.coefficient;
      for (std::size_t m = 0; m < modes; ++m) values[modes * place + m] += term.coefficient * moved[m];
    }
  }
  for (std::size_t place = 0; place < weight.size(); ++place) {
    if (weight[place] == 0) continue;
    for (std::size_t m = 0; m < modes; ++m) values[modes * place + m] /= weight[place];
  }
  return {motions.count(), exec::Array<double>(device, values)};
}

std::vector<double> Space::block_coordinates(const exec::Device& cpu) const {
  const auto components = static_cast<std::size_t>(this->components());
  std::vector<double> middle(3 * at(blocks()), 0.0);
  if (picks()) {
    exec::host::for_each(cpu.threads(), blocks(), exec::host::serial_below, [&](std::int64_t block) {
      const auto b = static_cast<std::size_t>(block);
      for (std::size_t c = 0; c < components; ++c) {
        const std::int32_t dof = data_->dof_of_place[components * b + c];
        if (dof >= 0)
          std::ranges::copy(region().coordinates_of(dof / this->components()),
                            middle.begin() + static_cast<std::ptrdiff_t>(3 * b));
      }
    });
    return middle;
  }

  // In the middle of what moves with a block.
  std::vector<double> met(at(blocks()), 0.0);
  for (std::int32_t d = 0; d < constraints().dof_count(); ++d) {
    const auto x = region().coordinates_of(d / this->components());
    for (const Term& term : constraints().row(d)) {
      const std::size_t block = at(place(term)) / components;
      met[block] += 1;
      for (std::size_t k = 0; k < 3; ++k) middle[3 * block + k] += x[k];
    }
  }
  for (std::size_t i = 0; i < middle.size(); ++i) {
    if (met[i / 3] > 0) middle[i] /= met[i / 3];
  }
  return middle;
}

solve::AmgGeometry Space::amg_geometry(const exec::Device& cpu) const {
  solve::AmgGeometry geometry = amg_motions(cpu);
  geometry.first = corner_interpolation(*this, cpu);
  return geometry;
}

solve::AmgGeometry Space::amg_motions(const exec::Device& cpu) const {
  const int modes = motions_of(region(), components()).count();
  return {modes,
          {size() * modes,
           [space = *this](const exec::Device& device) { return space.near_nullspace(device).values; }},
          block_coordinates(cpu),
          {}};
}

}  // namespace setka::fem
