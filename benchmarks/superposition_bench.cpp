// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// *MODAL DYNAMIC as a whole, from modes that are there to frames of 100 nodes: the example pump under a force
// whose amplitude has as many points as there are increments.
//
//   superposition_bench --benchmark_out=superposition.json --benchmark_out_format=json
//
// frames: each is handed over and forgotten, nothing is written. dat: with its lines in a .dat file.
// Shapes are not those of the pump, whose modes would take minutes: sines of the coordinates serve as well.
// memory_MB: growth of the resident set at its largest while the steps are made, beyond model and modes.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <string_view>

#include <unistd.h>

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "setka/analysis/modal_dynamic.hpp"
#include "setka/analysis/setup.hpp"
#include "setka/analysis/user_constraints.hpp"
#include "setka/base/monitor.hpp"
#include "setka/deck/example_decks.hpp"
#include "setka/deck/inp.hpp"
#include "setka/io/dat_writer.hpp"
#include "support/context.hpp"

namespace {

constexpr int modes = 27;
constexpr int output_nodes = 100;

/// The pump with a step of so many increments.
struct Problem {
  setka::Monitor monitor{setka::ProgressDisplay::silent()};
  setka::deck::Deck deck;
  std::unique_ptr<setka::analysis::Setup> setup;
  std::unique_ptr<setka::analysis::LoadState> loads;
  setka::analysis::ModalBasis basis;

  const setka::model::Step& step() const { return deck.model.steps.back(); }

  Problem(std::int64_t unknowns, int increments) {
    std::string text;
    setka::deck::ExampleRequest request;
    request.name = "pump";
    request.size = unknowns;
    request.modes = modes;
    setka::deck::write_example(request, [&](std::string_view piece) { text += piece; });
    text.resize(text.find("*STEP"));
    text += "*AMPLITUDE, NAME=A\n";
    for (int i = 0; i <= increments; ++i) text += fmt::format("{}, {}\n", 0.001 * i, std::sin(0.37 * i));
    text += "*NSET, NSET=SEEN\n";
    for (int i = 0; i < output_nodes; ++i)
      text += fmt::format("{}\n", 1 + i * (unknowns / 3 / output_nodes) * 9 / 10);
    text += fmt::format(
        "*STEP, INC={0}\n*MODAL DYNAMIC\n0.001, {1}\n*MODAL DAMPING\n1, {2}, 0.02\n"
        "*CLOAD, AMPLITUDE=A\nPROBE, 2, 1000\n*NODE PRINT, NSET=SEEN\nU\n*END STEP\n",
        increments, 0.001 * increments, modes);
    deck = setka::deck::read_inp_text(text, "pump", monitor);
    setup = std::make_unique<setka::analysis::Setup>(setka::analysis::set_up(deck.model));
    loads = std::make_unique<setka::analysis::LoadState>(deck.model);
    loads->begin(step(), {});
    const auto constraints =
        setka::analysis::user_constraints(*setup, *loads, [](const auto&) { return 0.0; });
    basis.unknown_dofs.assign(constraints.unknown_dofs().begin(), constraints.unknown_dofs().end());
    for (int j = 0; j < modes; ++j) {
      setka::model::Mode mode;
      mode.number = j + 1;
      mode.eigenvalue = std::pow(2 * 3.14159 * (4 + 3 * j), 2);
      basis.modes.push_back(mode);
      auto& shape = basis.shapes.emplace_back(3 * static_cast<std::size_t>(deck.model.mesh.node_count()));
      const auto x = deck.model.mesh.coordinates();
      for (std::size_t d = 0; d < shape.size(); ++d) shape[d] = 0.02 * std::sin((j + 1) * x[d]);
    }
  }
};

double peak_resident_megabytes() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("VmHWM:")) return std::stod(line.substr(6)) / 1000;
  }
  return 0;
}

void superpose(benchmark::State& state, std::int64_t unknowns, int increments, bool to_file) {
  const setka::exec::Device device = setka::bench::devices().front();
  Problem problem(unknowns, increments);
  const setka::analysis::Computing computing = setka::analysis::Computing::on_cpu(device.threads());
  const std::filesystem::path path =
      std::filesystem::temp_directory_path() / fmt::format("superposition_bench_{}.dat", ::getpid());
  int frames = 0;
  std::ofstream("/proc/self/clear_refs") << "5";
  const double before = peak_resident_megabytes();
  const double seconds = setka::bench::measure(state, device, [&] {
    setka::io::DatWriter writer(path, problem.deck.model, problem.setup->points);
    std::vector<setka::dynamics::Motion> motion;
    frames = solve_modal_dynamic(
                 *problem.setup, *problem.loads, problem.step(), 1, 0, problem.basis, motion, computing,
                 [&](const setka::model::Frame& frame) {
                   if (to_file) writer.write(problem.step(), frame);
                 },
                 problem.monitor)
                 .frames;
    if (to_file) writer.finish();
  });
  std::error_code ignored;
  std::filesystem::remove(path, ignored);
  state.counters["unknowns"] = 3.0 * problem.deck.model.mesh.node_count();
  state.counters["modes"] = modes;
  state.counters["nodes_written"] = output_nodes;
  state.counters["frames"] = frames;
  state.counters["us_per_frame"] = 1e6 * seconds / frames;
  state.counters["memory_MB"] = peak_resident_megabytes() - before;
}

void add_case(std::int64_t unknowns, int increments, bool to_file) {
  benchmark::RegisterBenchmark(fmt::format("modal_dynamic/{}/unknowns:{}/increments:{}",
                                           to_file ? "dat" : "frames", unknowns, increments)
                                   .c_str(),
                               superpose, unknowns, increments, to_file)
      ->UseManualTime()
      ->Unit(benchmark::kMillisecond);
}

}  // namespace

int main(int argc, char** argv) {
  return setka::bench::run(argc, argv, [](bool smoke) {
    for (const bool to_file : {false, true}) add_case(smoke ? 6000 : 1'860'000, smoke ? 100 : 10000, to_file);
  });
}
