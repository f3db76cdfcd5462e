// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "setka/mesh/mesh.hpp"
#include "setka/model/local_system.hpp"

namespace setka::model {

/// The directions of a shell, the same all over the element, as CalculiX has them: the third is the normal at
/// its centre, the first lies in the surface, below axis 1 of the system, or of the model where there is
/// none. Along a normal there is no such axis: then axis 3 takes its place.
Axes shell_axes(const mesh::Mesh& mesh, std::int32_t element, const LocalSystem* system = nullptr);

}  // namespace setka::model
