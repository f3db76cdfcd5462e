// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/analysis/participation.hpp"

#include "setka/model/attributes.hpp"
#include "setka/model/local_system.hpp"

namespace setka::analysis {
namespace {

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

/// r: [unknowns], a rigid motion in the directions of the unknowns. Those that no node of the mesh has, such
/// as changes of thickness, stay at rest.
std::vector<double> rigid_motion(const Setup& setup, const fem::Constraints& of_users,
                                 std::span<const std::int32_t> transform_of, std::size_t motion) {
  const model::Model& model = *setup.model;
  const std::span<const std::int32_t> dofs = of_users.unknown_dofs();
  std::vector<double> r(dofs.size(), 0.0);
  for (std::size_t q = 0; q < dofs.size(); ++q) {
    const std::int32_t node = dofs[q] / 3;
    if (node >= model.mesh.node_count()) continue;
    std::array<double, 3> u = rigid_displacement(motion, model.mesh.coordinates(node));
    if (const std::int32_t transform = transform_of[static_cast<std::size_t>(node)]; transform >= 0) {
      const model::LocalSystem& system = model.transforms[static_cast<std::size_t>(transform)].system;
      u = model::to_local(model::axes_at(system, model.mesh.coordinates(node)),
                          std::span<const double, 3>(u));
    }
    r[q] = u[static_cast<std::size_t>(dofs[q] % 3)];
  }
  return r;
}

std::vector<double> product(const sparse::SymmetricCsr& a, const std::vector<double>& x) {
  std::vector<double> y(x.size(), 0.0);
  for (std::size_t i = 0; i < x.size(); ++i) {
    for (std::int64_t l = a.offset[i]; l < a.offset[i + 1]; ++l) {
      const auto j = static_cast<std::size_t>(a.column[static_cast<std::size_t>(l)]);
      const double value = a.value[static_cast<std::size_t>(l)];
      y[i] += value * x[j];
      if (j != i) y[j] += value * x[i];
    }
  }
  return y;
}

}  // namespace

Participation participation_factors(const Setup& setup, const fem::Constraints& of_users,
                                    const sparse::SymmetricCsr& m, std::span<const double> shapes,
                                    std::size_t modes) {
  Participation result;
  result.factors.resize(modes);
  const std::vector<std::int32_t> transform_of = model::transforms_of_nodes(*setup.model);
  for (std::size_t motion = 0; motion < 6; ++motion) {
    const std::vector<double> r = rigid_motion(setup, of_users, transform_of, motion);
    const std::vector<double> mr = product(m, r);
    for (std::size_t q = 0; q < r.size(); ++q) {
      result.total_mass[motion] += r[q] * mr[q];
      for (std::size_t j = 0; j < modes; ++j) result.factors[j][motion] += shapes[q * modes + j] * mr[q];
    }
  }
  return result;
}

}  // namespace setka::analysis
