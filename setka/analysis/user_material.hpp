// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <span>
#include <vector>

#include "setka/model/local_system.hpp"
#include "setka/model/model.hpp"

namespace setka::analysis {

/// Values of a table at a temperature: linear between rows, constant outside.
std::vector<double> interpolate(const model::Table& table, double temperature);

/// [6 x 6] in the axes of the material, stresses xx yy zz xy xz yz from strains with engineering shear.
/// Throws Error(Fault::input) with the material's line where it has no elastic constants or they are not
/// positive definite.
std::array<double, 36> elastic_matrix(const model::Model& model, const model::Material& material,
                                      double temperature);

/// Strain of expansion from the temperature where there was none to the present one, engineering shear, in
/// the axes of the material; zero where the material has no expansion.
std::array<double, 6> thermal_strain(const model::Material& material, double initial_temperature,
                                     double temperature);

/// Mass per volume; throws Error(Fault::input) where the material has none.
double density(const model::Model& model, const model::Material& material, double temperature);

/// [6 x 6], row-major: global stress = M local stress. A stiffness D in local axes is M D M' in global ones.
std::array<double, 36> stress_rotation(const model::Axes& axes);

/// From material to global axes.
std::array<double, 36> rotate_stiffness(const std::array<double, 36>& d, const model::Axes& axes);
std::array<double, 6> rotate_strain(const std::array<double, 6>& strain, const model::Axes& axes);

}  // namespace setka::analysis
