// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/base/log.hpp"

#include <unistd.h>

#include <memory>
#include <utility>

#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include "setka/base/log_writer.hpp"

namespace setka::log {
namespace {

spdlog::level::level_enum to_spdlog(Level level) {
  switch (level) {
    case Level::debug:
      return spdlog::level::debug;
    case Level::info:
      return spdlog::level::info;
    case Level::warning:
      return spdlog::level::warn;
    case Level::error:
      return spdlog::level::err;
    case Level::off:
      break;
  }
  return spdlog::level::off;
}

spdlog::logger& logger() {
  // Not in spdlog's registry: a program that embeds Setka keeps its own loggers to itself.
  static const std::unique_ptr<spdlog::logger> instance = [] {
    auto made = std::make_unique<spdlog::logger>("setka", std::make_shared<spdlog::sinks::stderr_sink_mt>());
    // On a terminal a progress bar may stand on the line: clear it first.
    made->set_pattern(isatty(STDERR_FILENO) != 0 ? "\r\x1b[Ksetka: %l: %v" : "setka: %l: %v");
    made->set_level(spdlog::level::warn);
    made->flush_on(spdlog::level::debug);
    return made;
  }();
  return *instance;
}

Writer& other_writer() {
  static Writer instance;
  return instance;
}

}  // namespace

void set_writer(Writer writer) {
  other_writer() = std::move(writer);
}

void set_level(Level level) {
  logger().set_level(to_spdlog(level));
}

bool enabled(Level level) {
  return level != Level::off && logger().should_log(to_spdlog(level));
}

void write(Level level, std::string_view message) {
  if (!other_writer()) {
    logger().log(to_spdlog(level), "{}", message);
  } else if (enabled(level)) {
    other_writer()(level, message);
  }
}

}  // namespace setka::log
