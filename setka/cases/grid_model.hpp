// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "setka/exec/device.hpp"
#include "setka/grid/lines.hpp"
#include "setka/grid/pyramid.hpp"
#include "setka/grid/stationary.hpp"
#include "setka/grid/tridiagonal.hpp"
#include "setka/io/grid_case.hpp"
#include "setka/plan/formulas.hpp"

namespace setka::cases {

/// Of a value of the grid.
int value_bytes(const model::GridCase& grid);

/// Empty where the model has a formula for the scheme of the case.
std::string why_no_formula(const model::GridCase& grid);

/// What the model says of the work that a run did.
struct GridPrediction {
  std::string lacks;  // why it says nothing; empty: it does
  std::string way;    // that the run took
  std::string why;
  plan::Cost cost;
};

/// What runs on grids of every kind come to.
struct GridOutcome {
  std::int64_t first = 0;  // steps or sweeps of earlier runs that this one went on from
  std::int64_t done = 0;   // in all, those included
  double change = 0;       // by the last sweep that was looked at, at most; steps in time leave it
  double seconds = 0;      // of this run's own, output left out
  double least = 0;
  double largest = 0;
  std::string
      stopped;  // "interrupted after step 3 of 9; ...": the user stopped it; empty: it went to its end
  GridPrediction prediction;  // of this run's own steps or sweeps
  std::vector<std::filesystem::path> files;

  std::int64_t own() const { return done - first; }
};

/// The model of work on grids, by the profile of this machine. No profile, a broken one and schemes without a
/// formula are no errors: predictions then say what is lacking.
class GridModel {
 public:
  explicit GridModel(const exec::Device& device);

  /// Of several there is none yet.
  explicit GridModel(const std::vector<exec::Device>& devices);

  /// Null where there is none of this machine.
  const plan::DeviceProfile* profile() const { return profile_ ? &*profile_ : nullptr; }

  /// axes, fields: those of heat_problem().
  GridPrediction of_steps(const model::GridCase& grid, const std::vector<grid::HeatAxis>& axes,
                          const plan::HeatFields& fields, grid::HeatScheme scheme, std::int64_t steps) const;

  /// pyramid: what the sweeps were made in; none: with all of the grid on the device. memory: bytes that
  /// might be taken there.
  GridPrediction of_sweeps(const model::GridCase& grid, const grid::StationaryHeat& heat,
                           const std::optional<grid::PyramidLayout>& pyramid, std::uint64_t memory,
                           std::int64_t sweeps) const;

  /// One tridiagonal solve of all lines, as grid::sweep() chooses its way.
  GridPrediction of_lines(const grid::Lines& lines, grid::Coefficients coefficients, bool periodic,
                          int value_bytes) const;

 private:
  std::string why_nothing(const model::GridCase& grid, std::int64_t count) const;

  std::optional<plan::DeviceProfile> profile_;
  std::string lacks_;
};

}  // namespace setka::cases
