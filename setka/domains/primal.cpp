// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/domains/primal.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <utility>

#include "setka/base/dense.hpp"
#include "setka/exec/parallel.hpp"

namespace setka::domains {
namespace {

/// A motion whose square is so small a share of the largest one's, when the others are taken out, is one of
/// them.
constexpr double dependent = 1e-8;

using PartsOfRow = std::vector<std::int32_t>;

/// Numbers the pieces of a part's boundary: block rows of the same parts that its elements connect. Others
/// have -1.
std::vector<std::int32_t> pieces(const PartMatrix& part, const std::vector<PartsOfRow>& parts_of) {
  const auto of = [&](std::int32_t row) -> const PartsOfRow& {
    return parts_of[static_cast<std::size_t>(part.rows[static_cast<std::size_t>(row)])];
  };
  const auto offset = part.matrix.offset().host();
  const auto column = part.matrix.column().host();
  std::vector<std::int32_t> piece(part.rows.size(), -1);
  std::int32_t count = 0;
  std::vector<std::int32_t> front;
  for (std::int32_t start = 0; start < part.matrix.rows(); ++start) {
    if (piece[static_cast<std::size_t>(start)] >= 0 || of(start).size() < 2) continue;
    piece[static_cast<std::size_t>(start)] = count;
    front.assign(1, start);
    while (!front.empty()) {
      const auto row = static_cast<std::size_t>(front.back());
      front.pop_back();
      for (std::int32_t k = offset[row]; k < offset[row + 1]; ++k) {
        const std::int32_t next = column[static_cast<std::size_t>(k)];
        if (piece[static_cast<std::size_t>(next)] >= 0 || of(next) != of(start)) continue;
        piece[static_cast<std::size_t>(next)] = count;
        front.push_back(next);
      }
    }
    ++count;
  }
  return piece;
}

/// The means of a class: its modes, made orthonormal.
void find_means(PrimalClass& one, const Interface& interface, std::span<const double> mode, int modes) {
  const auto unknowns = static_cast<std::int64_t>(one.unknown.size());
  Dense z(unknowns, modes);
  for (std::int64_t i = 0; i < unknowns; ++i) {
    const auto row = static_cast<std::size_t>(
        interface.row[static_cast<std::size_t>(one.unknown[static_cast<std::size_t>(i)])]);
    for (int m = 0; m < modes; ++m)
      z(i, m) = mode[row * static_cast<std::size_t>(modes) + static_cast<std::size_t>(m)];
  }
  const Eigenpairs axes = eigenpairs(product(z.transposed(), z));
  for (int m = modes; m-- > 0;) {
    const double square = axes.value[static_cast<std::size_t>(m)];
    if (!(square > dependent * axes.value.back())) break;
    ++one.count;
    for (std::int64_t i = 0; i < unknowns; ++i) {
      double sum = 0;
      for (int k = 0; k < modes; ++k) sum += z(i, k) * axes.vector(k, m);
      one.value.push_back(sum / std::sqrt(square));
    }
  }
}

}  // namespace

std::vector<PrimalClass> primal_classes(std::span<const PartMatrix> parts, const Interface& interface,
                                        std::span<const double> mode, int modes, int threads) {
  if (parts.empty()) return {};
  const int n = parts.front().matrix.height();
  std::vector<PartsOfRow> parts_of(interface.number.size() / static_cast<std::size_t>(n));
  for (std::size_t p = 0; p < parts.size(); ++p) {
    for (const std::int32_t row : parts[p].rows)
      parts_of[static_cast<std::size_t>(row)].push_back(static_cast<std::int32_t>(p));
  }
  std::vector<std::vector<std::int32_t>> piece_of(parts.size());
  exec::host::for_each(threads, static_cast<std::int64_t>(parts.size()), 1, [&](std::int64_t p) {
    piece_of[static_cast<std::size_t>(p)] = pieces(parts[static_cast<std::size_t>(p)], parts_of);
  });
  // A class is told by its parts and by its piece in each of them.
  std::vector<std::vector<std::pair<std::int32_t, std::int32_t>>> key(parts_of.size());
  for (std::size_t p = 0; p < parts.size(); ++p) {
    for (std::size_t i = 0; i < parts[p].rows.size(); ++i) {
      if (piece_of[p][i] >= 0)
        key[static_cast<std::size_t>(parts[p].rows[i])].emplace_back(static_cast<std::int32_t>(p),
                                                                     piece_of[p][i]);
    }
  }
  std::map<std::vector<std::pair<std::int32_t, std::int32_t>>, std::size_t> class_of;
  std::vector<PrimalClass> classes;
  for (std::int32_t i = 0; i < static_cast<std::int32_t>(interface.size()); ++i) {
    const auto row = static_cast<std::size_t>(interface.row[static_cast<std::size_t>(i)] / n);
    const auto [found, is_new] = class_of.try_emplace(key[row], classes.size());
    if (is_new) classes.emplace_back();
    classes[found->second].unknown.push_back(i);
  }
  exec::host::for_each(threads, static_cast<std::int64_t>(classes.size()), 1, [&](std::int64_t c) {
    find_means(classes[static_cast<std::size_t>(c)], interface, mode, modes);
  });
  std::int32_t first = 0;
  for (PrimalClass& one : classes) {
    one.first = first;
    first += one.count;
  }
  return classes;
}

}  // namespace setka::domains
