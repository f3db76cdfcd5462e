// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/modes/modes.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include <fmt/core.h>

#include "setka/base/error.hpp"

namespace setka::modes {

void check_request(const Request& request, std::int64_t rows) {
  require(request.count >= 0 && request.count <= rows, [&] {
    return fmt::format("modes: {} modes were asked for; a problem of {} unknowns has at most as many",
                       request.count, rows);
  });
  require(request.count > 0 || std::isfinite(request.upper),
          "modes: neither a count nor an upper limit was given");
  require(request.lower < request.upper, [&] {
    return fmt::format("modes: the range from {} to {} is empty", request.lower, request.upper);
  });
  require(request.tolerance > 0 && request.most_iterations > 0,
          "modes: the tolerance and the number of iterations have to be positive");
}

double zero_level(double stiffness_of_noise, double mass_of_noise, double tolerance) {
  return mass_of_noise > 0 ? 4e-15 / tolerance * stiffness_of_noise / mass_of_noise : 0.0;
}

void fix_signs(Modes& modes) {
  const std::size_t count = modes.lambda.size();
  std::vector<double> largest(count, 0.0);
  for (std::size_t k = 0; k < modes.shape.size(); ++k) {
    largest[k % count] = std::max(largest[k % count], std::abs(modes.shape[k]));
  }
  std::vector<double> sign(count, 0.0);
  for (std::size_t k = 0; k < modes.shape.size(); ++k) {
    const std::size_t j = k % count;
    if (sign[j] == 0 && std::abs(modes.shape[k]) >= (1 - 1e-6) * largest[j]) {
      sign[j] = modes.shape[k] < 0 ? -1.0 : 1.0;
    }
  }
  for (std::size_t k = 0; k < modes.shape.size(); ++k) modes.shape[k] *= sign[k % count];
}

void keep_requested(const Request& request, Modes& modes) {
  std::vector<std::size_t> kept;
  for (std::size_t j = 0; j < modes.lambda.size(); ++j) {
    if (request.count > 0 && static_cast<std::int64_t>(j) >= request.count) break;
    if (modes.lambda[j] >= request.lower && modes.lambda[j] <= request.upper) kept.push_back(j);
  }
  const std::size_t before = modes.lambda.size();
  if (kept.size() == before) return;
  Modes all = std::move(modes);
  modes = all;
  modes.lambda.clear();
  modes.residual.clear();
  modes.shape.clear();
  for (const std::size_t j : kept) {
    modes.lambda.push_back(all.lambda[j]);
    modes.residual.push_back(all.residual[j]);
  }
  for (std::size_t i = 0; i < static_cast<std::size_t>(all.rows); ++i) {
    for (const std::size_t j : kept) modes.shape.push_back(all.shape[i * before + j]);
  }
}

}  // namespace setka::modes
