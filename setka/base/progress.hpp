// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace setka {

/// Where progress is shown: a bar on a terminal, plain lines in a file or pipe, or nowhere.
enum class ProgressStyle { bar, lines, none };

/// bar when standard error is a terminal, lines otherwise.
ProgressStyle progress_style_of_stderr();

/// What is known of a running stage when it is drawn.
struct ProgressState {
  std::string_view name;
  std::int64_t done = 0;
  std::int64_t total = 0;  // 0: unknown
  std::string_view unit;   // "elements"; may be empty
  std::string_view note;   // "residual 1.2e-5"; may be empty
  double seconds = 0;      // since the stage began
};

/// "assemble  [######----]  60 %, 1.20 M elements/s, 3.00 s left, residual 1e-5", at most width columns.
std::string progress_bar(const ProgressState& state, int width);

/// "assemble: 60 % (6.00 M of 10.0 M elements), 1.20 M elements/s, 3.00 s left"
std::string progress_line(const ProgressState& state);

/// Draws stages; knows nothing of timing trees. Output and clock are given so that tests can hold both.
class ProgressDisplay {
 public:
  using Writer = std::function<void(std::string_view)>;

  /// width: columns of the terminal, for bars.
  ProgressDisplay(ProgressStyle style, Writer writer, int width = 100);

  /// On standard error, in the style that fits it.
  static ProgressDisplay on_stderr();
  static ProgressDisplay silent();

  /// Called as often as the work likes; draws at most ten bars a second, or a line every five seconds.
  void update(const ProgressState& state);

  /// The stage is over: clears the bar; in plain style says so when the stage is outermost and took a second
  /// or more.
  void finish(const ProgressState& state, bool outermost);

 private:
  ProgressStyle style_;
  Writer writer_;
  int width_;
  double drawn_at_ = 0;  // seconds of the stage drawn last, when it was drawn
  std::string drawn_name_;
  bool bar_stands_ = false;
};

}  // namespace setka
