// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "plan_ranks.hpp"

#include <algorithm>
#include <optional>
#include <variant>
#include <vector>

#include <fmt/core.h>

#include "domains_prediction.hpp"
#include "json.hpp"
#include "setka/analysis/solids.hpp"
#include "setka/base/config.hpp"
#include "setka/base/error.hpp"
#include "setka/base/text.hpp"
#include "setka/deck/inp.hpp"
#include "setka/domains/graph.hpp"
#include "setka/model/model.hpp"
#include "setka/plan/decide_deck.hpp"
#include "setka/plan/deck_factors.hpp"
#include "setka/plan/rank_formulas.hpp"
#include "setka/solve/solver_choices.hpp"

namespace setka::app {

static_assert(plan::factors::rough_from_flops == solve::rough_factor_min_flops &&
              plan::dense_modes_max_unknowns == static_cast<double>(solve::dense_modes_max_unknowns));
static_assert(plan::own_multigrid_max_processes == solve::own_multigrid_max_processes &&
              plan::gathered_level_bytes_of_cpu == static_cast<double>(solve::gathered_level_bytes_of_cpu) &&
              plan::gathered_level_max_processes == solve::gathered_level_max_processes);

namespace {

using nlohmann::ordered_json;

/// Processes of the last row where models grow with them.
constexpr double most_of_weak_scaling = 100'000;

struct Row {
  double processes;
  double unknowns;
  plan::RankTimes times;
  double efficiency;  // of what one process takes
  double memory;      // bytes
};

plan::RankModel model_of(const std::string& deck, Monitor& monitor) {
  const deck::Deck read = deck::read_inp(deck_path(deck), monitor, deck::Completeness::unchecked);
  if (read.model.mesh.element_count() == 0)
    throw Error(Fault::input, "the deck has no elements", "add *ELEMENT", {deck, 0});
  const std::vector<model::Step>& steps = read.model.steps;
  const bool is_static = std::ranges::any_of(steps, [](const model::Step& step) {
    return std::holds_alternative<model::StaticStep>(step.procedure);
  });
  if (!steps.empty() && !is_static)
    throw Error(Fault::input, "--ranks says what *STATIC steps take, and the deck has none",
                "steps of heat, of modes and in time are not planned for yet: run them", {deck, 0});
  const std::vector<std::int32_t> no_sections(static_cast<std::size_t>(read.model.mesh.element_count()), -1);
  const analysis::Solids solids = analysis::make_solids(read.model, no_sections);
  const fem::Region region = solids.region();
  const domains::Graph nodes = graph_of_mesh(solids, read.model.mesh.node_count());
  plan::RankModel made;
  made.unknowns = 3.0 * nodes.size();
  made.entries = 9.0 * (nodes.size() + static_cast<double>(nodes.neighbour.size()));
  for (std::int32_t e = 0; e < region.element_count(); ++e) {
    const double unknowns = 3.0 * static_cast<double>(region.nodes(e).size());
    made.element_values += unknowns * unknowns;
  }
  return made;
}

/// Doubled from one process on, up to so many, which is the last.
std::vector<double> counts_up_to(double most) {
  std::vector<double> counts;
  for (double count = 1; count < most; count *= 2) counts.push_back(count);
  counts.push_back(most);
  return counts;
}

std::vector<Row> strong(const plan::RankModel& model, double most, const plan::RankProfile& machine) {
  std::vector<Row> rows;
  const double alone = plan::static_step(model, 1, machine).seconds();
  for (const double count : counts_up_to(most)) {
    const plan::RankTimes times = plan::static_step(model, count, machine);
    rows.push_back(
        {count, model.unknowns, times, alone / count / times.seconds(), plan::rank_memory(model, count)});
  }
  return rows;
}

std::vector<Row> weak(const plan::RankModel& part, const plan::RankProfile& machine) {
  std::vector<Row> rows;
  const double alone = plan::static_step(part, 1, machine).seconds();
  for (double count = 1; count <= most_of_weak_scaling; count *= 10) {
    const plan::RankModel model = part.times(count);
    const plan::RankTimes times = plan::static_step(model, count, machine);
    rows.push_back({count, model.unknowns, times, alone / times.seconds(), plan::rank_memory(model, count)});
  }
  return rows;
}

void print(const std::vector<Row>& rows) {
  fmt::print("{:>10} {:>10} {:>10} {:>10} {:>10} {:>10} {:>10} {:>10} {:>11} {:>10}\n", "processes",
             "unknowns", "assembly", "set-up", "solution", "exchange", "sums", "all", "efficiency", "memory");
  for (const Row& row : rows) {
    fmt::print("{:>10} {:>10} {:>10} {:>10} {:>10} {:>10} {:>10} {:>10} {:>9.0f} % {:>10}\n", row.processes,
               format_count(row.unknowns), format_seconds(row.times.assembly),
               format_seconds(row.times.set_up), format_seconds(row.times.solution),
               format_seconds(row.times.exchange), format_seconds(row.times.sums),
               format_seconds(row.times.seconds()), 100 * row.efficiency,
               format_bytes(static_cast<std::uint64_t>(row.memory)));
  }
}

ordered_json to_json(const std::vector<Row>& rows) {
  ordered_json json = ordered_json::array();
  for (const Row& row : rows) {
    json.push_back({{"processes", row.processes},
                    {"unknowns", row.unknowns},
                    {"iterations", row.times.iterations},
                    {"assembly_s", row.times.assembly},
                    {"set_up_s", row.times.set_up},
                    {"solution_s", row.times.solution},
                    {"exchange_s", row.times.exchange},
                    {"sums_s", row.times.sums},
                    {"seconds", row.times.seconds()},
                    {"efficiency", row.efficiency},
                    {"memory", row.memory}});
  }
  return json;
}

}  // namespace

int plan_processes(const std::string& deck, std::int64_t processes, const CommonOptions& common,
                   Monitor& monitor) {
  if (processes < 1)
    throw Error(Fault::usage, fmt::format("--ranks {} is no number of processes", processes),
                "give 1 or more");
  const std::optional<plan::MachineProfile> profile = plan::read_profile(plan::profile_path());
  if (!profile || !profile->ranks)
    throw Error(Fault::input, "nobody has measured how processes tell each other something",
                "run mpirun -n 2 setka calibrate, on two machines where there are several");
  const plan::RankProfile& machine = *profile->ranks;
  const plan::RankModel model = model_of(deck, monitor);
  const std::vector<Row> same = strong(model, static_cast<double>(processes), machine);
  const std::vector<Row> growing = weak(model.times(1.0 / static_cast<double>(processes)), machine);
  if (common.json) {
    ordered_json json{{"deck", deck},
                      {"unknowns", model.unknowns},
                      {"entries", model.entries},
                      {"strong", to_json(same)},
                      {"weak", to_json(growing)}};
    fmt::print("{}\n", json_text(json));
    return static_cast<int>(ExitCode::done);
  }
  if (!common.quiet)
    fmt::print(
        "setka {}: a static step of {}, {} entries\n  from {} processes measured on {}: {:.3g} ns an entry "
        "of a product, messages of {:.3g} us and {:.3g} GB/s\n\n",
        version, deck, format_count(model.entries), machine.processes,
        machine.date.substr(0, machine.date.find('T')), 1e9 * machine.product, 1e6 * machine.link.latency,
        1e-9 * machine.link.rate);
  print(same);
  fmt::print("\nwith the part of one of {} for every process:\n", processes);
  print(growing);
  fmt::print(
      "\nconjugate gradients with Setka's multigrid, PETSc's beyond {} processes;\n"
      "without reading, sharing out and the mesh's memory\n",
      plan::own_multigrid_max_processes);
  return static_cast<int>(ExitCode::done);
}

}  // namespace setka::app
