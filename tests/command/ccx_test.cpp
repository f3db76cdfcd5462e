// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// The program ccx as FreeCAD and PrePoMax call CalculiX, and what they look for in its answers.
#include <filesystem>
#include <fstream>
#include <regex>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "io/scratch_folder.hpp"
#include "support/run_command.hpp"

namespace setka {
namespace {

using test::CommandResult;
using test::content;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

/// A cube held at its floor; element_nodes: of its element, number 7.
std::string cube(const std::string& element_nodes = "1,2,3,4,5,6,7,8") {
  return "*NODE,NSET=N\n1,0,0,0\n2,1,0,0\n3,1,1,0\n4,0,1,0\n5,0,0,1\n6,1,0,1\n7,1,1,1\n8,0,1,1\n"
         "*ELEMENT,TYPE=C3D8,ELSET=E\n7," +
         element_nodes +
         "\n*MATERIAL,NAME=M\n*ELASTIC\n1000,0.3\n*DENSITY\n1\n*SOLID SECTION,ELSET=E,MATERIAL=M\n"
         "*BOUNDARY\n1,1,3\n2,1,3\n3,1,3\n4,1,3\n";
}

std::string step(const std::string& procedure) {
  return "*STEP\n" + procedure +
         "\n*CLOAD\n5,1,1\n*NODE PRINT,NSET=N\nU\n*NODE FILE\nU\n*EL FILE\nS\n*END STEP\n";
}

class Ccx : public ::testing::Test {
 protected:
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
  }
  bool exists(const std::string& name) const { return std::filesystem::exists(folder_ / name); }
  std::string text(const std::string& name) const { return content(folder_ / name); }

  CommandResult ccx(const std::string& arguments) const { return run(SETKA_CCX, arguments); }
  CommandResult ccx_with(const std::string& variables, const std::string& arguments) const {
    return run(SETKA_CCX, arguments, variables);
  }
  CommandResult setka(const std::string& arguments) const { return run(SETKA_COMMAND, arguments); }

  /// Result files of an earlier run.
  void write_old_results() const {
    for (const char* const ending : {".frd", ".dat", ".sta", ".cvg", ".vtu", ".pvd"})
      write(std::string("job") + ending, "of yesterday\n");
  }

  test::ScratchFolder folder_;

 private:
  CommandResult run(const std::string& program, const std::string& arguments,
                    const std::string& variables = "") const {
    return test::run_command("cd '" + folder_.path().string() + "' && OMP_NUM_THREADS=2 " + variables + " '" +
                             program + "' " + arguments);
  }
};

TEST_F(Ccx, AloneSaysWhoseUsageItIs) {
  const CommandResult result = ccx("");
  EXPECT_EQ(result.code, 2);
  EXPECT_EQ(result.error, "");
  EXPECT_THAT(result.out, AllOf(StartsWith("Usage: ccx -i jobname\n"), HasSubstr("CalculiX")));
}

TEST_F(Ccx, VersionIsThatOfTheCalculixItStandsFor) {
  const CommandResult result = ccx("-v");
  EXPECT_EQ(result.code, 0);
  EXPECT_EQ(result.error, "");
  std::smatch found;  // the first two numbers, as FreeCAD reads them; it refuses 2.10 and less
  ASSERT_TRUE(std::regex_search(result.out, found, std::regex("(\\d+).(\\d+)"))) << result.out;
  EXPECT_EQ(found[1], "2");
  EXPECT_EQ(found[2], "20");
}

TEST_F(Ccx, TakesAJobAsProgramsGiveIt) {
  const std::string deck = cube() + step("*STATIC");
  std::filesystem::create_directory(folder_ / "other folder");
  write("job.inp", deck);
  write("with blanks.inp", deck);
  write("with.dots.1.inp", deck);
  write("other folder/job.inp", deck);
  const auto expect_run = [&](const std::string& arguments, const std::string& stem) {
    const CommandResult result = ccx(arguments);
    EXPECT_EQ(result.code, 0) << arguments << "\n" << result.out;
    EXPECT_EQ(result.error, "") << arguments;
    EXPECT_THAT(result.out, Not(HasSubstr("*ERROR"))) << arguments;
    for (const char* const ending : {".frd", ".dat", ".sta", ".cvg"}) {
      ASSERT_TRUE(exists(stem + ending)) << arguments;
      EXPECT_GT(text(stem + ending).size(), 0u);
      std::filesystem::remove(folder_ / (stem + ending));
    }
  };
  expect_run("-i job", "job");
  expect_run("'-i ' job", "job");  // FreeCAD
  expect_run("job", "job");        // PrePoMax
  expect_run("job.inp", "job");
  expect_run("-i job.inp", "job");
  expect_run("-i 'with blanks'", "with blanks");
  expect_run("with.dots.1", "with.dots.1");
  expect_run("'other folder/job'", "other folder/job");
}

TEST_F(Ccx, RemovesOldResultsBeforeAnythingElse) {
  for (const std::string& deck : {std::string("*NODE\n1,no number\n"), cube() + step("*GREEN\n1"),
                                  cube("5,6,7,8,1,2,3,4") + step("*STATIC")}) {
    write("job.inp", deck);
    write_old_results();
    const CommandResult result = ccx("job");
    EXPECT_EQ(result.code, 1);
    EXPECT_THAT(result.out, HasSubstr("\n *ERROR"));
    EXPECT_EQ(result.error, "");
    EXPECT_FALSE(exists("job.frd"));
    EXPECT_FALSE(exists("job.sta"));
    EXPECT_FALSE(exists("job.cvg"));
    EXPECT_EQ(text("job.dat"), "");
  }
  std::filesystem::remove(folder_ / "job.inp");
  write_old_results();
  EXPECT_EQ(ccx("job").code, 1);
  EXPECT_FALSE(exists("job.frd"));
  EXPECT_FALSE(exists("job.dat"));
}

TEST_F(Ccx, DoesNotRemoveWhatTheDeckReads) {
  write("job.dat", cube());
  write("job.inp", "*INCLUDE,INPUT=job.dat\n" + step("*GREEN\n1"));
  EXPECT_EQ(ccx("job").code, 2);  // a name that cannot be written
  EXPECT_EQ(text("job.dat"), cube());
}

TEST_F(Ccx, RunsKeepOldResultsAndSayWhoseTheyAre) {
  write_old_results();
  write("job.inp", cube() + step("*GREEN\n1"));
  const CommandResult failed = setka("run job");
  EXPECT_EQ(failed.code, 1);
  EXPECT_EQ(text("job.frd"), "of yesterday\n");
  EXPECT_THAT(failed.error,
              HasSubstr("no results of this run; job.dat, job.frd, job.vtu and job.pvd are of an "
                        "earlier one"));
  write("job.inp", cube() + step("*STATIC"));
  const CommandResult done = setka("run job");
  EXPECT_EQ(done.code, 0);
  EXPECT_THAT(done.error, Not(HasSubstr("earlier")));
  EXPECT_THAT(text("job.frd"), Not(HasSubstr("yesterday")));
}

TEST_F(Ccx, SpeaksOnStandardOutputAlone) {
  // A warning of the reader, one of a writer, progress and the summary.
  write("job.inp", cube() + "*CONDUCTIVITY\n1\n" + step("*STATIC"));
  const CommandResult result = ccx("job --verbose --timings");
  EXPECT_EQ(result.code, 0);
  EXPECT_EQ(result.error, "");
  EXPECT_THAT(result.out,
              HasSubstr("\n *WARNING: job.inp:23: *CONDUCTIVITY has no effect on the steps of this deck\n"));
  EXPECT_THAT(result.out, Not(HasSubstr("*ERROR")));
  const CommandResult wrong = ccx("job --frobnicate");
  EXPECT_EQ(wrong.code, 2);
  EXPECT_EQ(wrong.error, "");
  EXPECT_THAT(wrong.out, StartsWith(" *ERROR: "));
}

TEST_F(Ccx, SaysWhatToDoAboutAnErrorInALineOfItsOwn) {
  write("job.inp", cube() + step("*GREEN\n1"));
  EXPECT_THAT(ccx("job").out, HasSubstr(" does not compute yet;\n        run it with CalculiX itself"));
}

TEST_F(Ccx, NamesElementsInTheWordsThatFreecadScans) {
  write("job.inp", cube("5,6,7,8,1,2,3,4") + step("*STATIC"));
  EXPECT_THAT(
      ccx("job").out,
      HasSubstr(" *ERROR in e_c3d: nonpositive jacobian\n        determinant in element            7\n"));
  std::string bare = cube();
  const std::string section = "*SOLID SECTION,ELSET=E,MATERIAL=M\n";
  bare.erase(bare.find(section), section.size());
  write("job.inp", bare + step("*STATIC"));
  EXPECT_THAT(ccx("job").out,
              HasSubstr(" *ERROR in calinput: no material was assigned\n        to element            7\n"));
}

TEST_F(Ccx, TakesThreadsByTheVariablesOfCalculix) {
  write("job.inp", cube() + step("*STATIC"));
  const auto expect_threads = [&](const std::string& variables, const std::string& threads) {
    const CommandResult result = ccx_with(variables, "job --backend cpu");
    EXPECT_EQ(result.code, 0) << variables;
    EXPECT_THAT(result.out, HasSubstr(threads)) << variables;
  };
  expect_threads("CCX_NPROC_STIFFNESS=1", " on 1 CPU thread\n");
  expect_threads("CCX_NPROC_RESULTS=1 CCX_NPROC_STIFFNESS=0", " on 1 CPU thread\n");
  expect_threads("NUMBER_OF_CPUS=1", " on 1 CPU thread\n");
  expect_threads("NUMBER_OF_CPUS=1 CCX_NPROC_EQUATION_SOLVER=8", " on 1 CPU thread\n");
  expect_threads("CCX_NPROC_STIFFNESS=many", " on 2 CPU threads\n");
  EXPECT_THAT(
      ccx_with("CCX_NPROC_STIFFNESS=many", "job").out,
      HasSubstr(" *WARNING: CCX_NPROC_STIFFNESS=many is not a number of threads, and does not count\n"));
  EXPECT_THAT(ccx_with("CCX_NPROC_STIFFNESS=1", "job --backend cpu --threads 2").out,
              HasSubstr("2 CPU threads"));
}

// What CalculiX 2.20 writes for these steps, but for the iterations of *DYNAMIC: it does two of each.
constexpr const char* sta_head =
    "SUMMARY OF JOB INFORMATION\n"
    "  STEP      INC     ATT  ITRS     TOT TIME     STEP TIME      INC TIME\n";
constexpr const char* cvg_head =
    "SUMMARY OF C0NVERGENCE INFORMATION\n"
    "  STEP   INC  ATT   ITER     CONT.   RESID.        CORR.      RESID.      CORR.\n"
    "                              EL.    FORCE         DISP       FLUX        TEMP.\n"
    "                              (#)     (%)           (%)        (%)         (%)\n";

TEST_F(Ccx, WritesStaAndCvgAsCalculix) {
  write("job.inp", cube() + step("*STATIC") + step("*DYNAMIC,DIRECT\n1e-5,3e-5") + step("*FREQUENCY\n2"));
  EXPECT_EQ(ccx("job").code, 0);
  EXPECT_EQ(text("job.sta"), std::string(sta_head) +
                                 "     1          1     1     1  0.100000E+01  0.100000E+01  0.100000E+01\n"
                                 "     2          1     1     1  0.100001E+01  0.100000E-04  0.100000E-04\n"
                                 "     2          2     1     1  0.100002E+01  0.200000E-04  0.100000E-04\n"
                                 "     2          3     1     1  0.100003E+01  0.300000E-04  0.100000E-04\n");
  EXPECT_EQ(text("job.cvg"), cvg_head);
}

TEST_F(Ccx, NoAnalysisWritesTheMesh) {
  write("job.inp", cube() + step("*NO ANALYSIS"));
  for (const bool in_place : {true, false}) {
    const CommandResult result = in_place ? ccx("job") : setka("run job");
    EXPECT_EQ(result.code, 0) << result.out << result.error;
    EXPECT_THAT(result.out, Not(HasSubstr("*ERROR")));
    const std::string frd = text("job.frd");
    EXPECT_THAT(frd,
                AllOf(HasSubstr("    2C"), HasSubstr(" -1         8 0.00000E+00 1.00000E+00 1.00000E+00\n"),
                      HasSubstr("    3C"), HasSubstr(" -1         7    1"), Not(HasSubstr("DISP"))));
    EXPECT_THAT(frd, ::testing::EndsWith(" 9999\n"));
    EXPECT_EQ(text("job.dat"), "");
  }
  EXPECT_FALSE(exists("job.pvd"));  // it would hold nothing
  // The steps before it are computed.
  write("job.inp", cube() + step("*STATIC") + step("*NO ANALYSIS") + step("*STATIC"));
  EXPECT_EQ(ccx("job").code, 0);
  EXPECT_THAT(text("job.frd"), HasSubstr("DISP"));
  EXPECT_EQ(text("job.sta"), std::string(sta_head) +
                                 "     1          1     1     1  0.100000E+01  0.100000E+01  0.100000E+01\n");
}

TEST_F(Ccx, SetkaCcxIsTheSame) {
  EXPECT_THAT(setka("ccx").out, StartsWith("Usage: setka ccx -i jobname\n"));
  write("job.inp", cube() + step("*GREEN\n1"));
  write_old_results();
  const CommandResult result = setka("ccx -i job");
  EXPECT_EQ(result.code, 1);
  EXPECT_EQ(result.error, "");
  EXPECT_THAT(result.out, HasSubstr("\n *ERROR: job.inp: the deck asks for one thing"));
  EXPECT_FALSE(exists("job.frd"));
}

TEST_F(Ccx, TellsWhereMisesStressIsTaken) {
  write("job.inp", cube() + step("*STATIC"));
  EXPECT_THAT(ccx("job").out, HasSubstr("Mises stress is that of integration points"));
  EXPECT_THAT(setka("run job --json").out, HasSubstr("\"at\": \"integration points\""));
}

}  // namespace
}  // namespace setka
