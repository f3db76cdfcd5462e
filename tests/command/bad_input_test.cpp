// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// What a user sees when the deck is wrong or the disk is full: one line, its exit code, and no result files.
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "deck/deck_text.hpp"
#include "io/scratch_folder.hpp"
#include "support/run_command.hpp"

namespace setka {
namespace {

using test::cube;
using test::pull;
using ::testing::HasSubstr;

class BadInput : public ::testing::Test {
 protected:
  /// Runs the deck, after shell commands where there are any.
  test::CommandResult run(const std::string& deck, const std::string& before = "") const {
    std::ofstream(path_, std::ios::binary) << deck;
    return test::run_command(before + SETKA_COMMAND " run --backend cpu --threads 1 -q " + path_.string());
  }

  /// DECK in a message stands for the path of the deck.
  void expect_error(const std::string& deck, std::string message) const {
    const auto result = run(deck);
    if (message.starts_with("DECK")) message.replace(0, 4, path_.string());
    EXPECT_EQ(result.code, 1);
    EXPECT_EQ(result.out, "");
    EXPECT_EQ(result.error, "setka: error: " + message + "\n");
    EXPECT_EQ(folder_.entries(), 1) << "only the deck is there";
  }

  test::ScratchFolder folder_;
  std::filesystem::path path_ = folder_ / "deck.inp";
};

std::string with(std::string text, const std::string& old, const std::string& changed) {
  const std::size_t at = text.find(old);
  if (at == std::string::npos) throw std::logic_error("no " + old);
  return text.replace(at, old.size(), changed);
}

const std::string with_results = cube + with(pull, "*END STEP", "*NODE FILE\nU\n*END STEP");

TEST_F(BadInput, TheDeckItselfIsRight) {
  const auto result = run(cube + pull);
  EXPECT_EQ(result.code, 0) << result.error;
  EXPECT_EQ(result.error, "");
}

TEST_F(BadInput, OfTheReader) {
  expect_error(cube + "*STEP\n*STATIC\n*CLOAD\nTOP,3,1.\n",
               "DECK:23: the step has no *END STEP; the deck may be cut off; end the step with *END STEP");
  expect_error(with(cube, "1,1,2,3,4,5,6,7,8", "1,1,2,3,4,5,6,7,9") + pull,
               "DECK:12: element 1 has node 9, which does not exist; define it by *NODE");
  expect_error(with(cube, "MATERIAL=STEEL", "MATERIAL=STEAL") + pull,
               "DECK:20: *SOLID SECTION names material STEAL, which does not exist; did you mean STEEL?");
  expect_error(with(cube, "*SOLID SECTION,ELSET=EALL,MATERIAL=STEEL\n", "") + pull,
               "DECK: element 1 of type C3D8 has no material; put it into the set of a *SOLID SECTION");
  expect_error(with(cube, "210000.,.3", "210.000,.3.") + pull,
               "DECK:19: the constant is '.3.', which is not a number; write it like 1, 1.5 or 1.5E-3");
  expect_error("<html>\n",
               "DECK:1: data before any keyword: '<html>'; a deck begins with a keyword line such as *NODE");
}

TEST_F(BadInput, AnElementInsideOutIsShown) {
  const auto result = run(with(cube, "1,1,2,3,4,5,6,7,8", "1,5,6,7,8,1,2,3,4") + pull);
  EXPECT_EQ(result.code, 1);
  EXPECT_EQ(result.error,
            "setka: error: element 1 (C3D8) is inside out; check the order and the places of its nodes; " +
                (folder_ / "deck-bad-elements.vtu").string() + " shows it\n");
  EXPECT_EQ(folder_.entries(), 2) << "the deck, and the file that shows the element";
}

TEST_F(BadInput, OfTheModel) {
  expect_error(
      with(cube, "BOTTOM,1,3", "BOTTOM,1,1") + pull,
      "the model is not held: free to move by rotation about y, rotation about x, translation along z and "
      "translation along y, and the loads would set it moving; add *BOUNDARY that holds it");
}

TEST_F(BadInput, ALoadOnAnEmptySetIsAWarning) {
  const auto result = run(cube + "*NSET,NSET=NONE\n" + with(pull, "TOP", "NONE"));
  EXPECT_EQ(result.code, 0);
  EXPECT_THAT(result.error, HasSubstr("deck.inp:27: *CLOAD: node set NONE is empty; the line has no effect"));
}

/// Results beyond a limit for files (ulimit -f, in blocks of 512 bytes) fail as on a full disk.
TEST_F(BadInput, ALimitForFiles) {
  const auto result = run(with_results, "ulimit -f 1; ");
  EXPECT_EQ(result.code, 4);
  EXPECT_EQ(result.error,
            "setka: error: " + (folder_ / "deck.frd").string() + " cannot be written: File too large\n");
  EXPECT_EQ(folder_.entries(), 1) << "only the deck is there";
}

/// A disk that only the deck fits on, where the system lets us make one.
TEST_F(BadInput, AFullDisk) {
  const test::ScratchFolder disk;
  const std::string mount =
      "unshare -rm sh -c 'mount -t tmpfs -o size=4k none " + disk.path().string() + " && ";
  if (test::run_command(mount + "true'").code != 0) GTEST_SKIP() << "no rights to mount a small disk";
  std::ofstream(path_) << with_results;
  const auto result = test::run_command(mount + "cp " + path_.string() + " " + disk.path().string() + " && " +
                                        SETKA_COMMAND " run --backend cpu --threads 1 -q " +
                                        (disk / "deck.inp").string() + "'");
  EXPECT_EQ(result.code, 4);
  EXPECT_EQ(result.error, "setka: error: " + (disk / "deck.frd").string() +
                              " cannot be written: No space left on device\n");
}

}  // namespace
}  // namespace setka
