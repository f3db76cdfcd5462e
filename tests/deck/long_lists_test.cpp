// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// Lists of several megabytes, which threads read in pieces.
#include <algorithm>
#include <cstddef>
#include <string>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "setka/base/error.hpp"
#include "setka/base/monitor.hpp"
#include "setka/deck/inp.hpp"

namespace {

using setka::deck::Deck;
using testing::HasSubstr;

constexpr int nodes = 60000;
constexpr int elements = 30000;

std::string node_lines() {
  std::string text = "*NODE, NSET=ALL\n";
  for (int n = 1; n <= nodes; ++n) {
    if (n % 7000 == 0) text += "** a comment\n\n";
    text += fmt::format("{}, {}.000000000000, {}.25000000000000, -{}e-3\n", 3 * n, n, n % 17, n);
  }
  return text;
}

int node_of(int element, int i) {
  return 3 * ((7 * element + 11 * i) % nodes + 1);
}

/// Each element over lines of so many fields, the number of the element among them.
std::string element_lines(const char* type, int count, int fields, const char* line_end) {
  std::string text = fmt::format("*ELEMENT, TYPE={}, ELSET=E\n", type);
  for (int e = 1; e <= elements; ++e) {
    if (e % 4999 == 0) text += "** a comment\n";
    text += std::to_string(e);
    for (int i = 0; i < count; ++i)
      text += fmt::format("{}{}", (i + 1) % fields == 0 ? line_end : ",      ", node_of(e, i));
    text += '\n';
  }
  return text;
}

Deck read(const std::string& text) {
  setka::Monitor monitor;
  return setka::deck::read_inp_text(text, "deck.inp", monitor, setka::deck::Completeness::unchecked);
}

void expect_mesh(const Deck& deck, int count) {
  const setka::mesh::Mesh& mesh = deck.model.mesh;
  ASSERT_EQ(mesh.node_count(), nodes);
  ASSERT_EQ(mesh.element_count(), elements);
  for (int n = 1; n <= nodes; ++n) {
    ASSERT_EQ(mesh.node_label(n - 1), 3 * n);
    ASSERT_EQ(mesh.coordinates(n - 1)[0], n);
    ASSERT_EQ(mesh.coordinates(n - 1)[1], n % 17 + 0.25);
  }
  for (int e = 1; e <= elements; ++e) {
    ASSERT_EQ(mesh.element_label(e - 1), e);
    ASSERT_EQ(static_cast<int>(mesh.nodes(e - 1).size()), count);
    for (int i = 0; i < count; ++i)
      ASSERT_EQ(mesh.node_label(mesh.nodes(e - 1)[static_cast<std::size_t>(i)]), node_of(e, i));
  }
  ASSERT_EQ(deck.model.node_sets[0].nodes.size(), static_cast<std::size_t>(nodes));
  ASSERT_EQ(deck.model.element_sets[0].elements.size(), static_cast<std::size_t>(elements));
}

TEST(LongLists, ReadAsShortOnes) {
  expect_mesh(read(node_lines() + element_lines("C3D8", 8, 100, "")), 8);
}

TEST(LongLists, ElementsOverSeveralLines) {
  expect_mesh(read(node_lines() + element_lines("C3D20", 20, 16, ",\n")), 20);
  // Lines that look alike, so that pieces begin amid elements at first.
  expect_mesh(read(node_lines() + element_lines("C3D15", 15, 8, "\n")), 15);
  expect_mesh(read(node_lines() + element_lines("C3D15", 15, 4, ",\n")), 15);
}

std::string refusal(const std::string& text) {
  try {
    read(text);
  } catch (const setka::Error& error) {
    return error.what();
  }
  return "nothing was thrown";
}

int line_of(const std::string& text, std::size_t at) {
  return 1 + static_cast<int>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
}

TEST(LongLists, TheFirstErrorIsToldWithItsLine) {
  std::string text = node_lines();
  const std::size_t wrong_node = text.find("\n120000,");
  text.replace(wrong_node + 1, 6, "12x000");
  text += element_lines("C3D20", 20, 16, ",\n");
  EXPECT_THAT(refusal(text), HasSubstr(fmt::format(":{}:", line_of(text, wrong_node + 1))));
  EXPECT_THAT(refusal(text), HasSubstr("12x000"));

  text = node_lines() + element_lines("C3D15", 15, 8, "\n");
  const std::size_t twice = text.find("\n20000,      ");
  text.replace(twice + 1, 5, "19999");
  const std::size_t later = text.find("\n25000,      ");
  text.replace(later + 1, 5, "wrong");
  EXPECT_THAT(refusal(text),
              HasSubstr(fmt::format(":{}: element 19999 is defined twice", line_of(text, twice + 1))));
}

}  // namespace
