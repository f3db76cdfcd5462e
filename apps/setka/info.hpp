// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "command_line.hpp"

namespace setka::app {

/// setka info: what this build is, where it can compute, and what is missing.
int run_info(const CommonOptions& common, const DeviceOptions& device, Monitor& monitor);

}  // namespace setka::app
