// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/io/grid_case.hpp"

#include <algorithm>
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

InputFiles GridCase::inputs() const {
  return {file, diffusivity.file, source.file, reaction.file, initial.file};
}

double GridCase::spacing(int axis) const {
  const auto k = static_cast<std::size_t>(axis);
  return lengths[k] / static_cast<double>(cells[k]);
}

std::int64_t GridCase::points(int axis) const {
  return cells[static_cast<std::size_t>(axis)] + (is_stationary(scheme) && axis < axes ? 1 : 0);
}

std::int64_t GridCase::point_count() const {
  return points(0) * points(1) * points(2);
}

double GridCase::place(int axis, std::int64_t point) const {
  const double first = is_stationary(scheme) ? 0 : 0.5;
  return origin[static_cast<std::size_t>(axis)] + (static_cast<double>(point) + first) * spacing(axis);
}

std::int64_t GridCase::nearest_point(int axis, double at) const {
  const double away = (at - place(axis, 0)) / spacing(axis);
  return std::clamp<std::int64_t>(static_cast<std::int64_t>(std::floor(away + 0.5)), 0, points(axis) - 1);
}

std::vector<std::int64_t> GridCase::shape() const {
  if (axes == 2) return {points(1), points(0)};
  return {points(2), points(1), points(0)};
}

GridFieldReader::GridFieldReader(const GridField& field, const GridCase& grid) : field_(field), grid_(grid) {
  if (field.file.empty()) return;
  file_ = std::make_unique<NpyFile>(field.file);
  if (file_->shape() != grid.shape()) {
    throw Error(Fault::input,
                fmt::format("{} has shape ({}), but the grid has ({})", field.file.string(),
                            fmt::join(file_->shape(), ", "), fmt::join(grid.shape(), ", ")),
                "files have x as their last index, then y, then z", grid.at(field.line));
  }
}

GridFieldReader::~GridFieldReader() = default;

void GridFieldReader::read(std::int64_t first_row, std::span<double> values) const {
  const std::int64_t columns = grid_.points(0);
  if (file_ == nullptr) {
    std::fill(values.begin(), values.end(), field_.value);
  } else {
    const std::int64_t first = first_row * columns;
    file_->read(first, values);
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (!std::isfinite(values[i]) || values[i] < field_.least) {
        throw Error(Fault::input,
                    fmt::format("{}: entry {} is {}", field_.file.string(),
                                first + static_cast<std::int64_t>(i), values[i]),
                    fmt::format("every value must be a finite number{}",
                                field_.least == 0 ? ", zero or a positive one" : ""),
                    grid_.at(field_.line));
      }
    }
  }
  if (field_.shapes.empty()) return;
  const std::int64_t rows = grid_.points(1);
  const std::int64_t count = static_cast<std::int64_t>(values.size()) / columns;
#pragma omp parallel for schedule(static)
  for (std::int64_t k = 0; k < count; ++k) {
    const std::int64_t row = first_row + k;
    std::array<double, 3> point{0, grid_.place(1, row % rows), grid_.place(2, row / rows)};
    for (std::int64_t i = 0; i < columns; ++i) {
      point[0] = grid_.place(0, i);
      for (const GridShape& shape : field_.shapes) {
        if (shape.holds(point)) values[static_cast<std::size_t>(k * columns + i)] = shape.value;
      }
    }
  }
}

std::vector<double> values_of(const GridField& field, const GridCase& grid) {
  std::vector<double> values(static_cast<std::size_t>(grid.point_count()));
  GridFieldReader(field, grid).read(0, values);
  return values;
}

}  // namespace setka::io
