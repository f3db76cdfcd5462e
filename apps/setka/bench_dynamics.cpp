// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "bench_dynamics.hpp"

#include <cstdio>
#include <string>

#include <fmt/core.h>

#include "bench/dynamics.hpp"

namespace setka::app {
namespace {

using bench::DynamicsRow;
using bench::DynamicsTable;
using nlohmann::ordered_json;

constexpr const char* line = "{:<24} {:>10} {:>10} {:>10} {:>10} {:>10} {:>6}\n";

void print_head(const DynamicsTable& table) {
  fmt::print(
      "\nSteps in time by Newmark's method (average acceleration), K and M formed anew in each: {} linear\n"
      "tetrahedra, {} nodes, {} unknowns (the paper: 67244, 19890, 59670). A step takes as long as a "
      "pressure\n"
      "wave needs for {} cells. Element by element; conjugate gradients with the inverse of the diagonal, "
      "from\n"
      "the last accelerations, to {:.0e} of what forces lack to balance. Seconds of a step, medians of {}; "
      "sum:\n"
      "by the clock of the host. The paper's step and tolerance are not known.\n\n",
      table.elements, table.nodes, table.unknowns, bench::dynamics_cells_a_step, bench::dynamics_tolerance,
      table.steps);
  fmt::print(line, "device", "K and M", "load", "solution", "sum", "steps/s", "its");
  for (const bench::PaperStep& paper : bench::paper_steps()) {
    const double sum = paper.matrices + paper.load + paper.solve;
    fmt::print(line, fmt::format("paper: {}", paper.how), paper.matrices, paper.load, paper.solve,
               fmt::format("{:.2f}", sum), fmt::format("{:.2f}", 1 / sum), "-");
  }
  std::fflush(stdout);
}

void print(const DynamicsRow& row) {
  const auto seconds = [](double value) { return fmt::format("{:.3g}", value); };
  if (!row.skipped.empty()) {
    fmt::print("  skipped on {}: {}\n", row.device, row.skipped);
  } else {
    fmt::print(line, row.device, seconds(row.times.matrices), seconds(row.times.load),
               seconds(row.times.solve), seconds(row.times.total), seconds(1 / row.times.total),
               seconds(row.iterations));
    if (!row.converged) fmt::print("  not converged: residual {:.1e}\n", row.residual);
  }
  std::fflush(stdout);
}

}  // namespace

ordered_json bench_dynamics(const exec::Device& cpu, const std::optional<exec::Device>& gpu, bool quick,
                            bool talk, bool& converged, Monitor& monitor) {
  const auto begin = [&](const DynamicsTable& table) {
    if (talk) print_head(table);
  };
  const auto show = [&](const DynamicsRow& row) {
    if (talk) print(row);
  };
  const DynamicsTable table = bench::dynamics_table(cpu, gpu, quick, begin, show, monitor);
  ordered_json json{{"unit", "s"},
                    {"elements", table.elements},
                    {"nodes", table.nodes},
                    {"unknowns", table.unknowns},
                    {"step", table.step},
                    {"steps", table.steps},
                    {"tolerance", bench::dynamics_tolerance},
                    {"paper", ordered_json::array()},
                    {"rows", ordered_json::array()}};
  for (const bench::PaperStep& paper : bench::paper_steps()) {
    json["paper"].push_back({{"how", paper.how},
                             {"matrices_s", paper.matrices},
                             {"load_s", paper.load},
                             {"solve_s", paper.solve}});
  }
  for (const DynamicsRow& row : table.rows) {
    ordered_json own{{"device", row.device}};
    if (row.skipped.empty()) {
      converged = converged && row.converged;
      own["matrices_s"] = row.times.matrices;
      own["load_s"] = row.times.load;
      own["solve_s"] = row.times.solve;
      own["total_s"] = row.times.total;
      own["iterations"] = row.iterations;
      own["residual"] = row.residual;
      own["converged"] = row.converged;
      own["tip"] = row.tip;
      own["energy_balance"] = row.balance;
    } else {
      own["skipped"] = row.skipped;
    }
    json["rows"].push_back(own);
  }
  return json;
}

}  // namespace setka::app
