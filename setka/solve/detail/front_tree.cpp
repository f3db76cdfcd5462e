// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/solve/detail/front_tree.hpp"

#include <algorithm>

namespace setka::solve::detail {
namespace {

constexpr double subtree_share = 1.0 / 32;  // of all flops: a larger subtree is taken apart
constexpr double min_subtree_flops = 1e6;   // one that is not worth a loop of its own

}  // namespace

FrontTree::FrontTree(const cholmod_factor& factor)
    : column_(static_cast<const SuiteSparse_long*>(factor.super)),
      offset_(static_cast<const SuiteSparse_long*>(factor.pi)),
      place_(static_cast<const SuiteSparse_long*>(factor.px)),
      row_(static_cast<const SuiteSparse_long*>(factor.s)),
      order_(static_cast<const SuiteSparse_long*>(factor.Perm)),
      rows_(static_cast<std::int64_t>(factor.n)),
      count_(static_cast<std::int64_t>(factor.nsuper)),
      of_column_(factor.n),
      parent_(factor.nsuper, -1),
      child_(factor.nsuper),
      flops_(factor.nsuper, 0.0) {
  for (std::int64_t s = 0; s < count_; ++s)
    std::fill(of_column_.begin() + column_[s], of_column_.begin() + column_[s + 1],
              static_cast<std::int32_t>(s));
  for (std::int64_t s = 0; s < count_; ++s) {
    flops_[at(s)] += own_flops(s);
    if (below(s) == 0) continue;
    const std::int32_t parent = of_column_[at(rows(s)[at(columns(s))])];
    parent_[at(s)] = parent;
    child_[at(parent)].push_back(static_cast<std::int32_t>(s));
    flops_[at(parent)] += flops_[at(s)];
  }
  take_apart();
}

double FrontTree::own_flops(std::int64_t s) const {
  const auto k = static_cast<double>(columns(s));
  const auto m = static_cast<double>(below(s));
  return k * (k * k / 3 + k * m + m * m);
}

std::int64_t FrontTree::first_of(std::int64_t root) const {
  while (!child_[at(root)].empty()) root = child_[at(root)].front();
  return root;
}

void FrontTree::take_apart() {
  double total = 0;
  std::vector<std::int32_t> waiting;
  for (std::int64_t s = 0; s < count_; ++s) {
    if (parent_[at(s)] >= 0) continue;
    total += flops_[at(s)];
    waiting.push_back(static_cast<std::int32_t>(s));
  }
  const double most = std::max(subtree_share * total, min_subtree_flops);
  while (!waiting.empty()) {
    const std::int32_t s = waiting.back();
    waiting.pop_back();
    if (flops_[at(s)] <= most) {
      subtrees_.push_back(s);
      continue;
    }
    above_.push_back(s);
    waiting.insert(waiting.end(), child_[at(s)].begin(), child_[at(s)].end());
  }
  std::ranges::sort(above_);
  std::ranges::sort(subtrees_, [&](std::int32_t a, std::int32_t b) {
    return flops_[at(a)] != flops_[at(b)] ? flops_[at(a)] > flops_[at(b)] : a < b;
  });
}

}  // namespace setka::solve::detail
