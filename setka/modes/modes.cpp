// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/modes/modes.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include <fmt/core.h>

#include "setka/base/error.hpp"
#include "setka/exec/device.hpp"
#include "setka/exec/parallel.hpp"

namespace setka::modes {
namespace {

constexpr std::int64_t rows_of_piece = 4096;  // that a thread takes at a time

}  // namespace

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
  require(request.tolerance > 0 && request.max_iterations > 0,
          "modes: the tolerance and the number of iterations have to be positive");
}

double zero_level(double stiffness_of_noise, double mass_of_noise, double tolerance) {
  return mass_of_noise > 0 ? 4e-15 / tolerance * stiffness_of_noise / mass_of_noise : 0.0;
}

double rounding_of_zero(double stiffness_of_noise, double mass_of_noise) {
  return mass_of_noise > 0 ? 1e-12 * stiffness_of_noise / mass_of_noise : 0.0;
}

std::int64_t motions_without_stiffness(const Modes& modes) {
  return std::count_if(modes.lambda.begin(), modes.lambda.end(),
                       [&](double lambda) { return std::abs(lambda) <= modes.zero; });
}

int threads_of(int wanted) {
  return exec::Device::cpu(wanted).threads();
}

void fix_signs(Modes& modes, int threads) {
  const std::size_t count = modes.lambda.size();
  if (count == 0) return;
  const auto rows = static_cast<std::int64_t>(modes.shape.size() / count);
  const std::int64_t pieces = (rows + rows_of_piece - 1) / rows_of_piece;
  const int team = threads_of(threads);
  const auto each_piece = [&](const auto& visit) {  // visit(piece, row, j, value)
    exec::host::for_each(team, pieces, 1, [&](std::int64_t piece) {
      const std::int64_t end = std::min(rows, (piece + 1) * rows_of_piece);
      for (std::int64_t i = piece * rows_of_piece; i < end; ++i) {
        double* const row = modes.shape.data() + static_cast<std::size_t>(i) * count;
        for (std::size_t j = 0; j < count; ++j) visit(static_cast<std::size_t>(piece), j, row[j]);
      }
    });
  };
  std::vector<double> of_pieces(static_cast<std::size_t>(pieces) * count, 0.0);
  each_piece([&](std::size_t piece, std::size_t j, double value) {
    double& largest = of_pieces[piece * count + j];
    largest = std::max(largest, std::abs(value));
  });
  std::vector<double> least(count, 0.0);  // of what counts as the largest
  for (std::size_t k = 0; k < of_pieces.size(); ++k)
    least[k % count] = std::max(least[k % count], of_pieces[k]);
  for (double& value : least) value *= 1 - 1e-6;
  std::fill(of_pieces.begin(), of_pieces.end(), 0.0);
  each_piece([&](std::size_t piece, std::size_t j, double value) {
    double& sign = of_pieces[piece * count + j];
    if (sign == 0 && std::abs(value) >= least[j]) sign = value < 0 ? -1.0 : 1.0;
  });
  std::vector<double> sign(count, 0.0);
  for (std::size_t k = 0; k < of_pieces.size(); ++k) {
    if (sign[k % count] == 0) sign[k % count] = of_pieces[k];
  }
  if (std::find(sign.begin(), sign.end(), -1.0) == sign.end()) return;
  each_piece([&](std::size_t, std::size_t j, double& value) { value *= sign[j]; });
}

void keep_requested(const Request& request, Modes& modes, int threads) {
  std::vector<std::size_t> kept;
  for (std::size_t j = 0; j < modes.lambda.size(); ++j) {
    if (request.count > 0 && static_cast<std::int64_t>(j) >= request.count) break;
    if (modes.lambda[j] >= request.lower && modes.lambda[j] <= request.upper) kept.push_back(j);
  }
  const std::size_t before = modes.lambda.size();
  if (kept.size() == before) return;
  const std::vector<double> shape = std::move(modes.shape);
  const std::vector<double> lambda = std::move(modes.lambda);
  const std::vector<double> residual = std::move(modes.residual);
  modes.lambda.clear();
  modes.residual.clear();
  for (const std::size_t j : kept) {
    modes.lambda.push_back(lambda[j]);
    modes.residual.push_back(residual[j]);
  }
  modes.shape.assign(static_cast<std::size_t>(modes.rows) * kept.size(), 0.0);
  exec::host::for_each(threads_of(threads), modes.rows, exec::host::serial_below, [&](std::int64_t row) {
    const auto i = static_cast<std::size_t>(row);
    for (std::size_t j = 0; j < kept.size(); ++j)
      modes.shape[i * kept.size() + j] = shape[i * before + kept[j]];
  });
}

}  // namespace setka::modes
