// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// How solvers come by Schwarz's method: words, parts, and what is refused.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include <fmt/core.h>

#include "setka/base/error.hpp"
#include "setka/base/log.hpp"
#include "setka/domains/local_solver.hpp"
#include "setka/domains/matrix_parts.hpp"
#include "setka/domains/schwarz.hpp"

namespace setka::domains {
namespace {

/// Of a part, where the user names no number of parts: small enough that a factor stays in the cache of a
/// core, large enough that the coarse space stays small.
constexpr std::int64_t unknowns_of_part = 4000;

struct MethodWord {
  std::string_view word;
  SchwarzMethod method;
};

constexpr std::array methods{MethodWord{"additive", SchwarzMethod::additive},
                             MethodWord{"restricted", SchwarzMethod::restricted},
                             MethodWord{"multiplicative", SchwarzMethod::multiplicative}};

std::string_view word_of(SchwarzMethod method) {
  return std::ranges::find_if(methods, [&](const MethodWord& one) { return one.method == method; })->word;
}

/// Whether blocks (i, j) and (j, i) are each other's transposes, as far as rounding lets them.
bool is_symmetric(const sparse::BlockCsr<double>& a) {
  const sparse::BlockCsrView<double> view = a.view();
  const int n = a.height();
  const auto at = [&](std::int32_t i, std::int32_t k, int r, int c) {
    const std::int64_t width = std::int64_t{n} * (view.offset[i + 1] - view.offset[i]);
    return view
        .value[std::int64_t{n} * n * view.offset[i] + r * width + std::int64_t{n} * (k - view.offset[i]) + c];
  };
  double scale = 0;
  for (const double value : a.value().host()) scale = std::max(scale, std::abs(value));
  for (std::int32_t i = 0; i < a.rows(); ++i) {
    for (std::int32_t k = view.offset[i]; k < view.offset[i + 1]; ++k) {
      const std::int32_t j = view.column[k];
      const std::int32_t* const end = view.column + view.offset[j + 1];
      const std::int32_t* const mirrored = std::lower_bound(view.column + view.offset[j], end, i);
      if (mirrored == end || *mirrored != i) return false;
      const auto l = static_cast<std::int32_t>(mirrored - view.column);
      for (int r = 0; r < n; ++r) {
        for (int c = 0; c < n; ++c) {
          if (std::abs(at(i, k, r, c) - at(j, l, c, r)) > 1e-12 * scale) return false;
        }
      }
    }
  }
  return true;
}

/// The components by themselves, where nobody knows better.
solve::AmgGeometry constants(std::int32_t rows, int block) {
  const auto n = static_cast<std::size_t>(block);
  std::vector<double> mode(static_cast<std::size_t>(rows) * n * n, 0.0);
  for (std::size_t i = 0; i < mode.size() / n; ++i) mode[i * n + i % n] = 1;
  solve::AmgGeometry made;
  made.modes = block;
  made.mode = std::move(mode);
  return made;
}

std::unique_ptr<solve::Operator> make(const SchwarzOptions& options, const solve::PreconditionerInput& input,
                                      Monitor& monitor) {
  require(input.matrix != nullptr, "schwarz: a matrix is needed");
  const exec::Device& device = input.matrix->device();
  if (options.method == SchwarzMethod::restricted && input.kind != solve::MatrixKind::general) {
    throw Error(Fault::usage, "the restricted method of Schwarz is not symmetric, and only gmres takes that",
                "use the solver gmres, or the additive or multiplicative method");
  }
  const exec::Device cpu = device.is_cuda() ? exec::Device::cpu() : device;
  std::optional<sparse::BlockCsr<double>> moved;
  if (device.is_cuda()) moved = input.matrix->to(cpu);
  const sparse::BlockCsr<double>& a = moved ? *moved : *input.matrix;
  if (input.kind == solve::MatrixKind::general && !is_symmetric(a)) {
    throw Error(Fault::usage, "the method of Schwarz is for symmetric matrices, and this one is not",
                "give another preconditioner, as jacobi");
  }
  solve::AmgGeometry geometry = input.geometry ? input.geometry() : constants(a.rows(), a.height());
  const auto fitting = (a.scalar_rows() + unknowns_of_part - 1) / unknowns_of_part;
  const int parts = options.parts > 0 ? options.parts : static_cast<int>(std::max<std::int64_t>(1, fitting));
  std::optional<Stage> stage(monitor.stage("partition"));
  const Partition rows = partition(matrix_graph(a, geometry.coordinates, cpu.threads()), parts);
  stage.reset();
  auto made = std::make_unique<Schwarz>(device, a, rows, geometry, options, monitor);
  log::debug("Schwarz: {} parts by {}, {} coarse unknowns", parts, rows.method, made->coarse_size());
  return made;
}

}  // namespace

SchwarzMethod schwarz_method_of(std::string_view word) {
  for (const MethodWord& one : methods) {
    if (one.word == word) return one.method;
  }
  throw Error(Fault::usage, fmt::format("'{}' is no method of Schwarz", word),
              "give additive, restricted or multiplicative");
}

solve::PreconditionerKind schwarz(const SchwarzOptions& options) {
  if (options.parts < 0)
    throw Error(Fault::usage, fmt::format("{} parts are none", options.parts), "give a number from 1 on");
  if (options.overlap < 0) {
    throw Error(Fault::usage, fmt::format("an overlap of {} layers is none", options.overlap),
                "give a number from 0 on");
  }
  require_local_solver(options.local);
  if (options.method == SchwarzMethod::multiplicative && options.local == "fsai") {
    throw Error(
        Fault::usage,
        "a multiplicative sweep needs solutions of parts that overshoot by less than half, and fsai may "
        "not have them",
        "solve parts by cholesky, amg or chebyshev, or use the additive method");
  }
  const std::string parts = options.parts > 0 ? fmt::format(" of {} parts", options.parts) : std::string();
  return {"schwarz",
          fmt::format("{} Schwarz{}", word_of(options.method), parts),
          false,
          false,
          true,
          false,
          !options.coarse,
          0,
          [options](const solve::PreconditionerInput& input, Monitor& monitor) {
            return make(options, input, monitor);
          }};
}

}  // namespace setka::domains
