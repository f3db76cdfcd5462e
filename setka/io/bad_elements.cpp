// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/io/bad_elements.hpp"

#include <cstdint>
#include <vector>

#include "setka/io/mesh_file.hpp"
#include "setka/io/mesh_piece.hpp"
#include "setka/io/vtk_data.hpp"

namespace setka::io {

std::filesystem::path bad_elements_path(const std::filesystem::path& deck) {
  std::filesystem::path path = deck;
  path.replace_extension();
  path += "-bad-elements.vtu";
  return path;
}

void write_bad_elements(const std::filesystem::path& path, const mesh::Mesh& mesh,
                        std::span<const fem::RatedShape> bad) {
  std::vector<std::int32_t> elements;
  std::vector<std::int32_t> faults;
  std::vector<double> least;
  std::vector<double> scaled;
  for (const fem::RatedShape& entry : bad) {
    elements.push_back(entry.element);
    faults.push_back(static_cast<std::int32_t>(entry.shape.fault));
    least.push_back(entry.shape.least_jacobian);
    scaled.push_back(entry.shape.scaled_jacobian);
  }
  std::vector<VtkArray> arrays;
  arrays.emplace_back(ArrayForm{"Fault", "Int32"}, numbers_in(faults));
  arrays.emplace_back(ArrayForm{"LeastJacobian", "Float64"}, numbers_in(least));
  arrays.emplace_back(ArrayForm{"ScaledJacobian", "Float64"}, numbers_in(scaled));
  write_mesh_file(path, piece_of(mesh, elements).mesh, {}, arrays);
}

}  // namespace setka::io
