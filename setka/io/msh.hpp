// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <filesystem>
#include <string>
#include <string_view>

#include "setka/base/monitor.hpp"
#include "setka/model/element_type.hpp"
#include "setka/model/model.hpp"

namespace setka::io {

/// The element types that cells become, since Gmsh knows only cells: fully integrated solids and, in the
/// plane, plane stress where nothing else is chosen.
class MshOptions {
 public:
  MshOptions();

  /// Takes the type for its cell. A plane type brings its family to the other plane cells, so that plane
  /// strain of quadrilaterals makes triangles beside them plane strain too. Error(Fault::usage) where Gmsh
  /// meshes hold no such elements, as trusses.
  void use(const model::ElementType& type);

  const model::ElementType& type(mesh::Cell cell) const { return types_[static_cast<std::size_t>(cell)]; }

 private:
  std::array<model::ElementType, mesh::cell_count>
      types_{};  // by cell; those of points and lines are not used
};

/// Mesh and sets of a Gmsh file, versions 2.2 and 4.1, text and binary. A file with volumes is a solid model,
/// one without a plane model, in the plane z = 0, whose elements are turned anticlockwise. Points and lines,
/// and surfaces of a solid model, are boundaries: they give sets, not elements. Nodes that no element uses
/// are dropped; labels are Gmsh's numbers.
///
/// Physical groups become sets, their names in capitals with '_' for what a deck cannot hold in a name;
/// a group without a name is PHYSICAL_<dimension>_<tag>. Groups of elements become element sets, groups of
/// their faces (edges of a plane model) surfaces, every group also a node set. A face between two elements is
/// that of the one which the normal of Gmsh's surface points out of.
///
/// The partitions of a mesh that Gmsh shared out are in Model::partition; borders between them give neither
/// elements nor sets, and what a partition has of others besides (ghosts) is left out.
///
/// Wrong input is an Error(Fault::input) with file, line (byte, where the file is binary) and remedy. What
/// looks unintended, such as elements in no group beside groups, is a warning in the log.
model::Model read_msh(const std::filesystem::path& path, const MshOptions& options, Monitor& monitor);

/// The same from memory; messages call it `name`.
model::Model read_msh_text(std::string_view bytes, const std::string& name, const MshOptions& options,
                           Monitor& monitor);

}  // namespace setka::io
