// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

/// What came out of a step, for writers. Values at nodes and at integration points, in global directions;
/// tensors in the order xx yy zz xy xz yz (shear components of the tensor, not engineering strains).
namespace setka::model {

/// [nodes of the mesh, components]
struct NodeField {
  std::string name;  // "U", "RF", "S", "E", "NT": as in *NODE FILE and *EL FILE
  int components = 0;
  std::vector<double> values;
  bool empty() const { return values.empty(); }
};

/// Values at the integration points of all elements: element e has points first_point[e] .. first_point[e +
/// 1] - 1.
struct PointField {
  std::string name;
  int components = 0;
  std::vector<double> values;  // [points, components]
  bool empty() const { return values.empty(); }
};

/// Where the points of each element begin; shared by the point fields of a run.
struct PointLayout {
  std::vector<std::int64_t> first_point;  // [elements + 1]
};

/// One state: an increment of a static step, a mode, a time.
struct Frame {
  int step = 1;                          // from 1
  int increment = 1;                     // from 1, within the step
  double time = 1;                       // total time, as CalculiX prints it
  std::vector<NodeField> node_fields;    // U always; RF, S, E, ... where asked for
  std::vector<PointField> point_fields;  // S, E, ENER where asked for
  std::vector<double> element_volume;    // [elements], where asked for
  std::vector<double> element_energy;    // [elements], where asked for

  const NodeField* node_field(const std::string& name) const;
  const PointField* point_field(const std::string& name) const;
};

}  // namespace setka::model
