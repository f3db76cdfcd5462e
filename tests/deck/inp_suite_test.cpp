// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// The decks of CalculiX's own test suite, where it is installed (Debian: calculix-ccx-test).
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "deck/deck_text.hpp"

namespace {

const std::filesystem::path suite = "/usr/share/doc/calculix-ccx-test/examples/test";

std::string text_of(const std::filesystem::path& path) {
  if (path.extension() != ".gz") {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  }
  const std::string command = "gunzip -c '" + path.string() + "'";
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  std::string text;
  char block[1 << 14];
  for (std::size_t count = 0; pipe && (count = std::fread(block, 1, sizeof block, pipe.get())) > 0;)
    text.append(block, count);
  return text;
}

std::string deck_text(const std::string& name) {
  const auto plain = suite / (name + ".inp");
  return text_of(std::filesystem::exists(plain) ? plain : suite / (name + ".inp.gz"));
}

class CalculixSuite : public testing::Test {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(suite)) GTEST_SKIP() << "CalculiX's test suite is not installed";
  }
};

TEST_F(CalculixSuite, LinearStaticDecksReadWhole) {
  for (const std::string name :
       {"achtelc",      "achteld",     "achtelg", "achtelp",     "aniso",       "beam10p",      "beam20p",
        "beam8p",       "beamd",       "beamd2",  "beamidset",   "beamp",       "beamp2stage",  "beampfix",
        "beampic",      "beampis",     "beampo1", "beampset",    "achtel2",     "achtel29",     "achtel9",
        "achtelcas",    "beam20t",     "beam8t",  "beampdepmpc", "beampo2",     "beamt",        "beamt2",
        "beamt3",       "beamt4",      "c3d15",   "inistrain",   "mpcforce",    "resstress1",   "segment1",
        "segmentf",     "segmentm",    "axial",   "oneel",       "planestrain", "planestrain2", "planestress",
        "planestress2", "planestress3"}) {
    SCOPED_TRACE(name);
    const setka::deck::Deck deck = setka::test::read_text(deck_text(name));
    EXPECT_NO_THROW(setka::deck::refuse_unsupported(deck));
    EXPECT_GT(deck.model.mesh.element_count(), 0);
    EXPECT_FALSE(deck.model.steps.empty());
    EXPECT_FALSE(deck.model.steps.back().output.empty());
  }
}

TEST_F(CalculixSuite, HeatDecksReadWhole) {
  for (const std::string name : {"acou2", "aircolumn", "ax6ht", "beamhtbf", "beamhtbo", "beamhtcr2", "beamth",
                                 "dam", "oneel20cf", "oneel20df", "oneel20fi", "oneel20rs", "oneel8ra"}) {
    SCOPED_TRACE(name);
    const setka::deck::Deck deck = setka::test::read_text(deck_text(name));
    EXPECT_NO_THROW(setka::deck::refuse_unsupported(deck));
    EXPECT_THAT(deck.warnings, testing::IsEmpty());
    EXPECT_FALSE(deck.model.steps.empty());
  }
}

/// The rest asks for what is not supported, and says so; decks that are wrong by our rules are named here.
TEST_F(CalculixSuite, EveryDeckReadsOrSaysWhatIsWrong) {
  std::vector<std::string> wrong;
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(suite)) {
    const std::string name = entry.path().filename().string();
    if (name.find(".inp") == std::string::npos) continue;
    ++count;
    try {
      setka::test::read_text(text_of(entry.path()));
    } catch (const setka::Error& error) {
      EXPECT_EQ(error.fault(), setka::Fault::input) << name << ": " << error.what();
      wrong.push_back(name.substr(0, name.find('.')));
    }
  }
  EXPECT_GT(count, 300);
  EXPECT_THAT(wrong, testing::UnorderedElementsAre("beamfsh1",  // data before any keyword
                                                   "beamread",  // its amplitude is in a restart file
                                                   "metalformingmortar",  // a surface twice
                                                   "uprofile"));          // *STATIC without *STEP
}

}  // namespace
