// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "ccx.hpp"

#include <unistd.h>
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <string_view>

#include <fmt/core.h>

#include "command_line.hpp"
#include "failure.hpp"
#include "run.hpp"
#include "setka/base/config.hpp"
#include "setka/base/error.hpp"
#include "setka/base/interrupt.hpp"
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

int run(const std::string& program, const std::vector<std::string>& arguments) {
  CommonOptions common;
  DeviceOptions device;
  RunOptions options;
  options.calculix = true;
  std::string job;  // without -i
  cli::App cli(fmt::format("Setka in the place of CalculiX {}: reads JOB.inp, writes JOB.dat, JOB.frd, "
                           "JOB.sta and JOB.cvg.",
                           calculix_version),
               program);
  cli.add_option("-i", options.deck, "The job, with or without .inp")->type_name("JOB");
  cli.add_option("job", job, "The same without -i")->type_name("JOB");
  add_run_options(cli, options);
  add_common_options(cli, common);
  // -v asks for the version here, as it does CalculiX.
  cli.remove_option("--verbose");
  cli.add_flag("--verbose", common.verbose, "Say more about what is done and why")->group("Output");
  bool ask_version = false;
  cli.add_flag("-v,--version", ask_version, "Print the version of CalculiX that this takes the place of")
      ->group("Output");
  add_device_options(cli, device);
  add_shares_option(cli, device);
  add_memory_option(cli, device.memory);
  if (!cli::parse(cli, program, arguments)) return static_cast<int>(ExitCode::done);
  if (ask_version) {
    fmt::print("\nThis is Version {}\n(as far as programs that call it see; by Setka {})\n\n",
               calculix_version, version);
    return static_cast<int>(ExitCode::done);
  }
  if (options.deck.empty()) options.deck = job;
  if (options.deck.empty()) {
    fmt::print("Usage: {} -i jobname\n(Setka {} in the place of CalculiX {}; {} --help tells more)\n",
               program, version, calculix_version, program);
    return static_cast<int>(ExitCode::usage);
  }

  log::set_level(common.quiet ? log::Level::warning : common.verbose ? log::Level::debug : log::Level::info);
  if (!common.json) log::set_writer(say);
  catch_interrupts();
  std::signal(SIGXFSZ, SIG_IGN);  // a file over the shell's limit is then a failed write, with its message
  Monitor monitor(common.quiet || common.json ? ProgressDisplay::silent() : progress_on_stdout());
  const int code = run_deck(options, common, device, monitor);
  if (common.timings && !common.json) fmt::print("\n{}", format_stage_times(monitor.times()));
  return code;
}

}  // namespace

int run_ccx(const std::string& program, std::vector<std::string> arguments) {
  for (std::string& argument : arguments) trim_flag(argument);
  try {
    return run(program, arguments);
  } catch (...) {
    const Failure failure = current_failure();
    say(log::Level::error, failure.text + "\n");
    if (std::ferror(stdout) != 0) return fail(failure.code, failure.text.c_str());
    return static_cast<int>(failure.code);
  }
}

}  // namespace setka::app
