// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "setka/exec/array.hpp"
#include "setka/exec/device.hpp"
#include "setka/exec/team.hpp"
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
double longest_explicit_step(const std::vector<exec::Device>& devices, const HeatProblem& problem);

/// All that a step needs, on one device or several, all of them CPUs or all GPUs; a device may stand there
/// twice. Beside u there are: the fields that are not uniform; three coefficients a cell and axis where d or
/// r is not uniform and the scheme is implicit; one more array where the scheme is not LOD.
///
/// Of several devices each has its share of the planes across axis 0 in its memory and computes them, and in
/// sweeps along axis 0 its share of the lines, where the planes lie: nothing is copied. A step of LOD in two
/// dimensions moves u four times, as that of one device does; of it, of each device's lines along axis 0, the
/// part that lies with others crosses the links, once each way. Otherwise it is the planes next to a cut.
template <class T>
class HeatSteps {
 public:
  HeatSteps(const exec::Device& device, const HeatProblem& problem, HeatScheme scheme, double step);
  HeatSteps(const std::vector<exec::Device>& devices, const HeatProblem& problem, HeatScheme scheme,
            double step);

  std::int64_t nodes() const { return nodes_; }

  /// These values, [nodes], where all devices reach them: each has its own planes.
  exec::Array<T> on_devices(std::span<const T> u) const;

  /// Some steps; u, [nodes], may change its memory. On one GPU it returns before the work is done, with
  /// several devices when it is, and a call costs a start of threads. The same u gives the same bits at every
  /// run on a device, and any number of CPU devices those of one.
  void advance(exec::Array<T>& u, std::int64_t steps = 1);

 private:
  struct Rows {
    exec::Array<T> lower;
    exec::Array<T> diagonal;
    exec::Array<T> upper;
  };
  class Work;  // of one device

  void make_rows(double weight);

  exec::Team team_;
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
