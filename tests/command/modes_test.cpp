// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// setka modes: matrices that are right, and every way in which one is wrong.
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <numbers>
#include <string>
#include <vector>

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "io/matrix_text.hpp"
#include "io/scratch_folder.hpp"
#include "setka/io/matrix_market.hpp"
#include "setka/solve/cholesky.hpp"
#include "support/run_command.hpp"
#include "support/sanitized.hpp"

namespace setka {
namespace {

using ::testing::HasSubstr;

constexpr double two_pi = 2 * std::numbers::pi;

/// A chain of masses between two walls; free: without them. Less: taken off the diagonal.
std::string chain(int length, bool free = false, double less = 0) {
  std::string text =
      fmt::format("%%MatrixMarket matrix coordinate real symmetric\n{0} {0} {1}\n", length, 2 * length - 1);
  for (int i = 1; i <= length; ++i) {
    text += fmt::format("{0} {0} {1}\n", i, (free && (i == 1 || i == length) ? 1 : 2) - less);
    if (i < length) text += fmt::format("{} {} -1\n", i + 1, i);
  }
  return text;
}

std::string masses(int length, int massless = 0, double mass = 1) {
  std::string text = fmt::format("%%MatrixMarket matrix coordinate real symmetric\n{0} {0} {1}\n", length,
                                 length - massless);
  for (int i = 1 + massless; i <= length; ++i) text += fmt::format("{0} {0} {1}\n", i, mass);
  return text;
}

double chain_frequency(int length, int mode) {
  return 2 * std::sin(mode * std::numbers::pi / (2.0 * (length + 1))) / two_pi;
}

class ModesCommand : public ::testing::Test {
 protected:
  std::string file(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
    return (folder_ / name).string();
  }

  test::CommandResult modes(const std::string& arguments) const {
    return test::run_command(SETKA_COMMAND " modes --backend cpu " + arguments);
  }

  nlohmann::json json_of(const std::string& arguments) const {
    const auto result = modes("--json -q " + arguments);
    EXPECT_EQ(result.code, 0) << result.error;
    return nlohmann::json::parse(result.out);
  }

  /// Refused with one line; K and M stand for the paths of the matrices. Nothing is left behind.
  void expect_error(const std::string& stiffness, const std::string& mass, const std::string& arguments,
                    int code, std::string message) const {
    const std::string k = file("k.mtx", stiffness);
    const std::string m = file("m.mtx", mass);
    for (std::size_t at = 0; (at = message.find("KFILE")) != std::string::npos;) message.replace(at, 5, k);
    for (std::size_t at = 0; (at = message.find("MFILE")) != std::string::npos;) message.replace(at, 5, m);
    const auto result =
        modes(fmt::format("-q -o {} {} -m {} {}", (folder_ / "x.mtx").string(), k, m, arguments));
    EXPECT_EQ(result.code, code);
    EXPECT_EQ(result.out, "");
    EXPECT_EQ(result.error, "setka: error: " + message + "\n");
    EXPECT_FALSE(std::filesystem::exists(folder_ / "x.mtx"));
  }

  test::ScratchFolder folder_;
};

TEST_F(ModesCommand, TellsTheModesAndWritesTheirShapes) {
  const std::string k = file("k.mtx.gz", test::gzipped(chain(6)));
  const std::string m = file("m.mtx", masses(6));
  const std::string x = (folder_ / "x.mtx").string();
  const auto result = modes(fmt::format("{} -m {} -n 2 -o {}", k, m, x));
  EXPECT_EQ(result.code, 0) << result.error;
  EXPECT_THAT(result.out, HasSubstr("6 unknowns, 16 and 6 entries, blocks of 1\n"));
  EXPECT_THAT(result.out, HasSubstr("modes by dense"));
  EXPECT_THAT(result.out, HasSubstr(fmt::format("{:>6} {:>14.6g}", 2, chain_frequency(6, 2))));
  EXPECT_THAT(result.out, HasSubstr("is one missing? all modes were computed\n"));
  EXPECT_THAT(result.out, HasSubstr("written: " + x));
  Monitor monitor;
  const io::DenseMatrix shapes = io::read_dense_matrix(x, {}, monitor);
  ASSERT_EQ(shapes.rows, 6);
  ASSERT_EQ(shapes.columns, 2);
  for (std::size_t i = 0; i < 6; ++i) {
    const double angle = static_cast<double>(i + 1) * std::numbers::pi / 7;
    EXPECT_NEAR(shapes.value[2 * i], std::sqrt(2.0 / 7) * std::sin(angle), 1e-12);
    EXPECT_NEAR(std::abs(shapes.value[2 * i + 1]), std::abs(std::sqrt(2.0 / 7) * std::sin(2 * angle)), 1e-12);
  }
}

TEST_F(ModesCommand, EveryMethodFindsTheSame) {
  constexpr int size = test::sanitized ? 510 : 700;  // beyond 500 "auto" solves nothing densely
  const std::string k = file("k.mtx", chain(size));
  const std::string m = file("m.mtx", masses(size));
  std::vector<std::string> methods{"auto", "dense", "lobpcg", "subspace"};
  if (solve::Cholesky::available()) methods.emplace_back("lanczos");
  const double between = (chain_frequency(size, 5) + chain_frequency(size, 6)) / 2;
  const double low = (chain_frequency(size, 1) + chain_frequency(size, 2)) / 2;
  for (const std::string& method : methods) {
    for (const std::string& which : {std::string("-n 5"), fmt::format("--below {}", between),
                                     fmt::format("--between {},{}", low, between)}) {
      const auto json = json_of(fmt::format("{} -m {} --method {} {}", k, m, method, which));
      const std::size_t first = which.starts_with("--between") ? 1 : 0;
      ASSERT_EQ(json.at("modes").size(), 5 - first) << method << " " << which;
      EXPECT_EQ(json.at("converged"), true);
      for (std::size_t j = first; j < 5; ++j) {
        EXPECT_NEAR(json.at("modes").at(j - first).at("frequency"),
                    chain_frequency(size, static_cast<int>(j) + 1), 1e-9)
            << method << " " << which;
      }
    }
  }
}

TEST_F(ModesCommand, NamesWhatNothingHolds) {
  const std::string k = file("k.mtx", chain(50, true));
  const std::string m = file("m.mtx", masses(50));
  for (const std::string method : {"dense", "lobpcg"}) {
    const auto result = modes(fmt::format("{} -m {} -n 3 --method {}", k, m, method));
    EXPECT_EQ(result.code, 0) << result.error;
    EXPECT_THAT(result.error, HasSubstr("nothing holds 1 of the modes: rigid motions or mechanisms"));
    EXPECT_THAT(result.out, HasSubstr("  nothing holds it\n"));
  }
}

TEST_F(ModesCommand, SaysWhenTheStiffnessIsIndefinite) {
  const std::string k = file("k.mtx", chain(30, false, 0.02));
  const std::string m = file("m.mtx", masses(30));
  const auto result = modes(fmt::format("{} -m {} -n 3", k, m));
  EXPECT_EQ(result.code, 0) << result.error;
  EXPECT_THAT(result.error,
              HasSubstr("the stiffness is indefinite: 1 eigenvalue is negative, the lowest is -0.0"));
  EXPECT_THAT(result.out, HasSubstr("eigenvalue is negative"));
}

TEST_F(ModesCommand, SaysWhatMemoryIsNeeded) {
  const std::string both = file("k.mtx", chain(700)) + " -m " + file("m.mtx", masses(700));
  const auto result = modes("-q " + both + " -n 3 --method lobpcg --memory 1MB");
  EXPECT_EQ(result.code, 4);
  EXPECT_EQ(result.out, "");
  EXPECT_THAT(result.error, ::testing::StartsWith("setka: error: the modes of 700 unknowns need about "));
  EXPECT_THAT(result.error, HasSubstr(" on cpu ("));
  EXPECT_THAT(result.error,
              HasSubstr("are free; ask for fewer modes, use a smaller model, or end other programs"));
  EXPECT_EQ(modes("-q " + both + " -n 3 --method lobpcg --memory 1GB").code, 0);
}

TEST_F(ModesCommand, MasslessPartsFollow) {
  const std::string k = file("k.mtx", chain(30));
  const std::string m = file("m.mtx", masses(30, 25));
  EXPECT_EQ(json_of(fmt::format("{} -m {} -n 5", k, m)).at("modes").size(), 5U);
  expect_error(
      chain(30), masses(30, 25), "-n 6", 1,
      "MFILE: only 5 modes of finite frequency exist, 6 were asked for: M is singular; ask for fewer "
      "modes");
}

TEST_F(ModesCommand, RefusesWrongOptions) {
  const std::string k = file("k.mtx", chain(3));
  const std::string m = file("m.mtx", masses(3));
  const auto error = [&](const std::string& arguments) {
    const auto result = modes("-q " + k + " " + arguments);
    EXPECT_EQ(result.code, 2) << arguments;
    return result.error;
  };
  EXPECT_EQ(error("-n 2"), "setka: error: no mass is given; add -m M.mtx\n");
  EXPECT_EQ(error("-m " + m + " -n 0"), "setka: error: -n 0 asks for no modes; give a number from 1 on\n");
  EXPECT_EQ(error("-m " + m + " -n 4"),
            "setka: error: -n 4 asks for more modes than there are unknowns (3); ask for fewer modes\n");
  EXPECT_EQ(error("-m " + m),
            "setka: error: it is not said which modes; give their number by -n, or --below or --between\n");
  EXPECT_EQ(error("-m " + m + " --between 5,2"),
            "setka: error: --between 5,2 is no range; give a lower and a higher frequency\n");
  EXPECT_EQ(error("-m " + m + " -n 1 --method qr"),
            "setka: error: 'qr' is no method for modes; give auto, dense, lanczos, lobpcg or subspace\n");
  EXPECT_EQ(error("-m " + m + " -n 1 --tolerance 2"),
            "setka: error: --tolerance 2 is not between 0 and 1; give a small number, as 1e-6\n");
  EXPECT_THAT(error("-m " + m + " -n 1 --block 7"), HasSubstr("--block 7 is not known"));
  EXPECT_THAT(error("-m " + m + " -n 1 -o " + m), HasSubstr("would overwrite"));
}

TEST_F(ModesCommand, RefusesWrongMatrices) {
  const std::string head = "%%MatrixMarket matrix coordinate real general\n";
  const std::string made = "; setka modes takes symmetric matrices; check how it was made";
  const std::string mass = "; a mass is positive semidefinite; check how it was made";
  const std::string lopsided = head + "2 2 4\n1 1 2\n1 2 -1\n2 1 -0.5\n2 2 2\n";
  expect_error(lopsided, masses(2), "-n 1", 1,
               "KFILE: the matrix is not symmetric: entry (1, 2) is -1, but (2, 1) is -0.5" + made);
  expect_error(chain(2), lopsided, "-n 1", 1,
               "MFILE: the matrix is not symmetric: entry (1, 2) is -1, but (2, 1) is -0.5" + made);
  expect_error(
      chain(3), masses(2), "-n 1", 1,
      "MFILE: the mass has 2 rows, but the stiffness has 3; give two matrices over the same unknowns");
  expect_error(head + "2 3 1\n1 1 1\n", masses(2), "-n 1", 1,
               "KFILE: the matrix has 2 rows and 3 columns; only square matrices have modes");
  expect_error(chain(2), masses(2, 0, -1), "-n 1", 1,
               "MFILE: the mass is negative: the diagonal entry of row 1 is -1" + mass);
  expect_error(chain(2), masses(2, 0, 0), "-n 1", 1,
               "MFILE: no unknown has mass: the diagonal is zero" + mass);
  expect_error(
      chain(2), head + "2 2 4\n1 1 1\n1 2 3\n2 1 3\n2 2 1\n", "-n 1", 1,
      "MFILE: the mass is indefinite: entry (1, 2) is 3, beside the diagonal entries 1 and 1" + mass);
  expect_error(head + "2 2 1\n1 1 1\n", head + "2 2 1\n1 1 1\n", "-n 1", 1,
               "KFILE: an unknown has neither stiffness nor mass; check how the matrices were made");
  const auto nan =
      modes("-q " + file("k.mtx", head + "1 1 1\n1 1 nan\n") + " -m " + file("m.mtx", masses(1)) + " -n 1");
  EXPECT_EQ(nan.code, 1);
  EXPECT_THAT(nan.error, HasSubstr("k.mtx:3: "));
}

}  // namespace
}  // namespace setka
