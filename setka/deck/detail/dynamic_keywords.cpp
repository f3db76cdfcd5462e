// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// *MODAL DYNAMIC, *STEADY STATE DYNAMICS, *DYNAMIC, *MODAL DAMPING, *BASE MOTION, *TIME POINTS.
#include <algorithm>
#include <cmath>
#include <cstdint>

#include <fmt/core.h>

#include "setka/deck/detail/load_card.hpp"
#include "setka/deck/detail/reader.hpp"

namespace setka::deck::detail {
namespace {

constexpr std::int64_t most_points = 1'000'000;

double positive(const Reader& reader, const Card& card, std::string_view field, Line line,
                std::string_view what, double fallback) {
  const double value = reader.real(field, line, what, fallback);
  if (!(value > 0) || !std::isfinite(value))
    reader.fail(line, fmt::format("{}: {} is {}", spelled(card.keyword), what, value),
                "it is larger than zero");
  return value;
}

/// The lengths of increments, which *MODAL DYNAMIC and *DYNAMIC have in common.
template <class Procedure>
void read_increments(const Reader& reader, const Card& card, Fields& fields, Line line, double least_part,
                     Procedure& procedure) {
  const std::string_view increment = fields.next();
  const std::string_view period = fields.next();
  procedure.period = positive(reader, card, period, line, "the time period", 1.0);
  procedure.increment = positive(reader, card, increment, line, "the time increment", procedure.period);
  if (procedure.increment > procedure.period)
    reader.fail(line,
                fmt::format("{}: the time increment {} is longer than the step of {}", spelled(card.keyword),
                            procedure.increment, procedure.period),
                "give the increment, then the time period");
  const std::string_view least = fields.next();
  procedure.most_increment = positive(reader, card, fields.next(), line, "the longest increment", 1e30);
  procedure.least_increment =
      positive(reader, card, least, line, "the least increment",
               std::min({procedure.increment, least_part * procedure.period, procedure.most_increment}));
  if (procedure.least_increment > procedure.most_increment)
    reader.fail(line,
                fmt::format("{}: the least increment {} is longer than the longest, {}",
                            spelled(card.keyword), procedure.least_increment, procedure.most_increment),
                "give the increment, the time period, the least and the longest increment");
}

int count(const Reader& reader, const Card& card, std::string_view field, Line line, std::string_view what,
          std::int64_t fallback) {
  const std::int64_t value = reader.integer(field, line, what, fallback);
  if (value > most_points)
    reader.fail(line, fmt::format("{}: {} is {}", spelled(card.keyword), what, value),
                fmt::format("it is at most {}", most_points));
  return static_cast<int>(std::max<std::int64_t>(value, 0));
}

}  // namespace

void read_modal_dynamic(Reader& reader, const Card& card) {
  reader.check_parameters(card, {"SOLVER", "DIRECT", "DELTMX", "STEADYSTATE", "NSET", "CYCLICSYMMETRY"}, {});
  take_modal_dynamic(reader, card);
}

void take_modal_dynamic(Reader& reader, const Card& card) {
  model::ModalDynamicStep procedure;
  procedure.line = card.line;
  procedure.direct = card.value("DIRECT") != "NO";
  procedure.until_steady = card.has("STEADYSTATE");
  if (card.has("DELTMX"))
    procedure.most_force_change =
        positive(reader, card, reader.required(card, "DELTMX"), card.line, "DELTMX", 0.0);
  if (!procedure.direct && !card.has("DELTMX"))
    reader.fail(card.line, "*MODAL DYNAMIC, DIRECT=NO does not say how much forces may change",
                "add DELTMX=, the largest change of a force in an increment");
  DataLines lines = reader.data(card);
  if (lines.next()) {
    Fields fields(lines.text());
    procedure.line = lines.line();
    if (procedure.until_steady) {
      procedure.increment = positive(reader, card, fields.next(), procedure.line, "the time increment", 1.0);
      procedure.steady_change =
          positive(reader, card, fields.next(), procedure.line, "the relative change", 1e-3);
      procedure.least_increment = positive(reader, card, fields.next(), procedure.line, "the least increment",
                                           1e-10 * procedure.increment);
      procedure.most_increment =
          positive(reader, card, fields.next(), procedure.line, "the longest increment", 1e30);
    } else {
      read_increments(reader, card, fields, procedure.line, 1e-10, procedure);
    }
  } else if (procedure.until_steady) {
    reader.fail(card.line, "*MODAL DYNAMIC, STEADY STATE has no line of numbers",
                "give the time increment and the relative change");
  }
  reader.take_procedure(card, procedure);
}

void read_steady_state(Reader& reader, const Card& card) {
  reader.check_parameters(card, {"SOLVER", "HARMONIC", "NSET", "CYCLICSYMMETRY"}, {});
  model::SteadyStateStep procedure;
  const std::string_view harmonic = card.value("HARMONIC");
  if (!harmonic.empty() && harmonic != "YES" && harmonic != "NO")
    reader.fail(card.line, fmt::format("*STEADY STATE DYNAMICS: HARMONIC is {}", harmonic.substr(0, 40)),
                "it is YES or NO");
  procedure.harmonic = harmonic != "NO";
  DataLines lines = reader.data(card);
  if (!lines.next())
    reader.fail(card.line, "*STEADY STATE DYNAMICS does not say which frequencies",
                "give the lower and the upper one on the line after it");
  Fields fields(lines.text());
  const Line line = procedure.line = lines.line();
  procedure.least_frequency = reader.real(fields.next(), line, "the lower frequency");
  procedure.most_frequency = reader.real(fields.next(), line, "the upper frequency");
  if (!(procedure.least_frequency >= 0) || !(procedure.most_frequency >= procedure.least_frequency) ||
      !std::isfinite(procedure.most_frequency))
    reader.fail(line,
                fmt::format("*STEADY STATE DYNAMICS: frequencies from {} to {}", procedure.least_frequency,
                            procedure.most_frequency),
                "the lower one is not negative, the upper one not below it");
  procedure.points = count(reader, card, fields.next(), line, "the number of points", 20);
  if (procedure.points < 2) procedure.points = 20;
  procedure.bias = reader.real(fields.next(), line, "the bias", 3.0);
  if (!(procedure.bias >= 1)) procedure.bias = 3;
  if (!procedure.harmonic) {
    procedure.terms = count(reader, card, fields.next(), line, "the number of Fourier terms", 20);
    if (procedure.terms < 1) procedure.terms = 20;
    procedure.first_time = reader.real(fields.next(), line, "the beginning of the period", 0.0);
    procedure.last_time = reader.real(fields.next(), line, "the end of the period", 1.0);
    if (!(procedure.last_time > procedure.first_time))
      reader.fail(line,
                  fmt::format("*STEADY STATE DYNAMICS: the period goes from {} to {}", procedure.first_time,
                              procedure.last_time),
                  "its end is later than its beginning");
    if (!(procedure.least_frequency > 0))
      reader.fail(line, "*STEADY STATE DYNAMICS, HARMONIC=NO: frequency zero has no period",
                  "give a lower frequency above zero");
  }
  reader.take_procedure(card, procedure);
}

namespace {

/// The numbers of *DYNAMIC; no increment, or 0: Setka chooses it.
void read_explicit(Reader& reader, const Card& card) {
  model::ExplicitStep procedure;
  procedure.line = card.line;
  DataLines lines = reader.data(card);
  if (!lines.next())
    reader.fail(card.line, "*DYNAMIC, EXPLICIT does not say how long",
                "give the increment (0: chosen by Setka) and the time period on the line after it");
  Fields fields(lines.text());
  const Line line = procedure.line = lines.line();
  procedure.increment = reader.real(fields.next(), line, "the time increment", 0.0);
  if (!(procedure.increment >= 0) || !std::isfinite(procedure.increment))
    reader.fail(line, fmt::format("*DYNAMIC: the time increment is {}", procedure.increment),
                "it is larger than zero, or 0 where Setka is to choose it");
  procedure.period = positive(reader, card, fields.next(), line, "the time period", 1.0);
  procedure.least_increment = reader.real(fields.next(), line, "the least increment", 0.0);
  procedure.most_increment = positive(reader, card, fields.next(), line, "the longest increment", 1e30);
  if (!(procedure.least_increment >= 0 && procedure.least_increment <= procedure.most_increment))
    reader.fail(line,
                fmt::format("*DYNAMIC: increments from {} to {}", procedure.least_increment,
                            procedure.most_increment),
                "the least one is not negative and not above the longest");
  reader.take_procedure(card, procedure);
}

}  // namespace

void read_dynamic(Reader& reader, const Card& card) {
  reader.check_parameters(card, {"SOLVER", "DIRECT", "ALPHA", "EXPLICIT"}, {"TIMERESET", "TOTALTIMEATSTART"});
  if (card.has("EXPLICIT")) return read_explicit(reader, card);
  model::DynamicStep procedure;
  procedure.line = card.line;
  procedure.direct = card.has("DIRECT");
  if (card.has("ALPHA")) {
    procedure.alpha = reader.real(reader.required(card, "ALPHA"), card.line, "ALPHA");
    if (!(procedure.alpha >= -1.0 / 3 && procedure.alpha <= 0))
      reader.fail(card.line, fmt::format("*DYNAMIC: ALPHA is {}", procedure.alpha), "it goes from -1/3 to 0");
  }
  DataLines lines = reader.data(card);
  const bool given = lines.next();
  Fields numbers(given ? lines.text() : std::string_view());
  numbers.next();
  if (numbers.next().empty())
    reader.fail(given ? lines.line() : card.line, "*DYNAMIC does not say how long",
                "give the time increment and the time period on the line after it");
  Fields fields(lines.text());
  procedure.line = lines.line();
  read_increments(reader, card, fields, procedure.line, 1e-5, procedure);
  reader.take_procedure(card, procedure);
}

void read_modal_damping(Reader& reader, const Card& card) {
  reader.check_parameters(card, {"RAYLEIGH", "MODAL", "MODALDAMPING", "STRUCTURAL"}, {});
  model::ModalDamping damping;
  damping.line = card.line;
  damping.structural = card.has("STRUCTURAL");
  DataLines lines = reader.data(card);
  while (lines.next()) {
    Fields fields(lines.text());
    const Line line = lines.line();
    if (card.has("RAYLEIGH")) {
      fields.next();
      fields.next();
      damping.by_mass = reader.real(fields.next(), line, "the coefficient of the mass", 0.0);
      damping.by_stiffness = reader.real(fields.next(), line, "the coefficient of the stiffness", 0.0);
      if (!(damping.by_mass >= 0 && damping.by_stiffness >= 0))
        reader.fail(line, "*MODAL DAMPING, RAYLEIGH: a coefficient is negative", "damping takes energy away");
      break;
    }
    model::ModalDamping::Range range;
    range.line = line;
    range.first = reader.label(fields.next(), line, "the first mode");
    const std::string_view last = fields.next();
    range.last = last.empty() ? range.first : reader.label(last, line, "the last mode");
    range.ratio = reader.real(fields.next(), line, "the damping", 0.0);
    if (range.last < range.first || !(range.ratio >= 0))
      reader.fail(
          line,
          fmt::format("*MODAL DAMPING: modes {} to {}, damping {}", range.first, range.last, range.ratio),
          "give the first mode, the last one and a damping that is not negative");
    damping.ranges.push_back(range);
  }
  model::Step& step = reader.model().steps.back();
  step.damping = std::move(damping);
  if (std::holds_alternative<model::DynamicStep>(step.procedure) ||
      std::holds_alternative<model::ExplicitStep>(step.procedure))
    reader.warn(card.line,
                "*MODAL DAMPING does not count in *DYNAMIC, which is no sum of modes; give *DAMPING "
                "to the materials");
}

void read_base_motion(Reader& reader, const Card& card) {
  reader.check_parameters(card, {"DOF", "AMPLITUDE", "TYPE", "LOADCASE"}, {"TIMEDELAY"});
  model::BaseMotion motion;
  motion.line = card.line;
  motion.imaginary = is_imaginary(reader, card);
  const std::int64_t direction = reader.integer(reader.required(card, "DOF"), card.line, "DOF");
  if (direction < 1 || direction > 3)
    reader.fail(card.line, fmt::format("*BASE MOTION: DOF is {}", direction), "it is 1, 2 or 3");
  motion.direction = static_cast<std::int32_t>(direction);
  reader.required(card, "AMPLITUDE");
  motion.amplitude = reader.amplitude(card);
  const std::string_view type = card.value("TYPE");
  if (!type.empty() && type != "ACCELERATION" && type != "DISPLACEMENT")
    reader.fail(card.line, fmt::format("*BASE MOTION: TYPE is {}", type.substr(0, 40)),
                "it is ACCELERATION or DISPLACEMENT");
  motion.acceleration = type != "DISPLACEMENT";
  model::Step& step = reader.model().steps.back();
  if (reader.procedure == "*STATIC" || reader.procedure == "*FREQUENCY" ||
      reader.procedure == "*RESPONSE SPECTRUM" || reader.procedure == "*HEAT TRANSFER")
    reader.fail(card.line, fmt::format("*BASE MOTION: {} moves no base", reader.procedure),
                "leave it out, or prescribe displacements by *BOUNDARY");
  const auto* periodic = std::get_if<model::SteadyStateStep>(&step.procedure);
  const bool in_time = std::holds_alternative<model::ModalDynamicStep>(step.procedure);
  if (motion.acceleration && !in_time && (periodic == nullptr || !periodic->harmonic))
    reader.fail(
        card.line, "*BASE MOTION: an acceleration in a step that is neither *MODAL DYNAMIC nor harmonic",
        "give the displacement as TYPE=DISPLACEMENT, or use *MODAL DYNAMIC or *STEADY STATE DYNAMICS");
  step.base_motions.push_back(motion);
}

void read_time_points(Reader& reader, const Card& card) {
  reader.check_parameters(card, {"NAME", "TIME", "GENERATE"}, {});
  model::TimePoints points;
  points.name = reader.required(card, "NAME");
  points.total_time = card.value("TIME") == "TOTALTIME";
  DataLines lines = reader.data(card);
  while (lines.next()) {
    Fields fields(lines.text());
    const Line line = lines.line();
    if (card.has("GENERATE")) {
      const double first = reader.real(fields.next(), line, "the first time");
      const double last = reader.real(fields.next(), line, "the last time");
      const double step = positive(reader, card, fields.next(), line, "the time between points", 0.0);
      if (!((last - first) / step < static_cast<double>(most_points)))
        reader.fail(line, "*TIME POINTS: too many points",
                    fmt::format("there may be {} at most", most_points));
      const auto steps = static_cast<std::int64_t>(std::floor((last - first) / step + 1e-9));
      for (std::int64_t i = 0; i <= steps; ++i) points.times.push_back(first + static_cast<double>(i) * step);
      continue;
    }
    while (!fields.done()) points.times.push_back(reader.real(fields.next(), line, "the time"));
  }
  if (!std::ranges::is_sorted(points.times))
    reader.fail(card.line, fmt::format("*TIME POINTS: the times of {} do not rise", points.name),
                "order them by time");
  auto& all = reader.model().time_points;
  reader.time_points.positions[points.name] = static_cast<std::int32_t>(all.size());
  all.push_back(std::move(points));
}

}  // namespace setka::deck::detail
