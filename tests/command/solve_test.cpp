// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// setka solve: systems that are right, and every way in which one is wrong.
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <string>
#include <vector>

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "io/matrix_text.hpp"
#include "io/scratch_folder.hpp"
#include "setka/base/config.hpp"
#include "setka/solve/cholesky.hpp"
#include "setka/solve/preconditioner.hpp"
#include "solve/component_systems.hpp"
#include "solve/grid_laplacian.hpp"
#include "solve/grid_systems.hpp"
#include "support/run_command.hpp"

namespace setka {
namespace {

using ::testing::HasSubstr;

std::string text_of(const sparse::Triplets& list) {
  std::string text = fmt::format("%%MatrixMarket matrix coordinate real general\n{} {} {}\n", list.rows,
                                 list.columns, list.size());
  for (std::size_t k = 0; k < list.value.size(); ++k)
    text += fmt::format("{} {} {:.17g}\n", list.row[k] + 1, list.column[k] + 1, list.value[k]);
  return text;
}

std::string array_of(const std::vector<double>& values, std::size_t rows, std::size_t columns) {
  std::string text = fmt::format("%%MatrixMarket matrix array real general\n{} {}\n", rows, columns);
  for (std::size_t j = 0; j < columns; ++j) {
    for (std::size_t i = 0; i < rows; ++i) text += fmt::format("{:.17g}\n", values[i * columns + j]);
  }
  return text;
}

const std::string small =
    "%%MatrixMarket matrix coordinate real symmetric\n"
    "3 3 5\n1 1 2\n2 1 -1\n2 2 2\n3 2 -1\n3 3 1\n";  // a chain: x = 3, 5, 6 for ones

class SolveCommand : public ::testing::Test {
 protected:
  std::string file(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
    return (folder_ / name).string();
  }

  test::CommandResult solve(const std::string& arguments, const std::string& before = "") const {
    return test::run_command(before + SETKA_COMMAND " solve --backend cpu " + arguments);
  }

  nlohmann::json json_of(const std::string& arguments) const {
    const auto result = solve("--json -q " + arguments);
    EXPECT_EQ(result.code, 0) << result.error;
    EXPECT_EQ(result.error, "");
    return nlohmann::json::parse(result.out);
  }

  std::vector<double> answer() const {
    Monitor monitor;
    return io::read_dense_matrix(folder_ / "x.mtx", {}, monitor).value;
  }

  /// Refused with one line; FILE stands for the path of the matrix. No answer is left behind.
  void expect_error(const std::string& matrix, int code, std::string message,
                    const std::string& arguments = "") const {
    const std::string path = file("a.mtx", matrix);
    for (std::size_t at = 0; (at = message.find("FILE")) != std::string::npos;) message.replace(at, 4, path);
    const auto result = solve("-q -o " + (folder_ / "x.mtx").string() + " " + path + " " + arguments);
    EXPECT_EQ(result.code, code);
    EXPECT_EQ(result.out, "");
    EXPECT_EQ(result.error, "setka: error: " + message + "\n");
    EXPECT_FALSE(std::filesystem::exists(folder_ / "x.mtx"));
  }

  test::ScratchFolder folder_;
};

const std::string general_remedy = "; check how the matrix was made, or use --solver gmres";
const std::string indefinite_remedy = "; check how the matrix was made, or use --solver minres";

TEST_F(SolveCommand, WritesTheAnswerAndTellsTheWay) {
  const auto result = solve(file("a.mtx", small) + " -o " + (folder_ / "x.mtx").string());
  EXPECT_EQ(result.code, 0) << result.error;
  EXPECT_EQ(result.error, "");
  EXPECT_THAT(result.out, HasSubstr("3 unknowns, 7 entries, blocks of 1; right-hand side: ones\n"));
  EXPECT_THAT(result.out, HasSubstr("residual"));
  EXPECT_THAT(result.out, HasSubstr("of memory; written: " + (folder_ / "x.mtx").string() + "\n"));
  const std::vector<double> x = answer();
  ASSERT_EQ(x.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(x[i], (std::vector<double>{3, 5, 6}[i]), 1e-7);
}

/// A chain of 500 springs on springs.
std::string chain() {
  sparse::Triplets list;
  list.rows = list.columns = 500;
  for (std::int32_t i = 0; i < 500; ++i) {
    for (const std::int32_t j : {i - 1, i, i + 1}) {
      if (j < 0 || j >= 500) continue;
      list.row.push_back(i);
      list.column.push_back(j);
      list.value.push_back(i == j ? 2.1 : -1);
    }
  }
  return text_of(list);
}

TEST_F(SolveCommand, OnSeveralDevices) {
  const std::string matrix = file("a.mtx", chain());
  const std::string output = " -o " + (folder_ / "x.mtx").string();
  json_of(matrix + output + " --solver cg --preconditioner jacobi");
  const std::vector<double> alone = answer();
  for (const std::string preconditioner : {"auto", "jacobi", "fsai", "chebyshev"}) {
    const auto json = json_of(matrix + output + " --devices cpu,cpu,cpu --preconditioner " + preconditioner);
    EXPECT_THAT(json.at("solver").get<std::string>(), HasSubstr("on 3 devices"));
    EXPECT_LE(json.at("residual"), 1e-8);
    const std::vector<double> x = answer();
    for (std::size_t i = 0; i < alone.size(); ++i) EXPECT_NEAR(x[i], alone[i], 1e-6) << preconditioner;
  }
  const auto refused = solve(matrix + " --devices cpu,cpu --solver minres");
  EXPECT_EQ(refused.code, 2);
  EXPECT_THAT(refused.error, HasSubstr("several devices solve by conjugate gradients alone"));
}

TEST_F(SolveCommand, InPartsBySchwarz) {
  const std::string matrix = file("a.mtx", chain());
  const std::string output = " -o " + (folder_ / "x.mtx").string();
  json_of(matrix + output + " --solver cg --preconditioner jacobi");
  const std::vector<double> expected = answer();
  for (const std::string way :
       {"", " --parts 7", " --parts 9 --overlap 0 --coarse none", " --parts 5 --overlap 3 --schwarz additive",
        " --parts 6 --schwarz multiplicative", " --parts 6 --schwarz restricted --solver gmres",
        " --parts 4 --local amg", " --parts 4 --local fsai --coarse modes"}) {
    const auto json = json_of(matrix + output + " --preconditioner schwarz" + way);
    EXPECT_THAT(json.at("solver").get<std::string>(), HasSubstr(" Schwarz"));
    EXPECT_LE(json.at("residual"), 1e-8);
    const std::vector<double> x = answer();
    for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(x[i], expected[i], 1e-6) << way;
  }
  const auto refused = [&](const std::string& arguments, const std::string& text) {
    const auto result = solve(matrix + arguments);
    EXPECT_EQ(result.code, 2) << arguments;
    EXPECT_THAT(result.error, HasSubstr(text));
  };
  const std::string schwarz = " --preconditioner schwarz";
  refused(schwarz + " --parts 501", "501 parts");
  refused(schwarz + " --parts 0", "--parts 0 makes none; give a number from 1 on");
  refused(schwarz + " --overlap -1", "an overlap of -1 layers");
  refused(schwarz + " --local lu", "'lu' solves no parts; give auto, cholesky, amg, chebyshev or fsai");
  refused(schwarz + " --coarse fine", "'fine' is no coarse space; give modes or none");
  refused(schwarz + " --schwarz restricted", "--schwarz restricted is not symmetric");
  refused(schwarz + " --schwarz alternating", "'alternating' is no method of Schwarz");
  refused(schwarz + " --solver cholesky", "--solver cholesky factorises");
  refused(" --solver substructures", "--solver substructures is made of elements, and a matrix has none");
  refused(schwarz + " --solver minres", "for positive definite matrices");
  refused(schwarz + " --devices cpu,cpu", "--preconditioner schwarz computes on one device");
  for (const std::string option :
       {"--parts 3", "--overlap 1", "--schwarz additive", "--local amg", "--coarse none"})
    refused(" " + option,
            option + " is of a solution in parts, which was not asked for; leave it out, or add");
}

TEST_F(SolveCommand, CompressedWithARightHandSideAsJson) {
  const std::string matrix = file("a.mtx.gz", test::gzipped(small));
  const std::string b = file("b.mtx", array_of({0, 0, 2}, 3, 1));
  const auto json = json_of(matrix + " --rhs " + b + " --timings -o " + (folder_ / "x.mtx").string());
  EXPECT_EQ(json.at("unknowns"), 3);
  EXPECT_EQ(json.at("entries"), 7);
  EXPECT_EQ(json.at("right_hand_side"), b);
  EXPECT_EQ(json.at("converged"), true);
  EXPECT_LE(json.at("residual"), 1e-8);
  EXPECT_GE(json.at("seconds").at("read"), 0.0);
  EXPECT_EQ(json.at("files").at(0), (folder_ / "x.mtx").string());
  EXPECT_EQ(json.at("timings").at("parts").at(0).at("name"), "read");
  const std::vector<double> x = answer();
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(x[i], 2.0 * static_cast<double>(i + 1), 1e-7);
}

TEST_F(SolveCommand, EverySolverFindsTheSame) {
  test::GridLaplacian grid;
  grid.points = {12, 11, 10};
  const std::string matrix = file("a.mtx", text_of(grid.entries()));
  const std::string xyz =
      file("xyz.mtx", array_of(grid.coordinates(), static_cast<std::size_t>(grid.unknowns()), 3));
  std::vector<double> first;
  std::vector<std::string> ways{"--solver cg", "--solver cg --preconditioner jacobi", "--solver cg --block 3",
                                "--preconditioner block-jacobi --block 3",
                                "--solver cg --coordinates " + xyz};
  if (solve::Cholesky::available()) ways.emplace_back("--solver cholesky");
  for (const std::string& way : ways) {
    const auto json =
        json_of(fmt::format("{} --tolerance 1e-12 {} -o {}", matrix, way, (folder_ / "x.mtx").string()));
    EXPECT_LE(json.at("residual"), 1e-12) << way;
    const std::vector<double> x = answer();
    if (first.empty()) first = x;
    for (std::size_t i = 0; i < x.size(); ++i) ASSERT_NEAR(x[i], first[i], 1e-8) << way;
  }
}

/// Stokes' equations, whose matrix has zeros on its diagonal, and one that is not symmetric.
TEST_F(SolveCommand, MatricesThatAreNotDefiniteHaveTheirSolvers) {
  const auto check = [&](const std::string& text, const std::string& way, const std::string& solver) {
    const std::string matrix = file("a.mtx", text);
    const auto json =
        json_of(fmt::format("{} --tolerance 1e-10 {} -o {}", matrix, way, (folder_ / "x.mtx").string()));
    EXPECT_EQ(json.at("solver"), solver);
    EXPECT_LE(json.at("residual"), 1e-10) << way;
    return answer();
  };
  const std::string swap = "%%MatrixMarket matrix coordinate real symmetric\n2 2 1\n2 1 4\n";
  const std::string skew = "%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n2 1 4\n";
  for (const char* const way : {"--solver minres", "--solver gmres"}) {
    const std::vector<double> x =
        check(swap, way, way[9] == 'm' ? "MINRES with the diagonal" : "GMRES with the diagonal");
    EXPECT_NEAR(x[0], 0.25, 1e-9);
    EXPECT_NEAR(x[1], 0.25, 1e-9);
  }
  const std::vector<double> turned = check(skew, "--solver gmres", "GMRES with the diagonal");
  EXPECT_NEAR(turned[0], 0.25, 1e-9);
  EXPECT_NEAR(turned[1], -0.25, 1e-9);

  const test::Stokes stokes(10);
  const std::string saddle = text_of(stokes.entries());
  const std::vector<double> x = check(saddle, "--solver minres", "MINRES with the diagonal");
  const std::vector<double> y = check(saddle, "--solver gmres --restart 100", "GMRES with the diagonal");
  // 1e-10 of |b| = 17, and the matrix has eigenvalues of some hundredths
  for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(x[i], y[i], 1e-6) << i;
  const auto refused = solve("-q " + file("a.mtx", saddle));
  EXPECT_EQ(refused.code, 1);
  EXPECT_THAT(refused.error, HasSubstr("or use --solver minres"));

  const std::string wind = text_of(test::convection_diffusion(15, 12, 3).list());
  check(wind, "--solver gmres", "GMRES with the diagonal");
  check(wind, "--solver gmres --preconditioner block-jacobi --block 3", "GMRES with block diagonal");
  const auto unsymmetric = solve("-q --solver minres " + file("a.mtx", wind));
  EXPECT_EQ(unsymmetric.code, 1);
  EXPECT_THAT(unsymmetric.error, HasSubstr("the matrix is not symmetric"));
  EXPECT_THAT(unsymmetric.error, HasSubstr("or use --solver gmres"));
}

TEST_F(SolveCommand, SystemsWithoutAnAnswerEndWithACode) {
  const std::string singular = "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1\n1 2 1\n";
  for (const char* const way : {"--solver gmres", "--solver gmres --restart 1"}) {
    const auto result = solve("-q " + file("a.mtx", singular) + " " + way);
    EXPECT_EQ(result.code, 3) << way << result.error;
    EXPECT_THAT(result.error, HasSubstr("the system has not converged: "));
  }
}

TEST_F(SolveCommand, CoordinatesOfNodesMeanBlocksOfThree) {
  // Three chains beside each other, an unknown of each at every node.
  sparse::Triplets list;
  const std::int32_t nodes = 50;
  list.rows = list.columns = 3 * nodes;
  for (std::int32_t i = 0; i < list.rows; ++i) {
    for (const std::int32_t j : {i - 3, i, i + 3}) {
      if (j < 0 || j >= list.rows) continue;
      list.row.push_back(i);
      list.column.push_back(j);
      list.value.push_back(i == j ? 2 : -1);
    }
  }
  std::vector<double> line(static_cast<std::size_t>(nodes));
  std::iota(line.begin(), line.end(), 0.0);
  const auto json = json_of(file("a.mtx", text_of(list)) + " --solver cg --coordinates " +
                            file("xyz.mtx", array_of(line, static_cast<std::size_t>(nodes), 1)));
  EXPECT_EQ(json.at("block"), 3);
  EXPECT_EQ(json.at("converged"), true);
}

TEST_F(SolveCommand, WrongUsage) {
  const std::string matrix = file("a.mtx", small);
  const auto refused = [&](const std::string& arguments, const std::string& message) {
    const auto result = solve(arguments);
    EXPECT_EQ(result.code, 2) << arguments;
    EXPECT_EQ(result.out, "") << arguments;
    EXPECT_THAT(result.error, HasSubstr("setka: error: " + message)) << arguments;
  };
  refused("", "matrix is required");
  refused(matrix + " --block 7", "--block 7 is not known; 1, 2, 3, 4, 5 and 6 are");
  refused(matrix + " --max-iterations 0", "--max-iterations 0 allows none; give a number from 1 on");
  refused(matrix + " --tolerance 2", "--tolerance 2 is not between 0 and 1");
  refused(matrix + " --solver lu", "'lu' is no solver; give auto, cholesky, cg, minres or gmres");
  refused(matrix + " --preconditioner ilu",
          "'ilu' is no preconditioner; give auto, jacobi, block-jacobi, fsai, chebyshev, amg or schwarz");
  refused(matrix + " --solver minres --preconditioner amg",
          "the preconditioner amg is for positive definite matrices; give auto or jacobi");
  refused(matrix + " --solver gmres --preconditioner fsai",
          "the preconditioner fsai is for positive definite matrices; give auto, jacobi or block-jacobi");
  refused(matrix + " --solver gmres --restart 0", "--restart 0 keeps no direction; give a number from 1 on");
  refused(matrix + " --solver cg --restart 5",
          "--restart 5 is of gmres, not of --solver cg; leave one of them");
  refused(matrix + " -o " + matrix, "the output " + matrix + " would overwrite " + matrix);
  refused(matrix + " -o x.mtx.gz", "x.mtx.gz would not be compressed; name it .mtx");
}

TEST_F(SolveCommand, DecksHaveNoUseForSolversOfOtherMatrices) {
  const auto result = test::run_command(SETKA_COMMAND " run a.inp --solver gmres");
  EXPECT_EQ(result.code, 2);
  EXPECT_THAT(result.error,
              HasSubstr("--solver gmres is for matrices that are not positive definite, as those of setka "
                        "solve may be; give auto, cholesky, cg or substructures"));
}

TEST_F(SolveCommand, WrongFiles) {
  const auto result = solve("none.mtx");
  EXPECT_EQ(result.code, 1);
  EXPECT_THAT(result.error,
              HasSubstr("none.mtx: cannot read the file: No such file or directory; check the path"));
  expect_error("%%MatrixMarket matrix coordinate complex symmetric\n1 1 1\n1 1 1 0\n", 1,
               "FILE:1: the matrix is complex, and setka solves real systems; write the real matrix of twice "
               "the size, [Re -Im; Im Re]");
  expect_error(small.substr(0, small.size() - 6) + "%     \n", 1,
               "FILE:7: the file ends after 4 of 5 entries; it was cut short: write or copy it again");
  expect_error(test::gzipped(small).substr(0, 60), 1,
               "FILE: the compressed data are cut short; copy or compress the file again");
  expect_error("%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 nan\n", 1,
               "FILE:3: the value is 'nan', which is no finite number; write it like 1, 1.5 or 1.5e-3");
}

TEST_F(SolveCommand, MatricesThatAreNoSystem) {
  expect_error("%%MatrixMarket matrix coordinate real general\n2 3 2\n1 1 1\n2 2 1\n", 1,
               "FILE: the matrix has 2 rows and 3 columns; only a square system can be solved");
  expect_error("%%MatrixMarket matrix coordinate real general\n0 0 0\n", 1,
               "FILE: the matrix of 0 x 0 has no entries; there is nothing to solve");
  expect_error("%%MatrixMarket matrix coordinate real general\n3 3 0\n", 1,
               "FILE: the matrix of 3 x 3 has no entries; there is nothing to solve");
  expect_error("%%MatrixMarket matrix coordinate real general\n2000000000 2000000000 1\n1 1 1\n", 1,
               "FILE: the matrix of 2000000000 x 2000000000 has fewer entries than rows (1): it is "
               "singular; every row needs its diagonal entry");
  expect_error("%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n2 1 1\n", 1,
               "FILE: the matrix is skew-symmetric, with zeros on its diagonal; use --solver gmres");
  expect_error("%%MatrixMarket matrix coordinate real general\n2 2 4\n1 1 4\n1 2 1\n2 1 -1\n2 2 4\n", 1,
               "FILE: the matrix is not symmetric: entry (1, 2) is 1, but (2, 1) is -1" + general_remedy);
  expect_error(
      "%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n1 1 4\n2 2 -4\n", 1,
      "FILE: the matrix is not positive definite: the diagonal entry of row 2 is -4" + indefinite_remedy);
}

TEST_F(SolveCommand, MatricesThatShowTheirFaultWhenSolved) {
  // All 2 x 2 minors are positive, yet one eigenvalue is 1 - 2 * 0.9.
  const std::string indefinite =
      "%%MatrixMarket matrix array real symmetric\n3 3\n1\n-0.9\n-0.9\n1\n-0.9\n1\n";
  test::GridLaplacian free;
  free.points = {9, 9, 9};
  free.walls = false;
  const std::string singular = text_of(free.entries());
  std::vector<std::string> ways{"--solver cg", "--solver cg --preconditioner jacobi", ""};
  if (solve::Cholesky::available()) ways.emplace_back("--solver cholesky");
  for (const std::string& way : ways) {
    for (const std::string& matrix : {indefinite, singular}) {
      const auto result =
          solve("-q " + file("a.mtx", matrix) + " " + way + " -o " + (folder_ / "x.mtx").string());
      EXPECT_TRUE(result.code == 1 || result.code == 3) << way << ": " << result.code;
      EXPECT_THAT(result.error, ::testing::AnyOf(HasSubstr("not positive definite"), HasSubstr("is singular"),
                                                 HasSubstr("has not converged")));
      EXPECT_FALSE(std::filesystem::exists(folder_ / "x.mtx")) << way;
    }
  }
  if (!solve::Cholesky::available()) return;
  const std::string question =
      "; is a boundary condition missing? Symmetric indefinite systems take --solver minres";
  const auto result = solve("-q " + file("a.mtx", indefinite));
  EXPECT_EQ(result.code, 1);
  EXPECT_THAT(result.error, HasSubstr("the matrix is not positive definite (seen at row "));
  EXPECT_THAT(result.error, HasSubstr(question));
}

TEST_F(SolveCommand, TooFewIterationsEndWithTheirOwnCode) {
  test::GridLaplacian grid;
  const std::string matrix = file("a.mtx", text_of(grid.entries()));
  const std::string x = (folder_ / "x.mtx").string();
  const auto result =
      solve(matrix + " --json --solver cg --preconditioner jacobi --max-iterations 3 -o " + x);
  EXPECT_EQ(result.code, 3);
  EXPECT_THAT(result.error,
              HasSubstr("the system has not converged: the iterations allowed were not enough; residual "));
  EXPECT_THAT(result.error, HasSubstr(" after 3 iterations; " + x + " was not written"));
  const auto json = nlohmann::json::parse(result.out);
  EXPECT_EQ(json.at("converged"), false);
  EXPECT_TRUE(json.at("files").empty());
  EXPECT_FALSE(std::filesystem::exists(x));
}

TEST_F(SolveCommand, FilesThatDoNotFitTheMatrix) {
  const std::string b = file("b.mtx", array_of({1, 2}, 2, 1));
  expect_error(
      small, 1,
      b + ": the right-hand side is of 2 x 1, but the matrix has 3 rows; give one column of 3 numbers",
      "--rhs " + b);
  const std::string xyz = file("xyz.mtx", array_of({1, 2, 3, 4, 5, 6}, 2, 3));
  expect_error(small, 1,
               xyz +
                   ": the coordinates are of 2 x 3, but the matrix has 3 rows; give x, y and z, a row a "
                   "node (3 of 1 unknown or 1 of 3 unknowns)",
               "--coordinates " + xyz);
  const std::string each = file("each.mtx", array_of({1, 2, 3}, 3, 1));
  expect_error(small, 1,
               each +
                   ": the coordinates are of 3 x 1, but the matrix has 3 rows; give x, y and z, a row a "
                   "node (1 of 3 unknowns)",
               "--block 3 --coordinates " + each);
  const std::string four = "%%MatrixMarket matrix array real symmetric\n2 2\n2\n-1\n2\n";
  expect_error(
      four, 1,
      "FILE: 2 rows are not a multiple of 3, as --block 3 asks; leave --block out, or give a matrix of "
      "3 unknowns a node",
      "--block 3");
  const std::string wide = file("wide.mtx", array_of({1, 0, 0, 1, 0, 0}, 3, 2));
  expect_error(
      small, 1,
      wide +
          ": the near-nullspace is of 3 x 2, but the matrix has 3 rows and blocks of 1; give 3 rows and "
          "1 to 1 column, or the size of blocks by --block",
      "--near-nullspace " + wide);
}

TEST_F(SolveCommand, ANearNullspaceIsReproduced) {
  const test::ComponentSystem plane = test::plane_elasticity(40, 3);
  const auto rows = static_cast<std::size_t>(plane.matrix.scalar_rows());
  const sparse::Csr matrix = test::csr_of(plane.matrix);
  sparse::Triplets list;
  list.rows = list.columns = matrix.rows;
  for (std::int32_t i = 0; i < matrix.rows; ++i) {
    for (auto k = matrix.offset[static_cast<std::size_t>(i)];
         k < matrix.offset[static_cast<std::size_t>(i) + 1]; ++k) {
      list.row.push_back(i);
      list.column.push_back(matrix.column[static_cast<std::size_t>(k)]);
      list.value.push_back(matrix.value[static_cast<std::size_t>(k)]);
    }
  }
  const std::string a = file("a.mtx", text_of(list)) + " --solver cg";
  const std::string xyz = file("xyz.mtx", array_of(plane.geometry.coordinates, rows / 2, 3));
  const std::string modes = file("z.mtx", array_of(plane.geometry.mode.on_host(), rows, 3));
  const int by_coordinates = json_of(a + " --coordinates " + xyz).at("iterations");
  const int given = json_of(a + " --block 2 --near-nullspace " + modes).at("iterations");
  const int translations = json_of(a + " --block 2").at("iterations");
  EXPECT_LE(by_coordinates, 15);
  EXPECT_LE(given, 15);
  EXPECT_GT(translations, 15);
}

TEST_F(SolveCommand, OutOfMemoryAndAFullDisk) {
#if defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "the address sanitizer needs all addresses for itself";
#endif
  std::string large = "%%MatrixMarket matrix coordinate real symmetric\n1000000 1000000 1000000\n";
  for (int i = 1; i <= 1000000; ++i) large += fmt::format("{0} {0} 1\n", i);
  const std::string matrix = file("a.mtx", large);
  if (!with_cuda) {  // whose libraries alone are larger than the addresses allowed here
    const auto result = solve("--threads 1 -q " + matrix, "ulimit -v 150000; OPENBLAS_NUM_THREADS=1 ");
    EXPECT_EQ(result.code, 4) << result.error;
    EXPECT_THAT(result.error, HasSubstr("memory"));
  }
  const std::string x = (folder_ / "x.mtx").string();
  const auto result = solve("-q --solver cg " + matrix + " -o " + x, "ulimit -f 100; ");
  EXPECT_EQ(result.code, 4) << result.error;
  EXPECT_THAT(result.error, HasSubstr("x.mtx cannot be written"));
  EXPECT_EQ(folder_.entries(), 1);
}

}  // namespace
}  // namespace setka
