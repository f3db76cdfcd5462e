// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "setka/base/progress.hpp"

namespace setka {

/// A node of the tree of stages: how long it took, in how many visits, and what it was made of.
struct StageTime {
  std::string name;
  double seconds = 0;
  std::int64_t visits = 0;
  std::vector<StageTime> parts;
};

/// One line a stage, indented by depth, with the share of the parent's time.
std::string format_stage_times(const StageTime& root);

class Stage;

/// What a long computation reports to: progress, nested stage times, and the user's wish to stop.
/// Belongs to one thread, the one that drives the computation.
class Monitor {
 public:
  using Clock = std::function<double()>;  // seconds from any origin

  Monitor();  // times only, shows nothing
  explicit Monitor(ProgressDisplay display);
  Monitor(ProgressDisplay display, Clock clock);
  Monitor(const Monitor&) = delete;
  Monitor& operator=(const Monitor&) = delete;

  /// Begins a stage inside the one that is running; it ends with the returned object. A second stage of the
  /// same name under the same parent adds to the first one's time. total: how many units of work, 0 when
  /// unknown.
  [[nodiscard]] Stage stage(std::string name, std::int64_t total = 0, std::string unit = {});

  /// Times so far; the root's own time runs from construction to now.
  StageTime times() const;

 private:
  friend class Stage;
  struct Node {
    StageTime time;
    std::vector<std::size_t> parts;
    std::size_t parent = 0;
  };
  StageTime collect(std::size_t node) const;

  ProgressDisplay display_;
  Clock clock_;
  double began_;
  std::vector<Node> nodes_;  // nodes_[0] is the root
  std::size_t current_ = 0;
};

/// A running stage; ends when destroyed. Times are wall clock: a stage of device work synchronises before it
/// ends.
class Stage {
 public:
  Stage(Stage&& other) noexcept;
  Stage(const Stage&) = delete;
  Stage& operator=(const Stage&) = delete;
  Stage& operator=(Stage&&) = delete;
  ~Stage();

  /// Some units of work were done. Throws Error(Fault::interrupted) when the user asked to stop.
  void advance(std::int64_t units = 1);

  /// A word shown beside the bar, such as the residual.
  void note(std::string text) { note_ = std::move(text); }

  double seconds() const;

 private:
  friend class Monitor;
  Stage(Monitor& monitor, std::size_t node, std::int64_t total, std::string unit);
  ProgressState state() const;

  Monitor* monitor_;
  std::size_t node_;
  std::int64_t done_ = 0;
  std::int64_t total_;
  std::string unit_;
  std::string note_;
  double began_;
};

}  // namespace setka
