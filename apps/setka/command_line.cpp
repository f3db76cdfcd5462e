// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "command_line.hpp"

#include <omp.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/core.h>

#include "ranks.hpp"
#include "setka/base/error.hpp"
#include "setka/base/log.hpp"
#include "setka/base/text.hpp"
#include "setka/exec/select.hpp"
#include "setka/plan/team_device.hpp"

namespace setka::app {
namespace {

/// Preconditioners of folders above solve/.
constexpr std::array<std::string_view, 1> other_preconditioners{"schwarz"};

std::vector<std::string> preconditioner_names() {
  std::vector<std::string> names{"auto"};
  for (const auto& kind : solve::preconditioners()) names.emplace_back(kind.word);
  names.insert(names.end(), other_preconditioners.begin(), other_preconditioners.end());
  return names;
}

/// The one of the word, for the matrices that the method of the choice solves.
void choose_preconditioner(solve::SolverChoice& choice, const std::string& word, const PartsOptions& parts) {
  const bool schwarz = word == "schwarz";
  const solve::MatrixKind kind = solve::kind_for(choice.method);
  if (!schwarz) {
    const auto known = solve::preconditioners();
    if (word != "auto" && std::ranges::none_of(known, [&](const auto& one) { return one.word == word; })) {
      throw Error(Fault::usage, fmt::format("'{}' is no preconditioner", word),
                  "give " + solve::preconditioner_words(other_preconditioners));
    }
    solve::preconditioner_of(word, kind);
    choice.preconditioner = word;
    return;
  }
  const domains::SchwarzOptions options = parts.of_schwarz();
  if (choice.method == solve::Method::cholesky) {
    throw Error(Fault::usage, "--preconditioner schwarz is of iterations, and --solver cholesky factorises",
                "leave one of them out");
  }
  if (options.method == domains::SchwarzMethod::restricted && choice.method != solve::Method::gmres) {
    throw Error(Fault::usage, "--schwarz restricted is not symmetric, and only gmres takes that",
                "give --solver gmres, which setka solve has, or --schwarz additive or multiplicative");
  }
  choice.use(domains::schwarz(options));
  solve::require_takes(*choice.given, kind);
}

void require_substructures(const SolverOptions& options) {
  if (options.any_matrix) {
    throw Error(Fault::usage, "--solver substructures is made of elements, and a matrix has none",
                "use setka run for a deck; for a matrix --preconditioner schwarz solves in parts");
  }
  if (options.preconditioner != "auto") {
    throw Error(
        Fault::usage,
        fmt::format("--solver substructures has a preconditioner of its own, and --preconditioner {} is "
                    "another",
                    options.preconditioner),
        "leave one of them out");
  }
  options.parts.of_substructures();
}

}  // namespace

exec::Device DeviceOptions::select_one() const {
  if (names.size() > 1) {
    throw Error(Fault::usage,
                fmt::format("--devices names {} devices, but this command computes on one", names.size()),
                "name one of them; setka run, solve, modes, grid, calibrate and bench sweeps use several");
  }
  return select().front();
}

exec::Team DeviceOptions::team(std::vector<exec::Device> devices) const {
  if (ranks() != nullptr) {
    if (devices.size() > 1 || !shares.empty())
      throw Error(Fault::usage, "each of many processes computes on one device, and all have the same share",
                  "name one by --devices, and leave --shares out");
    return {devices.front(), ranks()->transport()};
  }
  if (!shares.empty()) {
    if (shares.size() != devices.size())
      throw Error(Fault::usage,
                  fmt::format("--shares gives {} numbers for {} device{}", shares.size(), devices.size(),
                              devices.size() == 1 ? "" : "s"),
                  "give one for each of --devices");
    for (const double share : shares) {
      if (!(share > 0 && std::isfinite(share)))
        throw Error(Fault::usage, fmt::format("--shares: {} is no share", share), "give numbers above 0");
    }
    return exec::Team(std::move(devices), shares);
  }
  std::string why;
  const std::optional<std::vector<double>> suited = plan::shares_of(devices, why);
  if (!suited)
    log::warning("devices of different kinds have the same share of the work: {}; --shares gives others",
                 why);
  return exec::Team(std::move(devices), suited.value_or(std::vector<double>()));
}

std::future<std::vector<exec::Device>> DeviceOptions::start() const {
  std::vector<exec::Device> chosen;
  if (named()) chosen = select();
  if (threads > 0) omp_set_num_threads(threads);  // of this thread
  return std::async(std::launch::async | std::launch::deferred, [this, chosen] {
    std::vector<exec::Device> devices = chosen.empty() ? select() : chosen;
    for (const exec::Device& device : devices) device.stream();
    return devices;
  });
}

std::string devices_in_words(const std::vector<exec::Device>& devices, int cpu_threads) {
  const int processes = ranks() == nullptr ? 0 : ranks()->size();
  if (devices.size() > 1 && processes == 0) {
    std::vector<std::string> labels;
    labels.reserve(devices.size());
    for (const exec::Device& device : devices) labels.push_back(device.label());
    return join_words(labels);
  }
  const exec::Device& on = devices.front();
  const std::string of =
      processes == 0 ? "" : fmt::format("{} process{} of ", processes, processes == 1 ? "" : "es");
  return fmt::format("{}{}{} CPU thread{}", of, on.is_cuda() ? on.info().name + " and " : "", cpu_threads,
                     cpu_threads == 1 ? "" : "s");
}

std::vector<exec::Device> DeviceOptions::select() const {
  if (threads > 0) omp_set_num_threads(threads);
  // PETSc computes on the CPU unless it is told otherwise.
  const bool on_cpu = ranks() != nullptr && !named();
  std::vector<exec::Device> devices = exec::select_devices(on_cpu ? "cpu" : backend, names, threads);
  if (memory > 0) {
    for (const exec::Device& device : devices) device.limit_memory(memory);
  }
  return devices;
}

void add_petsc_option(cli::App& command, DeviceOptions& options) {
  command
      .add_option(
          "--petsc", options.petsc,
          "What PETSc and SLEPc are told, as '-pc_type hypre -ksp_monitor'; they compute under mpirun, "
          "and where this is given")
      ->type_name("OPTIONS")
      ->group("Device");
}

void add_talk_options(cli::App& command, CommonOptions& options) {
  command.add_flag("-q,--quiet", options.quiet, "No progress; only results, warnings and errors")
      ->group("Output");
  command.add_flag("-v,--verbose", options.verbose, "Say more about what is done and why")->group("Output");
  command.add_flag("--timings", options.timings, "Print how long each stage took")->group("Output");
}

void add_common_options(cli::App& command, CommonOptions& options) {
  add_talk_options(command, options);
  command.add_flag("--json", options.json, "Print the result as one JSON object on standard output")
      ->group("Output");
}

void add_device_options(cli::App& command, DeviceOptions& options) {
  command
      .add_option("--backend", options.backend,
                  "Where to compute: auto (the first GPU, else the CPU), cpu or cuda [default: auto]")
      ->type_name("NAME")
      ->offers({"auto", "cpu", "cuda"})
      ->group("Device");
  command
      .add_option("--devices", options.names,
                  "Devices to use: numbers of GPUs (see setka info) and cpu, as 0,1 or cpu,cpu")
      ->delimiter(',')
      ->type_name("LIST")
      ->group("Device");
  command.add_option("--threads", options.threads, "CPU threads [default: all]")
      ->type_name("N")
      ->group("Device");
}

void add_shares_option(cli::App& command, DeviceOptions& options) {
  command
      .add_option("--shares", options.shares,
                  "How much of the work each of --devices has, as 4,1 [default: the same; of devices of "
                  "different kinds what setka calibrate measured]")
      ->delimiter(',')
      ->type_name("LIST")
      ->group("Device");
}

void add_memory_option(cli::App& command, std::uint64_t& memory) {
  command
      .add_option("--memory", memory,
                  "Use at most so much memory of the device, as 500MB or 2GB [default: what is free]")
      ->size_value()
      ->type_name("LIMIT")
      ->group("Device");
}

void add_solver_options(cli::App& command, SolverOptions& options) {
  command
      .add_option("--solver", options.solver,
                  options.any_matrix
                      ? "auto (a factorisation for small systems, else CG), cholesky, cg, minres (symmetric "
                        "indefinite matrices) or gmres (any matrix) [default: auto]"
                      : "auto (a factorisation for small models, else CG), cholesky, cg or substructures (of "
                        "static steps) [default: auto]")
      ->type_name("NAME")
      ->offers(options.any_matrix ? std::vector<std::string>{"auto", "cholesky", "cg", "minres", "gmres"}
                                  : std::vector<std::string>{"auto", "cholesky", "cg", "substructures"})
      ->group("Solver");
  command
      .add_option("--preconditioner", options.preconditioner,
                  fmt::format("Of iterative solvers: {} [default: auto, {}]",
                              solve::preconditioner_words(other_preconditioners),
                              options.any_matrix ? "which is amg, and jacobi with minres and gmres"
                                                 : "which suits the step"))
      ->type_name("NAME")
      ->offers(preconditioner_names())
      ->group("Solver");
  command
      .add_option(
          "--tolerance", options.tolerance,
          options.any_matrix
              ? "Iterations end when the residual is so small a part of the right-hand side [default: 1e-8]"
              : "Iterations end when the residual is so small a part of the right-hand side, or of K x of a "
                "mode x [default: 1e-8, of modes by their method]")
      ->type_name("R")
      ->group("Solver");
  command
      .add_option("--max-iterations", options.max_iterations,
                  options.any_matrix
                      ? "Iterations after which the solver gives up [default: 20000]"
                      : "Iterations after which the solver gives up [default: 20000, of modes 1000]")
      ->type_name("N")
      ->group("Solver");
  add_parts_options(command, options.parts);
  if (!options.any_matrix) return;
  command
      .add_option("--restart", options.restart,
                  "Directions that gmres keeps before it starts again [default: 30]")
      ->type_name("N")
      ->group("Solver");
}

void add_operator_option(cli::App& command, std::string& kind) {
  command
      .add_option(
          "--operator", kind,
          "How CG and modes multiply: auto, assembled, elements (stored element matrices) or matrix-free "
          "[default: auto, which is assembled]")
      ->type_name("NAME")
      ->offers({"auto", "assembled", "elements", "matrix-free"})
      ->group("Solver");
}

void add_modes_option(cli::App& command, std::string& method) {
  command
      .add_option("--modes", method,
                  "How modes are found: auto (by the size of the model), dense, lanczos, lobpcg, subspace "
                  "or reduced (parts first, then lobpcg) [default: auto]")
      ->type_name("NAME")
      ->offers({"auto", "dense", "lanczos", "lobpcg", "subspace", "reduced"})
      ->group("Solver");
}

solve::SolverChoice SolverOptions::choice(bool parts_of_modes) const {
  solve::SolverChoice choice;
  if (in_substructures()) {
    require_substructures(*this);
  } else {
    choice.method = solve::method_of(solver);
  }
  const solve::MatrixKind kind = solve::kind_for(choice.method);
  if (!any_matrix && kind != solve::MatrixKind::positive_definite) {
    throw Error(Fault::usage,
                fmt::format("--solver {} is for matrices that are not positive definite, as those of "
                            "setka solve may be",
                            solver),
                "give auto, cholesky, cg or substructures");
  }
  parts.refuse_unused(preconditioner == "schwarz", in_substructures(), parts_of_modes);
  choose_preconditioner(choice, preconditioner, parts);
  choice.tolerance = tolerance.value_or(choice.tolerance);
  if (!(choice.tolerance > 0 && choice.tolerance < 1)) {
    throw Error(Fault::usage, fmt::format("--tolerance {} is not between 0 and 1", choice.tolerance),
                "give a small number, as 1e-8");
  }
  choice.max_iterations = max_iterations.value_or(choice.max_iterations);
  if (choice.max_iterations < 1) {
    throw Error(Fault::usage, fmt::format("--max-iterations {} allows none", choice.max_iterations),
                "give a number from 1 on");
  }
  choice.restart = restart.value_or(choice.restart);
  if (choice.restart < 1) {
    throw Error(Fault::usage, fmt::format("--restart {} keeps no direction", choice.restart),
                "give a number from 1 on");
  }
  if (restart && choice.method != solve::Method::gmres) {
    throw Error(Fault::usage, fmt::format("--restart {} is of gmres, not of --solver {}", *restart, solver),
                "leave one of them out");
  }
  return choice;
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
