// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/deck/example_decks.hpp"
#include "setka/deck/element_names.hpp"

#include <cmath>
#include <cstddef>
#include <numbers>
#include <numeric>
#include <ostream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "setka/analysis/setup.hpp"
#include "setka/base/error.hpp"
#include "setka/deck/inp.hpp"
#include "setka/fem/element.hpp"
#include "setka/model/element_type.hpp"
#include "support/sanitized.hpp"

namespace setka::deck {
namespace {

using ::testing::HasSubstr;

struct Case {
  std::string name;
  model::ElementType type;
  std::int64_t size;
};
void PrintTo(const Case& c, std::ostream* out) {
  *out << c.name << " of " << deck::name(c.type) << ", " << c.size;
}

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const Example& example : examples()) {
    for (const std::string_view element : example.elements) {
      const std::vector<std::int64_t> sizes = example.name == "pump" ? std::vector<std::int64_t>{10000, 27000}
                                                                     : std::vector<std::int64_t>{1000, 4000};
      for (const std::int64_t size : sizes) all.push_back({example.name, deck::element(element), size});
    }
  }
  return all;
}

std::string text_of(const ExampleRequest& request, ExampleSize* size = nullptr) {
  std::string text;
  const ExampleSize made = write_example(request, [&](std::string_view part) { text += part; });
  if (size != nullptr) *size = made;
  return text;
}

/// By hand, from the drawing: bars along and across on two levels, eight legs, two saddles, the cylinder.
struct PumpVolumes {
  static constexpr double radius = 0.35, bar = 0.04;
  static constexpr double bars = 4 * 2.77 + (4 + 2) * (1.18 - 2 * bar) + 8 * (0.16 + 0.56);
  const double chord = std::numbers::sqrt2 * radius;
  const double segment = radius * radius * (std::numbers::pi / 4 - 0.5);
  const double saddle = (0.5 + chord) / 2 * (0.03 + radius - chord / 2) - segment;
  const double frame = bars * bar * bar + 2 * bar * saddle;
  const double cylinder = std::numbers::pi * radius * radius * 1.68;
};

class ExampleDecks : public ::testing::TestWithParam<Case> {
 protected:
  ExampleDecks()
      : text_(text_of({GetParam().name, GetParam().size, std::string(deck::name(GetParam().type))}, &size_)),
        deck_(read_inp_text(text_, "example.inp", monitor_)) {}

  Monitor monitor_{ProgressDisplay::silent()};
  ExampleSize size_;
  std::string text_;
  Deck deck_;
};

TEST_P(ExampleDecks, IsReadWhole) {
  EXPECT_TRUE(deck_.unsupported.empty());
  EXPECT_TRUE(deck_.warnings.empty()) << deck_.warnings.front();
  EXPECT_EQ(deck_.model.mesh.node_count(), size_.nodes);
  EXPECT_EQ(deck_.model.mesh.element_count(), size_.elements);
  EXPECT_EQ(deck_.model.steps.size(), 1U);
  EXPECT_FALSE(deck_.model.steps[0].output.empty());
  EXPECT_GE(deck_.model.find_node_set("PROBE"), 0);
  EXPECT_THAT(text_,
              ::testing::AnyOf(::testing::StartsWith("** A "), ::testing::StartsWith("** Cantilever")));
  EXPECT_THAT(text_, HasSubstr("\n** Units: "));
  EXPECT_THAT(text_, HasSubstr("** Written by: setka example " + GetParam().name));
  for (std::size_t at = 0; at < text_.size();) {  // as long as CalculiX reads
    const std::size_t end = text_.find('\n', at);
    ASSERT_LE(end - at, 132U) << text_.substr(at, end - at);
    at = end + 1;
  }
}

TEST_P(ExampleDecks, SizeIsNearWhatWasAskedFor) {
  EXPECT_NEAR(static_cast<double>(size_.unknowns), static_cast<double>(GetParam().size),
              0.25 * static_cast<double>(GetParam().size));
}

TEST_P(ExampleDecks, ElementsAreProperAndFillTheBody) {
  const analysis::Setup setup = analysis::prepare(deck_.model, monitor_);
  const analysis::Solids& solids = setup.solids;
  double volume = 0, mass = 0;
  std::vector<double> x, w;
  for (std::int32_t e = 0; e < solids.element_count(); ++e) {
    const fem::Element type = solids.type[static_cast<std::size_t>(e)];
    analysis::element_coordinates(solids, e, x);
    ASSERT_GT(fem::least_jacobian(type, x), 0) << "element " << e + 1;
    w.assign(static_cast<std::size_t>(fem::point_count(type)), 0);
    fem::point_volumes(type, x, w);
    const double of_element = std::accumulate(w.begin(), w.end(), 0.0);
    volume += of_element;
    mass += of_element * setup.material(e).density.front().values.front();
  }
  if (GetParam().name == "block") {
    EXPECT_NEAR(volume, 1 * 0.08 * 0.12, 1e-12);  // nodes have twelve digits
  } else if (GetParam().name == "plate-with-hole") {
    const double pi = std::numbers::pi;
    const bool plane = GetParam().type.family == model::Family::plane_stress;
    const double thickness = plane ? 0.004 : 0.002;
    // Straight edges cut a hole of 4 edges or more off by less than its corners: 10 % of the hole, 0.2 % of
    // all.
    EXPECT_NEAR(volume, (0.1 * 0.05 - pi / 4 * 0.01 * 0.01) * thickness, 2e-3 * 0.1 * 0.05 * thickness);
  } else if (GetParam().name == "fin") {
    EXPECT_NEAR(volume, 0.1 * 0.02 * 0.01, 1e-15);
  } else if (GetParam().name == "column") {
    EXPECT_NEAR(volume, 1 * 0.04 * 0.03, 1e-12);
  } else if (GetParam().name == "roof") {
    // A quarter; its sections stand on the mean of the normals of facets, which are a little shorter.
    EXPECT_NEAR(volume, 25 * (25 * 40 * std::numbers::pi / 180) * 0.25, 0.01 * 25 * 17.5 * 0.25);
  } else {
    const PumpVolumes pump;
    // A polygon of at least 20 sides instead of the circle: 1.6 % of it is missing, and a little more saddle.
    EXPECT_NEAR(volume, pump.cylinder + pump.frame, 0.018 * pump.cylinder);
    EXPECT_NEAR(mass, 2600 * pump.cylinder + 7850 * pump.frame, 0.018 * 2600 * pump.cylinder);
  }
}

TEST_P(ExampleDecks, IsOnePiece) {
  const mesh::Mesh& mesh = deck_.model.mesh;
  std::vector<std::int32_t> root(static_cast<std::size_t>(mesh.node_count()));
  std::iota(root.begin(), root.end(), 0);
  const auto find = [&](std::int32_t node) {
    while (root[static_cast<std::size_t>(node)] != node) {
      auto& above = root[static_cast<std::size_t>(node)];
      above = root[static_cast<std::size_t>(above)];
      node = above;
    }
    return node;
  };
  for (std::int32_t e = 0; e < mesh.element_count(); ++e) {
    for (const std::int32_t node : mesh.nodes(e))
      root[static_cast<std::size_t>(find(node))] = find(mesh.nodes(e)[0]);
  }
  for (std::int32_t node = 0; node < mesh.node_count(); ++node)
    ASSERT_EQ(find(node), find(0)) << "node " << node + 1;
}

INSTANTIATE_TEST_SUITE_P(All, ExampleDecks, ::testing::ValuesIn(cases()), [](const auto& made) {
  std::string name = made.param.name + "_" + std::string(deck::name(made.param.type)) + "_" +
                     std::to_string(made.param.size);
  for (char& letter : name) {
    if (letter == '-') letter = '_';
  }
  return name;
});

TEST(ExampleSizes, AreNearForAnySize) {
  const double step = test::sanitized ? 4.9 : 1.7;
  for (const Example& example : examples()) {
    for (const std::string_view element : example.elements) {
      for (double size = example.name == "pump" ? 10000 : 2000; size < 1e9; size *= step) {
        const auto asked = static_cast<std::int64_t>(size);
        const ExampleSize made = example_size({example.name, asked, std::string(element)});
        EXPECT_NEAR(static_cast<double>(made.unknowns), size, 0.25 * size)
            << example.name << " of " << element;
      }
    }
  }
}

TEST(ExampleSizes, ThePumpOfThePaper) {
  const ExampleSize made = example_size({"pump", 1858824, ""});
  EXPECT_NEAR(static_cast<double>(made.unknowns), 1858824, 0.02 * 1858824);
}

TEST(ExampleSizes, CountWhatANodeHas) {
  const ExampleSize fin = example_size({"fin", 3000, "C3D8"});
  EXPECT_EQ(fin.unknowns, fin.nodes);
  const ExampleSize roof = example_size({"roof", 3000, "S8R"});
  EXPECT_EQ(roof.unknowns, 6 * roof.nodes);
}

/// A program may put other cards in the place of these.
TEST(ExampleSteps, BeginAndEndWithTheirCards) {
  const std::string fin = text_of({"fin", 1000, ""});
  EXPECT_THAT(fin, HasSubstr("\n*STEP\n*HEAT TRANSFER, STEADY STATE\n*BOUNDARY\nROOT, 11, 11, 100\n*FILM\n"));
  EXPECT_THAT(fin, ::testing::EndsWith("*NODE FILE\nNT\n*EL FILE\nHFL\n*END STEP\n"));
  EXPECT_THAT(text_of({"column", 1000, ""}), HasSubstr("\n*STEP\n*BUCKLE\n2\n*DLOAD\nPRESS"));
  EXPECT_THAT(text_of({"roof", 1000, ""}),
              HasSubstr("\n*STEP\n*STATIC\n*DLOAD\nALL, GRAV, 32.174, 0, 0, -1\n"));
}

TEST(ExampleRequests, WrongOnesSayWhatWouldBeRight) {
  const auto message = [](const ExampleRequest& request) {
    try {
      write_example(request, [](std::string_view) { ADD_FAILURE() << "something was written"; });
    } catch (const Error& error) {
      EXPECT_EQ(error.fault(), Fault::usage);
      return std::string(error.what());
    }
    return std::string("nothing thrown");
  };
  EXPECT_THAT(message({"plate", 1000, ""}), HasSubstr("unknown example 'plate'"));
  EXPECT_THAT(
      message({"bloc", 1000, ""}),
      HasSubstr("did you mean block? the examples are block, plate-with-hole, pump, fin, column and roof"));
  EXPECT_THAT(message({"pump", 10000, "C3D10"}),
              HasSubstr("pump cannot be made of C3D10; its element types are C3D8, C3D8I and C3D8R"));
  EXPECT_THAT(message({"roof", 10000, "C3D8"}),
              HasSubstr("roof cannot be made of C3D8; its element types are S8R, S8, S6, S4, S4R and S3"));
  EXPECT_THAT(message({"block", 5, "C3D8"}),
              HasSubstr("cannot have 5 unknowns; use a size from 90 to 1000000000"));
  EXPECT_THAT(message({"block", 2000000000, "C3D8"}), HasSubstr("cannot have 2000000000 unknowns"));
}

}  // namespace
}  // namespace setka::deck
