// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "setka/exec/array.hpp"
#include "setka/exec/device.hpp"
#include "setka/exec/team.hpp"
#include "setka/grid/stationary.hpp"

namespace setka::grid {

/// Sweeps of StationaryHeat on one device or several, all of them CPUs or all GPUs. Of several each has its
/// share of the planes across axis 0 in its memory and sweeps them; the planes next to a cut are read where
/// they lie. Any number of devices gives the bits of one.
template <class T>
class StationarySweeps {
 public:
  StationarySweeps(const std::vector<exec::Device>& devices, StationaryHeat heat);

  /// Values of all nodes where all devices reach them: each has its own planes.
  exec::Array<T> on_devices(std::span<const T> values) const;

  /// u may change its memory. Each call of several devices costs a start of threads.
  StationaryReport jacobi(exec::Array<T>& u, const exec::Array<T>& f, const StationaryOptions& options = {});
  StationaryReport red_black(exec::Array<T>& u, const exec::Array<T>& f,
                             const StationaryOptions& options = {});

 private:
  template <class Sweep>
  StationaryReport run_all(const StationaryOptions& options, const Sweep& sweep) const;
  exec::Array<T> room() const;

  exec::Team team_;
  StationaryHeat heat_;
  std::optional<exec::Array<T>> second_;  // of Jacobi's sweeps by several devices
};

}  // namespace setka::grid
