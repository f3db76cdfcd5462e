// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/fem/assembly.hpp"

#include <algorithm>
#include <cstddef>

#include <Eigen/Core>

#include "setka/base/error.hpp"
#include "setka/exec/parallel.hpp"

namespace setka::fem {
namespace {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// The unknowns that each element touches, ascending: element e has index[first[e] .. first[e + 1]).
struct Touched {
  std::vector<std::int64_t> first{0};
  std::vector<std::int32_t> index;

  std::span<const std::int32_t> of(std::size_t e) const {
    return {index.data() + first[e], static_cast<std::size_t>(first[e + 1] - first[e])};
  }
};

Touched touched_unknowns(const Solids& solids, const Constraints& constraints) {
  Touched touched;
  std::vector<std::int32_t> own;
  for (std::int32_t e = 0; e < solids.element_count(); ++e) {
    own.clear();
    for (const std::int32_t node : solids.nodes(e)) {
      for (std::int32_t i = 0; i < 3; ++i) {
        for (const Term& term : constraints.row(3 * node + i)) own.push_back(term.index);
      }
    }
    std::sort(own.begin(), own.end());
    own.erase(std::unique(own.begin(), own.end()), own.end());
    touched.index.insert(touched.index.end(), own.begin(), own.end());
    touched.first.push_back(static_cast<std::int64_t>(touched.index.size()));
  }
  return touched;
}

/// The elements that touch each unknown.
struct Touching {
  std::vector<std::int64_t> first;
  std::vector<std::int32_t> element;
};

Touching touching_elements(const Touched& touched, std::size_t unknowns) {
  Touching touching;
  touching.first.assign(unknowns + 1, 0);
  for (const std::int32_t q : touched.index) ++touching.first[static_cast<std::size_t>(q) + 1];
  for (std::size_t q = 0; q < unknowns; ++q) touching.first[q + 1] += touching.first[q];
  touching.element.resize(touched.index.size());
  std::vector<std::int64_t> next(touching.first.begin(), touching.first.end() - 1);
  for (std::size_t e = 0; e + 1 < touched.first.size(); ++e) {
    for (const std::int32_t q : touched.of(e)) {
      touching.element[static_cast<std::size_t>(next[static_cast<std::size_t>(q)]++)] =
          static_cast<std::int32_t>(e);
    }
  }
  return touching;
}

/// Columns from the diagonal on of each row: all unknowns of the elements that touch it.
sparse::SymmetricCsr pattern(const Touched& touched, std::int32_t unknowns, int threads) {
  const auto rows = static_cast<std::size_t>(unknowns);
  const Touching touching = touching_elements(touched, rows);
  sparse::SymmetricCsr matrix;
  matrix.rows = unknowns;
  matrix.offset.assign(rows + 1, 0);
  const auto columns_of = [&](std::size_t row, std::vector<std::int32_t>& columns) {
    columns.clear();
    for (std::int64_t k = touching.first[row]; k < touching.first[row + 1]; ++k) {
      const auto own = touched.of(static_cast<std::size_t>(touching.element[static_cast<std::size_t>(k)]));
      columns.insert(columns.end(), std::lower_bound(own.begin(), own.end(), static_cast<std::int32_t>(row)),
                     own.end());
    }
    std::sort(columns.begin(), columns.end());
    columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
  };
  exec::host::for_each(threads, unknowns, 256, [&](std::int64_t row) {
    thread_local std::vector<std::int32_t> columns;
    columns_of(static_cast<std::size_t>(row), columns);
    matrix.offset[static_cast<std::size_t>(row) + 1] = static_cast<std::int64_t>(columns.size());
  });
  for (std::size_t row = 0; row < rows; ++row) matrix.offset[row + 1] += matrix.offset[row];
  matrix.column.resize(static_cast<std::size_t>(matrix.offset.back()));
  matrix.value.assign(matrix.column.size(), 0.0);
  exec::host::for_each(threads, unknowns, 256, [&](std::int64_t row) {
    thread_local std::vector<std::int32_t> columns;
    columns_of(static_cast<std::size_t>(row), columns);
    std::copy(columns.begin(), columns.end(),
              matrix.column.begin() + matrix.offset[static_cast<std::size_t>(row)]);
  });
  return matrix;
}

/// An element's share of T'KT, over its unknowns, and of T'Kg.
struct Reduced {
  Matrix matrix;
  Eigen::VectorXd from_shifts;
};

void reduce(const Solids& solids, const Constraints& constraints, std::int32_t e,
            std::span<const std::int32_t> unknowns, const ElementMatrix& element_matrix, Reduced& reduced) {
  const auto nodes = solids.nodes(e);
  const auto dofs = static_cast<Eigen::Index>(3 * nodes.size());
  const auto count = static_cast<Eigen::Index>(unknowns.size());
  thread_local std::vector<double> storage;
  storage.assign(static_cast<std::size_t>(dofs * dofs), 0.0);
  element_matrix(e, storage);
  const Eigen::Map<const Matrix> k(storage.data(), dofs, dofs);

  // T and g of this element. Most elements pick unknowns one to one; then rows and columns are only copied.
  bool picks = true;
  bool shifted = false;
  thread_local std::vector<Eigen::Index> pick;
  pick.assign(static_cast<std::size_t>(dofs), -1);
  const auto position = [&](std::int32_t q) {
    return static_cast<Eigen::Index>(std::lower_bound(unknowns.begin(), unknowns.end(), q) -
                                     unknowns.begin());
  };
  std::vector<std::int8_t> taken(unknowns.size(), 0);
  for (Eigen::Index d = 0; d < dofs; ++d) {
    const std::int32_t dof = 3 * nodes[static_cast<std::size_t>(d / 3)] + static_cast<std::int32_t>(d % 3);
    const auto row = constraints.row(dof);
    shifted = shifted || constraints.shift(dof) != 0;
    if (row.empty()) continue;
    const Eigen::Index at = position(row[0].index);
    picks = picks && row.size() == 1 && row[0].coefficient == 1 && taken[static_cast<std::size_t>(at)] == 0;
    taken[static_cast<std::size_t>(at)] = 1;
    pick[static_cast<std::size_t>(d)] = at;
  }
  Eigen::VectorXd kg;
  if (shifted) {
    Eigen::VectorXd g(dofs);
    for (Eigen::Index d = 0; d < dofs; ++d) {
      g[d] = constraints.shift(3 * nodes[static_cast<std::size_t>(d / 3)] + static_cast<std::int32_t>(d % 3));
    }
    kg = k * g;
  }
  reduced.from_shifts = Eigen::VectorXd::Zero(count);
  if (picks) {
    reduced.matrix.setZero(count, count);
    for (Eigen::Index i = 0; i < dofs; ++i) {
      const Eigen::Index to = pick[static_cast<std::size_t>(i)];
      if (to < 0) continue;
      if (shifted) reduced.from_shifts[to] += kg[i];
      for (Eigen::Index j = 0; j < dofs; ++j) {
        const Eigen::Index across = pick[static_cast<std::size_t>(j)];
        if (across >= 0) reduced.matrix(to, across) = k(i, j);
      }
    }
    return;
  }
  Matrix t = Matrix::Zero(dofs, count);
  for (Eigen::Index d = 0; d < dofs; ++d) {
    const std::int32_t dof = 3 * nodes[static_cast<std::size_t>(d / 3)] + static_cast<std::int32_t>(d % 3);
    for (const Term& term : constraints.row(dof)) t(d, position(term.index)) += term.coefficient;
  }
  reduced.matrix.noalias() = t.transpose() * (k * t).eval();
  if (shifted) reduced.from_shifts.noalias() = t.transpose() * kg;
}

}  // namespace

System assemble(const Solids& solids, const Constraints& constraints, const ElementMatrix& element_matrix,
                int threads, Monitor& monitor) {
  System system;
  Touched touched;
  {
    const Stage stage = monitor.stage("find the matrix pattern");
    touched = touched_unknowns(solids, constraints);
    system.matrix = pattern(touched, constraints.unknown_count(), threads);
  }
  system.from_shifts.assign(static_cast<std::size_t>(constraints.unknown_count()), 0.0);

  // Batches of element matrices are made by all threads; then each thread adds to its own range of rows,
  // element after element, so that every entry is summed in the order of the elements.
  constexpr std::int64_t batch = 1024;
  std::vector<Reduced> reduced(static_cast<std::size_t>(batch));
  const std::int64_t elements = solids.element_count();
  const std::int64_t rows = constraints.unknown_count();
  const std::int64_t ranges = threads;
  Stage stage = monitor.stage("assemble", elements, "elements");
  for (std::int64_t first = 0; first < elements; first += batch) {
    const std::int64_t count = std::min(batch, elements - first);
    exec::host::for_each(threads, count, 1, [&](std::int64_t i) {
      reduce(solids, constraints, static_cast<std::int32_t>(first + i),
             touched.of(static_cast<std::size_t>(first + i)), element_matrix,
             reduced[static_cast<std::size_t>(i)]);
    });
    exec::host::for_each(threads, ranges, 1, [&](std::int64_t r) {
      const std::int64_t begin = rows * r / ranges;
      const std::int64_t end = rows * (r + 1) / ranges;
      for (std::int64_t i = 0; i < count; ++i) {
        const auto unknowns = touched.of(static_cast<std::size_t>(first + i));
        const Reduced& own = reduced[static_cast<std::size_t>(i)];
        for (std::size_t a = 0; a < unknowns.size(); ++a) {
          const std::int32_t row = unknowns[a];
          if (row < begin || row >= end) continue;
          system.from_shifts[static_cast<std::size_t>(row)] += own.from_shifts[static_cast<Eigen::Index>(a)];
          auto at = system.matrix.column.begin() + system.matrix.offset[static_cast<std::size_t>(row)];
          const auto row_end =
              system.matrix.column.begin() + system.matrix.offset[static_cast<std::size_t>(row) + 1];
          for (std::size_t b = a; b < unknowns.size(); ++b) {  // both ascend: from here on
            at = std::lower_bound(at, row_end, unknowns[b]);
            system.matrix.value[static_cast<std::size_t>(at - system.matrix.column.begin())] +=
                own.matrix(static_cast<Eigen::Index>(a), static_cast<Eigen::Index>(b));
          }
        }
      }
    });
    stage.advance(count);
  }
  return system;
}

}  // namespace setka::fem
