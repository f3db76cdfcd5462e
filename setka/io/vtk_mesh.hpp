// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "setka/io/vtk_data.hpp"
#include "setka/mesh/mesh.hpp"

/// A mesh in VTK's XML files.
namespace setka::io {

/// What a file begins with; more: further attributes.
std::string vtk_file_line(std::string_view type, std::string_view more);

/// The attributes of a file whose arrays are those of vtk_data.hpp.
inline constexpr std::string_view vtk_compressed =
    R"( header_type="UInt64" compressor="vtkZLibDataCompressor")";

/// The arrays of a mesh, for any number of files. The mesh must outlive it.
class VtkMesh {
 public:
  explicit VtkMesh(const mesh::Mesh& mesh);
  VtkMesh(const VtkMesh&) = delete;
  VtkMesh& operator=(const VtkMesh&) = delete;

  /// The user's numbers: for PointData and for CellData.
  const VtkArray& node_numbers() const { return node_numbers_; }
  const VtkArray& element_numbers() const { return element_numbers_; }
  const VtkArray& points() const { return points_; }

  /// The elements Points and Cells.
  std::string geometry(VtkArrays& arrays) const;

 private:
  std::vector<std::int32_t> turned_;  // nodes of all cells where VTK has them in another order than the mesh
  VtkArray node_numbers_;
  VtkArray element_numbers_;
  VtkArray points_;
  VtkArray connectivity_;
  VtkArray offsets_;
  VtkArray types_;
};

}  // namespace setka::io
