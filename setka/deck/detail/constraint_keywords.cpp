// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// *BOUNDARY, *EQUATION, *AMPLITUDE, *INITIAL CONDITIONS.
#include <algorithm>
#include <array>

#include <fmt/core.h>

#include "setka/deck/detail/load_card.hpp"
#include "setka/deck/detail/reader.hpp"
#include "setka/io/record.hpp"

namespace setka::deck::detail {
namespace {

struct Directions {
  int first;
  int last;
};

constexpr int temperature = 11;

/// Degrees of freedom of a card, where 0 and 11 are both the temperature.
Directions read_directions(Reader& reader, Fields& fields, Line line) {
  const std::int64_t first = reader.integer(fields.next(), line, "the first degree of freedom");
  const std::int64_t last = reader.integer(fields.next(), line, "the last degree of freedom", first);
  if (first < 0 || last > 11 || last < first || first == 7 || last == 7)
    reader.fail(line,
                first == last ? fmt::format("*BOUNDARY: degree of freedom {}", first)
                              : fmt::format("*BOUNDARY: degrees of freedom from {} to {}", first, last),
                "1 to 3 are displacements, 4 to 6 rotations, 11 is the temperature");
  if (first == 0 && last == 0) return {temperature, temperature};
  return {static_cast<int>(first), static_cast<int>(last)};
}

/// That of a term of an equation; those of networks and fluids are named and left out.
std::int32_t direction_of_term(Reader& reader, std::string_view field, Line line, bool& supported) {
  const std::int64_t direction = reader.integer(field, line, "the degree of freedom");
  if (direction < 0 || direction > temperature)
    reader.fail(line, fmt::format("*EQUATION: degree of freedom {}", direction),
                "it is 1, 2 or 3, or 11 for the temperature");
  if (direction == 0) return temperature;
  if (direction > 3 && direction != temperature) {
    reader.unsupported(line, fmt::format("*EQUATION, degree of freedom {}", direction));
    supported = false;
  }
  return static_cast<std::int32_t>(direction);
}

void read_initial_temperatures(Reader& reader, const Card& card) {
  DataLines lines = reader.data(card);
  while (lines.next()) {
    Fields fields(lines.text());
    const std::string_view who = fields.next();
    const double value = reader.real(fields.next(), lines.line(), "the temperature", 0.0);
    if (reader.has_heat_steps())
      require_above_absolute_zero(reader, value, lines.line(), "*INITIAL CONDITIONS: the temperature");
    for (const std::int32_t node : reader.nodes(who, lines.line(), "*INITIAL CONDITIONS"))
      reader.model().initial_temperatures.push_back({node, value, -1});
  }
}

void read_initial_velocities(Reader& reader, const Card& card) {
  DataLines lines = reader.data(card);
  while (lines.next()) {
    const DofValue given = dof_value(reader, lines, "*INITIAL CONDITIONS", "the velocity");
    for (const std::int32_t node : reader.nodes(given.who, lines.line(), "*INITIAL CONDITIONS"))
      reader.model().initial_velocities.push_back({node, given.direction, given.value, lines.line()});
  }
}

void read_initial_tensors(Reader& reader, const Card& card, std::vector<model::InitialTensor>& to) {
  DataLines lines = reader.data(card);
  while (lines.next()) {
    Fields fields(lines.text());
    const std::string_view who = fields.next();
    const std::int32_t point = reader.label(fields.next(), lines.line(), "the integration point");
    std::array<double, 6> values{};
    for (double& value : values) value = reader.real(fields.next(), lines.line(), "the component", 0.0);
    for (const std::int32_t element : reader.elements(who, lines.line(), "*INITIAL CONDITIONS"))
      to.push_back({element, point - 1, values});
  }
}

}  // namespace

void read_boundary(Reader& reader, const Card& card) {
  reader.check_parameters(card, {"OP", "AMPLITUDE", "FIXED", "LOADCASE"},
                          {"TIMEDELAY", "USER", "MASSFLOW", "SUBMODEL", "STEP", "DATASET"});
  const bool imaginary = is_imaginary(reader, card);
  if (card.has("USER") || card.has("SUBMODEL")) return;
  model::Model& model = reader.model();
  if (card.in_step) {
    apply_operation(reader, card, reader.seen.boundary, model.steps.back().operations.new_boundary);
  } else if (card.has("FIXED")) {
    reader.warn(card.line, "*BOUNDARY: FIXED outside a step fixes at zero");
  }
  auto& prescribed = card.in_step ? model.steps.back().prescribed : model.prescribed;
  const std::int32_t amplitude = reader.amplitude(card);
  bool rotations = false;
  DataLines lines = reader.data(card);
  while (lines.next()) {
    Fields fields(lines.text());
    const Line line = lines.line();
    const std::string_view who = fields.next();
    const Directions directions = read_directions(reader, fields, line);
    const double value = reader.real(fields.next(), line, "the value", 0.0);
    if (directions.last == temperature && amplitude < 0 && reader.has_heat_steps())
      require_above_absolute_zero(reader, value, line, "*BOUNDARY: the temperature");
    const auto nodes = reader.nodes(who, line, "*BOUNDARY");
    for (int direction = directions.first; direction <= directions.last; ++direction) {
      if (direction >= 7 && direction <= 10) {
        if (direction > 7)
          reader.unsupported(line, fmt::format("*BOUNDARY, degree of freedom {}", direction));
        continue;
      }
      for (const std::int32_t node : nodes) {
        const auto at = reader.user_direction(node, direction == 0 ? temperature : direction);
        if (at && at->direction > 3 && at->direction < temperature && card.in_step && card.has("FIXED"))
          reader.unsupported(line, "*BOUNDARY, FIXED of rotations of shells and beams");
        if (at)
          prescribed.push_back(
              {at->node, at->direction, value, amplitude, card.has("FIXED"), line, imaginary});
        else
          rotations = true;
      }
    }
  }
  if (rotations)
    reader.warn_if_supported(card.line,
                             "*BOUNDARY: these nodes have no rotations; degrees 4 to 6 are ignored");
}

namespace {

/// *EQUATION, REMOVE: by the node and the direction that an equation eliminates.
void remove_equations(Reader& reader, const Card& card) {
  if (!card.in_step)
    reader.fail(card.line, "*EQUATION, REMOVE outside a step", "leave out the equation instead");
  const std::vector<model::Equation>& equations = reader.model().equations;
  std::vector<std::int32_t>& removed = reader.model().steps.back().removed_equations;
  const auto remove = [&](auto matches) {
    for (std::size_t i = 0; i < equations.size(); ++i) {
      if (matches(equations[i].terms.front())) removed.push_back(static_cast<std::int32_t>(i));
    }
  };
  if (card.has("REMOVEALL")) {
    remove([](const model::EquationTerm&) { return true; });
    return;
  }
  DataLines lines = reader.data(card);
  while (lines.next()) {
    Fields fields(lines.text());
    const std::string_view who = fields.next();
    const Directions directions = read_directions(reader, fields, lines.line());
    const auto nodes = reader.nodes(who, lines.line(), "*EQUATION");
    remove([&](const model::EquationTerm& first) {
      return first.direction >= directions.first && first.direction <= directions.last &&
             std::find(nodes.begin(), nodes.end(), first.node) != nodes.end();
    });
  }
}

}  // namespace

void read_equation(Reader& reader, const Card& card) {
  reader.check_parameters(card, {"REMOVE", "REMOVEALL"});
  if (card.has("REMOVE") || card.has("REMOVEALL")) {
    remove_equations(reader, card);
    return;
  }
  if (card.in_step) reader.fail(card.line, "*EQUATION inside a step", "move it before the first *STEP");
  DataLines lines = reader.data(card);
  while (lines.next()) {
    model::Equation equation;
    equation.line = lines.line();
    Fields count_line(lines.text());
    const std::int64_t count = reader.integer(count_line.next(), equation.line, "the number of terms");
    if (count < 1)
      reader.fail(equation.line, fmt::format("*EQUATION: the number of terms is {}", count),
                  "it is 1 or more");
    const auto fail_short = [&](std::size_t found) {
      reader.fail(equation.line, fmt::format("*EQUATION: {} terms asked for, {} found", count, found),
                  "a term is a node, a degree of freedom and a coefficient; up to four a line");
    };
    if (!lines.next()) fail_short(0);
    FieldStream fields(lines);
    bool supported = true;
    while (static_cast<std::int64_t>(equation.terms.size()) < count) {
      std::array<std::string_view, 3> term;
      for (std::string_view& field : term) {
        if (!fields.next(field)) fail_short(equation.terms.size());
      }
      const Line line = lines.line();
      const std::int32_t direction = direction_of_term(reader, term[1], line, supported);
      if (!equation.terms.empty() &&
          (direction == temperature) != (equation.terms.front().direction == temperature))
        reader.fail(line, "*EQUATION: a temperature and a displacement in one equation",
                    "give equations of temperatures and of displacements apart");
      const std::int32_t node = reader.node(term[0], line, "*EQUATION");
      const double coefficient = reader.real(term[2], line, "the coefficient");
      equation.terms.push_back({node, direction, coefficient});
    }
    if (!fields.line_done())
      reader.fail(lines.line(), fmt::format("*EQUATION: more than the {} terms asked for", count),
                  "begin the next equation on a line of its own");
    if (equation.terms.front().coefficient == 0)
      reader.fail(equation.line, "*EQUATION: the coefficient of the first term is zero",
                  "the first term is the one that is eliminated");
    if (supported) reader.model().equations.push_back(std::move(equation));
  }
}

namespace {

/// An accelerogram; GRAVITY says what one g is in the units of the deck.
std::vector<std::array<double, 2>> points_of_record(Reader& reader, const Card& card) {
  const double gravity =
      reader.real(card.value("GRAVITY"), card.line, "*AMPLITUDE, GRAVITY", io::standard_gravity);
  if (!(gravity > 0))
    reader.fail(card.line, fmt::format("*AMPLITUDE: GRAVITY is {}", gravity),
                "it is one g in the units of the deck: 9.80665 for m, 9806.65 for mm");
  const io::Record record = io::read_record(card.input);
  std::vector<std::array<double, 2>> points;
  points.reserve(record.acceleration.size());
  for (std::size_t i = 0; i < record.acceleration.size(); ++i)
    points.push_back({record.start + record.step * static_cast<double>(i),
                      record.acceleration[i] * (gravity / io::standard_gravity)});
  return points;
}

}  // namespace

void read_amplitude(Reader& reader, const Card& card) {
  reader.check_parameters(card, {"NAME", "TIME", "DEFINITION", "INPUT", "GRAVITY"},
                          {"USER", "SHIFTX", "SHIFTY", "SMOOTH", "VALUE"});
  model::Amplitude amplitude;
  amplitude.name = reader.required(card, "NAME");
  amplitude.total_time = card.value("TIME") == "TOTALTIME";
  const std::string_view definition = card.value("DEFINITION");
  if (!definition.empty() && definition != "TABULAR")
    reader.unsupported(card.line, fmt::format("*AMPLITUDE, DEFINITION={}", definition.substr(0, 40)));
  if (card.has("INPUT")) {
    if (reader.data(card).next())
      reader.fail(card.line, fmt::format("amplitude {} has both INPUT= and points", amplitude.name),
                  "leave out one of them");
    amplitude.points = points_of_record(reader, card);
  }
  DataLines lines = reader.data(card);
  while (lines.next()) {
    Fields fields(lines.text());
    while (!fields.done()) {
      const std::string_view time = fields.next();
      if (time.empty() && fields.done()) break;
      if (fields.done())
        reader.fail(lines.line(), "*AMPLITUDE: a time without a value", "give pairs of time and value");
      const double at = reader.real(time, lines.line(), "the time");
      const double factor = reader.real(fields.next(), lines.line(), "the amplitude", 0.0);
      if (!amplitude.points.empty() && at < amplitude.points.back()[0])
        reader.fail(lines.line(),
                    fmt::format("*AMPLITUDE: time {} follows {}", at, amplitude.points.back()[0]),
                    "order the points by time");
      amplitude.points.push_back({at, factor});
    }
  }
  if (amplitude.points.empty() && !card.has("USER"))
    reader.fail(card.line, fmt::format("amplitude {} has no points", amplitude.name),
                "give pairs of time and value on the next lines");
  auto& amplitudes = reader.model().amplitudes;
  reader.amplitudes.positions[amplitude.name] = static_cast<std::int32_t>(amplitudes.size());
  amplitudes.push_back(std::move(amplitude));
}

void read_initial_conditions(Reader& reader, const Card& card) {
  const bool stress = card.has("TYPE") && word(card.value("TYPE")) == "STRESS";
  if (stress && card.has("USER")) {
    reader.model().stock_user_stress = true;
    reader.warn(card.line,
                "USER: stresses as CalculiX's own sigini gives them, -100 y in each normal component");
    return;
  }
  reader.check_parameters(card, {"TYPE"}, {"USER"});
  const std::string type = reader.required(card, "TYPE");
  if (card.has("USER")) return;
  if (type == "TEMPERATURE") {
    read_initial_temperatures(reader, card);
  } else if (type == "VELOCITY") {
    read_initial_velocities(reader, card);
  } else if (type == "STRESS") {
    read_initial_tensors(reader, card, reader.model().initial_stresses);
  } else if (type == "PLASTICSTRAIN") {
    read_initial_tensors(reader, card, reader.model().initial_strains);
  } else {
    reader.unsupported(card.line, fmt::format("*INITIAL CONDITIONS, TYPE={}", type.substr(0, 40)));
  }
}

}  // namespace setka::deck::detail
