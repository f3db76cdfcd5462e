// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "bench/plan_models.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <map>
#include <numbers>
#include <numeric>
#include <random>
#include <utility>

#include <fmt/core.h>

#include "setka/deck/example_decks.hpp"
#include "setka/io/output_file.hpp"

namespace setka::bench {
namespace {

using Point = std::array<double, 3>;

constexpr const char* steel_cards = "*MATERIAL, NAME=STEEL\n*ELASTIC\n2.1e11, 0.3\n*DENSITY\n7800\n";

/// A mesh as a deck has it, numbers from 1.
struct Cells {
  std::vector<Point> node;
  std::vector<std::vector<std::int32_t>> element;  // positions of nodes

  std::string text(const std::string& type) const {
    std::string out = "*NODE, NSET=NALL\n";
    for (std::size_t n = 0; n < node.size(); ++n)
      out += fmt::format("{}, {:.9g}, {:.9g}, {:.9g}\n", n + 1, node[n][0], node[n][1], node[n][2]);
    out += fmt::format("*ELEMENT, TYPE={}, ELSET=ALL\n", type);
    for (std::size_t e = 0; e < element.size(); ++e) {
      out += fmt::format("{}", e + 1);
      for (std::size_t i = 0; i < element[e].size(); ++i)
        out += fmt::format(",{}{}", i % 12 == 11 ? "\n " : " ", element[e][i] + 1);
      out += "\n";
    }
    return out;
  }

  /// "5, 6, 7" of nodes that are chosen, sixteen a line.
  template <class Chosen>
  std::string set(const std::string& name, const Chosen& chosen) const {
    std::string out = fmt::format("*NSET, NSET={}\n", name);
    int on_line = 0;
    for (std::size_t n = 0; n < node.size(); ++n) {
      if (!chosen(node[n])) continue;
      out += fmt::format("{},{}", n + 1, ++on_line % 12 == 0 ? "\n" : " ");
    }
    return out + "\n";
  }
};

std::string step_of(const PlanModel& model, const std::string& loads) {
  if (model.modes > 0) return fmt::format("*STEP\n*FREQUENCY\n{}\n*NODE FILE\nU\n*END STEP\n", model.modes);
  return "*STEP\n*STATIC\n" + loads + "*NODE FILE\nU\n*EL FILE\nS\n*END STEP\n";
}

constexpr int part_length = 4;  // cells along the bar, of each across

/// Nodes in between: of a tetrahedron the middles of edges 1-2 2-3 3-1 1-4 2-4 3-4.
void add_middles(Cells& cells) {
  constexpr std::array<std::array<std::size_t, 2>, 6> edges{
      {{{0, 1}}, {{1, 2}}, {{2, 0}}, {{0, 3}}, {{1, 3}}, {{2, 3}}}};
  std::map<std::pair<std::int32_t, std::int32_t>, std::int32_t> known;
  for (std::vector<std::int32_t>& own : cells.element) {
    for (const auto& [i, j] : edges) {
      const auto key = std::minmax(own[i], own[j]);
      const auto [at, is_new] =
          known.try_emplace({key.first, key.second}, static_cast<std::int32_t>(cells.node.size()));
      if (is_new) {
        const Point a = cells.node[static_cast<std::size_t>(own[i])];
        const Point b = cells.node[static_cast<std::size_t>(own[j])];
        cells.node.push_back({(a[0] + b[0]) / 2, (a[1] + b[1]) / 2, (a[2] + b[2]) / 2});
      }
      own.push_back(at->second);
    }
  }
}

/// Numbers of nodes and elements at random within clusters, as fronts and insertions leave them.
void scatter(Cells& cells, double cluster) {
  std::mt19937 noise(7);
  const auto key = [&](const Point& x) {
    return std::array{std::floor(x[0] / cluster), std::floor(x[1] / cluster), std::floor(x[2] / cluster),
                      static_cast<double>(noise())};
  };
  std::vector<std::pair<std::array<double, 4>, std::int32_t>> order;
  for (std::size_t n = 0; n < cells.node.size(); ++n)
    order.emplace_back(key(cells.node[n]), static_cast<std::int32_t>(n));
  std::ranges::sort(order);
  std::vector<std::int32_t> place(order.size());
  std::vector<Point> node(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    place[static_cast<std::size_t>(order[i].second)] = static_cast<std::int32_t>(i);
    node[i] = cells.node[static_cast<std::size_t>(order[i].second)];
  }
  cells.node = std::move(node);
  for (auto& own : cells.element) {
    for (std::int32_t& n : own) n = place[static_cast<std::size_t>(n)];
  }
  std::ranges::shuffle(cells.element, noise);
}

std::string part_text(const PlanModel& model) {
  const bool second = model.element == "C3D10";
  // A cube has 8 nodes of 6 tetrahedra; second-order ones have about 8 times as many nodes.
  const double nodes = static_cast<double>(model.size) / 3 / (second ? 8 : 1);
  const int across = std::max(2, static_cast<int>(std::lround(std::cbrt(nodes / part_length))));
  const int along = part_length * across;
  Cells cells;
  std::mt19937 noise(11);
  std::uniform_real_distribution<double> moved(-0.2, 0.2);
  const auto at = [&](int i, int j, int k) { return (i * (across + 1) + j) * (across + 1) + k; };
  for (int i = 0; i <= along; ++i) {
    for (int j = 0; j <= across; ++j) {
      for (int k = 0; k <= across; ++k) {
        const bool inner = i > 0 && i < along && j > 0 && j < across && k > 0 && k < across;
        const auto off = [&] { return inner ? moved(noise) : 0.0; };
        const double angle = std::numbers::pi / 2 * (i + off()) / along;
        const double radius = 2 + (j + off()) / across;
        cells.node.push_back({radius * std::cos(angle), radius * std::sin(angle), (k + off()) / across});
      }
    }
  }
  // Kuhn's six tetrahedra about the diagonal of each cell.
  constexpr std::array<std::array<int, 3>, 6> ways{
      {{{0, 1, 2}}, {{1, 2, 0}}, {{2, 0, 1}}, {{0, 2, 1}}, {{2, 1, 0}}, {{1, 0, 2}}}};
  for (int i = 0; i < along; ++i) {
    for (int j = 0; j < across; ++j) {
      for (int k = 0; k < across; ++k) {
        for (std::size_t w = 0; w < ways.size(); ++w) {
          std::array<int, 3> x{i, j, k};
          std::vector<std::int32_t> own{at(x[0], x[1], x[2])};
          for (const int axis : ways[w]) {
            ++x[static_cast<std::size_t>(axis)];
            own.push_back(at(x[0], x[1], x[2]));
          }
          // The coordinates turn as angle, radius, height: left-handed, so even ways are turned round.
          if (w < 3) std::swap(own[2], own[3]);
          cells.element.push_back(std::move(own));
        }
      }
    }
  }
  if (second) add_middles(cells);
  scatter(cells, 0.5);
  std::string text = cells.text(model.element);
  text += cells.set("FIX", [](const Point& x) { return std::abs(x[1]) < 1e-9; });
  text += steel_cards;
  text += "*SOLID SECTION, ELSET=ALL, MATERIAL=STEEL\n*BOUNDARY\nFIX, 1, 3\n";
  return text + step_of(model, "*DLOAD\nALL, GRAV, 9.81, 0, 0, -1\n");
}

/// Of shells in the plane, or of one layer of hexahedra.
std::string thin_text(const PlanModel& model) {
  const bool shell = model.element.starts_with('S');
  const bool second = model.element == "S8R" || model.element == "C3D20R";
  constexpr double side = 1;
  constexpr double thickness = 0.01;
  const double a_cell = shell ? (second ? 3 * 6 : 6) : (second ? 3 * 8 : 6);  // unknowns
  const int n =
      std::max(3, static_cast<int>(std::lround(std::sqrt(static_cast<double>(model.size) / a_cell))));
  Cells cells;
  std::map<std::array<int, 3>, std::int32_t> known;  // by half cells, and half thicknesses
  const auto at = [&](int i, int j, int k) {
    const auto [found, is_new] = known.try_emplace({i, j, k}, static_cast<std::int32_t>(cells.node.size()));
    if (is_new) cells.node.push_back({side * i / (2 * n), side * j / (2 * n), shell ? 0 : thickness * k / 2});
    return found->second;
  };
  for (int j = 0; j < 2 * n; j += 2) {
    for (int i = 0; i < 2 * n; i += 2) {
      std::vector<std::int32_t> own;
      const auto corners = [&](int k) {
        own.insert(own.end(), {at(i, j, k), at(i + 2, j, k), at(i + 2, j + 2, k), at(i, j + 2, k)});
      };
      const auto middles = [&](int k) {
        own.insert(own.end(), {at(i + 1, j, k), at(i + 2, j + 1, k), at(i + 1, j + 2, k), at(i, j + 1, k)});
      };
      corners(0);
      if (!shell) corners(2);
      if (second) middles(0);
      if (second && !shell) {
        middles(2);
        corners(1);
      }
      cells.element.push_back(std::move(own));
    }
  }
  std::string text = cells.text(model.element);
  text += cells.set("FIX", [](const Point& x) { return x[0] < 1e-9; });
  text += steel_cards;
  text +=
      shell ? fmt::format("*SHELL SECTION, ELSET=ALL, MATERIAL=STEEL\n{}\n*BOUNDARY\nFIX, 1, 6\n", thickness)
            : "*SOLID SECTION, ELSET=ALL, MATERIAL=STEEL\n*BOUNDARY\nFIX, 1, 3\n";
  return text + step_of(model, "*DLOAD\nALL, GRAV, 9.81, 0, 0, -1\n");
}

/// Storeys of columns and beams over a grid of columns, each of several elements.
std::string frame_text(const PlanModel& model) {
  constexpr int bays = 3;
  constexpr int parts = 4;  // elements of a member
  const bool second = model.element == "B32";
  constexpr int columns = (bays + 1) * (bays + 1);
  constexpr int beams = 2 * bays * (bays + 1);
  const double a_storey = (columns + beams) * parts * (second ? 12 : 6);
  const int storeys = std::max(1, static_cast<int>(std::lround(static_cast<double>(model.size) / a_storey)));
  Cells cells;
  std::map<std::array<int, 3>, std::int32_t> known;  // by parts of members, halved
  constexpr int steps = 2 * parts;
  const auto at = [&](std::array<int, 3> x) {
    const auto [found, is_new] = known.try_emplace(x, static_cast<std::int32_t>(cells.node.size()));
    if (is_new) cells.node.push_back({5.0 * x[0] / steps, 5.0 * x[1] / steps, 3.0 * x[2] / steps});
    return found->second;
  };
  std::vector<std::vector<std::int32_t>> upright;
  std::vector<std::vector<std::int32_t>> lying;
  const auto member = [&](std::array<int, 3> x, std::size_t axis) {
    for (int p = 0; p < parts; ++p) {
      std::vector<std::int32_t> own{at(x)};
      ++x[axis];
      const std::array<int, 3> middle = x;
      ++x[axis];
      if (second) own.push_back(at(middle));
      own.push_back(at(x));
      (axis == 2 ? upright : lying).push_back(std::move(own));
    }
  };
  for (int s = 0; s < storeys; ++s) {
    for (int i = 0; i <= bays; ++i) {
      for (int j = 0; j <= bays; ++j) {
        member({steps * i, steps * j, steps * s}, 2);
        if (i < bays) member({steps * i, steps * j, steps * (s + 1)}, 0);
        if (j < bays) member({steps * i, steps * j, steps * (s + 1)}, 1);
      }
    }
  }
  cells.element = upright;
  std::string text = cells.text(model.element);
  text += fmt::format("*ELEMENT, TYPE={}, ELSET=LYING\n", model.element);
  for (std::size_t e = 0; e < lying.size(); ++e) {
    text += fmt::format("{}", upright.size() + e + 1);
    for (const std::int32_t n : lying[e]) text += fmt::format(", {}", n + 1);
    text += "\n";
  }
  text += cells.set("FIX", [](const Point& x) { return x[2] < 1e-9; });
  text += steel_cards;
  text +=
      "*BEAM SECTION, ELSET=ALL, MATERIAL=STEEL, SECTION=RECT\n0.3, 0.3\n1, 0, 0\n"
      "*BEAM SECTION, ELSET=LYING, MATERIAL=STEEL, SECTION=RECT\n0.2, 0.3\n0, 0, 1\n*BOUNDARY\nFIX, 1, 6\n";
  return text + step_of(model, "*DLOAD\nALL, GRAV, 9.81, 0, 0, -1\nLYING, GRAV, 9.81, 0, 0, -1\n");
}

}  // namespace

std::string PlanModel::name() const {
  return fmt::format("{}-{}-{}{}", shape, element, size, modes > 0 ? fmt::format("-modes{}", modes) : "");
}

void write_plan_model(const PlanModel& model, const std::filesystem::path& deck) {
  io::OutputFile file(deck.string());
  if (model.shape == "part") {
    file.write(part_text(model));
  } else if (model.shape == "thin") {
    file.write(thin_text(model));
  } else if (model.shape == "frame") {
    file.write(frame_text(model));
  } else {
    deck::write_example({model.shape, model.size, model.element, model.modes},
                        [&](std::string_view text) { file.write(text); });
  }
  file.commit();
}

std::vector<PlanModel> plan_models(std::int64_t largest, bool quick) {
  if (quick) return {{"block", "C3D8", 1500}, {"part", "C3D10", 1500, 4}, {"frame", "B31", 600}};
  std::vector<PlanModel> models;
  const auto add = [&](const char* shape, const char* element, std::int64_t size, std::int64_t modes) {
    if (size <= largest) models.push_back({shape, element, size, modes, models.size() % 2 == 0});
  };
  add("block", "C3D8", 1500, 0);
  add("block", "C3D8", 4000, 0);
  add("block", "C3D8I", 15000, 0);
  add("block", "C3D8", 40000, 0);
  add("block", "C3D20R", 3000, 0);
  add("block", "C3D20R", 10000, 0);
  add("block", "C3D20R", 30000, 0);
  add("block", "C3D20", 60000, 0);
  add("block", "C3D8", 100000, 0);
  add("block", "C3D20R", 120000, 0);
  add("block", "C3D8I", 250000, 0);
  add("block", "C3D10", 8000, 0);
  add("block", "C3D20R", 8000, 10);
  add("block", "C3D8", 12000, 10);
  add("block", "C3D20R", 40000, 10);
  add("block", "C3D8", 80000, 20);
  add("pump", "C3D8I", 6000, 0);
  add("pump", "C3D8I", 16000, 0);
  add("pump", "C3D8", 50000, 0);
  add("pump", "C3D8I", 120000, 0);
  add("pump", "C3D8I", 8000, 10);
  add("pump", "C3D8I", 30000, 10);
  add("plate-with-hole", "C3D20R", 6000, 0);
  add("plate-with-hole", "C3D10", 18000, 0);
  add("plate-with-hole", "C3D8I", 50000, 0);
  add("plate-with-hole", "C3D20R", 90000, 0);
  add("plate-with-hole", "C3D10", 15000, 6);
  add("plate-with-hole", "C3D20R", 25000, 10);
  add("part", "C3D4", 3000, 0);
  add("part", "C3D4", 15000, 0);
  add("part", "C3D4", 60000, 0);
  add("part", "C3D10", 5000, 0);
  add("part", "C3D10", 25000, 0);
  add("part", "C3D10", 80000, 0);
  add("part", "C3D10", 200000, 0);
  add("part", "C3D4", 34000, 10);
  add("part", "C3D10", 10000, 10);
  add("part", "C3D10", 34000, 10);
  add("thin", "S8R", 4000, 0);
  add("thin", "S8R", 12000, 0);
  add("thin", "C3D20R", 15000, 0);
  add("thin", "C3D8I", 30000, 0);
  add("thin", "S4", 6000, 10);
  add("thin", "C3D20R", 20000, 10);
  add("roof", "S8R", 9000, 0);
  add("frame", "B32", 2000, 0);
  add("frame", "B32", 8000, 0);
  add("frame", "B31", 6000, 0);
  add("frame", "B32", 4000, 10);
  add("frame", "B31", 3000, 10);
  add("block", "C3D8", 600000, 0);
  add("part", "C3D10", 700000, 0);
  add("block", "C3D20R", 1000000, 0);
  add("pump", "C3D8I", 400000, 20);
  add("block", "C3D8", 2000000, 0);
  add("part", "C3D10", 300000, 10);
  return models;
}

}  // namespace setka::bench
