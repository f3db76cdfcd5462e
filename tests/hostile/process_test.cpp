// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// The command as a process: outputs that cannot be written, limits of the shell, signals.
#include <regex>
#include <string>

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "setka/base/config.hpp"
#include "setka/solve/cholesky.hpp"
#include "support/command_folder.hpp"
#include "support/run_command.hpp"
#include "support/sanitized.hpp"

namespace setka {
namespace {

using test::CommandResult;
using test::run_command;
using ::testing::AllOf;
using ::testing::AnyOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

/// A diagonal system, as setka solve and setka modes take it.
std::string diagonal(int size) {
  std::string text = fmt::format("%%MatrixMarket matrix coordinate real symmetric\n{0} {0} {0}\n", size);
  for (int i = 1; i <= size; ++i) text += fmt::format("{0} {0} {0}\n", i);
  return text;
}

/// The five-point Laplacian on a square of side x side points.
std::string laplacian(int side) {
  std::string entries;
  int count = 0;
  const auto add = [&](int row, int column, int value) {
    entries += fmt::format("{} {} {}\n", row + 1, column + 1, value);
    ++count;
  };
  for (int i = 0; i < side * side; ++i) {
    add(i, i, 4);
    if (i % side != 0) add(i, i - 1, -1);
    if (i >= side) add(i, i - side, -1);
  }
  return fmt::format("%%MatrixMarket matrix coordinate real symmetric\n{0} {0} {1}\n{2}", side * side, count,
                     entries);
}

constexpr int of_the_loader = 127;  // exit code: there is no room for the libraries

class Process : public test::CommandFolder {
 protected:
  std::string modes_of_a_diagonal() const {
    write("k.mtx", diagonal(12));
    write("m.mtx", diagonal(12));
    return "modes k.mtx -m m.mtx -n 2 --backend cpu --threads 1";
  }
};

TEST_F(Process, AFullStandardOutputIsAnError) {
  ASSERT_EQ(setka("example block --element C3D8 --size 300 -o block.inp").code, 0);
  for (const std::string& command :
       {std::string("info --backend cpu"), std::string("info --json --backend cpu"), std::string("--help"),
        std::string("run block.inp --backend cpu --threads 1"), modes_of_a_diagonal(),
        std::string("example block --size 300")}) {
    const CommandResult result = setka(command, "", ">/dev/full");
    EXPECT_EQ(result.code, 4) << command;
    EXPECT_THAT(result.error, HasSubstr("setka: error: standard output cannot be written")) << command;
  }
  EXPECT_TRUE(exists("block.frd")) << "results in files are complete";
}

TEST_F(Process, AClosedStandardOutputIsAnErrorAndNoFileTakesItsPlace) {
  ASSERT_EQ(setka("example block --element C3D8 --size 300 -o block.inp").code, 0);
  ASSERT_EQ(setka("run block.inp --backend cpu --threads 1").code, 0);
  const std::string expected = text_of("block.dat");
  const CommandResult result = setka("run block.inp --backend cpu --threads 1", "", ">&-");
  EXPECT_EQ(result.code, 4);
  EXPECT_THAT(result.error, HasSubstr("standard output cannot be written"));
  EXPECT_EQ(text_of("block.dat"), expected);
  for (const std::string& streams : {std::string("<&- >/dev/null"), std::string("2>&- >/dev/null")}) {
    EXPECT_EQ(setka("run block.inp --backend cpu --threads 1", "", streams).code, 0) << streams;
    EXPECT_EQ(text_of("block.dat"), expected) << streams;
  }
}

TEST_F(Process, AReaderThatHasGoneIsAnError) {
  // The reader ends before the command prints.
  const CommandResult result =
      run_command("bash -c '(" SETKA_COMMAND " example block --size 20000; echo $? >" +
                  (folder_ / "code").string() + ") | true'");
  EXPECT_EQ(text_of("code"), "4\n");
  EXPECT_THAT(result.error, HasSubstr("standard output cannot be written"));
}

TEST_F(Process, AFullStandardErrorKeepsTheExitCode) {
  EXPECT_EQ(setka("nonsense", "", "2>/dev/full").code, 2);
  EXPECT_EQ(setka("run missing.inp --backend cpu", "", "2>/dev/full").code, 1);
}

TEST_F(Process, QuietPrintsResultsAlone) {
  const CommandResult all = setka(modes_of_a_diagonal());
  const CommandResult quiet = setka(modes_of_a_diagonal() + " -q");
  EXPECT_EQ(quiet.code, 0) << quiet.error;
  EXPECT_THAT(quiet.out, AllOf(HasSubstr("cycles/time"), Not(HasSubstr("CPU thread"))));
  EXPECT_EQ(quiet.error, "");
  EXPECT_THAT(all.out, HasSubstr("CPU thread"));
  ASSERT_EQ(setka("example block --element C3D8 --size 300 -o block.inp").code, 0);
  EXPECT_THAT(setka("run -q block.inp --backend cpu --threads 1").out,
              AllOf(HasSubstr("largest displacement"), Not(HasSubstr("CPU thread"))));
  EXPECT_THAT(setka("solve -q k.mtx --backend cpu --threads 1").out, HasSubstr("residual"));
}

TEST_F(Process, HelpHasTheCommandsOwnExamples) {
  EXPECT_THAT(setka("convert --help").out,
              AllOf(HasSubstr("setka convert part.msh"), Not(HasSubstr("setka modes"))));
  EXPECT_THAT(setka("ccx --help").out, Not(HasSubstr("setka modes")));
  EXPECT_THAT(setka("--help").out, AllOf(HasSubstr("setka convert part.msh"), HasSubstr("setka modes"),
                                         HasSubstr("Exit codes: 0 done")));
}

TEST_F(Process, IterationsHaveABarAndTimeLeftOnATerminal) {
  if (run_command("command -v script").code != 0) GTEST_SKIP() << "no script(1) to make a terminal";
  const std::regex bar("conjugate gradients  \\[#*-*\\] +[0-9]+ %, [^\r]* left, residual [0-9]");
  CommandResult result;
  for (const int side : {120, 300, 700}) {  // a bar is drawn after a tenth of a second: as large as it takes
    write("a.mtx", laplacian(side));
    result = run_command("cd " + folder_.path().string() +
                         "; script -qec '" SETKA_COMMAND
                         " solve a.mtx --solver cg --preconditioner jacobi --tolerance 1e-12 --backend cpu "
                         "--threads 1' /dev/null");
    EXPECT_EQ(result.code, 0) << result.out;
    if (std::regex_search(result.out, bar)) return;
  }
  FAIL() << result.out;
}

TEST_F(Process, MoreThreadsThanCanBeAreRefused) {
  const CommandResult result = setka("info --backend cpu --threads 100000");
  EXPECT_EQ(result.code, 2) << result.error;
  EXPECT_THAT(result.error, AllOf(HasSubstr("100000 CPU threads are asked for, but there are"),
                                  HasSubstr("ask for at most")));
  const CommandResult by_variable = setka("info --backend cpu", "OMP_NUM_THREADS=100000");
  EXPECT_EQ(by_variable.code, 2) << by_variable.error;
  EXPECT_THAT(by_variable.error, HasSubstr("by OMP_NUM_THREADS"));
}

TEST_F(Process, StartsThroughTheLoaderAndWithTheUsersOwnWaiting) {
  EXPECT_EQ(setka("--version", "GOMP_SPINCOUNT=7 OPENBLAS_NUM_THREADS=2").out, std::string(version) + "\n");
  EXPECT_EQ(setka("--version", "env -i").out, std::string(version) + "\n");
  // libgomp prints what it has read: the user's own wins, a few thousand turns are the default.
  const std::string show = "env -u OMP_WAIT_POLICY -u GOMP_SPINCOUNT OMP_DISPLAY_ENV=verbose ";
  EXPECT_THAT(setka("--version", show + "GOMP_SPINCOUNT=7").error, HasSubstr("GOMP_SPINCOUNT = '7'"));
  EXPECT_THAT(setka("--version", show + "OMP_WAIT_POLICY=passive").error, HasSubstr("GOMP_SPINCOUNT = '0'"));
  EXPECT_TRUE(std::regex_search(setka("--version", show).error, std::regex("GOMP_SPINCOUNT = '[0-9]{2,5}'")));
  if (test::sanitized) return;  // whose library has to come first
  const CommandResult loader = run_command("ldd " SETKA_COMMAND " | grep -o '/lib[^ ]*ld-linux[^ ]*'");
  ASSERT_EQ(loader.code, 0) << loader.error;
  const std::string program = loader.out.substr(0, loader.out.find('\n'));
  EXPECT_EQ(run_command(program + " " SETKA_COMMAND " --version").out, std::string(version) + "\n");
}

TEST_F(Process, NamesTheKernelsOfBlasThatTheProcessorHas) {
  const std::string shown = setka("--version", "env -u OPENBLAS_CORETYPE OPENBLAS_VERBOSE=2").error;
  if (shown.find("Core: ") == std::string::npos) GTEST_SKIP() << "OpenBLAS does not tell: " << shown;
#if defined(__x86_64__)
  EXPECT_THAT(setka("--version", "OPENBLAS_VERBOSE=2 OPENBLAS_CORETYPE=Nehalem").error, HasSubstr("Nehalem"));
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
    EXPECT_THAT(shown, AnyOf(HasSubstr("SkylakeX"), HasSubstr("Haswell")));
  }
#endif
}

TEST_F(Process, SeveralDevicesAreRefusedWhereOneComputes) {
  for (const char* command :
       {"project x.elements x.bin", "plan x.toml", "spectrum x.at2", "bench products --quick"}) {
    const CommandResult result = setka(std::string(command) + " --devices 0,1");
    EXPECT_EQ(result.code, 2) << command;
    EXPECT_THAT(result.out + result.error,
                HasSubstr("--devices names 2 devices, but this command computes on one"))
        << command;
  }
}

TEST_F(Process, WithLittleMoreMemoryThanItsLibrariesItSaysSo) {
  if (test::sanitized) GTEST_SKIP() << "the address sanitizer needs all addresses for itself";
  const auto within = [&](int kilobytes, const std::string& command) {
    return setka(command, fmt::format("ulimit -v {}; {}", kilobytes, test::in_time));
  };
  int too_little = 0;
  int enough = 8'000'000;
  while (enough - too_little > 16) {
    const int kilobytes = (too_little + enough) / 2;
    (within(kilobytes, "--version").code == of_the_loader ? too_little : enough) = kilobytes;
  }
  write("job.inp", test::cube_deck());
  for (const std::string command : {"--version", "info --backend cpu", "run -q job.inp --backend cpu"}) {
    // Finely where the libraries have just been loaded, then up to what the work itself takes.
    for (int more = -32; more < 150'000; more += more < 1500 ? 16 : 5000) {
      const CommandResult result = within(enough + more, command);
      EXPECT_THAT(result.code, AnyOf(0, 4, of_the_loader)) << enough << " + " << more << " kB: " << command;
      if (result.code == 4) {
        EXPECT_THAT(result.error, StartsWith("setka: error: ")) << more;
      }
    }
  }
}

TEST_F(Process, AnswersWithinTheShellsLimitOfMemory) {
  if (test::sanitized) GTEST_SKIP() << "the address sanitizer needs all addresses for itself";
  if (with_cuda) GTEST_SKIP() << "the libraries of CUDA alone are larger than the addresses allowed here";
  write("a.mtx", diagonal(2000));
  const int solved_code = solve::Cholesky::available() ? 0 : 2;
  // From too little for anything to enough for all: never a hang, never a signal.
  for (const int megabytes : {20, 60, 80, 100, 130, 160, 200, 300, 600}) {
    const std::string limit = fmt::format("ulimit -v {}; {} {}", megabytes * 1000,
                                          megabytes == 80 ? "OPENBLAS_NUM_THREADS=2" : "", test::in_time);
    const CommandResult answered = setka("--version", limit);
    EXPECT_THAT(answered.code, AnyOf(0, 4, of_the_loader)) << megabytes << " MB: " << answered.error;
    const CommandResult solved = setka("solve a.mtx --solver cholesky --backend cpu --threads 2", limit);
    EXPECT_THAT(solved.code, AnyOf(solved_code, 4, of_the_loader)) << megabytes << " MB: " << solved.error;
    if (solved.code == 4) {
      EXPECT_THAT(solved.error, StartsWith("setka: error: ")) << megabytes << " MB";
    }
    if (megabytes == 600) {
      EXPECT_EQ(answered.code, 0) << answered.error;
      EXPECT_EQ(solved.code, solved_code) << solved.error;
    }
  }
}

}  // namespace
}  // namespace setka
