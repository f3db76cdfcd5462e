// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/cases/grid_model.hpp"

#include <limits>
#include <utility>

#include <fmt/format.h>

#include "setka/base/error.hpp"
#include "setka/grid/heat.hpp"
#include "setka/plan/decide.hpp"
#include "setka/plan/profile.hpp"

namespace setka::cases {
namespace {

/// What is lacking, or what `ask` answers; an error of the profile is what is lacking too.
template <class Ask>
GridPrediction predicted(std::string lacks, Ask&& ask) {
  GridPrediction prediction;
  prediction.lacks = std::move(lacks);
  if (!prediction.lacks.empty()) return prediction;
  try {
    ask(prediction);
  } catch (const Error& error) {
    prediction = {};
    prediction.lacks = error.what();
  }
  return prediction;
}

}  // namespace

int value_bytes(const model::GridCase& grid) {
  return grid.single_precision ? 4 : 8;
}

std::string why_no_formula(const model::GridCase& grid) {
  if (grid.scheme != model::GridScheme::red_black_sor) return {};
  return fmt::format("the model has no formula for the scheme {}", model::name(grid.scheme));
}

GridModel::GridModel(const exec::Device& device) : GridModel(std::vector{device}) {}

GridModel::GridModel(const std::vector<exec::Device>& devices) {
  if (devices.size() > 1) {
    lacks_ = "the model has no formula for several devices";
    return;
  }
  try {
    profile_ = plan::profile_for(devices.front(), lacks_);
    if (!profile_) lacks_ += "; setka calibrate would give it";
  } catch (const Error& error) {  // a broken file, or no place for one
    lacks_ = error.what();
  }
}

std::string GridModel::why_nothing(const model::GridCase& grid, std::int64_t count) const {
  if (count == 0) return "nothing was left to compute";
  if (std::string none = why_no_formula(grid); !none.empty()) return none;
  return lacks_;
}

GridPrediction GridModel::of_steps(const model::GridCase& grid, const std::vector<grid::HeatAxis>& axes,
                                   const plan::HeatFields& fields, grid::HeatScheme scheme,
                                   std::int64_t steps) const {
  return predicted(why_nothing(grid, steps), [&](GridPrediction& prediction) {
    const plan::Decision decision = plan::decide_heat(*profile_, axes, value_bytes(grid), grid.step, steps,
                                                      std::numeric_limits<std::uint64_t>::max(), fields);
    const std::optional<std::size_t> place = plan::choice_of(decision, scheme);
    SETKA_ASSERT(place);
    const plan::Choice& taken = decision.choices[*place];
    prediction.way =
        taken.name.substr(0, taken.name.find(','));  // steps that were made are stable as they are
    prediction.why = "as the case says; by the model " + decision.why;
    prediction.lacks = taken.lacks;
    prediction.cost = taken.cost;
  });
}

GridPrediction GridModel::of_sweeps(const model::GridCase& grid, const grid::StationaryHeat& heat,
                                    const std::optional<grid::PyramidLayout>& pyramid, std::uint64_t memory,
                                    std::int64_t sweeps) const {
  return predicted(why_nothing(grid, sweeps), [&](GridPrediction& prediction) {
    // A grid that fits comes from memory that is not pinned.
    const bool pinned = pyramid.has_value();
    const plan::Decision decision =
        plan::decide_stationary(*profile_, heat, value_bytes(grid), sweeps, memory, pinned);
    if (!pyramid) {
      prediction.way = decision.choices.front().name;
      prediction.why = decision.why;
      prediction.cost = decision.choices.front().cost;
      return;
    }
    plan::Choice taken = plan::pyramid_choice(*profile_, heat, value_bytes(grid), *pyramid, sweeps, pinned);
    prediction.way = std::move(taken.name);
    prediction.why = (grid.height || grid.planes ? "as the case says; by the model " : "") + decision.why;
    prediction.cost = std::move(taken.cost);
  });
}

GridPrediction GridModel::of_lines(const grid::Lines& lines, grid::Coefficients coefficients, bool periodic,
                                   int value_bytes) const {
  std::string lacks = lacks_;
  if (lines.count() * lines.rows == 0) lacks = "nothing was to be computed";
  if (coefficients == grid::Coefficients::shared)
    lacks = "the model has no formula for coefficients that lines share";
  return predicted(std::move(lacks), [&](GridPrediction& prediction) {
    const bool along = lines.row_stride == 1;
    const plan::SweepShape shape{lines.count(), lines.rows,
                                 along,         coefficients == grid::Coefficients::constant,
                                 periodic,      along ? lines.outer_stride : lines.row_stride};
    const plan::Decision decision = plan::decide_sweep(*profile_, shape, value_bytes);
    const plan::Choice& taken = decision.choices[plan::fused_fits(*profile_, shape, value_bytes) ? 0 : 1];
    prediction.way = taken.name;
    prediction.why = decision.why;
    prediction.lacks = taken.lacks;
    prediction.cost = taken.cost;
  });
}

}  // namespace setka::cases
