// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/io/record.hpp"

#include <fstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "io/scratch_folder.hpp"
#include "setka/base/error.hpp"
#include "support/mutated.hpp"

namespace setka::io {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* peer =
    "PEER NGA STRONG MOTION DATABASE RECORD\n"
    "Somewhere, 1/2/1999, Station #9, 180\n"
    "ACCELERATION TIME SERIES IN UNITS OF G\n"
    "NPTS=      7, DT=   .0050 SEC,\n"
    "  .1000000E+00  -.2000000E+00   .3E-01\n"
    "  0.0  1.0 2.0D-1 -1\n";

Record table(const std::string& text, const RecordOptions& options = {}) {
  return read_record_text(text, "quake.csv", RecordFormat::table, options);
}

std::string refusal(const std::string& text, RecordFormat format, const RecordOptions& options = {}) {
  try {
    read_record_text(text, format == RecordFormat::peer ? "quake.at2" : "quake.csv", format, options);
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing was thrown";
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  return text.replace(text.find(from), from.size(), to);
}

TEST(Record, OfPeer) {
  const Record record = read_record_text(peer, "quake.at2", RecordFormat::peer);
  EXPECT_EQ(record.title, "Somewhere, 1/2/1999, Station #9, 180");
  EXPECT_DOUBLE_EQ(record.step, 0.005);
  ASSERT_EQ(record.acceleration.size(), 7U);
  EXPECT_DOUBLE_EQ(record.acceleration[1], -0.2 * 9.80665);
  EXPECT_DOUBLE_EQ(record.acceleration[5], 0.2 * 9.80665);
  EXPECT_DOUBLE_EQ(record.duration(), 0.03);
}

TEST(Record, OfPeerInItsOlderForm) {
  const std::string text = replaced(replaced(peer, "NPTS=      7, DT=   .0050 SEC,", " 7  0.0050  NPTS, DT"),
                                    "OF G", "OF CM/SEC**2");
  const Record record = read_record_text(text, "quake.at2", RecordFormat::peer);
  EXPECT_DOUBLE_EQ(record.step, 0.005);
  EXPECT_DOUBLE_EQ(record.acceleration[4], 0.01);
}

TEST(Record, WrongFilesOfPeerAreToldWithTheirLine) {
  const auto told = [](const std::string& from, const std::string& to) {
    return refusal(replaced(peer, from, to), RecordFormat::peer);
  };
  EXPECT_THAT(told("ACCELERATION TIME SERIES IN UNITS OF G", "VELOCITY TIME SERIES IN UNITS OF CM/S"),
              AllOf(HasSubstr("quake.at2:3: 'cm/s' is no unit of acceleration"),
                    HasSubstr("take the .AT2 file of accelerations")));
  EXPECT_THAT(told("IN UNITS OF G", "IN FURLONGS"), HasSubstr("quake.at2:3:"));
  EXPECT_THAT(told("UNITS OF G", "UNITS OF FURLONGS"), HasSubstr("'furlongs' is no unit of acceleration"));
  EXPECT_THAT(told("NPTS=      7", "NPTS=      8"), HasSubstr("the file ends after 7 values, but NPTS is 8"));
  EXPECT_THAT(told("NPTS=      7", "NPTS=      6"), HasSubstr("quake.at2:6: more values than NPTS"));
  EXPECT_THAT(told("NPTS=      7", "NPTS=    1e99"), HasSubstr("quake.at2:4: NPTS is"));
  EXPECT_THAT(told("DT=   .0050", "DT=   -.005"), HasSubstr("quake.at2:4: DT is -0.005"));
  EXPECT_THAT(told("NPTS=      7, DT=   .0050 SEC,", "hello"), HasSubstr("does not say NPTS and DT"));
  EXPECT_THAT(told("1.0 2.0D-1", "1.0 oops"), HasSubstr("quake.at2:6: 'oops' is not a number"));
  EXPECT_THAT(refusal("PEER\n", RecordFormat::peer), HasSubstr("the file ends within its header"));
}

TEST(Record, OfTwoColumns) {
  const Record record = table("time [s], acceleration [m/s2]\n1.0,0.5\n1.1,1.5\n1.2,-2\n");
  EXPECT_DOUBLE_EQ(record.start, 1);
  EXPECT_NEAR(record.step, 0.1, 1e-15);
  EXPECT_THAT(record.acceleration, ElementsAre(0.5, 1.5, -2));
}

TEST(Record, UnitsOfTheHeader) {
  EXPECT_DOUBLE_EQ(table("t (s); a (g)\n0;1\n1;1\n").acceleration[0], 9.80665);
  EXPECT_DOUBLE_EQ(table("# t a\n# unit: cm/s^2\n0 1\n1 1\n").acceleration[0], 0.01);
  EXPECT_DOUBLE_EQ(table("t\ta [m/s²]\n0\t1\n1\t1\n").acceleration[0], 1);
  EXPECT_DOUBLE_EQ(table("t [ms], a [gal]\n0,1\n5,1\n").step, 0.005);
  EXPECT_DOUBLE_EQ(table("0,1\n1,1\n", {0, "mm/s2"}).acceleration[0], 0.001);
}

TEST(Record, OfOneColumn) {
  EXPECT_DOUBLE_EQ(table("acceleration [g], dt=0.02\n1\n2\n").step, 0.02);
  EXPECT_DOUBLE_EQ(table("# a in g\n# step = 0.005sec\n1\n2\n").step, 0.005);
  EXPECT_DOUBLE_EQ(table("a [g]\n1\n2\n3\n", {0.01, ""}).step, 0.01);
}

TEST(Record, TimesMayBeRounded) {
  EXPECT_NEAR(table("t,a [g]\n0.000,1\n0.004,1\n0.008,1\n0.012,1\n0.016,1\n0.020,1\n0.023,1\n").step,
              0.023 / 6, 1e-12);
}

TEST(Record, WrongTablesAreToldWithTheirLine) {
  const auto told = [](const std::string& text, const RecordOptions& options = {}) {
    return refusal(text, RecordFormat::table, options);
  };
  EXPECT_THAT(told("t,a [g]\n0,1\n1,1\n2,1\n5,1\n6,1\n"),
              AllOf(HasSubstr("quake.csv:5: a gap from time 2 to 5, where the step is 1"),
                    HasSubstr("fill in the values")));
  EXPECT_THAT(told("t,a [g]\n0,1\n1,1\n1,1\n2,1\n"), HasSubstr("quake.csv:4: time 1 follows 1"));
  EXPECT_THAT(told("t,a [g]\n0,1\n1,1\n2,1\n1.5,1\n"), HasSubstr("quake.csv:5: time 1.5 follows 2"));
  EXPECT_THAT(told("t,a [g]\n0,1\n1,1\n2,1\n2.5,1\n3.5,1\n"),
              AllOf(HasSubstr("quake.csv:5: the step from time 2 to 2.5 is 0.5"), HasSubstr("equal steps")));
  std::string drifting = "t,a [g]\n";
  for (double t = 0, h = 1; h < 1.4; t += h, h += 0.01) drifting += std::to_string(t) + ",1\n";
  EXPECT_THAT(told(drifting), HasSubstr("the step changes"));
  EXPECT_THAT(told("t,a\n0,1\n1,1\n"),
              AllOf(HasSubstr("quake.csv:1: the header does not say the unit"), HasSubstr("g, m/s2, cm/s2")));
  EXPECT_THAT(told("a [g]\n1\n1\n"), AllOf(HasSubstr("without a time step"), HasSubstr("dt=0.005")));
  EXPECT_THAT(told("t,a [g]\n0,1\n1,x\n"), HasSubstr("quake.csv:3: 'x' is not a number"));
  EXPECT_THAT(told("t,a [g]\n0,1\n1,nan\n"), HasSubstr("'nan' is not a number"));
  EXPECT_THAT(told("t,a [g]\n0,1\n1\n"), HasSubstr("quake.csv:3: 1 value where the lines before have 2"));
  EXPECT_THAT(told("t,x,a [g]\n0,1,2\n"), HasSubstr("quake.csv:2: 3 columns"));
  EXPECT_THAT(told("t,a [g]\n0,1\n"), HasSubstr("the record has 1 value;"));
  EXPECT_THAT(told("t,a\n0,1\n1,1\n", {0, "stone"}), HasSubstr("'stone' is no unit of acceleration"));
}

TEST(Record, MutationsEndInARecordOrAnErrorOfTheInput) {
  const std::vector<std::string> words{
      ",", "\n", "-1", "1e308", "NPTS=", "dt=", "nan", "#", "=", "[g]", "9e99"};
  const auto read = [](const std::string& text, RecordFormat format) {
    try {
      const Record record = read_record_text(text, "quake", format);
      EXPECT_GT(record.step, 0);
      EXPECT_GE(record.acceleration.size(), 2U);
    } catch (const Error& error) {
      EXPECT_EQ(error.fault(), Fault::input) << error.what();
    }
  };
  for (unsigned seed = 1; seed <= 500; ++seed) {
    SCOPED_TRACE(seed);
    read(test::mutated(peer, seed, words), RecordFormat::peer);
    read(test::mutated("time [s], acceleration [m/s2]\n0,0.5\n0.1,1.5\n0.2,-2\n", seed, words),
         RecordFormat::table);
  }
}

TEST(Record, TheEndingDecides) {
  const test::ScratchFolder folder;
  std::ofstream(folder / "a.AT2") << peer;
  std::ofstream(folder / "a.csv") << "t,a [g]\n0,1\n1,1\n";
  EXPECT_EQ(read_record(folder / "a.AT2").acceleration.size(), 7U);
  EXPECT_EQ(read_record(folder / "a.csv").acceleration.size(), 2U);
  EXPECT_THROW(read_record(folder / "none.csv"), Error);
}

}  // namespace
}  // namespace setka::io
