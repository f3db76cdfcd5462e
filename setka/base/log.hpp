// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string_view>
#include <utility>

#include <fmt/core.h>

/// The log goes to standard error, one line a message; results never go there.
namespace setka::log {

enum class Level { debug, info, warning, error, off };

/// Least level that is shown; the library starts with warning, the command sets what the user asked for.
void set_level(Level level);
bool enabled(Level level);
void write(Level level, std::string_view message);

template <class... Args>
void debug(fmt::format_string<Args...> format, Args&&... args) {
  if (enabled(Level::debug)) write(Level::debug, fmt::format(format, std::forward<Args>(args)...));
}

template <class... Args>
void info(fmt::format_string<Args...> format, Args&&... args) {
  if (enabled(Level::info)) write(Level::info, fmt::format(format, std::forward<Args>(args)...));
}

template <class... Args>
void warning(fmt::format_string<Args...> format, Args&&... args) {
  if (enabled(Level::warning)) write(Level::warning, fmt::format(format, std::forward<Args>(args)...));
}

template <class... Args>
void error(fmt::format_string<Args...> format, Args&&... args) {
  if (enabled(Level::error)) write(Level::error, fmt::format(format, std::forward<Args>(args)...));
}

}  // namespace setka::log
