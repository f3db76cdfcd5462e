// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/io/record.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include <fmt/core.h>

#include "setka/io/detail/peer_record.hpp"
#include "setka/io/detail/record_text.hpp"
#include "setka/io/detail/shown.hpp"
#include "setka/io/parsing.hpp"
#include "setka/io/text_file.hpp"

namespace setka::io {
namespace {

using detail::RecordLines;
using detail::shown;

/// What the lines above the numbers say.
struct Header {
  std::optional<double> unit;
  double time_unit = 1;  // s
  std::optional<double> step;
  std::string title;
};

/// The first unit of acceleration among the words, brackets of any kind taken off.
std::optional<double> unit_in(std::string_view text) {
  std::string plain(text);
  for (char& c : plain) {
    if (c == '[' || c == ']' || c == '(' || c == ')' || c == ':') c = ' ';
  }
  for (const std::string_view word : detail::record_fields(plain)) {
    if (const auto unit = detail::acceleration_unit(word)) return unit;
  }
  return std::nullopt;
}

void take_header(std::string_view line, Header& header) {
  while (!line.empty() && (line.front() == '#' || line.front() == '%')) line.remove_prefix(1);
  line = trimmed(line);
  if (header.title.empty()) header.title = line;
  if (const auto unit = unit_in(line)) header.unit = unit;
  for (const char* word : {"dt", "step"}) {
    if (const auto step = detail::number_after(line, word)) header.step = step;
  }
  const std::string lower = detail::lower_case(line);
  if (lower.find("[ms]") != std::string::npos || lower.find("(ms)") != std::string::npos)
    header.time_unit = 1e-3;
}

/// Fields that are meant to be numbers begin with one.
bool is_data(std::string_view line) {
  const auto fields = detail::record_fields(line);
  double value = 0;
  return !fields.empty() && parse_real(fields.front(), value);
}

/// The step of times that are equally spaced but for their rounding. lines: where each is
double uniform_step(const RecordLines& at, const std::vector<double>& times, const std::vector<long>& lines) {
  std::vector<double> steps(times.size() - 1);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    steps[i] = times[i + 1] - times[i];
    if (!(steps[i] > 0))
      at.fail(lines[i + 1], fmt::format("time {} follows {}", times[i + 1], times[i]),
              "order the values by time, each time once");
  }
  std::vector<double> sorted = steps;
  const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
  std::nth_element(sorted.begin(), middle, sorted.end());
  const double usual = *middle;
  constexpr double rounding = 0.3;  // of a step, that times may be off by being written with few digits
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (steps[i] > 1.5 * usual)
      at.fail(
          lines[i + 1],
          fmt::format("a gap from time {:g} to {:g}, where the step is {:g}", times[i], times[i + 1], usual),
          "fill in the values that are missing, or cut the record there");
    if (std::abs(steps[i] - usual) > rounding * usual)
      at.fail(lines[i + 1],
              fmt::format("the step from time {:g} to {:g} is {:g}, where others are {:g}", times[i],
                          times[i + 1], steps[i], usual),
              "give values at equal steps of time");
  }
  const double step = (times.back() - times.front()) / static_cast<double>(steps.size());
  for (std::size_t i = 0; i < times.size(); ++i) {
    const double expected = times.front() + step * static_cast<double>(i);
    if (std::abs(times[i] - expected) > 2 * rounding * step)
      at.fail(lines[i],
              fmt::format("the step changes: time {} would be {} in equal steps", times[i], expected),
              "give values at equal steps of time");
  }
  return step;
}

Record read_table(RecordLines lines, const RecordOptions& options) {
  Header header;
  std::vector<double> times;
  std::vector<double> values;
  std::vector<long> where;
  std::size_t columns = 0;
  while (lines.next()) {
    const std::string_view line = lines.line();
    if (line.empty()) continue;
    if (line.front() == '#' || line.front() == '%' || (values.empty() && !is_data(line))) {
      take_header(line, header);
      continue;
    }
    const auto fields = detail::record_fields(line);
    if (columns == 0) columns = fields.size();
    if (columns > 2)
      lines.fail(lines.number(), fmt::format("{} columns", columns),
                 "a record has accelerations alone, or times and accelerations");
    if (fields.size() != columns)
      lines.fail(lines.number(),
                 fmt::format("{} value{} where the lines before have {}", fields.size(),
                             fields.size() == 1 ? "" : "s", columns),
                 "give each line as many values");
    std::array<double, 2> numbers{};
    for (std::size_t i = 0; i < fields.size(); ++i) {
      if (!parse_real(fields[i], numbers[i]))
        lines.fail(lines.number(), fmt::format("'{}' is not a number", shown(fields[i])),
                   "after the header there are numbers alone");
    }
    if (columns == 2) times.push_back(numbers[0] * header.time_unit);
    values.push_back(numbers[columns - 1]);
    where.push_back(lines.number());
  }
  if (values.size() < 2)
    lines.fail(lines.number(),
               fmt::format("the record has {} value{}", values.size(), values.size() == 1 ? "" : "s"),
               "give at least two");
  std::optional<double> unit = header.unit;
  if (!options.units.empty()) {
    unit = detail::acceleration_unit(options.units);
    if (!unit)
      throw Error(Fault::usage, fmt::format("'{}' is no unit of acceleration", shown(options.units)),
                  fmt::format("use {}", detail::acceleration_units));
  }
  if (!unit)
    lines.fail(1, "the header does not say the unit of the accelerations",
               fmt::format("begin the file with a line as 'time [s], acceleration [m/s2]'; units are {}",
                           detail::acceleration_units));
  Record record;
  record.title = header.title;
  if (columns == 2) {
    record.start = times.front();
    record.step = uniform_step(lines, times, where);
  } else {
    record.step = options.step > 0 ? options.step : header.step.value_or(0);
    if (!(record.step > 0))
      lines.fail(where.front(), "one column of values without a time step",
                 "add a header as 'acceleration [m/s2], dt=0.005', or give the step");
  }
  for (double& value : values) value *= *unit;
  record.acceleration = std::move(values);
  return record;
}

}  // namespace

Record read_record_text(std::string_view text, const std::string& name, RecordFormat format,
                        const RecordOptions& options) {
  require_text(text, name, record_text);
  const RecordLines lines(text, name);
  Record record = format == RecordFormat::peer ? detail::read_peer_record(lines) : read_table(lines, options);
  if (!std::isfinite(record.duration()) ||
      !std::ranges::all_of(record.acceleration, [](double value) { return std::isfinite(value); }))
    lines.fail(0, "a time or an acceleration is beyond all numbers", "look for exponents that are too large");
  return record;
}

Record read_record(const std::filesystem::path& path, const RecordOptions& options) {
  const TextFile file(path, record_text);
  const std::string ending = detail::lower_case(path.extension().string());
  return read_record_text(file.text(), path.string(),
                          ending == ".at2" ? RecordFormat::peer : RecordFormat::table, options);
}

}  // namespace setka::io
