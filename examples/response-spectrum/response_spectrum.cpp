// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// A tower in an earthquake of three directions: is the envelope of its response spectra what happens in time?
//
//   mode j, direction d:   max |q_j| = Gamma_jd S_d(w_j, zeta)
//   u = sqrt(sum over d of sum over j, k of rho_jk u_jd u_kd):   modes by CQC, directions by SRSS
//
// `records` writes three synthetic accelerograms. `compare` runs the deck, whose last two steps are the
// motion in time and the envelope, prints and draws both over the height (tower.svg), and fails where they
// are farther apart than such estimates are. README.md has the commands between the two.
//
// Sample runs:
//   response_spectrum records
//   response_spectrum compare tower.inp
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <fmt/core.h>

#include "../pump-earthquake/synthetic_record.hpp"
#include "setka/analysis/job.hpp"
#include "setka/base/error.hpp"
#include "setka/base/monitor.hpp"
#include "setka/deck/inp.hpp"
#include "setka/plot/svg_plot.hpp"

namespace {

constexpr double seconds = 12;
constexpr double step = 0.005;
constexpr std::array<char, 3> names{'x', 'y', 'z'};
constexpr std::array<double, 3> peaks{3, 3, 2};  // m/s²

/// Where the motion in time may end, in parts of the envelope. Both come from the same records, so that what
/// is left is how modes and directions meet.
constexpr double least_part = 0.7;
constexpr double most_part = 1.15;

int write_records() {
  for (std::size_t d = 0; d < names.size(); ++d) {
    Ground ground;
    ground.peak = peaks[d];
    write_record(fmt::format("quake-{}.at2", names[d]),
                 synthetic_record(ground, seconds, step, static_cast<unsigned>(d) + 1));
  }
  fmt::print("written: quake-x.at2 quake-y.at2 quake-z.at2\n");
  return 0;
}

/// Largest values along the edge of the tower, [nodes of the edge, 3].
struct Largest {
  std::vector<double> displacement;  // relative to the foot
  std::vector<double> acceleration;
};

class Edge {
 public:
  explicit Edge(const setka::model::Model& model) {
    for (const setka::model::NodeSet& set : model.node_sets) {
      if (set.name == "EDGE") nodes_ = set.nodes;
    }
    setka::require(!nodes_.empty(), "the deck has no set EDGE");
    for (const std::int32_t node : nodes_) height_.push_back(model.mesh.coordinates(node)[2]);
  }

  const std::vector<double>& height() const { return height_; }

  /// Takes what a frame has into account; the first node is the foot.
  void see(const setka::model::Frame& frame, Largest& largest) const {
    see(frame.node_field("U")->values, true, largest.displacement);
    see(frame.node_field("A")->values, false, largest.acceleration);
  }

 private:
  void see(const std::vector<double>& values, bool relative, std::vector<double>& largest) const {
    largest.resize(3 * nodes_.size(), 0.0);
    for (std::size_t i = 0; i < largest.size(); ++i) {
      const auto at = [&](std::int32_t node) { return values[3 * static_cast<std::size_t>(node) + i % 3]; };
      const double value = at(nodes_[i / 3]) - (relative ? at(nodes_.front()) : 0.0);
      largest[i] = std::max(largest[i], std::abs(value));
    }
  }

  std::vector<std::int32_t> nodes_;
  std::vector<double> height_;
};

std::vector<double> component(const std::vector<double>& values, std::size_t d) {
  std::vector<double> own;
  for (std::size_t i = d; i < values.size(); i += 3) own.push_back(values[i]);
  return own;
}

setka::plot::Plot plot(std::string title, std::string label, const std::vector<double>& height,
                       const std::vector<double>& envelope, const std::vector<double>& in_time) {
  setka::plot::Plot plot;
  plot.title = std::move(title);
  plot.x.label = std::move(label);
  plot.y.label = "height, m";
  for (std::size_t d = 0; d < names.size(); ++d) {
    plot.series.push_back(
        {fmt::format("{}, envelope", names[d]), component(envelope, d), height, setka::plot::PlotMark::line});
    plot.series.push_back(
        {fmt::format("{}, in time", names[d]), component(in_time, d), height, setka::plot::PlotMark::points});
  }
  return plot;
}

/// Prints the top of the edge; false where envelope and motion are too far apart.
bool agree(std::string_view what, const std::vector<double>& envelope, const std::vector<double>& in_time) {
  bool good = true;
  for (std::size_t d = 0; d < names.size(); ++d) {
    const std::size_t top = envelope.size() - 3 + d;
    const double part = in_time[top] / envelope[top];
    fmt::print("{:<20} {} {:>12.5g} {:>12.5g} {:>8.2f}\n", what, names[d], envelope[top], in_time[top], part);
    good = good && part > least_part && part < most_part;
  }
  return good;
}

int compare(const std::filesystem::path& path) {
  setka::Monitor monitor(setka::ProgressDisplay::silent());
  const setka::deck::Deck deck = setka::deck::read_inp(path, monitor);
  const Edge edge(deck.model);
  const setka::analysis::Setup setup = setka::analysis::prepare(deck.model, monitor);
  Largest envelope;
  Largest in_time;
  setka::analysis::run_steps(
      setup, setka::analysis::Computing::on_cpu(0),
      [&](const setka::model::Step& of, const setka::model::Frame& frame) {
        if (std::holds_alternative<setka::model::ResponseSpectrumStep>(of.procedure))
          edge.see(frame, envelope);
        if (std::holds_alternative<setka::model::ModalDynamicStep>(of.procedure)) edge.see(frame, in_time);
      },
      monitor);
  setka::require(!envelope.displacement.empty() && !in_time.displacement.empty(),
                 "the deck has no *RESPONSE SPECTRUM or no *MODAL DYNAMIC");

  std::filesystem::path picture = path;
  picture.replace_extension(".svg");
  const std::array plots{plot("Largest displacements against the foot", "displacement, m", edge.height(),
                              envelope.displacement, in_time.displacement),
                         plot("Largest accelerations", "acceleration, m/s²", edge.height(),
                              envelope.acceleration, in_time.acceleration)};
  setka::plot::write_svg_plot(picture, plots);

  fmt::print("{:<22} {:>12} {:>12} {:>8}\n", "top of the tower", "envelope", "in time", "part");
  const bool displacements = agree("displacement, m", envelope.displacement, in_time.displacement);
  const bool accelerations = agree("acceleration, m/s2", envelope.acceleration, in_time.acceleration);
  fmt::print("written: {}\n", picture.string());
  if (displacements && accelerations) return 0;
  fmt::print(stderr, "the motion in time is not between {} and {} of the envelope\n", least_part, most_part);
  return 1;
}

int response_spectrum(int argc, char** argv) {
  const std::string_view task = argc > 1 ? argv[1] : "";
  if (task == "records" && argc == 2) return write_records();
  if (task == "compare" && argc == 3) return compare(argv[2]);
  fmt::print(stderr, "usage: response_spectrum records | response_spectrum compare DECK\n");
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return response_spectrum(argc, argv);
  } catch (const std::exception& error) {
    fmt::print(stderr, "response_spectrum: {}\n", error.what());
    return 1;
  }
}
