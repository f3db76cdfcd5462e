// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/io/grid_case.hpp"

#include <cmath>
#include <cstddef>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "setka/io/npy.hpp"

namespace setka::io {

std::string_view name(GridScheme scheme) {
  switch (scheme) {
    case GridScheme::lod:
      return "lod";
    case GridScheme::peaceman_rachford:
      return "adi (peaceman-rachford)";
    case GridScheme::douglas:
      return "adi (douglas)";
    case GridScheme::explicit_euler:
      return "explicit";
    case GridScheme::jacobi:
      return "jacobi";
    case GridScheme::weighted_jacobi:
      return "weighted-jacobi";
    default:
      return "sor";
  }
}

bool is_stationary(GridScheme scheme) {
  return scheme == GridScheme::jacobi || scheme == GridScheme::weighted_jacobi ||
         scheme == GridScheme::red_black_sor;
}

bool GridShape::holds(const std::array<double, 3>& point) const {
  double square = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    if (!(point[k] >= from[k] && point[k] <= to[k])) return false;
    if (static_cast<int>(k) != axis) square += (point[k] - centre[k]) * (point[k] - centre[k]);
  }
  if (kind == Kind::disc) return square <= radius * radius;
  if (kind == Kind::stripes) {
    const double along = (point[static_cast<std::size_t>(axis)] - offset) / period;
    return (along - std::floor(along)) * period < width;
  }
  return true;
}

double GridCase::spacing(int axis) const {
  const auto k = static_cast<std::size_t>(axis);
  return lengths[k] / static_cast<double>(cells[k]);
}

std::int64_t GridCase::cell_count() const {
  return cells[0] * cells[1] * cells[2];
}

std::vector<std::int64_t> GridCase::shape() const {
  if (axes == 2) return {cells[1], cells[0]};
  return {cells[2], cells[1], cells[0]};
}

std::vector<double> values_of(const GridField& field, const GridCase& grid) {
  std::vector<double> values(static_cast<std::size_t>(grid.cell_count()), field.value);
  if (!field.file.empty()) {
    const NpyFile file(field.file);
    if (file.shape() != grid.shape()) {
      throw Error(Fault::input,
                  fmt::format("{} has shape ({}), but the grid has ({})", field.file.string(),
                              fmt::join(file.shape(), ", "), fmt::join(grid.shape(), ", ")),
                  "files have x as their last index, then y, then z", grid.at(field.line));
    }
    file.read(0, values);
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (!std::isfinite(values[i]) || values[i] < field.least) {
        throw Error(Fault::input, fmt::format("{}: entry {} is {}", field.file.string(), i, values[i]),
                    fmt::format("every cell needs a finite number{}",
                                field.least == 0 ? ", zero or a positive one" : ""),
                    grid.at(field.line));
      }
    }
  }
  if (field.shapes.empty()) return values;
  const auto along = [&](std::size_t k, std::int64_t i) {
    return grid.origin[k] + (static_cast<double>(i) + 0.5) * grid.spacing(static_cast<int>(k));
  };
#pragma omp parallel for schedule(static)
  for (std::int64_t row = 0; row < grid.cells[1] * grid.cells[2]; ++row) {
    std::array<double, 3> point{0, along(1, row % grid.cells[1]), along(2, row / grid.cells[1])};
    for (std::int64_t i = 0; i < grid.cells[0]; ++i) {
      point[0] = along(0, i);
      for (const GridShape& shape : field.shapes) {
        if (shape.holds(point)) values[static_cast<std::size_t>(row * grid.cells[0] + i)] = shape.value;
      }
    }
  }
  return values;
}

}  // namespace setka::io
