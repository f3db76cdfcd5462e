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

using model::GridCase;
using model::GridField;
using model::GridShape;

InputFiles inputs_of(const GridCase& grid) {
  return {grid.file, grid.diffusivity.file, grid.source.file, grid.reaction.file, grid.initial.file};
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
