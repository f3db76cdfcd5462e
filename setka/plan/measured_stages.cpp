// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/plan/measured_stages.hpp"

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>

namespace setka::plan {
namespace {

struct Named {
  std::string_view name;   // of a Stage of the monitor
  std::string_view stage;  // of the formulas
};
constexpr Named named[] = {
    {"read", "read"},
    {"start the device", "start"},
    {"check the deck", "check"},
    {"check the elements", "check"},
    {"solids", "check"},
    {"plan", "count"},
    {"write the mesh", "write mesh"},
    {"constraints", "constraints"},
    {"loads", "constraints"},
    {"number the unknowns", "constraints"},
    {"free motions", "constraints"},
    {"right-hand side", "constraints"},
    {"find the matrix pattern", "pattern"},
    {"assemble", "assemble"},
    {"elements to the device", "assemble"},
    {"element matrices", "assemble"},
    {"factorise", "factorise"},
    {"factorisation", "factorise"},
    {"set up", "set up"},
    {"multigrid", "set up"},
    {"preconditioner", "set up"},
    {"solve", "solve"},
    {"LOBPCG", "solve"},
    {"Lanczos", "solve"},
    {"subspace iteration", "solve"},
    {"dense eigenvalues", "solve"},
    {"displacements", "recover"},
    {"stresses", "recover"},
    {"largest values", "recover"},
    {"release", "recover"},
    {"shapes of modes", "recover"},
    {"write", "write"},
    {"complete the files", "write"},
};

void add(std::vector<MeasuredStage>& stages, std::string_view stage, double seconds) {
  const auto known = std::ranges::find(stages, stage, &MeasuredStage::stage);
  if (known == stages.end()) {
    stages.push_back({std::string(stage), seconds});
  } else {
    known->seconds += seconds;
  }
}

void walk(const StageTime& node, std::string_view about, std::vector<MeasuredStage>& stages) {
  const auto* const own = std::ranges::find(named, std::string_view(node.name), &Named::name);
  // What a step does between its stages; the steps have numbers.
  const bool is_step = node.name.starts_with("step");
  const std::string_view stage = own != std::end(named) ? own->stage : is_step ? "between" : about;
  double rest = node.seconds;
  for (const StageTime& part : node.parts) {
    rest -= part.seconds;
    walk(part, stage, stages);
  }
  add(stages, stage, rest);
}

}  // namespace

std::vector<MeasuredStage> measured_stages(const StageTime& run) {
  std::vector<MeasuredStage> stages;
  walk(run, "other", stages);
  return stages;
}

}  // namespace setka::plan
