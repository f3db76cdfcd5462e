// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// *CFLUX, *DFLUX, *FILM, *RADIATE, *VIEWFACTOR.
#include <algorithm>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "setka/deck/detail/load_card.hpp"
#include "setka/deck/detail/reader.hpp"
#include "setka/deck/element_names.hpp"
#include "setka/model/element_type.hpp"

namespace setka::deck::detail {
namespace {

using Faces = std::vector<model::ElementFace>;

/// A line of *DFLUX, *FILM or *RADIATE: who, what acts on it, numbers.
struct FluxLine {
  std::string_view asked_by;
  Line line;
  std::string_view who;
  std::string label;   // "R1CR"
  std::string face;    // "1", of surfaces "NEG" and "POS"; empty where a surface says which
  std::string suffix;  // what follows: "CR"
  Fields fields;       // the numbers
};

FluxLine flux_line(const DataLines& lines, std::string_view asked_by) {
  Fields fields(lines.text());
  const std::string_view who = fields.next();
  std::string label = word(fields.next());
  const std::size_t face = std::min<std::size_t>(1, label.size());
  std::size_t rest = std::min(label.find_first_not_of("0123456789", face), label.size());
  const std::string_view side = std::string_view(label).substr(face, 3);
  if (side == "NEG" || side == "POS") rest = face + side.size();
  return {asked_by, lines.line(), who, label, label.substr(face, rest - face), label.substr(rest), fields};
}

/// Whether it is one of CalculiX's that are not read: by user subroutines, of networks, of planes.
bool is_other_load(const FluxLine& flux, std::string_view letter) {
  if (flux.label.find("NU") != std::string::npos) return true;
  if (!flux.label.starts_with(letter)) return false;
  return flux.suffix == "FC" || flux.suffix == "N" || flux.suffix == "P";
}

/// Whether the label is a letter with the number of a face, and what may follow. What is right but not read
/// is told; what is wrong is an error.
bool is_of_face(Reader& reader, const FluxLine& flux, std::string_view letter, std::string_view may_follow,
                const std::string& there_are) {
  if (flux.label.starts_with(letter) && (flux.suffix.empty() || flux.suffix == may_follow)) return true;
  if (!is_other_load(flux, letter))
    reader.fail(flux.line, fmt::format("{}: there is no load '{}'", flux.asked_by, flux.label.substr(0, 40)),
                there_are);
  reader.unsupported(flux.line, fmt::format("{}, load {}", flux.asked_by, flux.label.substr(0, 40)));
  return false;
}

/// The face of an element that a label names, as "F3" or "RNEG"; -1: there is none. Those of shells and beams
/// are the faces of the solid that they become: of a shell what is below and above, and its edges.
std::int32_t numbered_face(const model::ElementType& type, std::string_view face, std::string_view letter,
                           std::string& there_are) {
  const bool surface = model::is_surface(type.family);
  int count = mesh::face_count(type.cell) + (surface ? 2 : 0);
  if (type.family == model::Family::beam) count = mesh::face_count(mesh::Cell::hex8);
  there_are = count == 0 ? "it has no faces"
                         : fmt::format("it has {}{}1 to {}{}",
                                       surface ? fmt::format("{0}NEG, {0}POS and ", letter) : "", letter,
                                       letter, count);
  if (surface && face == "NEG") return 0;
  if (surface && face == "POS") return 1;
  std::int64_t number = 0;
  const bool there = io::parse_integer(face, number) && number >= 1 && number <= count;
  return there ? static_cast<std::int32_t>(number - 1) : -1;
}

/// Those of a surface, whatever number follows the letter, or those of this number of elements.
Faces faces_of(Reader& reader, const FluxLine& flux) {
  const std::string name = word(flux.who);
  std::int64_t number = 0;
  const bool is_number = io::parse_integer(flux.who, number);
  if (!is_number && reader.element_sets.find(name) < 0) {
    const std::int32_t position = reader.surfaces.find(name);
    if (position >= 0) {
      const Faces& faces = reader.model().surfaces[static_cast<std::size_t>(position)].faces;
      const mesh::Mesh& mesh = reader.model().mesh;
      const bool rotates = std::ranges::any_of(
          faces, [&](const auto& face) { return model::has_profile(model::family(mesh, face.element)); });
      if (!rotates) return faces;
      reader.unsupported(flux.line, fmt::format("{} on a surface of shells", flux.asked_by));
      return {};
    }
    if (reader.node_surfaces.find(name) >= 0)
      reader.fail(flux.line, fmt::format("{}: surface {} is made of nodes", flux.asked_by, name),
                  "heat passes a *SURFACE,TYPE=ELEMENT");
  }
  Faces faces;
  const mesh::Mesh& mesh = reader.model().mesh;
  std::string there_are;
  for (const std::int32_t element : reader.elements(flux.who, flux.line, flux.asked_by)) {
    const std::int32_t face =
        numbered_face(model::element_type(mesh, element), flux.face, flux.label.substr(0, 1), there_are);
    if (face < 0)
      reader.fail(flux.line,
                  fmt::format("element {} of type {} has no face '{}'", mesh.element_label(element),
                              deck::name(mesh, element), flux.label.substr(0, 20)),
                  there_are);
    faces.push_back({element, face});
  }
  return faces;
}

double not_negative(const Reader& reader, FluxLine& flux, std::string_view what) {
  const double value = reader.real(flux.fields.next(), flux.line, what, 0.0);
  if (!(value >= 0))
    reader.fail(flux.line, fmt::format("{}: {} is {}", flux.asked_by, what, value), "it is not negative");
  return value;
}

/// The position of a cavity by its name, of which CalculiX reads three letters.
std::int32_t cavity_of(Reader& reader, const Card& card) {
  constexpr std::size_t letters = 3;
  const std::string name(card.value("CAVITY").substr(0, letters));
  if (card.value("CAVITY").size() > letters)
    reader.warn(card.line, fmt::format("*RADIATE: the name of a cavity has three letters; this is {}", name));
  std::vector<std::string>& cavities = reader.model().cavities;
  const auto found = std::ranges::find(cavities, name);
  const auto position = static_cast<std::int32_t>(found - cavities.begin());
  if (found == cavities.end()) cavities.push_back(name);
  return position;
}

void require_constants(const Reader& reader, const model::PhysicalConstants& constants, Line line) {
  if (constants.absolute_zero && constants.stefan_boltzmann) return;
  reader.fail(line,
              fmt::format("*RADIATE, but the deck does not say what {} is",
                          constants.absolute_zero      ? "Stefan and Boltzmann's constant"
                          : constants.stefan_boltzmann ? "absolute zero"
                                                       : "absolute zero and Stefan and Boltzmann's constant"),
              "add *PHYSICAL CONSTANTS, ABSOLUTE ZERO=, STEFAN BOLTZMANN= before the first step: -273.15 and "
              "5.669E-8 for W, m and degrees Celsius");
}

/// Ambient temperature and emissivity. A cavity may be closed, which CalculiX says by an ambient temperature
/// below absolute zero.
void read_surroundings(const Reader& reader, FluxLine& flux, bool by_node, model::Radiation& radiation) {
  const std::string_view ambient = flux.fields.next();
  if (by_node) {
    radiation.ambient_node = reader.node(ambient, flux.line, "*RADIATE");
  } else {
    radiation.ambient = reader.real(ambient, flux.line, "the ambient temperature", 0.0);
    if (radiation.cavity < 0 && radiation.amplitude < 0)
      require_above_absolute_zero(reader, radiation.ambient, flux.line, "*RADIATE: the ambient temperature");
  }
  radiation.emissivity = not_negative(reader, flux, "the emissivity");
  if (radiation.cavity >= 0 && radiation.emissivity > 1)
    reader.fail(flux.line, fmt::format("*RADIATE: the emissivity in a cavity is {}", radiation.emissivity),
                "it goes from 0 to 1");
}

}  // namespace

void warn_without_heat(Reader& reader, const Card& card) {
  if (reader.has_heat_steps()) return;
  reader.warn_if_supported(card.line,
                           fmt::format("{} has no effect on the steps of this deck", spelled(card.keyword)));
}

void read_point_flux(Reader& reader, const Card& card) {
  reader.check_parameters(card, {"OP", "AMPLITUDE", "ADD"}, {"TIMEDELAY", "USER"});
  if (card.has("USER")) return;
  warn_without_heat(reader, card);
  std::vector<model::Step>& steps = reader.model().steps;
  // Fluxes of one step add up without ADD as well.
  const bool earlier = std::any_of(steps.begin(), steps.end() - 1,
                                   [](const model::Step& step) { return !step.point_fluxes.empty(); });
  if (card.has("ADD") && earlier)
    reader.unsupported(card.line, "*CFLUX, parameter ADD to fluxes of an earlier step");
  apply_operation(reader, card, reader.seen.point_fluxes, steps.back().operations.new_point_fluxes);
  const std::int32_t amplitude = reader.amplitude(card);
  DataLines lines = reader.data(card);
  while (lines.next()) {
    Fields fields(lines.text());
    const std::string_view who = fields.next();
    const std::int64_t direction = reader.integer(fields.next(), lines.line(), "the degree of freedom");
    if (direction != 0 && direction != 11)
      reader.fail(lines.line(), fmt::format("*CFLUX: degree of freedom {}", direction),
                  "it is 11 or 0, the temperature");
    const double value = reader.real(fields.next(), lines.line(), "the flux", 0.0);
    for (const std::int32_t node : reader.nodes(who, lines.line(), "*CFLUX"))
      steps.back().point_fluxes.push_back({node, value, amplitude, lines.line()});
  }
}

void read_distributed_flux(Reader& reader, const Card& card) {
  reader.check_parameters(card, {"OP", "AMPLITUDE"}, {"TIMEDELAY"});
  warn_without_heat(reader, card);
  model::Step& step = reader.model().steps.back();
  apply_operation(reader, card, reader.seen.distributed_fluxes, step.operations.new_distributed_fluxes);
  model::DistributedFlux load{};
  load.amplitude = reader.amplitude(card);
  DataLines lines = reader.data(card);
  while (lines.next()) {
    FluxLine flux = flux_line(lines, "*DFLUX");
    load.line = flux.line;
    if (flux.label != "BF" &&
        !is_of_face(reader, flux, "S", "", "there are S1 to S6, BF, and S with the name of a surface"))
      continue;
    load.value = reader.real(flux.fields.next(), flux.line, "the flux", 0.0);
    Faces faces;
    if (flux.label == "BF") {
      for (const std::int32_t element : reader.elements(flux.who, flux.line, "*DFLUX"))
        faces.push_back({element, -1});
    } else {
      faces = faces_of(reader, flux);
    }
    for (const model::ElementFace& face : faces) {
      load.element = face.element;
      load.face = face.face;
      step.distributed_fluxes.push_back(load);
    }
  }
}

void read_film(Reader& reader, const Card& card) {
  reader.check_parameters(card, {"OP", "AMPLITUDE", "FILMAMPLITUDE"}, {"TIMEDELAY", "FILMTIMEDELAY"});
  warn_without_heat(reader, card);
  model::Step& step = reader.model().steps.back();
  apply_operation(reader, card, reader.seen.films, step.operations.new_films);
  model::Film film{};
  film.amplitude = reader.amplitude(card);
  film.film_amplitude = reader.amplitude(card, "FILMAMPLITUDE");
  DataLines lines = reader.data(card);
  while (lines.next()) {
    FluxLine flux = flux_line(lines, "*FILM");
    film.line = flux.line;
    if (!is_of_face(reader, flux, "F", "", "there are F1 to F6, and F with the name of a surface")) continue;
    film.sink = reader.real(flux.fields.next(), flux.line, "the sink temperature", 0.0);
    film.coefficient = not_negative(reader, flux, "the film coefficient");
    for (const model::ElementFace& face : faces_of(reader, flux)) {
      film.element = face.element;
      film.face = face.face;
      step.films.push_back(film);
    }
  }
}

void read_radiation(Reader& reader, const Card& card) {
  reader.check_parameters(card, {"OP", "AMPLITUDE", "RADIATIONAMPLITUDE", "ENVNODE", "CAVITY"},
                          {"TIMEDELAY", "RADIATIONTIMEDELAY"});
  warn_without_heat(reader, card);
  model::Step& step = reader.model().steps.back();
  apply_operation(reader, card, reader.seen.radiation, step.operations.new_radiation);
  const model::PhysicalConstants& constants = reader.model().constants;
  model::Radiation radiation{};
  radiation.amplitude = reader.amplitude(card);
  radiation.emissivity_amplitude = reader.amplitude(card, "RADIATIONAMPLITUDE");
  DataLines lines = reader.data(card);
  while (lines.next()) {
    FluxLine flux = flux_line(lines, "*RADIATE");
    radiation.line = flux.line;
    if (!is_of_face(reader, flux, "R", "CR",
                    "there are R1 to R6, R1CR to R6CR, and R or R0CR with the name of a surface"))
      continue;
    require_constants(reader, constants, flux.line);
    radiation.cavity = flux.suffix == "CR" ? cavity_of(reader, card) : -1;
    read_surroundings(reader, flux, card.has("ENVNODE"), radiation);
    for (const model::ElementFace& face : faces_of(reader, flux)) {
      radiation.element = face.element;
      radiation.face = face.face;
      step.radiation.push_back(radiation);
    }
  }
}

void read_view_factors(Reader& reader, const Card& card) {
  reader.check_parameters(card, {"READ", "NOCHANGE", "WRITE", "INPUT", "OUTPUT"}, {"WRITEONLY"});
  reader.warn_if_supported(card.line,
                           "*VIEWFACTOR is ignored: view factors are computed, not read or written");
}

void check_loads(Reader& reader) {
  const model::Step& step = reader.model().steps.back();
  const auto* heat = std::get_if<model::HeatStep>(&step.procedure);
  if (heat == nullptr || heat->displaces) return;
  const auto warn = [&](Line line) {
    reader.warn_if_supported(line, "forces and pressures have no effect on *HEAT TRANSFER");
  };
  if (!step.point_loads.empty()) warn(step.point_loads.front().line);
  if (!step.distributed_loads.empty()) warn(step.distributed_loads.front().line);
}

}  // namespace setka::deck::detail
