// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "setka/exec/device.hpp"
#include "setka/grid/heat.hpp"
#include "setka/grid/heat_steps.hpp"
#include "setka/grid/pyramid.hpp"
#include "setka/grid/sweep.hpp"
#include "setka/plan/profile.hpp"

/// What work costs, from a profile. Every formula is a function of a DeviceProfile and of the sizes of the
/// work that returns a Cost: named terms that add up. Another stage is another such function here or beside.
namespace setka::plan {

struct Term {
  std::string what;
  double seconds = 0;
  double spread = 0;  // standard deviation of its logarithm; 0: nothing is known to spread it
};

/// One run in ten is expected to be below, one above.
struct Range {
  double low = 0;
  double middle = 0;
  double high = 0;
};

/// About a middle, by the standard deviation of the logarithm.
Range range_of(double middle, double spread);

struct Cost {
  std::vector<Term> terms;
  std::uint64_t device_bytes = 0;
  std::uint64_t host_bytes = 0;  // at the peak
  std::uint64_t disk_bytes = 0;  // of what is written

  double seconds() const;
  /// Of the sum, with terms that spread independently of each other but for a common part of all: how fast
  /// the machine is at the time.
  Range range(double common_spread = 0) const;
  Cost& add(std::string what, double seconds, double spread = 0) {
    terms.push_back({std::move(what), seconds, spread});
    return *this;
  }
  Cost times(double count) const;  // the same again and again
};

/// One way to do the work.
struct Choice {
  std::string name;
  Cost cost;
  std::string lacks;                             // what it would need; empty: it can be done
  std::optional<grid::HeatScheme> scheme{};      // of steps of heat
  std::optional<grid::PyramidLayout> pyramid{};  // of stationary sweeps
};

struct Decision {
  std::vector<Choice> choices;
  std::size_t chosen = 0;
  std::string why;  // "skewed, height 60: 3.02 ms, the least; next: ..."

  const Choice& choice() const { return choices[chosen]; }
};

/// The least time among those that can be done; Error(Fault::resource) with all that is lacking when none
/// can.
Decision choose(std::vector<Choice> choices);

/// Threads that a device runs at a time: num of the formulas.
double threads_at_once(const exec::Device& device);

// Long vectors: steps of LongVectorHeat on n x n inner nodes, with the vector sent there and back.

/// The paper's formula (1) as printed: launches, and whole waves of threads at the time of one wave.
Cost long_vectors_as_printed(const DeviceProfile& profile, std::int64_t n, std::int64_t steps);

/// Each operation at the time it was measured to take at its length: launch, caches and waves included.
Cost long_vectors(const DeviceProfile& profile, std::int64_t n, std::int64_t steps);

// Pyramids: passes of pyramid_jacobi(), each of which makes layout.height sweeps.

/// One pass by the paper's formula (2) as printed, for its overlapping blocks: nothing overlaps in time.
Cost pyramid_as_printed(const DeviceProfile& profile, const grid::StationaryHeat& heat, int value_bytes,
                        const grid::PyramidLayout& layout);

/// So many passes, block by block: loads, sweeps and stores wait for each other as in the real run, so that
/// the time is that of what is longest. pinned: the host's memory is, or can be.
Cost pyramid_passes(const DeviceProfile& profile, const grid::StationaryHeat& heat, int value_bytes,
                    const grid::PyramidLayout& layout, std::int64_t passes, bool pinned = true);

/// What no run of that height can be faster than, a sweep: the transfers of a pass, each way by itself, or
/// the arithmetic at the rate of long sweeps.
double pyramid_limit(const DeviceProfile& profile, const grid::StationaryHeat& heat, int value_bytes,
                     int height);

/// One sweep over planes of so many nodes in all, in double precision or of so many bytes a value.
double stencil_seconds(const DeviceProfile& profile, double nodes, int value_bytes);

// Sweeps.

struct SweepShape {
  std::int64_t lines = 0;
  std::int64_t rows = 0;
  bool along = true;      // a line's values lie one after the other
  bool constant = false;  // coefficients; else of each line
  bool periodic = true;   // else the ends are free of each other
  /// Values from a row to the next across memory, or from a line to the next along it; 0: as closely as they
  /// can lie.
  std::int64_t stride = 0;

  /// Whether that is a multiple of 4096 bytes, so that what lies side by side shares few sets of a cache.
  bool is_aligned(int value_bytes) const;
};

inline constexpr std::int64_t lines_any = 0;
/// Rows that are measured, and powers of two, which strides are aligned with.
inline constexpr std::int64_t sweep_rows[] = {60, 120, 250, 500, 700, 1000, 2000, 4000, 8000, 16000};
inline constexpr std::int64_t aligned_sweep_rows[] = {64, 128, 256, 512, 1024, 4096, 16384};

/// Name of the curve over lines of shape.rows rows, of values of 8 bytes.
std::string sweep_curve(const SweepShape& shape, grid::SweepMethod method);

/// Whether the fused way holds a line of that many rows on the device.
bool fused_fits(const DeviceProfile& profile, const SweepShape& shape, int value_bytes);

/// Between the numbers of rows that were measured, in proportion; what aligned strides and open ends change
/// is known at fewer sizes and taken as factors. Errors as DeviceProfile::curve().
Cost sweep_cost(const DeviceProfile& profile, const SweepShape& shape, grid::SweepMethod method,
                int value_bytes);

// Steps of heat, as HeatSteps makes them; last axis fastest.

/// What differs from cell to cell, beside u.
struct HeatFields {
  bool diffusivity = false;
  bool reaction = false;
  bool source = false;
  double longest_explicit = 0;  // step that these fields allow; 0: that of the axes

  /// Whether sweeps have coefficients of each line.
  bool in_rows() const { return diffusivity || reaction; }
};

/// One sweep an axis, the source in shares before them.
Cost lod_step(const DeviceProfile& profile, const std::vector<grid::HeatAxis>& axes, int value_bytes,
              const HeatFields& fields = {});

/// Two right-hand sides, each of one axis alone, and two sweeps. Two axes.
Cost peaceman_rachford_step(const DeviceProfile& profile, const std::vector<grid::HeatAxis>& axes,
                            int value_bytes, const HeatFields& fields = {});

/// The change that all axes want, a sweep an axis over it, and its addition to u.
Cost douglas_step(const DeviceProfile& profile, const std::vector<grid::HeatAxis>& axes, int value_bytes,
                  const HeatFields& fields = {});

Cost explicit_step(const DeviceProfile& profile, const std::vector<grid::HeatAxis>& axes, int value_bytes,
                   const HeatFields& fields = {});

/// Any of them.
Cost heat_step(const DeviceProfile& profile, grid::HeatScheme scheme, const std::vector<grid::HeatAxis>& axes,
               int value_bytes, const HeatFields& fields = {});

/// Name of the curve over cells of u + step (F - A u): A of all axes or of one.
std::string change_curve(std::size_t axes, const HeatFields& fields, bool of_all_axes);

/// The paper's error of a model: root of the mean square of (measured - predicted) / measured.
double normalised_error(const std::vector<double>& measured, const std::vector<double>& predicted);

}  // namespace setka::plan
