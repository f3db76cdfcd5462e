// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// Whatever the text is, reading ends with a deck or with an Error of the input.
#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "deck/deck_text.hpp"
#include "support/mutated.hpp"

namespace {

std::vector<std::string> corpus() {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(SETKA_INP_CORPUS))
    paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  std::vector<std::string> texts;
  for (const auto& path : paths) {
    std::ifstream file(path, std::ios::binary);
    texts.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  return texts;
}

void read_anything(const std::string& text) {
  try {
    setka::test::read_text(text);
  } catch (const setka::Error& error) {
    EXPECT_EQ(error.fault(), setka::Fault::input) << error.what();
  }
}

TEST(InpMutations, TheCorpusReads) {
  const std::vector<std::string> texts = corpus();
  ASSERT_GE(texts.size(), 4u);
  for (const std::string& text : texts) read_anything(text);
}

TEST(InpMutations, EndInADeckOrAnErrorOfTheInput) {
  const std::vector<std::string> words{"*",        ",",       ",,", "\n",     "-1", "0",    "99999999999",
                                       "1e308",    "*STEP\n", "=",  "\r",     "\t", "NALL", "*END STEP\n",
                                       "GENERATE", "\"",      "**", "1e-999", "21"};
  for (const std::string& text : corpus()) {
    for (unsigned seed = 1; seed <= 200; ++seed) {
      SCOPED_TRACE(seed);
      read_anything(setka::test::mutated(text, seed, words, 128, 60));
    }
  }
}

}  // namespace
