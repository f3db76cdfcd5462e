// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/analysis/participation.hpp"

#include <algorithm>

#include "setka/exec/array.hpp"
#include "setka/exec/parallel.hpp"
#include "setka/model/attributes.hpp"
#include "setka/model/local_system.hpp"

namespace setka::analysis {
namespace {

constexpr std::size_t motions = 6;
constexpr std::int64_t piece = 4096;  // unknowns whose shares a thread sums up

/// The displacement of a place in a rigid motion.
std::array<double, 3> rigid_displacement(std::size_t motion, std::span<const double, 3> x) {
  switch (motion) {
    case 3:
      return {0, -x[2], x[1]};
    case 4:
      return {x[2], 0, -x[0]};
    case 5:
      return {-x[1], x[0], 0};
    default: {
      std::array<double, 3> u{};
      u[motion] = 1;
      return u;
    }
  }
}

/// M r, [places, 6] on the host.
std::vector<double> product(const solve::Operator& mass, const std::vector<double>& r) {
  const exec::Device& device = mass.device();
  const std::int64_t rows = mass.rows();
  const exec::MultiVector<double> x(device, rows, motions, r);
  exec::MultiVector<double> y(device, rows, motions);
  mass.apply(device, x, y);
  return y.values().to_vector();
}

}  // namespace

std::vector<double> rigid_motions(const Setup& setup, const fem::Constraints& of_users,
                                  const fem::Space& space, int threads) {
  const model::Model& model = *setup.model;
  const std::vector<std::int32_t> transform_of = model::transforms_of_nodes(model);
  const std::span<const std::int32_t> dofs = of_users.unknown_dofs();
  std::vector<double> r(static_cast<std::size_t>(space.size()) * motions, 0.0);
  exec::host::for_each(
      threads, static_cast<std::int64_t>(dofs.size()), exec::host::serial_below, [&](std::int64_t unknown) {
        const auto q = static_cast<std::size_t>(unknown);
        const std::int32_t node = dofs[q] / 3;
        if (node >= std::min(model.mesh.node_count(), setup.imaginary_nodes)) return;
        const std::int32_t transform = transform_of[static_cast<std::size_t>(node)];
        for (std::size_t motion = 0; motion < motions; ++motion) {
          std::array<double, 3> u = rigid_displacement(motion, model.mesh.coordinates(node));
          if (transform >= 0) {
            const model::LocalSystem& system = model.transforms[static_cast<std::size_t>(transform)].system;
            u = model::to_local(model::axes_at(system, model.mesh.coordinates(node)),
                                std::span<const double, 3>(u));
          }
          r[static_cast<std::size_t>(space.places()[q]) * motions + motion] =
              u[static_cast<std::size_t>(dofs[q] % 3)];
        }
      });
  return r;
}

Participation participation_factors(const Setup& setup, const fem::Constraints& of_users,
                                    const fem::Space& space, const solve::Operator& mass,
                                    std::span<const double> shapes, std::size_t modes, int threads) {
  const std::vector<double> r = rigid_motions(setup, of_users, space, threads);
  const std::vector<double> mr = product(mass, r);
  // Sums over pieces of the unknowns, then over the pieces: [pieces, modes + 1, 6], the last for the masses.
  const auto unknowns = static_cast<std::int64_t>(space.places().size());
  const std::int64_t pieces = (unknowns + piece - 1) / piece;
  const std::size_t width = (modes + 1) * motions;
  std::vector<double> sums(static_cast<std::size_t>(pieces) * width, 0.0);
  exec::host::for_each(threads, pieces, 1, [&](std::int64_t p) {
    double* const sum = sums.data() + static_cast<std::size_t>(p) * width;
    const std::int64_t end = std::min(unknowns, (p + 1) * piece);
    for (auto q = static_cast<std::size_t>(p * piece); q < static_cast<std::size_t>(end); ++q) {
      const std::size_t at = static_cast<std::size_t>(space.places()[q]) * motions;
      const double* const shape = shapes.data() + q * modes;
      for (std::size_t j = 0; j < modes; ++j) {
        for (std::size_t i = 0; i < motions; ++i) sum[j * motions + i] += shape[j] * mr[at + i];
      }
      for (std::size_t i = 0; i < motions; ++i) sum[modes * motions + i] += r[at + i] * mr[at + i];
    }
  });
  Participation result;
  result.factors.resize(modes);
  for (std::size_t k = 0; k < sums.size(); ++k) {
    const std::size_t j = k % width / motions;
    (j < modes ? result.factors[j] : result.total_mass)[k % motions] += sums[k];
  }
  return result;
}

}  // namespace setka::analysis
