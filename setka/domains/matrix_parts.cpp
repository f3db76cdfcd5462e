// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/domains/matrix_parts.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>

#include <fmt/core.h>

#include "setka/base/error.hpp"
#include "setka/domains/detail/edges.hpp"
#include "setka/exec/array.hpp"

namespace setka::domains {
namespace {

using sparse::BlockCsr;

/// Rows that have a column, for each column: the pattern transposed.
struct RowsOfColumns {
  std::vector<std::int64_t> offset;
  std::vector<std::int32_t> row;

  explicit RowsOfColumns(const BlockCsr<double>& a)
      : offset(static_cast<std::size_t>(a.columns()) + 1, 0), row(static_cast<std::size_t>(a.blocks())) {
    const auto columns = a.column().host();
    for (const std::int32_t column : columns) ++offset[static_cast<std::size_t>(column) + 1];
    std::partial_sum(offset.begin(), offset.end(), offset.begin());
    std::vector<std::int64_t> next(offset.begin(), offset.end() - 1);
    const auto rows = a.offset().host();
    for (std::int32_t i = 0; i < a.rows(); ++i) {
      for (std::int32_t k = rows[static_cast<std::size_t>(i)]; k < rows[static_cast<std::size_t>(i) + 1]; ++k)
        row[static_cast<std::size_t>(
            next[static_cast<std::size_t>(columns[static_cast<std::size_t>(k)])]++)] = i;
    }
  }
};

std::span<const std::int32_t> columns_of(const BlockCsr<double>& a, std::int32_t row) {
  const auto offset = a.offset().host();
  const auto first = static_cast<std::size_t>(offset[static_cast<std::size_t>(row)]);
  return a.column().host().subspan(
      first, static_cast<std::size_t>(offset[static_cast<std::size_t>(row) + 1]) - first);
}

std::vector<RowsOfPart> rows_of(const BlockCsr<double>& a, const Partition& rows) {
  require(a.rows() == a.columns() && a.height() == a.width() &&
              rows.of.size() == static_cast<std::size_t>(a.rows()) && !a.device().is_cuda(),
          [&] {
            return fmt::format("MatrixParts: {} x {} blocks of {} x {} on {} in parts of {}", a.rows(),
                               a.columns(), a.height(), a.width(), a.device().label(), rows.of.size());
          });
  std::vector<std::int8_t> inner(rows.of.size(), 1);
  std::vector<std::vector<std::int32_t>> needed(static_cast<std::size_t>(rows.parts));
  for (std::int32_t i = 0; i < a.rows(); ++i) {
    const std::int32_t p = rows.of[static_cast<std::size_t>(i)];
    for (const std::int32_t column : columns_of(a, i)) {
      if (rows.of[static_cast<std::size_t>(column)] == p) continue;
      inner[static_cast<std::size_t>(i)] = 0;
      needed[static_cast<std::size_t>(p)].push_back(column);
    }
  }
  return rows_of_parts(rows.of, inner, std::move(needed));
}

}  // namespace

Graph matrix_graph(const BlockCsr<double>& a, std::span<const double> place, int threads) {
  require(
      a.rows() == a.columns() && (place.empty() || place.size() == 3 * static_cast<std::size_t>(a.rows())),
      [&] {
        return fmt::format("matrix_graph: {} x {} blocks, {} coordinates", a.rows(), a.columns(),
                           place.size());
      });
  Graph graph;
  graph.vertex_weight.resize(static_cast<std::size_t>(a.rows()));
  graph.place.assign(place.begin(), place.end());
  if (place.empty()) {
    graph.place.assign(3 * graph.vertex_weight.size(), 0.0);
    for (std::size_t i = 0; i < graph.vertex_weight.size(); ++i) graph.place[3 * i] = static_cast<double>(i);
  }
  for (std::int32_t i = 0; i < a.rows(); ++i)
    graph.vertex_weight[static_cast<std::size_t>(i)] =
        std::max(1, static_cast<std::int32_t>(columns_of(a, i).size()));
  const RowsOfColumns transposed(a);
  detail::find_edges(
      graph, threads,
      [&](std::int32_t row, std::vector<std::int32_t>& neighbours, std::vector<std::int32_t>& weights) {
        const auto own = columns_of(a, row);
        const auto first = transposed.row.begin() + transposed.offset[static_cast<std::size_t>(row)];
        const auto last = transposed.row.begin() + transposed.offset[static_cast<std::size_t>(row) + 1];
        std::set_union(own.begin(), own.end(), first, last, std::back_inserter(neighbours));
        std::erase(neighbours, row);
        weights.assign(neighbours.size(), 1);
      });
  return graph;
}

MatrixParts::MatrixParts(const BlockCsr<double>& a, const Partition& rows)
    : RowParts(a.height(), rows_of(a, rows)), a_(a) {}

MatrixParts::MatrixParts(const BlockCsr<double>& a, const MatrixParts& as) : RowParts(as), a_(a) {
  require(a.rows() == as.a_.rows() && a.height() == as.a_.height() && !a.device().is_cuda(),
          "MatrixParts: matrices of different sizes");
  enum class Column : std::int8_t { unknown, ghost, own };
  std::vector<Column> kind(static_cast<std::size_t>(a.columns()));
  for (int p = 0; p < count(); ++p) {
    const RowsOfPart& part = this->part(p);
    std::ranges::fill(kind, Column::unknown);
    for (const std::int32_t row : part.rows) kind[static_cast<std::size_t>(row)] = Column::own;
    for (const std::int32_t row : part.ghosts) kind[static_cast<std::size_t>(row)] = Column::ghost;
    for (std::size_t i = 0; i < part.rows.size(); ++i) {
      const Column least = std::cmp_less(i, part.inner) ? Column::own : Column::ghost;
      if (std::ranges::all_of(columns_of(a, part.rows[i]), [&](std::int32_t column) {
            return kind[static_cast<std::size_t>(column)] >= least;
          }))
        continue;
      throw Error(Fault::usage, "the mass couples unknowns that the stiffness does not",
                  "name one device: several need both in the same places");
    }
  }
}

/// Rows of a part from one on, with the wanted columns, which are numbered as they stand there.
BlockCsr<double> MatrixParts::columns(int p, std::int32_t first_row,
                                      std::span<const std::int32_t> wanted) const {
  const RowsOfPart& part = this->part(p);
  std::vector<std::int32_t> place(static_cast<std::size_t>(a_.columns()), -1);
  for (std::size_t i = 0; i < wanted.size(); ++i)
    place[static_cast<std::size_t>(wanted[i])] = static_cast<std::int32_t>(i);
  const auto n = static_cast<std::size_t>(a_.height());
  const auto offsets = a_.offset().host();
  const auto values = a_.value().host();
  std::vector<std::int32_t> offset{0};
  std::vector<std::int32_t> column;
  std::vector<double> value;
  std::vector<std::pair<std::int32_t, std::size_t>> taken;  // place, and position in the row
  for (auto r = static_cast<std::size_t>(first_row); r < part.rows.size(); ++r) {
    const std::int32_t row = part.rows[r];
    const auto own = columns_of(a_, row);
    taken.clear();
    for (std::size_t k = 0; k < own.size(); ++k) {
      const std::int32_t at = place[static_cast<std::size_t>(own[k])];
      if (at >= 0) taken.emplace_back(at, k);
    }
    std::ranges::sort(taken);
    const double* const from =
        values.data() + static_cast<std::size_t>(offsets[static_cast<std::size_t>(row)]) * n * n;
    for (const auto& [at, k] : taken) column.push_back(at);
    for (std::size_t i = 0; i < n; ++i) {  // a block row lies scalar row by scalar row
      for (const auto& [at, k] : taken) {
        const double* const block = from + i * own.size() * n + k * n;
        value.insert(value.end(), block, block + n);
      }
    }
    offset.push_back(static_cast<std::int32_t>(column.size()));
  }
  const exec::Device device = exec::Device::cpu(1);  // of the caller alone: members take their parts at once
  return {static_cast<std::int32_t>(offset.size()) - 1,
          static_cast<std::int32_t>(wanted.size()),
          a_.height(),
          a_.width(),
          exec::Array<std::int32_t>(device, offset),
          exec::Array<std::int32_t>(device, column),
          exec::Array<double>(device, value)};
}

BlockCsr<double> MatrixParts::own(int p) const {
  return columns(p, 0, part(p).rows);
}

BlockCsr<double> MatrixParts::beside(int p) const {
  return columns(p, part(p).inner, part(p).ghosts);
}

}  // namespace setka::domains
