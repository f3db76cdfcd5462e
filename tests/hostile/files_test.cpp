// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// Files with odd names, files that are none, and files that others left.
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <vector>

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "setka/io/npy.hpp"
#include "setka/io/output_file.hpp"
#include "setka/io/output_names.hpp"
#include "setka/io/vtk_data.hpp"
#include "support/command_folder.hpp"

namespace setka {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class Files : public test::CommandFolder {
 protected:
  static std::string steps(const std::string& more) {
    return "scheme = \"lod\"\ninitial = 1.0\n[grid]\ncells = [4, 3]\nlengths = [1, 1]\n[time]\nstep = 0.1\n" +
           more;
  }
  /// Whether the bytes are UTF-8, by a reader of JSON.
  static bool is_utf8(const std::string& bytes) {
    try {
      return !nlohmann::json(bytes).dump().empty();
    } catch (const nlohmann::json::exception&) {
      return false;
    }
  }
  void expect_no_file(const std::string& arguments) const {
    const auto result = setka(arguments, test::in_time);
    EXPECT_EQ(result.code, 1) << arguments << "\n" << result.error;
    EXPECT_THAT(result.error, HasSubstr("is a device or a pipe, not a file; copy what it holds to a file"));
  }
};

TEST_F(Files, NamesThatAreNotUtf8BreakNothing) {
  const std::string odd = "caf\xe9";  // in Latin-1
  write(odd + ".inp", test::cube_deck("", "*STATIC\n"));
  const auto run = setka("run --json -q " + odd + ".inp");
  EXPECT_EQ(run.code, 0) << run.error;
  EXPECT_TRUE(nlohmann::json::accept(run.out));
  EXPECT_TRUE(exists(odd + ".vtu"));
  EXPECT_TRUE(is_utf8(text_of(odd + ".pvd")));
  EXPECT_THAT(text_of(odd + ".pvd"), HasSubstr("file=\"caf\xef\xbf\xbd.vtu\""));
  EXPECT_THAT(run.error, HasSubstr("are not UTF-8, so that ParaView cannot find them"));

  write(odd + ".csv", "0,0\n0.01,1\n0.02,-1\n0.03,0\n");
  const auto spectrum = setka("spectrum --units g --json " + odd + ".csv");
  EXPECT_EQ(spectrum.code, 0) << spectrum.error;
  EXPECT_TRUE(nlohmann::json::accept(spectrum.out));
  EXPECT_TRUE(is_utf8(text_of(odd + "-spectrum.svg")));

  io::write_npy(folder_ / (odd + ".npy"), {2, 3}, std::vector<double>(6, 1.0));
  const auto sweep = setka("sweep --json --lower -1 --diagonal 4 --upper -1 " + odd + ".npy");
  EXPECT_EQ(sweep.code, 0) << sweep.error;
  EXPECT_TRUE(nlohmann::json::accept(sweep.out));
  const auto example = setka("example block --size 1000 --json -o " + odd + "-deck.inp");
  EXPECT_EQ(example.code, 0) << example.error;
  EXPECT_TRUE(nlohmann::json::accept(example.out));

  if (without_cases()) return;
  write(odd + ".toml", steps("steps = 2\n[output]\nevery = 1\n"));
  for (const std::string arguments : {"--json -q ", "--json -q --check "}) {
    const auto grid = setka("grid " + std::string(arguments) + odd + ".toml");
    EXPECT_EQ(grid.code, 0) << grid.error;
    EXPECT_TRUE(nlohmann::json::accept(grid.out));
  }
  EXPECT_TRUE(is_utf8(text_of(odd + ".pvd")));
}

TEST_F(Files, XmlIsUtf8WhateverIsWritten) {
  EXPECT_EQ(io::xml_escaped("a<b\x01"), "a&lt;b ");
  const std::string good = "\xd1\x81\xd0\xb5\xd1\x82\xd0\xba\xd0\xb0 \xe2\x82\xac \xf0\x9f\x98\x80";
  EXPECT_EQ(io::xml_escaped(good), good);
  // Alone, cut short, too long for what it is, a half of a pair, beyond all characters.
  for (const std::string bad : {"\x80", "\xe2\x82", "\xc0\xaf", "\xe0\x80\xaf", "\xed\xa0\x80",
                                "\xf4\x90\x80\x80", "\xf0\x80\x80\xaf", "\xff"}) {
    const std::string text = io::xml_escaped("<" + bad + "z");
    EXPECT_TRUE(is_utf8(text));
    EXPECT_THAT(text, HasSubstr("\xef\xbf\xbd"));
    EXPECT_TRUE(text.ends_with("z"));
  }
}

TEST_F(Files, DevicesAndPipesAreNotRead) {
  ASSERT_EQ(::mkfifo((folder_ / "pipe").c_str(), 0600), 0);
  for (const std::string name : {"/dev/zero", "pipe"}) {
    write("job.inp", test::cube_deck("*INCLUDE,INPUT=" + name + "\n"));
    expect_no_file("run job");
    expect_no_file("check job");
    write("job.inp", test::cube_deck("*AMPLITUDE,NAME=A,INPUT=" + name + "\n"));
    expect_no_file("run job");
    expect_no_file("run " + name);
    expect_no_file("solve " + name);
    expect_no_file("convert " + name + " -o x.inp");
    expect_no_file("spectrum --units g -o s " + name);
    expect_no_file("sweep --lower 1 --diagonal 4 --upper 1 -o s.npy " + name);
    if (!without_cases()) expect_no_file("grid " + name);
  }
}

TEST_F(Files, IncludesThatDoubleComeToAnEnd) {
  // 2^30 files, were they all read.
  for (int level = 0; level < 30; ++level) {
    const std::string next = fmt::format("*INCLUDE,INPUT=part{}.inp\n", level + 1);
    write(fmt::format("part{}.inp", level), next + next);
  }
  write("part30.inp", "** nothing\n");
  write("job.inp", test::cube_deck("*INCLUDE,INPUT=part0.inp\n"));
  const auto result = setka("run job", test::in_time);
  EXPECT_EQ(result.code, 1) << result.error;
  EXPECT_THAT(result.error, HasSubstr("*INCLUDE: more than 10000 files in all; include each file once"));
}

TEST_F(Files, IncludesThatRepeatMuchComeToAnEnd) {
  const std::string large = std::string(std::size_t{1} << 24, '*') + "\n";  // a comment
  write("large.inp", large);
  std::string twice;
  for (int i = 0; i < 80; ++i) twice += "*INCLUDE,INPUT=large.inp\n";
  write("job.inp", test::cube_deck(twice));
  const auto result = setka("run job", test::in_time);
  EXPECT_EQ(result.code, 1) << result.error;
  EXPECT_THAT(result.error, HasSubstr("files that are included again come to more than 1024 MB"));
}

TEST_F(Files, FramesOfALongerRunBeforeGo) {
  const auto deck = [](int count) {
    std::string steps = "*STATIC\n";
    for (int i = 1; i < count; ++i) steps += "*CLOAD\nTOP,3,1\n*NODE FILE\nU\n*END STEP\n*STEP\n*STATIC\n";
    return test::cube_deck("", steps);
  };
  write("job.inp", deck(4));
  ASSERT_EQ(setka("run -q job").code, 0);
  ASSERT_TRUE(exists("job.0004.vtu"));
  write("job.0004.vtu.txt", "mine");
  write("job.a004.vtu", "mine");
  write("job.inp", deck(2));
  ASSERT_EQ(setka("run -q job").code, 0);
  EXPECT_TRUE(exists("job.0001.vtu") && exists("job.0002.vtu"));
  EXPECT_FALSE(exists("job.0003.vtu") || exists("job.0004.vtu"));
  write("job.inp", deck(1));
  ASSERT_EQ(setka("run -q job").code, 0);
  EXPECT_TRUE(exists("job.vtu"));
  EXPECT_FALSE(exists("job.0001.vtu") || exists("job.0002.vtu"));
  write("job.inp", deck(2));
  ASSERT_EQ(setka("run -q job").code, 0);
  EXPECT_FALSE(exists("job.vtu"));
  EXPECT_TRUE(exists("job.0004.vtu.txt") && exists("job.a004.vtu"));

  if (without_cases()) return;
  const std::string formats = "formats = [\"vti\", \"npy\", \"png\"]\n";
  write("case.toml", steps("steps = 9\n[output]\nevery = 2\n" + formats));
  ASSERT_EQ(setka("grid -q case.toml").code, 0);
  ASSERT_TRUE(exists("case-00000008.vti") && exists("case-00000009.npy"));
  write("case.toml", steps("steps = 6\n[output]\nevery = 3\n" + formats));
  ASSERT_EQ(setka("grid -q case.toml").code, 0);
  for (const std::string ending : {".vti", ".npy", ".png"}) {
    for (const int step : {0, 3, 6}) EXPECT_TRUE(exists(fmt::format("case-{:08}{}", step, ending))) << step;
    for (const int step : {2, 4, 8, 9})
      EXPECT_FALSE(exists(fmt::format("case-{:08}{}", step, ending))) << step;
  }
}

TEST_F(Files, PartsOfKilledRunsGoAndNoOthers) {
  for (const std::string name : {"job.dat.12.part", "job.frd.99999-3.part", "job.0007.vtu.5.part"})
    write(name, "left over");
  const std::vector<std::string> others{"job.dat.part", "job.dat.x1.part", "other.dat.12.part",
                                        "job.dat.12.parts"};
  for (const std::string& name : others) write(name, "mine");
  const std::string held = "job.pvd.77.part";
  const int lock = ::open(write(held, "in work").c_str(), O_RDONLY);
  ASSERT_EQ(::flock(lock, LOCK_EX), 0);
  write("job.inp", test::cube_deck());
  ASSERT_EQ(setka("run -q job").code, 0);
  EXPECT_FALSE(exists("job.dat.12.part") || exists("job.frd.99999-3.part") || exists("job.0007.vtu.5.part"));
  for (const std::string& name : others) EXPECT_TRUE(exists(name)) << name;
  EXPECT_TRUE(exists(held));
  ::close(lock);

  const io::OutputFile open(folder_ / "mine.txt");
  io::remove_dead_parts({{folder_ / "mine.txt", {}}});
  EXPECT_TRUE(exists(fmt::format("mine.txt.{}.part", ::getpid())));
}

TEST_F(Files, ARecordOfEndlessStepsIsRefused) {
  write("q.at2", "a\nb\nACCELERATION TIME SERIES IN UNITS OF G\nNPTS= 4, DT= 1e16 SEC\n0 1 -1 0\n");
  const auto result = setka("spectrum q.at2", test::in_time);
  EXPECT_EQ(result.code, 1) << result.error;
  EXPECT_THAT(result.error,
              HasSubstr("q.at2: the time step of 1e+16 s is longer than 1000 periods of 0.02 s"));
  EXPECT_EQ(setka("spectrum -q q.at2 --periods 1e14,1e15,3").code, 0);
  write("q.at2", "a\nb\nACCELERATION TIME SERIES IN UNITS OF G\nNPTS= 1000000000, DT= 1 SEC\n0 1 -1 0\n");
  EXPECT_THAT(setka("spectrum q.at2").error,
              HasSubstr("NPTS is 1000000000; it is a whole number from 2 to 100000000"));
}

TEST_F(Files, ProbesHaveNamesOfTheirOwn) {
  if (without_cases()) GTEST_SKIP() << "built without toml++";
  const std::string probe = "[[probe]]\nat = [0.5, 0.5]\n";
  write("case.toml", steps("steps = 2\n" + probe + "name = \"a\"\n" + probe + "name = \"a\"\n"));
  const auto result = setka("grid case.toml");
  EXPECT_EQ(result.code, 1);
  EXPECT_THAT(result.error,
              HasSubstr("case.toml:14: probe.name makes a second probe 'a'; give each probe a name"));
  write("case.toml", steps("steps = 2\n" + probe + "name = \"probe2\"\n" + probe));
  EXPECT_THAT(setka("grid case.toml").error, HasSubstr("makes a second probe 'probe2'"));
}

TEST_F(Files, HelpAndMessagesNameWhatThereIs) {
  EXPECT_THAT(setka("grid --help").out, HasSubstr("docs/grid-case.md has all keys"));
  EXPECT_THAT(setka("bench").error, HasSubstr("table is required"));
}

}  // namespace
}  // namespace setka
