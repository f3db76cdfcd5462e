// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "setka/base/error.hpp"
#include "setka/mesh/mesh.hpp"
#include "setka/model/profile.hpp"

/// What the user described, as a deck or a program gives it: no numbering of unknowns, no solver. References
/// between parts are positions in the vectors of Model; -1 means none. Names are in capitals. Lines point
/// into the user's files, so that a later stage can still name them.
namespace setka::model {

/// A line of the user's files, light enough for millions of loads: Model::source() names the file.
struct Line {
  std::int32_t file = -1;  // into Model::files; -1: not from a file
  std::int32_t number = 0;
};

struct NodeSet {
  std::string name;
  std::vector<std::int32_t> nodes;  // in the order given; given twice is there twice, as in CalculiX
};

struct ElementSet {
  std::string name;
  std::vector<std::int32_t> elements;  // likewise
};

struct ElementFace {
  std::int32_t element;
  std::int32_t face;  // from 0: S1 is 0
};

struct Surface {
  std::string name;
  bool of_nodes = false;
  std::vector<ElementFace> faces;   // where not of_nodes
  std::vector<std::int32_t> nodes;  // where of_nodes
};

/// How the user's file shares the elements out; a count of 0: it does not.
struct GivenPartition {
  std::int32_t count = 0;
  std::vector<std::int32_t> of_element;  // [elements], from 0; -1: of no part
};

/// Rows of constants at temperatures; between rows linear, outside them constant. One row: no dependence.
struct TableRow {
  double temperature = 0;
  std::vector<double> values;
};
using Table = std::vector<TableRow>;

enum class ElasticKind : std::uint8_t {
  isotropic,              // E, nu
  orthotropic,            // D1111 D1122 D2222 D1133 D2233 D3333 D1212 D1313 D2323
  engineering_constants,  // E1 E2 E3 nu12 nu13 nu23 G12 G13 G23
  anisotropic,  // the 21 of CalculiX: D1111 D1122 D2222 D1133 D2233 D3333 D1112 D2212 D3312 D1212 D1113 ...
};

/// Symmetric tensors of a material, as of expansion and conductivity: 1, 3 or 6 values, xx yy zz xy xz yz.
enum class TensorKind : std::uint8_t { isotropic, orthotropic, anisotropic };

struct Material {
  std::string name;
  ElasticKind elastic_kind = ElasticKind::isotropic;
  Table elastic;       // empty: none given
  Table hyperelastic;  // C10, C01, D1 of Mooney and Rivlin's law (C01 = 0: Neo-Hooke's); empty: none given
  Table density;       // one value a row
  TensorKind expansion_kind = TensorKind::isotropic;
  Table expansion;
  double expansion_zero = 0;  // the temperature at which the strain of expansion is zero (ZERO=)
  TensorKind conductivity_kind = TensorKind::isotropic;
  Table conductivity;               // empty: none given
  Table specific_heat;              // one value a row: heat by mass and temperature
  double damping_by_mass = 0;       // *DAMPING, ALPHA: of C = ALPHA M + BETA K in direct integration
  double damping_by_stiffness = 0;  // BETA
  Line line;
};

/// A local system, for materials (*ORIENTATION) or unknowns (*TRANSFORM). Rectangular: a on the x' axis, b in
/// the x'-y' plane. Cylindrical: the axis goes from a to b.
struct LocalSystem {
  std::string name;
  bool cylindrical = false;
  std::array<double, 3> a{1, 0, 0};
  std::array<double, 3> b{0, 1, 0};
  int turned_about = 0;  // 1, 2 or 3: then turned about that local axis
  double turned_by = 0;  // degrees
  Line line;
};

/// *SOLID SECTION and its like.
struct Section {
  std::int32_t element_set = -1;
  std::int32_t material = -1;
  std::int32_t orientation = -1;
  double thickness = 1;  // of plane elements, shells and membranes; area of trusses and beams
  Line line;
  std::optional<Profile> profile = std::nullopt;  // of shells, membranes and beams

  /// A composite shell has a section for each layer, of which that of the lowest is the one its elements
  /// have: with the next one above, and from where to where it reaches, of -1 to 1.
  std::int32_t layer_above = -1;  // into Model::sections
  std::array<double, 2> layer{-1, 1};
};

/// Springs: stiffness by temperature, or a curve; direction for SPRING1 and SPRING2. Dashpots have no
/// stiffness, and damping.
struct SpringSection {
  std::int32_t element_set = -1;
  Table stiffness;
  Table damping;             // force per velocity, over the frequency (cycles per time) for a temperature
  double mass = 0;           // of MASS elements
  int first_direction = 0;   // 1..3; 0 for SPRINGA
  int second_direction = 0;  // of SPRING2
  std::int32_t orientation = -1;             // that the directions are of, at each node; -1: global ones
  std::vector<std::array<double, 2>> curve;  // NONLINEAR: elongation, rising, and force
  Line line;
};

/// *TRANSFORM: prescribed values, loads and equations of these nodes are in the local system.
struct Transform {
  std::int32_t node_set = -1;
  LocalSystem system;
};

/// Sum of coefficient times unknown is zero (or `constant`); the first term is the one that is eliminated.
struct EquationTerm {
  std::int32_t node;
  std::int32_t direction;  // 1..3; 11 temperature: no equation has both
  double coefficient;
};
struct Equation {
  std::vector<EquationTerm> terms;
  double constant = 0;
  Line line;
  bool carries = false;  // what it exerts shows in RF of the terms after the first, as of a rigid body
};

/// *MPC, MEANROT: the mean rotation of nodes is the first unknown of another node, whose coordinates are a
/// vector along the axis.
struct MeanRotation {
  std::vector<std::int32_t> nodes;
  std::int32_t angle_node = -1;
  Line line;
};

/// *CYCLIC SYMMETRY MODEL: the mesh is one of several equal sectors around an axis; the nodes of the
/// dependent side follow the faces of the independent one, turned by the angle of a sector.
struct CyclicSymmetry {
  int sectors = 1;
  std::int32_t dependent = -1;    // into Model::surfaces; of nodes or of faces
  std::int32_t independent = -1;  // likewise
  double tolerance = 0;           // of the distance; 0: a share of the mean edge of the faces
  std::array<double, 3> a{};      // the axis goes from a to b
  std::array<double, 3> b{};
  std::int32_t first_equation = 0;  // into Model::equations: those from here on are of nodal diameter zero
  Line line;
};

struct Amplitude {
  std::string name;
  bool total_time = false;
  std::vector<std::array<double, 2>> points;  // time, factor; constant outside
};

/// *TIME POINTS
struct TimePoints {
  std::string name;
  bool total_time = false;
  std::vector<double> times;  // rising
};

/// *BOUNDARY: an unknown has a value.
struct PrescribedValue {
  std::int32_t node;
  std::int32_t direction;  // 1..3 displacements; 4..6 rotations of shells and beams; 11 temperature
  double value = 0;
  std::int32_t amplitude = -1;
  bool fixed = false;  // FIXED: keep the value it has now
  Line line;
  bool imaginary = false;  // LOAD CASE=2 of a harmonic step: ninety degrees ahead
};

/// *CLOAD
struct PointLoad {
  std::int32_t node;
  std::int32_t direction;  // 1..3 forces; 4..6 moments on shells and beams
  double value = 0;
  std::int32_t amplitude = -1;
  Line line;
  bool imaginary = false;   // LOAD CASE=2
  std::int32_t sector = 1;  // of *CYCLIC SYMMETRY MODEL; another than the mesh in sums of modes alone
};

/// attraction: by the masses of all elements that have such a load, as Newton has it.
enum class DistributedKind : std::uint8_t { pressure, gravity, centrifugal, attraction };

/// *DLOAD and *DSLOAD, element by element.
struct DistributedLoad {
  std::int32_t element;
  DistributedKind kind = DistributedKind::pressure;
  std::int32_t face = 0;          // of a pressure, from 0; of shells, membranes and beams that of their solid
  double value = 0;               // pressure; acceleration; square of the angular speed
  std::array<double, 3> point{};  // on the axis of rotation
  std::array<double, 3> direction{};  // of gravity (a unit vector), or of the axis
  std::int32_t amplitude = -1;
  Line line;
  bool imaginary = false;   // LOAD CASE=2
  std::int32_t sector = 1;  // as of a PointLoad
};

/// *CFLUX: heat that a node takes in, by time.
struct PointFlux {
  std::int32_t node;
  double value = 0;
  std::int32_t amplitude = -1;
  Line line;
};

/// *DFLUX: heat that a face takes in, by area and time, or a body, by volume and time.
struct DistributedFlux {
  std::int32_t element;
  std::int32_t face = -1;  // from 0; -1: the body
  double value = 0;
  std::int32_t amplitude = -1;
  Line line;
};

/// *FILM: a face gives off h (T - sink) by area and time.
struct Film {
  std::int32_t element;
  std::int32_t face = 0;
  double sink = 0;                   // temperature of what is beside the face
  std::int32_t sink_node = -1;       // whose temperature it is, where there is one
  double coefficient = 0;            // h
  std::int32_t amplitude = -1;       // of the sink
  std::int32_t film_amplitude = -1;  // of h
  Line line;
};

/// *RADIATE: a face gives off emissivity sigma (T^4 - ambient^4) by area and time, in absolute temperatures.
struct Radiation {
  std::int32_t element;
  std::int32_t face = 0;
  double ambient = 0;              // temperature far away; of a cavity, of what it is open to
  std::int32_t ambient_node = -1;  // whose temperature it is, where there is one
  double emissivity = 0;
  std::int32_t amplitude = -1;  // of the ambient temperature
  std::int32_t emissivity_amplitude = -1;
  std::int32_t cavity = -1;  // into Model::cavities: faces of one exchange heat with each other
  Line line;
};

/// *PHYSICAL CONSTANTS
struct PhysicalConstants {
  std::optional<double> absolute_zero;     // in the degrees of the deck
  std::optional<double> stefan_boltzmann;  // sigma
  std::optional<double> newton_gravity;    // G
};

struct NodeTemperature {
  std::int32_t node;
  double value = 0;
  std::int32_t amplitude = -1;
};

/// *INITIAL CONDITIONS, TYPE=VELOCITY
struct InitialVelocity {
  std::int32_t node;
  std::int32_t direction;  // 1..3
  double value = 0;
  Line line;
};

/// *INITIAL CONDITIONS, TYPE=STRESS or PLASTIC STRAIN: at an integration point, xx yy zz xy xz yz.
struct InitialTensor {
  std::int32_t element;
  std::int32_t point;  // from 0
  std::array<double, 6> values{};
};

enum class OutputKind : std::uint8_t { node_print, element_print, section_print, node_file, element_file };
enum class Totals : std::uint8_t { no, yes, only };

/// What to write: to .dat (print) or to the result files (file).
struct OutputRequest {
  OutputKind kind = OutputKind::node_print;
  std::int32_t set = -1;  // node set; element set of element_print; surface of section_print; -1: all
  std::string name;       // NAME of section_print
  std::vector<std::string> variables;  // "U", "RF", "S", "E", "ENER", "EVOL", ...
  Totals totals = Totals::no;
  bool global = true;             // directions: global, or the node's own (GLOBAL=NO)
  bool expanded = false;          // OUTPUT=3D: plane elements as the solids that CalculiX makes of them
  int frequency = 1;              // every so many increments; the last one always
  std::int32_t time_points = -1;  // into Model::time_points: at these times instead, and at the end
  int intervals = 0;              // NUMBER INTERVAL, of explicit steps: so many times, evenly; 0: not given
  Line line;
};

struct StaticStep {
  double first_increment = 1;
  double period = 1;
  double least_increment = 1e-5;
  double most_increment = 1e30;
  bool direct = false;
};

/// *HEAT TRANSFER: temperatures, in equilibrium or in time.
struct HeatStep {
  double first_increment = 1;
  double period = 1;
  double least_increment = 1e-5;
  double most_increment = 1e30;
  bool steady = false;        // STEADY STATE
  bool displaces = false;     // *COUPLED or *UNCOUPLED TEMPERATURE-DISPLACEMENT: a static solution in each
  bool direct = false;        // increments stay as given
  double most_change = 1e30;  // DELTMX: of a temperature in an increment
  bool time_reset = false;    // TIME RESET: the total time at its end is that at its beginning
  std::optional<double> time_at_start = std::nullopt;  // TOTAL TIME AT START
  Line line;
};

/// *SELECT CYCLIC SYMMETRY MODES: how often a mode repeats itself around the axis.
struct NodalDiameters {
  int first = 0;
  int last = 0;
};

/// *FREQUENCY: the lowest modes, of which those between the two frequencies (cycles per time) are written.
struct FrequencyStep {
  int modes = 1;  // 0: as many as there are up to the upper frequency
  double least_frequency = 0;
  double most_frequency = std::numeric_limits<double>::infinity();
  bool of_temperature = false;  // *HEAT TRANSFER, FREQUENCY: of the scalar field, as acoustics has them
  std::optional<NodalDiameters> diameters;  // *SELECT CYCLIC SYMMETRY MODES
  Line line;                                // of the number of modes
};

/// *BUCKLE: the lowest positive factors by which the loads of the step make the body buckle.
struct BuckleStep {
  int factors = 1;
  int most_iterations = 1000;
  Line line;  // of the number of factors
};

/// *MODAL DYNAMIC: the motion in time as a sum of the modes that an earlier *FREQUENCY found.
struct ModalDynamicStep {
  double increment = 1;
  double period = 1;
  double least_increment = 0;
  double most_increment = 1e30;
  bool direct = true;            // increments stay as given
  double most_force_change = 0;  // DELTMX, in an increment that is not direct
  bool until_steady = false;     // STEADY STATE: no period
  double steady_change = 0;      // relative, below which the state counts as steady
  Line line;
};

/// *STEADY STATE DYNAMICS: the answer to periodic loads, as a sum of modes.
struct SteadyStateStep {
  double least_frequency = 0;  // cycles per time
  double most_frequency = 0;
  int points = 20;  // between two neighbours of the limits and the natural frequencies between them
  double bias = 3;  // 1: evenly spaced; more: towards those
  bool harmonic = true;
  int terms = 20;         // of the Fourier series, where not harmonic
  double first_time = 0;  // of the period that amplitudes describe, likewise
  double last_time = 1;
  Line line;
};

/// *DYNAMIC: integration in time of the whole model.
struct DynamicStep {
  double increment = 1;
  double period = 1;
  double least_increment = 1e-5;
  double most_increment = 1e30;
  bool direct = false;
  double alpha = -0.05;  // of Hilber, Hughes and Taylor
  Line line;
};

/// *DYNAMIC, EXPLICIT: central differences with lumped masses, under large displacements.
struct ExplicitStep {
  double increment = 0;  // 0: a share of the stable one
  double period = 1;
  double least_increment = 0;
  double most_increment = 1e30;
  Line line;
};

enum class SpectrumKind : std::uint8_t { displacement, velocity, acceleration };

/// *SPECTRUM: the largest answer of an oscillator over its frequency and damping.
struct Spectrum {
  struct Point {
    double frequency = 0;  // cycles per time
    double damping = 0;    // ratio of critical
    double value = 0;
  };
  std::string name;
  SpectrumKind kind = SpectrumKind::acceleration;
  std::vector<Point> points;  // frequencies rise within each damping, dampings rise
  Line line;
};

enum class ModalSum : std::uint8_t { absolute, srss, ten_percent, cqc };
enum class DirectionSum : std::uint8_t { algebraic, absolute, srss, thirty_percent, forty_percent };

/// *RESPONSE SPECTRUM: the largest answer of the modes to a base that moves by a spectrum.
struct ResponseSpectrumStep {
  struct Direction {
    std::int32_t spectrum = -1;       // into Model::spectra
    std::array<double, 3> cosines{};  // unit length
    double scale = 1;
    Line line;
  };
  std::vector<Direction> directions;  // one to three
  ModalSum sum = ModalSum::srss;
  DirectionSum directions_sum = DirectionSum::algebraic;
  bool missing_mass = false;  // adds what the modes leave out, as if it were rigid
  Line line;
};

/// A displacement of a node along an axis.
struct NodalDof {
  std::int32_t node;
  std::int32_t direction;  // 1..3
  Line line;
};

/// *SUBSTRUCTURE GENERATE: the stiffness that the retained degrees of freedom see once all others follow.
struct SubstructureStep {
  std::vector<NodalDof> retained;  // in the order given, each once
  std::string file;                // of the matrix, without .mtx; empty: that of the deck
  Line line;
};

/// *MATRIX INPUT with *MATRIX ASSEMBLE: the stiffness of a part that is not meshed.
struct Superelement {
  std::string name;
  std::vector<NodalDof> dofs;     // along the global axes
  std::vector<double> stiffness;  // lower triangle: entry (i, j <= i) is number i (i + 1) / 2 + j
  Line line;
};

/// *MODAL DAMPING, which stays for later steps.
struct ModalDamping {
  struct Range {
    int first = 1;  // modes, from 1
    int last = 1;
    double ratio = 0;  // of critical damping; loss factor where structural
    Line line;
  };
  std::vector<Range> ranges;  // of direct or structural damping
  bool structural = false;    // a force against the motion, in proportion to the displacement
  double by_mass = 0;         // of Rayleigh damping C = by_mass M + by_stiffness K
  double by_stiffness = 0;
  Line line;
};

/// *BASE MOTION: all that is held in a direction moves together.
struct BaseMotion {
  std::int32_t direction = 1;  // 1..3
  bool acceleration = true;    // or displacement
  std::int32_t amplitude = -1;
  bool imaginary = false;
  Line line;
};

/// Whether loads and prescribed values of earlier steps stay (MOD) or go (NEW).
struct Operations {
  bool new_boundary = false;
  bool new_point_loads = false;
  bool new_distributed_loads = false;
  bool new_temperatures = false;
  bool new_point_fluxes = false;
  bool new_distributed_fluxes = false;
  bool new_films = false;
  bool new_radiation = false;
};

/// *STEP: what changes against the step before it, what is computed, what is written. The output requests are
/// those in force, the ones inherited from earlier steps included.
struct Step {
  std::variant<StaticStep, FrequencyStep, ModalDynamicStep, SteadyStateStep, DynamicStep, ExplicitStep,
               ResponseSpectrumStep, SubstructureStep, HeatStep, BuckleStep>
      procedure;
  bool nonlinear_geometry = false;
  bool perturbation = false;
  int most_increments = 100;
  Operations operations;
  std::vector<PrescribedValue> prescribed;
  std::vector<PointLoad> point_loads;
  std::vector<DistributedLoad> distributed_loads;
  std::vector<NodeTemperature> temperatures;
  std::vector<PointFlux> point_fluxes;
  std::vector<DistributedFlux> distributed_fluxes;
  std::vector<Film> films;
  std::vector<Radiation> radiation;
  std::vector<std::int32_t> removed_equations;  // into Model::equations; they stay removed in later steps
  std::vector<BaseMotion> base_motions;
  ModalDamping damping;
  std::vector<OutputRequest> output;
  Line line;
};

struct Model {
  std::string title;
  std::vector<std::string> files;  // that lines point into
  mesh::Mesh mesh;
  std::vector<NodeSet> node_sets;
  std::vector<ElementSet> element_sets;
  std::vector<Surface> surfaces;
  GivenPartition partition;
  std::vector<Material> materials;
  std::vector<LocalSystem> orientations;
  std::vector<Section> sections;
  std::vector<NodalThickness> nodal_thicknesses;
  std::vector<GivenNormal> normals;
  std::vector<SpringSection> springs;
  std::vector<Superelement> superelements;
  std::vector<Transform> transforms;
  std::vector<Equation> equations;
  std::vector<MeanRotation> mean_rotations;
  std::optional<CyclicSymmetry> cyclic;
  std::vector<Amplitude> amplitudes;
  std::vector<TimePoints> time_points;
  std::vector<Spectrum> spectra;
  PhysicalConstants constants;
  std::vector<std::string> cavities;                  // names of *RADIATE, CAVITY; "" where none is given
  std::vector<PrescribedValue> prescribed;            // before the first step: in force throughout
  std::vector<NodeTemperature> initial_temperatures;  // none: zero
  std::vector<InitialVelocity> initial_velocities;    // none: at rest
  std::vector<InitialTensor> initial_stresses;
  std::vector<InitialTensor> initial_strains;
  bool stock_user_stress =
      false;  // TYPE=STRESS, USER: what CalculiX's stock routine gives, -100 y in each normal stress
  std::vector<Step> steps;

  /// For errors: the line with the name of its file.
  SourceLine source(Line line) const;

  /// By name in capitals; -1 where there is none.
  std::int32_t find_node_set(const std::string& name) const;
  std::int32_t find_element_set(const std::string& name) const;
  std::int32_t find_surface(const std::string& name) const;
  std::int32_t find_material(const std::string& name) const;
};

}  // namespace setka::model
