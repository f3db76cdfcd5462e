// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// What came out of a step, for writers. Values at nodes and at integration points, in global directions;
/// tensors in the order xx yy zz xy xz yz (shear components of the tensor, not engineering strains).
namespace setka::model {

/// [nodes of the mesh, components]
struct NodeField {
  std::string name;  // "U", "RF", "S", "E", "NT", "HFL": as in *NODE FILE and *EL FILE
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

/// *SECTION PRINT: what acts through a surface upon the body, from the stresses of its elements.
struct SectionForces {
  std::int32_t surface = -1;  // of the model
  std::array<double, 3> force{};
  std::array<double, 3> moment{};  // about the origin
  std::array<double, 3> center{};  // of gravity of the surface
  std::array<double, 3> normal{};  // mean over the area, outward; shorter than 1 where the surface is bent
  std::array<double, 3> moment_about_center{};
  double area = 0;
  double normal_force = 0;  // positive: tension
  double shear_force = 0;   // size
  double torque = 0;
  double bending_moment = 0;  // size
};

/// A mode of vibration, its shape scaled to unit modal mass.
struct Mode {
  int number = 1;         // from 1, the lowest
  double eigenvalue = 0;  // square of the angular frequency; negative where a preload makes the body buckle
  std::array<double, 6> participation{};  // in translations along and rotations about x, y, z at the origin
  double residual = 0;                    // relative, of K u = eigenvalue M u
  bool in_range = true;                   // of the frequencies that the user wants to see
  std::optional<int> nodal_diameter = std::nullopt;  // of cyclic symmetry

  double angular_frequency() const;  // zero where the eigenvalue is negative
  double frequency() const;          // cycles per time, likewise
};

/// All modes of a step.
/// A model that modes were first looked for in, and how far off they were there.
struct ReducedModel {
  int parts = 0;
  std::int64_t unknowns = 0;   // of the whole model
  std::int64_t interface = 0;  // of them, those between parts
  std::int64_t reduced = 0;    // unknowns that took their place
  double residual = 0;         // the largest |K phi - lambda M phi| / |K phi| in the whole model
  double frequency_error = 0;  // the largest, relative
};

struct ModeTable {
  int step = 1;
  bool of_temperature = false;  // nothing moves: participation factors have no meaning
  std::vector<Mode> modes;
  std::array<double, 6>
      total_mass{};    // what free unknowns take part with, likewise: masses, moments of inertia
  std::string method;  // that found them
  int iterations = 0;  // of it
  std::string check;   // how it was seen that none is missing; empty: all were computed, or it was not
  bool converged = true;
  std::string trouble;  // why not
  std::optional<ReducedModel> reduction;
};

/// A load factor at which a body buckles, its shape phi scaled to phi' K phi = 1.
struct BucklingMode {
  int number = 1;       // from 1, the lowest positive factor
  double factor = 0;    // of the loads of the step
  double residual = 0;  // relative, of K phi = -factor K_sigma phi
};

/// All factors of a *BUCKLE step.
struct BucklingTable {
  int step = 1;
  std::vector<BucklingMode> modes;
  std::optional<double> reversed;  // the negative factor next to zero: of the loads the other way round
  std::string method;              // that found them
  int iterations = 0;              // of it
  std::string check;               // how it was seen that none is missing
  bool converged = true;
  std::string trouble;  // why not
};

/// How much of a mode is in the answer to a harmonic load: q of u = sum of q times shape.
struct ModeFactor {
  int number = 1;
  double frequency = 0;  // of the mode, cycles per time
  double real = 0;
  double imaginary = 0;
};

/// One state: an increment of a static step, a mode, a time.
struct Frame {
  int step = 1;                          // from 1
  int increment = 1;                     // from 1, within the step
  double time = 1;                       // total time, as CalculiX prints it
  std::optional<Mode> mode;              // where the state is the shape of one
  std::optional<BucklingMode> buckling;  // likewise
  std::vector<NodeField> node_fields;    // U always, or NT of heat; RF, S, HFL, ... where asked for
  bool last_of_step = true;              // CalculiX writes it whatever the frequency of output
  std::vector<PointField> point_fields;  // S, E, ME, ENER, HFL, COORD where asked for; COORD (the points'
                                         // places) also where S, E or HFL are in a cylindrical orientation
  std::vector<double> element_mises;     // [elements], the largest of points, where no point_fields have S
  std::vector<double> element_volume;    // [elements], where asked for
  std::vector<double> element_energy;    // [elements], where asked for
  std::vector<double> element_kinetic_energy;  // [elements], where asked for
  std::vector<SectionForces> sections;         // one a surface of *SECTION PRINT
  /// For *EL FILE with GLOBAL=NO: the tensors of node_fields, but each element's in the directions of its
  /// orientation before they became means over elements. Empty where no element has one.
  std::vector<NodeField> local_node_fields;

  /// Where the state is the answer to a harmonic load, whose frequency (cycles per time) is the time: its
  /// modes; the other fields are the real part.
  std::vector<ModeFactor> factors;
  std::vector<Frame> imaginary;  // the imaginary part, one frame
  int time_point = 0;            // from 1: the next of *TIME POINTS that this time is, 0: none

  /// Where only these nodes' values were computed, since output asks for no others; empty: all were.
  std::vector<std::int32_t> nodes;

  const NodeField* node_field(const std::string& name) const;
  /// In local directions where the frame has them so, else in global ones.
  const NodeField* local_node_field(const std::string& name) const;
  const PointField* point_field(const std::string& name) const;

  /// Whether temperatures are all that was computed: there are no displacements, forces and stresses.
  bool of_temperature() const;
};

}  // namespace setka::model
