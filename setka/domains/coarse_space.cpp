// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/domains/coarse_space.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>

#include "setka/base/dense.hpp"
#include "setka/base/error.hpp"
#include "setka/exec/parallel.hpp"
#include "setka/sparse/csr.hpp"

namespace setka::domains {
namespace {

/// A motion of a part whose square is so small a share of the largest one's, when those before it are taken
/// out, is one of them.
constexpr double dependent = 1e-10;

/// A smaller pivot of Z'AZ, as a part of its diagonal, is rounding.
constexpr double singular = 1e-12;

}  // namespace

CoarseSpace::CoarseSpace(const sparse::BlockCsr<double>& a, std::span<const OverlappingPart> parts,
                         const PartsOfVertices& places, std::span<const double> mode, int modes, int threads)
    : parts_(parts), places_(places), block_(a.height()), threads_(threads), basis_(parts.size()) {
  if (make(a, mode, modes, false) || make(a, mode, modes, true)) return;
  throw Error(Fault::input, "the matrix is not positive definite: motions of whole parts show it",
              "is a boundary condition missing?");
}

bool CoarseSpace::make(const sparse::BlockCsr<double>& a, std::span<const double> mode, int modes,
                       bool own_alone) {
  exec::host::for_each(threads_, static_cast<std::int64_t>(parts_.size()), 1, [&](std::int64_t p) {
    make_basis(static_cast<std::size_t>(p), mode, modes, own_alone);
  });
  offset_.assign(1, 0);
  const auto n = static_cast<std::size_t>(block_);
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    const std::size_t rows = n * parts_[p].vertices.size();
    offset_.push_back(offset_.back() + static_cast<std::int32_t>(rows == 0 ? 0 : basis_[p].size() / rows));
  }
  return size() == 0 || factorise(a);
}

/// The weighted motions of a part, made orthonormal.
void CoarseSpace::make_basis(std::size_t p, std::span<const double> mode, int modes, bool own_alone) {
  const OverlappingPart& part = parts_[p];
  const auto n = static_cast<std::size_t>(block_);
  Dense z(static_cast<std::int64_t>(n * part.vertices.size()), modes);
  for (std::size_t i = 0; i < part.vertices.size(); ++i) {
    const double weight = own_alone ? (part.own[i] ? 1.0 : 0.0) : part.weight[i];
    for (std::size_t c = 0; c < n; ++c) {
      const std::size_t row = n * static_cast<std::size_t>(part.vertices[i]) + c;
      for (int m = 0; m < modes; ++m)
        z(static_cast<std::int64_t>(n * i + c), m) =
            weight * mode[row * static_cast<std::size_t>(modes) + static_cast<std::size_t>(m)];
    }
  }
  const Eigenpairs axes = eigenpairs(product(z.transposed(), z));
  const double largest = axes.value.empty() ? 0 : axes.value.back();
  std::vector<std::int64_t> kept;
  for (std::int64_t m = 0; m < modes; ++m) {
    if (axes.value[static_cast<std::size_t>(m)] > dependent * largest) kept.push_back(m);
  }
  Dense turn(modes, static_cast<std::int64_t>(kept.size()));
  for (std::size_t j = 0; j < kept.size(); ++j) {
    const double scale = 1 / std::sqrt(axes.value[static_cast<std::size_t>(kept[j])]);
    for (std::int64_t m = 0; m < modes; ++m)
      turn(m, static_cast<std::int64_t>(j)) = scale * axes.vector(m, kept[j]);
  }
  basis_[p].assign(static_cast<std::size_t>(z.rows()) * kept.size(), 0.0);
  if (kept.empty() || z.rows() == 0) return;
  const auto width = static_cast<std::int64_t>(kept.size());
  multiply(1, z, turn, 0, {basis_[p].data(), z.rows(), width, width, 1});
}

/// Z'AZ by its columns of one part after the other: rows of A Z_p meet the motions of all parts that have
/// them. Sums are in the order of rows, whatever the threads.
sparse::SymmetricCsr CoarseSpace::galerkin(const sparse::BlockCsr<double>& a) const {
  const sparse::BlockCsrView<double> view = a.view();
  const auto n = static_cast<std::size_t>(block_);
  using Blocks = std::map<std::int32_t, std::vector<double>>;  // by the other part q >= p: [its columns, own]
  std::vector<Blocks> blocks(parts_.size());
  exec::host::for_each(threads_, static_cast<std::int64_t>(parts_.size()), 1, [&](std::int64_t at) {
    const auto p = static_cast<std::size_t>(at);
    const OverlappingPart& part = parts_[p];
    const auto width = static_cast<std::size_t>(offset_[p + 1] - offset_[p]);
    std::vector<std::int32_t> rows = part.vertices;  // those of A that couple to the part
    for (const std::int32_t v : part.vertices)
      rows.insert(rows.end(), view.column + view.offset[v], view.column + view.offset[v + 1]);
    std::ranges::sort(rows);
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
    std::vector<double> product(n * width);  // a block row of A Z_p
    for (const std::int32_t row : rows) {
      std::ranges::fill(product, 0.0);
      const auto first = static_cast<std::size_t>(view.offset[row]);
      const auto count = static_cast<std::size_t>(view.offset[row + 1]) - first;
      for (std::size_t k = 0; k < count; ++k) {
        const auto found = std::ranges::lower_bound(part.vertices, view.column[first + k]);
        if (found == part.vertices.end() || *found != view.column[first + k]) continue;
        const double* const z =
            basis_[p].data() + n * static_cast<std::size_t>(found - part.vertices.begin()) * width;
        for (std::size_t r = 0; r < n; ++r) {
          for (std::size_t c = 0; c < n; ++c) {
            const double value = view.value[first * n * n + r * count * n + k * n + c];
            for (std::size_t j = 0; j < width; ++j) product[r * width + j] += value * z[c * width + j];
          }
        }
      }
      for (const PartsOfVertices::Place& place : places_.of(row)) {
        if (place.part < at) continue;
        const auto q = static_cast<std::size_t>(place.part);
        const auto height = static_cast<std::size_t>(offset_[q + 1] - offset_[q]);
        std::vector<double>& sum = blocks[p][place.part];
        sum.resize(height * width, 0.0);
        const double* const z = basis_[q].data() + n * static_cast<std::size_t>(place.position) * height;
        for (std::size_t r = 0; r < n; ++r) {
          for (std::size_t i = 0; i < height; ++i) {
            for (std::size_t j = 0; j < width; ++j)
              sum[i * width + j] += z[r * height + i] * product[r * width + j];
          }
        }
      }
    }
  });
  sparse::SymmetricCsr made;
  made.rows = offset_.back();
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    const auto width = static_cast<std::size_t>(offset_[p + 1] - offset_[p]);
    for (std::size_t j = 0; j < width; ++j) {
      for (const auto& [q, sum] : blocks[p]) {
        const auto other = static_cast<std::size_t>(q);
        const auto height = static_cast<std::size_t>(offset_[other + 1] - offset_[other]);
        for (std::size_t i = other == p ? j : 0; i < height; ++i) {
          made.column.push_back(offset_[other] + static_cast<std::int32_t>(i));
          made.value.push_back(sum[i * width + j]);
        }
      }
      made.offset.push_back(static_cast<std::int64_t>(made.column.size()));
    }
  }
  return made;
}

/// False where Z'AZ is singular.
bool CoarseSpace::factorise(const sparse::BlockCsr<double>& a) {
  const sparse::SymmetricCsr upper = galerkin(a);
  if (solve::Cholesky::available()) {
    sparse_ = std::make_unique<solve::Cholesky>();
    return sparse_->factorise(upper) < 0 && sparse_->min_pivot().share > singular;
  }
  Dense full(size(), size());
  for (std::int32_t i = 0; i < upper.rows; ++i) {
    for (std::int64_t k = upper.offset[static_cast<std::size_t>(i)];
         k < upper.offset[static_cast<std::size_t>(i) + 1]; ++k)
      full(upper.column[static_cast<std::size_t>(k)], i) = upper.value[static_cast<std::size_t>(k)];
  }
  const DenseCholesky factor(std::move(full));
  if (!factor.definite() || factor.reciprocal_condition() < singular) return false;
  Dense inverse = Dense::identity(size());
  factor.solve(inverse);
  dense_.assign(inverse.values().begin(), inverse.values().end());
  return true;
}

void CoarseSpace::add_correction(std::span<const double> r, std::span<double> z) const {
  if (size() == 0) return;
  const auto n = static_cast<std::size_t>(block_);
  std::vector<double> right(static_cast<std::size_t>(size()), 0.0);
  const auto count = static_cast<std::int64_t>(parts_.size());
  exec::host::for_each(threads_, count, 1, [&](std::int64_t at) {
    const auto p = static_cast<std::size_t>(at);
    const auto width = static_cast<std::size_t>(offset_[p + 1] - offset_[p]);
    double* const sum = right.data() + offset_[p];
    for (std::size_t i = 0; i < n * parts_[p].vertices.size(); ++i) {
      const double value = r[n * static_cast<std::size_t>(parts_[p].vertices[i / n]) + i % n];
      for (std::size_t j = 0; j < width; ++j) sum[j] += value * basis_[p][i * width + j];
    }
  });
  std::vector<double> y(right.size());
  if (sparse_) {
    sparse_->solve(right, y);
  } else {
    multiply(1, {dense_.data(), size(), size(), 1, size()}, {right.data(), size(), 1, 1, size()}, 0,
             {y.data(), size(), 1, 1, size()});
  }
  const auto vertices = static_cast<std::int64_t>(places_.offset.size()) - 1;
  exec::host::for_each(threads_, vertices, exec::host::serial_below, [&](std::int64_t v) {
    for (const PartsOfVertices::Place& place : places_.of(static_cast<std::int32_t>(v))) {
      const auto p = static_cast<std::size_t>(place.part);
      const auto width = static_cast<std::size_t>(offset_[p + 1] - offset_[p]);
      for (std::size_t c = 0; c < n; ++c) {
        const double* const row =
            basis_[p].data() + (n * static_cast<std::size_t>(place.position) + c) * width;
        double sum = 0;
        for (std::size_t j = 0; j < width; ++j) sum += row[j] * y[static_cast<std::size_t>(offset_[p]) + j];
        z[n * static_cast<std::size_t>(v) + c] += sum;
      }
    }
  });
}

}  // namespace setka::domains
