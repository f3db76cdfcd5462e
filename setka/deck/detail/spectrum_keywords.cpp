// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// *SPECTRUM, *RESPONSE SPECTRUM.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <tuple>
#include <utility>

#include <fmt/core.h>

#include "setka/base/text.hpp"
#include "setka/deck/detail/reader.hpp"
#include "setka/io/record.hpp"

namespace setka::deck::detail {
namespace {

using model::DirectionSum;
using model::ModalSum;

/// A word of a card that stands for one of a few things; the first is what counts where there is none.
template <class Value, std::size_t count>
Value chosen(const Reader& reader, const Card& card, std::string_view key,
             const std::array<std::pair<std::string_view, Value>, count>& choices) {
  const std::string_view given = card.value(key);
  if (given.empty()) return choices.front().second;
  std::vector<std::string> names;
  for (const auto& [name, value] : choices) {
    if (name == given) return value;
    names.emplace_back(name);
  }
  reader.fail(card.line, fmt::format("{}: {} is {}", spelled(card.keyword), key, given.substr(0, 40)),
              "it is " + join_words(names, "or"));
}

enum class Unit : std::uint8_t { displacement, velocity, acceleration, gravity };

constexpr std::array units{
    std::pair{std::string_view("ACCELERATION"), Unit::acceleration},
    std::pair{std::string_view("VELOCITY"), Unit::velocity},
    std::pair{std::string_view("DISPLACEMENT"), Unit::displacement},
    std::pair{std::string_view("G"), Unit::gravity},
};

constexpr std::array modal_sums{
    std::pair{std::string_view("SRSS"), ModalSum::srss},
    std::pair{std::string_view("CQC"), ModalSum::cqc},
    std::pair{std::string_view("TENP"), ModalSum::ten_percent},
    std::pair{std::string_view("ABS"), ModalSum::absolute},
};

constexpr std::array direction_sums{
    std::pair{std::string_view("SINGLEDIRECTION"), DirectionSum::algebraic},
    std::pair{std::string_view("ALGEBRAIC"), DirectionSum::algebraic},
    std::pair{std::string_view("SRSS"), DirectionSum::srss},
    std::pair{std::string_view("R30"), DirectionSum::thirty_percent},
    std::pair{std::string_view("R40"), DirectionSum::forty_percent},
    std::pair{std::string_view("ABS"), DirectionSum::absolute},
    std::pair{std::string_view("MULTIPLEDIRECTIONSRSS"), DirectionSum::srss},
    std::pair{std::string_view("MULTIPLEDIRECTIONTHIRTYPERCENTRULE"), DirectionSum::thirty_percent},
    std::pair{std::string_view("MULTIPLEDIRECTIONFORTYPERCENTRULE"), DirectionSum::forty_percent},
    std::pair{std::string_view("MULTIPLEDIRECTIONABSOLUTESUM"), DirectionSum::absolute},
};

}  // namespace

void read_spectrum(Reader& reader, const Card& card) {
  reader.check_parameters(card, {"NAME", "TYPE", "G", "PERIOD"},
                          {"CREATE", "AMPLITUDE", "ABSOLUTE", "RELATIVE", "FILE", "INPUT"});
  model::Spectrum spectrum;
  spectrum.name = reader.required(card, "NAME");
  spectrum.line = card.line;
  const Unit unit = chosen(reader, card, "TYPE", units);
  spectrum.kind = unit == Unit::displacement ? model::SpectrumKind::displacement
                  : unit == Unit::velocity   ? model::SpectrumKind::velocity
                                             : model::SpectrumKind::acceleration;
  double scale = 1;
  if (unit == Unit::gravity) {
    scale = reader.real(card.value("G"), card.line, "*SPECTRUM, G", io::standard_gravity);
    if (!(scale > 0))
      reader.fail(card.line, fmt::format("*SPECTRUM: G is {}", scale),
                  "it is one g in the units of the deck: 9.80665 for m, 9806.65 for mm");
  }
  const bool by_period = card.has("PERIOD");
  DataLines lines = reader.data(card);
  std::vector<std::pair<model::Spectrum::Point, Line>> points;
  while (lines.next()) {
    Fields fields(lines.text());
    const Line line = lines.line();
    model::Spectrum::Point point;
    point.value = scale * reader.real(fields.next(), line, "the magnitude");
    const double at = reader.real(fields.next(), line, by_period ? "the period" : "the frequency");
    point.frequency = by_period ? 1 / at : at;
    point.damping = reader.real(fields.next(), line, "the damping", 0.0);
    if (!(point.value >= 0) || !(at > 0) || !std::isfinite(point.frequency) || !(point.damping >= 0))
      reader.fail(
          line,
          fmt::format("*SPECTRUM: magnitude {} at {} {}, damping {}", point.value / scale,
                      by_period ? "period" : "frequency", at, point.damping),
          fmt::format("give a magnitude that is not negative, a {} above zero and the ratio of damping",
                      by_period ? "period" : "frequency"));
    points.emplace_back(point, line);
  }
  if (points.empty())
    reader.fail(card.line, fmt::format("spectrum {} has no points", spectrum.name),
                "give magnitude, frequency and damping on the next lines");
  const auto place = [](const auto& entry) { return std::tuple(entry.first.damping, entry.first.frequency); };
  std::ranges::stable_sort(points, {}, place);
  const auto twice = std::ranges::adjacent_find(points, {}, place);
  if (twice != points.end())
    reader.fail(std::next(twice)->second,
                fmt::format("*SPECTRUM: {} has frequency {} with damping {} twice", spectrum.name,
                            twice->first.frequency, twice->first.damping),
                "leave out one of them");
  for (const auto& entry : points) spectrum.points.push_back(entry.first);
  auto& all = reader.model().spectra;
  reader.spectra.positions[spectrum.name] = static_cast<std::int32_t>(all.size());
  all.push_back(std::move(spectrum));
}

void read_response_spectrum(Reader& reader, const Card& card) {
  reader.check_parameters(card, {"COMP", "SUM", "MISSINGMASS"}, {});
  model::ResponseSpectrumStep procedure;
  procedure.line = card.line;
  procedure.sum = chosen(reader, card, "SUM", modal_sums);
  procedure.directions_sum = chosen(reader, card, "COMP", direction_sums);
  procedure.missing_mass = card.has("MISSINGMASS") && card.value("MISSINGMASS") != "NO";
  DataLines lines = reader.data(card);
  while (lines.next()) {
    Fields fields(lines.text());
    model::ResponseSpectrumStep::Direction direction;
    direction.line = lines.line();
    direction.spectrum = reader.spectrum(word(fields.next()), direction.line, "*RESPONSE SPECTRUM");
    double length = 0;
    for (double& cosine : direction.cosines) {
      cosine = reader.real(fields.next(), direction.line, "the direction", 0.0);
      length = std::hypot(length, cosine);
    }
    if (!(length > 0) || !std::isfinite(length))
      reader.fail(direction.line, "*RESPONSE SPECTRUM: the direction has no length",
                  "give the spectrum, then x, y and z of the direction");
    for (double& cosine : direction.cosines) cosine /= length;
    direction.scale = reader.real(fields.next(), direction.line, "the scale", 1.0);
    procedure.directions.push_back(direction);
  }
  if (procedure.directions.empty() || procedure.directions.size() > 3)
    reader.fail(card.line, fmt::format("*RESPONSE SPECTRUM has {} directions", procedure.directions.size()),
                "give one to three lines of spectrum, x, y, z and scale");
  if (procedure.directions.size() > 1 && card.value("COMP") == "SINGLEDIRECTION")
    reader.fail(card.line, "*RESPONSE SPECTRUM, COMP=SINGLE DIRECTION has more than one",
                "choose COMP=SRSS, R30, R40, ABS or ALGEBRAIC");
  if (procedure.directions.size() > 1 && card.value("COMP").empty())
    reader.fail(card.line, "*RESPONSE SPECTRUM does not say how directions are combined",
                "add COMP=SRSS, R30, R40, ABS or ALGEBRAIC");
  reader.take_procedure(card, std::move(procedure));
}

}  // namespace setka::deck::detail
