// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <vector>

/// The sizes of a deck's work, counted before it begins (analysis::count_deck): what formulas of finite
/// element runs are functions of. Numbers alone, so that this folder knows no deck.
namespace setka::plan {

/// Elements that are computed in the same way.
struct ElementCounts {
  std::string kind;     // "hex8", "hex20_reduced of shells"
  double elements = 0;  // of the solids that are computed
  double values = 0;    // of their matrices
};

enum class StepKind {
  statics,
  modes,
  other,  // no formulas yet
};

struct StepCounts {
  int number = 1;
  std::string keyword;  // "*STATIC"
  StepKind kind = StepKind::other;

  double unknowns = 0;  // after constraints
  double rows = 0;      // of blocks of three
  double entries = 0;   // values of the matrix
  double pairs = 0;     // of blocks that elements add up to it

  double factor_flops = 0;  // of a factorisation; 0: this build has none
  double factor_entries = 0;
  bool factor_is_exact = false;  // by a symbolic analysis; else by the sizes of like bodies

  double modes = 0;    // that are wanted
  double columns = 0;  // that LOBPCG iterates together
  bool stresses = false;
  double frames = 1;  // that are written
};

struct DeckCounts {
  double bytes = 0;  // of the deck and the files that it includes
  double nodes = 0;
  double elements = 0;
  double solid_nodes = 0;  // with those that shells, beams and layers become
  double result_nodes = 0;
  double element_nodes = 0;  // all numbers of nodes that elements have
  double points = 0;         // of integration
  std::vector<ElementCounts> kinds;
  bool picks = true;  // constraints do no more than to leave unknowns out

  double aspect = 1;       // of an element's longest edge to its shortest, the median
  double slenderness = 1;  // of the longest side of the body's box to the shortest
  double contrast = 1;     // of the stiffest material to the softest
  std::vector<StepCounts> steps;

  double element_values() const {
    double sum = 0;
    for (const ElementCounts& one : kinds) sum += one.values;
    return sum;
  }
};

}  // namespace setka::plan
