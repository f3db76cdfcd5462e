// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "setka/io/grid_case.hpp"
#include "setka/io/npy.hpp"
#include "setka/io/npy_state.hpp"

namespace setka::cases {

/// u and its source, of a stationary case: in memory, or in mapped files beside the results, which may be
/// larger than it. There u is in CASE.state.npy, which changes as the run goes on, and the source is where
/// the case has it if it is an array of the run's precision, else in a file that is gone at the end. What a
/// checkpoint refers to is a file of its own, CASE.state-400.npy after 400 sweeps, which no run changes.
template <class T>
class StationaryArrays {
 public:
  explicit StationaryArrays(const model::GridCase& grid) : grid_(grid) {}
  StationaryArrays(const StationaryArrays&) = delete;
  StationaryArrays& operator=(const StationaryArrays&) = delete;
  ~StationaryArrays();

  /// The initial values, with those of the sides.
  void begin();

  /// From a checkpoint after so many sweeps: its values, or the state that was kept on the disk.
  void go_on(std::vector<T> values, std::int64_t done);

  std::span<T> u() const { return u_; }
  std::span<const T> f() const { return f_; }

  /// Of a grid on the disk, for a checkpoint after so many sweeps. Where it is the last one the state itself
  /// is kept, else a copy of it.
  void keep(std::int64_t done, bool last);

  /// Removes what was kept on the disk, but for the state after so many sweeps.
  void drop_kept(std::optional<std::int64_t> but_for = std::nullopt);

  /// Where the state on the disk is.
  const std::filesystem::path& state_path() const { return state_->path(); }

  /// Makes it the result, CASE.npy.
  void finish() { state_->rename(path(".npy")); }

 private:
  void make_source();
  std::filesystem::path path(const std::string& ending) const;
  std::filesystem::path kept_path(std::int64_t done) const;

  const model::GridCase& grid_;
  std::vector<T> u_in_memory_;
  std::vector<T> f_in_memory_;
  std::optional<io::NpyState<T>> state_;
  std::optional<io::NpyState<T>> source_;
  std::unique_ptr<const io::NpyFile> given_source_;
  std::span<T> u_;
  std::span<const T> f_;
};

}  // namespace setka::cases
