// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/fem/law_material.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "setka/base/dense.hpp"
#include "setka/base/error.hpp"

namespace setka::fem {

std::string_view name(Law law) {
  switch (law) {
#define SETKA_CASE(name, ...) \
  case Law::name:             \
    return #name;
    SETKA_LAWS(SETKA_CASE)
#undef SETKA_CASE
  }
  return {};
}

ElementMaterial LawMaterial::small_strains() const {
  ElementMaterial made;
  made.density = density;
  with_law(law, [&]<template <class> class Own>() {
    const auto own = Own<double>::of([&](int i) { return constants[static_cast<std::size_t>(i)]; });
    const std::vector<double> fresh(static_cast<std::size_t>(Own<double>::history_size), 0.0);
    const kernel::History<double> history{fresh.data(), nullptr};
    const std::array<double, 9> none{};
    for (std::size_t j = 0; j < 6; ++j) {
      std::array<double, 6> de{};
      std::array<double, 6> ds{};
      de[j] = j < 3 ? 1 : 0.5;
      own.tangent(none.data(), none.data(), history, de.data(), ds.data());
      for (std::size_t i = 0; i < 6; ++i) made.d[6 * i + j] = ds[i];
    }
  });
  return made;
}

double LawMaterial::small_shear() const {
  const std::array<double, 36> d = small_strains().d;
  return (d[0] + d[7] + d[14] - d[1] - d[2] - d[8] + 3 * (d[21] + d[28] + d[35])) / 15;
}

double LawMaterial::small_bulk() const {
  const std::array<double, 36> d = small_strains().d;
  return (d[0] + d[7] + d[14] + 2 * (d[1] + d[2] + d[8])) / 9;
}

namespace {

/// Whether every small strain costs energy.
bool is_stable(const LawMaterial& material) {
  const std::array<double, 36> values = material.small_strains().d;
  Dense d(6, 6);
  for (std::size_t i = 0; i < 36; ++i) {
    if (!std::isfinite(values[i])) return false;
    d(static_cast<std::int64_t>(i / 6), static_cast<std::int64_t>(i % 6)) = values[i];
  }
  return DenseCholesky(std::move(d)).definite();
}

}  // namespace

void check(const LawMaterial& material) {
  with_law(material.law, [&]<template <class> class Own>() {
    require(material.constants.size() == static_cast<std::size_t>(Own<double>::constants), [&] {
      return fmt::format("material: {} constants for the law {}, which has {}", material.constants.size(),
                         name(material.law), Own<double>::constants);
    });
  });
  if (!is_stable(material)) {
    throw Error(
        Fault::input,
        fmt::format("material: some small strain costs no energy by the law {}, whose mean shear modulus is "
                    "{:g} and bulk modulus {:g}",
                    name(material.law), material.small_shear(), material.small_bulk()),
        "its elasticity has to be positive definite: of E and nu, E > 0 and -1 < nu < 0.5; of C10, C01 and "
        "D1, C10 + C01 > 0 and D1 > 0");
  }
  if (!(material.density > 0 && std::isfinite(material.density))) {
    throw Error(Fault::input, fmt::format("material: the density is {:g}", material.density),
                "explicit dynamics needs a positive density");
  }
}

namespace {

LawMaterial checked(Law law, std::vector<double> constants, double density) {
  LawMaterial made{law, std::move(constants), density};
  check(made);
  return made;
}

}  // namespace

LawMaterial linear_elastic(const std::array<double, 36>& d, double density) {
  return checked(Law::linear_elastic, {d.begin(), d.end()}, density);
}

LawMaterial saint_venant_kirchhoff(double young, double poisson, double density) {
  return checked(Law::saint_venant_kirchhoff,
                 {young * poisson / ((1 + poisson) * (1 - 2 * poisson)), young / (2 * (1 + poisson))},
                 density);
}

LawMaterial neo_hooke(double c10, double d1, double density) {
  return mooney_rivlin(c10, 0, d1, density);
}

LawMaterial mooney_rivlin(double c10, double c01, double d1, double density) {
  return checked(Law::mooney_rivlin, {c10, c01, 2 / d1}, density);
}

}  // namespace setka::fem
