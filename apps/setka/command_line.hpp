// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <filesystem>
#include <future>
#include <optional>
#include <string>
#include <vector>

#include "cli.hpp"
#include "parts_options.hpp"
#include "setka/base/monitor.hpp"
#include "setka/exec/device.hpp"
#include "setka/exec/team.hpp"
#include "setka/io/input_files.hpp"
#include "setka/solve/linear_solver.hpp"

namespace setka::app {

/// What every command understands.
struct CommonOptions {
  bool quiet = false;
  bool verbose = false;
  bool json = false;
  bool timings = false;
};

/// Where a command computes.
struct DeviceOptions {
  std::string backend = "auto";
  std::vector<std::string> names;  // of devices: numbers of GPUs, or cpu
  int threads = 0;
  std::uint64_t memory = 0;         // bytes of each device that may be used; 0: what is free
  std::vector<double> shares = {};  // of the work that devices have; none: as suits them
  std::string petsc = {};           // what PETSc is told, of many processes

  /// Also lets OpenMP have no more threads than were asked for, where a loop has no device to ask.
  std::vector<exec::Device> select() const;

  /// Devices that compute together, with the shares that the user gives them, or that suit them.
  exec::Team team(std::vector<exec::Device> devices) const;
  exec::Team team() const { return team(select()); }

  /// Of a command that computes on one device: refuses several instead of leaving all but the first idle.
  exec::Device select_one() const;

  /// All of them, made ready meanwhile: drivers take a tenth of a second to start. What the user named and is
  /// not there is refused at once.
  std::future<std::vector<exec::Device>> start() const;

  /// Whether the user named the device: then nothing else takes its place.
  bool named() const { return backend != "auto" || !names.empty(); }
};

/// "NVIDIA H200 and 16 CPU threads"; of several "cuda:0 and cuda:1"; of processes "4 processes of 1 CPU
/// thread".
std::string devices_in_words(const std::vector<exec::Device>& devices, int cpu_threads);

/// How linear systems are solved.
struct SolverOptions {
  std::string solver = "auto";
  std::string preconditioner = "auto";
  std::optional<double> tolerance;
  std::optional<int> max_iterations;
  std::optional<int> restart;
  PartsOptions parts;
  bool any_matrix = false;  // not only positive definite ones, as those of decks

  /// parts_of_modes: --parts serves modes as well.
  solve::SolverChoice choice(bool parts_of_modes = false) const;

  /// --solver substructures, which is none of solve/: of steps that have elements. The choice is then auto.
  bool in_substructures() const { return solver == "substructures"; }
};

void add_common_options(cli::App& command, CommonOptions& options);
void add_talk_options(cli::App& command, CommonOptions& options);  // the same without --json
void add_device_options(cli::App& command, DeviceOptions& options);
void add_shares_option(cli::App& command, DeviceOptions& options);
void add_petsc_option(cli::App& command, DeviceOptions& options);
void add_solver_options(cli::App& command, SolverOptions& options);  // by its any_matrix
void add_memory_option(cli::App& command, std::uint64_t& memory);

/// --operator; see analysis::operator_of().
void add_operator_option(cli::App& command, std::string& kind);

/// --modes; see modes::method_of().
void add_modes_option(cli::App& command, std::string& method);

/// The deck that was named with or without its ending .inp; a job of CalculiX has it in any case.
std::filesystem::path deck_path(const std::string& name, bool calculix = false);

/// Before any work: throws Error(Fault::usage) where an output is one of the inputs, and removes what killed
/// processes left of it. Outputs without a name are none.
void claim_outputs(const io::InputFiles& inputs, const std::vector<io::OutputName>& outputs,
                   const std::string& remedy = "give another name by -o");

/// Throws Error(Fault::usage) where the output exists and the user did not ask to overwrite it.
void refuse_existing(const std::filesystem::path& output, bool force);

/// The tree of stage times as text on standard error, when the user asked for it.
void print_timings(const CommonOptions& options, const Monitor& monitor);

}  // namespace setka::app
