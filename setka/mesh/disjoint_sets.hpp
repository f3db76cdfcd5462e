// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

namespace setka::mesh {

/// Numbers 0 .. size - 1 in sets that are joined one by one (union-find); at first each is a set of its own.
class DisjointSets {
 public:
  explicit DisjointSets(std::int32_t size) : above_(static_cast<std::size_t>(size)) {
    std::iota(above_.begin(), above_.end(), 0);
  }

  /// The member that stands for all of its set; shortens the way for the next call.
  std::int32_t leader(std::int32_t member) {
    while (above(member) != member) {
      above(member) = above(above(member));
      member = above(member);
    }
    return member;
  }

  /// The leader of b's set stands for both then. False where they were one set already.
  bool join(std::int32_t a, std::int32_t b) {
    const std::int32_t of_a = leader(a);
    const std::int32_t of_b = leader(b);
    above(of_a) = of_b;
    return of_a != of_b;
  }

  /// A set of its own again; for all members of a set, one after the other.
  void separate(std::int32_t member) { above(member) = member; }

 private:
  std::int32_t& above(std::int32_t member) { return above_[static_cast<std::size_t>(member)]; }

  std::vector<std::int32_t> above_;
};

}  // namespace setka::mesh
