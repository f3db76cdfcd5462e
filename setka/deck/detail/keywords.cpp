// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <array>

#include <fmt/core.h>

#include "setka/deck/detail/reader.hpp"

namespace setka::deck::detail {
namespace {

/// Read for networks or nonlinear iterations only: the steps that are computed do not see it.
void ignore(Reader& reader, const Card& card) {
  reader.warn_if_supported(card.line,
                           fmt::format("{} has no effect on the steps of this deck", spelled(card.keyword)));
}

constexpr std::array keywords{
    Keyword{"*HEADING", read_heading, Place::anywhere, Round::definitions},
    Keyword{"*NODE", read_nodes, Place::model, Round::nodes},
    Keyword{"*ELEMENT", read_elements, Place::model, Round::elements},
    Keyword{"*NSET", read_node_set, Place::model, Round::sets},
    Keyword{"*ELSET", read_element_set, Place::model, Round::sets},
    Keyword{"*SURFACE", read_surface, Place::model, Round::sets},
    Keyword{"*MATERIAL", read_material, Place::model, Round::definitions},
    Keyword{"*ELASTIC", read_elastic, Place::model, Round::definitions},
    Keyword{"*HYPERELASTIC", read_hyperelastic, Place::model, Round::definitions},
    Keyword{"*DENSITY", read_density, Place::model, Round::definitions},
    Keyword{"*EXPANSION", read_expansion, Place::model, Round::definitions},
    Keyword{"*CONDUCTIVITY", read_conductivity, Place::model, Round::definitions},
    Keyword{"*SPECIFICHEAT", read_specific_heat, Place::model, Round::definitions},
    Keyword{"*PHYSICALCONSTANTS", read_physical_constants, Place::model, Round::definitions},
    Keyword{"*ORIENTATION", read_orientation, Place::model, Round::definitions},
    Keyword{"*SOLIDSECTION", read_solid_section, Place::model, Round::rest},
    Keyword{"*SHELLSECTION", read_shell_section, Place::model, Round::rest},
    Keyword{"*MEMBRANESECTION", read_membrane_section, Place::model, Round::rest},
    Keyword{"*BEAMSECTION", read_beam_section, Place::model, Round::rest},
    Keyword{"*BEAMGENERALSECTION", read_beam_section, Place::model, Round::rest},
    Keyword{"*NODALTHICKNESS", read_nodal_thickness, Place::model, Round::rest},
    Keyword{"*NORMAL", read_normal, Place::model, Round::rest},
    Keyword{"*SPRING", read_spring, Place::model, Round::rest},
    Keyword{"*DASHPOT", read_dashpot, Place::model, Round::rest},
    Keyword{"*MASS", read_mass, Place::model, Round::rest},
    Keyword{"*TRANSFORM", read_transform, Place::model, Round::rest},
    Keyword{"*BOUNDARY", read_boundary, Place::anywhere, Round::rest},
    Keyword{"*EQUATION", read_equation, Place::anywhere, Round::rest},
    Keyword{"*MPC", read_mpc, Place::model, Round::rest},
    Keyword{"*TIE", read_tie, Place::model, Round::rest},
    Keyword{"*CYCLICSYMMETRYMODEL", read_cyclic_symmetry, Place::model, Round::rest},
    Keyword{"*SELECTCYCLICSYMMETRYMODES", read_cyclic_modes, Place::step, Round::rest},
    Keyword{"*RIGIDBODY", read_rigid_body, Place::model, Round::definitions},
    Keyword{"*COUPLING", read_coupling, Place::model, Round::definitions},
    Keyword{"*KINEMATIC", read_kinematic, Place::model, Round::definitions},
    Keyword{"*DISTRIBUTING", read_distributing, Place::model, Round::definitions},
    Keyword{"*DISTRIBUTINGCOUPLING", read_distributing_coupling, Place::model, Round::definitions},
    Keyword{"*AMPLITUDE", read_amplitude, Place::anywhere, Round::rest},
    Keyword{"*INITIALCONDITIONS", read_initial_conditions, Place::model, Round::rest},
    Keyword{"*DAMPING", read_damping, Place::model, Round::definitions},
    Keyword{"*TIMEPOINTS", read_time_points, Place::anywhere, Round::rest},
    Keyword{"*CONTROLS", ignore, Place::anywhere, Round::rest},
    Keyword{"*STEP", read_step, Place::anywhere, Round::rest},
    Keyword{"*STATIC", read_static, Place::step, Round::rest},
    Keyword{"*FREQUENCY", read_frequency, Place::step, Round::rest},
    Keyword{"*BUCKLE", read_buckle, Place::step, Round::rest},
    Keyword{"*HEATTRANSFER", read_heat_transfer, Place::step, Round::rest},
    Keyword{"*NOANALYSIS", read_no_analysis, Place::step, Round::rest},
    Keyword{"*MODALDYNAMIC", read_modal_dynamic, Place::step, Round::rest},
    Keyword{"*STEADYSTATEDYNAMICS", read_steady_state, Place::step, Round::rest},
    Keyword{"*DYNAMIC", read_dynamic, Place::step, Round::rest},
    Keyword{"*MODALDAMPING", read_modal_damping, Place::step, Round::rest},
    Keyword{"*BASEMOTION", read_base_motion, Place::step, Round::rest},
    Keyword{"*SPECTRUM", read_spectrum, Place::model, Round::rest},
    Keyword{"*RESPONSESPECTRUM", read_response_spectrum, Place::step, Round::rest},
    Keyword{"*SUBSTRUCTUREGENERATE", read_substructure, Place::step, Round::rest},
    Keyword{"*RETAINEDNODALDOFS", read_retained_dofs, Place::step, Round::rest},
    Keyword{"*SUBSTRUCTUREMATRIXOUTPUT", read_substructure_output, Place::step, Round::rest},
    Keyword{"*MATRIXINPUT", read_matrix_input, Place::model, Round::definitions},
    Keyword{"*MATRIXASSEMBLE", read_matrix_assemble, Place::model, Round::rest},
    Keyword{"*UNCOUPLEDTEMPERATURE-DISPLACEMENT", read_temperature_displacement, Place::step, Round::rest},
    Keyword{"*COUPLEDTEMPERATURE-DISPLACEMENT", read_temperature_displacement, Place::step, Round::rest},
    Keyword{"*ENDSTEP", read_end_step, Place::step, Round::rest},
    Keyword{"*CLOAD", read_point_load, Place::step, Round::rest},
    Keyword{"*DLOAD", read_distributed_load, Place::step, Round::rest},
    Keyword{"*DSLOAD", read_surface_load, Place::step, Round::rest},
    Keyword{"*TEMPERATURE", read_temperature, Place::step, Round::rest},
    Keyword{"*CFLUX", read_point_flux, Place::step, Round::rest},
    Keyword{"*DFLUX", read_distributed_flux, Place::step, Round::rest},
    Keyword{"*FILM", read_film, Place::step, Round::rest},
    Keyword{"*RADIATE", read_radiation, Place::step, Round::rest},
    Keyword{"*VIEWFACTOR", read_view_factors, Place::step, Round::rest},
    Keyword{"*OUTPUT", read_output, Place::step, Round::rest},
    Keyword{"*NODEPRINT", read_node_print, Place::step, Round::rest},
    Keyword{"*ELPRINT", read_element_print, Place::step, Round::rest},
    Keyword{"*SECTIONPRINT", read_section_print, Place::step, Round::rest},
    Keyword{"*NODEFILE", read_node_file, Place::step, Round::rest},
    Keyword{"*NODEOUTPUT", read_node_file, Place::step, Round::rest},
    Keyword{"*ELFILE", read_element_file, Place::step, Round::rest},
    Keyword{"*ELEMENTOUTPUT", read_element_file, Place::step, Round::rest},
};

/// With blanks, for messages: those of the table above that have any.
constexpr std::array<std::string_view, 36> spellings{"*RIGID BODY",
                                                     "*CYCLIC SYMMETRY MODEL",
                                                     "*SELECT CYCLIC SYMMETRY MODES",
                                                     "*SHELL SECTION",
                                                     "*MEMBRANE SECTION",
                                                     "*BEAM SECTION",
                                                     "*BEAM GENERAL SECTION",
                                                     "*NODAL THICKNESS",
                                                     "*DISTRIBUTING COUPLING",
                                                     "*UNCOUPLED TEMPERATURE-DISPLACEMENT",
                                                     "*COUPLED TEMPERATURE-DISPLACEMENT",
                                                     "*SPECIFIC HEAT",
                                                     "*HEAT TRANSFER",
                                                     "*PHYSICAL CONSTANTS",
                                                     "*SOLID SECTION",
                                                     "*INITIAL CONDITIONS",
                                                     "*TIME POINTS",
                                                     "*END STEP",
                                                     "*NODE PRINT",
                                                     "*EL PRINT",
                                                     "*SECTION PRINT",
                                                     "*NODE FILE",
                                                     "*NODE OUTPUT",
                                                     "*EL FILE",
                                                     "*ELEMENT OUTPUT",
                                                     "*MODAL DYNAMIC",
                                                     "*STEADY STATE DYNAMICS",
                                                     "*MODAL DAMPING",
                                                     "*BASE MOTION",
                                                     "*RESPONSE SPECTRUM",
                                                     "*NO ANALYSIS",
                                                     "*MATRIX INPUT",
                                                     "*MATRIX ASSEMBLE",
                                                     "*SUBSTRUCTURE GENERATE",
                                                     "*RETAINED NODAL DOFS",
                                                     "*SUBSTRUCTURE MATRIX OUTPUT"};

/// What CalculiX 2.20 has besides.
constexpr std::array unsupported_keywords{
    std::string_view("*BOUNDARYF"),
    std::string_view("*CFD"),
    std::string_view("*CHANGE CONTACT TYPE"),
    std::string_view("*CHANGE FRICTION"),
    std::string_view("*CHANGE MATERIAL"),
    std::string_view("*CHANGE PLASTIC"),
    std::string_view("*CHANGE SOLID SECTION"),
    std::string_view("*CHANGE SURFACE BEHAVIOR"),
    std::string_view("*CLEARANCE"),
    std::string_view("*COMPLEX FREQUENCY"),
    std::string_view("*CONSTRAINT"),
    std::string_view("*CONTACT DAMPING"),
    std::string_view("*CONTACT FILE"),
    std::string_view("*CONTACT OUTPUT"),
    std::string_view("*CONTACT PAIR"),
    std::string_view("*CONTACT PRINT"),
    std::string_view("*CORRELATION LENGTH"),
    std::string_view("*CRACK PROPAGATION"),
    std::string_view("*CREEP"),
    std::string_view("*CYCLIC HARDENING"),
    std::string_view("*DEFORMATION PLASTICITY"),
    std::string_view("*DEPVAR"),
    std::string_view("*DESIGN RESPONSE"),
    std::string_view("*DESIGN VARIABLES"),
    std::string_view("*DISTRIBUTION"),
    std::string_view("*DISTRIBUTION TABLE"),
    std::string_view("*ELECTRICAL CONDUCTIVITY"),
    std::string_view("*ELECTROMAGNETICS"),
    std::string_view("*EQUATIONF"),
    std::string_view("*FACE PRINT"),
    std::string_view("*FEASIBLE DIRECTION"),
    std::string_view("*FILTER"),
    std::string_view("*FLUID CONSTANTS"),
    std::string_view("*FLUID SECTION"),
    std::string_view("*FRICTION"),
    std::string_view("*GAP"),
    std::string_view("*GAP CONDUCTANCE"),
    std::string_view("*GAP HEAT GENERATION"),
    std::string_view("*GEOMETRIC CONSTRAINT"),
    std::string_view("*GEOMETRIC TOLERANCE"),
    std::string_view("*GREEN"),
    std::string_view("*HCF"),
    std::string_view("*HYPERFOAM"),
    std::string_view("*INITIAL STRAIN INCREASE"),
    std::string_view("*MAGNETIC PERMEABILITY"),
    std::string_view("*MASS FLOW"),
    std::string_view("*MODEL CHANGE"),
    std::string_view("*MOHR COULOMB"),
    std::string_view("*MOHR COULOMB HARDENING"),
    std::string_view("*NETWORK MPC"),
    std::string_view("*OBJECTIVE"),
    std::string_view("*PLASTIC"),
    std::string_view("*PRE-TENSION SECTION"),
    std::string_view("*RANDOM FIELD"),
    std::string_view("*RATE DEPENDENT"),
    std::string_view("*REFINE MESH"),
    std::string_view("*RESTART"),
    std::string_view("*ROBUST DESIGN"),
    std::string_view("*SENSITIVITY"),
    std::string_view("*SPECIFIC GAS CONSTANT"),
    std::string_view("*SUBMODEL"),
    std::string_view("*SURFACE BEHAVIOR"),
    std::string_view("*SURFACE INTERACTION"),
    std::string_view("*TRANSFORMF"),
    std::string_view("*USER ELEMENT"),
    std::string_view("*USER MATERIAL"),
    std::string_view("*USER SECTION"),
    std::string_view("*VALUES AT INFINITY"),
    std::string_view("*VISCO"),
};

/// Whether a spelling with blanks is this word without them.
bool same_word(std::string_view spelling, std::string_view name) {
  std::size_t at = 0;
  for (const char c : spelling) {
    if (c == ' ') continue;
    if (at == name.size() || name[at] != c) return false;
    ++at;
  }
  return at == name.size();
}

}  // namespace

const Keyword* find_keyword(std::string_view name) {
  const auto* found = std::find_if(keywords.begin(), keywords.end(),
                                   [&](const Keyword& keyword) { return keyword.name == name; });
  return found == keywords.end() ? nullptr : found;
}

std::string_view find_unsupported_keyword(std::string_view name) {
  for (const std::string_view keyword : unsupported_keywords) {
    if (same_word(keyword, name)) return keyword;
  }
  if (name == "*FLUIDSECTIONS") return "*FLUID SECTION";  // CalculiX compares the beginning only
  return {};
}

std::string spelled(std::string_view name) {
  for (const std::string_view spelling : spellings) {
    if (same_word(spelling, name)) return std::string(spelling);
  }
  for (const std::string_view keyword : unsupported_keywords) {
    if (same_word(keyword, name)) return std::string(keyword);
  }
  return std::string(name);
}

std::vector<std::string> all_keywords() {
  std::vector<std::string> names{"*INCLUDE"};
  names.reserve(1 + keywords.size() + unsupported_keywords.size());
  for (const Keyword& keyword : keywords) names.emplace_back(keyword.name);
  for (const std::string_view keyword : unsupported_keywords) names.push_back(word(keyword));
  return names;
}

}  // namespace setka::deck::detail
