// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include <fmt/core.h>

namespace setka::test {

/// A block of 16 x 8 x 7 C3D8 along x, cells of 0.1, with the sets ALL, LEFT, RIGHT and EALL; END are the
/// elements with S2 at the end along x, SIDE those with S3 at z = 0.
inline std::string heat_block(const std::string& material, const std::string& model,
                              const std::string& step) {
  constexpr int cells[] = {16, 8, 7};
  constexpr int plane = (cells[1] + 1) * (cells[2] + 1);
  std::string text = "*NODE, NSET=ALL\n";
  for (int n = 0; n < plane * (cells[0] + 1); ++n)
    text += fmt::format("{}, {}, {}, {}\n", n + 1, 0.1 * (n / plane), 0.1 * (n % plane / (cells[2] + 1)),
                        0.1 * (n % (cells[2] + 1)));
  text += "*ELEMENT, TYPE=C3D8, ELSET=EALL\n";
  std::string sides = "*ELSET, ELSET=SIDE\n";
  std::string ends = "*ELSET, ELSET=END\n";
  int element = 0;
  for (int i = 0; i < cells[0]; ++i) {
    for (int j = 0; j < cells[1]; ++j) {
      for (int k = 0; k < cells[2]; ++k) {
        const int first = i * plane + j * (cells[2] + 1) + k + 1;
        text += fmt::format("{}", ++element);
        for (const int x : {0, plane}) {
          for (const int yz : {0, cells[2] + 1, cells[2] + 2, 1}) text += fmt::format(", {}", first + x + yz);
        }
        text += "\n";
        if (k == 0) sides += fmt::format("{}\n", element);
        if (i == cells[0] - 1) ends += fmt::format("{}\n", element);
      }
    }
  }
  const int nodes = plane * (cells[0] + 1);
  return text + sides + ends +
         fmt::format("*NSET, NSET=LEFT, GENERATE\n1, {}\n*NSET, NSET=RIGHT, GENERATE\n{}, {}\n", plane,
                     nodes - plane + 1, nodes) +
         "*PHYSICAL CONSTANTS, ABSOLUTE ZERO=0., STEFAN BOLTZMANN=5.67E-8\n"
         "*MATERIAL, NAME=M\n" +
         material +
         "*SOLID SECTION, ELSET=EALL, MATERIAL=M\n*INITIAL CONDITIONS, TYPE=TEMPERATURE\nALL, 300.\n" +
         model + step;
}

/// Of conductivities and capacities that change with temperature.
inline const std::string changing_heat =
    "*CONDUCTIVITY\n20., 300.\n35., 900.\n*SPECIFIC HEAT\n450., 300.\n600., 900.\n*DENSITY\n8.\n";
inline const std::string constant_heat = "*CONDUCTIVITY\n20.\n*SPECIFIC HEAT\n450.\n*DENSITY\n8.\n";

/// What is printed of all nodes.
inline const std::string temperatures_printed = "*NODE PRINT, NSET=ALL\nNT\n";

/// Films, radiation and heat in the body, in equilibrium.
inline std::string steady_heat() {
  return heat_block(
      changing_heat, "",
      "*STEP\n*HEAT TRANSFER, STEADY STATE\n*BOUNDARY\nLEFT,11,11,900.\n*FILM\nEND,F2,350.,40.\n"
      "*RADIATE\nSIDE,R3,300.,0.8\n*DFLUX\nEALL,BF,2000.\n" +
          temperatures_printed + "*END STEP\n");
}

/// In time, with a temperature that follows an amplitude and one that jumps. kept: of which material.
inline std::string heat_in_time(const std::string& material) {
  return heat_block(
      material, "*AMPLITUDE, NAME=A\n0.,300., 40.,800., 1000.,800.\n",
      "*STEP, INC=1000\n*HEAT TRANSFER, DELTMX=60.\n4.,60.\n*BOUNDARY, AMPLITUDE=A\nLEFT,11,11,1.\n"
      "*BOUNDARY\nRIGHT,11,11,350.\n*FILM\nSIDE,F3,320.,25.\n*CFLUX\n200,11,30.\n" +
          temperatures_printed + "*END STEP\n");
}

}  // namespace setka::test
