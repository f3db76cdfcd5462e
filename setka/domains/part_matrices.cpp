// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/domains/part_matrices.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>

#include "setka/base/error.hpp"
#include "setka/domains/overlap.hpp"
#include "setka/solve/cholesky.hpp"

namespace setka::domains {
namespace {

/// A difference of diagonals that is a smaller part of them is rounding.
constexpr double rounding = 1e-9;

/// visit(scalar row, entry) for the diagonal; the entry may be changed.
template <class Visit>
void each_diagonal_entry(const sparse::BlockCsr<double>& a, const Visit& visit) {
  const sparse::BlockCsrView<double> view = a.view();
  const int n = a.height();
  for (std::int32_t i = 0; i < a.rows(); ++i) {
    const std::int64_t width = std::int64_t{n} * (view.offset[i + 1] - view.offset[i]);
    for (std::int32_t k = view.offset[i]; k < view.offset[i + 1]; ++k) {
      if (view.column[k] != i) continue;
      const std::int64_t block =
          std::int64_t{n} * n * view.offset[i] + std::int64_t{n} * (k - view.offset[i]);
      for (int c = 0; c < n; ++c) visit(std::int64_t{n} * i + c, block + c * width + c);
    }
  }
}

/// The elements of a part as a region of all nodes.
struct ElementsOfPart {
  std::vector<std::int32_t> element;  // of the whole
  std::vector<fem::Element> type;
  std::vector<std::int64_t> first_node{0};
  std::vector<std::int32_t> node;

  void add(const fem::Region& whole, std::int32_t e) {
    const auto own = whole.nodes(e);
    element.push_back(e);
    type.push_back(whole.type[static_cast<std::size_t>(e)]);
    node.insert(node.end(), own.begin(), own.end());
    first_node.push_back(static_cast<std::int64_t>(node.size()));
  }

  fem::Region region(const fem::Region& whole) const { return {whole.coordinates, type, first_node, node}; }
};

}  // namespace

std::vector<PartMatrix> part_matrices(const fem::Space& space, const fem::ElementMatrix& element_matrix,
                                      const Partition& elements, int threads) {
  const fem::Region& whole = space.region();
  require(elements.of.size() == static_cast<std::size_t>(whole.element_count()),
          "part_matrices: a partition of another number of elements");
  std::vector<ElementsOfPart> own(static_cast<std::size_t>(elements.parts));
  for (std::int32_t e = 0; e < whole.element_count(); ++e)
    own[static_cast<std::size_t>(elements.of[static_cast<std::size_t>(e)])].add(whole, e);
  std::vector<std::optional<PartMatrix>> made(own.size());
  solve::side_by_side(threads, elements.parts, [&](std::int64_t at) {
    const auto p = static_cast<std::size_t>(at);
    const ElementsOfPart& part = own[p];
    const fem::Space of_part(part.region(whole), space.components(), space.constraints());
    require(std::ranges::equal(of_part.places(), space.places()), "part_matrices: nodes of a space in order");
    Monitor silent;
    const sparse::BlockCsr<double> all = fem::assemble(
                                             of_part,
                                             [&](std::int32_t e, std::span<double> k) {
                                               element_matrix(part.element[static_cast<std::size_t>(e)], k);
                                             },
                                             exec::Device::cpu(1), silent)
                                             .matrix;
    std::vector<std::int32_t> rows;
    const auto offset = all.offset().host();
    for (std::int32_t i = 0; i < all.rows(); ++i) {
      if (offset[static_cast<std::size_t>(i) + 1] > offset[static_cast<std::size_t>(i)]) rows.push_back(i);
    }
    sparse::BlockCsr<double> matrix = principal_submatrix(all, rows);
    made[p].emplace(PartMatrix{std::move(rows), std::move(matrix)});
  });
  std::vector<PartMatrix> parts;
  parts.reserve(made.size());
  for (std::optional<PartMatrix>& one : made) parts.push_back(std::move(*one));
  return parts;
}

void add_missing_diagonal(const sparse::BlockCsr<double>& whole, std::span<PartMatrix> parts) {
  std::vector<double> missing(static_cast<std::size_t>(whole.scalar_rows()), 0.0);
  std::vector<double> least(missing.size(), 0.0);
  each_diagonal_entry(whole, [&](std::int64_t row, std::int64_t at) {
    const double value = whole.value().host()[static_cast<std::size_t>(at)];
    missing[static_cast<std::size_t>(row)] = value;
    least[static_cast<std::size_t>(row)] = rounding * std::abs(value);
  });
  const auto n = static_cast<std::size_t>(whole.height());
  const auto each = [&](const auto& visit) {
    for (PartMatrix& part : parts) {
      const auto values = part.matrix.value().host();
      each_diagonal_entry(part.matrix, [&](std::int64_t row, std::int64_t at) {
        const auto r = static_cast<std::size_t>(row);
        visit(n * static_cast<std::size_t>(part.rows[r / n]) + r % n, values[static_cast<std::size_t>(at)]);
      });
    }
  };
  each([&](std::size_t row, double& value) { missing[row] -= value; });
  each([&](std::size_t row, double& value) {
    if (missing[row] > least[row]) value += missing[row];
    missing[row] = 0;
  });
}

}  // namespace setka::domains
