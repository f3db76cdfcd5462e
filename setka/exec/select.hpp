// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "setka/exec/device.hpp"

namespace setka::exec {

/// The devices a run uses, by the user's choice.
/// backend: "auto" (the first GPU when there is one, else the CPU), "cpu" or "cuda"; names: of the devices
/// wanted, "0" for the first GPU, "cpu" for CPU threads, empty for the first one of the back end. A name may
/// stand there several times, for a Device each. threads: of the CPU, 0 for all; Devices of CPU threads share
/// them. Throws Error(Fault::usage) that names what was asked for and what there is.
std::vector<Device> select_devices(const std::string& backend, const std::vector<std::string>& names = {},
                                   int threads = 0);

}  // namespace setka::exec
