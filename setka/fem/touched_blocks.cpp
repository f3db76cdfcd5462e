// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/fem/touched_blocks.hpp"

#include <algorithm>

#include "setka/exec/parallel.hpp"

namespace setka::fem {

TouchedBlocks::TouchedBlocks(const Space& space) {
  const Region& region = space.region();
  const std::int32_t components = space.components();
  first.reserve(region.type.size() + 1);
  index.reserve(region.node.size());
  std::vector<std::int32_t> own;
  for (std::int32_t e = 0; e < region.element_count(); ++e) {
    own.clear();
    for (const std::int32_t node : region.nodes(e)) {
      for (std::int32_t i = 0; i < components; ++i) {
        for (const Term& term : space.constraints().row(components * node + i)) {
          const std::int32_t block = space.place(term) / components;
          if (own.empty() || own.back() != block) own.push_back(block);
        }
      }
    }
    std::sort(own.begin(), own.end());
    own.erase(std::unique(own.begin(), own.end()), own.end());
    index.insert(index.end(), own.begin(), own.end());
    first.push_back(static_cast<std::int64_t>(index.size()));
  }
}

TouchingElements::TouchingElements(const TouchedBlocks& touched, std::size_t blocks) {
  first.assign(blocks + 1, 0);
  for (const std::int32_t b : touched.index) ++first[static_cast<std::size_t>(b) + 1];
  for (std::size_t b = 0; b < blocks; ++b) first[b + 1] += first[b];
  element.resize(touched.index.size());
  std::vector<std::int64_t> next(first.begin(), first.end() - 1);
  for (std::size_t e = 0; e + 1 < touched.first.size(); ++e) {
    for (const std::int32_t b : touched.of(e))
      element[static_cast<std::size_t>(next[static_cast<std::size_t>(b)]++)] = static_cast<std::int32_t>(e);
  }
}

PatternSize size_of_pattern(const Space& space, const exec::Device& cpu, bool with_graph) {
  const TouchedBlocks touched(space);
  const auto rows = static_cast<std::size_t>(space.blocks());
  const TouchingElements touching(touched, rows);
  PatternSize size;
  size.rows = space.blocks();
  size.width.assign(rows, 0);
  for (const std::int32_t place : space.places())
    ++size.width[static_cast<std::size_t>(place / space.components())];
  for (std::size_t e = 0; e + 1 < touched.first.size(); ++e) {
    const auto own = static_cast<double>(touched.first[e + 1] - touched.first[e]);
    size.pairs += own * own;
  }
  // Each run of rows has a mark for every block: the last row that has seen it.
  const std::int64_t runs = std::clamp<std::int64_t>(size.rows / 1024, 1, cpu.threads());
  std::vector<std::int64_t> counted(static_cast<std::size_t>(runs), 0);
  std::vector<std::vector<std::int32_t>> later(static_cast<std::size_t>(runs));
  if (with_graph) size.offset.assign(rows + 1, 0);
  exec::host::for_each(cpu.threads(), runs, 1, [&](std::int64_t run) {
    std::vector<std::int32_t> seen_by(rows, -1);
    auto& own = later[static_cast<std::size_t>(run)];
    std::int64_t count = 0;
    for (std::int64_t row = size.rows * run / runs; row < size.rows * (run + 1) / runs; ++row) {
      const std::size_t begin = own.size();
      for (const std::int32_t e : touching.of(static_cast<std::size_t>(row))) {
        for (const std::int32_t block : touched.of(static_cast<std::size_t>(e))) {
          std::int32_t& last = seen_by[static_cast<std::size_t>(block)];
          if (last == row) continue;
          last = static_cast<std::int32_t>(row);
          ++count;
          if (with_graph && block >= row) own.push_back(block);
        }
      }
      if (!with_graph) continue;
      std::sort(own.begin() + static_cast<std::ptrdiff_t>(begin), own.end());
      size.offset[static_cast<std::size_t>(row) + 1] = static_cast<std::int64_t>(own.size() - begin);
    }
    counted[static_cast<std::size_t>(run)] = count;
  });
  for (const std::int64_t count : counted) size.blocks += count;
  size.entries = size.blocks * space.components() * space.components();
  if (with_graph) {
    for (std::size_t row = 0; row < rows; ++row) size.offset[row + 1] += size.offset[row];
    for (const auto& own : later) size.later.insert(size.later.end(), own.begin(), own.end());
  }
  return size;
}

}  // namespace setka::fem
