// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/solve/matrix_system.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>

#include <fmt/core.h>

#include "setka/base/error.hpp"
#include "setka/base/system.hpp"
#include "setka/base/text.hpp"
#include "setka/exec/parallel.hpp"
#include "setka/sparse/block_shapes.hpp"
#include "setka/sparse/blocked.hpp"

namespace setka::solve {
namespace {

/// The matrix in blocks, or a word on why there is no room for it.
sparse::BlockCsr<double> in_blocks(const exec::Device& cpu, const sparse::Csr& matrix, int block,
                                   std::uint64_t memory) {
  if (!sparse::is_known_block_size(block)) sparse::refuse_block_size("MatrixSystem", block);
  const std::int64_t blocks = sparse::count_blocks(matrix, block, cpu.threads());
  if (blocks > INT32_MAX) {
    throw Error(Fault::resource, fmt::format("the matrix has {} blocks", blocks),
                fmt::format("setka counts up to {}", INT32_MAX));
  }
  // The blocks, and at least the same again for their copy on the device or the factor.
  const std::uint64_t bytes =
      2 * static_cast<std::uint64_t>(blocks) * (8 * static_cast<std::uint64_t>(block * block) + 4);
  const std::uint64_t room = memory > 0 ? memory : host_memory().available;
  if (bytes > room) {
    throw Error(Fault::resource,
                fmt::format("solving takes {} and more, and {} of memory are free", format_bytes(bytes),
                            format_bytes(room)),
                "use a machine with more memory");
  }
  return sparse::blocked(cpu, matrix, block);
}

double largest_of(const double* values, std::int64_t size) {
  double largest = 0;
  for (std::int64_t i = 0; i < size; ++i) largest = std::max(largest, std::abs(values[i]));
  return largest;
}

/// The power of two below a value.
int exponent_of(double value) {
  return value > 0 ? std::ilogb(value) : 0;
}

void scale(double* values, std::int64_t size, int exponent) {
  if (exponent == 0) return;
  for (std::int64_t i = 0; i < size; ++i) values[i] = std::ldexp(values[i], exponent);
}

/// Whether rows couple to others.
std::vector<bool> coupled_rows(const sparse::BlockCsr<double>& matrix) {
  const sparse::BlockCsrView<double> a = matrix.view();
  const int size = matrix.height();
  std::vector<bool> coupled(static_cast<std::size_t>(matrix.scalar_rows()), false);
  for (std::int64_t b = 0; b < a.rows; ++b) {
    const std::int32_t begin = a.offset[b];
    const std::int64_t width = std::int64_t{a.offset[b + 1] - begin} * size;
    for (int r = 0; r < size; ++r) {
      const double* const values = a.value + std::int64_t{begin} * size * size + r * width;
      const std::int64_t i = b * size + r;
      for (std::int64_t k = 0; k < width && !coupled[static_cast<std::size_t>(i)]; ++k) {
        const std::int64_t j = std::int64_t{a.column[begin + k / size]} * size + k % size;
        if (j != i && values[k] != 0) coupled[static_cast<std::size_t>(i)] = true;
      }
    }
  }
  return coupled;
}

/// The middle of the coordinates, and the larger half of the box around them.
struct Box {
  std::array<double, 3> middle{};
  double size = 1;
  bool flat = true;  // all z are the same
};

Box box_of(const std::vector<double>& coordinates) {
  Box box;
  double half = 0;
  for (std::size_t d = 0; d < 3; ++d) {
    double low = std::numeric_limits<double>::infinity();
    double high = -low;
    for (std::size_t i = d; i < coordinates.size(); i += 3) {
      low = std::min(low, coordinates[i]);
      high = std::max(high, coordinates[i]);
    }
    box.middle[d] = low / 2 + high / 2;
    half = std::max(half, high / 2 - low / 2);
    if (d == 2) box.flat = high <= low;
  }
  if (half > 0) box.size = half;
  return box;
}

/// What matrices of such blocks nearly annihilate, unknown by unknown; lengths in units of the box.
class Motions {
 public:
  Motions(int block, const std::vector<double>& coordinates)
      : block_(static_cast<std::size_t>(block)), coordinates_(coordinates), box_(box_of(coordinates)) {
    if (coordinates.empty()) return;
    in_plane_ = block == 2 && box_.flat;
    in_space_ = block == 3 || block == 6;
  }

  int count() const { return in_space_ ? 6 : in_plane_ ? 3 : static_cast<int>(block_); }

  /// mode: [count()], zeros.
  void put(std::size_t i, double* mode) const {
    const std::size_t component = i % block_;
    const auto from_middle = [&](std::size_t d) {
      return (coordinates_[i / block_ * 3 + d] - box_.middle[d]) / box_.size;
    };
    if (in_space_ && component >= 3) {  // a rotation: that of the motion
      mode[component] = 1 / box_.size;
      return;
    }
    mode[component] = 1;
    if (in_plane_) mode[2] = component == 0 ? -from_middle(1) : from_middle(0);
    if (in_space_) {
      // A rotation about axis d moves along the next two axes: e_d x r.
      const std::size_t next = (component + 1) % 3;
      const std::size_t last = (component + 2) % 3;
      mode[3 + next] = from_middle(last);
      mode[3 + last] = -from_middle(next);
    }
  }

 private:
  std::size_t block_;
  const std::vector<double>& coordinates_;
  Box box_;
  bool in_plane_ = false;
  bool in_space_ = false;
};

}  // namespace

MatrixSystem::MatrixSystem(const exec::Device& cpu, const sparse::Csr& matrix, MatrixGeometry geometry,
                           std::uint64_t memory)
    : matrix_(in_blocks(cpu, matrix, geometry.block, memory)), geometry_(std::move(geometry)) {
  const auto size = [](const std::vector<double>& values) {
    return static_cast<std::int64_t>(values.size());
  };
  require(
      (geometry_.coordinates.empty() || size(geometry_.coordinates) == 3 * std::int64_t{matrix_.rows()}) &&
          size(geometry_.mode) == geometry_.modes * matrix_.scalar_rows(),
      [&] {
        return fmt::format("MatrixSystem: {} coordinates and {} modes of {} values for {} block rows of {}",
                           geometry_.coordinates.size(), geometry_.modes, geometry_.mode.size(),
                           matrix_.rows(), geometry_.block);
      });
  exec::Array<double>& values = matrix_.value();
  exponent_ = exponent_of(largest_of(values.data(), values.size()));
  scale(values.data(), values.size(), -exponent_);
}

AmgGeometry MatrixSystem::geometry() const {
  return geometry_of(matrix_, geometry_);
}

AmgGeometry geometry_of(const sparse::BlockCsr<double>& matrix, const MatrixGeometry& given) {
  const std::vector<bool> coupled = coupled_rows(matrix);
  const Motions motions(matrix.height(), given.coordinates);
  AmgGeometry geometry;
  geometry.coordinates = given.coordinates;
  geometry.modes = given.modes > 0 ? given.modes : motions.count();
  const auto modes = static_cast<std::size_t>(geometry.modes);
  std::vector<double> all(coupled.size() * modes, 0.0);
  for (std::size_t i = 0; i < coupled.size(); ++i) {
    if (!coupled[i]) continue;
    double* const mode = all.data() + i * modes;
    if (given.modes > 0) {
      std::copy_n(given.mode.data() + i * modes, modes, mode);
    } else {
      motions.put(i, mode);
    }
  }
  geometry.mode = std::move(all);
  return geometry;
}

SolveResult MatrixSystem::solve(const exec::Device& device, const std::vector<double>& b,
                                const SolverChoice& choice, Monitor& monitor) const {
  return solve_by(
      [&](const LinearSystem& system, const std::vector<double>& scaled) {
        return solve::solve(device, system, scaled, choice, monitor);
      },
      b);
}

SolveResult MatrixSystem::solve_by(const Solve& means, const std::vector<double>& b) const {
  require(static_cast<std::int64_t>(b.size()) == matrix_.scalar_rows(), [&] {
    return fmt::format("MatrixSystem: {} unknowns, but b has {} entries", unknowns(), b.size());
  });
  LinearSystem system;
  system.matrix = &matrix_;
  system.geometry = [this] { return geometry(); };
  // A singular matrix has an answer for some right-hand sides, but not one answer.
  system.min_pivot = 1e-14;
  system.unknown_count = unknowns();
  const auto size = static_cast<std::int64_t>(b.size());
  const int exponent = exponent_of(largest_of(b.data(), size));
  std::vector<double> scaled = b;
  scale(scaled.data(), size, -exponent);
  SolveResult result = means(system, scaled);
  scale(result.x.data(), size, exponent - exponent_);
  const bool finite = std::ranges::all_of(result.x, [](double value) { return std::isfinite(value); });
  if (result.report.converged && !finite) {
    result.report.converged = false;
    result.report.trouble = "the answer is too large for a number of double precision";
  }
  return result;
}

}  // namespace setka::solve
