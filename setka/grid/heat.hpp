// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "setka/exec/device.hpp"
#include "setka/exec/view.hpp"
#include "setka/grid/heat_kernel.hpp"
#include "setka/grid/lines.hpp"
#include "setka/grid/tridiagonal.hpp"

/// Heat on a grid of one, two or three axes: u_t = sum of diffusivity u_xx over the axes, plus f. What is
/// here needs no memory of its own; heat_steps.hpp has fields of diffusivity, reactions and other schemes.
namespace setka::grid {

/// One side of a grid of cells; the side is half a spacing beyond the centre of the last cell.
struct HeatSide {
  enum class Kind {
    dirichlet,  // u = value
    neumann,    // d u_n = value: what flows in
    robin,      // d u_n = coefficient (value - u)
  };
  Kind kind = Kind::neumann;
  double value = 0;
  double coefficient = 0;
};

struct HeatAxis {
  std::int64_t nodes = 1;
  double spacing = 1;
  double diffusivity = 1;  // along this axis
  Ends ends = Ends::periodic;
  HeatSide low{};  // for Ends::sides
  HeatSide high{};
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

namespace detail {

/// Throws Error(Fault::usage) that begins with `who`.
void check_heat_axes(const char* who, const std::vector<HeatAxis>& axes, double step);

std::int64_t nodes_of(const std::vector<HeatAxis>& axes);

Lines lines_along(const std::vector<HeatAxis>& axes, std::size_t axis);

/// The axes for kernels, without fields.
template <class T>
kernel::HeatCells<T> cells_of(const std::vector<HeatAxis>& axes);

/// Rows of 1 + step A of an axis of uniform diffusivity; reaction: its share of r.
template <class T>
Tridiagonal<T> implicit_rows(const HeatAxis& axis, double step, double reaction = 0);

/// Whether an end of the axis supplies heat whatever u is.
bool supplies(const HeatAxis& axis);

}  // namespace detail
}  // namespace setka::grid
