// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/plan/deck_memory.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include <fmt/core.h>

#include "setka/plan/deck_factors.hpp"

namespace setka::plan {
namespace {

constexpr double real = 8;   // bytes
constexpr double index = 4;  // bytes
constexpr double values_of_block = 9;
constexpr double term = 16;              // bytes of a multiple of an unknown in a constraint
constexpr double coarsest = 600;         // unknowns that multigrid solves directly
constexpr double blocks_of_lobpcg = 12;  // as modes/memory_need.hpp has them
constexpr double search_columns = 4;
constexpr double vectors_of_cg = 8;
constexpr double columns_of_lanczos = 3;

/// Arrays that are there together.
class Moment {
 public:
  explicit Moment(std::string name) : name_(std::move(name)) {}

  Moment& add(std::string array, double bytes, bool on_device = false) {
    if (bytes > 0) arrays_.push_back({std::move(array), bytes, on_device});
    return *this;
  }
  double bytes(bool on_device) const {
    double sum = 0;
    for (const ArrayBytes& one : arrays_) sum += one.on_device == on_device ? one.bytes : 0;
    return sum;
  }
  const std::string& name() const { return name_; }
  const std::vector<ArrayBytes>& arrays() const { return arrays_; }

 private:
  std::string name_;
  std::vector<ArrayBytes> arrays_;
};

double matrix_bytes(const StepCounts& step) {
  return step.entries * (real + index / values_of_block) + index * step.rows;
}

/// The upper triangle over the unknowns, as factorisations take it.
double triangle_bytes(const StepCounts& step) {
  return (step.entries + 3 * step.rows) / 2 * (real + index) + real * step.unknowns;
}

double multigrid_bytes(const DeckCounts& counts, const StepCounts& step) {
  const auto most = std::ranges::max_element(counts.kinds, {}, &ElementCounts::values);
  const std::string_view kind =
      most == counts.kinds.end() ? std::string_view() : std::string_view(most->kind);
  const auto known =
      std::ranges::find_if(factors::multigrid_memory,
                           [&](const factors::MultigridMemory& one) { return kind.starts_with(one.kind); });
  return known->over_matrix * matrix_bytes(step) + factors::multigrid_bytes;
}

/// What every moment of a step has.
Moment begun(const DeckCounts& counts, const StepCounts& step, const char* what) {
  const double dofs = 3 * counts.solid_nodes;
  const double copies = counts.picks ? 1 : 2;  // of users and of solids
  Moment moment(fmt::format("{} of step {}", what, step.number));
  moment.add("constraints", copies * ((2 * real) * dofs + (term + index) * step.unknowns))
      .add("numbers of unknowns", index * (step.unknowns + dofs + 3 * step.rows))
      .add("loads and displacements", 3 * real * dofs);
  return moment;
}

void add_statics(const DeckCounts& counts, const StepCounts& step, const DeckWay& way, bool on_gpu,
                 std::vector<Moment>& moments) {
  const bool factors_it = way.linear == LinearWay::factor;
  const bool by_gpu = on_gpu && !factors_it;
  if (!by_gpu) {
    moments.push_back(begun(counts, step, "the assembly"));
    moments.back()
        .add("matrix", matrix_bytes(step))
        .add("pattern by elements", (2 * index) * counts.element_nodes + 2 * real * counts.elements);
  }
  moments.push_back(begun(counts, step, factors_it ? "the factorisation" : "the solution"));
  Moment& solving = moments.back();
  solving.add("matrix", matrix_bytes(step), by_gpu);
  if (factors_it) {
    const double bytes = step.factor_flops >= factors::rough_from_flops ? index : real;
    const double factor = step.factor_entries * bytes;
    solving.add("upper triangle", triangle_bytes(step))
        .add("factor", factor)
        .add("supernodes and fronts", (factors::memory_over_factor - 1) * factor + factors::factor_bytes);
  } else {
    solving.add("multigrid", multigrid_bytes(counts, step), by_gpu)
        .add("vectors", vectors_of_cg * real * 3 * step.rows, by_gpu);
  }
}

void add_modes(const DeckCounts& counts, const StepCounts& step, const DeckWay& way, bool on_gpu,
               std::vector<Moment>& moments) {
  const bool by_gpu = on_gpu && way.modes == ModesWay::lobpcg;
  moments.push_back(begun(counts, step, way.modes == ModesWay::lanczos ? "the factorisation" : "the modes"));
  Moment& moment = moments.back();
  moment.add("matrices", 2 * matrix_bytes(step), by_gpu);
  switch (way.modes) {
    case ModesWay::dense:
      moment.add("dense matrices", 4 * real * step.unknowns * step.unknowns);
      break;
    case ModesWay::lanczos: {
      const double factor = real * step.factor_entries;
      const double room = std::max(2 * step.modes, step.modes + 24) + 2 * columns_of_lanczos;
      moment.add("upper triangles", 3 * triangle_bytes(step))
          .add("factor", factor)
          .add("a second one to count modes, and fronts",
               (factors::lanczos_memory_over_factor - 1) * factor + factors::factor_bytes)
          .add("basis", 2 * room * real * step.unknowns);
      break;
    }
    case ModesWay::lobpcg:
      moment
          .add("multigrid", multigrid_bytes(counts, step) + factors::more_of_modes * matrix_bytes(step),
               by_gpu)
          .add("blocks of vectors", blocks_of_lobpcg * (step.columns + search_columns) * real * 3 * step.rows,
               by_gpu);
      break;
  }
  moments.push_back(begun(counts, step, "the shapes"));
  moments.back().add("shapes", step.modes * real * (step.unknowns + 3 * counts.solid_nodes));
}

/// Text of .frd and .dat, and .vtu, a number.
constexpr double bytes_of_number = 22;
constexpr double components_of_stress = 6;

double disk_of(const DeckCounts& counts) {
  double numbers = 4 * counts.nodes + 1.5 * counts.element_nodes;
  for (const StepCounts& step : counts.steps) {
    const double components = 3 + (step.stresses ? components_of_stress : 0);
    if (step.kind != StepKind::other) numbers += step.frames * counts.result_nodes * components;
  }
  return bytes_of_number * numbers;
}

}  // namespace

MemoryPlan memory_of(const DeckCounts& counts, const DeckWay& way, bool on_gpu, std::uint64_t resident) {
  std::vector<Moment> moments;
  for (const StepCounts& step : counts.steps) {
    if (step.kind == StepKind::statics) add_statics(counts, step, way, on_gpu, moments);
    if (step.kind == StepKind::modes) add_modes(counts, step, way, on_gpu, moments);
    if (step.kind == StepKind::other) continue;
    const double fields = 3 + (step.stresses ? 3 * components_of_stress : 0);
    moments.push_back(begun(counts, step, "the results"));
    moments.back()
        .add("results at nodes", 2 * fields * real * counts.result_nodes)
        .add("results at points", step.stresses ? components_of_stress * real * counts.points : 0);
  }
  MemoryPlan plan;
  plan.host_peak = resident;
  plan.disk = static_cast<std::uint64_t>(disk_of(counts));
  const Moment* most = nullptr;
  for (const Moment& moment : moments) {
    if (most == nullptr || moment.bytes(false) > most->bytes(false)) most = &moment;
    plan.device_peak = std::max(plan.device_peak, static_cast<std::uint64_t>(moment.bytes(true)));
  }
  if (most == nullptr) return plan;
  plan.host_peak += static_cast<std::uint64_t>(most->bytes(false));
  plan.moment = most->name();
  plan.arrays = most->arrays();
  for (const Moment& moment : moments) {
    if (&moment == most || static_cast<std::uint64_t>(moment.bytes(true)) != plan.device_peak) continue;
    for (const ArrayBytes& array : moment.arrays()) {
      if (array.on_device) plan.arrays.push_back(array);
    }
  }
  return plan;
}

}  // namespace setka::plan
