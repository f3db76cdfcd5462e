// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/io/superelement.hpp"

#include <fstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "io/scratch_folder.hpp"
#include "setka/base/error.hpp"

namespace setka::io {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

const SuperelementMatrix small{
    {113, 113, 38}, {1, 3, 2}, {255769.2307692, -1.5e-11, 2, 1e-200, 1e98, 1. / 3}};

/// As CalculiX 2.20 lays it out.
const std::string text =
    "**\n** GENERATION OF SUBSTRUCTURE\n*USER ELEMENT,NODES=          3,LINEAR\n** ELEMENT NODES\n"
    "**       113,       113,        38,\n         1\n         2,         3\n         3,         2\n"
    "*MATRIX,TYPE=STIFFNESS\n 0.2557692307692E+06,\n-0.1500000000000E-10, 0.2000000000000E+01,\n"
    " 0.0000000000000E+00, 0.1000000000000E+99, 0.3333333333333E+00,\n";

class SuperelementFile : public ::testing::Test {
 protected:
  std::string refusal(const std::string& content) {
    std::ofstream(folder_ / "a.mtx", std::ios::binary) << content;
    try {
      read_superelement(folder_ / "a.mtx");
    } catch (const Error& error) {
      EXPECT_EQ(error.fault(), Fault::input);
      return error.what();
    }
    return "nothing was thrown";
  }

  static std::string with(const std::string& what, const std::string& instead) {
    std::string changed = text;
    return changed.replace(changed.find(what), what.size(), instead);
  }

  test::ScratchFolder folder_;
};

TEST_F(SuperelementFile, IsThatOfCalculix) {
  write_superelement(folder_ / "a.mtx", small);
  EXPECT_EQ(test::content(folder_ / "a.mtx"), text);
}

TEST_F(SuperelementFile, ComesBack) {
  SuperelementMatrix matrix;
  for (int i = 0; i < 23; ++i) {  // more than a line of nodes, and of values
    matrix.node.push_back(1000000000 + i / 3);
    matrix.direction.push_back(i % 3 + 1);
    for (int j = 0; j <= i; ++j) matrix.lower.push_back(0.5 * i - 3 * j);
  }
  write_superelement(folder_ / "a.mtx", matrix);
  const SuperelementMatrix read = read_superelement(folder_ / "a.mtx");
  EXPECT_EQ(read.node, matrix.node);
  EXPECT_EQ(read.direction, matrix.direction);
  EXPECT_EQ(read.lower, matrix.lower);
}

TEST_F(SuperelementFile, WrongOnesAreToldWithTheirLine) {
  const std::string path = (folder_ / "a.mtx").string();
  EXPECT_THAT(refusal("1 2 3\n"), HasSubstr(path + ":1: superelement: no superelement begins like this"));
  EXPECT_THAT(refusal("**\n"), HasSubstr("does not say how many"));
  EXPECT_THAT(refusal(with("NODES=          3", "NODES=x")),
              HasSubstr(path + ":3: superelement: *USER ELEMENT "));
  EXPECT_THAT(refusal(with("        38,", "")), HasSubstr("3 degrees of freedom, and 2 nodes in comments"));
  EXPECT_THAT(refusal(with("       113,", "        -3,")), HasSubstr("nodes in comments"));
  EXPECT_THAT(refusal(with("         2,         3\n", "")),
              HasSubstr(":7: superelement: degree of freedom 2"));
  EXPECT_THAT(refusal(with("2,         3\n", "2,         4\n")), HasSubstr("'4' is no number from 1 to 3"));
  EXPECT_THAT(refusal(with("2,         3\n", "2,         1\n")), HasSubstr("node 113 has direction 1 twice"));
  EXPECT_THAT(refusal(with("STIFFNESS", "MASS")), HasSubstr("the stiffness is missing"));
  EXPECT_THAT(refusal(with(" 0.2000000000000E+01,", "")), HasSubstr("the stiffness has 5 entries"));
  EXPECT_THAT(refusal(with("0.2000000000000E+01", "two")),
              HasSubstr(":11: superelement: 'two' is no number"));
  EXPECT_THAT(refusal(""), HasSubstr("a.mtx"));
}

}  // namespace
}  // namespace setka::io
