// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <vector>

#include "setka/io/vtk_data.hpp"
#include "setka/mesh/mesh.hpp"

namespace setka::io {

/// A mesh as .vtu for ParaView, with the user's numbers of nodes and elements, and what else is to be seen.
void write_mesh_file(const std::filesystem::path& path, const mesh::Mesh& mesh,
                     const std::vector<VtkArray>& of_nodes, const std::vector<VtkArray>& of_elements);

}  // namespace setka::io
