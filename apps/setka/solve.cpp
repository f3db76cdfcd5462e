// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "solve.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

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
#include "setka/domains/team_solver.hpp"
#include "setka/exec/team.hpp"
#include "setka/io/matrix_market.hpp"
#include "setka/solve/matrix_checks.hpp"
#include "setka/solve/matrix_system.hpp"

namespace setka::app {
namespace {

using nlohmann::ordered_json;

/// What is wrong with the options by themselves, before files are read.
void check_options(const SolveOptions& options) {
  check_block(options.geometry.block);
  if (options.output.empty()) return;
  check_output(options.output,
               {options.matrix, options.rhs, options.geometry.coordinates, options.geometry.near_nullspace});
}

[[noreturn]] void refuse(const std::string& file, std::string message, std::string remedy) {
  throw Error(Fault::input, std::move(message), std::move(remedy), {file, 0});
}

/// The other triangle of a skew-symmetric matrix.
void add_negated_triangle(sparse::Triplets& list) {
  const std::size_t size = list.value.size();
  for (std::size_t k = 0; k < size; ++k) {
    list.row.push_back(list.column[k]);
    list.column.push_back(list.row[k]);
    list.value.push_back(-list.value[k]);
  }
}

/// Reads the matrix and refuses what cannot be of its kind.
sparse::Csr read_system_matrix(const std::string& path, solve::MatrixKind kind,
                               const io::MatrixMarketOptions& reading, Monitor& monitor) {
  using Symmetry = io::MatrixMarket::Symmetry;
  io::MatrixMarket file = io::read_matrix_market(path, reading, monitor);
  const bool skew = file.symmetry == Symmetry::skew_symmetric;
  if (skew && kind != solve::MatrixKind::general)
    refuse(path, "the matrix is skew-symmetric, with zeros on its diagonal", "use --solver gmres");
  const bool mirrored = file.symmetry == Symmetry::symmetric;
  solve::check_shape(file.entries, path, kind, mirrored || skew);
  const Stage stage = monitor.stage("check");
  if (skew) add_negated_triangle(file.entries);
  sparse::Csr matrix = sparse::compressed(std::move(file.entries), mirrored, reading.threads);
  solve::check_matrix(matrix, path, kind, mirrored, reading.threads);
  return matrix;
}

std::vector<double> read_rhs(const SolveOptions& options, std::int32_t rows,
                             const io::MatrixMarketOptions& reading, Monitor& monitor) {
  std::vector<double> ones;
  if (options.rhs.empty()) {
    ones.assign(static_cast<std::size_t>(rows), 1.0);
    return ones;
  }
  io::DenseMatrix b = io::read_dense_matrix(options.rhs, reading, monitor);
  if (b.rows != rows || b.columns != 1) {
    refuse(
        options.rhs,
        fmt::format("the right-hand side is of {} x {}, but the matrix has {} rows", b.rows, b.columns, rows),
        fmt::format("give one column of {} numbers", rows));
  }
  return std::move(b.value);
}

/// A matrix that turned out not to be positive definite while it was solved.
[[noreturn]] void refuse_singular(const std::string& file, const solve::SolveReport& report) {
  const std::string where =
      report.factorised ? fmt::format(" (seen at row {})", report.singular + 1) : std::string();
  refuse(file, report.trouble + where,
         report.factorised || report.method.starts_with("CG")
             ? "is a boundary condition missing? Symmetric indefinite systems take --solver minres"
             : "the preconditioner has to be positive definite");
}

void print_summary(const solve::SolveReport& report, double read_seconds, double all_seconds,
                   const std::string& output) {
  const std::string solver =
      report.iterations > 1 ? fmt::format("{} ({})", report.method, report.iterations) : report.method;
  const std::size_t width = std::max<std::size_t>(24, solver.size());
  fmt::print("\n{:>{}} {:>9} {:>12} {:>12} {:>12}\n", "solver", width, "residual", "read", "set-up", "solve");
  fmt::print("{:>{}} {:>9.1e} {:>12} {:>12} {:>12}\n", solver, width, report.residual,
             format_seconds(read_seconds), format_seconds(report.setup_seconds),
             format_seconds(report.solve_seconds));
  fmt::print("\n{}, at most {}", format_seconds(all_seconds), most_memory_in_words());
  fmt::print("{}\n", output.empty() ? "" : "; written: " + output);
}

ordered_json summary_json(const SolveOptions& options, const solve::SolveReport& report, std::int64_t entries,
                          int block, double read_seconds, const std::string& output) {
  ordered_json json{
      {"matrix", options.matrix},
      {"right_hand_side", options.rhs.empty() ? "ones" : options.rhs},
      {"unknowns", report.unknowns},
      {"entries", entries},
      {"block", block},
      {"solver", report.method},
      {"iterations", report.iterations},
      {"residual", report.residual},
      {"converged", report.converged},
      {"seconds",
       {{"read", read_seconds}, {"set-up", report.setup_seconds}, {"solve", report.solve_seconds}}},
      {"peak_memory", most_memory()},
      {"files", ordered_json::array()}};
  if (!output.empty()) json["files"].push_back(output);
  return json;
}

}  // namespace

cli::App* add_solve_command(cli::App& cli, SolveOptions& options) {
  cli::App* command = cli.add_subcommand("solve", "Solve a system that is given by its matrix");
  command
      ->add_option("matrix", options.matrix,
                   "Positive definite, or any with minres and gmres: .mtx or .mtx.gz")
      ->required()
      ->type_name("A.mtx");
  command->add_option("--rhs", options.rhs, "The right-hand side, one column [default: ones]")
      ->type_name("B.mtx");
  add_geometry_options(*command, options.geometry);
  command->add_option("-o,--output", options.output, "The answer to write, one column")->type_name("X.mtx");
  command->footer("\nFiles are of the Matrix Market. Without -o only the way to the answer is printed.");
  return command;
}

int solve_matrix(const SolveOptions& options, const CommonOptions& common, const DeviceOptions& device,
                 Monitor& monitor) {
  const exec::Team team = device.team();
  const exec::Device& on = team.devices().front();
  const exec::Device cpu = on.is_cuda() ? exec::Device::cpu(device.threads) : on;
  const solve::SolverChoice choice = options.solver.choice();
  if ((team.size() > 1 || ranks() != nullptr) && choice.given != nullptr) {
    throw Error(Fault::usage,
                fmt::format("--preconditioner {} computes on one device, and --devices names {}",
                            choice.preconditioner, team.size()),
                "name one device: --parts may be more than there are devices");
  }
  check_options(options);
  const bool talk = !common.quiet && !common.json;
  if (talk) {
    fmt::print("setka {}: {} on {}\n", version, options.matrix,
               devices_in_words(team.devices(), cpu.threads()));
  }

  const io::MatrixMarketOptions reading{cpu.threads(), 0};
  std::optional<Stage> stage(monitor.stage("read"));
  sparse::Csr matrix = read_system_matrix(options.matrix, solve::kind_for(choice.method), reading, monitor);
  const std::int64_t entries = matrix.stored();
  const std::vector<double> b = read_rhs(options, matrix.rows, reading, monitor);
  solve::MatrixGeometry geometry =
      read_geometry(options.geometry, options.matrix, matrix.rows, reading, monitor);
  const double read_seconds = stage->seconds();
  stage.reset();
  if (talk) {
    fmt::print("{} unknowns, {} entries, {}blocks of {}; right-hand side: {}\n", matrix.rows, entries,
               geometry.coordinates.empty() ? "" : "coordinates, ", geometry.block,
               options.rhs.empty() ? "ones" : options.rhs);
  }

  stage.emplace(monitor.stage("blocks"));
  const solve::MatrixSystem system(cpu, matrix, std::move(geometry));
  matrix = {};  // the system has it in blocks
  const double blocks_seconds = stage->seconds();
  stage.reset();
  const auto by_ranks = [&](const solve::LinearSystem& scaled, const std::vector<double>& right) {
    return domains::solve(*ranks(), team, scaled, right, choice, monitor);
  };
  auto [x, report] = ranks() != nullptr ? system.solve_by(by_ranks, b)
                     : team.size() == 1
                         ? system.solve(on, b, choice, monitor)
                         : system.solve_by(
                               [&](const solve::LinearSystem& scaled, const std::vector<double>& right) {
                                 return domains::solve(team, scaled, right, choice, monitor);
                               },
                               b);
  report.setup_seconds += blocks_seconds;
  if (report.singular >= 0) refuse_singular(options.matrix, report);
  const std::string output = report.converged ? options.output : "";
  if (!output.empty() && !speaks_not()) {
    const Stage writing = monitor.stage("write");
    io::write_vector(output, x,
                     fmt::format("solution of {} by setka {}: {}, residual {:.1e}", options.matrix, version,
                                 report.method, report.residual));
  }
  if (!common.json) print_summary(report, read_seconds, monitor.times().seconds, output);
  if (common.json) {
    ordered_json json = summary_json(options, report, entries, system.block(), read_seconds, output);
    if (common.timings) json["timings"] = to_json(monitor.times());
    fmt::print("{}\n", json_text(json));
  }
  if (report.converged) return static_cast<int>(ExitCode::done);
  log::error("the system has not converged: {}; residual {:.1e} after {} iterations{}", report.trouble,
             report.residual, report.iterations,
             options.output.empty() ? "" : "; " + options.output + " was not written");
  return static_cast<int>(ExitCode::not_converged);
}

}  // namespace setka::app
