// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "run_options.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <fmt/core.h>

#include "setka/analysis/element_products.hpp"
#include "setka/base/error.hpp"
#include "setka/base/text.hpp"

namespace setka::app {
namespace {

constexpr std::string_view statics = "*STATIC";
constexpr std::string_view frequency = "*FREQUENCY";
constexpr std::string_view dynamic = "*DYNAMIC";
constexpr std::string_view of_explicit = "*DYNAMIC, EXPLICIT";
constexpr std::string_view condensing = "*SUBSTRUCTURE GENERATE";
constexpr std::string_view heat = "*HEAT TRANSFER";
constexpr std::string_view coupled = "*COUPLED TEMPERATURE-DISPLACEMENT";
constexpr std::string_view heat_modes = "*HEAT TRANSFER, FREQUENCY";
constexpr std::string_view buckle = "*BUCKLE";

struct KindOf {
  std::string_view operator()(const model::StaticStep&) const { return statics; }
  std::string_view operator()(const model::FrequencyStep& step) const {
    return step.of_temperature ? heat_modes : frequency;
  }
  std::string_view operator()(const model::ModalDynamicStep&) const { return "*MODAL DYNAMIC"; }
  std::string_view operator()(const model::SteadyStateStep&) const { return "*STEADY STATE DYNAMICS"; }
  std::string_view operator()(const model::DynamicStep&) const { return dynamic; }
  std::string_view operator()(const model::ExplicitStep&) const { return of_explicit; }
  std::string_view operator()(const model::ResponseSpectrumStep&) const { return "*RESPONSE SPECTRUM"; }
  std::string_view operator()(const model::SubstructureStep&) const { return condensing; }
  std::string_view operator()(const model::HeatStep& step) const { return step.displaces ? coupled : heat; }
  std::string_view operator()(const model::BuckleStep&) const { return buckle; }
};

struct OptionOfSteps {
  std::string word;
  std::string given;  // the value; empty: it was not given
  std::vector<std::string_view> steps;
  std::string_view besides = {};  // words of --solver and --modes with which it means nothing
};

/// The steps that are solved in parts, as they are asked for.
std::vector<std::string_view> steps_in_parts(const RunOptions& options) {
  std::vector<std::string_view> steps;
  const bool by_schwarz = options.solver.preconditioner == "schwarz";
  if (by_schwarz || options.solver.in_substructures()) steps.push_back(statics);
  if (by_schwarz) steps.push_back(dynamic);
  if (options.modes == "reduced") steps.push_back(frequency);
  return steps;
}

/// All options of a run that steps take; sums of modes (*MODAL DYNAMIC and its like) take none.
std::vector<OptionOfSteps> options_of_steps(const RunOptions& options) {
  const auto unless = [](const std::string& value, std::string_view what) {
    return value == what ? std::string() : value;
  };
  const auto number = [](const auto& value) { return value ? fmt::format("{}", *value) : std::string(); };
  const SolverOptions& solver = options.solver;
  const bool by_schwarz = solver.preconditioner == "schwarz";  // modes know those of solve/ alone
  return {
      {"--solver", unless(solver.solver, "auto"),
       solver.in_substructures() ? std::vector{statics}
                                 : std::vector{statics, dynamic, heat, coupled, buckle}},
      {"--modes", unless(options.modes, "auto"),
       options.modes == "reduced" ? std::vector{frequency} : std::vector{frequency, heat_modes, buckle}},
      {"--parts", number(solver.parts.parts), steps_in_parts(options)},
      {"--operator", unless(options.operator_kind, "auto"), {statics, frequency, dynamic, coupled}},
      {"--preconditioner", unless(solver.preconditioner, "auto"),
       by_schwarz ? std::vector{statics, dynamic}
                  : std::vector{statics, frequency, dynamic, heat, coupled, heat_modes, buckle},
       "cholesky dense lanczos"},
      {"--tolerance",
       number(solver.tolerance),
       {statics, frequency, dynamic, heat, coupled, heat_modes, buckle},
       "cholesky dense"},
      {"--max-iterations",
       number(solver.max_iterations),
       {statics, frequency, dynamic, heat, coupled, heat_modes, buckle},
       "cholesky dense"},
      {"--precision", unless(options.precision, "double"), {of_explicit}},  // all others are in double
      {"--balance", unless(options.balance, "given"), {of_explicit}},
      {"--continue", options.go_on ? "." : "", {of_explicit}},
      {"--checkpoint-every",
       options.checkpoint_every > 0 ? fmt::format("{}", options.checkpoint_every) : "",
       {of_explicit}},
  };
}

std::vector<std::string> words(const std::vector<std::string_view>& views) {
  return {views.begin(), views.end()};
}

/// "*FREQUENCY takes --modes and --operator"
std::string taken_by(std::string_view kind, const std::vector<OptionOfSteps>& all) {
  std::vector<std::string> taken;
  for (const OptionOfSteps& one : all) {
    if (std::ranges::find(one.steps, kind) != one.steps.end()) taken.push_back(one.word);
  }
  return fmt::format("{} takes {}", kind, taken.empty() ? "none" : join_words(taken));
}

}  // namespace

void refuse_options_of_other_steps(const RunOptions& options, const model::Model& model) {
  std::set<std::string_view> kinds;
  for (const model::Step& step : model.steps) kinds.insert(std::visit(KindOf{}, step.procedure));
  const std::vector<OptionOfSteps> all = options_of_steps(options);
  const int parts = options.solver.parts.parts.value_or(2);
  if (options.modes == "reduced" && parts < 2)
    throw Error(Fault::usage, fmt::format("--parts {}: a model is reduced in parts", parts),
                "give 2 or more, or leave it out");
  for (const OptionOfSteps& one : all) {
    if (one.given.empty()) continue;
    const std::string option = one.given == "." ? one.word : fmt::format("{} {}", one.word, one.given);
    bool taken = false;
    std::string instead;
    for (const std::string_view kind : one.steps) {
      if (!kinds.contains(kind)) continue;
      const bool of_modes = kind == frequency || kind == heat_modes || kind == buckle;
      const std::string& method = of_modes ? options.modes : options.solver.solver;
      if (one.besides.find(method) == std::string_view::npos) taken = true;
      instead = fmt::format("{} {}", of_modes ? "--modes" : "--solver", method);
    }
    if (taken) continue;
    if (!instead.empty()) {
      throw Error(Fault::usage, fmt::format("{} is of iterations, and {} factorises", option, instead),
                  "leave one of them out");
    }
    std::string remedy = "leave it out";
    for (const std::string_view kind : kinds) remedy += "; " + taken_by(kind, all);
    throw Error(
        Fault::usage,
        fmt::format("{} is of {}, and the deck has no such step", option, join_words(words(one.steps))),
        remedy);
  }
}

void require_steps_of_processes(const model::Model& model, const analysis::Computing& computing,
                                bool write_elements) {
  const auto refuse = [&](const std::string& what) {
    throw Error(Fault::usage,
                fmt::format("{} in one process, and there are {}", what, computing.ranks->size()),
                "run it without mpirun, or leave that out");
  };
  for (const model::Step& step : model.steps) {
    const std::string_view kind = std::visit(KindOf{}, step.procedure);
    if (kind == condensing || kind == buckle) refuse(fmt::format("{} computes", kind));
    if ((kind == dynamic || kind == heat || kind == coupled) &&
        computing.solver.method == solve::Method::cholesky)
      refuse(fmt::format("{} is solved by --solver cholesky", kind));
    if (kind == dynamic && analysis::by_elements(computing.operator_kind))
      refuse("*DYNAMIC with --operator computes without a matrix");
    if ((kind == frequency || kind == heat_modes) && computing.solver.preconditioner != "auto" &&
        computing.ranks->is_told_of_modes())
      refuse(fmt::format("--petsc chooses how modes are found, and {} takes --preconditioner {}", kind,
                         computing.solver.preconditioner));
  }
  if (computing.substructures) refuse("--solver substructures computes");
  if (computing.solver.given != nullptr)
    refuse(fmt::format("--preconditioner {} computes", computing.solver.preconditioner));
  if (computing.reduction) refuse("--modes reduced computes");
  if (computing.balancing == domains::Balancing::measured) refuse("--balance measured shares out");
  if (write_elements) refuse("--write-elements writes");
}

void require_steps_of_teams(const model::Model& model, const analysis::Computing& computing) {
  const auto refuse = [&](const std::string& what) {
    throw Error(
        Fault::usage, fmt::format("{} on one device, and --devices names {}", what, computing.team->size()),
        "name one of them; *STATIC, implicit *DYNAMIC and *HEAT TRANSFER are solved on several by conjugate "
        "gradients, *FREQUENCY by LOBPCG or subspace iteration");
  };
  for (const model::Step& step : model.steps) {
    const std::string_view kind = std::visit(KindOf{}, step.procedure);
    if (kind == condensing || kind == buckle) refuse(fmt::format("{} computes", kind));
    if (kind == dynamic && analysis::by_elements(computing.operator_kind))
      refuse("*DYNAMIC with --operator computes without a matrix");
  }
  if (computing.solver.method == solve::Method::cholesky) refuse("--solver cholesky factorises");
  if (computing.substructures) refuse("--solver substructures computes");
  if (computing.solver.given != nullptr)
    refuse(fmt::format("--preconditioner {} computes", computing.solver.preconditioner));
  if (computing.reduction) refuse("--modes reduced computes");
}

}  // namespace setka::app
