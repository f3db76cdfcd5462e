// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/analysis/found_modes.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <string_view>

#include <fmt/core.h>

#include "setka/base/error.hpp"

namespace setka::analysis {
namespace {

std::string_view name_of(const model::FrequencyStep& procedure) {
  return procedure.of_temperature ? "*HEAT TRANSFER, FREQUENCY" : "*FREQUENCY";
}

}  // namespace

modes::Request requested_modes(const model::FrequencyStep& procedure, const Computing& computing) {
  modes::Request request;
  request.tolerance = computing.mode_tolerance.value_or(0);  // what suits the method
  request.max_iterations = computing.mode_iterations.value_or(request.max_iterations);
  request.count = procedure.modes;
  if (procedure.modes == 0) request.upper = std::pow(2 * std::numbers::pi * procedure.most_frequency, 2);
  return request;
}

void require_unknowns(const Setup& setup, const model::FrequencyStep& procedure, std::int32_t unknowns) {
  if (procedure.modes <= unknowns) return;
  throw Error(Fault::input,
              fmt::format("{} asks for {} modes, but the model has {} unknown{}", name_of(procedure),
                          procedure.modes, unknowns, unknowns == 1 ? "" : "s"),
              "ask for fewer modes", setup.model->source(procedure.line));
}

void refuse_fewer_modes(const Setup& setup, const model::FrequencyStep& procedure,
                        const modes::Modes& found) {
  if (found.lambda.empty() && !found.converged) {
    throw Error(Fault::input, fmt::format("no modes are found: {}", found.trouble),
                "look for unknowns that nothing holds, and for materials without density");
  }
  if (found.converged && found.count() < procedure.modes) {
    throw Error(Fault::input,
                fmt::format("{} asks for {} modes, but the mass of the model allows {} only",
                            name_of(procedure), procedure.modes, found.count()),
                "ask for fewer modes", setup.model->source(procedure.line));
  }
}

model::ModeTable table_of_modes(const modes::Modes& found, int step) {
  model::ModeTable table;
  table.step = step;
  table.method = found.method;
  table.iterations = found.iterations;
  table.check = found.check_text;
  table.converged = found.converged;
  table.trouble = found.trouble;
  table.modes.resize(found.lambda.size());
  for (std::size_t j = 0; j < table.modes.size(); ++j) {
    model::Mode& mode = table.modes[j];
    mode.number = static_cast<int>(j) + 1;
    mode.eigenvalue = found.lambda[j];
    mode.residual = found.residual[j];
  }
  return table;
}

void fix_sign(std::vector<double>& shape, std::array<double, 6>& participation) {
  const auto largest = std::ranges::max_element(shape, {}, [](double value) { return std::abs(value); });
  if (largest == shape.end() || *largest >= 0) return;
  for (double& value : shape) value = value == 0 ? 0.0 : -value;
  for (double& factor : participation) factor = -factor;
}

bool in_range(const model::FrequencyStep& procedure, const model::Mode& mode) {
  const double frequency = mode.frequency();
  return (procedure.least_frequency <= 0 || frequency >= procedure.least_frequency) &&
         frequency <= procedure.most_frequency;
}

}  // namespace setka::analysis
