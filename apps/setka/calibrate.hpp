// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "command_line.hpp"

namespace setka::app {

struct CalibrateOptions {
  bool quick = false;
  std::string output;  // empty: where plans look for it
};

cli::App* add_calibrate_command(cli::App& cli, CalibrateOptions& options);

/// setka calibrate: measures the devices and writes the profile that plans are made from.
int run_calibrate(const CalibrateOptions& options, const CommonOptions& common, const DeviceOptions& device,
                  Monitor& monitor);

}  // namespace setka::app
