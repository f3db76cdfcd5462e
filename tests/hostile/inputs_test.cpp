// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// No command writes over what it reads, whatever it is called.
#include <filesystem>
#include <string>
#include <vector>

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "setka/io/input_files.hpp"
#include "setka/io/npy.hpp"
#include "support/command_folder.hpp"

namespace setka {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class Inputs : public test::CommandFolder {
 protected:
  /// The command ends at once, names both files, and the input is as it was.
  void expect_kept(const std::string& arguments, const std::string& output, const std::string& input) const {
    const bool there = exists(input);
    const std::string before = there ? text_of(input) : "";
    const int entries = folder_.entries();
    const auto result = setka(arguments);
    EXPECT_EQ(result.code, 2) << arguments << "\n" << result.out << result.error;
    EXPECT_THAT(result.out + result.error,
                HasSubstr(fmt::format("the output {} would overwrite {}", output, input)));
    EXPECT_EQ(exists(input), there) << input;
    if (there) {
      EXPECT_EQ(text_of(input), before) << input;
    }
    EXPECT_EQ(folder_.entries(), entries) << arguments;
  }

  void write_array(const std::string& name, std::int64_t rows, std::int64_t columns) const {
    const std::vector<double> values(static_cast<std::size_t>(rows * columns), 0.5);
    io::write_npy(folder_ / name, {rows, columns}, values);
  }

  static std::string steps_from(const std::string& file, const std::string& more = "") {
    return fmt::format(
        "scheme = \"lod\"\n[grid]\ncells = [4, 3]\nlengths = [1, 1]\n[initial]\nfile = \"{}\"\n[time]\n"
        "step = 0.1\nsteps = 4\n[output]\nformats = [\"npy\"]\n{}",
        file, more);
  }
  static std::string state_on_disk(const std::string& source) {
    return fmt::format(
        "scheme = \"jacobi\"\n[grid]\ncells = [3, 2]\nlengths = [1, 1]\n[boundary]\n"
        "x = {{ kind = \"dirichlet\", value = 0.0 }}\ny = {{ kind = \"dirichlet\", value = 1.0 }}\n"
        "[source]\nfile = \"{}\"\n[stationary]\nstorage = \"disk\"\n",
        source);
  }
};

TEST_F(Inputs, OfACaseAreNotItsResults) {
  if (without_cases()) GTEST_SKIP() << "built without toml++";
  write_array("case.npy", 3, 4);
  write("case.toml", steps_from("case.npy"));
  expect_kept("grid case.toml", "case.npy", "case.npy");
  expect_kept("grid ./case.toml --check", "./case.npy", "./case.npy");
  write("case.toml", steps_from("../" + folder_.path().filename().string() + "/case.npy"));
  EXPECT_EQ(setka("grid case.toml").code, 2);

  std::filesystem::create_symlink("case.npy", folder_ / "link.npy");
  std::filesystem::create_hard_link(folder_ / "case.npy", folder_ / "hard.npy");
  for (const std::string name : {"link.npy", "hard.npy"}) {
    write("case.toml", steps_from(name));
    expect_kept("grid case.toml", "case.npy", name);
  }
  std::filesystem::rename(folder_ / "case.npy", folder_ / "start.npy");
  std::filesystem::create_symlink("start.npy", folder_ / "case.npy");
  write("case.toml", steps_from("start.npy"));
  expect_kept("grid case.toml", "case.npy", "start.npy");

  std::filesystem::remove(folder_ / "case.npy");
  EXPECT_EQ(setka("grid case.toml -q").code, 0);  // what is not an output may be read
  std::filesystem::remove(folder_ / "case.npy");
  write("case.toml", steps_from("case.npy"));
  expect_kept("grid case.toml", "case.npy", "case.npy");  // not even there
}

TEST_F(Inputs, OfACaseAreNotItsFrames) {
  if (without_cases()) GTEST_SKIP() << "built without toml++";
  write_array("case-00000002.npy", 3, 4);
  write("case.toml", steps_from("case-00000002.npy", "every = 2\n"));
  expect_kept("grid case.toml", "case-00000002.npy", "case-00000002.npy");
  std::filesystem::rename(folder_ / "case-00000002.npy", folder_ / "start.npy");
  std::filesystem::create_symlink("start.npy", folder_ / "case-00000002.npy");
  write("case.toml", steps_from("start.npy", "every = 2\n"));
  expect_kept("grid case.toml", "case-00000002.npy", "start.npy");
}

TEST_F(Inputs, OfACaseAreNotItsStateOnTheDisk) {
  if (without_cases()) GTEST_SKIP() << "built without toml++";
  for (const std::string name : {"case.source.npy", "case.state.npy", "case.state-100.npy", "case.npy"}) {
    write_array(name, 3, 4);
    write("case.toml", state_on_disk(name));
    expect_kept("grid case.toml", name, name);
    std::filesystem::remove(folder_ / name);
  }
}

TEST_F(Inputs, OfADeckAreNotItsResults) {
  const std::string include = "*NSET,NSET=MORE\n5,6\n";
  for (const std::string name : {"job.dat", "job.frd", "job.vtu", "job.0003.vtu", "job.pvd"}) {
    write(name, include);
    write("job.inp", test::cube_deck("*INCLUDE,INPUT=" + name + "\n"));
    expect_kept("run job", name, name);
    expect_kept("run ./job.inp -q", "./" + name, "./" + name);
    std::filesystem::remove(folder_ / name);
  }
  write("job.dat", include);
  write("part.inp", "*INCLUDE,INPUT=job.dat\n");
  write("job.inp", test::cube_deck("*INCLUDE,INPUT=part.inp\n"));
  expect_kept("ccx -i job", "job.dat", "job.dat");
  write("job-bad-elements.vtu", include);
  write("job.inp", test::cube_deck("*INCLUDE,INPUT=job-bad-elements.vtu\n"));
  expect_kept("check job", "job-bad-elements.vtu", "job-bad-elements.vtu");
  expect_kept("check job -o job.inp", "job.inp", "job.inp");
}

TEST_F(Inputs, OfAnAmplitudeAreNotTheHistory) {
  write("job.csv", "time [s], acceleration [g]\n0,0\n1e-8,1\n2e-8,0\n3e-8,0\n");
  const std::string amplitude = "*AMPLITUDE,NAME=A,INPUT=job.csv,GRAVITY=9.81\n";
  write("job.inp", test::cube_deck(amplitude, "*DYNAMIC,EXPLICIT\n1e-9,3e-9\n"));
  expect_kept("run job", "job.csv", "job.csv");
  write("job.inp", test::cube_deck(amplitude));  // a static step has no history
  const auto result = setka("run job -q");
  EXPECT_EQ(result.code, 0) << result.error;
}

TEST_F(Inputs, OfOtherCommandsAreNotTheirOutput) {
  write("q.csv", "0,0\n0.01,1\n0.02,-1\n0.03,0\n");
  expect_kept("spectrum q.csv -o q --units g", "q.csv", "q.csv");
  std::filesystem::create_symlink("q.csv", folder_ / "q.inc");
  expect_kept("spectrum q.csv -o ./q --units g --card S", "./q.csv", "q.csv");
  std::filesystem::rename(folder_ / "q.csv", folder_ / "r.csv");
  std::filesystem::create_hard_link(folder_ / "r.csv", folder_ / "s.svg");
  expect_kept("spectrum r.csv -o s --units g", "s.svg", "r.csv");

  write("a.mtx", "%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n1 1 2\n2 2 3\n");
  std::filesystem::create_symlink("a.mtx", folder_ / "link.mtx");
  expect_kept("solve a.mtx -o ./a.mtx", "./a.mtx", "a.mtx");
  expect_kept("solve a.mtx -o link.mtx", "link.mtx", "a.mtx");
  expect_kept("modes a.mtx -m link.mtx -n 1 -o a.mtx", "a.mtx", "a.mtx");
  write_array("d.npy", 3, 4);
  expect_kept(
      "sweep d.npy --lower -1 --diagonal 4 --upper -1 -o ../" + folder_.path().filename().string() + "/d.npy",
      "../" + folder_.path().filename().string() + "/d.npy", "d.npy");
}

TEST_F(Inputs, AMeshThatExistsIsAskedFor) {
  write(
      "m.msh",
      "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n3\n1 0 0 0\n2 1 0 0\n3 0 1 0\n$EndNodes\n$Elements\n1\n"
      "1 2 2 1 1 1 2 3\n$EndElements\n");
  expect_kept("convert m.msh -o m.msh", "m.msh", "m.msh");
  write("m.inp", "my own\n");
  const auto refused = setka("convert m.msh");
  EXPECT_EQ(refused.code, 2);
  EXPECT_THAT(refused.error, HasSubstr("m.inp exists; choose another name, or overwrite it with --force"));
  EXPECT_EQ(text_of("m.inp"), "my own\n");
  EXPECT_EQ(setka("convert m.msh --force -q").code, 0);
  EXPECT_THAT(text_of("m.inp"), HasSubstr("*ELEMENT"));
}

TEST(InputFiles, KnowsItsFilesByOtherNames) {
  const test::ScratchFolder folder;
  const io::InputFiles inputs{folder / "new/../a.dat", ""};
  EXPECT_THROW(inputs.refuse_as_outputs({{folder / "a.dat", {}}}, ""), Error);
  EXPECT_THROW(inputs.refuse_as_outputs({{folder / "./sub/../a.dat", {}}}, ""), Error);
  EXPECT_NO_THROW(inputs.refuse_as_outputs({{"", {}}, {folder / "b.dat", {}}, {folder / "a", ".dat"}}, ""));
  const io::InputFiles series{folder / "a12.dat"};
  EXPECT_THROW(series.refuse_as_outputs({{folder / "a", ".dat"}}, ""), Error);
  EXPECT_NO_THROW(series.refuse_as_outputs({{folder / "a1", "2.dat"}}, ""));
}

}  // namespace
}  // namespace setka
