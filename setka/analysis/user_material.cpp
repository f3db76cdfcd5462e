// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/analysis/user_material.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include <fmt/core.h>

#include "setka/base/dense.hpp"
#include "setka/base/error.hpp"
#include "setka/fem/element_material.hpp"

namespace setka::analysis {
namespace {

/// Elasticity, [6, 6].
struct Matrix6 {
  std::array<double, 36> value{};

  double& operator()(std::size_t i, std::size_t j) { return value[6 * i + j]; }
  double operator()(std::size_t i, std::size_t j) const { return value[6 * i + j]; }
  ConstDenseView view() const { return {value.data(), 6, 6, 6, 1}; }
};
using Vector6 = std::array<double, 6>;

/// Upper triangle column by column: 11, 12, 22, 13, 23, 33, ...
void fill_upper(Matrix6& d, std::size_t size, std::span<const double> values) {
  std::size_t k = 0;
  for (std::size_t j = 0; j < size; ++j) {
    for (std::size_t i = 0; i <= j; ++i) d(i, j) = d(j, i) = values[k++];
  }
}

Matrix6 engineering(std::span<const double> c) {
  Dense s(6, 6);
  s(0, 0) = 1 / c[0];
  s(1, 1) = 1 / c[1];
  s(2, 2) = 1 / c[2];
  s(0, 1) = s(1, 0) = -c[3] / c[0];
  s(0, 2) = s(2, 0) = -c[4] / c[0];
  s(1, 2) = s(2, 1) = -c[5] / c[1];
  s(3, 3) = 1 / c[6];
  s(4, 4) = 1 / c[7];
  s(5, 5) = 1 / c[8];
  Matrix6 d;
  copy(solution(s, Dense::identity(6)), {d.value.data(), 6, 6, 6, 1});
  return d;
}

/// Whether all pivots are positive.
bool is_definite(Matrix6 d) {
  for (std::size_t k = 0; k < 6; ++k) {
    if (!(d(k, k) > 0)) return false;
    for (std::size_t i = k + 1; i < 6; ++i) {
      for (std::size_t j = k + 1; j <= i; ++j) d(i, j) -= d(i, k) * d(j, k) / d(k, k);
    }
  }
  return true;
}

/// Constants that are stiffnesses may leave strains without any, as those of a fluid do, which resists a
/// change of volume alone: inertia holds it in a motion. Moduli may not.
bool is_elastic(const Matrix6& d, model::ElasticKind kind) {
  if (is_definite(d)) return true;
  if (kind == model::ElasticKind::isotropic || kind == model::ElasticKind::engineering_constants)
    return false;
  const std::vector<double> values = eigenvalues(d.view());
  return values[5] > 0 && values[0] >= -1e-12 * values[5];
}

std::size_t constants_of(model::ElasticKind kind) {
  switch (kind) {
    case model::ElasticKind::isotropic:
      return 2;
    case model::ElasticKind::anisotropic:
      return 21;
    default:
      return 9;
  }
}

/// Coefficient of expansion in the three axes and shear, engineering shear.
Vector6 expansion_at(const model::Material& material, double temperature) {
  const std::vector<double> c = interpolate(material.expansion, temperature);
  switch (material.expansion_kind) {
    case model::TensorKind::isotropic:
      return {c.at(0), c.at(0), c.at(0), 0, 0, 0};
    case model::TensorKind::orthotropic:
      return {c.at(0), c.at(1), c.at(2), 0, 0, 0};
    case model::TensorKind::anisotropic:
      return {c.at(0), c.at(1), c.at(2), 2 * c.at(3), 2 * c.at(4), 2 * c.at(5)};
  }
  return {};
}

}  // namespace

std::vector<double> interpolate(const model::Table& table, double temperature) {
  SETKA_ASSERT(!table.empty());
  if (table.size() == 1 || temperature <= table.front().temperature) return table.front().values;
  for (std::size_t i = 1; i < table.size(); ++i) {
    const model::TableRow& above = table[i];
    const model::TableRow& below = table[i - 1];
    if (temperature > above.temperature) continue;
    const double share = (temperature - below.temperature) / (above.temperature - below.temperature);
    std::vector<double> values(below.values.size());
    for (std::size_t k = 0; k < values.size(); ++k)
      values[k] = below.values[k] + share * (above.values[k] - below.values[k]);
    return values;
  }
  return table.back().values;
}

std::array<double, 36> elastic_matrix(const model::Model& model, const model::Material& material,
                                      double temperature) {
  if (material.elastic.empty()) {
    throw Error(Fault::input, fmt::format("material {} has no elastic constants", material.name),
                "add *ELASTIC", model.source(material.line));
  }
  const std::vector<double> c = interpolate(material.elastic, temperature);
  if (c.size() < constants_of(material.elastic_kind)) {
    throw Error(Fault::input,
                fmt::format("material {} has {} elastic constants, {} are needed", material.name, c.size(),
                            constants_of(material.elastic_kind)),
                "complete *ELASTIC", model.source(material.line));
  }
  Matrix6 d;
  switch (material.elastic_kind) {
    case model::ElasticKind::isotropic:
      d = Matrix6{fem::isotropic_elasticity(c[0], c[1])};
      break;
    case model::ElasticKind::orthotropic:
      fill_upper(d, 3, c);
      for (std::size_t i = 0; i < 3; ++i) d(i + 3, i + 3) = c[i + 6];
      break;
    case model::ElasticKind::engineering_constants:
      d = engineering(c);
      break;
    case model::ElasticKind::anisotropic:
      fill_upper(d, 6, c);
      break;
  }
  const bool finite = std::ranges::all_of(d.value, [](double value) { return std::isfinite(value); });
  if (!finite || !is_elastic(d, material.elastic_kind)) {
    throw Error(Fault::input,
                fmt::format("the elastic constants of material {} are not positive definite", material.name),
                "check *ELASTIC: moduli are positive, and Poisson's number is between -1 and 0.5",
                model.source(material.line));
  }
  return d.value;
}

std::array<double, 6> thermal_strain(const model::Material& material, double initial_temperature,
                                     double temperature) {
  std::array<double, 6> strain{};
  if (material.expansion.empty()) return strain;
  const double zero = material.expansion_zero;
  const Vector6 now = expansion_at(material, temperature);
  const Vector6 before = expansion_at(material, initial_temperature);
  for (std::size_t i = 0; i < 6; ++i)
    strain[i] = now[i] * (temperature - zero) - before[i] * (initial_temperature - zero);
  return strain;
}

double density(const model::Model& model, const model::Material& material, double temperature) {
  if (material.density.empty()) {
    throw Error(Fault::input, fmt::format("material {} has no density", material.name), "add *DENSITY",
                model.source(material.line));
  }
  return interpolate(material.density, temperature).at(0);
}

std::array<double, 36> stress_rotation(const model::Axes& axes) {
  constexpr std::array<std::array<std::size_t, 2>, 6> pair{{{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}}};
  std::array<double, 36> m{};
  for (std::size_t row = 0; row < 6; ++row) {
    const auto [i, j] = pair[row];
    for (std::size_t column = 0; column < 6; ++column) {
      const auto [k, l] = pair[column];
      // global s_ij = sum over local k, l of a_ki a_lj s_kl; the two equal shear components together.
      m[6 * row + column] = axes[k][i] * axes[l][j] + (k == l ? 0.0 : axes[l][i] * axes[k][j]);
    }
  }
  return m;
}

std::array<double, 36> rotate_stiffness(const std::array<double, 36>& d, const model::Axes& axes) {
  const std::array<double, 36> m = stress_rotation(axes);
  std::array<double, 36> turned{};  // M D M'
  for (std::size_t i = 0; i < 6; ++i) {
    Vector6 md{};
    for (std::size_t k = 0; k < 6; ++k) {
      for (std::size_t j = 0; j < 6; ++j) md[j] += m[6 * i + k] * d[6 * k + j];
    }
    for (std::size_t j = 0; j < 6; ++j) {
      for (std::size_t k = 0; k < 6; ++k) turned[6 * i + j] += md[k] * m[6 * j + k];
    }
  }
  return turned;
}

std::array<double, 6> rotate_strain(const std::array<double, 6>& strain, const model::Axes& axes) {
  // Strains with engineering shear turn by the inverse transpose of what turns stresses: M of the inverse
  // rotation.
  model::Axes back;
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) back[i][j] = axes[j][i];
  }
  const std::array<double, 36> rotation = stress_rotation(back);
  std::array<double, 6> turned{};
  for (std::size_t k = 0; k < 6; ++k) {
    for (std::size_t i = 0; i < 6; ++i) turned[i] += rotation[6 * k + i] * strain[k];
  }
  return turned;
}

}  // namespace setka::analysis
