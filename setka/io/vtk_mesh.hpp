// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>

#include "setka/mesh/mesh.hpp"

/// A mesh in VTK's XML files.
namespace setka::io {

/// What a file begins with; more: further attributes.
std::string vtk_file_line(std::string_view type, std::string_view more);

/// The attributes of a file whose arrays are those of vtk_data.hpp.
inline constexpr std::string_view vtk_compressed =
    R"( header_type="UInt64" compressor="vtkZLibDataCompressor")";

/// The user's numbers: for PointData and for CellData.
std::string vtk_node_numbers(const mesh::Mesh& mesh);
std::string vtk_element_numbers(const mesh::Mesh& mesh);

/// The elements Points and Cells.
std::string vtk_geometry(const mesh::Mesh& mesh);

}  // namespace setka::io
