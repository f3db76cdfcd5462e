// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/solve/detail/ordering.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "setka/solve/detail/cholmod.hpp"

namespace setka::solve::detail {
namespace {

std::span<const std::int32_t> columns(const sparse::SymmetricCsr& a, std::int32_t row) {
  const auto i = static_cast<std::size_t>(row);
  return {a.column.data() + a.offset[i], static_cast<std::size_t>(a.offset[i + 1] - a.offset[i])};
}

/// [groups + 1] the first rows of groups. Only the upper triangle is looked at: a row that others see
/// otherwise may come in, which costs some entries of the factor and no exactness.
std::vector<std::int32_t> groups_of(const sparse::SymmetricCsr& a) {
  std::vector<std::int32_t> first;
  for (std::int32_t row = 0; row < a.rows; ++row) {
    const bool same = row > 0 && std::ranges::equal(columns(a, row - 1).subspan(1), columns(a, row));
    if (!same) first.push_back(row);
  }
  first.push_back(a.rows);
  return first;
}

/// The matrix of groups, as its pattern.
struct Quotient {
  std::vector<SuiteSparse_long> offset{0};
  std::vector<SuiteSparse_long> row;
  cholmod_sparse matrix{};

  Quotient(const sparse::SymmetricCsr& a, const std::vector<std::int32_t>& first) {
    std::vector<std::int32_t> group(static_cast<std::size_t>(a.rows));
    for (std::size_t g = 0; g + 1 < first.size(); ++g)
      std::fill(group.begin() + first[g], group.begin() + first[g + 1], static_cast<std::int32_t>(g));
    for (std::size_t g = 0; g + 1 < first.size(); ++g) {
      SuiteSparse_long last = -1;
      for (const std::int32_t column : columns(a, first[g])) {
        const SuiteSparse_long other = group[static_cast<std::size_t>(column)];
        if (other != last) row.push_back(other);
        last = other;
      }
      offset.push_back(static_cast<SuiteSparse_long>(row.size()));
    }
    matrix = lower_triangle(offset, row, nullptr);
  }
};

}  // namespace

cholmod_factor* analysed(cholmod_sparse& matrix, const sparse::SymmetricCsr& a, cholmod_common& common) {
  const std::vector<std::int32_t> first = groups_of(a);
  if (3 * first.size() > 2 * static_cast<std::size_t>(a.rows)) return cholmod_l_analyze(&matrix, &common);
  Quotient quotient(a, first);
  cholmod_factor* of_groups = cholmod_l_analyze(&quotient.matrix, &common);
  if (of_groups == nullptr) return nullptr;
  const auto* const order = static_cast<const SuiteSparse_long*>(of_groups->Perm);
  std::vector<SuiteSparse_long> given;
  given.reserve(static_cast<std::size_t>(a.rows));
  for (std::size_t i = 0; i + 1 < first.size(); ++i) {
    const auto g = static_cast<std::size_t>(order[i]);
    for (std::int32_t row = first[g]; row < first[g + 1]; ++row) given.push_back(row);
  }
  cholmod_l_free_factor(&of_groups, &common);
  const int methods = common.nmethods;
  const int ordering = common.method[0].ordering;
  common.nmethods = 1;
  common.method[0].ordering = CHOLMOD_GIVEN;
  cholmod_factor* factor = cholmod_l_analyze_p(&matrix, given.data(), nullptr, 0, &common);
  common.nmethods = methods;
  common.method[0].ordering = ordering;
  return factor;
}

}  // namespace setka::solve::detail
