// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/fem/point_places.hpp"

namespace setka::fem {

PointPlaces::PointPlaces(const ElementSet& set) {
  std::vector<std::int64_t> first(static_cast<std::size_t>(set.element_count()) + 1, 0);
  for (const ElementGroup& group : set.groups()) {
    for (const std::int32_t e : group.elements()) first[static_cast<std::size_t>(e) + 1] = group.points();
  }
  for (std::size_t e = 1; e < first.size(); ++e) first[e] += first[e - 1];
  count_ = first.back();
  for (const ElementGroup& group : set.groups()) {
    std::vector<std::int64_t> own;
    own.reserve(group.elements().size());
    for (const std::int32_t e : group.elements()) own.push_back(first[static_cast<std::size_t>(e)]);
    first_.emplace_back(set.device(), own);
  }
}

}  // namespace setka::fem
