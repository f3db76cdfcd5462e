// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <span>

#include "setka/fem/element_shape.hpp"
#include "setka/mesh/mesh.hpp"

namespace setka::io {

/// JOB-bad-elements.vtu beside JOB.inp.
std::filesystem::path bad_elements_path(const std::filesystem::path& deck);

/// Writes these elements alone, for ParaView, with ElementNumber, Fault (the number of a fem::ShapeFault),
/// LeastJacobian and ScaledJacobian of each. The file appears when it is whole; failures are
/// Error(Fault::resource).
void write_bad_elements(const std::filesystem::path& path, const mesh::Mesh& mesh,
                        std::span<const fem::RatedShape> bad);

}  // namespace setka::io
