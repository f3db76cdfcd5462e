// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "setka/io/mesh_piece.hpp"
#include "setka/io/output_file.hpp"
#include "setka/io/vtk_data.hpp"
#include "setka/io/vtk_mesh.hpp"
#include "setka/model/model.hpp"
#include "setka/model/results.hpp"
#include "setka/model/shown_solids.hpp"

namespace setka::io {

/// What every .vtu of a model says of its mesh: of all of it, or of a piece. The model must outlive it.
class VtuMesh {
 public:
  explicit VtuMesh(const model::Model& model);
  VtuMesh(const model::Model& model, std::span<const std::int32_t> elements);

  /// Takes the values of its nodes from elsewhere: shown.node is of all nodes of the model.
  void take_values_of(const model::ShownSolids& shown);

  const mesh::Mesh& mesh() const { return mesh_; }
  const VtkMesh& arrays() const { return arrays_; }
  const VtkArray& materials() const { return materials_; }
  /// Whose values are those of its nodes, in the order of the file; null: all.
  const std::vector<std::int32_t>* nodes() const {
    if (!values_of_.empty()) return &values_of_;
    return piece_ ? &piece_->nodes : nullptr;
  }

 private:
  std::optional<MeshPiece> piece_;
  std::vector<std::int32_t> values_of_;
  const mesh::Mesh& mesh_;
  VtkArray materials_;
  VtkMesh arrays_;
};

/// A frame over such a mesh. Both must outlive it.
class VtuFrame {
 public:
  VtuFrame(const VtuMesh& mesh, const model::Frame& frame, double time);

  void write(OutputFile& file) const;

  /// The .pvtu over files of all pieces, whose names are relative to its folder.
  std::string pvtu(const std::vector<std::string>& files) const;

 private:
  const VtuMesh& mesh_;
  std::string values_;            // the element FieldData
  std::vector<VtkArray> fields_;  // at nodes
};

}  // namespace setka::io
