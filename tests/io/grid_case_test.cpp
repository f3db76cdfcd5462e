// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/io/grid_case.hpp"

#include <fstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "io/scratch_folder.hpp"
#include "setka/base/error.hpp"
#include "setka/io/npy.hpp"
#include "support/mutated.hpp"

namespace setka::io {
namespace {

using model::GridCase;
using model::GridField;
using model::GridScheme;
using model::GridShape;
using model::GridSide;

using ::testing::ElementsAre;
using ::testing::HasSubstr;

const std::string plain =
    "scheme = \"lod\"\n"
    "[grid]\n"
    "cells = [4, 3]\n"
    "lengths = [2.0, 3.0]\n"
    "[time]\n"
    "step = 0.5\n"
    "steps = 10\n";

class GridCaseText : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!can_read_grid_cases()) GTEST_SKIP() << "built without toml++";
  }
  static GridCase read(const std::string& text) { return read_grid_case_text(text, "cases/a.toml"); }

  static std::string message(const std::string& text) {
    try {
      read(text);
    } catch (const Error& error) {
      EXPECT_EQ(error.fault(), Fault::input);
      return error.what();
    }
    return "no error";
  }

  /// The plain case with a piece of it replaced.
  static std::string changed(const std::string& from, const std::string& to) {
    std::string text = plain;
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return text.replace(at, from.size(), to);
  }
};

TEST_F(GridCaseText, reads_a_plain_case_with_defaults) {
  const GridCase grid = read(plain);
  EXPECT_EQ(grid.scheme, GridScheme::lod);
  EXPECT_EQ(grid.title, "a");
  EXPECT_FALSE(grid.single_precision);
  EXPECT_EQ(grid.axes, 2);
  EXPECT_THAT(grid.shape(), ElementsAre(3, 4));
  EXPECT_EQ(grid.point_count(), 12);
  EXPECT_EQ(grid.spacing(0), 0.5);
  EXPECT_EQ(grid.step, 0.5);
  EXPECT_EQ(grid.step_line, 6);
  EXPECT_EQ(grid.steps, 10);
  EXPECT_EQ(grid.diffusivity.value, 1);
  EXPECT_EQ(grid.sides[0][1].kind, GridSide::Kind::neumann);
  EXPECT_EQ(grid.sides[0][1].value, 0);
  EXPECT_TRUE(grid.output.vti);
  EXPECT_EQ(grid.output.folder, "cases");
}

TEST_F(GridCaseText, reads_everything_a_case_can_have) {
  const GridCase grid = read(R"(
title = "all of it"
scheme = "adi"
method = "douglas"
precision = "single"
reaction = 0.25

[grid]
cells = [8, 6, 4]
spacing = 0.5
origin = [-2, 0, 1]

[boundary]
x = "periodic"
y-low = { kind = "dirichlet", value = 20 }
y-high = { kind = "robin", coefficient = 5.0, value = 10 }
z = "insulated"

[diffusivity]
value = 2
[[diffusivity.shape]]
kind = "stripes"
axis = "x"
period = 1
width = 0.5
offset = 0.25
value = 7
to = [0, 9, 9]
[[diffusivity.shape]]
kind = "cylinder"
axis = "z"
centre = [0, 1, 0]
radius = 0.5
value = 9

[source]
file = "f.npy"

[initial]
value = -3
[[initial.shape]]
kind = "ball"
centre = [0, 1, 2]
radius = 1
value = 1

[time]
step = 0.1
end = 2.0

[output]
folder = "results"
every = 5
probes-every = 2
formats = ["npy", "png"]
range = [0, 40]
slice = { axis = "y", at = 1.5 }

[[probe]]
name = "middle"
at = [0, 1, 2]
[[probe]]
at = [0.1, 1, 2]

[checkpoint]
every = 10
)");
  EXPECT_EQ(grid.title, "all of it");
  EXPECT_EQ(grid.scheme, GridScheme::douglas);
  EXPECT_TRUE(grid.single_precision);
  EXPECT_EQ(grid.lengths, (std::array<double, 3>{4, 3, 2}));
  EXPECT_THAT(grid.shape(), ElementsAre(4, 6, 8));
  EXPECT_EQ(grid.sides[0][0].kind, GridSide::Kind::periodic);
  EXPECT_EQ(grid.sides[0][1].kind, GridSide::Kind::periodic);
  EXPECT_EQ(grid.sides[1][0].kind, GridSide::Kind::dirichlet);
  EXPECT_EQ(grid.sides[1][0].value, 20);
  EXPECT_EQ(grid.sides[1][1].kind, GridSide::Kind::robin);
  EXPECT_EQ(grid.sides[1][1].coefficient, 5);
  EXPECT_EQ(grid.sides[2][0].kind, GridSide::Kind::neumann);
  ASSERT_EQ(grid.diffusivity.shapes.size(), 2U);
  EXPECT_EQ(grid.diffusivity.shapes[0].kind, GridShape::Kind::stripes);
  EXPECT_EQ(grid.diffusivity.shapes[0].offset, 0.25);
  EXPECT_EQ(grid.diffusivity.shapes[1].axis, 2);
  EXPECT_EQ(grid.source.file, "cases/f.npy");
  EXPECT_EQ(grid.reaction.value, 0.25);
  EXPECT_EQ(grid.steps, 20);
  EXPECT_EQ(grid.output.folder, "cases/results");
  EXPECT_FALSE(grid.output.vti);
  EXPECT_TRUE(grid.output.png);
  EXPECT_EQ(grid.output.slice_axis, 1);
  EXPECT_EQ(*grid.output.slice_at, 1.5);
  ASSERT_EQ(grid.probes.size(), 2U);
  EXPECT_EQ(grid.probes[1].name, "probe2");
  EXPECT_EQ(grid.checkpoint_every, 10);
}

TEST_F(GridCaseText, reads_a_stationary_case) {
  const GridCase grid = read(
      "scheme = \"sor\"\n[grid]\ncells = [4, 3, 5]\nlengths = 1\n"
      "[stationary]\ntolerance = 1e-4\nmax-iterations = 50\nrelaxation = 1.5\nheight = 8\nplanes = 64\n"
      "memory = \"1.5 GB\"\n");
  EXPECT_EQ(grid.scheme, GridScheme::red_black_sor);
  EXPECT_EQ(grid.tolerance, 1e-4);
  EXPECT_EQ(grid.most_iterations, 50);
  EXPECT_EQ(*grid.relaxation, 1.5);
  EXPECT_EQ(*grid.height, 8);
  EXPECT_EQ(*grid.planes, 64);
  EXPECT_EQ(*grid.memory, 1500000000U);
}

TEST_F(GridCaseText, says_what_is_wrong_and_what_would_be_right) {
  EXPECT_EQ(
      message(changed("step = 0.5", "stp = 0.5")),
      "cases/a.toml:6: unknown key 'stp' in time; did you mean 'step'? the keys are step, steps and end");
  EXPECT_THAT(message(changed("[grid]", "schem = 1\n[grid]")),
              HasSubstr("cases/a.toml:2: unknown key 'schem'; did you mean 'scheme'? the keys are title, "));
  EXPECT_EQ(message(changed("step = 0.5", "step = \"a\"")),
            "cases/a.toml:6: time.step is 'a', not a number; give a number, as 0.5");
  EXPECT_EQ(message(changed("step = 0.5", "step = -1")),
            "cases/a.toml:6: time.step is -1; give a positive number");
  EXPECT_EQ(message(changed("step = 0.5", "step = inf")),
            "cases/a.toml:6: time.step is inf; give a finite number");
  EXPECT_EQ(message(changed("steps = 10", "steps = 1.5")),
            "cases/a.toml:7: time.steps is 1.5, not an integer; give an integer, as 100");
  EXPECT_EQ(message(changed("steps = 10", "end = 1.1")),
            "cases/a.toml:7: time.end is 2.2 steps; give a whole number of them, as end = 1");
  EXPECT_EQ(
      message(changed("steps = 10", "")),
      "cases/a.toml:5: time.end is missing; give either steps, their number, or end, the time to reach");
  EXPECT_EQ(message(changed("lod", "lodd")),
            "cases/a.toml:1: scheme is 'lodd'; did you mean 'lod'? it can be lod, adi, explicit, jacobi, "
            "weighted-jacobi or sor");
  EXPECT_EQ(message(changed("[4, 3]", "[4]")),
            "cases/a.toml:3: grid.cells is a list of 1 value; give two or three integers in brackets, as "
            "[128, 64]");
  EXPECT_THAT(message(changed("[4, 3]", "[4, 0]")),
              HasSubstr("cases/a.toml:3: grid.cells is 0; give a number"));
  EXPECT_THAT(message(changed("[4, 3]", "[1000000, 1000000, 1000000]")), HasSubstr("too many together"));
  EXPECT_THAT(message(changed("[2.0, 3.0]", "[2.0]")),
              HasSubstr("give 2 numbers in brackets, or one for all"));
  EXPECT_THAT(message(changed("[2.0, 3.0]", "[2.0, -3.0]")), HasSubstr("grid.lengths has -3; give positive"));
  EXPECT_THAT(message(changed("lengths", "spacing = 1\nlengths")), HasSubstr("give either lengths"));
  EXPECT_THAT(message(changed("[2.0, 3.0]", "[1e308, 3.0]\norigin = [1e308, 0]")),
              HasSubstr("grid.lengths leads to cells without a size"));
  EXPECT_THAT(message("= 4"), HasSubstr("cases/a.toml:1: this is not TOML: "));
  EXPECT_THAT(message(""), HasSubstr("grid is missing; write [grid]"));
}

TEST_F(GridCaseText, refuses_what_does_not_go_together) {
  const auto with = [&](const std::string& text) { return message(plain + text); };
  EXPECT_THAT(with("[boundary]\nx-low = \"periodic\"\n"),
              HasSubstr("cases/a.toml:9: boundary.x-low is periodic alone; write x = \"periodic\""));
  EXPECT_THAT(with("[boundary]\nz = \"periodic\"\n"), HasSubstr("unknown key 'z' in boundary"));
  EXPECT_THAT(with("[boundary]\nx = \"insulated\"\nx-low = \"insulated\"\n"), HasSubstr("stands beside"));
  EXPECT_THAT(with("[boundary]\nx = { kind = \"robin\", value = 1 }\n"),
              HasSubstr("boundary.x.coefficient is missing; a robin side needs it"));
  EXPECT_THAT(with("[boundary]\nx = { kind = \"dirichlet\", value = 1, coefficient = 2 }\n"),
              HasSubstr("means nothing for a side that is dirichlet"));
  EXPECT_THAT(with("[boundary]\nx = \"fixed\"\n"), HasSubstr("it can be periodic or insulated"));
  EXPECT_THAT(with("[stationary]\ntolerance = 1\n"),
              HasSubstr("stationary means nothing for scheme = \"lod\""));
  EXPECT_THAT(with("[diffusivity]\nvalue = -1\n"), HasSubstr("diffusivity.value is -1; give zero or"));
  EXPECT_THAT(with("[[diffusivity.shape]]\nkind = \"box\"\nvalue = -1\n"), HasSubstr("value is -1"));
  EXPECT_THAT(with("[[diffusivity.shape]]\nkind = \"ball\"\nvalue = 1\n"),
              HasSubstr("is 'ball'; it can be box, disc or stripes"));
  EXPECT_THAT(with("[[diffusivity.shape]]\nkind = \"box\"\nradius = 1\nvalue = 1\n"),
              HasSubstr("unknown key 'radius' in diffusivity.shape (box)"));
  EXPECT_THAT(with("[diffusivity]\nvalue = 1\nfile = \"a.npy\"\n"), HasSubstr("give one of them"));
  EXPECT_THAT(with("[[probe]]\nat = [3, 0]\n"),
              HasSubstr("probe.at lies outside the grid along x; give a place from 0 to 2 there"));
  EXPECT_THAT(with("[output]\nslice = { axis = \"z\" }\n"), HasSubstr("a plane grid is shown whole"));
  EXPECT_THAT(with("[output]\nformats = [\"vtu\"]\n"), HasSubstr("did you mean 'vti'?"));
  EXPECT_THAT(message("method = \"douglas\"\n" + plain), HasSubstr("method is of scheme = \"adi\" alone"));
  EXPECT_THAT(
      message("method = \"peaceman-rachford\"\nscheme = \"adi\"\n[grid]\ncells = [2, 2, 2]\nlengths = 1\n"),
      HasSubstr("take method = \"douglas\""));
}

TEST_F(GridCaseText, takes_foreign_characters_in_strings_and_comments_alone) {
  EXPECT_EQ(read("title = \"Wärme \\\" ä\" # früher\n" + plain).title, "Wärme \" ä");
  EXPECT_EQ(read("title = '''ä'\nb''' # x\n" + plain).title, "ä'\nb");
  EXPECT_THAT(message(changed("step = 0.5", "step = 0.5ä")),
              HasSubstr("cases/a.toml:6: this is not TOML: a character beyond ASCII"));
}

TEST_F(GridCaseText, keeps_the_meaning_of_strings_with_foreign_characters) {
  const auto title = [&](const std::string& text) { return read("title = " + text + "\n" + plain).title; };
  EXPECT_EQ(title(R"('C:\temp "ж"')"), R"(C:\temp "ж")");
  EXPECT_EQ(title(R"("C:\\temp 'ж' \u0436 😀")"), "C:\\temp 'ж' ж 😀");
  EXPECT_EQ(title("\"\"\"a\\\n  ж\"\"\""),
            "aж");  // toml++ asks of every character here whether it is a space
  EXPECT_EQ(title("\"\"\"\nж\"\"\"\"\""), "ж\"\"");
  EXPECT_EQ(title("'''\n\"ж\\\"\r\n''''"), "\"ж\\\"\n'");
  EXPECT_EQ(title("''"), "");
  EXPECT_EQ(read("\xEF\xBB\xBF# ж\n" + plain).steps, 10);
  EXPECT_THAT(message(plain + "['ж']\n"), HasSubstr("cases/a.toml:8: unknown key '?"));
}

TEST_F(GridCaseText, lines_are_those_of_the_file) {
  EXPECT_THAT(message("title = '''ж\n\n'''\n" + changed("steps", "stps")), HasSubstr("cases/a.toml:10: "));
  EXPECT_THAT(message("title = \"\"\"ж\\\n\n\"\"\"\n# ж\nж = 1\n"),
              HasSubstr("cases/a.toml:5: this is not TOML: a character beyond ASCII (U+0436)"));
}

TEST_F(GridCaseText, refuses_bytes_that_are_not_utf8) {
  const std::string wrong = "cases/a.toml:8: this is not TOML: the byte 0x";
  const auto with = [&](const std::string& before, const std::string& bytes, const std::string& after) {
    return message(plain + before + bytes + after);
  };
  // Never a first byte, one that goes on nothing, cut short, longer than need be, half of a pair, past the
  // last.
  for (const std::string bytes : {"\xFF", "\x80", "\xD0", "\xC0\x80", "\xED\xA0\x80", "\xF4\x90\x80\x80"}) {
    EXPECT_THAT(with("# ", bytes, ""), HasSubstr(wrong));
    EXPECT_THAT(with("a = \"", bytes, "\""), HasSubstr(wrong));
    EXPECT_THAT(with("a = '", bytes, "'"), HasSubstr(wrong));
  }
  EXPECT_THAT(message(plain + "a = \"\\ж\""), HasSubstr("cases/a.toml:8: this is not TOML: '\\' before"));
}

TEST_F(GridCaseText, says_what_a_case_is_where_a_file_is_none) {
  const test::ScratchFolder folder;
  const auto message_of = [&](const std::filesystem::path& path) -> std::string {
    try {
      read_grid_case(path);
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  };
  std::ofstream(folder / "empty.toml").close();
  EXPECT_THAT(message_of(folder / "empty.toml"),
              HasSubstr("empty.toml: the file is empty; a case begins with a line such as scheme = \"lod\""));
  std::ofstream(folder / "binary.toml", std::ios::binary) << "a\x01";
  EXPECT_THAT(message_of(folder / "binary.toml"),
              HasSubstr("is not text: byte 2 is 0x01; a case is a text file in TOML"));
  EXPECT_THAT(message_of(folder.path()), HasSubstr("is a directory, not a case; give the .toml file inside"));
}

TEST_F(GridCaseText, ends_with_a_case_or_an_error_of_the_input_whatever_the_bytes) {
  const std::vector<std::string> words{"[",     "]",      "=",        "\"",          "[grid]", "[[probe]]",
                                       "1e999", "nan",    "\n",       "cells",       "{",      "}",
                                       "shape", "[time]", "boundary", "\"periodic\""};
  int whole = 0;
  for (unsigned seed = 0; seed < 2000; ++seed) {
    try {
      read(test::mutated(plain + "[boundary]\nx = { kind = \"robin\", value = 1, coefficient = 2 }\n"
                                 "[[source.shape]]\nkind = \"box\"\nvalue = 1\nfrom = [0, 0]\n",
                         seed, words, 128));
      ++whole;
    } catch (const Error& error) {
      ASSERT_EQ(error.fault(), Fault::input) << "seed " << seed << ": " << error.what();
      ASSERT_EQ(std::string(error.what()).find('\n'), std::string::npos) << "seed " << seed;
    }
  }
  EXPECT_GT(whole, 0);
}

TEST(GridFields, are_values_with_shapes_over_them) {
  GridCase grid;
  grid.cells = {4, 2, 1};
  grid.lengths = {4, 2, 1};
  GridField field;
  field.value = 1;
  GridShape stripes;
  stripes.kind = GridShape::Kind::stripes;
  stripes.axis = 0;
  stripes.period = 2;
  stripes.width = 1;
  stripes.offset = 1;
  stripes.value = 5;
  GridShape box;
  box.from = {2.9, 1, -GridShape::anywhere};
  box.value = 7;
  GridShape disc;
  disc.kind = GridShape::Kind::disc;
  disc.axis = 2;
  disc.centre = {0.5, 0.5, 100};
  disc.radius = 0.1;
  disc.value = 9;
  field.shapes = {stripes, box, disc};
  EXPECT_THAT(values_of(field, grid), ElementsAre(9, 5, 1, 5, 1, 5, 1, 7));
}

TEST(GridFields, come_from_files_that_fit) {
  const test::ScratchFolder folder;
  GridCase grid;
  grid.file = "a.toml";
  grid.cells = {3, 2, 1};
  GridField field;
  field.file = folder / "d.npy";
  field.line = 4;
  write_npy(field.file, {2, 3}, std::vector<double>{1, 2, 3, 4, 5, 6});
  EXPECT_THAT(values_of(field, grid), ElementsAre(1, 2, 3, 4, 5, 6));
  const auto message = [&]() -> std::string {
    try {
      values_of(field, grid);
    } catch (const Error& error) {
      EXPECT_EQ(error.fault(), Fault::input);
      return error.what();
    }
    return "";
  };
  write_npy(field.file, {3, 2}, std::vector<float>{1, 2, 3, 4, 5, 6});
  EXPECT_THAT(message(),
              HasSubstr("d.npy has shape (3, 2), but the grid has (2, 3); files have x as their last"));
  EXPECT_THAT(message(), HasSubstr("a.toml:4: "));
  write_npy(field.file, {2, 3}, std::vector<float>{1, 2, 3, 4, -5, 6});
  field.least = 0;
  EXPECT_THAT(message(),
              HasSubstr("entry 4 is -5; every value must be a finite number, zero or a positive one"));
}

}  // namespace
}  // namespace setka::io
