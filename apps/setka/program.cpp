// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "program.hpp"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <string_view>

#include <fmt/core.h>

#include "bench.hpp"
#include "calibrate.hpp"
#include "ccx.hpp"
#include "check.hpp"
#include "command_line.hpp"
#include "completion.hpp"
#include "convert.hpp"
#include "domains.hpp"
#include "example.hpp"
#include "failure.hpp"
#include "grid.hpp"
#include "help.hpp"
#include "info.hpp"
#include "manual.hpp"
#include "modes.hpp"
#include "plan.hpp"
#include "project.hpp"
#include "ranks.hpp"
#include "report.hpp"
#include "run.hpp"
#include "setka/base/config.hpp"
#include "setka/base/error.hpp"
#include "setka/base/interrupt.hpp"
#include "setka/base/log.hpp"
#include "setka/base/monitor.hpp"
#include "solve.hpp"
#include "spectrum.hpp"
#include "sweep.hpp"

namespace {

namespace cli = setka::app::cli;

/// The commands with their options; those of ccx are its own program's.
cli::CommandText all_of(const cli::App& cli) {
  cli::CommandText program = cli.described();
  for (cli::CommandText& command : program.commands) {
    if (command.name == "ccx") command.options = setka::app::ccx_described().options;
  }
  return program;
}

/// Seconds of the wall; with SETKA_CLOCK=cpu those of the processor, of all threads: what formulas are held
/// against where a machine has other work to do.
setka::Monitor::Clock clock_of_stages() {
  const char* const asked = std::getenv("SETKA_CLOCK");
  const bool of_processor = asked != nullptr && std::string_view(asked) == "cpu";
  const clockid_t clock = of_processor ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC;
  return [clock] {
    timespec now{};
    clock_gettime(clock, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
  };
}

int run(int argc, char** argv) {
  using namespace setka;
  app::CommonOptions common;
  app::DeviceOptions device;

  cli::App cli("Setka solves the mesh and grid equations of mechanics and heat, on GPUs and CPUs.", "setka");
  cli.set_version_flag("--version", version);
  cli.require_subcommand(0, 1);

  cli::App* info = cli.add_subcommand("info", "Version, back ends, devices, libraries and what is missing");
  info->footer(
      "\nWith --backend, --devices or --threads it shows which devices a run with these options would use,\n"
      "and refuses what is not there.");
  app::add_common_options(*info, common);
  app::add_device_options(*info, device);

  app::RunOptions run_options;
  cli::App* run_command = cli.add_subcommand("run", "Run every step of a CalculiX or Abaqus deck");
  run_command->add_option("deck", run_options.deck, "The deck, with or without .inp")
      ->required()
      ->type_name("DECK");
  run_command->footer("\nWrites DECK.dat, DECK.frd, DECK.vtu and DECK.pvd beside the deck.");
  app::add_run_options(*run_command, run_options);
  run_command->add_flag(
      "--report", run_options.report,
      "Also write DECK.html: tables, plots and the model with its results, to open in a browser");
  run_command->add_flag("--write-elements", run_options.write_elements,
                        "Also write DECK.stiffness.elements and DECK.mass.elements, for setka project");
  app::add_common_options(*run_command, common);
  app::add_device_options(*run_command, device);
  app::add_shares_option(*run_command, device);
  app::add_petsc_option(*run_command, device);
  app::add_memory_option(*run_command, device.memory);

  app::RunOptions report_options;
  cli::App* report_command = app::add_report_command(cli, report_options);
  app::add_common_options(*report_command, common);
  app::add_device_options(*report_command, device);
  app::add_shares_option(*report_command, device);
  app::add_memory_option(*report_command, device.memory);

  app::CheckOptions check_options;
  cli::App* check_command = app::add_check_command(cli, check_options);
  app::add_common_options(*check_command, common);

  cli.add_subcommand("ccx",
                     "Take the place of CalculiX: setka ccx -i JOB");  // run_ccx() does it, see guarded()

  app::ConvertOptions convert_options;
  cli::App* convert_command =
      cli.add_subcommand("convert", "Write a mesh of Gmsh as nodes, elements and sets of a deck");
  convert_command->add_option("mesh", convert_options.mesh, "The mesh: .msh of version 4.1 or 2.2")
      ->required()
      ->type_name("MESH");
  convert_command->add_option("-o,--output", convert_options.output, "What to write [default: MESH.inp]")
      ->type_name("FILE");
  convert_command
      ->add_option("--element", convert_options.elements,
                   "Element type for its shape, as C3D20R for hexahedra with 20 nodes; may be repeated")
      ->type_name("TYPE")
      ->allow_extra_args(false)
      ->delimiter(',');
  convert_command->add_flag("--force", convert_options.force, "Overwrite the output where it exists");
  app::add_common_options(*convert_command, common);
  app::DomainsOptions domains_options;
  cli::App* domains_command = app::add_domains_command(cli, domains_options);
  app::add_common_options(*domains_command, common);
  app::ExampleOptions example_options;
  cli::App* example_command = app::add_example_command(cli, example_options);
  app::add_common_options(*example_command, common);

  app::SolveOptions solve_options;
  cli::App* solve_command = app::add_solve_command(cli, solve_options);
  solve_options.solver.any_matrix = true;
  app::add_solver_options(*solve_command, solve_options.solver);
  app::add_common_options(*solve_command, common);
  app::add_device_options(*solve_command, device);
  app::add_shares_option(*solve_command, device);
  app::add_petsc_option(*solve_command, device);
  app::add_memory_option(*solve_command, device.memory);
  app::ModesOptions modes_options;
  cli::App* modes_command = app::add_modes_command(cli, modes_options);
  app::add_common_options(*modes_command, common);
  app::add_device_options(*modes_command, device);
  app::add_shares_option(*modes_command, device);
  app::add_petsc_option(*modes_command, device);
  app::add_memory_option(*modes_command, device.memory);
  app::ProjectOptions project_options;
  cli::App* project_command = app::add_project_command(cli, project_options);
  app::add_common_options(*project_command, common);
  app::add_device_options(*project_command, device);
  app::SpectrumOptions spectrum_options;
  cli::App* spectrum_command = app::add_spectrum_command(cli, spectrum_options);
  app::add_common_options(*spectrum_command, common);
  app::add_device_options(*spectrum_command, device);
  app::SweepCommandOptions sweep_options;
  cli::App* sweep_command = app::add_sweep_command(cli, sweep_options);
  app::add_common_options(*sweep_command, common);
  app::add_device_options(*sweep_command, device);
  app::CalibrateOptions calibrate_options;
  cli::App* calibrate_command = app::add_calibrate_command(cli, calibrate_options);
  app::add_common_options(*calibrate_command, common);
  app::add_device_options(*calibrate_command, device);
  app::GridOptions grid_options;
  cli::App* grid_command = app::add_grid_command(cli, grid_options);
  app::add_common_options(*grid_command, common);
  app::add_device_options(*grid_command, device);
  app::add_memory_option(*grid_command, device.memory);
  app::PlanOptions plan_options;
  cli::App* plan_command = app::add_plan_command(cli, plan_options);
  app::add_common_options(*plan_command, common);
  app::add_device_options(*plan_command, device);
  app::add_memory_option(*plan_command, device.memory);
  app::BenchOptions bench_options;
  cli::App* bench_command = app::add_bench_command(cli, bench_options, common);
  app::add_device_options(*bench_command, device);
  app::CompletionOptions completion_options;
  const cli::App* completion_command = app::add_completion_command(cli, completion_options);
  app::ManualOptions manual_options;
  const cli::App* manual_command = app::add_manual_command(cli, manual_options);

  app::add_examples(cli);
  if (!app::cli::parse(cli, argc, argv)) return static_cast<int>(ExitCode::done);
  if (!cli.any_subcommand_parsed()) {
    fmt::print("{}", cli.help());
    return static_cast<int>(argc > 1 ? ExitCode::usage : ExitCode::done);
  }

  if (completion_command->parsed()) return app::print_completion(completion_options, all_of(cli));
  if (manual_command->parsed()) return app::print_manual(manual_options, all_of(cli));
  if (app::ranks() != nullptr) {
    if (!info->parsed() && !run_command->parsed() && !solve_command->parsed() && !modes_command->parsed() &&
        !calibrate_command->parsed())
      throw Error(Fault::usage,
                  fmt::format("setka {} is of one process, and there are {}", argv[1], app::ranks()->size()),
                  "run it without mpirun; setka run, solve, modes and calibrate are of many");
  }
  if (app::speaks_not()) common.quiet = true;
  log::set_level(app::speaks_not() ? log::Level::off
                 : common.quiet    ? log::Level::warning
                 : common.verbose  ? log::Level::debug
                                   : log::Level::info);
  catch_interrupts();
  std::signal(SIGXFSZ, SIG_IGN);  // a file over the shell's limit is then a failed write, with its message
  Monitor monitor(common.quiet ? ProgressDisplay::silent() : ProgressDisplay::on_stderr(), clock_of_stages());
  int code = 0;
  if (info->parsed()) {
    code = app::run_info(common, device, monitor);
  } else if (report_command->parsed()) {
    code = app::run_deck(report_options, common, device, monitor);
  } else if (check_command->parsed()) {
    code = app::check_deck(check_options, common, monitor);
  } else if (convert_command->parsed()) {
    code = app::convert_mesh(convert_options, common, monitor);
  } else if (domains_command->parsed()) {
    code = app::show_domains(domains_options, common, monitor);
  } else if (example_command->parsed()) {
    code = app::run_example(example_options, common, monitor);
  } else if (solve_command->parsed()) {
    code = app::solve_matrix(solve_options, common, device, monitor);
  } else if (modes_command->parsed()) {
    code = app::find_modes(modes_options, common, device, monitor);
  } else if (project_command->parsed()) {
    code = app::project_elements(project_options, common, device, monitor);
  } else if (spectrum_command->parsed()) {
    code = app::run_spectrum(spectrum_options, common, device, monitor);
  } else if (sweep_command->parsed()) {
    code = app::run_sweep(sweep_options, common, device, monitor);
  } else if (calibrate_command->parsed()) {
    code = app::run_calibrate(calibrate_options, common, device, monitor);
  } else if (grid_command->parsed()) {
    code = app::run_grid(grid_options, common, device, monitor);
  } else if (plan_command->parsed()) {
    code = app::plan_case(plan_options, common, device, monitor);
  } else if (bench_command->parsed()) {
    code = app::run_bench(bench_options, common, device, monitor);
  } else {
    code = app::run_deck(run_options, common, device, monitor);
  }
  if (app::ranks() != nullptr) {
    for (const std::string& word : app::ranks()->not_taken())
      log::warning("--petsc: {} was not asked for by what has computed", word);
  }
  if (!app::speaks_not()) app::print_timings(common, monitor);
  return code;
}

}  // namespace

namespace setka::app {

int run_program(int argc, char** argv, const Fail& fail_by) {
  try {
    if (argc > 1 && std::string_view(argv[1]) == "ccx") {
      if (ranks() != nullptr)
        throw Error(Fault::usage, "setka ccx is of one process", "use setka run under mpirun");
      return run_ccx("setka ccx", {argv + 2, argv + argc});
    }
    return run(argc, argv);
  } catch (...) {
    return fail_by(current_failure());
  }
}

}  // namespace setka::app
