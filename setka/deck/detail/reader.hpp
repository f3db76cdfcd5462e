// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "setka/deck/detail/cards.hpp"
#include "setka/deck/inp.hpp"
#include "setka/model/alignment.hpp"
#include "setka/model/equation_maker.hpp"
#include "setka/model/mean_motion.hpp"
#include "setka/model/rigid_body.hpp"
#include "setka/model/tie.hpp"

namespace setka::deck::detail {

/// A deck on its way to a model: what the handlers of keywords share.
class Reader {
 public:
  Reader(const Cards& cards, Deck& deck);

  model::Model& model() { return model_; }
  const mesh::Mesh& mesh() const { return model_.mesh; }
  const model::PhysicalConstants& constants() const { return model_.constants; }
  const Cards& cards() const { return cards_; }
  DataLines data(const Card& card) const { return {cards_, card}; }

  bool ends_with_step() const { return cards_.cards().back().keyword == "*STEP"; }
  /// Whether a step is *HEAT TRANSFER, also one that comes later.
  bool has_heat_steps() const { return has_heat_steps_; }

  // Messages
  [[noreturn]] void fail(Line line, std::string message, std::string remedy) const;
  void warn(Line line, std::string message);
  /// A warning that holds for what Setka computes: not said of a deck that asks for other things too, where
  /// it would be wrong or beside the point.
  void warn_if_supported(Line line, std::string message);
  void unsupported(Line line, std::string what);
  bool anything_unsupported() const { return !deck_.unsupported.empty(); }
  /// Once the whole deck is read: gives it its warnings, what is said of several lines once, and drops steps
  /// from *NO ANALYSIS on.
  void finish();
  /// Says which parameters of a card are not supported, and warns of those that nobody knows.
  void check_parameters(const Card& card, std::initializer_list<std::string_view> known,
                        std::initializer_list<std::string_view> not_supported = {});
  /// The value of a parameter that must be there.
  std::string required(const Card& card, std::string_view key) const;

  // Numbers; an empty field is the fallback where there is one
  std::int64_t integer(std::string_view field, Line line, std::string_view what) const;
  std::int64_t integer(std::string_view field, Line line, std::string_view what,
                       std::int64_t fallback) const {
    return field.empty() ? fallback : integer(field, line, what);
  }
  double real(std::string_view field, Line line, std::string_view what) const;
  double real(std::string_view field, Line line, std::string_view what, double fallback) const {
    return field.empty() ? fallback : real(field, line, what);
  }
  std::int32_t label(std::string_view field, Line line, std::string_view what) const;

  /// What the step computes; an error where it has a procedure already.
  void take_procedure(const Card& card, decltype(model::Step::procedure) taken);

  // Names; `open` makes the set where there is none
  std::int32_t open_node_set(const std::string& name);
  std::int32_t open_element_set(const std::string& name);
  std::int32_t node_set(const std::string& name, Line line, std::string_view asked_by) const;
  std::int32_t element_set(const std::string& name, Line line, std::string_view asked_by) const;
  std::int32_t surface(const std::string& name, Line line, std::string_view asked_by) const;
  std::int32_t material(const std::string& name, Line line, std::string_view asked_by) const;
  std::int32_t orientation(const std::string& name, Line line, std::string_view asked_by) const;
  /// -1 where the card has no AMPLITUDE, or no TIME POINTS. key: the parameter, without blanks
  std::int32_t amplitude(const Card& card, std::string_view key = "AMPLITUDE") const;
  std::int32_t points_in_time(const Card& card) const;
  std::int32_t spectrum(const std::string& name, Line line, std::string_view asked_by) const;
  std::int32_t matrix(const std::string& name, Line line, std::string_view asked_by) const;

  /// A node or the nodes of a set; the span is good until the next call.
  std::span<const std::int32_t> nodes(std::string_view field, Line line, std::string_view asked_by);
  /// An element or the elements of a set, without those of types that are not supported.
  std::span<const std::int32_t> elements(std::string_view field, Line line, std::string_view asked_by);
  std::int32_t node(std::string_view field, Line line, std::string_view asked_by) const;

  /// The same, each once.
  std::vector<std::int32_t> distinct_elements(std::string_view field, Line line, std::string_view asked_by);

  /// An unknown as the model has it: rotations, 4 to 6, are the directions of the node that a rigid body has
  /// for them, or those of a shell or beam. None where the node has no rotations.
  struct UserDirection {
    std::int32_t node;
    std::int32_t direction;
  };
  std::optional<UserDirection> user_direction(std::int32_t node, std::int32_t direction);

  void skip_element(std::int32_t label) { skipped_.set(label, 1); }
  bool skipped(std::int64_t label) const { return skipped_.find(label) != mesh::LabelMap::none; }

  /// Names of a kind of thing, to positions.
  struct Names {
    std::unordered_map<std::string, std::int32_t> positions;
    std::int32_t find(const std::string& name) const;
    std::vector<std::string> all() const;
  };
  Names node_sets, element_sets, surfaces, node_surfaces, materials, orientations, amplitudes, time_points,
      spectra, matrices;
  std::vector<char> element_set_partial;           // some of its elements were skipped
  std::vector<model::Superelement> matrix_inputs;  // empty ones are assembled

  // Constraints between nodes, which become equations at the end
  std::vector<model::Tie> ties;
  std::vector<model::Tie> cyclic_ties;  // *TIE, CYCLIC SYMMETRY
  std::vector<Line> other_cyclic_ties;  // of fluids and of several stages, which are not supported
  std::vector<model::RigidBody> rigid_bodies;
  std::vector<model::MeanDisplacement> mean_displacements;
  std::vector<model::MeanMotion> mean_motions;
  std::vector<model::AlignedNodes> alignments;
  struct Coupling {  // *COUPLING, which waits for what follows it
    std::int32_t reference;
    std::int32_t surface;
    Line line;
  };
  std::optional<Coupling> coupling;
  std::unordered_map<std::int32_t, std::int32_t> rotation_of;  // the node of the rotations, by reference node
  std::unordered_map<std::int32_t, std::int32_t> coupling_node;          // by DCOUP3D element's number
  std::unordered_map<std::string, std::vector<std::int32_t>> couplings;  // nodes of them, by element set

  // The step being read
  bool in_step = false;
  std::string procedure;                   // its keyword; empty: none so far
  std::optional<std::size_t> no_analysis;  // the first step with *NO ANALYSIS
  bool nonlinear = false;                  // once chosen, stays
  struct Seen {  // load cards so far, of which the first alone has an OP that counts
    bool boundary = false, point_loads = false, distributed = false, temperatures = false;
    bool point_fluxes = false, distributed_fluxes = false, films = false, radiation = false;
  };
  Seen seen;
  std::vector<model::OutputKind> renewed_output;  // kinds whose inherited requests this step has dropped
  struct NodePressure {                           // a pressure that is the second unknown of a node (P1NP)
    std::size_t load;                             // into the step's distributed loads
    std::int32_t node;
  };
  std::vector<NodePressure> node_pressures;
  int output_frequency = 1;
  std::int32_t output_time_points = -1;
  bool output_expanded = false;
  int output_intervals = 0;

 private:
  [[noreturn]] void fail_to_find(const Names& names, std::string_view kind, const std::string& name,
                                 Line line, std::string_view asked_by) const;

  const Cards& cards_;
  Deck& deck_;
  model::Model& model_;
  struct Warning {
    Line line;
    std::string message;
    bool if_supported = false;
  };
  std::vector<Warning> warnings_;
  std::unordered_map<std::string, std::size_t> unsupported_;  // into those of the deck
  mesh::LabelMap skipped_;                                    // elements of types that are not supported
  bool has_heat_steps_ = false;
  std::vector<bool> has_rotations_;  // [nodes] whether a shell or a beam has it; empty: not asked for yet
  std::vector<std::int32_t> one_{0};
};

using Handler = void (*)(Reader&, const Card&);

enum class Place : std::uint8_t { model, step, anywhere };

/// Handlers run in rounds, and within a round in the order of the deck, so that a set may name nodes and a
/// section a material that come later.
enum class Round : std::uint8_t { nodes, elements, sets, definitions, rest };

struct Keyword {
  std::string_view name;  // without blanks
  Handler handler;        // none: ignored, as CalculiX ignores it
  Place place;
  Round round;
};

/// Null where it is not a keyword that is read.
const Keyword* find_keyword(std::string_view name);
/// "*SOLID SECTION" for a keyword of CalculiX that is not read, empty for a word that is no keyword.
std::string_view find_unsupported_keyword(std::string_view name);
/// "*SOLID SECTION" for "*SOLIDSECTION", for messages.
std::string spelled(std::string_view name);
std::vector<std::string> all_keywords();

// Handlers, by subject
void read_heading(Reader& reader, const Card& card);
void read_nodes(Reader& reader, const Card& card);
void read_elements(Reader& reader, const Card& card);
void read_node_set(Reader& reader, const Card& card);
void read_element_set(Reader& reader, const Card& card);
void read_surface(Reader& reader, const Card& card);

void read_material(Reader& reader, const Card& card);
void read_elastic(Reader& reader, const Card& card);
void read_hyperelastic(Reader& reader, const Card& card);
void read_density(Reader& reader, const Card& card);
void read_expansion(Reader& reader, const Card& card);
void read_damping(Reader& reader, const Card& card);
void read_orientation(Reader& reader, const Card& card);
void read_conductivity(Reader& reader, const Card& card);
void read_specific_heat(Reader& reader, const Card& card);
void read_physical_constants(Reader& reader, const Card& card);

/// The set of a section; an empty one is an error unless its elements were of types that are skipped.
std::int32_t section_set(Reader& reader, const Card& card);
void read_solid_section(Reader& reader, const Card& card);
void read_shell_section(Reader& reader, const Card& card);
void read_membrane_section(Reader& reader, const Card& card);
void read_beam_section(Reader& reader, const Card& card);
void read_nodal_thickness(Reader& reader, const Card& card);
void read_normal(Reader& reader, const Card& card);
void read_spring(Reader& reader, const Card& card);
void read_transform(Reader& reader, const Card& card);

void read_boundary(Reader& reader, const Card& card);
void read_equation(Reader& reader, const Card& card);
void read_mpc(Reader& reader, const Card& card);
void read_tie(Reader& reader, const Card& card);
void read_rigid_body(Reader& reader, const Card& card);
void read_distributing_coupling(Reader& reader, const Card& card);
void read_coupling(Reader& reader, const Card& card);
void read_kinematic(Reader& reader, const Card& card);
void read_distributing(Reader& reader, const Card& card);
/// Elements DCOUP3D, which give a coupling its node and are nothing else.
void read_coupling_elements(Reader& reader, const Card& card);
void read_amplitude(Reader& reader, const Card& card);
void read_initial_conditions(Reader& reader, const Card& card);

void read_point_load(Reader& reader, const Card& card);
void read_distributed_load(Reader& reader, const Card& card);
void read_surface_load(Reader& reader, const Card& card);
void read_temperature(Reader& reader, const Card& card);
void read_point_flux(Reader& reader, const Card& card);
void read_distributed_flux(Reader& reader, const Card& card);
void read_film(Reader& reader, const Card& card);
void read_radiation(Reader& reader, const Card& card);
void read_view_factors(Reader& reader, const Card& card);

void read_step(Reader& reader, const Card& card);
void read_static(Reader& reader, const Card& card);
void read_frequency(Reader& reader, const Card& card);
void read_buckle(Reader& reader, const Card& card);
void read_heat_transfer(Reader& reader, const Card& card);
void read_temperature_displacement(Reader& reader, const Card& card);
void read_no_analysis(Reader& reader, const Card& card);
void read_end_step(Reader& reader, const Card& card);

void read_modal_dynamic(Reader& reader, const Card& card);
void take_modal_dynamic(Reader& reader, const Card& card);  // its parameters are known
void read_steady_state(Reader& reader, const Card& card);
void read_dynamic(Reader& reader, const Card& card);
void read_modal_damping(Reader& reader, const Card& card);
void read_base_motion(Reader& reader, const Card& card);
void read_time_points(Reader& reader, const Card& card);
void read_spectrum(Reader& reader, const Card& card);
void read_response_spectrum(Reader& reader, const Card& card);

void read_cyclic_symmetry(Reader& reader, const Card& card);
void read_cyclic_modes(Reader& reader, const Card& card);
void read_dashpot(Reader& reader, const Card& card);
void read_mass(Reader& reader, const Card& card);

void read_substructure(Reader& reader, const Card& card);
void read_retained_dofs(Reader& reader, const Card& card);
void read_substructure_output(Reader& reader, const Card& card);
void read_matrix_input(Reader& reader, const Card& card);
void read_matrix_assemble(Reader& reader, const Card& card);

void read_output(Reader& reader, const Card& card);
void read_node_print(Reader& reader, const Card& card);
void read_element_print(Reader& reader, const Card& card);
void read_section_print(Reader& reader, const Card& card);
void read_node_file(Reader& reader, const Card& card);
void read_element_file(Reader& reader, const Card& card);

/// Gives the pressures of nodes their values, once the step's prescribed values are known.
void resolve_node_pressures(Reader& reader);

/// An error where the deck says what absolute zero is and a temperature of a step of heat is below it.
void require_above_absolute_zero(const Reader& reader, double temperature, Line line, std::string_view what);

/// Warns of a card that is for *HEAT TRANSFER in a deck that has none.
void warn_without_heat(Reader& reader, const Card& card);

/// Warns of loads that the step does not see.
void check_loads(Reader& reader);

/// Makes equations of constraints between nodes, once all that is prescribed is known.
void make_constraints(Reader& reader);
void make_ties(Reader& reader, model::EquationMaker& equations);
void make_alignments(Reader& reader, model::EquationMaker& equations);
void make_cyclic(Reader& reader, model::EquationMaker& equations);
void take_cyclic_tie(Reader& reader, model::Tie tie);
/// An error of sides without *CYCLIC SYMMETRY MODEL; names steps that are not computed of its modes.
void check_cyclic(Reader& reader);
/// An error where nothing follows a *COUPLING.
void require_no_open_coupling(const Reader& reader);
void make_bodies(Reader& reader, model::EquationMaker& equations);

/// Warns of matrices that were read for nothing.
void check_matrices(Reader& reader);

/// What a whole model must have: elements, a step, a section and a material of every element.
void check_end(Reader& reader);

}  // namespace setka::deck::detail
