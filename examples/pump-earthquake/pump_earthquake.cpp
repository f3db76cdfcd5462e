// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// A pump on its frame in an earthquake: from a deck and a record to the accelerations of floor and pump.
//
//   M u'' + C u' + K u = 0 where the floor moves by a(t):   u = g(t) r + sum of q_j(t) phi_j,   g'' = a,
//   q_j'' + 2 zeta w_j q_j' + w_j^2 q_j = -phi_j' M r a(t),   exactly for a(t) of straight pieces
//
// The program writes a synthetic record (pump-earthquake.at2) and a deck (pump-earthquake.inp), runs the deck
// as `setka run` would, and draws the accelerations and the spectra of both places (pump-earthquake.svg).
// The spectrum at the top of the pump is what a pipe or an instrument there has to stand.
//
// Sample runs:
//   pump_earthquake 6000 6
//
// Usage: pump_earthquake [unknowns] [seconds] [seed] [folder]
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/core.h>

#include "setka/analysis/job.hpp"
#include "setka/base/error.hpp"
#include "setka/base/monitor.hpp"
#include "setka/deck/example_decks.hpp"
#include "setka/deck/inp.hpp"
#include "setka/dynamics/record_spectrum.hpp"
#include "setka/io/output_file.hpp"
#include "setka/plot/svg_plot.hpp"
#include "synthetic_record.hpp"

namespace {

constexpr int modes = 20;
constexpr double damping = 0.02;
constexpr double step = 0.005;                           // s
constexpr std::size_t direction = 1;                     // across the pump
constexpr std::array<double, 3> over_pump{1.385, 0, 2};  // m

/// Where the accelerations are looked at.
struct Places {
  std::int32_t floor = 0;  // positions in the mesh
  std::int32_t top = 0;
};

Places places_in(const setka::mesh::Mesh& mesh) {
  Places places;
  double nearest = 1e30;
  for (std::int32_t node = 0; node < mesh.node_count(); ++node) {
    const auto x = mesh.coordinates(node);
    if (x[2] == 0) places.floor = node;
    const double distance = std::hypot(x[0] - over_pump[0], x[1] - over_pump[1], x[2] - over_pump[2]);
    if (distance < nearest) {
      nearest = distance;
      places.top = node;
    }
  }
  return places;
}

/// The deck of `setka example pump --modes 20`, shaken.
std::string deck_text(std::int64_t unknowns, double seconds, setka::Monitor& monitor) {
  std::string text;
  setka::deck::ExampleRequest request;
  request.name = "pump";
  request.size = unknowns;
  request.modes = modes;
  setka::deck::write_example(request, [&](std::string_view piece) { text += piece; });
  const setka::deck::Deck deck = setka::deck::read_inp_text(text, "pump", monitor);
  const Places places = places_in(deck.model.mesh);
  text.resize(text.find("*STEP"));
  return text + fmt::format(
                    "*NSET, NSET=FLOOR\n{}\n*NSET, NSET=TOP\n{}\n"
                    "*AMPLITUDE, NAME=QUAKE, INPUT=pump-earthquake.at2\n"
                    "*STEP\n*FREQUENCY\n{}\n*END STEP\n"
                    "*STEP, INC=1000000\n*MODAL DYNAMIC\n{}, {}\n*MODAL DAMPING\n1, {}, {}\n"
                    "*BASE MOTION, DOF={}, AMPLITUDE=QUAKE\n"
                    "*NODE PRINT, NSET=FLOOR\nA\n*NODE PRINT, NSET=TOP\nU, A\n*END STEP\n",
                    deck.model.mesh.node_label(places.floor), deck.model.mesh.node_label(places.top), modes,
                    step, seconds, modes, damping, direction + 1);
}

struct History {
  std::vector<double> time{0};
  std::vector<double> floor{0};
  std::vector<double> top{0};
};

History run(const std::filesystem::path& path, setka::Monitor& monitor) {
  const setka::deck::Deck deck = setka::deck::read_inp(path, monitor);
  const Places places = places_in(deck.model.mesh);
  const setka::analysis::Setup setup = setka::analysis::prepare(deck.model, monitor);
  History history;
  setka::analysis::run_steps(
      setup, setka::analysis::Computing::on_cpu(0),
      [&](const setka::model::Step&, const setka::model::Frame& frame) {
        const setka::model::NodeField* a = frame.node_field("A");
        if (a == nullptr) return;  // a mode
        history.time.push_back(frame.time);
        history.floor.push_back(a->values[3 * static_cast<std::size_t>(places.floor) + direction]);
        history.top.push_back(a->values[3 * static_cast<std::size_t>(places.top) + direction]);
      },
      monitor,
      [](const setka::model::ModeTable& table) {
        fmt::print("{} modes from {:.3g} to {:.3g} Hz\n", table.modes.size(), table.modes.front().frequency(),
                   table.modes.back().frequency());
      });
  return history;
}

double peak(const std::vector<double>& values) {
  double largest = 0;
  for (const double value : values) largest = std::max(largest, std::abs(value));
  return largest;
}

void draw(const std::filesystem::path& path, const History& history) {
  std::array<setka::plot::Plot, 2> plots;
  plots[0].title = "Pump on its frame in an earthquake";
  plots[0].x.label = "time, s";
  plots[0].y.label = "acceleration, m/s²";
  plots[0].series.push_back({"top of the pump", history.time, history.top});
  plots[0].series.push_back({"floor", history.time, history.floor});
  plots[1].title = "Response spectra, damping 5 %";
  plots[1].x = {"frequency, Hz", true};
  plots[1].y = {"pseudo-acceleration, m/s²", true};
  const std::vector<double> frequencies = setka::dynamics::logarithmic_range(0.5, 50, 150);
  for (const auto* place : {&history.top, &history.floor}) {
    setka::plot::PlotSeries series{plots[0].series[place == &history.top ? 0 : 1].label, frequencies, {}};
    const std::array<double, 1> ratio{0.05};
    for (const auto& at : setka::dynamics::record_spectrum(*place, step, frequencies, ratio, 1))
      series.y.push_back(at.pseudo_acceleration);
    plots[1].series.push_back(std::move(series));
  }
  setka::plot::write_svg_plot(path, plots);
}

/// The floor moves as the record says; anything else is a defect.
bool follows(const History& history, const setka::io::Record& record) {
  for (std::size_t i = 0; i < history.floor.size(); ++i) {
    if (std::abs(history.floor[i] - record.acceleration[i]) > 1e-6 * peak(record.acceleration)) return false;
  }
  return history.floor.size() == record.acceleration.size();
}

int pump_earthquake(int argc, char** argv) {
  const std::int64_t unknowns = argc > 1 ? std::atoll(argv[1]) : 20000;
  const double seconds = argc > 2 ? std::atof(argv[2]) : 20;
  const unsigned seed = argc > 3 ? static_cast<unsigned>(std::atoi(argv[3])) : 1;
  const std::filesystem::path folder = argc > 4 ? argv[4] : ".";
  setka::require(seconds >= 10 * step, "give at least 0.05 seconds");
  setka::Monitor monitor(setka::ProgressDisplay::silent());

  const setka::io::Record record = synthetic_record({}, seconds, step, seed);
  write_record(folder / "pump-earthquake.at2", record);
  setka::io::OutputFile deck(folder / "pump-earthquake.inp");
  deck.write(deck_text(unknowns, seconds, monitor));
  deck.commit();
  const History history = run(folder / "pump-earthquake.inp", monitor);
  draw(folder / "pump-earthquake.svg", history);

  fmt::print("{} increments of {} s\n", history.time.size() - 1, step);
  fmt::print("largest acceleration: floor {:.3f} m/s2, top of the pump {:.3f} m/s2, {:.2f} times as much\n",
             peak(history.floor), peak(history.top), peak(history.top) / peak(history.floor));
  fmt::print("written: pump-earthquake.at2, .inp and .svg\n");
  if (!follows(history, record)) {
    fmt::print(stderr, "the floor does not move as the record says\n");
    return 1;
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return pump_earthquake(argc, argv);
  } catch (const std::exception& error) {
    fmt::print(stderr, "pump_earthquake: {}\n", error.what());
    return 1;
  }
}
