// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/io/sta_writer.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "io/scratch_folder.hpp"
#include "setka/base/error.hpp"

namespace setka::io {
namespace {

using test::content;

// The rows are CalculiX 2.20's own, of beamdynamic and beamimpdy1nodirect of its test suite.
TEST(StaWriter, HasTheColumnsOfCalculix) {
  const test::ScratchFolder folder;
  StaWriter writer(folder / "job");
  writer.write({2, 10, 1, 2, 1.1e-5, 1e-5, 1e-6});
  writer.write({1, 5, 1, 2, 9.125e-5, 9.125e-5, 3.375e-5});
  EXPECT_EQ(content(folder / "job.sta"),  // while the run goes on
            "SUMMARY OF JOB INFORMATION\n"
            "  STEP      INC     ATT  ITRS     TOT TIME     STEP TIME      INC TIME\n"
            "     2         10     1     2  0.110000E-04  0.100000E-04  0.100000E-05\n"
            "     1          5     1     2  0.912500E-04  0.912500E-04  0.337500E-04\n");
  EXPECT_EQ(content(folder / "job.cvg").size(), 274U);
}

TEST(StaWriter, SaysWhichFileCannotBeWritten) {
  const test::ScratchFolder folder;
  try {
    const StaWriter writer(folder / "nowhere/job");
    FAIL() << "nothing thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::resource);
    EXPECT_THAT(error.what(),
                testing::HasSubstr("nowhere/job.sta cannot be created: No such file or directory"));
  }
}

}  // namespace
}  // namespace setka::io
