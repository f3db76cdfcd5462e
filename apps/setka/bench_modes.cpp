// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "bench_modes.hpp"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <cstdio>
#include <vector>

#include <fmt/core.h>

#include "bench/subspace.hpp"
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
  const bool by_subspace = options.method == "subspace";
  request.model.name = !options.model.empty() ? options.model : by_subspace ? "block" : "pump";
  request.model.element = options.element;
  for (char& letter : request.model.element)
    letter = static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
  if (options.element.empty()) request.model.element = request.model.name == "pump" ? "C3D8I" : "C3D8";
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
  if (request.modes < 1 || request.modes > modes::max_lobpcg_columns) {
    throw Error(Fault::usage, fmt::format("--modes {} cannot be measured", request.modes),
                fmt::format("ask for 1 to {}", modes::max_lobpcg_columns));
  }
  return request;
}

namespace {

using bench::SubspaceOperator;
using bench::SubspaceRow;

constexpr const char* subspace_line = "{:<12} {:>10} {:>6} {:>8} {:>12} {:>12} {:>10} {:>10} {:>9}\n";

std::vector<SubspaceOperator> operators_of(const BenchModesOptions& options,
                                           const bench::ModesRequest& request) {
  std::vector<SubspaceOperator> kinds;
  for (const SubspaceOperator kind :
       {SubspaceOperator::assembled, SubspaceOperator::elements, SubspaceOperator::matrix_free}) {
    if (options.operator_kind == "all" || options.operator_kind == bench::name(kind)) kinds.push_back(kind);
  }
  const bool has_matrix_free =
      std::find(kinds.begin(), kinds.end(), SubspaceOperator::matrix_free) != kinds.end();
  if (has_matrix_free && (request.model.element == "C3D8I" || request.model.element == "C3D8R")) {
    throw Error(
        Fault::usage,
        fmt::format("{} has a formulation of its own, without matrix-free products", request.model.element),
        "use --operator elements, or --element C3D8");
  }
  return kinds;
}

void print_subspace_head(const exec::Device& device, const bench::ModesRequest& request) {
  const bench::PaperIteration paper;
  fmt::print(
      "\nThe {} lowest natural frequencies by subspace iteration on {}, residuals of {:.0e}; seconds.\n"
      "projection: X'KX and X'MX from the elements; assembled matrices have products in their place, and\n"
      "multigrid. The paper's (UZOR): {} unknowns, {:.0f} s an iteration on six cores, {:.0f} s of it the "
      "projection.\n\n",
      request.modes, device.label(), request.tolerance, PaperModes{}.unknowns, paper.seconds,
      paper.projection_seconds);
  fmt::print(subspace_line, "operator", "unknowns", "its", "columns", "an iteration", "projection", "share",
             "products", "solutions");
  std::fflush(stdout);
}

void print(const SubspaceRow& row) {
  if (!row.skipped.empty()) {
    fmt::print("{:<12} skipped: {}\n", bench::name(row.kind), row.skipped);
    return;
  }
  const double steps = std::max(row.steps, 1);
  const bool projected = row.projections > 0;
  const auto each = [&](double seconds) { return fmt::format("{:.3g}", seconds / steps); };
  fmt::print(subspace_line, bench::name(row.kind), row.unknowns, row.iterations, row.columns,
             each(row.solution_seconds), projected ? each(row.projection_seconds) : "-",
             projected ? fmt::format("{:.1f} %", 100 * row.projection_share()) : "-",
             each(row.product_seconds), each(row.solve_seconds));
  if (!row.trouble.empty()) fmt::print("  {}\n", row.trouble);
  std::fflush(stdout);
}

ordered_json subspace_json(const SubspaceRow& row) {
  ordered_json json{{"operator", bench::name(row.kind)}, {"unknowns", row.unknowns}};
  if (!row.skipped.empty()) {
    json["skipped"] = row.skipped;
    return json;
  }
  json["set_up_s"] = row.set_up_seconds;
  json["solution_s"] = row.solution_seconds;
  json["iteration_s"] = row.iteration_seconds();
  json["projection_s"] = row.steps == 0 ? 0.0 : row.projection_seconds / row.steps;
  json["projection_share"] = row.projection_share();
  json["products_s"] = row.product_seconds;
  json["solutions_s"] = row.solve_seconds;
  json["columns"] = row.columns;
  json["iterations"] = row.iterations;
  json["steps"] = row.steps;
  json["residual"] = row.residual;
  json["converged"] = row.converged;
  json["trouble"] = row.trouble;
  return json;
}

}  // namespace

ordered_json bench_subspace(const BenchModesOptions& options, const bench::ModesRequest& request,
                            const exec::Device& device, bool talk, bool& converged, Monitor& monitor) {
  const std::vector<SubspaceOperator> kinds = operators_of(options, request);
  if (talk) print_subspace_head(device, request);
  const bench::PaperIteration paper;
  ordered_json json{{"method", "subspace"},
                    {"model", request.model.name},
                    {"element", request.model.element},
                    {"modes", request.modes},
                    {"tolerance", request.tolerance},
                    {"paper", {{"iteration_s", paper.seconds}, {"projection_s", paper.projection_seconds}}},
                    {"rows", ordered_json::array()}};
  for (const SubspaceOperator kind : kinds) {
    const SubspaceRow row = bench::measure_subspace(request, kind, device, monitor);
    if (talk) print(row);
    converged = converged && (row.converged || !row.skipped.empty());
    json["rows"].push_back(subspace_json(row));
  }
  return json;
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
