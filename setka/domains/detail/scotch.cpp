// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <span>
#include <vector>

#include <scotch.h>

#include <fmt/core.h>

#include "setka/base/error.hpp"
#include "setka/domains/detail/partitioners.hpp"

namespace setka::domains::detail {
namespace {

void check(int status, const char* what) {
  if (status != 0)
    throw Error(Fault::resource, fmt::format("Scotch has failed to {}", what), "use --partitioner bisection");
}

/// One of its objects.
template <class T>
struct Own {
  T value{};
  void (*end)(T*);

  Own(int (*begin)(T*), void (*ending)(T*)) : end(ending) { check(begin(&value), "begin"); }
  ~Own() { end(&value); }
  Own(const Own&) = delete;
  Own& operator=(const Own&) = delete;
};

/// The same parts at every call: its threads, of version 7 on, make others each time unless they are told.
class Context {
#if SCOTCH_VERSION >= 7
 public:
  Context() {
    check(SCOTCH_contextOptionSetNum(&own_.value, SCOTCH_OPTIONNUMDETERMINISTIC, 1), "be deterministic");
    check(SCOTCH_contextOptionSetNum(&own_.value, SCOTCH_OPTIONNUMRANDOMFIXEDSEED, 1), "fix its seed");
    check(SCOTCH_contextRandomClone(&own_.value), "have numbers of its own");
    SCOTCH_contextRandomSeed(&own_.value, 1);
  }
  SCOTCH_Graph* bound(SCOTCH_Graph& graph) {
    check(SCOTCH_contextBindGraph(&own_.value, &graph, &bound_.value), "bind the graph");
    return &bound_.value;
  }

 private:
  Own<SCOTCH_Context> own_{SCOTCH_contextInit, SCOTCH_contextExit};
  Own<SCOTCH_Graph> bound_{SCOTCH_graphInit, SCOTCH_graphExit};
#else
 public:
  Context() {
    SCOTCH_randomReset();
  }
  SCOTCH_Graph* bound(SCOTCH_Graph& graph) {
    return &graph;
  }
#endif
};

}  // namespace

std::vector<std::int32_t> by_scotch(const Graph& graph, std::span<const double> shares, double imbalance) {
  const auto parts = static_cast<SCOTCH_Num>(shares.size());
  if (graph.neighbour.size() > static_cast<std::size_t>(std::numeric_limits<SCOTCH_Num>::max()))
    throw Error(Fault::resource, fmt::format("Scotch cannot number {} edges", graph.neighbour.size()),
                "use --partitioner bisection");
  const std::vector<SCOTCH_Num> offset(graph.offset.begin(), graph.offset.end());
  const std::vector<SCOTCH_Num> neighbour(graph.neighbour.begin(), graph.neighbour.end());
  const std::vector<SCOTCH_Num> edge_weight(graph.edge_weight.begin(), graph.edge_weight.end());
  const std::vector<SCOTCH_Num> vertex_weight(graph.vertex_weight.begin(), graph.vertex_weight.end());
  std::vector<SCOTCH_Num> part(static_cast<std::size_t>(graph.size()));
  Context context;
  Own<SCOTCH_Graph> given(SCOTCH_graphInit, SCOTCH_graphExit);
  Own<SCOTCH_Strat> strategy(SCOTCH_stratInit, SCOTCH_stratExit);
  check(SCOTCH_stratGraphMapBuild(&strategy.value, SCOTCH_STRATDEFAULT, parts, imbalance),
        "choose a strategy");
  check(SCOTCH_graphBuild(&given.value, 0, graph.size(), offset.data(), offset.data() + 1,
                          vertex_weight.data(), nullptr, static_cast<SCOTCH_Num>(neighbour.size()),
                          neighbour.data(), edge_weight.data()),
        "take the graph");
  // A part is a processor of some speed, all of them connected.
  constexpr double whole = 1e6;
  std::vector<SCOTCH_Num> speed;
  for (const double share : shares)
    speed.push_back(static_cast<SCOTCH_Num>(std::max(1.0, std::round(whole * share))));
  Own<SCOTCH_Arch> machine(SCOTCH_archInit, SCOTCH_archExit);
  check(SCOTCH_archCmpltw(&machine.value, parts, speed.data()), "take the shares");
  check(SCOTCH_graphMap(context.bound(given.value), &machine.value, &strategy.value, part.data()),
        "share the graph out");
  return {part.begin(), part.end()};
}

}  // namespace setka::domains::detail
