// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "bench.hpp"

#include <cmath>
#include <cstdio>
#include <ctime>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/chrono.h>
#include <fmt/core.h>

#include "bench/integration.hpp"
#include "bench/products.hpp"
#include "bench/projection.hpp"
#include "bench_domains.hpp"
#include "bench_dynamics.hpp"
#include "bench_models.hpp"
#include "bench_plan.hpp"
#include "bench_projection.hpp"
#include "bench_sweeps.hpp"
#include "cli.hpp"
#include "json.hpp"
#include "setka/base/build_info.hpp"
#include "setka/base/error.hpp"
#include "setka/io/output_file.hpp"

namespace setka::app {
namespace {

using bench::IntegrationRow;
using bench::LevelTimes;
using bench::ProductsRow;
using bench::ProductTimes;
using bench::SolveTime;
using nlohmann::ordered_json;

struct Machine {
  exec::Device cpu;
  std::optional<exec::Device> gpu;
};

Machine machine_of(const DeviceOptions& options, bool of_several) {
  const exec::Device first = of_several ? options.select().front() : options.select_one();
  if (first.is_cuda()) return {exec::Device::cpu(options.threads), first};
  return {first, std::nullopt};
}

std::string cores(int count) {
  return fmt::format("{} core{}", count, count == 1 ? "" : "s");
}

void print_machine(const Machine& machine) {
  const exec::DeviceInfo cpu = machine.cpu.info();
  fmt::print("setka {}: {}, {}; ", build_info().version, cpu.name, cores(machine.cpu.threads()));
  if (machine.gpu) {
    fmt::print("{}\n", machine.gpu->info().name);
  } else {
    fmt::print("no GPU in this run\n");
  }
}

std::string seconds(const std::optional<double>& value) {
  return value ? fmt::format("{:.3g}", *value) : "-";
}

void print_integration_head(const Machine& machine) {
  fmt::print(
      "\nIntegration of element stiffness, double precision; seconds, medians of 5. Speed-ups are over one\n"
      "core, with both transfers. The paper's (FEStudio): one core of a Xeon E5-2609, and a GTX 680.\n\n");
  fmt::print("{:>10} {:<5} {:>10} {:>10} {:>10}", "elements", "type", "1 core", cores(machine.cpu.threads()),
             "paper");
  if (machine.gpu) {
    fmt::print("  {:<5} {:>10} {:>10} {:>10} {:>10} {:>10}\n", "level", "GPU alone", "+transfers", "speed-up",
               "alone", "paper");
  } else {
    fmt::print("   paper's speed-ups at levels I, II, IIa\n");
  }
  std::fflush(stdout);
}

void print(const Machine& machine, const IntegrationRow& row) {
  const bool measured = row.skipped.empty();
  const auto own = [&](double value) { return seconds(measured ? std::optional(value) : std::nullopt); };
  const auto speed_up = [&](double time) {
    return seconds(measured ? std::optional(row.one_core / time) : std::nullopt);
  };
  fmt::print("{:>10} {:<5} {:>10} {:>10} {:>10}", row.elements, bench::label(row.type), own(row.one_core),
             own(row.team), seconds(row.paper_cpu));
  if (!machine.gpu) {
    fmt::print("   {:.2f}, {:.2f}, {:.2f}", row.paper_speed_up[0], row.paper_speed_up[1],
               row.paper_speed_up[2]);
  }
  fmt::print("\n");
  for (const LevelTimes& level : row.gpu) {
    fmt::print("{:48}  {:<5} {:>10.3g} {:>10.3g} {:>10} {:>10} {:>10}\n", "", level.level, level.alone,
               level.with_transfers, speed_up(level.with_transfers), speed_up(level.alone),
               seconds(level.paper_speed_up));
  }
  if (!measured) fmt::print("  skipped on the CPU: {}\n", row.skipped);
  if (!row.gpu_skipped.empty()) fmt::print("  skipped on the GPU: {}\n", row.gpu_skipped);
  std::fflush(stdout);
}

std::string solved(const std::optional<SolveTime>& time) {
  if (!time) return "-";
  if (time->stopped) return "stopped";
  return time->converged ? fmt::format("{:.3g}", time->seconds) : "failed";
}

/// Of a solve that was stopped: what it did all the same.
void print_stopped(const char* how, const char* where, const std::optional<SolveTime>& time) {
  if (!time || !time->stopped) return;
  fmt::print("  {} on the {}: stopped after {} iterations in {:.3g} s, {:.3g} ms each, residual {:.1e}\n",
             how, where, time->iterations, time->seconds, 1e3 * time->seconds / time->iterations,
             time->residual);
}

std::string iterations(const ProductTimes& times) {
  if (times.cpu) return std::to_string(times.cpu->iterations);
  return times.gpu ? std::to_string(times.gpu->iterations) : "-";
}

constexpr const char* products_line =
    "{:<11}{:<14}{:>9} {:>9} {:>9}  {:<10} {:>6} {:>10} {:>10} {:>10} {:>10}\n";

void print_products_head(const Machine& machine, double max_seconds) {
  fmt::print(
      "\nOne implicit time step, (K + a0 M) u = R by conjugate gradients with the inverse of the diagonal to "
      "a\n"
      "relative residual of {:.0e}; a0 = 4 / dt^2, dt the time of a pressure wave through the bar. Seconds "
      "of\n"
      "the solution alone; CPU: {}. The paper's (FEStudio): 8 cores of a Xeon E5420, and a GTX 680; its\n"
      "material, time step and tolerance are not known, so its seconds give the scale, not a race.\n"
      "Plane meshes are in plane strain, with two unknowns a node.\n"
      "A solve that would take more than {:g} s (--most-seconds) is stopped then.\n\n",
      bench::time_step_tolerance, cores(machine.cpu.threads()), max_seconds);
  fmt::print(products_line, "mesh of", "computed as", "elements", "nodes", "unknowns", "products", "its",
             "CPU", "GPU", "paper CPU", "paper GPU");
  std::fflush(stdout);
}

void print(const ProductsRow& row) {
  const auto line = [&](const char* how, const ProductTimes& times) {
    fmt::print(products_line, row.elements, row.computed_as, row.element_count, row.nodes, row.unknowns, how,
               iterations(times), solved(times.cpu), solved(times.gpu),
               times.paper ? seconds(times.paper->cpu) : "-", times.paper ? seconds(times.paper->gpu) : "-");
  };
  line("assembled", row.assembled);
  line("elements", row.by_elements);
  for (const auto& [how, times] :
       {std::pair("assembled", &row.assembled), std::pair("elements", &row.by_elements)}) {
    print_stopped(how, "CPU", times->cpu);
    print_stopped(how, "GPU", times->gpu);
  }
  for (const std::string& what : row.skipped) fmt::print("  skipped: {}\n", what);
  std::fflush(stdout);
}

ordered_json to_json(const std::vector<IntegrationRow>& table) {
  ordered_json rows = ordered_json::array();
  for (const IntegrationRow& row : table) {
    ordered_json json{{"type", bench::label(row.type)},
                      {"elements", row.elements},
                      {"paper_cpu_s", row.paper_cpu},
                      {"paper_speed_ups", row.paper_speed_up}};
    if (row.skipped.empty()) {
      json["one_core_s"] = row.one_core;
      json["all_cores_s"] = row.team;
    } else {
      json["skipped"] = row.skipped;
    }
    if (!row.gpu_skipped.empty()) json["gpu_skipped"] = row.gpu_skipped;
    for (const LevelTimes& level : row.gpu)
      json["gpu"][level.level] = {{"alone_s", level.alone}, {"with_transfers_s", level.with_transfers}};
    rows.push_back(json);
  }
  return rows;
}

ordered_json to_json(const ProductTimes& times) {
  ordered_json json = ordered_json::object();
  const auto add = [&](const char* where, const std::optional<SolveTime>& time) {
    if (!time) return;
    json[where] = {{"seconds", time->seconds},
                   {"iterations", time->iterations},
                   {"residual", time->residual},
                   {"converged", time->converged},
                   {"stopped", time->stopped}};
  };
  add("cpu", times.cpu);
  add("gpu", times.gpu);
  if (times.paper) json["paper"] = {{"cpu_s", times.paper->cpu}, {"gpu_s", times.paper->gpu}};
  return json;
}

ordered_json to_json(const std::vector<ProductsRow>& table) {
  ordered_json rows = ordered_json::array();
  for (const ProductsRow& row : table) {
    rows.push_back({{"kind", row.elements},
                    {"computed_as", row.computed_as},
                    {"elements", row.element_count},
                    {"nodes", row.nodes},
                    {"unknowns", row.unknowns},
                    {"paper_elements", row.paper_elements},
                    {"assembled", to_json(row.assembled)},
                    {"by_elements", to_json(row.by_elements)},
                    {"skipped", row.skipped}});
  }
  return rows;
}

ordered_json machine_json(const Machine& machine) {
  const BuildInfo& build = build_info();
  const exec::DeviceInfo cpu = machine.cpu.info();
  return {{"date", fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)))},
          {"setka", fmt::format("{} {} {}", build.version, build.revision, build.build_type)},
          {"cpu", cpu.name},
          {"cores", machine.cpu.threads()},
          {"gpu", machine.gpu ? ordered_json(machine.gpu->info().name) : ordered_json(nullptr)}};
}

/// But for those that were to be stopped.
bool all_converged(const std::vector<ProductsRow>& table) {
  for (const ProductsRow& row : table) {
    for (const ProductTimes* times : {&row.assembled, &row.by_elements}) {
      for (const std::optional<SolveTime>* time : {&times->cpu, &times->gpu}) {
        if (*time && !(*time)->converged && !(*time)->stopped) return false;
      }
    }
  }
  return true;
}

void add_modes_options(cli::App& command, BenchModesOptions& options) {
  const auto add = [&](const char* name, auto& value, const char* what, const char* type) {
    return command.add_option(name, value, what)->type_name(type)->group("Modes");
  };
  add("--model", options.model, "pump or block [default: pump; block of subspace]", "NAME")
      ->is_member({"pump", "block"});
  add("--element", options.element, "Element type [default: C3D8I for the pump, C3D8 for the block]", "TYPE");
  add("--method", options.method, "lobpcg or subspace [default: lobpcg]", "NAME")
      ->is_member({"lobpcg", "subspace"});
  add("--operator", options.operator_kind,
      "Of subspace: assembled, elements, matrix-free or all [default: all]", "NAME")
      ->is_member({"all", "assembled", "elements", "matrix-free"});
  add("--modes", options.modes, "So many of the lowest [default: 27]", "N");
}

void check_size(const BenchOptions& options) {
  if (!options.plot.empty() && options.what != "models" && options.what != "plan")
    throw Error(Fault::usage, fmt::format("bench {} has no curves", options.what), "leave out --plot");
  if (!options.only.empty() && options.what != "models")
    throw Error(Fault::usage, fmt::format("bench {} has no parts", options.what), "leave out --only");
  if (options.domains.given() && options.what != "domains") {
    throw Error(Fault::usage, "--matrices, --link and --latency are of bench domains",
                "leave them out, or measure domains");
  }
  if (options.size == 0) return;
  if (options.what != "projection" && options.what != "modes" && options.what != "plan")
    throw Error(Fault::usage, fmt::format("bench {} has sizes of its own", options.what), "leave out --size");
  if (!(options.size >= 1 && options.size <= 2e9) || options.size != std::floor(options.size))
    throw Error(Fault::usage, fmt::format("--size {} is not a number of unknowns", options.size),
                "give 1 to 2e9");
}

std::int64_t projection_unknowns(const BenchOptions& options) {
  if (options.size > 0) return static_cast<std::int64_t>(options.size);
  return options.quick ? 10000 : bench::paper_projection_unknowns;
}

}  // namespace

cli::App* add_bench_command(cli::App& cli, BenchOptions& options, CommonOptions& common) {
  cli::App* command = cli.add_subcommand("bench", "Measure this machine on tables of the literature");
  command
      ->add_option("table", options.what,
                   "integration, products, dynamics, projection, modes, models, plan, sweeps or domains")
      ->required()
      ->is_member({"integration", "products", "dynamics", "projection", "modes", "models", "plan", "sweeps",
                   "domains"})
      ->type_name("WHAT");
  command->add_flag("--quick", options.quick, "Small sizes alone, in seconds: to see that all works");
  command
      ->add_option("--size", options.size,
                   "Unknowns of the model of projection and modes, about [default: 1858824, as the paper's; "
                   "for modes on a CPU 50000]")
      ->type_name("N");
  command
      ->add_option("--most-seconds", options.max_seconds,
                   "Of each solve of products, which is stopped then [default: 12]")
      ->type_name("S")
      ->positive_number();
  add_modes_options(*command, options.modes);
  command->add_option("--plot", options.plot, "Curves of models and plan, as SVG")->type_name("FILE");
  command->add_option("--only", options.only, "One part of models")
      ->type_name("PART")
      ->is_member(model_part_names());
  add_domains_options(*command, options.domains);
  add_talk_options(*command, common);
  options.json = command
                     ->add_option("--json", options.json_file,
                                  "The result as one JSON object, in a file or on standard output")
                     ->expected(0, 1)
                     ->type_name("[FILE]")
                     ->group("Output");
  command->footer(
      "\n  integration   element matrices of up to 10^7 quadrilaterals and 5*10^5 hexahedra\n"
      "  products      one implicit time step, with assembled products and element by element; to their\n"
      "                end (--most-seconds 1e9) the large plane meshes take an hour or two on few CPU cores\n"
      "  dynamics      steps in time of 67230 linear tetrahedra: forming K and M, the load, the solution\n"
      "  projection    X'KX from element matrices of a model of 1.86 million unknowns\n"
      "  modes         the lowest natural frequencies of a pump unit, or of a block, of any size;\n"
      "                --method subspace: seconds an iteration and the projection's share of it\n"
      "  models        times that setka plan predicts for grids, against those that are measured; its parts\n"
      "                take at most 40 s (long-vectors), 100 s (pyramids), 40 s (sweeps) and 30 s (steps)\n"
      "  plan          what setka plan predicts for decks, against their runs: times, memory and choices of\n"
      "                some fifty models, half of which nothing was learnt from; up to --size unknowns\n"
      "                [default: 300000, on a GPU 3000000]; a quarter of an hour on two cores\n"
      "  sweeps        periodic sweeps over one core, interleaved or not, on one device and on two; 120 s\n"
      "  domains       conjugate gradients over 1 to 8 parts of four matrices of the literature, and what "
      "as\n"
      "                many devices would take");
  return command;
}

int run_bench(const BenchOptions& options, const CommonOptions& common, const DeviceOptions& device,
              Monitor& monitor) {
  const bool json_wanted = options.json->given();
  check_size(options);
  const bool talk = !(json_wanted && options.json_file.empty());
  const Machine machine = machine_of(device, options.what == "sweeps");
  if (talk) print_machine(machine);
  ordered_json json{{"bench", options.what}, {"quick", options.quick}, {"machine", machine_json(machine)}};
  // Written as parts end, so that a run that is cut off keeps what it had.
  const auto write = [&](const ordered_json& all) {
    io::OutputFile file(options.json_file);
    file.write(json_text(all) + "\n");
    file.commit();
  };
  const KeepJson keep = [&](const ordered_json& part) {
    if (options.json_file.empty()) return;
    ordered_json so_far = json;
    so_far.update(part);
    write(so_far);
  };
  bool converged = true;
  if (options.what == "dynamics") {
    json.update(bench_dynamics(machine.cpu, machine.gpu, options.quick, talk, converged, monitor));
  } else if (options.what == "projection") {
    json.update(bench_projection(machine.cpu, machine.gpu, projection_unknowns(options), talk, monitor));
  } else if (options.what == "models") {
    json.update(bench_models(machine.gpu ? *machine.gpu : machine.cpu,
                             {options.quick, options.only, options.plot, talk}, keep, monitor));
  } else if (options.what == "plan") {
    json.update(bench_plan(
        device, {options.quick, static_cast<std::int64_t>(options.size), options.plot, true, talk}, keep));
  } else if (options.what == "domains") {
    json.update(bench_domains(machine.gpu ? *machine.gpu : machine.cpu, options.domains, options.quick, talk,
                              converged, monitor));
  } else if (options.what == "sweeps") {
    json.update(bench_sweeps(device.select(), options.quick, talk, keep, monitor));
  } else if (options.what == "integration") {
    if (talk) print_integration_head(machine);
    const auto show = [&](const IntegrationRow& row) {
      if (talk) print(machine, row);
    };
    const auto table = bench::integration_table(machine.cpu, machine.gpu, options.quick, show, monitor);
    json["unit"] = "s";
    json["rows"] = to_json(table);
  } else if (options.what == "modes") {
    const exec::Device& on = machine.gpu ? *machine.gpu : machine.cpu;
    const bench::ModesRequest request =
        modes_request(options.modes, options.size, options.quick, on.is_cuda());
    if (options.modes.method == "subspace") {
      json.update(bench_subspace(options.modes, request, on, talk, converged, monitor));
    } else {
      if (options.modes.operator_kind != "all")
        throw Error(Fault::usage, "bench modes --operator is for --method subspace", "leave out --operator");
      if (talk) print_modes_head(on, request);
      const bench::ModesRow row = bench::measure_modes(request, on, monitor);
      if (talk) app::print(row);
      converged = row.converged || !row.skipped.empty();
      json["rows"] = ordered_json::array({app::to_json(row)});
    }
  } else {
    if (talk) print_products_head(machine, options.max_seconds);
    const auto show = [&](const ProductsRow& row) {
      if (talk) print(row);
    };
    const auto table =
        bench::products_table(machine.cpu, machine.gpu, options.quick, options.max_seconds, show, monitor);
    converged = all_converged(table);
    json["tolerance"] = bench::time_step_tolerance;
    json["most_seconds"] = options.max_seconds;
    json["rows"] = to_json(table);
  }
  if (common.timings) json["timings"] = app::to_json(monitor.times());
  if (json_wanted && options.json_file.empty()) {
    fmt::print("{}\n", json_text(json));
  } else if (json_wanted) {
    write(json);
    fmt::print("\nwritten: {}\n", options.json_file);
  }
  return static_cast<int>(converged ? ExitCode::done : ExitCode::not_converged);
}

}  // namespace setka::app
