// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "setka/exec/device.hpp"
#include "setka/exec/view.hpp"

/// Stationary heat on a grid of two or three axes: sum of conductivity u_xx over the axes, plus f, is zero.
namespace setka::grid {

struct StationaryAxis {
  std::int64_t nodes = 3;  // those on the border included
  double spacing = 1;
  double conductivity = 1;  // along this axis
};

struct StationaryOptions {
  std::int64_t sweeps = 10000;  // at most
  double tolerance = 0;         // done when no value changes by more in one sweep; 0: all sweeps are made
  int check_every = 10;         // sweeps between two looks at the change
  double weight = 1;            // new value = u + weight (Jacobi's or, red-black, Gauss-Seidel's - u)
  int height = 0;  // sweeps of a block of planes while it is in the cache; 0: chosen, 1: no blocks
  std::int64_t block_planes = 0;  // planes of such a block; 0: chosen
};

struct StationaryReport {
  std::int64_t sweeps = 0;  // made
  double change = 0;        // the largest of the last sweep that was looked at; NaN when values are
  bool converged = false;   // change < tolerance
};

/// u, f: [n0, n1, n2] or [n0, n1], last index fastest. Values of u on the border are what they are to be.
class StationaryHeat {
 public:
  explicit StationaryHeat(std::vector<StationaryAxis> axes);

  const std::vector<StationaryAxis>& axes() const { return axes_; }
  std::int64_t nodes() const;
  std::int64_t planes() const { return axes_.front().nodes; }
  std::int64_t plane_nodes() const { return nodes() / planes(); }

  /// Jacobi's sweeps on the stream's device, with a second array of its own. The same bits for every height
  /// and number of threads. Bytes a node and sweep: 24 in double precision, fewer with a height that pays.
  template <class T>
  StationaryReport jacobi(const exec::Stream& stream, exec::ViewOf<T> u, exec::ViewOf<const T> f,
                          const StationaryOptions& options = {}) const;

  /// Successive over-relaxation, in place: nodes whose indices add up to an even number, then the others.
  /// The best weight for a cube of n nodes a side is about 2 / (1 + sin(pi / (n - 1))).
  template <class T>
  StationaryReport red_black(const exec::Stream& stream, exec::ViewOf<T> u, exec::ViewOf<const T> f,
                             const StationaryOptions& options = {}) const;

 private:
  std::vector<StationaryAxis> axes_;
};

}  // namespace setka::grid
