// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "ccx.hpp"

#include <omp.h>
#include <unistd.h>
#include <algorithm>
#include <charconv>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <system_error>

#include <fmt/core.h>

#include "command_line.hpp"
#include "failure.hpp"
#include "run.hpp"
#include "setka/base/config.hpp"
#include "setka/base/error.hpp"
#include "setka/base/interrupt.hpp"
#include "setka/base/log.hpp"
#include "setka/base/log_writer.hpp"
#include "setka/base/monitor.hpp"
#include "standard_streams.hpp"

namespace setka::app {
namespace {

/// Whose arguments, files and messages these are; programs ask for it.
constexpr const char* calculix_version = "2.20";

/// As CalculiX says it; programs look for " *ERROR" and " *WARNING".
void say(log::Level level, std::string_view message) {
  const char* const mark = level == log::Level::error     ? " *ERROR: "
                           : level == log::Level::warning ? " *WARNING: "
                                                          : " ";
  // Not fmt::print, which throws where standard output is full: the exit code tells of that.
  std::fputs((mark + std::string(message) + "\n").c_str(), stdout);
  std::fflush(stdout);
}

ProgressDisplay progress_on_stdout() {
  return {ProgressStyle::lines, [](std::string_view text) {
            fmt::print("{}", text);
            std::fflush(stdout);
          }};
}

/// FreeCAD gives "-i " with a blank in it.
void trim_flag(std::string& argument) {
  if (!argument.starts_with('-')) return;
  argument.erase(std::find_if(argument.rbegin(), argument.rend(), [](char c) { return c != ' '; }).base(),
                 argument.end());
}

/// The number that a variable holds; 0 where it is not set, or holds none above 0.
int positive_variable(const char* name) {
  const char* const text = std::getenv(name);
  if (text == nullptr) return 0;
  int number = 0;
  const char* const end = text + std::strlen(text);
  const auto [stop, problem] = std::from_chars(text, end, number);
  if (problem == std::errc() && stop == end && number > 0) return number;
  if (*text != '\0') log::warning("{}={} is not a number of threads, and does not count", name, text);
  return 0;
}

/// Threads by the variables that CalculiX knows beside OMP_NUM_THREADS, which they go before; 0 where none is
/// set. It has one for each kind of work, Setka one number for all, that of the work that takes longest.
int threads_by_variables() {
  int threads = 0;
  for (const char* const name : {"CCX_NPROC_RESULTS", "CCX_NPROC_STIFFNESS", "CCX_NPROC_EQUATION_SOLVER"}) {
    if (const int number = positive_variable(name); number > 0) threads = number;
  }
  const int processors = positive_variable("NUMBER_OF_CPUS");
  if (processors == 0) return threads > 0 ? std::min(threads, omp_get_num_procs()) : 0;
  return std::min(threads > 0 ? threads : omp_get_max_threads(), processors);
}

struct CcxOptions {
  CommonOptions common;
  DeviceOptions device;
  RunOptions run;
  std::string job;  // without -i
  bool version = false;
};

std::string description_of_ccx() {
  return fmt::format(
      "Setka in the place of CalculiX {}: reads JOB.inp, writes JOB.dat, JOB.frd, JOB.sta and JOB.cvg.",
      calculix_version);
}

void add_ccx_options(cli::App& cli, CcxOptions& options) {
  cli.add_option("-i", options.run.deck, "The job, with or without .inp")->type_name("JOB");
  cli.add_option("job", options.job, "The same without -i")->type_name("JOB");
  add_run_options(cli, options.run);
  add_common_options(cli, options.common);
  // -v asks for the version here, as it does CalculiX.
  cli.remove_option("--verbose");
  cli.add_flag("--verbose", options.common.verbose, "Say more about what is done and why")->group("Output");
  cli.add_flag("-v,--version", options.version, "Print the version of CalculiX that this takes the place of")
      ->group("Output");
  add_device_options(cli, options.device);
  add_shares_option(cli, options.device);
  add_memory_option(cli, options.device.memory);
}

int run(const std::string& program, const std::vector<std::string>& arguments) {
  CcxOptions given;
  given.run.calculix = true;
  cli::App cli(description_of_ccx(), program);
  add_ccx_options(cli, given);
  if (!cli::parse(cli, program, arguments)) return static_cast<int>(ExitCode::done);
  if (given.version) {
    fmt::print("\nThis is Version {}\n(as far as programs that call it see; by Setka {})\n\n",
               calculix_version, version);
    return static_cast<int>(ExitCode::done);
  }
  const CommonOptions& common = given.common;
  RunOptions& options = given.run;
  if (options.deck.empty()) options.deck = given.job;
  if (options.deck.empty()) {
    fmt::print("Usage: {} -i jobname\n(Setka {} in the place of CalculiX {}; {} --help tells more)\n",
               program, version, calculix_version, program);
    return static_cast<int>(ExitCode::usage);
  }

  log::set_level(common.quiet ? log::Level::warning : common.verbose ? log::Level::debug : log::Level::info);
  if (!common.json) log::set_writer(say);
  if (given.device.threads == 0) given.device.threads = threads_by_variables();
  catch_interrupts();
  std::signal(SIGXFSZ, SIG_IGN);  // a file over the shell's limit is then a failed write, with its message
  Monitor monitor(common.quiet || common.json ? ProgressDisplay::silent() : progress_on_stdout());
  const int code = run_deck(options, common, given.device, monitor);
  if (common.timings && !common.json) fmt::print("\n{}", format_stage_times(monitor.times()));
  return code;
}

}  // namespace

cli::CommandText ccx_described() {
  CcxOptions options;
  cli::App cli(description_of_ccx(), "ccx");
  add_ccx_options(cli, options);
  return cli.described();
}

int run_ccx(const std::string& program, std::vector<std::string> arguments) {
  for (std::string& argument : arguments) trim_flag(argument);
  try {
    return run(program, arguments);
  } catch (...) {
    const Failure failure = current_failure();
    std::string text = failure.text + "\n";
    // The windows of programs that call it do not wrap: what to do about it stands in a line of its own.
    for (std::size_t at = 0; (at = text.find("; ", at)) != std::string::npos; at += 2)
      text.replace(at, 2, ";\n        ");
    say(log::Level::error, text);
    if (std::ferror(stdout) != 0) return fail(failure.code, failure.text.c_str());
    return static_cast<int>(failure.code);
  }
}

}  // namespace setka::app
