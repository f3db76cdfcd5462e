// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "setka/exec/array.hpp"
#include "setka/exec/device.hpp"
#include "setka/grid/heat.hpp"

/// Steps in time of u_t = div(d grad u) + f - r u, where d, f and r may differ from cell to cell.
namespace setka::grid {

enum class HeatScheme {
  lod,                // one implicit sweep an axis; stable for any step, of first order in it
  peaceman_rachford,  // two axes: each explicit for half a step and implicit for the other; of second order
  douglas,            // the same accuracy for two and three axes, by corrections of the change
  explicit_euler,     // all axes in one pass; stable up to longest_explicit_step(), of first order
};

/// Fields are of the grid [n0, n1, n2], last index fastest, on the host.
struct HeatProblem {
  std::vector<HeatAxis> axes;
  std::vector<double> diffusivity;  // times that of the axes; empty: 1
  std::vector<double> reaction;     // empty: uniform_reaction
  std::vector<double> source;       // empty: none
  double uniform_reaction = 0;

  std::int64_t nodes() const;
};

/// 2 over Gershgorin's bound of the eigenvalues: explicit steps up to it are stable. Infinite where nothing
/// moves.
double longest_explicit_step(const exec::Device& device, const HeatProblem& problem);

/// All that a step needs, on a device. Beside u there are: the fields that are not uniform; three
/// coefficients a cell and axis where d or r is not uniform and the scheme is implicit; one more array where
/// the scheme is not LOD.
template <class T>
class HeatSteps {
 public:
  HeatSteps(const exec::Device& device, const HeatProblem& problem, HeatScheme scheme, double step);

  std::int64_t nodes() const { return nodes_; }

  /// One step; u, [nodes], may change its memory. On a GPU it returns before the work is done. The same u
  /// gives the same bits at every run on a device.
  void advance(exec::Array<T>& u);

 private:
  struct Rows {
    explicit Rows(const exec::Device& device, std::int64_t size)
        : lower(device, size), diagonal(device, size), upper(device, size) {}
    exec::Array<T> lower;
    exec::Array<T> diagonal;
    exec::Array<T> upper;
  };

  void make_rows(double weight);
  void sweep_axis(std::size_t axis, exec::Array<T>& values) const;
  /// next = keep u + step (F - A u), A of one axis or, with -1, of all.
  void change(int axis, T keep, double step, const exec::Array<T>& u, exec::Array<T>& next) const;
  void advance_lod(exec::Array<T>& u);

  exec::Device device_;
  std::vector<HeatAxis> axes_;
  HeatScheme scheme_;
  double step_;
  std::int64_t nodes_;
  exec::Array<T> diffusivity_;
  exec::Array<T> reaction_;
  exec::Array<T> source_;
  exec::Array<T> other_;  // the next u, or its change
  kernel::HeatCells<T> cells_;
  std::vector<Tridiagonal<T>> matrices_;  // of each axis
  std::vector<Rows> rows_;
};

}  // namespace setka::grid
