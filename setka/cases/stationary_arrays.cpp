// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/cases/stationary_arrays.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "setka/base/error.hpp"
#include "setka/cases/grid_writer.hpp"
#include "setka/io/input_files.hpp"

namespace setka::cases {
namespace {

/// Calls work(first row, its values) for pieces of a field.
void for_each_piece(const model::GridField& field, const model::GridCase& grid,
                    const std::function<void(std::int64_t, std::span<double>)>& work) {
  constexpr std::int64_t piece = std::int64_t{1} << 20;  // values
  const io::GridFieldReader reader(field, grid);
  const std::int64_t columns = grid.points(0);
  const std::int64_t all = grid.points(1) * grid.points(2);
  const std::int64_t most = std::max<std::int64_t>(1, piece / columns);
  std::vector<double> values(static_cast<std::size_t>(std::min(all, most) * columns));
  for (std::int64_t row = 0; row < all; row += most) {
    const auto count = static_cast<std::size_t>(std::min(most, all - row) * columns);
    const std::span<double> some(values.data(), count);
    reader.read(row, some);
    work(row, some);
  }
}

template <class T>
void fill(const model::GridField& field, const model::GridCase& grid, std::span<T> values) {
  for_each_piece(field, grid, [&](std::int64_t row, std::span<double> some) {
    std::transform(some.begin(), some.end(), values.begin() + row * grid.points(0),
                   [](double value) { return static_cast<T>(value); });
  });
}

/// Initial values inside, the sides' values on them; the first axis counts at corners.
template <class T>
void fill_start(const model::GridCase& grid, std::span<T> u) {
  fill(grid.initial, grid, u);
  const std::int64_t extents[3] = {grid.points(0), grid.points(1), grid.points(2)};
  for (int axis = grid.axes - 1; axis >= 0; --axis) {
    std::int64_t stride = 1;
    for (int k = 0; k < axis; ++k) stride *= extents[k];
    const std::int64_t beyond = stride * extents[axis];
    for (std::int64_t begin = 0; begin < grid.point_count(); begin += beyond) {
      const auto& [low, high] = grid.sides[static_cast<std::size_t>(axis)];
      std::fill_n(u.begin() + begin, stride, static_cast<T>(low.value));
      std::fill_n(u.begin() + begin + beyond - stride, stride, static_cast<T>(high.value));
    }
  }
}

}  // namespace

template <class T>
StationaryArrays<T>::~StationaryArrays() {
  if (!source_) return;
  std::error_code ignored;
  std::filesystem::remove(source_->path(), ignored);
}

template <class T>
std::filesystem::path StationaryArrays<T>::path(const std::string& ending) const {
  return cases::GridWriter::path(grid_, ending);
}

template <class T>
std::filesystem::path StationaryArrays<T>::kept_path(std::int64_t done) const {
  return path(fmt::format(".state-{}.npy", done));
}

template <class T>
void StationaryArrays<T>::begin() {
  if (!grid_.on_disk) {
    u_in_memory_.resize(static_cast<std::size_t>(grid_.point_count()));
    u_ = u_in_memory_;
    fill_start(grid_, u_);
    return make_source();
  }
  // The state of an earlier run stays until this one can begin.
  u_ = state_.emplace(io::NpyState<T>::create(path(".state.npy.new"), grid_.shape())).values();
  try {
    fill_start(grid_, u_);
    make_source();
  } catch (...) {
    std::error_code ignored;
    std::filesystem::remove(state_->path(), ignored);
    throw;
  }
  state_->rename(path(".state.npy"));
}

template <class T>
void StationaryArrays<T>::go_on(std::vector<T> values, std::int64_t done) {
  if (grid_.on_disk) {
    // A copy: should this run be killed, the next one goes on from the same state.
    u_ =
        state_.emplace(io::NpyState<T>::copy_of(kept_path(done), path(".state.npy"), grid_.shape())).values();
  } else {
    u_in_memory_ = std::move(values);
    u_ = u_in_memory_;
  }
  make_source();
}

template <class T>
void StationaryArrays<T>::make_source() {
  if (!grid_.on_disk) {
    f_in_memory_.resize(u_.size());
    fill<T>(grid_.source, grid_, f_in_memory_);
    f_ = f_in_memory_;
    return;
  }
  if (!grid_.source.file.empty() && grid_.source.shapes.empty()) {
    auto given = std::make_unique<const io::NpyFile>(grid_.source.file);
    if (!given->template values_as<T>().empty()) {
      for_each_piece(grid_.source, grid_, [](std::int64_t, std::span<double>) {});  // finds what is wrong
      given_source_ = std::move(given);
      f_ = given_source_->values_as<T>();
      return;
    }
  }
  const std::span<T> f =
      source_.emplace(io::NpyState<T>::create(path(".source.npy"), grid_.shape())).values();
  if (!grid_.source.is_uniform() || grid_.source.value != 0) fill(grid_.source, grid_, f);
  f_ = f;
}

template <class T>
void StationaryArrays<T>::keep(std::int64_t done, bool last) {
  if (last) return state_->rename(kept_path(done));
  auto copy = io::NpyState<T>::create(path(".state.npy.new"), grid_.shape());
  std::ranges::copy(u_, copy.values().begin());
  copy.rename(kept_path(done));
}

template <class T>
void StationaryArrays<T>::drop_kept(std::optional<std::int64_t> but_for) {
  for (const std::filesystem::path& kept : io::files_of_series({path(".state-"), ".npy"})) {
    std::error_code ignored;  // it only takes room
    if (!but_for || kept != kept_path(*but_for)) std::filesystem::remove(kept, ignored);
  }
}

template class StationaryArrays<float>;
template class StationaryArrays<double>;

}  // namespace setka::cases
