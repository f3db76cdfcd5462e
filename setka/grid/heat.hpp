// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "setka/exec/device.hpp"
#include "setka/exec/view.hpp"
#include "setka/grid/heat_kernel.hpp"

/// Heat on a grid of one, two or three axes: u_t = sum of diffusivity u_xx over the axes, plus f.
namespace setka::grid {

struct HeatAxis {
  std::int64_t nodes = 1;
  double spacing = 1;
  double diffusivity = 1;  // along this axis
  Ends ends = Ends::periodic;
};

/// Implicit steps by splitting into coordinates (locally one-dimensional): one sweep an axis, each with its
/// share of f. Stable for any step; of first order in it. u and f: [n0, n1, n2], last index fastest.
class LodHeat {
 public:
  LodHeat(std::vector<HeatAxis> axes, double step);

  std::int64_t nodes() const;

  /// One step, in place; f, the source, may be left out. Moves u twice an axis.
  template <class T>
  void advance(const exec::Stream& stream, exec::ViewOf<T> u, exec::ViewOf<const T> f = {}) const;

 private:
  std::vector<HeatAxis> axes_;
  double step_;
};

/// Explicit steps, all axes in one pass. Stable up to longest_step().
class ExplicitHeat {
 public:
  ExplicitHeat(std::vector<HeatAxis> axes, double step);

  /// 1 / (2 sum of diffusivity / spacing^2).
  static double longest_step(const std::vector<HeatAxis>& axes);

  std::int64_t nodes() const;

  /// One step from u to next, another array.
  template <class T>
  void advance(const exec::Stream& stream, exec::ViewOf<const T> u, exec::ViewOf<T> next) const;

 private:
  std::vector<HeatAxis> axes_;
  double step_;
};

}  // namespace setka::grid
