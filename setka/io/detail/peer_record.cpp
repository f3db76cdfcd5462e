// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/io/detail/peer_record.hpp"

#include <array>
#include <cmath>
#include <string>
#include <utility>

#include <fmt/core.h>

#include "setka/io/detail/record_text.hpp"
#include "setka/io/detail/shown.hpp"
#include "setka/io/parsing.hpp"

namespace setka::io::detail {
namespace {

struct Size {
  std::int64_t values = 0;
  double step = 0;
};

/// "NPTS=  4000, DT= .01 SEC" of newer files, "4000 0.01 NPTS, DT" of older ones.
Size size_of(const RecordLines& lines) {
  auto count = number_after(lines.line(), "npts");
  auto step = number_after(lines.line(), "dt");
  const auto fields = record_fields(lines.line());
  if (!count && !step && fields.size() >= 4 && lower_case(fields[2]) == "npts") {
    double value = 0;
    if (parse_real(fields[0], value)) count = value;
    if (parse_real(fields[1], value)) step = value;
  }
  if (!count || !step)
    lines.fail(lines.number(), fmt::format("'{}' does not say NPTS and DT", shown(lines.line())),
               "the fourth line of an AT2 file is as NPTS= 4000, DT= .0100 SEC");
  if (!(*count >= 2 && *count <= static_cast<double>(most_record_values)) || *count != std::floor(*count))
    lines.fail(lines.number(), fmt::format("NPTS is {}", *count),
               fmt::format("it is a whole number from 2 to {}", most_record_values));
  if (!(*step > 0)) lines.fail(lines.number(), fmt::format("DT is {}", *step), "it is larger than zero");
  return {static_cast<std::int64_t>(*count), *step};
}

/// "ACCELERATION TIME SERIES IN UNITS OF G"
double unit_of(const RecordLines& lines) {
  const std::string line = lower_case(lines.line());
  const std::string_view before = "units of";
  const std::size_t at = line.find(before);
  const std::string remedy =
      fmt::format("the third line of an AT2 file is as ACCELERATION TIME SERIES IN UNITS OF G; units are {}",
                  acceleration_units);
  if (at == std::string::npos)
    lines.fail(lines.number(), fmt::format("'{}' does not say the units", shown(lines.line())), remedy);
  std::string_view name = trimmed(std::string_view(line).substr(at + before.size()));
  while (!name.empty() && (name.back() == '.' || name.back() == ',')) name.remove_suffix(1);
  const auto unit = acceleration_unit(name);
  if (!unit)
    lines.fail(lines.number(), fmt::format("'{}' is no unit of acceleration", shown(name)),
               line.find("veloc") != std::string::npos || line.find("displ") != std::string::npos
                   ? "this is a record of velocity or displacement; take the .AT2 file of accelerations"
                   : remedy);
  return *unit;
}

}  // namespace

Record read_peer_record(RecordLines lines) {
  Record record;
  std::array<std::string, 2> titles;
  for (std::string& title : titles) {
    if (!lines.next())
      lines.fail(lines.number(), "the file ends within its header", "an AT2 file has four lines of header");
    title = lines.line();
  }
  record.title = titles[1];
  if (!lines.next())
    lines.fail(lines.number(), "the file ends before its units", "an AT2 file has four lines of header");
  const double unit = unit_of(lines);
  if (!lines.next())
    lines.fail(lines.number(), "the file ends before NPTS and DT", "an AT2 file has four lines of header");
  const Size size = size_of(lines);
  record.step = size.step;
  while (lines.next()) {
    for (const std::string_view field : record_fields(lines.line())) {
      double value = 0;
      if (!parse_real(field, value))
        lines.fail(lines.number(), fmt::format("'{}' is not a number", shown(field)),
                   "after the header there are accelerations alone");
      if (static_cast<std::int64_t>(record.acceleration.size()) == size.values)
        lines.fail(lines.number(), fmt::format("more values than NPTS, which is {}", size.values),
                   "correct NPTS, or remove what is too many");
      record.acceleration.push_back(value * unit);
    }
  }
  if (static_cast<std::int64_t>(record.acceleration.size()) < size.values)
    lines.fail(
        lines.number(),
        fmt::format("the file ends after {} values, but NPTS is {}", record.acceleration.size(), size.values),
        "the file is cut off: fetch it again, or correct NPTS");
  return record;
}

}  // namespace setka::io::detail
