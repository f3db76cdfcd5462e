// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "command_line.hpp"

namespace setka::app {

struct ExampleOptions {
  std::string name;
  double size = 10000;  // unknowns; a real number so that 1e6 can be written
  std::string element;
  std::optional<std::int64_t> modes;
  std::string output;  // empty: standard output
  bool force = false;
};

cli::App* add_example_command(cli::App& cli, ExampleOptions& options);

/// setka example NAME: writes a ready deck.
int run_example(const ExampleOptions& options, const CommonOptions& common, Monitor& monitor);

}  // namespace setka::app
