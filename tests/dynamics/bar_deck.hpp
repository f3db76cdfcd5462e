// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace setka::test {

/// Bricks in a row that only grow along x, held at x = 0: one unknown a brick. Each has stiffness 3 and
/// mass 1. Nodes of the end of brick b are 4 b + 1 to 4 b + 4; END is 4 bricks + 1. A step finds all modes
/// but those that are left out.
inline std::string bar_deck(int bricks, const std::string& steps, const std::string& before = "",
                            int modes_left_out = 0) {
  std::string text = "*NODE\n";
  for (int i = 0; i < 4 * (bricks + 1); ++i)
    text += std::to_string(i + 1) + "," + std::to_string(i / 4) + "," + std::to_string(i % 2) + "," +
            std::to_string(i / 2 % 2) + "\n";
  text += "*ELEMENT,TYPE=C3D8,ELSET=E\n";
  for (int e = 0; e < bricks; ++e) {
    text += std::to_string(e + 1);
    for (const int node : {1, 5, 6, 2, 3, 7, 8, 4}) (text += ',') += std::to_string(4 * e + node);
    text += "\n";
  }
  text += "*NSET,NSET=BASE\n1,2,3,4\n*NSET,NSET=END\n" + std::to_string(4 * bricks + 1) +
          "\n*NSET,NSET=ALL,GENERATE\n1," + std::to_string(4 * bricks + 4) +
          "\n*MATERIAL,NAME=M\n*ELASTIC\n3,0\n*DENSITY\n1\n*SOLID SECTION,ELSET=E,MATERIAL=M\n"
          "*BOUNDARY\nBASE,1,1\nALL,2,3\n*EQUATION\n";
  for (int b = 1; b <= bricks; ++b) {
    for (int k = 2; k <= 4; ++k)
      text += "2\n" + std::to_string(4 * b + k) + ",1,1," + std::to_string(4 * b + 1) + ",1,-1\n";
  }
  return text + before + "*STEP\n*FREQUENCY\n" + std::to_string(bricks - modes_left_out) + "\n*END STEP\n" +
         steps;
}

}  // namespace setka::test
