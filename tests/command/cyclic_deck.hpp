// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>
#include <numbers>
#include <string>

#include <fmt/core.h>

namespace setka::test {

/// A sixth of a ring, held at its inner edge: pressed, with what follows, and its modes of nodal diameters 0
/// and 2.
inline std::string cyclic_sector() {
  constexpr int arc = 4;
  constexpr int radii = 3;
  const auto node = [](int i, int r, int z) { return 1 + i + (arc + 1) * (r + (radii + 1) * z); };
  std::string text = "*NODE, NSET=ALL\n";
  for (int z = 0; z < 2; ++z) {
    for (int r = 0; r <= radii; ++r) {
      for (int i = 0; i <= arc; ++i) {
        const double angle = std::numbers::pi / 3 * i / arc;
        text += fmt::format("{},{:.12g},{:.12g},{}\n", node(i, r, z), (1 + 0.3 * r) * std::cos(angle),
                            (1 + 0.3 * r) * std::sin(angle), 0.4 * z);
      }
    }
  }
  text += "*ELEMENT, TYPE=C3D8, ELSET=EALL\n";
  for (int r = 0; r < radii; ++r) {
    for (int i = 0; i < arc; ++i)
      text += fmt::format("{},{},{},{},{},{},{},{},{}\n", 1 + i + arc * r, node(i, r, 0), node(i, r + 1, 0),
                          node(i + 1, r + 1, 0), node(i + 1, r, 0), node(i, r, 1), node(i, r + 1, 1),
                          node(i + 1, r + 1, 1), node(i + 1, r, 1));
  }
  const auto set = [&](const std::string& name, auto has) {
    text += "*NSET, NSET=" + name + "\n";
    for (int z = 0; z < 2; ++z) {
      for (int r = 0; r <= radii; ++r) {
        for (int i = 0; i <= arc; ++i) {
          if (has(i, r, z)) text += fmt::format("{}\n", node(i, r, z));
        }
      }
    }
  };
  // Nodes of the dependent side follow the other one, which is held for them.
  set("NLEFT", [](int i, int, int) { return i == 0; });
  set("NRIGHT", [](int i, int, int) { return i == arc; });
  set("HELD", [](int i, int r, int z) { return i > 0 && r == 0 && z == 0; });
  set("RIM", [](int i, int r, int) { return i > 0 && r == radii; });
  return text +
         "*MATERIAL, NAME=M\n*ELASTIC\n1000.,.3\n*DENSITY\n1.\n*SOLID SECTION, ELSET=EALL, MATERIAL=M\n"
         "*SURFACE, NAME=LEFT, TYPE=NODE\nNLEFT\n*SURFACE, NAME=RIGHT, TYPE=NODE\nNRIGHT\n"
         "*TIE, CYCLIC SYMMETRY, NAME=T\nLEFT,RIGHT\n*CYCLIC SYMMETRY MODEL, N=6, TIE=T\n0,0,0,0,0,1\n"
         "*BOUNDARY\nHELD,1,3\n*STEP\n*STATIC\n*CLOAD\nRIM,3,1.\n*NODE PRINT, NSET=ALL\nU\n*END STEP\n"
         "*STEP\n*FREQUENCY\n4\n*SELECT CYCLIC SYMMETRY MODES, NMIN=0, NMAX=0\n*NODE FILE\nU\n*END STEP\n"
         "*STEP\n*FREQUENCY\n4\n*SELECT CYCLIC SYMMETRY MODES, NMIN=2, NMAX=2\n*NODE FILE\nU\n*END STEP\n";
}

}  // namespace setka::test
