// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/io/mesh_file.hpp"

#include <string>

#include <fmt/format.h>

#include "setka/io/output_file.hpp"
#include "setka/io/vtk_mesh.hpp"

namespace setka::io {

void write_mesh_file(const std::filesystem::path& path, const mesh::Mesh& mesh,
                     const std::vector<VtkArray>& of_nodes, const std::vector<VtkArray>& of_elements) {
  const VtkMesh shown(mesh);
  VtkArrays arrays;
  OutputFile file(path);
  file.write(vtk_file_line("UnstructuredGrid", vtk_compressed));
  file.write(
      fmt::format("<UnstructuredGrid>\n<Piece NumberOfPoints=\"{}\" NumberOfCells=\"{}\">\n<PointData>\n",
                  mesh.node_count(), mesh.element_count()));
  file.write(arrays.add(shown.node_numbers()));
  for (const VtkArray& array : of_nodes) file.write(arrays.add(array));
  file.write("</PointData>\n<CellData>\n" + arrays.add(shown.element_numbers()));
  for (const VtkArray& array : of_elements) file.write(arrays.add(array));
  file.write("</CellData>\n" + shown.geometry(arrays) + "</Piece>\n</UnstructuredGrid>\n");
  arrays.write(file);
  file.write("</VTKFile>\n");
  file.commit();
}

}  // namespace setka::io
