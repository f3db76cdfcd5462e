// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// The table of stages: what each takes, in one place for predictions and calibrations.
#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "setka/plan/deck_factors.hpp"
#include "setka/plan/deck_formulas.hpp"

namespace setka::plan {
namespace {

/// Collects stages; kinds of elements share a size by the values of their matrices.
class Stages {
 public:
  explicit Stages(const DeckCounts& counts) : counts_(counts), values_(counts.element_values()) {}

  void add(const char* stage, const char* curve, double size, double times = 1,
           double spread = factors::stage_spread) {
    if (size > 0 && times > 0) made_.push_back({stage, curve, size, times, spread});
  }

  void add_by_kind(const char* stage, const char* curve, double size, double times = 1,
                   double spread = factors::stage_spread) {
    if (!(size > 0 && times > 0)) return;
    for (const ElementCounts& kind : counts_.kinds) {
      const double share = kind.values / values_;
      made_.push_back({stage, std::string(curve) + " " + kind.kind, size, share * times, spread});
    }
  }

  std::vector<StageWork> take() { return std::move(made_); }

 private:
  const DeckCounts& counts_;
  double values_;
  std::vector<StageWork> made_;
};

double factor_spread(const StepCounts& step) {
  return step.factor_is_exact ? factors::factor_spread : factors::estimated_factor_spread;
}

void add_static(Stages& stages, const DeckCounts& counts, const StepCounts& step, const DeckWay& way,
                const Iterations& iterations) {
  const bool factors = way.linear == LinearWay::factor;
  stages.add_by_kind("constraints", "deck constraints", counts.solid_nodes);
  stages.add_by_kind("between", "deck between", counts.solid_nodes);
  stages.add_by_kind("pattern", "deck pattern", step.pairs);
  stages.add_by_kind("assemble", factors ? "deck assemble" : "deck assemble of cg", counts.element_values());
  if (factors) {
    const bool roughly = step.factor_flops >= factors::rough_from_flops;
    stages.add("factorise", roughly ? "deck factorise roughly" : "deck factorise", step.factor_flops, 1,
               factor_spread(step));
    stages.add("solve", "deck solve by factor", step.factor_entries, 1, factor_spread(step));
  } else {
    stages.add_by_kind("set up", "deck set up", step.entries);
    stages.add_by_kind("solve", "deck cg", step.entries, iterations.middle, iterations.spread);
  }
  stages.add_by_kind("recover", step.stresses ? "deck recover" : "deck recover u", counts.element_values());
  stages.add_by_kind("write", step.stresses ? "deck write" : "deck write u", counts.result_nodes,
                     step.frames);
}

void add_modes(Stages& stages, const DeckCounts& counts, const StepCounts& step, const DeckWay& way,
               const Iterations& iterations) {
  stages.add_by_kind("constraints", "deck constraints of modes", counts.solid_nodes);
  stages.add_by_kind("between", "deck between of modes", counts.solid_nodes);
  stages.add_by_kind("pattern", "deck pattern", step.pairs, 2);
  stages.add_by_kind("assemble", "deck assemble of modes", counts.element_values());
  switch (way.modes) {
    case ModesWay::dense:
      stages.add("solve", "deck dense", std::pow(step.unknowns, 3));
      break;
    case ModesWay::lanczos:
      stages.add("factorise", "deck factorise of modes", step.factor_flops, 1, factor_spread(step));
      stages.add("solve", "deck lanczos", step.factor_entries, iterations.middle, iterations.spread);
      // Modes are counted by the signs of another factor.
      stages.add("solve", "deck factorise of modes", step.factor_flops, 1, factor_spread(step));
      break;
    case ModesWay::lobpcg:
      stages.add_by_kind("set up", "deck set up of modes", step.entries);
      stages.add_by_kind("solve", "deck lobpcg", step.entries * (step.columns + factors::columns_of_matrix),
                         iterations.middle, iterations.spread);
      break;
  }
  stages.add_by_kind("recover", "deck shapes", counts.solid_nodes * step.modes);
  if (step.stresses) stages.add_by_kind("recover", "deck recover", counts.element_values(), step.modes);
  if (step.stresses) {
    stages.add_by_kind("write", "deck write", counts.result_nodes, step.frames);
  } else {
    stages.add_by_kind("write", "deck write of modes", counts.result_nodes * step.frames);
  }
}

const ElementCounts* most_of(const DeckCounts& counts) {
  const auto found = std::ranges::max_element(counts.kinds, {}, &ElementCounts::values);
  return found == counts.kinds.end() ? nullptr : &*found;
}

std::string_view kind_of(const DeckCounts& counts) {
  const ElementCounts* const kind = most_of(counts);
  return kind == nullptr ? std::string_view() : std::string_view(kind->kind);
}

/// Nodes of an element where no border is near, over those that the mesh has: 1 within a large body, more
/// where few elements lie across it.
double thinness(const DeckCounts& counts) {
  const std::string_view kind = kind_of(counts);
  const auto inner = std::ranges::find_if(
      factors::inner_nodes, [&](const factors::InnerNodes& one) { return kind.starts_with(one.kind); });
  return std::max(1.0, counts.nodes / std::max(counts.elements, 1.0) / inner->nodes);
}

Iterations by(std::span<const factors::IterationModel> models, const DeckCounts& counts) {
  const std::string_view kind = kind_of(counts);
  const auto model = std::ranges::find_if(models, [&](const factors::IterationModel& one) {
    return kind.find(one.kind) != std::string_view::npos;
  });
  const double middle = model->first * std::pow(counts.aspect, model->of_aspect) *
                        std::pow(thinness(counts), model->of_thinness);
  return {std::max(1.0, middle), model->spread};
}

}  // namespace

std::string_view name(LinearWay way) {
  return way == LinearWay::factor ? "Cholesky" : "CG with multigrid";
}

std::string_view name(ModesWay way) {
  switch (way) {
    case ModesWay::dense:
      return "dense";
    case ModesWay::lanczos:
      return "Lanczos";
    default:
      return "LOBPCG with multigrid";
  }
}

std::string name(const DeckWay& way, const DeckCounts& counts) {
  const auto has = [&](StepKind kind) {
    return std::ranges::any_of(counts.steps, [&](const StepCounts& step) { return step.kind == kind; });
  };
  std::string text;
  if (has(StepKind::statics)) text = name(way.linear);
  if (has(StepKind::modes)) text += (text.empty() ? "" : ", ") + std::string(name(way.modes));
  return text;
}

Iterations iterations_of(const DeckWay& way, const DeckCounts& counts, const StepCounts& step) {
  if (step.kind == StepKind::statics && way.linear == LinearWay::cg) return by(factors::cg_multigrid, counts);
  if (step.kind == StepKind::modes && way.modes == ModesWay::lobpcg)
    return by(factors::lobpcg_multigrid, counts);
  if (step.kind == StepKind::modes && way.modes == ModesWay::lanczos)
    return {factors::lanczos_first_steps + factors::lanczos_steps_a_mode * step.modes,
            factors::lanczos_spread};
  return {};
}

std::vector<StageWork> stages_of(const DeckCounts& counts, const DeckWay& way,
                                 const IterationsOf& iterations) {
  Stages stages(counts);
  stages.add("start", "deck start", 1);
  stages.add("read", "deck read", counts.bytes);
  stages.add_by_kind("check", "deck check", counts.element_values());
  const StepCounts* largest = nullptr;
  for (const StepCounts& step : counts.steps) {
    if (largest == nullptr || step.pairs > largest->pairs) largest = &step;
  }
  if (largest != nullptr)
    stages.add_by_kind("count", largest->factor_is_exact ? "deck count" : "deck count of large",
                       largest->pairs);
  for (const StepCounts& step : counts.steps) {
    if (step.kind == StepKind::statics) add_static(stages, counts, step, way, iterations(step));
    if (step.kind == StepKind::modes) add_modes(stages, counts, step, way, iterations(step));
  }
  stages.add_by_kind("write mesh", "deck write mesh", counts.nodes);
  stages.add("other", "deck other", counts.nodes);
  return stages.take();
}

}  // namespace setka::plan
