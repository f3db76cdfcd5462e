// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "help.hpp"

#include <fmt/core.h>

#include "cli.hpp"

namespace setka::app {
namespace {

struct Example {
  std::string_view line;  // begins with the command
  std::string_view what;

  std::string_view command() const { return line.substr(0, line.find(' ')); }
};

constexpr Example examples[] = {
    {"run pump.inp", "every step of a deck; results beside it"},
    {"run hit.inp --continue", "goes on where an explicit step was interrupted"},
    {"report pump.inp", "the same as one page for a browser: pump.html"},
    {"check pump.inp", "what the deck holds and what would stop a run, without solving"},
    {"ccx -i pump", "in the place of CalculiX, as the program ccx: writes its files"},
    {"convert part.msh", "a mesh of Gmsh as part.inp, to *INCLUDE in a deck"},
    {"domains pump.inp --parts 4", "the model in four parts: a table, what they would take, a picture"},
    {"example pump -o p.inp", "a ready deck; --size 1e6 for a million unknowns"},
    {"solve A.mtx -o x.mtx", "a symmetric positive definite system of the Matrix Market"},
    {"modes K.mtx -m M.mtx -n 20", "the twenty lowest natural frequencies of two matrices"},
    {"project K.elements X.bin", "X'KX from element matrices in a file"},
    {"spectrum quake.at2", "response spectrum of an accelerogram: table, CSV and plot"},
    {"grid heat.toml", "heat on a grid, step by step; results beside the case"},
    {"plan heat.toml", "what that would take here, way by way"},
    {"sweep d.npy --lower -1 --diagonal 4 --upper -1", "tridiagonal systems, one a line of an array"},
    {"bench modes", "this machine on a table of the literature"},
    {"calibrate", "measure this machine once, for plans and choices"},
    {"completion bash", "a script with which bash completes commands and options"},
    {"info", "version, back ends, devices, libraries"},
    {"info --json", "the same for programs"},
};

constexpr std::string_view codes = R"(
Exit codes: 0 done, 1 the input is wrong, 2 wrong usage, 3 did not converge,
  4 out of memory, disk full or device failure, 5 a defect of setka, 130 interrupted)";

}  // namespace

std::string_view exit_codes() {
  return codes;
}

std::string examples_of(std::string_view command) {
  std::string text;
  for (const Example& example : examples) {
    if (!command.empty() && example.command() != command) continue;
    text += fmt::format("  setka {:<27}  {}\n", example.line, example.what);
  }
  return text.empty() ? text : "\nExamples:\n" + text;
}

void add_examples(cli::App& cli) {
  for (cli::App* command : cli.subcommands()) {
    std::string text = command->footer();
    if (!text.empty()) text += "\n";
    text += examples_of(command->name());
    if (!text.empty() && text.back() == '\n') text.pop_back();
    command->footer(text);
  }
  cli.footer(examples_of("") + std::string(exit_codes()));
}

}  // namespace setka::app
