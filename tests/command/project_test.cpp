// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// setka project, and the files that setka run --write-elements makes for it.
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "io/binary_files.hpp"
#include "io/scratch_folder.hpp"
#include "setka/io/binary_matrix.hpp"
#include "setka/io/element_file.hpp"
#include "support/random.hpp"
#include "support/run_command.hpp"

namespace setka {
namespace {

using ::testing::HasSubstr;

class ProjectCommand : public ::testing::Test {
 protected:
  std::string file(const std::string& name, const std::string& bytes) const {
    std::ofstream(folder_ / name, std::ios::binary) << bytes;
    return (folder_ / name).string();
  }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  test::CommandResult setka(const std::string& arguments) const {
    return test::run_command(SETKA_COMMAND " " + arguments);
  }

  nlohmann::json projected(const std::string& arguments) const {
    const auto result = setka("project --json -q " + arguments);
    EXPECT_EQ(result.code, 0) << result.error;
    EXPECT_EQ(result.error, "");
    return nlohmann::json::parse(result.out);
  }

  std::vector<double> matrix(const std::string& name) const {
    const io::BinaryMatrix read(path(name));
    return {read.values().begin(), read.values().end()};
  }

  void expect_error(const std::string& arguments, int code, const std::string& message) const {
    const auto result = setka("project -q -o " + path("k.bin") + " " + arguments);
    EXPECT_EQ(result.code, code) << result.error;
    EXPECT_EQ(result.out, "");
    EXPECT_THAT(result.error, ::testing::StartsWith("setka: error: "));
    EXPECT_THAT(result.error, HasSubstr(message));
    EXPECT_FALSE(std::filesystem::exists(path("k.bin")));
  }

  test::ScratchFolder folder_;
  test::SpringFile springs_;
};

TEST_F(ProjectCommand, SpringsByHand) {
  const std::string k = file("k.elements", springs_.bytes());
  const std::string x = file("x.bin", test::matrix_bytes(3, 2, {1, 0, 0, 1, 2, 0}));
  const auto result = setka("project " + k + " " + x + " --output " + path("k.bin"));
  EXPECT_EQ(result.code, 0) << result.error;
  EXPECT_THAT(result.out, HasSubstr("4 element matrices of 80 B, 3 unknowns; X of 2 columns, 48 B"));
  EXPECT_THAT(result.out, HasSubstr("in 2 pieces"));
  EXPECT_THAT(result.out, HasSubstr("X'KX is 2 x 2: diagonal from 5 to 45, trace 50, norm"));
  EXPECT_THAT(result.out, HasSubstr("written: " + path("k.bin")));
  EXPECT_EQ(matrix("k.bin"), (std::vector<double>{45, -8, -8, 5}));
}

TEST_F(ProjectCommand, ALimitOfMemoryMeansMorePieces) {
  ASSERT_EQ(setka("example block --element C3D8 --size 6000 -o " + path("b.inp")).code, 0);
  ASSERT_EQ(setka("run -q --write-elements " + path("b.inp")).code, 0);
  const io::ElementFile elements(path("b.stiffness.elements"));
  const std::int64_t rows = elements.unknowns();
  const std::string x =
      file("x.bin", test::matrix_bytes(rows, 30, test::random_values<double>(rows * 30, 7)));
  const std::string files = path("b.stiffness.elements") + " " + x;
  const auto whole = projected(files + " --backend cpu -o " + path("whole.bin"));
  EXPECT_EQ(whole.at("pieces"), 1);
  const auto limited = projected(files + " --backend cpu --memory 6MB --threads 1 -o " + path("limited.bin"));
  EXPECT_GT(limited.at("pieces"), 1);
  const std::vector<double> right = matrix("whole.bin");
  const std::vector<double> own = matrix("limited.bin");
  const double size = whole.at("norm");
  for (std::size_t i = 0; i < right.size(); ++i) EXPECT_NEAR(own[i], right[i], 1e-13 * size);
  const auto on_gpu = projected(files + " --memory 30MB -o " + path("auto.bin"));
  EXPECT_EQ(on_gpu.at("columns"), 30);
  const std::vector<double> third = matrix("auto.bin");
  for (std::size_t i = 0; i < right.size(); ++i) EXPECT_NEAR(third[i], right[i], 1e-13 * size);

  const auto refused = setka("project " + files + " --memory 1MB");
  EXPECT_EQ(refused.code, 4);
  EXPECT_THAT(refused.error, HasSubstr("but --memory allows 977 KiB"));
  EXPECT_THAT(refused.error, HasSubstr("allow more, or project fewer columns at a time"));
}

/// A free body that moves as a whole: its mass, and no stiffness.
TEST_F(ProjectCommand, RigidMotionsOfADeck) {
  const std::string deck =
      "*NODE\n1,0,0,0\n2,2,0,0\n3,2,1,0\n4,0,1,0\n5,0,0,1\n6,2,0,1\n7,2,1,1\n8,0,1,1\n"
      "*ELEMENT,TYPE=C3D8,ELSET=E\n1,1,2,3,4,5,6,7,8\n*MATERIAL,NAME=M\n*ELASTIC\n1000,0.3\n"
      "*DENSITY\n7\n*SOLID SECTION,ELSET=E,MATERIAL=M\n"
      "*STEP\n*FREQUENCY\n3\n*END STEP\n";
  file("free.inp", deck);
  const auto run = setka("run --write-elements " + path("free.inp"));
  ASSERT_EQ(run.code, 0) << run.error;
  EXPECT_THAT(run.out, HasSubstr(path("free.stiffness.elements") + " " + path("free.mass.elements")));
  std::vector<double> x;
  for (int i = 0; i < 24; ++i) {
    for (int j = 0; j < 3; ++j) x.push_back(i % 3 == j ? 1 : 0);
  }
  const std::string vectors = file("x.bin", test::matrix_bytes(24, 3, x));
  projected(path("free.mass.elements") + " " + vectors + " -o " + path("m.bin"));
  projected(path("free.stiffness.elements") + " " + vectors + " -o " + path("k.bin"));
  const std::vector<double> m = matrix("m.bin");
  const std::vector<double> k = matrix("k.bin");
  for (std::size_t i = 0; i < 9; ++i) {
    EXPECT_NEAR(m[i], i % 4 == 0 ? 14.0 : 0.0, 1e-13);
    EXPECT_NEAR(k[i], 0, 1e-9);
  }
}

/// Equations and held nodes are applied to each element: a bar of two plane strain elements, held at one end,
/// stretched so that the strain is known: the energy is E A L e^2 whatever elements it is made of.
TEST_F(ProjectCommand, PlaneElementsAndEquations) {
  const std::string deck =
      "*NODE\n1,0,0\n2,1,0\n3,2,0\n4,0,1\n5,1,1\n6,2,1\n"
      "*ELEMENT,TYPE=CPE4,ELSET=E\n1,1,2,5,4\n2,2,3,6,5\n*MATERIAL,NAME=M\n*ELASTIC\n1000,0.0\n"
      "*SOLID SECTION,ELSET=E,MATERIAL=M\n0.5\n"
      "*BOUNDARY\n1,1,2\n4,1,2\n2,2\n3,2\n5,2\n6,2\n"
      "*EQUATION\n2\n3,1,1,6,1,-1\n*EQUATION\n2\n6,1,1,5,1,-2\n"
      "*STEP\n*STATIC\n*CLOAD\n2,1,1\n*END STEP\n";
  file("bar.inp", deck);
  const auto run = setka("run --write-elements " + path("bar.inp"));
  ASSERT_EQ(run.code, 0) << run.error;
  EXPECT_THAT(run.error, HasSubstr("material M has no density"));
  EXPECT_FALSE(std::filesystem::exists(path("bar.mass.elements")));
  const io::ElementFile elements(path("bar.stiffness.elements"));
  ASSERT_EQ(elements.unknowns(), 2) << "nodes 2 and 5; 3 and 6 follow";
  const std::string x = file("x.bin", test::matrix_bytes(2, 1, {0.01, 0.01}));
  projected(path("bar.stiffness.elements") + " " + x + " -o " + path("k.bin"));
  EXPECT_NEAR(matrix("k.bin")[0], 1000 * 0.5 * 2 * 1e-4, 1e-12);
}

TEST_F(ProjectCommand, WhatIsWrongIsOneClearLine) {
  const std::string k = file("k.elements", springs_.bytes());
  const std::string x = file("x.bin", test::matrix_bytes(3, 1, {1, 2, 3}));
  expect_error(k, 2, "vectors is required");
  expect_error(path("none.elements") + " " + x, 1, path("none.elements") + ": cannot read the file");
  expect_error(x + " " + x, 1,
               x + ": this is not a file of element matrices, which begins with SETKAELM; setka run "
                   "--write-elements writes one");
  expect_error(k + " " + k, 1, k + ": this is not a binary matrix");
  expect_error(file("cut.elements", springs_.bytes().substr(0, 100)) + " " + x, 1,
               "cut.elements: the file is cut off: it has 100 bytes, but its header tells of 176");
  test::SpringFile bad;
  bad.index[3] = 9;
  expect_error(
      file("bad.elements", bad.bytes()) + " " + x, 1,
      "bad.elements: element 2 of group 1 has the index 9 in row 2, but there are 3 unknowns; give 0 to "
      "2, or -1 for a row that is held");
  expect_error(k + " " + file("long.bin", test::matrix_bytes(4, 1, {1, 2, 3, 4})), 1,
               "long.bin: X has 4 rows, but " + k + " has 3 unknowns; give 3 rows of 1 columns");
  expect_error(k + " " + file("none.bin", test::matrix_bytes(3, 0, {})), 1,
               "none.bin: X has 0 columns; give 1 to 64 columns");
  expect_error(k + " " + file("wide.bin", test::matrix_bytes(3, 65, std::vector<double>(195, 1.0))), 1,
               "wide.bin: X has 65 columns; give 1 to 64 columns");
  expect_error(
      k + " " + file("nan.bin", test::matrix_bytes(3, 1, {1, std::numeric_limits<double>::quiet_NaN(), 3})),
      1, "nan.bin: row 2, column 1 is nan; give finite numbers");
  expect_error(k + " " + x + " --memory much", 2, "much");
  const auto overwrite = setka("project " + k + " " + x + " -o " + x);
  EXPECT_EQ(overwrite.code, 2);
  EXPECT_THAT(overwrite.error, HasSubstr("would overwrite " + x + ", which is read"));
}

}  // namespace
}  // namespace setka
