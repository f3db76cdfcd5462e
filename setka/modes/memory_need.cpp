// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/modes/memory_need.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "setka/base/text.hpp"
#include "setka/modes/lobpcg.hpp"

namespace setka::modes {
namespace {

/// Bytes of the hierarchy over those of K, at the worst moment of its set-up: the finest level in single
/// precision, prolongation and restriction in both precisions, and A P.
constexpr double multigrid_over_matrix = 3;

/// Bytes of the factors of an approximate inverse over those of K, while they are made: two triangles of its
/// pattern in double precision and in single.
constexpr double factors_over_matrix = 1.5;

/// Of an entry of the coarsest level's inverse, in both precisions.
constexpr double bytes_of_inverse = 12;

/// Of the vectors of all levels over those of the finest: the coarse ones, seven instead of four where a
/// level is visited several times, have about an eighth of its unknowns.
constexpr double levels_over_finest = 1.3;

/// Blocks of [rows, columns] that are there at a time: those of LobpcgSpace, and of block conjugate
/// gradients.
constexpr int blocks_of_lobpcg = 12;
constexpr int blocks_of_cg = 6;

std::uint64_t bytes_of_multigrid(const sparse::BlockCsr<double>& k, double columns) {
  const auto rows = static_cast<double>(k.scalar_rows());
  const double coarsest = std::min<double>(rows, solve::AmgOptions().max_coarse_size);
  return static_cast<std::uint64_t>(multigrid_over_matrix * static_cast<double>(k.bytes()) +
                                    bytes_of_inverse * coarsest * coarsest +
                                    4 * sizeof(float) * levels_over_finest * rows * columns);
}

std::uint64_t bytes_of_preconditioner(const EigenSystem& system, const solve::PreconditionerKind& kind,
                                      double columns) {
  if (kind.word == "amg") return bytes_of_multigrid(*system.stiffness.assembled, columns);
  const auto rows = static_cast<double>(system.stiffness.rows());
  if (kind.word == "fsai")
    return static_cast<std::uint64_t>(factors_over_matrix *
                                          static_cast<double>(system.stiffness.assembled->bytes()) +
                                      2 * sizeof(float) * rows * columns);
  const double diagonals = 2 * 3;  // blocks of K and of M
  return static_cast<std::uint64_t>(sizeof(double) * rows * (kind.scratch * columns + diagonals));
}

}  // namespace

MemoryNeed memory_need(const EigenSystem& system, const Request& request, const Iteration& iteration,
                       const exec::Device& device) {
  const auto rows = static_cast<double>(system.stiffness.rows());
  const auto columns = static_cast<double>(columns_of_pass(request));
  const LobpcgOptions options;
  MemoryNeed need;
  if (system.assembled()) {
    const sparse::BlockCsr<double>& k = *system.stiffness.assembled;
    need.matrices = k.bytes();  // K + alpha M, which free bodies and second attempts take
    if (!(k.device() == device)) need.matrices += k.bytes() + system.mass.assembled->bytes();
  }
  need.preconditioner = bytes_of_preconditioner(system, iteration.preconditioner, columns);
  const double earlier = static_cast<double>(std::max<std::int64_t>(0, request.count - max_modes_of_pass));
  const double motions = 12;  // rigid ones with their products, of the geometry and apart from it
  need.blocks = static_cast<std::uint64_t>(
      sizeof(double) * rows *
      (blocks_of_lobpcg * (columns + static_cast<double>(options.search_columns)) +
       (iteration.by_subspace ? blocks_of_cg * columns : 0) + 2 * earlier + motions));
  return need;
}

std::string lack_of_memory(const MemoryNeed& need, std::int64_t unknowns, const exec::Device& device) {
  const exec::DeviceInfo info = device.info();
  if (need.total() <= info.free_memory) return {};
  return fmt::format(
      "the modes of {} unknowns need about {} on {} ({} for matrices, {} for the preconditioner, {} for "
      "vectors), but "
      "{} of {} are free",
      unknowns, format_bytes(need.total()), device.label(), format_bytes(need.matrices),
      format_bytes(need.preconditioner), format_bytes(need.blocks), format_bytes(info.free_memory),
      format_bytes(info.total_memory));
}

}  // namespace setka::modes
