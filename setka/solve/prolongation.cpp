// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/solve/prolongation.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "setka/exec/parallel.hpp"
#include "setka/sparse/spgemm.hpp"

namespace setka::solve {
namespace {

/// Block rows of each aggregate: member[first[g] .. first[g + 1]).
struct Members {
  std::vector<std::int32_t> first;
  std::vector<std::int32_t> member;
};

Members members_of(const Aggregates& aggregates) {
  Members members;
  members.first.assign(static_cast<std::size_t>(aggregates.count) + 1, 0);
  for (const std::int32_t g : aggregates.of) {
    if (g >= 0) ++members.first[static_cast<std::size_t>(g) + 1];
  }
  for (std::size_t g = 0; g + 1 < members.first.size(); ++g) members.first[g + 1] += members.first[g];
  members.member.resize(static_cast<std::size_t>(members.first.back()));
  std::vector<std::int32_t> next(members.first.begin(), members.first.end() - 1);
  for (std::size_t i = 0; i < aggregates.of.size(); ++i) {
    const std::int32_t g = aggregates.of[i];
    if (g >= 0) {
      members.member[static_cast<std::size_t>(next[static_cast<std::size_t>(g)]++)] =
          static_cast<std::int32_t>(i);
    }
  }
  return members;
}

/// Q R = Q0 by Gram-Schmidt, done twice for each column. q: [rows, m] in and out; r: [m, m]. A column that
/// depends on those before it becomes zero, with zeros in its row of r.
void orthonormalise(double* q, std::int64_t rows, int m, double* r) {
  constexpr double dependent = 1e-10;
  std::fill_n(r, m * m, 0.0);
  const auto dot = [&](int a, int b) {
    double sum = 0;
    for (std::int64_t i = 0; i < rows; ++i) sum += q[i * m + a] * q[i * m + b];
    return sum;
  };
  for (int j = 0; j < m; ++j) {
    const double before = std::sqrt(dot(j, j));
    for (int pass = 0; pass < 2; ++pass) {
      for (int k = 0; k < j; ++k) {
        const double share = dot(k, j);
        r[k * m + j] += share;
        for (std::int64_t i = 0; i < rows; ++i) q[i * m + j] -= share * q[i * m + k];
      }
    }
    const double size = std::sqrt(dot(j, j));
    const bool keep = size > dependent * before;
    r[j * m + j] = keep ? size : 0.0;
    const double scale = keep ? 1 / size : 0.0;
    for (std::int64_t i = 0; i < rows; ++i) q[i * m + j] *= scale;
  }
}

}  // namespace

Tentative tentative_prolongation(const sparse::BlockCsr<double>& a, const Aggregates& aggregates,
                                 const std::vector<double>& modes, int m) {
  const exec::Device& cpu = a.device();
  const int n = a.height();
  const std::int32_t rows = a.rows();
  exec::Array<std::int32_t> offset(cpu, std::int64_t{rows} + 1);
  std::int32_t blocks = 0;
  for (std::int32_t i = 0; i < rows; ++i) {
    offset.data()[i] = blocks;
    blocks += aggregates.of[static_cast<std::size_t>(i)] >= 0 ? 1 : 0;
  }
  offset.data()[rows] = blocks;
  exec::Array<std::int32_t> column(cpu, blocks);
  exec::Array<double> value(cpu, std::int64_t{blocks} * n * m);
  std::vector<double> coarse(static_cast<std::size_t>(aggregates.count) * static_cast<std::size_t>(m * m));
  const Members members = members_of(aggregates);
  exec::host::for_each(cpu.threads(), aggregates.count, 16, [&](std::int64_t g) {
    thread_local std::vector<double> q;
    const auto first = static_cast<std::size_t>(members.first[static_cast<std::size_t>(g)]);
    const auto last = static_cast<std::size_t>(members.first[static_cast<std::size_t>(g) + 1]);
    const std::int64_t block = std::int64_t{n} * m;
    q.resize((last - first) * static_cast<std::size_t>(block));
    for (std::size_t k = first; k < last; ++k) {
      std::copy_n(modes.data() + members.member[k] * block, block,
                  q.data() + static_cast<std::int64_t>(k - first) * block);
    }
    orthonormalise(q.data(), static_cast<std::int64_t>(last - first) * n, m, coarse.data() + g * m * m);
    for (std::size_t k = first; k < last; ++k) {
      const std::int32_t at = offset.data()[members.member[k]];
      column.data()[at] = static_cast<std::int32_t>(g);
      std::copy_n(q.data() + static_cast<std::int64_t>(k - first) * block, block, value.data() + at * block);
    }
  });
  return {sparse::BlockCsr<double>(rows, aggregates.count, n, m, std::move(offset), std::move(column),
                                   std::move(value)),
          std::move(coarse)};
}

sparse::BlockCsr<double> smooth_prolongation(const sparse::BlockCsr<double>& a,
                                             const std::vector<double>& inverse_blocks, double omega,
                                             const sparse::BlockCsr<double>& tentative) {
  sparse::BlockCsr<double> p = sparse::multiply(a, tentative);
  const sparse::BlockCsrView<double> t = tentative.view();
  const int n = a.height();
  const int m = tentative.width();
  exec::host::for_each(a.device().threads(), a.rows(), 64, [&](std::int64_t i) {
    thread_local std::vector<double> row;
    const std::int32_t begin = p.offset().data()[i];
    const std::int32_t end = p.offset().data()[i + 1];
    const std::int64_t width = std::int64_t{end - begin} * m;
    double* const values = p.value().data() + std::int64_t{begin} * n * m;
    row.assign(values, values + n * width);
    const double* const inverse = inverse_blocks.data() + i * n * n;
    std::fill_n(values, n * width, 0.0);
    for (int r = 0; r < n; ++r) {
      for (int c = 0; c < n; ++c) {
        const double factor = -omega * inverse[r * n + c];
        const double* const from = row.data() + c * width;
        for (std::int64_t l = 0; l < width; ++l) values[r * width + l] += factor * from[l];
      }
    }
    for (std::int32_t k = t.offset[i]; k < t.offset[i + 1]; ++k) {
      const std::int32_t* const columns = p.column().data();
      const auto at = std::lower_bound(columns + begin, columns + end, t.column[k]) - (columns + begin);
      const double* const from = t.value + std::int64_t{t.offset[i]} * n * m;
      for (std::int64_t r = 0; r < n; ++r) {
        for (int c = 0; c < m; ++c) {
          values[r * width + at * m + c] += from[r * m + c];
        }
      }
    }
  });
  return p;
}

}  // namespace setka::solve
