// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "setka/analysis/nodal_frames.hpp"
#include "setka/analysis/solids.hpp"
#include "setka/mesh/mesh.hpp"

namespace setka::analysis {

/// Makes solids of shells, membranes and beams, as CalculiX does: one over the thickness of a surface, one
/// over the section of a beam. Each frame of a node gets a section of solid nodes: below, amid and above the
/// surface; four corners and what is amid the four sides. v of the mesh's node is the mean of below and
/// above, or of the corners; what differs from it are v of the section's own:
///
/// shell: below = v - d, above = v + d, amid = v + m, and the node is where their parabola has its mean;
/// beam: corners v + s a + t b + s t c with signs s and t along axes 1 and 2; amid the sides v + m_i.
///
/// Each element of a membrane has frames of its own, whose sections are as those of a shell that is alone;
/// the nodes are hinges between them. Since no neighbour holds the sections, M3D6 and M3D8R keep what is amid
/// between below and above, m = 0: their points would let it move, in M3D6 with the thickness. Nor do M3D8R
/// and M3D3 twist (membrane_twist.hpp).
///
/// A node with several frames of shells and beams, or with trusses, plane elements or membranes besides, is a
/// knot: its sections follow its
/// displacement, three rotations of its own, and an expansion (two across a plane of beams).
///
/// What ties rotations that the user prescribes to sections is in user_constraints.cpp.
class Expansion {
 public:
  /// Adds the sections' nodes. solids.rows must hold the rows of the mesh's nodes, if there are any frames.
  Expansion(const mesh::Mesh& mesh, const NodalFrames& frames, Solids& solids);

  /// Appends the nodes of the solid of a shell, membrane or beam.
  void add_element(std::int32_t element, Solids& solids) const;

 private:
  /// Solid nodes of a frame: below, amid, above; or corners and sides of a beam, as CalculiX counts them.
  using Section = std::array<std::int32_t, 8>;

  /// What is below and above of the last corner that matters takes back what the others twist.
  void hold_twist(std::int32_t element, Solids& solids) const;

  const mesh::Mesh& mesh_;
  const NodalFrames& frames_;
  std::vector<Section> sections_;
  std::vector<std::int32_t> difference_;  // [frames] the first v of d of a membrane
};

}  // namespace setka::analysis
