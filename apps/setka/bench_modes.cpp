// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "bench_modes.hpp"

#include <cctype>
#include <cstdint>
#include <cstdio>

#include <fmt/core.h>

#include "setka/base/error.hpp"
#include "setka/deck/element_names.hpp"
#include "setka/modes/lobpcg.hpp"

namespace setka::app {
namespace {

using bench::ModesRow;
using bench::ModesWork;
using bench::PaperModes;
using nlohmann::ordered_json;

constexpr std::int64_t cpu_size = 50000;
constexpr std::int64_t quick_size = 6000;

void print_work(const ModesWork& work) {
  fmt::print("    {:<26}{:>10.3g} s {:>12.3g} GB {:>12.3g} s {:>7.0f} %\n", work.what, work.seconds,
             work.bytes / 1e9, work.floor_seconds, 100 * work.floor_seconds / work.seconds);
}

void print_times(const ModesRow& row) {
  const auto line = [](const char* what, double seconds, const std::string& note = {}) {
    fmt::print("  {:<28}{:>10.3g} s{}{}\n", what, seconds, note.empty() ? "" : "   ", note);
  };
  line("assembly of K and M", row.assembly_seconds);
  line("multigrid set-up", row.multigrid_seconds);
  line("LOBPCG", row.iteration_seconds,
       fmt::format("{} iterations of {} columns", row.iterations, row.columns));
  line("check", row.check_seconds, row.check);
  line("shapes to the host", row.shapes_seconds);
  line("solution", row.solution_seconds(), "the sum of these");
  line("model", row.model_seconds, "its deck made and read, which is no part of the solution");
}

}  // namespace

bench::ModesRequest modes_request(const BenchModesOptions& options, double size, bool quick, bool on_gpu) {
  bench::ModesRequest request;
  request.model.name = options.model;
  request.model.element = options.element;
  for (char& letter : request.model.element)
    letter = static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
  if (options.element.empty()) request.model.element = options.model == "pump" ? "C3D8I" : "C3D8";
  if (size != 0) {
    if (size > static_cast<double>(deck::largest_example)) {
      throw Error(Fault::usage, fmt::format("--size {} is more than the decks of examples have", size),
                  fmt::format("use a whole number up to {}", deck::largest_example));
    }
    request.model.size = static_cast<std::int64_t>(size);
  } else {
    request.model.size = quick ? quick_size : on_gpu ? PaperModes{}.unknowns : cpu_size;
  }
  request.modes = options.modes;
  if (request.modes < 1 || request.modes > modes::most_lobpcg_columns) {
    throw Error(Fault::usage, fmt::format("--modes {} cannot be measured", request.modes),
                fmt::format("ask for 1 to {}", modes::most_lobpcg_columns));
  }
  return request;
}

void print_modes_head(const exec::Device& device, const bench::ModesRequest& request) {
  const PaperModes paper;
  fmt::print(
      "\nThe {} lowest natural frequencies by LOBPCG with multigrid on {}, residuals of {:.0e}.\n"
      "The paper's (UZOR): a pump unit on its frame, {} unknowns, {} modes below 200 Hz, {} steps of\n"
      "subspace iteration: {:.0f} s on six cores, about {:.0f} s with the projection on a GPU.\n\n",
      request.modes, device.label(), request.tolerance, paper.unknowns, paper.modes, paper.iterations,
      paper.cpu_seconds, paper.gpu_seconds);
  std::fflush(stdout);
}

void print(const ModesRow& row) {
  fmt::print("{} of {}: {} nodes, {} elements, {} unknowns, fixed ones included\n", row.request.model.name,
             deck::name(row.size.element), row.size.nodes, row.size.elements, row.size.unknowns);
  if (!row.skipped.empty()) {
    fmt::print("  skipped: {}\n", row.skipped);
    return;
  }
  print_times(row);
  fmt::print(
      "\n  The iterations, what they have to move and how long that takes at {:.4g} GB/s, as a copy:\n",
      row.copy_rate / 1e9);
  for (const ModesWork& work : row.work) print_work(work);
  print_work(row.all_work());
  if (!row.frequency.empty()) {
    fmt::print("\n  frequencies from {:.6g} to {:.6g} Hz; largest residual {:.1e}\n", row.frequency.front(),
               row.frequency.back(), row.residual);
  }
  if (!row.trouble.empty()) fmt::print("  {}\n", row.trouble);
  std::fflush(stdout);
}

ordered_json to_json(const ModesRow& row) {
  const PaperModes paper;
  ordered_json json{{"model", row.request.model.name},
                    {"element", deck::name(row.size.element)},
                    {"nodes", row.size.nodes},
                    {"elements", row.size.elements},
                    {"unknowns", row.size.unknowns},
                    {"modes", row.request.modes},
                    {"tolerance", row.request.tolerance},
                    {"paper",
                     {{"unknowns", paper.unknowns},
                      {"modes", paper.modes},
                      {"cpu_s", paper.cpu_seconds},
                      {"gpu_s", paper.gpu_seconds}}}};
  if (!row.skipped.empty()) {
    json["skipped"] = row.skipped;
    return json;
  }
  json["free_unknowns"] = row.unknowns;
  json["seconds"] = {{"model", row.model_seconds},         {"assembly", row.assembly_seconds},
                     {"multigrid", row.multigrid_seconds}, {"iterations", row.iteration_seconds},
                     {"check", row.check_seconds},         {"shapes", row.shapes_seconds},
                     {"solution", row.solution_seconds()}};
  json["copy_rate"] = row.copy_rate;
  const auto add = [&](const ModesWork& work) {
    json["work"].push_back({{"what", work.what},
                            {"seconds", work.seconds},
                            {"bytes", work.bytes},
                            {"floor_s", work.floor_seconds},
                            {"share_of_floor", work.floor_seconds / work.seconds}});
  };
  for (const ModesWork& work : row.work) add(work);
  add(row.all_work());
  json["columns"] = row.columns;
  json["iterations"] = row.iterations;
  json["residual"] = row.residual;
  json["converged"] = row.converged;
  json["check"] = row.check;
  json["trouble"] = row.trouble;
  json["frequencies_hz"] = row.frequency;
  return json;
}

}  // namespace setka::app
