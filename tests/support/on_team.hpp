// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "setka/exec/device.hpp"
#include "setka/exec/team.hpp"
#include "support/on_device.hpp"

namespace setka::test {

/// A test of teams: of Devices of one kind, each with streams of its own.
class OnTeam : public OnDevice {
 protected:
  exec::Device twin() const { return device().is_cuda() ? exec::Device::cuda(0) : exec::Device::cpu(1); }

  std::vector<exec::Device> twins(int count) const {
    std::vector<exec::Device> made;
    made.reserve(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i) made.push_back(twin());
    return made;
  }

  exec::Team team(int members) const { return exec::Team(twins(members)); }
};

}  // namespace setka::test
