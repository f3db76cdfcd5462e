// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/cases/grid_checkpoint.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <system_error>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "setka/io/fingerprint.hpp"

namespace setka::cases {
namespace {

constexpr const char* problem_part = "problem";
constexpr std::string_view contents_of = "contents of ";  // begins the line of a file's digest

void describe(std::string& text, const char* name, const model::GridField& field) {
  fmt::format_to(std::back_inserter(text), "{} {} {}", name, field.value, field.file.filename().string());
  for (const model::GridShape& s : field.shapes) {
    fmt::format_to(std::back_inserter(text), " {}:{}:{}:{}:{}:{}:{}:{}:{}:{}", static_cast<int>(s.kind),
                   s.value, s.from, s.to, s.centre, s.radius, s.period, s.width, s.offset, s.axis);
  }
  text += '\n';
  if (field.file.empty()) return;
  std::error_code ignored;  // what cannot be read is said where it is read
  fmt::format_to(std::back_inserter(text), "{}{}: {} {:x}\n", contents_of, field.file.filename().string(),
                 std::filesystem::file_size(field.file, ignored), io::hash_of_files({field.file.string()}));
}

/// A line for each thing that must be the same for a run to go on.
std::string described(const model::GridCase& grid) {
  std::string text =
      fmt::format("scheme {}\nprecision {}\ncells {}\nlengths {}\nstep {}\n", name(grid.scheme),
                  grid.single_precision ? "single" : "double", grid.cells, grid.lengths, grid.step);
  for (const auto& axis : grid.sides) {
    for (const model::GridSide& side : axis) {
      fmt::format_to(std::back_inserter(text), "boundary {} {} {}\n", static_cast<int>(side.kind), side.value,
                     side.coefficient);
    }
  }
  if (grid.on_disk) text += "storage disk\n";
  describe(text, "initial", grid.initial);
  describe(text, "diffusivity", grid.diffusivity);
  describe(text, "reaction", grid.reaction);
  describe(text, "source", grid.source);
  fmt::format_to(std::back_inserter(text), "relaxation {}\n", grid.relaxation.value_or(0));
  fmt::format_to(std::back_inserter(text), "probes {}", grid.output.probes_every);
  for (const model::GridProbe& probe : grid.probes) fmt::format_to(std::back_inserter(text), " {}", probe.at);
  return text + '\n';
}

std::string_view line_at(std::string_view text, std::size_t at) {
  const std::size_t end = text.find('\n', at);
  return text.substr(at, end == std::string_view::npos ? end : end - at);
}

/// The first line of `other` that differs.
std::string_view difference(std::string_view one, std::string_view other) {
  std::size_t at = 0;
  while (at < one.size() && at < other.size() && line_at(one, at) == line_at(other, at))
    at += line_at(one, at).size() + 1;
  return line_at(other, std::min(at, other.size()));
}

[[noreturn]] void refuse_difference(const std::filesystem::path& path, std::string_view line) {
  if (line.starts_with(contents_of)) {
    line.remove_prefix(contents_of.size());
    throw Error(Fault::input,
                fmt::format("{} was changed or removed since {} was written", line.substr(0, line.rfind(':')),
                            path.string()),
                "bring it back as it was, or run the case without --continue");
  }
  io::refuse_checkpoint(path, fmt::format("the checkpoint was written for another {} than that of the case",
                                          line.substr(0, line.find(' '))));
}

}  // namespace

io::Checkpoint checkpoint_of(const model::GridCase& grid) {
  io::Checkpoint checkpoint;
  checkpoint.parts[problem_part] = described(grid);
  return checkpoint;
}

io::Checkpoint read_checkpoint_of(const model::GridCase& grid, const std::filesystem::path& path) {
  io::Checkpoint checkpoint = io::read_checkpoint(path);
  if (!checkpoint.parts.contains(problem_part))
    io::refuse_checkpoint(path, "the checkpoint is of a deck, not of a case on a grid");
  const std::string problem = described(grid);
  if (const std::string& told = checkpoint.part(problem_part); told != problem)
    refuse_difference(path, difference(told, problem));
  const std::size_t value = grid.single_precision ? sizeof(float) : sizeof(double);
  const auto values = grid.on_disk ? 0 : static_cast<std::size_t>(grid.point_count());
  if (checkpoint.part(grid_done_part).size() != sizeof(std::int64_t) ||
      checkpoint.part(grid_change_part).size() != sizeof(double) ||
      checkpoint.part(grid_values_part).size() != values * value ||
      checkpoint.part(grid_probes_part).size() % (sizeof(double) * (1 + grid.probes.size())) != 0)
    io::refuse_checkpoint(path, "the checkpoint is damaged: it has another number of values than the case");
  return checkpoint;
}

}  // namespace setka::cases
