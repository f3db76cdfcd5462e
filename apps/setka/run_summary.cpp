// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "run_summary.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <string>

#include <fmt/core.h>

#include "ranks.hpp"
#include "setka/base/text.hpp"

namespace setka::app {
namespace {

using nlohmann::ordered_json;

/// Frequencies alone: nothing moves.
void print_modes_of_temperature(const model::ModeTable& table) {
  fmt::print("\nstep {}: modes of temperatures by {}\n{:>6} {:>14} {:>14} {:>9}\n", table.step, table.method,
             "mode", "cycles/time", "rad/time", "residual");
  for (const model::Mode& mode : table.modes) {
    if (mode.in_range)
      fmt::print("{:>6} {:>14.6g} {:>14.6g} {:>9.1e}\n", mode.number, mode.frequency(),
                 mode.angular_frequency(), mode.residual);
  }
  if (!table.check.empty()) fmt::print("is one missing? {}\n", table.check);
}

/// Frequencies, and how much of the mass each mode moves along x, y, z.
void print_modes(const model::ModeTable& table) {
  if (table.of_temperature) return print_modes_of_temperature(table);
  const std::string method =
      table.iterations > 0 ? fmt::format("{} ({} iterations)", table.method, table.iterations) : table.method;
  fmt::print("\nstep {}: modes by {}\n{:>6} {:>14} {:>14} {:>9} {:>9} {:>9} {:>9}\n", table.step, method,
             "mode", "cycles/time", "rad/time", "x mass %", "y mass %", "z mass %", "residual");
  const auto share = [&](double participation, std::size_t direction) {
    const double total = table.total_mass[direction];
    return total > 0 ? 100 * participation * participation / total : 0.0;
  };
  std::array<double, 3> sum{};
  for (const model::Mode& mode : table.modes) {
    std::array<double, 3> shares{};
    for (std::size_t i = 0; i < 3; ++i) sum[i] += shares[i] = share(mode.participation[i], i);
    if (!mode.in_range) continue;
    if (mode.nodal_diameter && mode.number == 1) fmt::print("nodal diameter {}\n", *mode.nodal_diameter);
    fmt::print("{:>6} {:>14.6g} {:>14.6g} {:>9.3f} {:>9.3f} {:>9.3f} {:>9.1e}{}\n", mode.number,
               mode.frequency(), mode.angular_frequency(), shares[0], shares[1], shares[2], mode.residual,
               mode.eigenvalue < 0 ? "  eigenvalue is negative" : "");
  }
  fmt::print("{:>36} {:>9.3f} {:>9.3f} {:>9.3f}\n", "all that were computed", sum[0], sum[1], sum[2]);
  if (!table.check.empty()) fmt::print("is one missing? {}\n", table.check);
  if (table.reduction) {
    const model::ReducedModel& own = *table.reduction;
    fmt::print(
        "began with a model of {} parts and {} unknowns, {:.2g} % of {}: frequencies were off by at most "
        "{:.2g} %, residuals at most {:.1e}\n",
        own.parts, own.reduced, 100.0 * static_cast<double>(own.reduced) / static_cast<double>(own.unknowns),
        own.unknowns, 100 * own.frequency_error, own.residual);
  }
}

void print_factors(const model::BucklingTable& table) {
  const std::string method =
      table.iterations > 0 ? fmt::format("{} ({} iterations)", table.method, table.iterations) : table.method;
  fmt::print("\nstep {}: buckling factors by {}\n{:>6} {:>14} {:>9}\n", table.step, method, "mode", "factor",
             "residual");
  for (const model::BucklingMode& mode : table.modes)
    fmt::print("{:>6} {:>14.7g} {:>9.1e}\n", mode.number, mode.factor, mode.residual);
  if (table.reversed)
    fmt::print("the loads the other way round: they would buckle the body at a factor of {:.7g}\n",
               *table.reversed);
  if (!table.check.empty()) fmt::print("is one missing? {}\n", table.check);
}

/// "0.0123 at node 7"; zero is nowhere.
std::string placed(const analysis::Extreme& extreme, const char* where) {
  return fmt::format("{:.4g}", extreme.value) +
         (extreme.label > 0 ? fmt::format(" {} {}", where, extreme.label) : "");
}

void print_static_steps(const std::vector<analysis::StepSummary>& steps) {
  const auto other = [](const auto& step) {
    return step.modes.has_value() || step.buckling.has_value() || step.motion.has_value() ||
           step.hottest.has_value() || step.retained > 0;
  };
  if (std::ranges::all_of(steps, other)) return;
  const auto solver_of = [](const analysis::StepSummary& step) {
    const auto& solved = step.solved;
    return solved.iterations > 1 ? fmt::format("{} ({})", solved.method, solved.iterations) : solved.method;
  };
  std::size_t width = 24;
  for (const analysis::StepSummary& step : steps) {
    if (!other(step)) width = std::max(width, solver_of(step).size());
  }
  fmt::print("\n{:>5} {:>12} {:>{}} {:>9} {:>28} {:>28}\n", "step", "time", "solver", width, "residual",
             "largest displacement", "largest Mises stress");
  for (const analysis::StepSummary& step : steps) {
    if (other(step)) continue;
    fmt::print("{:>5} {:>12.5g} {:>{}} {:>9.1e} {:>28} {:>28}\n", step.step, step.time, solver_of(step),
               width, step.solved.residual, placed(step.displacement, "at node"),
               step.mises ? placed(*step.mises, "in element") : "not asked for");
  }
  if (std::ranges::any_of(steps, [](const auto& step) { return step.mises.has_value(); }))
    fmt::print("Mises stress is that of integration points; at nodes, in result files, it is extrapolated\n");
}

/// What took a step of heat transfer to its end; a transient one has a motion report for its increments.
void print_heat(const analysis::StepSummary& step) {
  const analysis::Extreme coldest = step.coldest.value_or(*step.hottest);
  const std::string increments =
      !step.motion ? std::string()
                   : fmt::format(" in {} increment{}, {} written", step.motion->increments,
                                 step.motion->increments == 1 ? "" : "s", step.motion->frames);
  fmt::print("\nstep {}: heat transfer by {}{}, at time {:.5g} from {} to {}\n", step.step,
             step.solved.method, increments, step.time, placed(coldest, "at node"),
             placed(*step.hottest, "at node"));
  if (step.displacement.value > 0)
    fmt::print("  largest displacement {}, largest Mises stress {}\n", placed(step.displacement, "at node"),
               step.mises ? placed(*step.mises, "in element") : "not asked for");
}

void print_motion(const analysis::StepSummary& step) {
  fmt::print(
      "\nstep {}: {} by {}, {} of them written, largest displacement among these {}\n", step.step,
      step.motion->increments == 1 ? "1 increment" : fmt::format("{} increments", step.motion->increments),
      step.solved.method, step.motion->frames, placed(step.displacement, "at node"));
  if (!step.motion->of_explicit) return;
  const analysis::ExplicitReport& own = *step.motion->of_explicit;
  fmt::print(
      "  step {:.6g}, {:.3g} of the stable {:.6g} of element {}, in {} precision\n"
      "  energies at the end: kinetic {:.6g}, internal {:.6g}, external work {:.6g}, damping {:.6g}{}\n"
      "  drift of their balance: at most {:.2g} % of the largest of them\n",
      own.step, own.safety, own.stable_step, own.element, own.single_precision ? "single" : "double",
      own.kinetic, own.internal, own.external, own.damping,
      own.hourglass != 0 ? fmt::format(", in hourglasses {:.3g}", own.hourglass) : std::string(),
      100 * own.drift);
}

/// Many files of one kind, as one for each mode, are shown by the first and the last of them.
void print_files(const std::vector<std::filesystem::path>& files) {
  constexpr std::ptrdiff_t many = 4;
  for (auto first = files.begin(); first != files.end();) {
    const auto next = std::find_if(first, files.end(), [&](const std::filesystem::path& file) {
      return file.extension() != first->extension();
    });
    if (next - first >= many) {
      fmt::print(" {} ... {}", first->string(), std::prev(next)->string());
    } else {
      for (auto file = first; file != next; ++file) fmt::print(" {}", file->string());
    }
    first = next;
  }
  fmt::print("\n");
}

ordered_json modes_json(const analysis::StepSummary& step) {
  ordered_json json{{"step", step.step},
                    {"time", step.time},
                    {"solver", step.modes->method},
                    {"iterations", step.modes->iterations},
                    {"check", step.modes->check},
                    {"converged", step.solved.converged},
                    {"total_mass", step.modes->total_mass},
                    {"modes", ordered_json::array()}};
  if (step.modes->reduction) {
    const model::ReducedModel& own = *step.modes->reduction;
    json["reduction"] = {{"parts", own.parts},         {"unknowns", own.unknowns},
                         {"interface", own.interface}, {"reduced", own.reduced},
                         {"residual", own.residual},   {"frequency_error", own.frequency_error}};
  }
  for (const model::Mode& mode : step.modes->modes) {
    json["modes"].push_back({{"mode", mode.number},
                             {"eigenvalue", mode.eigenvalue},
                             {"frequency", mode.frequency()},
                             {"participation", mode.participation},
                             {"residual", mode.residual},
                             {"written", mode.in_range}});
    if (mode.nodal_diameter) json["modes"].back()["nodal_diameter"] = *mode.nodal_diameter;
  }
  return json;
}

ordered_json factors_json(const analysis::StepSummary& step) {
  const model::BucklingTable& table = *step.buckling;
  ordered_json json{{"step", step.step},
                    {"time", step.time},
                    {"solver", table.method},
                    {"iterations", table.iterations},
                    {"check", table.check},
                    {"converged", step.solved.converged},
                    {"factors", ordered_json::array()}};
  for (const model::BucklingMode& mode : table.modes)
    json["factors"].push_back({{"mode", mode.number}, {"factor", mode.factor}, {"residual", mode.residual}});
  if (table.reversed) json["reversed_factor"] = *table.reversed;
  return json;
}

ordered_json heat_json(const analysis::StepSummary& step) {
  const analysis::Extreme coldest = step.coldest.value_or(*step.hottest);
  ordered_json json{{"step", step.step},
                    {"time", step.time},
                    {"unknowns", step.solved.unknowns},
                    {"solver", step.solved.method},
                    {"iterations", step.solved.iterations},
                    {"residual", step.solved.residual},
                    {"converged", step.solved.converged},
                    {"coldest", {{"value", coldest.value}, {"node", coldest.label}}},
                    {"hottest", {{"value", step.hottest->value}, {"node", step.hottest->label}}}};
  if (step.motion) {
    json["increments"] = step.motion->increments;
    json["frames"] = step.motion->frames;
  }
  return json;
}

ordered_json motion_json(const analysis::StepSummary& step) {
  ordered_json json{
      {"step", step.step},
      {"time", step.time},
      {"solver", step.solved.method},
      {"increments", step.motion->increments},
      {"frames", step.motion->frames},
      {"converged", step.solved.converged},
      {"largest_displacement", {{"value", step.displacement.value}, {"node", step.displacement.label}}}};
  if (step.motion->of_explicit) {
    const analysis::ExplicitReport& own = *step.motion->of_explicit;
    json["increment"] = own.step;
    json["stable_increment"] = {{"value", own.stable_step}, {"element", own.element}};
    json["precision"] = own.single_precision ? "single" : "double";
    json["energies"] = {{"kinetic", own.kinetic}, {"internal", own.internal},   {"external", own.external},
                        {"damping", own.damping}, {"hourglass", own.hourglass}, {"drift", own.drift}};
  }
  return json;
}

}  // namespace

void print_summary(const std::vector<analysis::StepSummary>& steps,
                   const std::vector<std::filesystem::path>& files, double seconds) {
  print_static_steps(steps);
  for (const analysis::StepSummary& step : steps) {
    if (step.modes) print_modes(*step.modes);
    if (step.buckling) print_factors(*step.buckling);
    if (step.hottest)
      print_heat(step);
    else if (step.motion)
      print_motion(step);
    if (step.retained > 0)
      fmt::print("\nstep {}: a superelement of {} degrees of freedom\n", step.step, step.retained);
  }
  fmt::print("\n{}, at most {}; written:", format_seconds(seconds), most_memory_in_words());
  print_files(files);
}

ordered_json summary_json(const std::vector<analysis::StepSummary>& steps,
                          const std::vector<std::filesystem::path>& files) {
  ordered_json json{
      {"steps", ordered_json::array()}, {"files", ordered_json::array()}, {"peak_memory", most_memory()}};
  for (const analysis::StepSummary& step : steps) {
    if (step.modes) {
      json["steps"].push_back(modes_json(step));
      continue;
    }
    if (step.buckling) {
      json["steps"].push_back(factors_json(step));
      continue;
    }
    if (step.hottest) {
      json["steps"].push_back(heat_json(step));
      continue;
    }
    if (step.motion) {
      json["steps"].push_back(motion_json(step));
      continue;
    }
    if (step.retained > 0) {
      json["steps"].push_back({{"step", step.step}, {"time", step.time}, {"retained", step.retained}});
      continue;
    }
    json["steps"].push_back(
        {{"step", step.step},
         {"time", step.time},
         {"unknowns", step.solved.unknowns},
         {"matrix_entries", step.solved.matrix_entries},
         {"solver", step.solved.method},
         {"iterations", step.solved.iterations},
         {"residual", step.solved.residual},
         {"converged", step.solved.converged},
         {"largest_displacement", {{"value", step.displacement.value}, {"node", step.displacement.label}}}});
    if (step.mises)
      json["steps"].back()["largest_mises"] = {
          {"value", step.mises->value}, {"element", step.mises->label}, {"at", "integration points"}};
  }
  for (const auto& file : files) json["files"].push_back(file.string());
  return json;
}

}  // namespace setka::app
