// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "setka/model/element_type.hpp"

namespace setka::deck {

/// A model that Setka can write as a deck, of any size.
struct Example {
  std::string name;                        // "plate-with-hole"
  std::string what;                        // one line for people
  std::vector<std::string_view> elements;  // it can be made of; the first is the default
};

/// block, plate-with-hole, pump, fin, column and roof.
std::span<const Example> examples();

struct ExampleRequest {
  std::string name;
  std::int64_t size = 10000;  // unknowns: three displacements a node, two in the plane, six
                              // with the rotations of shells, one temperature; fixed ones included
  std::string element;        // by its name in a deck, in capitals; empty: the example's default
  std::int64_t modes = 0;     // so many natural frequencies (modes of temperatures) instead of the step
};

/// What was made: the division whose number of unknowns is nearest to the size asked for.
struct ExampleSize {
  model::ElementType element{};
  std::int64_t nodes = 0;
  std::int64_t elements = 0;
  std::int64_t unknowns = 0;
};

inline constexpr std::int64_t largest_example = 1'000'000'000;  // unknowns

/// The size alone, in no time. An unknown name or element type, or a size that the example cannot have, is an
/// Error(Fault::usage) that says what it can have.
ExampleSize example_size(const ExampleRequest& request);

/// Takes the text, about a megabyte at a time.
using TextSink = std::function<void(std::string_view text)>;

/// Writes the deck: a comment on what it is, its units and the command; mesh, sets, material, supports, a
/// step and output requests. Runs in CalculiX too. The mesh is held in memory, about
/// 100 bytes a node.
ExampleSize write_example(const ExampleRequest& request, const TextSink& sink);

}  // namespace setka::deck
