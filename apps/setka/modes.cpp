// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "modes.hpp"

#include <cmath>
#include <limits>
#include <numbers>
#include <optional>
#include <utility>

#include <fmt/core.h>

#include "cli.hpp"
#include "json.hpp"
#include "matrix_input.hpp"
#include "ranks.hpp"
#include "setka/base/config.hpp"
#include "setka/base/error.hpp"
#include "setka/base/log.hpp"
#include "setka/base/text.hpp"
#include "setka/domains/ranks.hpp"
#include "setka/domains/team_modes.hpp"
#include "setka/exec/team.hpp"
#include "setka/io/matrix_market.hpp"
#include "setka/modes/find.hpp"
#include "setka/modes/matrix_checks.hpp"
#include "setka/solve/matrix_system.hpp"
#include "setka/sparse/blocked.hpp"

namespace setka::app {
namespace {

using nlohmann::ordered_json;

[[noreturn]] void misused(std::string message, std::string remedy) {
  throw Error(Fault::usage, std::move(message), std::move(remedy));
}

double eigenvalue_of(double frequency) {
  return std::pow(2 * std::numbers::pi * frequency, 2);
}

double frequency_of(double eigenvalue) {
  return eigenvalue > 0 ? std::sqrt(eigenvalue) / (2 * std::numbers::pi) : 0.0;
}

/// What is asked for, by the options alone.
modes::Request request_of(const ModesOptions& options) {
  if (options.mass.empty()) misused("no mass is given", "add -m M.mtx");
  if (options.count == 0 || options.count < -1)
    misused(fmt::format("-n {} asks for no modes", options.count), "give a number from 1 on");
  if (options.below < 0)
    misused(fmt::format("--below {} is no frequency", options.below), "give one above zero");
  if (options.tolerance != 0 && !(options.tolerance > 0 && options.tolerance < 1))
    misused(fmt::format("--tolerance {} is not between 0 and 1", options.tolerance),
            "give a small number, as 1e-6");
  check_block(options.geometry.block);
  if (!options.output.empty())
    check_output(options.output, {options.stiffness, options.mass, options.geometry.coordinates,
                                  options.geometry.near_nullspace});
  modes::Request request;
  request.tolerance = options.tolerance;
  if (options.count > 0) request.count = options.count;
  if (options.below > 0) request.upper = eigenvalue_of(options.below);
  if (!options.between.empty()) {
    if (options.below > 0) misused("--below and --between exclude each other", "give one of them");
    const double low = options.between[0];
    const double high = options.between[1];
    if (!(low >= 0 && high > low))
      misused(fmt::format("--between {},{} is no range", low, high), "give a lower and a higher frequency");
    if (low > 0) request.lower = eigenvalue_of(low);
    request.upper = eigenvalue_of(high);
  }
  if (request.count == 0 && !std::isfinite(request.upper))
    misused("it is not said which modes", "give their number by -n, or --below or --between");
  return request;
}

sparse::Csr read_matrix(const std::string& path, const io::MatrixMarketOptions& reading, Monitor& monitor) {
  using Symmetry = io::MatrixMarket::Symmetry;
  io::MatrixMarket file = io::read_matrix_market(path, reading, monitor);
  if (file.symmetry == Symmetry::skew_symmetric) {
    throw Error(Fault::input, "the matrix is skew-symmetric, with zeros on its diagonal",
                "setka modes takes symmetric matrices", {path, 0});
  }
  const bool mirrored = file.symmetry == Symmetry::symmetric;
  modes::check_square(file.entries, path);
  const Stage stage = monitor.stage("check");
  sparse::Csr matrix = sparse::compressed(std::move(file.entries), mirrored, reading.threads);
  modes::check_entries(matrix, path, reading.threads);
  return matrix;
}

std::string how(const modes::Modes& found) {
  return found.iterations > 0 ? fmt::format("{} ({} iterations)", found.method, found.iterations)
                              : found.method;
}

void print_table(const modes::Modes& found) {
  fmt::print("\nmodes by {}\n{:>6} {:>14} {:>14} {:>14} {:>9}\n", how(found), "mode", "cycles/time",
             "rad/time", "eigenvalue", "residual");
  for (std::size_t j = 0; j < found.lambda.size(); ++j) {
    const double frequency = frequency_of(found.lambda[j]);
    fmt::print("{:>6} {:>14.6g} {:>14.6g} {:>14.6g} {:>9.1e}{}\n", j + 1, frequency,
               2 * std::numbers::pi * frequency, found.lambda[j], found.residual[j],
               std::abs(found.lambda[j]) <= found.zero ? "  nothing holds it"
               : found.lambda[j] < 0                   ? "  eigenvalue is negative"
                                                       : "");
  }
  fmt::print("is one missing? {}\n", found.check_text);
}

ordered_json summary_json(const ModesOptions& options, const modes::Modes& found, int block,
                          const std::string& output) {
  ordered_json json{{"stiffness", options.stiffness},
                    {"mass", options.mass},
                    {"unknowns", found.rows},
                    {"block", block},
                    {"method", found.method},
                    {"iterations", found.iterations},
                    {"converged", found.converged},
                    {"check", found.check_text},
                    {"free_motions", modes::motions_without_stiffness(found)},
                    {"modes", ordered_json::array()},
                    {"peak_memory", most_memory()},
                    {"files", ordered_json::array()}};
  for (std::size_t j = 0; j < found.lambda.size(); ++j) {
    json["modes"].push_back({{"mode", j + 1},
                             {"eigenvalue", found.lambda[j]},
                             {"frequency", frequency_of(found.lambda[j])},
                             {"residual", found.residual[j]}});
  }
  if (!output.empty()) json["files"].push_back(output);
  return json;
}

/// What a user should know beside the table.
void warn(const modes::Modes& found) {
  const std::int64_t free = modes::motions_without_stiffness(found);
  if (free > 0) {
    log::warning("nothing holds {} of the modes: rigid motions or mechanisms, of frequency zero", free);
  }
  std::int64_t negative = 0;
  for (const double lambda : found.lambda) negative += lambda < -found.zero ? 1 : 0;
  if (negative > 0) {
    log::warning("the stiffness is indefinite: {} eigenvalue{} negative, the lowest is {:.6g}", negative,
                 negative == 1 ? " is" : "s are", found.lambda.front());
  }
}

}  // namespace

cli::App* add_modes_command(cli::App& cli, ModesOptions& options) {
  cli::App* command = cli.add_subcommand("modes", "Natural frequencies of a stiffness and a mass matrix");
  command->add_option("stiffness", options.stiffness, "Symmetric: .mtx or .mtx.gz")
      ->required()
      ->type_name("K.mtx");
  command->add_option("-m,--mass", options.mass, "Symmetric positive semidefinite, of the same size")
      ->type_name("M.mtx");
  command->add_option("-n,--count", options.count, "So many of the lowest modes")->type_name("N");
  command->add_option("--below", options.below, "All modes below a frequency (cycles per time)")
      ->type_name("F");
  command->add_option("--between", options.between, "All modes between two frequencies")
      ->type_name("F1,F2")
      ->delimiter(',')
      ->expected(2);
  command
      ->add_option("--method", options.method,
                   "auto (by the number of unknowns), dense, lanczos, lobpcg or subspace [default: auto]")
      ->type_name("NAME")
      ->offers({"auto", "dense", "lanczos", "lobpcg", "subspace"})
      ->group("Solver");
  command
      ->add_option("--tolerance", options.tolerance,
                   "Of |K x - l M x| / |K x| [default: 1e-8 with a factorisation, else 1e-6]")
      ->type_name("R")
      ->group("Solver");
  add_geometry_options(*command, options.geometry);
  command->add_option("-o,--output", options.output, "The shapes to write, a column a mode")
      ->type_name("X.mtx");
  command->footer("\nFiles are of the Matrix Market. Shapes have unit modal mass.");
  return command;
}

int find_modes(const ModesOptions& options, const CommonOptions& common, const DeviceOptions& device,
               Monitor& monitor) {
  const exec::Team team = device.team();
  const exec::Device& on = team.devices().front();
  const exec::Device cpu = on.is_cuda() || team.size() > 1 ? exec::Device::cpu(device.threads) : on;
  const modes::Method method = modes::method_of(options.method);
  const modes::Request request = request_of(options);
  const bool talk = !common.quiet && !common.json;
  if (talk) {
    fmt::print("setka {}: {} and {} on {}\n", version, options.stiffness, options.mass,
               devices_in_words(team.devices(), cpu.threads()));
  }
  const io::MatrixMarketOptions reading{cpu.threads(), 0};
  std::optional<Stage> stage(monitor.stage("read"));
  sparse::Csr k = read_matrix(options.stiffness, reading, monitor);
  sparse::Csr m = read_matrix(options.mass, reading, monitor);
  modes::check_mass(m, options.mass, k.rows);
  if (request.count > k.rows) {
    misused(fmt::format("-n {} asks for more modes than there are unknowns ({})", request.count, k.rows),
            "ask for fewer modes");
  }
  const solve::MatrixGeometry geometry =
      read_geometry(options.geometry, options.stiffness, k.rows, reading, monitor);
  stage.reset();
  if (talk) {
    fmt::print("{} unknowns, {} and {} entries, {}blocks of {}\n", k.rows, k.stored(), m.stored(),
               geometry.coordinates.empty() ? "" : "coordinates, ", geometry.block);
  }
  const sparse::BlockCsr<double> stiffness = sparse::blocked(cpu, k, geometry.block);
  const sparse::BlockCsr<double> mass = sparse::blocked(cpu, m, geometry.block);
  k = {};
  m = {};
  modes::EigenSystem system;
  system.stiffness.assembled = &stiffness;
  system.mass.assembled = &mass;
  system.geometry = [&] { return solve::geometry_of(stiffness, geometry); };
  const modes::Modes found =
      ranks() != nullptr ? domains::find_modes(*ranks(), team, cpu, system, request, method, monitor)
      : team.size() > 1  ? domains::find_modes(team, cpu, system, request, method, monitor)
                         : modes::find(on, cpu, system, request, method, monitor,
                                      device.named() ? modes::Shortage::stop : modes::Shortage::use_cpu);
  if (!found.converged && found.lambda.empty())
    throw Error(Fault::input, found.trouble, "check how the matrices were made", {options.stiffness, 0});
  if (found.converged && found.count() < request.count && !std::isfinite(request.upper))
    throw Error(Fault::input, found.trouble, "ask for fewer modes", {options.mass, 0});
  warn(found);
  const std::string output = found.converged ? options.output : "";
  if (!output.empty() && !speaks_not()) {
    const Stage writing = monitor.stage("write");
    io::write_columns(output, found.shape, found.count(),
                      fmt::format("modes of {} and {} by setka {}: {}", options.stiffness, options.mass,
                                  version, found.method));
  }
  if (!common.json) {
    print_table(found);
    fmt::print("\n{}, at most {}{}\n", format_seconds(monitor.times().seconds), most_memory_in_words(),
               output.empty() ? "" : "; written: " + output);
  }
  if (common.json) {
    ordered_json json = summary_json(options, found, geometry.block, output);
    if (common.timings) json["timings"] = to_json(monitor.times());
    fmt::print("{}\n", json_text(json));
  }
  if (found.converged) return static_cast<int>(ExitCode::done);
  log::error("the modes have not converged: {}{}", found.trouble,
             options.output.empty() ? "" : "; " + options.output + " was not written");
  return static_cast<int>(ExitCode::not_converged);
}

}  // namespace setka::app
