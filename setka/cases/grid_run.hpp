// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "setka/cases/grid_model.hpp"
#include "setka/cases/grid_writer.hpp"
#include "setka/io/checkpoint.hpp"
#include "setka/io/grid_case.hpp"

namespace setka::cases {

/// What a run on a grid counts.
struct GridCount {
  std::string unit;        // "step", "sweep"
  std::int64_t last = 0;   // that the case asks for
  std::string how_to_add;  // what to change in the case for more of them
};

/// What runs of every kind have in common: they begin anew or from a checkpoint, write what the case asks for
/// on the way, stop when the user wishes, and come to an outcome, which lies with the caller.
template <class T>
class GridRun {
 public:
  GridRun(const model::GridCase& grid, GridCount count, bool go_on, GridOutcome& outcome);

  /// Values to begin with: initial(), or those of the checkpoint, with which all may be done but the writing
  /// of results. Throws Error(Fault::input) where that is of another problem or further than the case asks
  /// for.
  std::vector<T> begin(const std::function<std::vector<T>()>& initial);

  /// The same without initial values: those of the checkpoint, none of a grid on the disk; nothing where the
  /// run begins anew.
  std::optional<std::vector<T>> resume();

  /// From begin() or resume() on.
  cases::GridWriter& writer() { return *writer_; }

  /// Does the work to its end, or until the user stops it, which Stage::advance() tells.
  void until_stopped(const std::function<void()>& work);

  /// A row of probes, unless the last one is of that time.
  void note(double time, const std::vector<double>& values);

  /// Writes the checkpoint.
  void save(std::span<const T> values);

  /// Removes a checkpoint of an earlier run, of which nothing else is left.
  void forget();

  /// When all else is written, by save() the checkpoint too where the user stopped the run. keep: it stays;
  /// otherwise one that the run saved or began with is only in the way.
  void finish(std::span<const T> values, bool keep);

 private:
  const model::GridCase& grid_;
  GridCount count_;
  bool go_on_;
  bool saved_ = false;
  GridOutcome& outcome_;
  std::filesystem::path path_;  // of the checkpoint
  io::Checkpoint kept_;         // with the problem as it was when the run began, its files too
  std::optional<cases::GridWriter> writer_;
  std::vector<double> rows_;  // of probes: time and values
};

}  // namespace setka::cases
