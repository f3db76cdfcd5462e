// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/base/progress.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <utility>

#include <fmt/core.h>

#include "setka/base/progress_listener.hpp"
#include "setka/base/text.hpp"

namespace setka {
namespace {

/// A writer that is handed states, and no text.
struct ToListener {
  ProgressListener listener;
  void operator()(std::string_view /*text*/) const {}
};

constexpr double seconds_between_bars = 0.1;
constexpr double seconds_between_lines = 5;
constexpr double worth_a_line = 1;  // a stage that took less ends without a word

/// A whole of "%" is an estimate (Iterations): its parts are no things to be counted, or to have a rate.
bool is_estimate(const ProgressState& state) {
  return state.unit == "%";
}

std::string with_unit(const std::string& count, std::string_view unit) {
  return unit.empty() ? count : fmt::format("{} {}", count, unit);
}

/// ", 1.20 M elements/s, 3.00 s left, note"
std::string rate_and_rest(const ProgressState& state) {
  std::string text;
  if (state.done > 0 && state.seconds > 0) {
    const double rate = static_cast<double>(state.done) / state.seconds;
    if (!is_estimate(state)) text += fmt::format(", {}/s", with_unit(format_count(rate), state.unit));
    if (state.total > state.done) {
      text += fmt::format(", {} left", format_seconds(static_cast<double>(state.total - state.done) / rate));
    }
  }
  if (!state.note.empty()) text += fmt::format(", {}", state.note);
  return text;
}

int percent(const ProgressState& state) {
  const double share = static_cast<double>(state.done) / static_cast<double>(state.total);
  return static_cast<int>(100 * std::clamp(share, 0.0, 1.0));
}

/// Cuts after a number of characters; continuation bytes of UTF-8 do not count.
std::string cut(std::string text, int width) {
  int columns = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if ((static_cast<unsigned char>(text[i]) & 0xC0U) != 0x80U && ++columns > width) {
      text.resize(i);
      break;
    }
  }
  return text;
}

void write_to_stderr(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

int terminal_width() {
  winsize size{};
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 20 ? size.ws_col - 1 : 79;
}

}  // namespace

ProgressStyle progress_style_of_stderr() {
  return isatty(STDERR_FILENO) != 0 ? ProgressStyle::bar : ProgressStyle::lines;
}

std::string progress_bar(const ProgressState& state, int width) {
  std::string text = fmt::format("{:<20} ", state.name);
  if (state.total > 0) {
    constexpr int cells = 24;
    const int full = percent(state) * cells / 100;
    text += fmt::format("[{:#<{}}{:-<{}}] {:3d} %", "", full, "", cells - full, percent(state));
  } else {
    text += with_unit(format_count(static_cast<double>(state.done)), state.unit);
  }
  return cut(text + rate_and_rest(state), width);
}

std::string progress_line(const ProgressState& state) {
  const std::string done = format_count(static_cast<double>(state.done));
  std::string text = fmt::format("{}: ", state.name);
  if (is_estimate(state)) {
    text += fmt::format("{} %", percent(state));
  } else if (state.total > 0) {
    text += fmt::format("{} % ({} of {})", percent(state), done,
                        with_unit(format_count(static_cast<double>(state.total)), state.unit));
  } else {
    text += with_unit(done, state.unit);
  }
  return text + rate_and_rest(state);
}

ProgressDisplay::ProgressDisplay(ProgressStyle style, Writer writer, int width)
    : style_(style), writer_(std::move(writer)), width_(width) {}

ProgressDisplay ProgressDisplay::on_stderr() {
  return {progress_style_of_stderr(), write_to_stderr, terminal_width()};
}

ProgressDisplay ProgressDisplay::silent() {
  return {ProgressStyle::none, [](std::string_view) {}};
}

ProgressDisplay display_to(ProgressListener listener) {
  return {ProgressStyle::none, ToListener{std::move(listener)}};
}

void ProgressDisplay::update(const ProgressState& state) {
  if (const auto* to = writer_.target<ToListener>()) return to->listener.update(state);
  if (style_ == ProgressStyle::none) return;
  const double pause = style_ == ProgressStyle::bar ? seconds_between_bars : seconds_between_lines;
  if (drawn_name_ != state.name || state.seconds < drawn_at_) {
    if (state.seconds < pause) return;  // it may be over before: the one around it keeps its pace
    drawn_name_ = state.name;
    drawn_at_ = 0;
  }
  if (state.seconds - drawn_at_ < pause) return;
  drawn_at_ = state.seconds;
  if (style_ == ProgressStyle::bar) {
    writer_("\r\x1b[K" + progress_bar(state, width_));
    bar_stands_ = true;
  } else {
    writer_(progress_line(state) + "\n");
  }
}

void ProgressDisplay::finish(const ProgressState& state, bool outermost) {
  if (const auto* to = writer_.target<ToListener>()) return to->listener.finish(state);
  if (bar_stands_) {
    writer_("\r\x1b[K");
    bar_stands_ = false;
  }
  if (style_ == ProgressStyle::lines && outermost && state.done > 0 && state.seconds >= worth_a_line) {
    writer_(fmt::format("{}: done in {}\n", state.name, format_seconds(state.seconds)));
  }
}

}  // namespace setka
