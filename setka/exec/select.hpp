// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "setka/exec/device.hpp"

namespace setka::exec {

/// The devices a run uses, by the user's choice.
/// backend: "auto" (the first GPU when there is one, else the CPU), "cpu" or "cuda"; numbers: of the GPUs
/// wanted, empty for the first one; a number may stand there twice. threads: of the CPU team, 0 for all.
/// Throws Error(Fault::usage) that names what was asked for and what there is.
std::vector<Device> select_devices(const std::string& backend, const std::vector<int>& numbers = {},
                                   int threads = 0);

}  // namespace setka::exec
