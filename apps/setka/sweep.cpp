// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "sweep.hpp"

#include <filesystem>

#include <fmt/core.h>

#include "cli.hpp"
#include "json.hpp"
#include "setka/base/error.hpp"
#include "setka/base/log.hpp"
#include "setka/base/text.hpp"
#include "setka/cases/line_systems.hpp"

namespace setka::app {
namespace {

using nlohmann::ordered_json;

const char* name_of(grid::Coefficients kind) {
  switch (kind) {
    case grid::Coefficients::each:
      return "of each line";
    case grid::Coefficients::shared:
      return "shared by all lines";
    default:
      return "constant";
  }
}

cases::LineSystems systems_of(const SweepCommandOptions& options) {
  cases::LineSystems systems;
  systems.right = options.right;
  systems.lower = options.lower;
  systems.diagonal = options.diagonal;
  systems.upper = options.upper;
  systems.axis = options.axis;
  systems.single_precision = options.precision == "single";
  systems.sweep.periodic = options.periodic;
  systems.sweep.check_pivots = true;
  systems.sweep.check_dominance = options.check_dominance;
  systems.tolerance = options.tolerance;
  if (!(options.tolerance > 0))
    throw Error(Fault::usage, fmt::format("--tolerance {} is not above zero", options.tolerance),
                "give a small number, as 1e-3");
  systems.write_anyway = options.write_anyway;
  systems.output = options.output;
  if (systems.output.empty()) {
    systems.output = options.right;
    systems.output.replace_extension();
    systems.output += "-solution.npy";
  }
  claim_outputs({options.right, options.lower, options.diagonal, options.upper}, {{systems.output, {}}});
  return systems;
}

/// null where there is no prediction.
ordered_json prediction_json(const cases::SolvedLines& solved) {
  const cases::GridPrediction& prediction = solved.prediction;
  if (!prediction.lacks.empty()) return nullptr;
  return {{"way", prediction.way},
          {"why", prediction.why},
          {"seconds", prediction.cost.seconds()},
          {"measured_over_predicted", solved.seconds / prediction.cost.seconds()}};
}

void print_prediction(const cases::SolvedLines& solved) {
  const cases::GridPrediction& prediction = solved.prediction;
  if (prediction.lacks.empty()) {
    fmt::print("predicted {} by the {} way, {:.2f} of it measured; of the model {}\n",
               format_seconds(prediction.cost.seconds()), prediction.way,
               solved.seconds / prediction.cost.seconds(), prediction.why);
  } else {
    fmt::print("no prediction to compare with: {}\n", prediction.lacks);
  }
}

}  // namespace

cli::App* add_sweep_command(cli::App& cli, SweepCommandOptions& options) {
  cli::App* command = cli.add_subcommand("sweep", "Tridiagonal systems, one a line of an array, all at once");
  command->add_option("right", options.right, "The right-hand sides: .npy of one to three axes")
      ->required()
      ->type_name("RIGHT");
  const auto add_coefficient = [&](const char* name, std::string& value, const char* what) {
    command->add_option(name, value, what)->required()->type_name("NUMBER|FILE");
  };
  add_coefficient("--lower", options.lower, "What the value before has in a row");
  add_coefficient("--diagonal", options.diagonal, "What the row's own value has");
  add_coefficient("--upper", options.upper, "What the value after has");
  command->add_option("--axis", options.axis, "Axis that the lines go along; -1: the last")
      ->type_name("K")
      ->capture_default_str();
  command->add_flag("--periodic", options.periodic, "The last value is before the first");
  command->add_flag("--check-dominance", options.check_dominance,
                    "Refuse rows whose diagonal is less than the sum of the others");
  command->add_option("--precision", options.precision, "double or single")
      ->type_name("WORD")
      ->is_member({"double", "single"})
      ->capture_default_str();
  command
      ->add_option("--tolerance", options.tolerance,
                   "Solved is what has a residual of so small a part of the largest right-hand side")
      ->type_name("R")
      ->capture_default_str();
  command->add_flag("--write-anyway", options.write_anyway, "Write the solution even where it is none");
  command->add_option("-o,--output", options.output, "The solution, .npy [default: RIGHT-solution.npy]")
      ->type_name("FILE");
  command->footer(
      "\nA coefficient is a number, a .npy of as many values as a line has rows, for all lines, or a .npy "
      "of\n"
      "the shape of RIGHT. Rows are not exchanged: a zero pivot is an error that names line and row,\n"
      "and what is solved in name only ends with exit code 3 and is not written.");
  return command;
}

int run_sweep(const SweepCommandOptions& options, const CommonOptions& common, const DeviceOptions& device,
              Monitor& monitor) {
  const cases::LineSystems systems = systems_of(options);
  const exec::Device on = device.select_one();
  const cases::SolvedLines solved = cases::solve_lines(systems, on, monitor);
  if (common.json) {
    ordered_json json{{"output", systems.output.string()},
                      {"device", on.label()},
                      {"shape", solved.shape},
                      {"lines", solved.lines},
                      {"rows", solved.rows},
                      {"coefficients", name_of(solved.coefficients)},
                      {"periodic", options.periodic},
                      {"precision", options.precision},
                      {"solution_s", solved.seconds},
                      {"predicted", prediction_json(solved)},
                      {"relative_residual", solved.residual},
                      {"converged", solved.converged},
                      {"files", ordered_json::array()}};
    if (solved.written) json["files"].push_back(systems.output.string());
    if (common.timings) json["timings"] = app::to_json(monitor.times());
    fmt::print("{}\n", json_text(json));
  } else {
    fmt::print("{} lines of {} rows, {}coefficients {}, {} precision\n", solved.lines, solved.rows,
               options.periodic ? "periodic, " : "", name_of(solved.coefficients), options.precision);
    fmt::print("solved on {} in {}, relative residual {:.1e}\n", on.label(), format_seconds(solved.seconds),
               solved.residual);
    print_prediction(solved);
    if (solved.written) fmt::print("written: {}\n", systems.output.string());
  }
  if (solved.converged) return static_cast<int>(ExitCode::done);
  log::error(
      "the systems are not solved: the relative residual is {:.1e}, tolerance {:.1e}; they are singular, or "
      "need rows exchanged{}; {}",
      solved.residual, systems.tolerance,
      systems.single_precision ? ", or more digits than single precision has" : "",
      solved.written ? systems.output.string() + " holds what came out"
                     : systems.output.string() + " was not written (--write-anyway does)");
  return static_cast<int>(ExitCode::not_converged);
}

}  // namespace setka::app
