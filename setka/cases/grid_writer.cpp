// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/cases/grid_writer.hpp"

#include <array>
#include <cstdlib>
#include <iterator>
#include <system_error>

#include <fmt/format.h>

#include "setka/io/npy.hpp"
#include "setka/io/output_file.hpp"
#include "setka/io/vtk_data.hpp"
#include "setka/io/vtk_mesh.hpp"

namespace setka::cases {
namespace {

void write_whole(const std::filesystem::path& path, std::string_view bytes) {
  io::OutputFile file(path);
  file.write(bytes);
  file.commit();
}

/// The values of a slice across an axis, [rows, columns].
std::vector<double> slice(const model::GridCase& grid, std::span<const double> values, int axis,
                          std::int64_t at) {
  const std::int64_t nx = grid.points(0);
  const std::int64_t ny = grid.points(1);
  const std::int64_t nz = grid.points(2);
  std::vector<double> found;
  const auto value = [&](std::int64_t x, std::int64_t y, std::int64_t z) {
    found.push_back(values[static_cast<std::size_t>((z * ny + y) * nx + x)]);
  };
  if (axis == 2) {
    for (std::int64_t y = 0; y < ny; ++y) {
      for (std::int64_t x = 0; x < nx; ++x) value(x, y, at);
    }
    return found;
  }
  for (std::int64_t z = 0; z < nz; ++z) {
    if (axis == 1) {
      for (std::int64_t x = 0; x < nx; ++x) value(x, at, z);
    } else {
      for (std::int64_t y = 0; y < ny; ++y) value(at, y, z);
    }
  }
  return found;
}

}  // namespace

void write_vti(const std::filesystem::path& path, const model::GridCase& grid, double time,
               std::span<const double> values) {
  const std::string extent =
      fmt::format("0 {} 0 {} 0 {}", grid.cells[0], grid.cells[1], grid.axes == 3 ? grid.cells[2] : 0);
  const char* const data = model::is_stationary(grid.scheme) ? "PointData" : "CellData";
  const io::VtkArray array({"u", "Float64"}, io::numbers_in(values));
  io::VtkArrays arrays;
  io::OutputFile file(path);
  file.write(io::vtk_file_line("ImageData", io::vtk_compressed));
  file.write(fmt::format(
      "<ImageData WholeExtent=\"{}\" Origin=\"{} {} {}\" Spacing=\"{} {} {}\">\n<FieldData>\n"
      "<DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">{}</DataArray>\n"
      "</FieldData>\n<Piece Extent=\"{}\">\n<{} Scalars=\"u\">\n",
      extent, grid.origin[0], grid.origin[1], grid.origin[2], grid.spacing(0), grid.spacing(1),
      grid.spacing(2), time, extent, data));
  file.write(arrays.add(array));
  file.write(fmt::format("</{}>\n</Piece>\n</ImageData>\n", data));
  arrays.write(file);
  file.write("</VTKFile>\n");
  file.commit();
}

GridSlice slice_of(const model::GridCase& grid, double time, std::span<const double> values) {
  const int across = grid.axes == 2 ? 2 : grid.output.slice_axis;
  const auto k = static_cast<std::size_t>(across);
  const double middle = grid.origin[k] + 0.5 * grid.lengths[k];
  const std::int64_t at =
      grid.axes == 2 ? 0 : grid.nearest_point(across, grid.output.slice_at.value_or(middle));
  const std::size_t horizontal = across == 0 ? 1 : 0;
  const std::size_t vertical = across == 2 ? 1 : 2;
  GridSlice found{slice(grid, values, across, at), {}};
  plot::HeatMap& map = found.map;
  map.columns = grid.points(static_cast<int>(horizontal));
  map.rows = grid.points(static_cast<int>(vertical));
  map.from = {grid.origin[horizontal], grid.origin[vertical]};
  map.to = {map.from[0] + grid.lengths[horizontal], map.from[1] + grid.lengths[vertical]};
  map.range = grid.output.range;
  constexpr std::array<const char*, 3> axes{"x", "y", "z"};
  map.axes = {axes[horizontal], axes[vertical]};
  if (!model::is_stationary(grid.scheme)) map.label = fmt::format("t = {:.6g}", time);
  if (grid.axes == 3)  // where the slice is: the points nearest to what was asked for
    map.label +=
        fmt::format("{}{} = {:.6g}", map.label.empty() ? "" : "   ", axes[k], grid.place(across, at));
  return found;
}

std::string picture_of(const model::GridCase& grid, double time, std::span<const double> values) {
  GridSlice shown = slice_of(grid, time, values);
  shown.map.values = shown.values;
  return plot::drawn(shown.map).png();
}

std::filesystem::path GridWriter::path(const model::GridCase& grid, const std::string& ending) {
  return grid.output.folder / (grid.file.stem().string() + ending);
}

std::vector<io::OutputName> GridWriter::outputs(const model::GridCase& grid) {
  std::vector<io::OutputName> names;
  const auto add = [&](const char* ending) { names.push_back({path(grid, ending), {}}); };
  for (const auto& [wanted, ending] :
       {std::pair{grid.output.vti, ".vti"}, {grid.output.npy, ".npy"}, {grid.output.png, ".png"}}) {
    if (!wanted) continue;
    if (grid.output.every == 0 || grid.on_disk) add(ending);
    if (grid.output.every > 0) names.push_back({path(grid, "-"), ending});
  }
  for (const char* const ending : {".pvd", "-probes.csv", ".checkpoint", ".result.json"}) add(ending);
  if (grid.on_disk) {
    for (const char* const ending : {".state.npy", ".state.npy.new", ".source.npy"}) add(ending);
    names.push_back({path(grid, ".state-"), ".npy"});
  }
  return names;
}

GridWriter::GridWriter(const model::GridCase& grid, std::int64_t done) : grid_(grid) {
  if (!grid.output.folder.empty()) {
    std::error_code reason;
    std::filesystem::create_directories(grid.output.folder, reason);
    if (reason) {
      throw Error(Fault::resource, fmt::format("the folder {} cannot be made: {}",
                                               grid.output.folder.string(), reason.message()));
    }
  }
  if (grid.output.every == 0 || done == 0) return;
  for (std::int64_t step = 0; step <= done; step += grid.output.every) {
    if (std::filesystem::exists(path(grid, numbered(step, ".vti"))))
      frames_.emplace_back(step, static_cast<double>(step) * grid.step);
  }
}

bool GridWriter::is_due(std::int64_t step) const {
  if (!grid_.output.vti && !grid_.output.npy && !grid_.output.png) return false;
  return step == grid_.steps || model::is_stationary(grid_.scheme) ||
         (grid_.output.every > 0 && step % grid_.output.every == 0);
}

std::string GridWriter::numbered(std::int64_t step, const char* ending) const {
  if (grid_.output.every == 0) return ending;
  return fmt::format("-{:08}{}", step, ending);
}

template <class T>
void GridWriter::write_frame(std::int64_t step, double time, std::span<const T> values) {
  if (grid_.output.npy) {
    io::write_npy(path(grid_, numbered(step, ".npy")), grid_.shape(), values);
    files_.push_back(path(grid_, numbered(step, ".npy")));
  }
  if (!grid_.output.vti && !grid_.output.png) return;
  std::vector<double> widened;
  std::span<const double> doubles;
  if constexpr (sizeof(T) == sizeof(double)) {
    doubles = values;
  } else {
    doubles = widened = std::vector<double>(values.begin(), values.end());
  }
  if (grid_.output.vti) {
    write_vti(path(grid_, numbered(step, ".vti")), grid_, time, doubles);
    files_.push_back(path(grid_, numbered(step, ".vti")));
    if (frames_.empty() || frames_.back().first != step) frames_.emplace_back(step, time);
  }
  if (grid_.output.png) {
    write_whole(path(grid_, numbered(step, ".png")), picture_of(grid_, time, doubles));
    files_.push_back(path(grid_, numbered(step, ".png")));
  }
}

void GridWriter::write(std::int64_t step, double time, std::span<const float> values) {
  write_frame(step, time, values);
}

void GridWriter::write(std::int64_t step, double time, std::span<const double> values) {
  write_frame(step, time, values);
}

void GridWriter::write_probes(std::span<const double> rows) {
  if (grid_.probes.empty()) return;
  io::OutputFile file(path(grid_, "-probes.csv"));
  file.write("time");
  for (const model::GridProbe& probe : grid_.probes) file.write("," + probe.name);
  const std::size_t columns = grid_.probes.size() + 1;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    fmt::format_to(std::back_inserter(file.text()), "{}{}", i % columns == 0 ? "\n" : ",", rows[i]);
    file.flush_if_full();
  }
  file.write("\n");
  file.commit();
  files_.push_back(file.path());
}

/// Of a run before that was longer, or wrote at other steps.
void GridWriter::remove_stale(const char* ending) const {
  const io::OutputName series{path(grid_, "-"), ending};
  for (const std::filesystem::path& file : files_of_series(series)) {
    const std::string digits = file.filename().string().substr(series.path.filename().string().size());
    const std::int64_t step = std::strtoll(digits.c_str(), nullptr, 10);
    std::error_code ignored;  // it is only confusing
    if (!is_due(step) || step > grid_.steps) std::filesystem::remove(file, ignored);
  }
}

void GridWriter::finish() {
  if (grid_.output.every > 0) {
    if (grid_.output.vti) remove_stale(".vti");
    if (grid_.output.npy) remove_stale(".npy");
    if (grid_.output.png) remove_stale(".png");
  }
  if (grid_.output.every == 0 || !grid_.output.vti) return;
  io::OutputFile file(path(grid_, ".pvd"));
  io::warn_unless_told(file.path());
  file.write(io::vtk_file_line("Collection", "") + "<Collection>\n");
  for (const auto& [step, time] : frames_) {
    file.write(fmt::format("<DataSet timestep=\"{}\" part=\"0\" file=\"{}\"/>\n", time,
                           io::xml_escaped(path(grid_, numbered(step, ".vti")).filename().string())));
  }
  file.write("</Collection>\n</VTKFile>\n");
  file.commit();
  files_.push_back(file.path());
}

}  // namespace setka::cases
