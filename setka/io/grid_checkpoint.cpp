// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/io/grid_checkpoint.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "setka/io/detail/binary_header.hpp"
#include "setka/io/detail/text_file.hpp"
#include "setka/io/output_file.hpp"

namespace setka::io {
namespace {

constexpr const detail::BinaryKind& kind = detail::grid_checkpoint_kind;

void describe(std::string& text, const char* name, const GridField& field) {
  fmt::format_to(std::back_inserter(text), "{} {} {}", name, field.value, field.file.filename().string());
  for (const GridShape& s : field.shapes) {
    fmt::format_to(std::back_inserter(text), " {}:{}:{}:{}:{}:{}:{}:{}:{}:{}", static_cast<int>(s.kind),
                   s.value, s.from, s.to, s.centre, s.radius, s.period, s.width, s.offset, s.axis);
  }
  text += '\n';
}

/// A line for each thing that must be the same for a run to go on.
std::string described(const GridCase& grid) {
  std::string text =
      fmt::format("scheme {}\nprecision {}\ncells {}\nlengths {}\nstep {}\n", name(grid.scheme),
                  grid.single_precision ? "single" : "double", grid.cells, grid.lengths, grid.step);
  for (const auto& axis : grid.sides) {
    for (const GridSide& side : axis) {
      fmt::format_to(std::back_inserter(text), "boundary {} {} {}\n", static_cast<int>(side.kind), side.value,
                     side.coefficient);
    }
  }
  describe(text, "diffusivity", grid.diffusivity);
  describe(text, "reaction", grid.reaction);
  describe(text, "source", grid.source);
  fmt::format_to(std::back_inserter(text), "relaxation {}\n", grid.relaxation.value_or(0));
  fmt::format_to(std::back_inserter(text), "probes {}", grid.output.probes_every);
  for (const GridProbe& probe : grid.probes) fmt::format_to(std::back_inserter(text), " {}", probe.at);
  return text + '\n';
}

std::string_view line_at(std::string_view text, std::size_t at) {
  const std::size_t end = text.find('\n', at);
  return text.substr(at, end == std::string_view::npos ? end : end - at);
}

/// The first word of the first line that differs.
std::string_view difference(std::string_view one, std::string_view other) {
  std::size_t at = 0;
  while (at < one.size() && at < other.size() && line_at(one, at) == line_at(other, at))
    at += line_at(one, at).size() + 1;
  const std::string_view line = line_at(other, std::min(at, other.size()));
  return line.substr(0, line.find(' '));
}

/// Takes pieces of bytes one after the other; what is missing is an error of the file.
class Pieces {
 public:
  Pieces(std::string_view bytes, std::string name) : rest_(bytes), name_(std::move(name)) {}

  std::string_view take(std::uint64_t size) {
    if (size > rest_.size()) detail::refuse_binary(kind, name_, "the file is cut off");
    const std::string_view piece = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return piece;
  }
  std::uint64_t number() { return detail::number_at<std::uint64_t>(take(8), 0); }
  template <class T>
  std::vector<T> values() {
    const std::uint64_t count = number();
    if (count > rest_.size() / sizeof(T)) detail::refuse_binary(kind, name_, "the file is cut off");
    std::vector<T> found(count);
    const std::string_view bytes = take(count * sizeof(T));
    std::copy(bytes.begin(), bytes.end(), reinterpret_cast<char*>(found.data()));
    return found;
  }
  void end() const {
    if (!rest_.empty()) detail::refuse_binary(kind, name_, "the file has more than it should");
  }

 private:
  std::string_view rest_;
  std::string name_;
};

void write_number(OutputFile& file, std::uint64_t number) {
  file.write(detail::bytes_of(&number, 1));
}

template <class T>
void write_values(OutputFile& file, const std::vector<T>& values) {
  write_number(file, values.size());
  constexpr std::size_t piece = std::size_t{1} << 20;
  for (std::size_t first = 0; first < values.size(); first += piece)
    file.write(detail::bytes_of(values.data() + first, std::min(piece, values.size() - first)));
}

}  // namespace

template <class T>
void write_checkpoint(const std::filesystem::path& path, const GridCase& grid,
                      const GridCheckpoint<T>& state) {
  OutputFile file(path);
  file.write(detail::binary_header(kind));
  const std::string problem = described(grid);
  write_number(file, problem.size());
  file.write(problem);
  write_number(file, static_cast<std::uint64_t>(state.step));
  write_values(file, state.probes);
  write_values(file, state.values);
  file.commit();
}

template <class T>
GridCheckpoint<T> read_checkpoint(const std::filesystem::path& path, const GridCase& grid) {
  const std::string name = path.string();
  if (!std::filesystem::exists(path)) {
    throw Error(Fault::input, fmt::format("there is no checkpoint {} to continue from", name),
                std::string(kind.remedy));
  }
  const detail::TextFile file(path, detail::TextFile::Content::bytes);
  detail::check_binary_header(file.text(), kind, detail::binary_header_bytes, name);
  Pieces pieces(file.text().substr(detail::binary_header_bytes), name);
  const std::string problem = described(grid);
  const std::string_view told = pieces.take(pieces.number());
  if (told != problem) {
    detail::refuse_binary(kind, name,
                          fmt::format("the checkpoint was written for another {} than that of the case",
                                      difference(told, problem)));
  }
  GridCheckpoint<T> state;
  state.step = static_cast<std::int64_t>(pieces.number());
  state.probes = pieces.values<double>();
  state.values = pieces.values<T>();
  pieces.end();
  if (state.step < 0 || static_cast<std::int64_t>(state.values.size()) != grid.point_count())
    detail::refuse_binary(kind, name, "the file is damaged: it has another number of values than the case");
  return state;
}

template void write_checkpoint(const std::filesystem::path&, const GridCase&, const GridCheckpoint<float>&);
template void write_checkpoint(const std::filesystem::path&, const GridCase&, const GridCheckpoint<double>&);
template GridCheckpoint<float> read_checkpoint(const std::filesystem::path&, const GridCase&);
template GridCheckpoint<double> read_checkpoint(const std::filesystem::path&, const GridCase&);

}  // namespace setka::io
