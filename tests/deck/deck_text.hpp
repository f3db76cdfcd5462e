// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include <gtest/gtest.h>

#include "setka/base/error.hpp"
#include "setka/base/monitor.hpp"
#include "setka/deck/inp.hpp"

namespace setka::test {

/// A cube of one element with its material and supports: what comes before the steps.
inline const std::string cube = R"(** one element
*NODE, NSET=NALL
1,0,0,0
2,1,0,0
3,1,1,0
4,0,1,0
5,0,0,1
6,1,0,1
7,1,1,1
8,0,1,1
*ELEMENT,TYPE=C3D8,ELSET=EALL
1,1,2,3,4,5,6,7,8
*NSET,NSET=BOTTOM
1,2,3,4
*NSET,NSET=TOP
5,6,7,8
*MATERIAL,NAME=STEEL
*ELASTIC
210000.,.3
*SOLID SECTION,ELSET=EALL,MATERIAL=STEEL
*BOUNDARY
BOTTOM,1,3
)";

inline const std::string pull = R"(*STEP
*STATIC
*CLOAD
TOP,3,1.
*END STEP
)";

inline deck::Deck read_text(const std::string& text) {
  Monitor monitor;
  return deck::read_inp_text(text, "deck.inp", monitor);
}

/// What reading a text complains of.
inline std::string error_of_deck(const std::string& text) {
  try {
    read_text(text);
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::input);
    return error.what();
  }
  return "no error";
}

}  // namespace setka::test
