// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/domains/substructure.hpp"

#include <algorithm>
#include <cstddef>

#include <fmt/core.h>

#include "setka/base/error.hpp"
#include "setka/sparse/unknowns.hpp"

namespace setka::domains {
namespace {

constexpr std::int64_t columns_at_a_time = 32;

/// Columns of S that take no more solutions inside of a part than conjugate gradients do.
constexpr std::size_t few_columns = 24;

/// visit(row, column, value) for all entries, by rows.
template <class Matrix, class Visit>
void each_entry(const Matrix& a, const Visit& visit) {
  for (std::int32_t i = 0; i < a.rows; ++i) {
    for (auto k = static_cast<std::size_t>(a.offset[static_cast<std::size_t>(i)]);
         k < static_cast<std::size_t>(a.offset[static_cast<std::size_t>(i) + 1]); ++k)
      visit(std::int64_t{i}, std::int64_t{a.column[k]}, a.value[k]);
  }
}

}  // namespace

Interface find_interface(std::span<const PartMatrix> parts, std::int32_t block_rows, int block,
                         std::span<const std::int32_t> place) {
  std::vector<int> parts_of(static_cast<std::size_t>(block_rows), 0);
  for (const PartMatrix& part : parts) {
    for (const std::int32_t row : part.rows) ++parts_of[static_cast<std::size_t>(row)];
  }
  Interface made;
  made.number.assign(parts_of.size() * static_cast<std::size_t>(block), -2);
  for (const std::int32_t row : place) made.number[static_cast<std::size_t>(row)] = -1;
  made.row.assign(place.begin(), place.end());
  std::ranges::sort(made.row);
  std::erase_if(made.row,
                [&](std::int32_t row) { return parts_of[static_cast<std::size_t>(row / block)] < 2; });
  for (std::size_t i = 0; i < made.row.size(); ++i)
    made.number[static_cast<std::size_t>(made.row[i])] = static_cast<std::int32_t>(i);
  return made;
}

std::uint64_t schur_bytes(std::span<const PartMatrix> parts, const Interface& interface) {
  std::uint64_t bytes = 0;
  for (const PartMatrix& part : parts) {
    const auto n = static_cast<std::size_t>(part.matrix.height());
    std::uint64_t boundary = 0;
    for (const std::int32_t row : part.rows) {
      for (std::size_t c = 0; c < n; ++c)
        boundary += interface.number[n * static_cast<std::size_t>(row) + c] >= 0 ? 1 : 0;
    }
    bytes += sizeof(double) * boundary * boundary;
  }
  return bytes;
}

Schur schur_of(std::string_view word) {
  if (word == "auto") return Schur::automatic;
  if (word == "explicit") return Schur::as_matrix;
  if (word == "implicit") return Schur::by_factors;
  throw Error(Fault::usage, fmt::format("'{}' is no way to keep a Schur complement", word),
              "give auto, explicit or implicit");
}

Substructure::Substructure(const PartMatrix& part, const Interface& interface, Schur schur) : part_(part) {
  number_unknowns(interface);
  if (!inner_.empty()) {
    factor_ = std::make_unique<solve::Cholesky>();
    if (factor_->factorise(sparse::over_unknowns(part.matrix, std::span(place_).first(inner_.size()))) >= 0) {
      throw Error(Fault::input, "the stiffness of a part is not positive definite inside of it",
                  "is a boundary condition missing? Look for bodies that hang together by a hinge");
    }
  }
  split();
  if (schur == Schur::as_matrix || (schur == Schur::automatic && boundary_.size() <= few_columns))
    make_schur();
}

void Substructure::number_unknowns(const Interface& interface) {
  const std::int32_t n = part_.matrix.height();
  std::vector<std::int32_t> at_boundary;
  for (std::size_t i = 0; i < part_.rows.size(); ++i) {
    for (std::int32_t c = 0; c < n; ++c) {
      const std::int32_t row = n * part_.rows[i] + c;
      const std::int32_t number = interface.number[static_cast<std::size_t>(row)];
      if (number == -2) continue;
      const std::int32_t own = n * static_cast<std::int32_t>(i) + c;
      (number < 0 ? place_ : at_boundary).push_back(own);
      (number < 0 ? inner_ : boundary_).push_back(number < 0 ? row : number);
    }
  }
  place_.insert(place_.end(), at_boundary.begin(), at_boundary.end());
}

/// K_ib and K_bb from the upper triangle.
void Substructure::split() {
  const auto inner = static_cast<std::int32_t>(inner_.size());
  const auto boundary = static_cast<std::int32_t>(boundary_.size());
  coupling_.rows = inner;
  coupling_.columns = boundary;
  at_boundary_.rows = boundary;
  if (place_.empty()) return;
  const sparse::SymmetricCsr all = upper();
  for (std::int32_t i = 0; i < all.rows; ++i) {
    const auto take = [&](auto& to) {
      for (auto k = static_cast<std::size_t>(all.offset[static_cast<std::size_t>(i)]);
           k < static_cast<std::size_t>(all.offset[static_cast<std::size_t>(i) + 1]); ++k) {
        if (all.column[k] < inner) continue;
        to.column.push_back(all.column[k] - inner);
        to.value.push_back(all.value[k]);
      }
      to.offset.push_back(static_cast<std::int64_t>(to.column.size()));
    };
    if (i < inner) {
      take(coupling_);
    } else {
      take(at_boundary_);
    }
  }
}

sparse::SymmetricCsr Substructure::upper() const {
  return sparse::over_unknowns(part_.matrix, place_);
}

std::vector<double> Substructure::diagonal() const {
  std::vector<double> made;
  for (std::size_t i = 0; i < boundary_.size(); ++i)  // the first of an upper row
    made.push_back(at_boundary_.value[static_cast<std::size_t>(at_boundary_.offset[i])]);
  return made;
}

/// Some columns at a time, which the factor is read once for.
void Substructure::make_schur() {
  const auto size = static_cast<std::int64_t>(boundary_.size());
  schur_ = Dense(size, size);
  each_entry(at_boundary_, [&](std::int64_t i, std::int64_t j, double value) {
    schur_(i, j) = value;
    schur_(j, i) = value;
  });
  if (factor_ == nullptr) return;
  const std::size_t rows = inner_.size();
  for (std::int64_t first = 0; first < size; first += columns_at_a_time) {
    const std::int64_t count = std::min(columns_at_a_time, size - first);
    std::vector<double> b(rows * static_cast<std::size_t>(count), 0.0);  // [count, rows]
    each_entry(coupling_, [&](std::int64_t i, std::int64_t j, double value) {
      if (j >= first && j < first + count)
        b[static_cast<std::size_t>(j - first) * rows + static_cast<std::size_t>(i)] = value;
    });
    std::vector<double> x(b.size());
    factor_->solve(b, x, count);
    for (std::int64_t c = 0; c < count; ++c) {
      const double* const own = x.data() + static_cast<std::size_t>(c) * rows;
      each_entry(coupling_, [&](std::int64_t i, std::int64_t j, double value) {
        schur_(j, first + c) -= value * own[i];
      });
    }
  }
  schur_ = symmetric_part(schur_);
}

std::vector<double> Substructure::multiply(std::span<const double> x) const {
  std::vector<double> y(x.size(), 0.0);
  if (schur_.rows() > 0) {
    const auto size = schur_.rows();
    setka::multiply(1, schur_, {x.data(), size, 1, 1, size}, 0, {y.data(), size, 1, 1, size});
    return y;
  }
  std::vector<double> forces(inner_.size(), 0.0);
  each_entry(coupling_, [&](std::int64_t i, std::int64_t j, double value) {
    forces[static_cast<std::size_t>(i)] += value * x[static_cast<std::size_t>(j)];
  });
  y = condensed(forces);
  each_entry(at_boundary_, [&](std::int64_t i, std::int64_t j, double value) {
    y[static_cast<std::size_t>(i)] += value * x[static_cast<std::size_t>(j)];
    if (i != j) y[static_cast<std::size_t>(j)] += value * x[static_cast<std::size_t>(i)];
  });
  return y;
}

std::vector<double> Substructure::condensed(std::span<const double> f) const {
  std::vector<double> made(boundary_.size(), 0.0);
  if (factor_ == nullptr) return made;
  std::vector<double> u(f.size());
  factor_->solve(f, u);
  each_entry(coupling_, [&](std::int64_t i, std::int64_t j, double value) {
    made[static_cast<std::size_t>(j)] -= value * u[static_cast<std::size_t>(i)];
  });
  return made;
}

std::vector<double> Substructure::inner_solution(std::span<const double> f, std::span<const double> x) const {
  std::vector<double> u(inner_.size());
  if (factor_ == nullptr) return u;
  std::vector<double> right(f.begin(), f.end());
  each_entry(coupling_, [&](std::int64_t i, std::int64_t j, double value) {
    right[static_cast<std::size_t>(i)] -= value * x[static_cast<std::size_t>(j)];
  });
  factor_->solve(right, u);
  return u;
}

}  // namespace setka::domains
