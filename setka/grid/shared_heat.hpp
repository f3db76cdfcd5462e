// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "setka/exec/device.hpp"
#include "setka/grid/heat.hpp"

namespace setka::grid {

/// Steps of LodHeat on a grid in host memory by several devices, one host thread each: every device takes its
/// share of the lines along axis 0, then, when all are done, its share of the planes across that axis for the
/// others. CPU devices give the bits that one of them makes by itself. A device holds its share only, so that
/// grids may be larger than any of them; all of the grid crosses to the devices and back twice a step.
class SharedLodHeat {
 public:
  /// A device may stand there twice; the ends of axes must not supply heat.
  SharedLodHeat(std::vector<exec::Device> devices, std::vector<HeatAxis> axes, double step);

  /// In place. u: [n0, n1, n2], last index fastest.
  template <class T>
  void advance(std::span<T> u, std::int64_t steps = 1) const;

 private:
  std::vector<exec::Device> devices_;
  std::vector<HeatAxis> axes_;
  double step_;
};

}  // namespace setka::grid
