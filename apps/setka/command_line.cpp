// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "command_line.hpp"

#include <omp.h>

#include <algorithm>
#include <cstdio>
#include <string_view>
#include <system_error>

#include <fmt/core.h>

#include "setka/base/error.hpp"
#include "setka/base/text.hpp"
#include "setka/exec/select.hpp"

namespace setka::app {
namespace {

std::vector<std::string> command_names(CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](CLI::App*) { return true; }))
    names.push_back(command->get_name());
  return names;
}

std::vector<std::string> option_names(CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

std::string perhaps(const std::string& meant) {
  return meant.empty() ? "" : fmt::format("did you mean {}? ", meant);
}

/// CLI11's own texts name what was not expected; we also say what would have been.
[[noreturn]] void refuse(CLI::App& app, int argc, char** argv, const CLI::ParseError& error) {
  CLI::App* command = &app;
  const std::vector<std::string> commands = command_names(app);
  int i = 1;
  if (i < argc && argv[i][0] != '-') {
    if (std::find(commands.begin(), commands.end(), argv[i]) == commands.end()) {
      throw Error(Fault::usage, fmt::format("unknown command '{}'", argv[i]),
                  fmt::format("{}the commands are {} (see setka --help)",
                              perhaps(nearest_word(argv[i], commands)), join_words(commands)));
    }
    command = app.get_subcommand(argv[i]);
    ++i;
  }
  const std::string help =
      command == &app ? "setka --help" : fmt::format("setka {} --help", command->get_name());
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) {
    for (; i < argc; ++i) {
      const std::string word = std::string(argv[i]).substr(0, std::string_view(argv[i]).find('='));
      if (word.starts_with("-") && command->get_option_no_throw(word) == nullptr) {
        throw Error(Fault::usage, fmt::format("unknown option '{}'", word),
                    fmt::format("{}see {}", perhaps(nearest_word(word, option_names(*command))), help));
      }
    }
  }
  std::string text = error.what();
  for (char& letter : text) {
    if (letter == '\n') letter = ' ';
  }
  throw Error(Fault::usage, text, "see " + help);
}

}  // namespace

exec::Device DeviceOptions::select_one() const {
  if (numbers.size() > 1) {
    throw Error(Fault::usage,
                fmt::format("--devices names {} devices, but this command computes on one", numbers.size()),
                "name one of them; setka calibrate and setka bench sweeps use several");
  }
  return select().front();
}

std::vector<exec::Device> DeviceOptions::select() const {
  if (threads > 0) omp_set_num_threads(threads);
  std::vector<exec::Device> devices = exec::select_devices(backend, numbers, threads);
  if (memory > 0) {
    for (const exec::Device& device : devices) device.limit_memory(memory);
  }
  return devices;
}

void add_talk_options(CLI::App& command, CommonOptions& options) {
  command.add_flag("-q,--quiet", options.quiet, "No progress; only results, warnings and errors")
      ->group("Output");
  command.add_flag("-v,--verbose", options.verbose, "Say more about what is done and why")->group("Output");
  command.add_flag("--timings", options.timings, "Print how long each stage took")->group("Output");
}

void add_common_options(CLI::App& command, CommonOptions& options) {
  add_talk_options(command, options);
  command.add_flag("--json", options.json, "Print the result as one JSON object on standard output")
      ->group("Output");
}

void add_device_options(CLI::App& command, DeviceOptions& options) {
  command
      .add_option("--backend", options.backend,
                  "Where to compute: auto (the first GPU, else the CPU), cpu or cuda [default: auto]")
      ->type_name("NAME")
      ->group("Device");
  command
      .add_option("--devices", options.numbers, "Numbers of the GPUs to use, as 0 or 0,1 (see setka info)")
      ->delimiter(',')
      ->type_name("LIST")
      ->group("Device");
  command.add_option("--threads", options.threads, "CPU threads [default: all]")
      ->type_name("N")
      ->group("Device");
}

void add_memory_option(CLI::App& command, std::uint64_t& memory) {
  command
      .add_option("--memory", memory,
                  "Use at most so much memory of the device, as 500MB or 2GB [default: what is free]")
      ->transform(CLI::AsSizeValue(true))
      ->type_name("LIMIT")
      ->group("Device");
}

void add_solver_options(CLI::App& command, SolverOptions& options) {
  command
      .add_option("--solver", options.solver,
                  "auto (a factorisation for small models, else CG), cholesky or cg [default: auto]")
      ->type_name("NAME")
      ->group("Solver");
  command
      .add_option("--preconditioner", options.preconditioner,
                  "Of CG: auto, jacobi, block-jacobi, fsai or amg [default: auto, which is amg]")
      ->type_name("NAME")
      ->group("Solver");
  command
      .add_option("--tolerance", options.tolerance,
                  "CG ends when the residual is so small a part of the right-hand side [default: 1e-8]")
      ->type_name("R")
      ->group("Solver");
  command
      .add_option("--max-iterations", options.most_iterations,
                  "Iterations after which CG gives up [default: 20000]")
      ->type_name("N")
      ->group("Solver");
}

void add_operator_option(CLI::App& command, std::string& kind) {
  command
      .add_option("--operator", kind,
                  "How CG multiplies: auto, assembled, elements (stored element matrices) or matrix-free "
                  "[default: auto, which is assembled]")
      ->type_name("NAME")
      ->group("Solver");
}

void add_modes_option(CLI::App& command, std::string& method) {
  command
      .add_option("--modes", method,
                  "How modes are found: auto (by the size of the model), dense, lanczos, lobpcg or subspace "
                  "[default: auto]")
      ->type_name("NAME")
      ->group("Solver");
}

solve::SolverChoice SolverOptions::choice() const {
  solve::SolverChoice choice;
  choice.method = solve::method_of(solver);
  choice.preconditioning = solve::preconditioning_of(preconditioner);
  choice.tolerance = tolerance;
  if (!(tolerance > 0 && tolerance < 1)) {
    throw Error(Fault::usage, fmt::format("--tolerance {} is not between 0 and 1", tolerance),
                "give a small number, as 1e-8");
  }
  choice.most_iterations = most_iterations;
  if (most_iterations < 1) {
    throw Error(Fault::usage, fmt::format("--max-iterations {} allows none", most_iterations),
                "give a number from 1 on");
  }
  return choice;
}

bool parse(CLI::App& app, int argc, char** argv) {
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& success) {  // --help and --version
    app.exit(success);
    return false;
  } catch (const CLI::ParseError& error) {
    refuse(app, argc, argv, error);
  }
  return true;
}

std::filesystem::path deck_path(const std::string& name, bool calculix) {
  if (calculix && (!name.ends_with(".inp") || std::filesystem::exists(name + ".inp"))) return name + ".inp";
  if (std::filesystem::exists(name)) return name;
  return std::filesystem::exists(name + ".inp") ? name + ".inp" : name;
}

void claim_outputs(const io::InputFiles& inputs, const std::vector<io::OutputName>& outputs,
                   const std::string& remedy) {
  inputs.refuse_as_outputs(outputs, remedy);
  io::remove_dead_parts(outputs);
}

void refuse_existing(const std::filesystem::path& output, bool force) {
  std::error_code ignored;  // what cannot be asked fails when it is written
  if (force || !std::filesystem::exists(output, ignored)) return;
  throw Error(Fault::usage, fmt::format("{} exists", output.string()),
              "choose another name, or overwrite it with --force");
}

void print_timings(const CommonOptions& options, const Monitor& monitor) {
  if (options.timings && !options.json) fmt::print(stderr, "\n{}", format_stage_times(monitor.times()));
}

}  // namespace setka::app
