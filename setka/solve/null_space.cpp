// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/solve/null_space.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <utility>

#include "setka/base/dense.hpp"
#include "setka/base/error.hpp"
#include "setka/exec/vector.hpp"
#include "setka/solve/cholesky.hpp"

namespace setka::solve {
namespace {

/// Part of the diagonal that is added for a factorisation to go through: far above rounding, far below the
/// stiffness of what is held.
constexpr double min_shift = 1e-10;

constexpr int max_iterations = 20;

double dot(const SparseVector& a, const SparseVector& b) {
  double sum = 0;
  for (std::size_t i = 0, j = 0; i < a.row.size() && j < b.row.size();) {
    if (a.row[i] < b.row[j]) {
      ++i;
    } else if (a.row[i] > b.row[j]) {
      ++j;
    } else {
      sum += a.value[i++] * b.value[j++];
    }
  }
  return sum;
}

/// a + factor b
SparseVector sum_of(const SparseVector& a, double factor, const SparseVector& b) {
  SparseVector sum;
  sum.row.reserve(std::max(a.row.size(), b.row.size()));
  sum.value.reserve(sum.row.capacity());
  for (std::size_t i = 0, j = 0; i < a.row.size() || j < b.row.size();) {
    const bool from_a = j == b.row.size() || (i < a.row.size() && a.row[i] <= b.row[j]);
    const bool from_b = i == a.row.size() || (j < b.row.size() && b.row[j] <= a.row[i]);
    sum.row.push_back(from_a ? a.row[i] : b.row[j]);
    sum.value.push_back((from_a ? a.value[i] : 0.0) + (from_b ? factor * b.value[j] : 0.0));
    i += from_a ? 1 : 0;
    j += from_b ? 1 : 0;
  }
  return sum;
}

double value_at(const SparseVector& v, std::int32_t row) {
  const auto found = std::ranges::lower_bound(v.row, row);
  return found != v.row.end() && *found == row ? v.value[static_cast<std::size_t>(found - v.row.begin())]
                                               : 0.0;
}

/// Gauss's elimination with the largest entry of each vector for its pivot: rows in which the vectors are
/// independent.
std::vector<std::int32_t> pivots_of(std::vector<SparseVector> vectors) {
  std::vector<std::int32_t> pivots;
  for (std::size_t k = 0; k < vectors.size(); ++k) {
    const auto largest = std::ranges::max_element(
        vectors[k].value, [](double a, double b) { return std::abs(a) < std::abs(b); });
    require(largest != vectors[k].value.end() && *largest != 0,
            "NullSpace: the vectors depend on each other");
    const std::int32_t row = vectors[k].row[static_cast<std::size_t>(largest - vectors[k].value.begin())];
    pivots.push_back(row);
    const double pivot = *largest;
    for (std::size_t other = k + 1; other < vectors.size(); ++other) {
      const double factor = value_at(vectors[other], row) / pivot;
      if (factor == 0) continue;
      vectors[other] = sum_of(vectors[other], -factor, vectors[k]);
      const auto at = std::ranges::lower_bound(vectors[other].row, row) - vectors[other].row.begin();
      vectors[other].value[static_cast<std::size_t>(at)] = 0;  // exactly
    }
  }
  return pivots;
}

Dense times(const sparse::SymmetricCsr& a, const Dense& x) {
  Dense y(x.rows(), x.columns());
  for (std::int32_t i = 0; i < a.rows; ++i) {
    for (std::int64_t at = a.offset[static_cast<std::size_t>(i)];
         at < a.offset[static_cast<std::size_t>(i) + 1]; ++at) {
      const std::int32_t j = a.column[static_cast<std::size_t>(at)];
      const double value = a.value[static_cast<std::size_t>(at)];
      for (std::int64_t c = 0; c < x.columns(); ++c) {
        y(i, c) += value * x(j, c);
        if (j != i) y(j, c) += value * x(i, c);
      }
    }
  }
  return y;
}

std::int64_t place_of_largest(std::span<const double> values) {
  const auto smaller = [](double a, double b) { return std::abs(a) < std::abs(b); };
  return std::ranges::max_element(values, smaller) - values.begin();
}

/// Each vector with a row of its own, in which it is one and the others are zero.
void reduce(Dense& z) {
  for (std::int64_t k = 0; k < z.columns(); ++k) {
    const std::int64_t row = place_of_largest(z.column(k));
    const double lead = z(row, k);
    for (double& value : z.column(k)) value /= lead;
    for (std::int64_t other = 0; other < z.columns(); ++other) {
      if (other == k) continue;
      const double factor = z(row, other);
      for (std::int64_t i = 0; i < z.rows(); ++i) z(i, other) -= factor * z(i, k);
      z(row, other) = 0;
    }
  }
}

/// Places of the values of the diagonal in a matrix of blocks.
std::vector<std::int64_t> places_of_diagonal(const sparse::BlockCsr<double>& a,
                                             std::span<const std::int32_t> rows) {
  const std::vector<std::int32_t> offset = a.offset().to_vector();
  const std::vector<std::int32_t> column = a.column().to_vector();
  std::vector<std::int64_t> places;
  for (const std::int32_t row : rows) {
    const std::int32_t block = row / a.height();
    const std::int32_t within = row % a.height();
    const auto first = column.begin() + offset[static_cast<std::size_t>(block)];
    const auto last = column.begin() + offset[static_cast<std::size_t>(block) + 1];
    const auto found = std::lower_bound(first, last, block);
    require(found != last && *found == block, "a row of the matrix has no diagonal");
    const std::int64_t blocks = last - first;
    places.push_back((std::int64_t{offset[static_cast<std::size_t>(block)]} * a.height() + within * blocks +
                      (found - first)) *
                         a.width() +
                     within);
  }
  return places;
}

class Supported final : public Operator {
 public:
  Supported(std::shared_ptr<const Operator> a, std::vector<Support> supports)
      : a_(std::move(a)), supports_(std::move(supports)) {}

  const exec::Device& device() const override { return a_->device(); }
  std::int64_t rows() const override { return a_->rows(); }
  const exec::Member* member() const override { return a_->member(); }

  void apply(const exec::Stream& stream, exec::View<const double> x, exec::View<double> y) const override {
    a_->apply(stream, x, y);
    for (const Support& support : supports_)
      exec::axpy(stream, support.stiffness, x.part(support.row, 1), y.part(support.row, 1));
  }

  void apply(const exec::Stream& stream, exec::MultiView<const double> x,
             exec::MultiView<double> y) const override {
    a_->apply(stream, x, y);
    for (const Support& support : supports_) {
      exec::axpy(stream, support.stiffness,
                 exec::View<const double>{x.data + support.row * x.stride, x.columns},
                 exec::View<double>{y.data + support.row * y.stride, y.columns});
    }
  }

 private:
  std::shared_ptr<const Operator> a_;
  std::vector<Support> supports_;
};

}  // namespace

void NullSpace::add(std::string name, std::vector<SparseVector> vectors) {
  held_.push_back(pivots_of(vectors));
  Group group{std::move(name), {}};
  for (SparseVector& vector : vectors) {
    for (int pass = 0; pass < 2; ++pass) {  // the second takes out what rounding left of the first
      for (const SparseVector& known : group.vectors) vector = sum_of(vector, -dot(vector, known), known);
      for (const Group& before : groups_) {
        for (const SparseVector& known : before.vectors) {
          const double part = dot(vector, known);
          if (part != 0) vector = sum_of(vector, -part, known);
        }
      }
      const double size = std::sqrt(dot(vector, vector));
      for (double& value : vector.value) value /= size;
    }
    group.vectors.push_back(std::move(vector));
  }
  groups_.push_back(std::move(group));
}

std::vector<std::int32_t> NullSpace::held_rows(std::size_t first_group) const {
  std::vector<std::int32_t> rows;
  for (std::size_t g = first_group; g < held_.size(); ++g)
    rows.insert(rows.end(), held_[g].begin(), held_[g].end());
  return rows;
}

void NullSpace::project_out(std::vector<double>& v) const {
  for (const Group& group : groups_) {
    for (const SparseVector& z : group.vectors) {
      double part = 0;
      for (std::size_t i = 0; i < z.row.size(); ++i)
        part += z.value[i] * v[static_cast<std::size_t>(z.row[i])];
      for (std::size_t i = 0; i < z.row.size(); ++i)
        v[static_cast<std::size_t>(z.row[i])] -= part * z.value[i];
    }
  }
}

std::vector<SparseVector> null_vectors(const sparse::SymmetricCsr& a, std::int32_t max_vectors,
                                       double noise) {
  const double shift = std::max(min_shift, 10 * noise);
  const auto rows = static_cast<std::int64_t>(a.rows);
  std::vector<double> diagonal;
  diagonal.reserve(static_cast<std::size_t>(rows));
  for (std::int32_t i = 0; i < a.rows; ++i)
    diagonal.push_back(a.value[static_cast<std::size_t>(a.offset[static_cast<std::size_t>(i)])]);
  const double largest = diagonal.empty() ? 0 : *std::ranges::max_element(diagonal);
  if (!(largest > 0)) return {};
  for (double& entry : diagonal) entry = entry > 0 ? entry : largest;  // nothing at all is there
  sparse::SymmetricCsr shifted = a;
  for (std::size_t i = 0; i < diagonal.size(); ++i)
    shifted.value[static_cast<std::size_t>(a.offset[i])] += shift * diagonal[i];
  Cholesky cholesky;
  if (cholesky.factorise(shifted) >= 0) return {};  // not semidefinite

  // Subspace iteration with (A + shift D)^-1 D in the inner product of D, from a fixed start; more columns
  // until one of them is stiff.
  std::vector<double> root;
  std::vector<double> over_root;
  for (const double d : diagonal) {
    root.push_back(std::sqrt(d));
    over_root.push_back(1 / root.back());
  }
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> entry(-1, 1);
  for (std::int64_t columns = std::min<std::int64_t>(8, rows);; columns = std::min(2 * columns, rows)) {
    Dense x(rows, columns);
    for (double& value : x.values()) value = entry(random);
    std::int64_t found = 0;
    double before = 0;
    for (int iteration = 0; iteration < max_iterations; ++iteration) {
      const Dense right = scaled_rows(x, diagonal);
      cholesky.solve(right.values(), x.values(), columns);
      x = scaled_rows(x, root);
      orthonormalise(x);
      x = scaled_rows(x, over_root);
      const Eigenpairs ritz = eigenpairs(product(x.transposed(), times(a, x)));
      x = product(x, ritz.vector);
      found = std::ranges::count_if(ritz.value, [&](double value) { return value < noise; });
      // What is stiff decides: as long as it still falls, more may turn out to have no stiffness.
      const double min_stiff = found < columns ? ritz.value[static_cast<std::size_t>(found)] : 0;
      if (iteration >= 2 && (found == columns || min_stiff > 0.9 * before)) break;
      before = min_stiff;
    }
    if (found == columns && columns < rows) {
      if (columns > max_vectors) return {};
      continue;
    }
    if (found > max_vectors) return {};
    Dense z(x.column_range(0, found));
    reduce(z);
    std::vector<SparseVector> vectors(static_cast<std::size_t>(found));
    for (std::int64_t j = 0; j < found; ++j) {
      SparseVector& vector = vectors[static_cast<std::size_t>(j)];
      const double hardly = 1e-12 * std::abs(z(place_of_largest(z.column(j)), j));
      for (std::int64_t i = 0; i < rows; ++i) {
        if (std::abs(z(i, j)) <= hardly) continue;
        vector.row.push_back(static_cast<std::int32_t>(i));
        vector.value.push_back(z(i, j));
      }
    }
    return vectors;
  }
}

std::vector<double> diagonal_at(const sparse::BlockCsr<double>& a, std::span<const std::int32_t> rows) {
  const std::vector<double> value = a.value().to_vector();
  std::vector<double> diagonal;
  for (const std::int64_t place : places_of_diagonal(a, rows))
    diagonal.push_back(value[static_cast<std::size_t>(place)]);
  return diagonal;
}

void add_supports(sparse::BlockCsr<double>& a, std::span<const Support> supports) {
  std::vector<std::int32_t> rows;
  for (const Support& support : supports) rows.push_back(support.row);
  const std::vector<std::int64_t> places = places_of_diagonal(a, rows);
  const exec::Array<double> one(a.device(), std::vector<double>{1.0});
  for (std::size_t i = 0; i < supports.size(); ++i)
    exec::axpy(a.device(), supports[i].stiffness, one, a.value().view().part(places[i], 1));
  a.device().synchronize();
}

std::shared_ptr<const Operator> supported(std::shared_ptr<const Operator> a, std::vector<Support> supports) {
  return std::make_shared<const Supported>(std::move(a), std::move(supports));
}

}  // namespace setka::solve
