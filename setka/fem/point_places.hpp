// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "setka/exec/array.hpp"
#include "setka/fem/element_set.hpp"

namespace setka::fem {

/// Where values at integration points stand: those of element 0 of a set, then those of element 1, ..; on the
/// device of the set.
class PointPlaces {
 public:
  explicit PointPlaces(const ElementSet& set);

  std::int64_t count() const { return count_; }  // of points

  /// The first point of each element of a group.
  const std::int64_t* first(std::size_t group) const { return first_[group].data(); }

 private:
  std::int64_t count_ = 0;
  std::vector<exec::Array<std::int64_t>> first_;
};

}  // namespace setka::fem
