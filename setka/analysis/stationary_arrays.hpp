// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "setka/io/grid_case.hpp"
#include "setka/io/npy.hpp"
#include "setka/io/npy_state.hpp"

namespace setka::analysis {

/// u and its source, of a stationary case: in memory, or in mapped files beside the results, which may be
/// larger than it. There u is in CASE.state.npy, and the source is where the case has it if it is an array of
/// the run's precision, else in a file that is gone at the end.
template <class T>
class StationaryArrays {
 public:
  explicit StationaryArrays(const io::GridCase& grid) : grid_(grid) {}
  StationaryArrays(const StationaryArrays&) = delete;
  StationaryArrays& operator=(const StationaryArrays&) = delete;
  ~StationaryArrays();

  /// The initial values, with those of the sides.
  void begin();

  /// From a checkpoint: its values, or the state on the disk.
  void go_on(std::vector<T> values);

  std::span<T> u() const { return u_; }
  std::span<const T> f() const { return f_; }

  /// Where the state on the disk is.
  std::filesystem::path state_path() const { return path(".state.npy"); }

  /// Makes it the result, CASE.npy.
  std::filesystem::path finish();

 private:
  void make_source();
  std::filesystem::path path(const char* ending) const;

  const io::GridCase& grid_;
  std::vector<T> u_in_memory_;
  std::vector<T> f_in_memory_;
  std::optional<io::NpyState<T>> state_;
  std::optional<io::NpyState<T>> source_;
  std::unique_ptr<const io::NpyFile> given_source_;
  std::span<T> u_;
  std::span<const T> f_;
};

}  // namespace setka::analysis
