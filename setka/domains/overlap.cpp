// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/domains/overlap.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>

#include <fmt/core.h>

#include "setka/base/error.hpp"
#include "setka/exec/array.hpp"
#include "setka/exec/parallel.hpp"

namespace setka::domains {
namespace {

/// Grows a part by layers. Heights tell how many layers lie between a vertex and what the part has not:
/// overlap + 1 on the border of its own vertices, one more with each step inwards, one less outwards.
class Growth {
 public:
  Growth(const Graph& graph, const Partition& partition, int layers)
      : graph_(graph), partition_(partition), layers_(layers) {}

  /// own: the vertices of the part, ascending. Returns the part with heights for weights.
  OverlappingPart of(std::int32_t part, const std::vector<std::int32_t>& own) {
    height_.resize(static_cast<std::size_t>(graph_.size()), 0);
    touched_.clear();
    const auto is_own = [&](std::int32_t v) { return partition_.of[static_cast<std::size_t>(v)] == part; };
    std::vector<std::int32_t> border;
    for (const std::int32_t v : own) {
      if (!std::ranges::all_of(graph_.neighbours(v), is_own)) border.push_back(v);
    }
    for (const std::int32_t v : border) set(v, layers_ + 1);
    std::vector<std::int32_t> front = border;
    for (int k = 1; k <= layers_; ++k)
      front = next(front, layers_ + 1 - k, [&](auto v) { return !is_own(v); });
    front = std::move(border);
    for (int k = 1; k < layers_; ++k) front = next(front, layers_ + 1 + k, is_own);
    OverlappingPart made;
    made.vertices = own;
    for (const std::int32_t v : touched_) {
      if (!is_own(v)) made.vertices.push_back(v);
    }
    std::ranges::sort(made.vertices);
    for (const std::int32_t v : made.vertices) {
      const int height = height_[static_cast<std::size_t>(v)];
      made.own.push_back(is_own(v));
      made.weight.push_back(height == 0 ? 1 : height);  // 0: inside, where no other part reaches
    }
    for (const std::int32_t v : touched_) height_[static_cast<std::size_t>(v)] = 0;
    return made;
  }

 private:
  void set(std::int32_t v, int height) {
    height_[static_cast<std::size_t>(v)] = height;
    touched_.push_back(v);
  }

  template <class Allowed>
  std::vector<std::int32_t> next(const std::vector<std::int32_t>& front, int height, const Allowed& allowed) {
    std::vector<std::int32_t> found;
    for (const std::int32_t v : front) {
      for (const std::int32_t neighbour : graph_.neighbours(v)) {
        if (height_[static_cast<std::size_t>(neighbour)] != 0 || !allowed(neighbour)) continue;
        set(neighbour, height);
        found.push_back(neighbour);
      }
    }
    return found;
  }

  const Graph& graph_;
  const Partition& partition_;
  int layers_;
  std::vector<int> height_;  // [vertices], 0: not reached
  std::vector<std::int32_t> touched_;
};

}  // namespace

std::vector<OverlappingPart> overlapping_parts(const Graph& graph, const Partition& partition, int layers,
                                               int threads) {
  require(partition.of.size() == static_cast<std::size_t>(graph.size()) && layers >= 0, [&] {
    return fmt::format("overlapping_parts: {} vertices, parts of {}, {} layers", graph.size(),
                       partition.of.size(), layers);
  });
  std::vector<std::vector<std::int32_t>> own(static_cast<std::size_t>(partition.parts));
  for (std::int32_t v = 0; v < graph.size(); ++v)
    own[static_cast<std::size_t>(partition.of[static_cast<std::size_t>(v)])].push_back(v);
  std::vector<OverlappingPart> parts(own.size());
  exec::host::for_each(threads, partition.parts, 1, [&](std::int64_t p) {
    const auto at = static_cast<std::size_t>(p);
    parts[at] = Growth(graph, partition, layers).of(static_cast<std::int32_t>(p), own[at]);
  });
  std::vector<double> sum(static_cast<std::size_t>(graph.size()), 0.0);
  const auto each = [&](const auto& visit) {
    for (OverlappingPart& part : parts) {
      for (std::size_t i = 0; i < part.vertices.size(); ++i)
        visit(part.weight[i], sum[static_cast<std::size_t>(part.vertices[i])]);
    }
  };
  each([](const double& weight, double& total) { total += weight; });
  each([](double& weight, const double& total) { weight /= total; });
  return parts;
}

PartsOfVertices::PartsOfVertices(std::int32_t vertices, std::span<const OverlappingPart> parts)
    : offset(static_cast<std::size_t>(vertices) + 1, 0) {
  for (const OverlappingPart& part : parts) {
    for (const std::int32_t v : part.vertices) ++offset[static_cast<std::size_t>(v) + 1];
  }
  std::partial_sum(offset.begin(), offset.end(), offset.begin());
  place.resize(static_cast<std::size_t>(offset.back()));
  std::vector<std::int64_t> next(offset.begin(), offset.end() - 1);
  for (std::size_t p = 0; p < parts.size(); ++p) {
    for (std::size_t i = 0; i < parts[p].vertices.size(); ++i) {
      const auto v = static_cast<std::size_t>(parts[p].vertices[i]);
      place[static_cast<std::size_t>(next[v]++)] = {static_cast<std::int32_t>(p),
                                                    static_cast<std::int32_t>(i)};
    }
  }
}

sparse::BlockCsr<double> principal_submatrix(const sparse::BlockCsr<double>& a,
                                             std::span<const std::int32_t> rows) {
  const auto offsets = a.offset().host();
  const auto columns = a.column().host();
  const auto values = a.value().host();
  const auto n = static_cast<std::size_t>(a.height());
  std::vector<std::int32_t> offset{0};
  std::vector<std::int32_t> column;
  std::vector<double> value;
  std::vector<std::size_t> taken;  // positions in the row
  for (const std::int32_t row : rows) {
    const auto first = static_cast<std::size_t>(offsets[static_cast<std::size_t>(row)]);
    const auto count = static_cast<std::size_t>(offsets[static_cast<std::size_t>(row) + 1]) - first;
    taken.clear();
    auto from = rows.begin();
    for (std::size_t k = 0; k < count; ++k) {
      from = std::lower_bound(from, rows.end(), columns[first + k]);
      if (from == rows.end()) break;
      if (*from != columns[first + k]) continue;
      taken.push_back(k);
      column.push_back(static_cast<std::int32_t>(from - rows.begin()));
    }
    for (std::size_t i = 0; i < n; ++i) {  // a block row lies scalar row by scalar row
      for (const std::size_t k : taken) {
        const double* const block = values.data() + first * n * n + i * count * n + k * n;
        value.insert(value.end(), block, block + n);
      }
    }
    offset.push_back(static_cast<std::int32_t>(column.size()));
  }
  const auto size = static_cast<std::int32_t>(rows.size());
  const exec::Device device = exec::Device::cpu(1);
  return {size,
          size,
          a.height(),
          a.width(),
          exec::Array<std::int32_t>(device, offset),
          exec::Array<std::int32_t>(device, column),
          exec::Array<double>(device, value)};
}

}  // namespace setka::domains
