// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>

#include "command_line.hpp"

namespace setka::app {

struct ProjectOptions {
  std::string elements;
  std::string vectors;
  std::string output;        // empty: the result is not written
  std::uint64_t memory = 0;  // bytes of the device; 0: what is free
};

cli::App* add_project_command(cli::App& cli, ProjectOptions& options);

/// setka project K.elements X.bin: X'KX from element matrices in a file.
int project_elements(const ProjectOptions& options, const CommonOptions& common, const DeviceOptions& device,
                     Monitor& monitor);

}  // namespace setka::app
