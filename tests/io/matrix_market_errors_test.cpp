// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// What is wrong in a file of a matrix is told with its line and a remedy; nothing in it makes the reader
// crash.
#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "io/matrix_text.hpp"
#include "io/scratch_folder.hpp"
#include "support/mutated.hpp"

namespace setka {
namespace {

using test::error_of_matrix;
using ::testing::HasSubstr;

const std::string coordinate = "%%MatrixMarket matrix coordinate real general\n";

TEST(MatrixMarketErrors, OfTheHeader) {
  EXPECT_EQ(error_of_matrix(""),
            "a.mtx: the file is empty; it begins with '%%MatrixMarket matrix coordinate real symmetric'");
  EXPECT_EQ(error_of_matrix("*NODE\n1,2\n"),
            "a.mtx:1: this is no file of the Matrix Market: it begins with '*NODE'; it must begin with a "
            "line such as '%%MatrixMarket matrix coordinate real symmetric'");
  EXPECT_THAT(error_of_matrix("%%MatrixMarket matrix coordinate real\n1 1 0\n"),
              HasSubstr("a.mtx:1: the header has 4 words; it has five"));
  EXPECT_THAT(error_of_matrix("%%MatrixMarket vector coordinate real general\n1 1 0\n"),
              HasSubstr("the file holds a 'vector', not a matrix"));
  EXPECT_THAT(error_of_matrix("%%MatrixMarket matrix list real general\n1 1 0\n"),
              HasSubstr("'list' is no format; it is coordinate or array"));
  EXPECT_EQ(error_of_matrix("%%MatrixMarket matrix coordinate complex general\n1 1 1\n1 1 1 0\n"),
            "a.mtx:1: the matrix is complex, and setka solves real systems; write the real matrix of twice "
            "the size, [Re -Im; Im Re]");
  EXPECT_THAT(error_of_matrix("%%MatrixMarket matrix coordinate real hermitian\n1 1 0\n"),
              HasSubstr("the matrix is hermitian, and setka solves real systems"));
  EXPECT_THAT(error_of_matrix("%%MatrixMarket matrix coordinate text general\n1 1 0\n"),
              HasSubstr("'text' is no kind of entries; they are real, integer or pattern"));
  EXPECT_THAT(error_of_matrix("%%MatrixMarket matrix array pattern general\n1 1\n"),
              HasSubstr("a pattern in array format has no places"));
  EXPECT_THAT(error_of_matrix("%%MatrixMarket matrix array real diagonal\n1 1\n"),
              HasSubstr("'diagonal' is no symmetry; it is general, symmetric or skew-symmetric"));
}

TEST(MatrixMarketErrors, OfTheSize) {
  EXPECT_EQ(error_of_matrix(coordinate + "% nothing follows\n"),
            "a.mtx:2: the file ends before the size of the matrix; it was cut short: write or copy it again");
  EXPECT_EQ(error_of_matrix(coordinate + "3 3\n"),
            "a.mtx:2: the line of the size has 2 numbers; write 'rows columns entries'");
  EXPECT_EQ(error_of_matrix(coordinate + "3 -3 1\n1 1 1\n"),
            "a.mtx:2: the size is '-3', which is no whole number from 0 on; write 'rows columns entries'");
  EXPECT_EQ(error_of_matrix(coordinate + "2147483648 3 1\n1 1 1\n"),
            "a.mtx:2: the matrix is of 2147483648 x 3; setka counts up to 2147483647 rows and columns");
  EXPECT_EQ(
      error_of_matrix(coordinate + "3 3 9223372036854775807\n1 1 1\n"),
      "a.mtx:2: 9223372036854775807 entries are announced, but the rest of the file can hold at most 1; "
      "it was cut short: write or copy it again");
  EXPECT_THAT(error_of_matrix("%%MatrixMarket matrix array real general\n2147483647 2147483647\n1\n"),
              HasSubstr("4611686014132420609 entries are announced"));
  EXPECT_THAT(error_of_matrix("%%MatrixMarket matrix coordinate real symmetric\n3 2 1\n1 1 1\n"),
              HasSubstr("a matrix of 3 x 2 is not symmetric; call it general"));
}

TEST(MatrixMarketErrors, OfTheEntries) {
  const std::string two = coordinate + "% comment\n2 2 2\n1 1 1\n";
  EXPECT_EQ(error_of_matrix(two + "3 1 1\n"),
            "a.mtx:5: row 3 is not within the matrix of 2 x 2; correct the entry, or the size above");
  EXPECT_EQ(error_of_matrix(two + "1 0 1\n"),
            "a.mtx:5: column 0 is not within the matrix of 2 x 2; rows and columns are counted from 1");
  EXPECT_EQ(error_of_matrix(two + "1 1.5 1\n"),
            "a.mtx:5: the column is '1.5', which is no whole number; rows and columns are counted from 1");
  EXPECT_THAT(error_of_matrix(two + "1 99999999999999999999 1\n"), HasSubstr("which is no whole number"));
  EXPECT_EQ(error_of_matrix(two + "2 2     \n"),
            "a.mtx:5: the value of the entry is missing; write 'row column value'");
  EXPECT_EQ(error_of_matrix(two + "2       \n"),
            "a.mtx:5: the column of the entry is missing; write 'row column value'");
  for (const char* value : {"nan", "inf", "-Infinity", "1e999", "1,5", "0x1p3", "1.5.2"}) {
    EXPECT_EQ(error_of_matrix(two + "\n2 2 " + value + "\n"),
              std::string("a.mtx:6: the value is '") + value +
                  "', which is no finite number; write it like 1, 1.5 or 1.5e-3");
  }
  EXPECT_EQ(error_of_matrix(two + "2 2 1 0\n"), "a.mtx:5: '0' follows the entry; write one entry a line");
  EXPECT_EQ(error_of_matrix(two + "2 2 1\n\n1 2 1\n"),
            "a.mtx:7: there are more than the 2 entries that were announced; correct the number in the line "
            "of the size");
  EXPECT_EQ(error_of_matrix(two + "%        \n"),
            "a.mtx:5: the file ends after 1 of 2 entries; it was cut short: write or copy it again");
  EXPECT_EQ(error_of_matrix("%%MatrixMarket matrix coordinate real symmetric\n2 2 3\n1 1 2\n2 1 1\n1 2 1\n"),
            "a.mtx:5: the matrix is called symmetric, but has entries of both triangles; write the lower "
            "triangle alone, or call it general");
}

TEST(MatrixMarketErrors, TheFirstWrongLineOfManyIsNamed) {
  std::string text = coordinate + "9 9 200000\n";
  for (int k = 0; k < 200000; ++k) text += k == 70000 || k == 190000 ? "9 10 1.25\n" : "9 9 1.25\n";
  EXPECT_THAT(error_of_matrix(text, Fault::input, {2, 0}), HasSubstr("a.mtx:70003: column 10"));
}

TEST(MatrixMarketErrors, OfCompression) {
  std::string text = coordinate + "100 100 100\n";
  for (int k = 1; k <= 100; ++k) text += std::to_string(k) + " " + std::to_string(k) + " 1.5\n";
  const std::string packed = test::gzipped(text);
  ASSERT_EQ(error_of_matrix(packed), "no error");
  EXPECT_EQ(error_of_matrix(packed.substr(0, packed.size() / 2)),
            "a.mtx: the compressed data are cut short; copy or compress the file again");
  EXPECT_EQ(error_of_matrix(packed.substr(0, packed.size() - 3)),
            "a.mtx: the compressed data are cut short; copy or compress the file again");
  EXPECT_THAT(error_of_matrix(packed + "more"),
              HasSubstr("does not belong to the compressed data before it"));
  std::string damaged = packed;
  damaged[damaged.size() - 6] = static_cast<char>(damaged[damaged.size() - 6] ^ 1);  // the check sum
  EXPECT_THAT(error_of_matrix(damaged), HasSubstr("a.mtx: the compressed data are damaged near byte"));
}

TEST(MatrixMarketErrors, WhatDoesNotFitIsRefusedBeforeMemoryIsTaken) {
  std::string text = coordinate + "9 9 10000\n";
  for (int k = 0; k < 10000; ++k) text += "9 9 1\n";
  EXPECT_EQ(error_of_matrix(text, Fault::resource, {1, 100000}),
            "a.mtx: 10000 entries take 156 KiB, and 97.7 KiB of memory are free; use a machine with more "
            "memory");
  EXPECT_EQ(error_of_matrix(test::gzipped(text), Fault::resource, {1, 100000}),
            "a.mtx: unpacks to more than 48.8 KiB, which is what memory has room for; use a machine with "
            "more memory");
  const auto wide = test::read_matrix(coordinate + "2000000000 2000000000 1\n9 9 1\n");
  EXPECT_THROW(io::dense(wide, "a.mtx", std::uint64_t{1} << 40), Error);
}

std::vector<std::string> corpus() {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(SETKA_MTX_CORPUS))
    paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  std::vector<std::string> texts;
  texts.reserve(paths.size());
  for (const auto& path : paths) texts.push_back(test::content(path));
  return texts;
}

TEST(MatrixMarketMutations, EndInAMatrixOrAnErrorOfTheInput) {
  const std::vector<std::string> texts = corpus();
  ASSERT_GE(texts.size(), 7U);
  const std::vector<std::string> words{"%",     "\n", "-1", "0",   "99999999999",
                                       "1e308", "\r", "\t", "nan", "2147483647"};
  for (const std::string& text : texts) {
    EXPECT_EQ(error_of_matrix(text), "no error");
    for (unsigned seed = 1; seed <= 1000; ++seed) {
      EXPECT_THAT(error_of_matrix(test::mutated(text, seed, words)),
                  ::testing::Not(HasSubstr("another fault")))
          << "seed " << seed;
    }
  }
}

}  // namespace
}  // namespace setka
