// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/domains/partition.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <set>
#include <span>
#include <utility>

#include <fmt/core.h>

#include "setka/base/error.hpp"
#include "setka/base/log.hpp"
#include "setka/domains/detail/partitioners.hpp"

namespace setka::domains {
namespace {

constexpr bool with_metis =
#ifdef SETKA_WITH_METIS
    true;
#else
    false;
#endif
constexpr bool with_scotch =
#ifdef SETKA_WITH_SCOTCH
    true;
#else
    false;
#endif

Partitioner chosen(Partitioner wanted) {
  if (wanted != Partitioner::automatic) return wanted;
  if (with_metis) return Partitioner::metis;
  return with_scotch ? Partitioner::scotch : Partitioner::bisection;
}

std::vector<std::int32_t> shared_out(const Graph& graph, std::span<const double> shares, Partitioner by,
                                     [[maybe_unused]] double imbalance) {
#ifdef SETKA_WITH_METIS
  if (by == Partitioner::metis) return detail::by_metis(graph, shares, imbalance);
#endif
#ifdef SETKA_WITH_SCOTCH
  if (by == Partitioner::scotch) return detail::by_scotch(graph, shares, imbalance);
#endif
  SETKA_ASSERT(by == Partitioner::bisection);
  return detail::by_bisection(graph, shares);
}

std::vector<double> shares_of_one(std::vector<double> shares, int parts) {
  if (shares.empty()) shares.assign(static_cast<std::size_t>(parts), 1.0);
  require(shares.size() == static_cast<std::size_t>(parts), "partition: as many shares as parts are right");
  const double whole = std::accumulate(shares.begin(), shares.end(), 0.0);
  for (double& share : shares) share /= whole;
  return shares;
}

bool has_empty_part(const std::vector<std::int32_t>& of, int parts) {
  std::vector<bool> filled(static_cast<std::size_t>(parts), false);
  for (const std::int32_t part : of) filled[static_cast<std::size_t>(part)] = true;
  return std::ranges::find(filled, false) != filled.end();
}

std::string title(Partitioner partitioner) {
  return partitioner == Partitioner::metis    ? "METIS"
         : partitioner == Partitioner::scotch ? "Scotch"
                                              : "recursive bisection";
}

}  // namespace

Partitioner partitioner_of(std::string_view word) {
  if (word == "auto") return Partitioner::automatic;
  if (word == "metis") return Partitioner::metis;
  if (word == "scotch") return Partitioner::scotch;
  if (word == "bisection") return Partitioner::bisection;
  throw Error(Fault::usage, fmt::format("'{}' is no partitioner", word),
              "give auto, metis, scotch or bisection");
}

bool available(Partitioner partitioner) {
  return partitioner == Partitioner::metis    ? with_metis
         : partitioner == Partitioner::scotch ? with_scotch
                                              : true;
}

Partition partition(const Graph& graph, int parts, const PartitionOptions& options) {
  if (parts < 1)
    throw Error(Fault::usage, fmt::format("{} parts are none", parts), "ask for one part or more");
  if (parts > graph.size())
    throw Error(Fault::usage, fmt::format("{} cannot be shared out to {} parts", graph.size(), parts),
                fmt::format("ask for at most {} part{}", graph.size(), graph.size() == 1 ? "" : "s"));
  if (!available(options.partitioner))
    throw Error(Fault::usage, fmt::format("this build of setka has no {}", title(options.partitioner)),
                fmt::format("install {}-dev and build it again, or use --partitioner bisection",
                            options.partitioner == Partitioner::metis ? "libmetis" : "libscotch"));
  const Partitioner by = chosen(options.partitioner);
  Partition made{parts, {}, title(by)};
  if (parts == 1) {
    made.of.assign(static_cast<std::size_t>(graph.size()), 0);
    return made;
  }
  const std::vector<double> shares = shares_of_one(options.shares, parts);
  made.of = shared_out(graph, shares, by, options.imbalance);
  if (has_empty_part(made.of, parts)) {
    log::debug("{} leaves some of {} parts empty; bisecting", made.method, parts);
    made = {parts, detail::by_bisection(graph, shares), title(Partitioner::bisection)};
  }
  return made;
}

Partition partition(const Graph& graph, const exec::Team& team) {
  PartitionOptions options;
  options.shares = team.shares();
  if (team.transport() == nullptr) return partition(graph, team.size(), options);
  // The first process decides: libraries of others might do so otherwise.
  Partition made{team.size(), {}, "the first process"};
  if (team.here(0)) made = partition(graph, team.size(), options);
  exec::Letter letter;
  letter.put(made.of);
  letter = team.transport()->from_first(letter);
  made.of = letter.take<std::int32_t>();
  return made;
}

Partition given_partition(int parts, std::vector<std::int32_t> of, const std::string& file) {
  const auto fail = [&](const std::string& what, const char* remedy) {
    throw Error(Fault::input, what, remedy, {file, 0});
  };
  std::int64_t loose = 0;
  std::set<std::int32_t> there;
  for (const std::int32_t part : of) {
    if (part >= 0 && part < parts)
      there.insert(part);
    else
      ++loose;
  }
  if (loose > 0)
    fail(fmt::format("{} of {} elements are in none of the {} partitions of the file", loose, of.size(),
                     parts),
         "share it out anew by --partitioner auto");
  if (static_cast<std::int64_t>(there.size()) < parts)
    fail(fmt::format("the file has {} partitions, and elements of {} alone", parts, there.size()),
         "write the mesh to one file, without -part_split, or share it out anew by --partitioner auto");
  return {parts, std::move(of), "as the file gives it"};
}

PartitionQuality quality(const Graph& graph, const Partition& partition) {
  PartitionQuality found;
  found.weight.assign(static_cast<std::size_t>(partition.parts), 0);
  std::int64_t all = 0;
  for (std::int32_t v = 0; v < graph.size(); ++v) {
    const auto at = static_cast<std::size_t>(v);
    found.weight[static_cast<std::size_t>(partition.of[at])] += graph.vertex_weight[at];
    all += graph.vertex_weight[at];
    for (std::int64_t k = graph.offset[at]; k < graph.offset[at + 1]; ++k) {
      const std::int32_t other = graph.neighbour[static_cast<std::size_t>(k)];
      if (other > v && partition.of[static_cast<std::size_t>(other)] != partition.of[at])
        found.cut += graph.edge_weight[static_cast<std::size_t>(k)];
    }
  }
  const double mean = static_cast<double>(all) / partition.parts;
  if (mean > 0) found.imbalance = static_cast<double>(std::ranges::max(found.weight)) / mean - 1;
  return found;
}

}  // namespace setka::domains
