// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/fem/element_chunks.hpp"

#include <algorithm>
#include <limits>
#include <type_traits>

#include <fmt/core.h>

#include "setka/base/error.hpp"

namespace setka::fem {
namespace {

constexpr int line = 8;  // doubles of memory that come together
constexpr int most_numbers = std::numeric_limits<std::uint16_t>::max();

/// One column is by far the most frequent, and worth code of its own.
template <class Body>
void with_columns(std::int64_t columns, const Body& body) {
  if (columns == 1) return body(std::integral_constant<std::int64_t, 1>{});
  body(columns);
}

}  // namespace

ElementChunks::ElementChunks(const ElementSet& set, int most_nodes) {
  require(!set.device().is_cuda(), "ElementChunks: the elements are on a GPU; chunks are for those of a CPU");
  require(most_nodes > 0, [&] {
    return fmt::format("ElementChunks: chunks of {} nodes; a positive number is right", most_nodes);
  });
  cut(set, std::min(most_nodes, most_numbers));
  share_nodes(set.node_count());
  number_nodes(set);
}

void ElementChunks::cut(const ElementSet& set, int most_nodes) {
  std::vector<std::int32_t> seen_by(static_cast<std::size_t>(set.node_count()), -1);  // the last such chunk
  std::int64_t numbers = 0;
  for (std::size_t g = 0; g < set.groups().size(); ++g) {
    const ElementGroup& group = set.groups()[g];
    const std::int32_t* const node = set.view(g).node;
    const std::int64_t width = std::int64_t{group.nodes()} * block_lanes;
    const double work = 3 * group.nodes() * (3 * group.nodes() + 1.0);
    for (std::int64_t block = 0; block < group.blocks(); ++block) {
      const std::span<const std::int32_t> touched(node + block * width, static_cast<std::size_t>(width));
      const bool begins = block == 0;
      const auto fresh = [&] {
        // A node may stand several times in a block: an upper bound is enough.
        const auto chunk = static_cast<std::int32_t>(chunks_.size()) - 1;
        return std::count_if(touched.begin(), touched.end(),
                             [&](std::int32_t n) { return seen_by[static_cast<std::size_t>(n)] != chunk; });
      };
      if (begins || chunks_.back().nodes + fresh() > most_nodes) {
        chunks_.push_back({g, block, block, numbers, static_cast<std::int64_t>(node_.size())});
        work_.push_back(work_.back());
      }
      ElementChunk& chunk = chunks_.back();
      const auto number = static_cast<std::int32_t>(chunks_.size()) - 1;
      for (const std::int32_t n : touched) {
        if (seen_by[static_cast<std::size_t>(n)] == number) continue;
        seen_by[static_cast<std::size_t>(n)] = number;
        node_.push_back(n);
        ++chunk.nodes;
      }
      ++chunk.last_block;
      numbers += width;
      work_.back() += work;
    }
  }
}

void ElementChunks::share_nodes(std::int64_t node_count) {
  std::vector<std::int32_t> chunks_of(static_cast<std::size_t>(node_count), 0);
  for (const std::int32_t n : node_) ++chunks_of[static_cast<std::size_t>(n)];
  std::vector<std::int64_t> next(static_cast<std::size_t>(node_count), 0);
  std::int64_t partials = 0;
  for (std::size_t n = 0; n < chunks_of.size(); ++n) {
    if (chunks_of[n] == 1) continue;
    shared_node_.push_back(static_cast<std::int32_t>(n));
    first_partial_.push_back(partials);
    next[n] = partials;
    partials += chunks_of[n];
  }
  first_partial_.push_back(partials);
  partial_.resize(static_cast<std::size_t>(partials));
  std::int32_t place = 0;
  for (ElementChunk& chunk : chunks_) {
    const auto first = node_.begin() + chunk.first_node;
    const auto last = first + chunk.nodes;
    std::sort(first, last);
    const auto shared = std::stable_partition(
        first, last, [&](std::int32_t n) { return chunks_of[static_cast<std::size_t>(n)] == 1; });
    chunk.own_nodes = static_cast<int>(shared - first);
    chunk.first_partial = place;
    for (auto n = shared; n != last; ++n)
      partial_[static_cast<std::size_t>(next[static_cast<std::size_t>(*n)]++)] = place++;
    // One node more: that of the lanes that fill up a block.
    stride_ = std::max(stride_, 3 * (std::int64_t{chunk.nodes} + 1));
  }
}

void ElementChunks::number_nodes(const ElementSet& set) {
  std::vector<std::uint16_t> number(static_cast<std::size_t>(set.node_count()));
  for (const ElementChunk& chunk : chunks_) {
    for (int i = 0; i < chunk.nodes; ++i) {
      const std::int32_t n = node_[static_cast<std::size_t>(chunk.first_node + i)];
      number[static_cast<std::size_t>(n)] = static_cast<std::uint16_t>(i);
    }
    const ElementGroup& group = set.groups()[chunk.group];
    const std::int32_t* const node = set.view(chunk.group).node;
    for (std::int64_t block = chunk.first_block; block < chunk.last_block; ++block) {
      for (int i = 0; i < group.nodes(); ++i) {
        for (int lane = 0; lane < block_lanes; ++lane) {
          const std::int32_t n = node[interleaved(block, group.nodes(), i, lane)];
          const bool fills = block * block_lanes + lane >= group.size();
          number_.push_back(fills ? static_cast<std::uint16_t>(chunk.nodes)
                                  : number[static_cast<std::size_t>(n)]);
        }
      }
    }
  }
}

std::span<const ElementChunk> ElementChunks::share(int worker, int workers) const {
  const auto start = [&](int w) {
    const double before = work_.back() * w / workers;
    return static_cast<std::size_t>(std::lower_bound(work_.begin(), work_.end() - 1, before) - work_.begin());
  };
  const std::size_t first = start(worker);
  const std::size_t last = worker + 1 == workers ? chunks_.size() : start(worker + 1);
  return std::span(chunks_).subspan(first, last - first);
}

void ElementChunks::gather(const ElementChunk& chunk, const kernel::DofSource& u, double* x,
                           const double* next) const {
  const std::span nodes = nodes_of(chunk);
  with_columns(u.x.columns, [&](auto columns) {
    double* to = x;
    for (const std::int32_t node : nodes) {
      const std::int64_t dof = 3 * std::int64_t{node};
      if (next != nullptr) {
        __builtin_prefetch(next, 0, 2);
        next += line;
      }
      for (int c = 0; c < 3; ++c, ++to) {
        const std::int64_t row = u.unknown == nullptr ? dof + c : u.unknown[dof + c];
        for (std::int64_t column = 0; column < columns; ++column)
          to[column * stride_] = row < 0 ? 0.0 : u.x(row, column);
      }
    }
    for (std::int64_t column = 0; column < columns; ++column) std::fill_n(to + column * stride_, 3, 0.0);
  });
}

void ElementChunks::scatter(const ElementChunk& chunk, const double* from, const DofTarget& y,
                            double* partial) const {
  const std::span own = nodes_of(chunk).first(static_cast<std::size_t>(chunk.own_nodes));
  with_columns(y.y.columns, [&](auto columns) {
    const double* at = from;
    for (const std::int32_t node : own) {
      for (int c = 0; c < 3; ++c, ++at) {
        const std::int64_t row = y.row(3 * std::int64_t{node} + c);
        if (row < 0) continue;
        for (std::int64_t column = 0; column < columns; ++column) y.y(row, column) = at[column * stride_];
      }
    }
    double* to = partial + 3 * chunk.first_partial * columns;
    for (const double* const end = from + std::ptrdiff_t{3} * chunk.nodes; at != end; ++at, to += columns) {
      for (std::int64_t column = 0; column < columns; ++column) to[column] = at[column * stride_];
    }
  });
}

void ElementChunks::sum(int worker, int workers, const double* partial, const DofTarget& y) const {
  const auto count = static_cast<std::int64_t>(shared_node_.size());
  with_columns(y.y.columns, [&](auto columns) {
    for (std::int64_t i = count * worker / workers; i < count * (worker + 1) / workers; ++i) {
      const auto at = static_cast<std::size_t>(i);
      const std::int64_t dof = 3 * std::int64_t{shared_node_[at]};
      const std::int64_t first = first_partial_[at];
      const std::int64_t last = first_partial_[at + 1];
      for (std::int64_t column = 0; column < columns; ++column) {
        double sum[3] = {0, 0, 0};
        for (std::int64_t p = first; p < last; ++p) {
          const std::int64_t place = partial_[static_cast<std::size_t>(p)];
          const double* const from = partial + 3 * place * columns;
          for (int c = 0; c < 3; ++c) sum[c] += from[c * columns + column];
        }
        for (int c = 0; c < 3; ++c) {
          const std::int64_t row = y.row(dof + c);
          if (row >= 0) y.y(row, column) = sum[c];
        }
      }
    }
  });
}

}  // namespace setka::fem
