// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/io/commit_together.hpp"

#include <filesystem>
#include <iterator>
#include <string>

#include <gtest/gtest.h>

#include "io/scratch_folder.hpp"
#include "setka/base/error.hpp"
#include "setka/io/output_file.hpp"

namespace setka {
namespace {

void write(const std::filesystem::path& path, const char* text) {
  io::OutputFile file(path);
  file.write(text);
  file.commit();
}

TEST(CommitTogether, FilesHaveTheirNamesWhenAllAreThere) {
  const test::ScratchFolder folder;
  write(folder / "a", "old");
  io::CommitTogether together;
  write(folder / "a", "new");
  write(folder / "b", "more");
  EXPECT_EQ(test::content(folder / "a"), "old");
  EXPECT_FALSE(std::filesystem::exists(folder / "b"));
  together.finish();
  EXPECT_EQ(test::content(folder / "a"), "new");
  EXPECT_EQ(test::content(folder / "b"), "more");
  EXPECT_EQ(folder.entries(), 2);
  write(folder / "c", "late");
  together.finish();
  EXPECT_EQ(test::content(folder / "c"), "late");
}

TEST(CommitTogether, WithoutAnEndNothingIsLeft) {
  const test::ScratchFolder folder;
  write(folder / "a", "old");
  {
    const io::CommitTogether together;
    write(folder / "a", "new");
  }
  EXPECT_EQ(test::content(folder / "a"), "old");
  EXPECT_EQ(folder.entries(), 1);
  write(folder / "a", "again");
  EXPECT_EQ(test::content(folder / "a"), "again");
}

TEST(CommitTogether, ANameThatCannotBeGivenIsTold) {
  const test::ScratchFolder folder;
  io::CommitTogether together;
  write(folder / "a", "whole");
  write(folder / "b", "lost");
  std::filesystem::create_directory(folder / "b");
  try {
    together.finish();
    ADD_FAILURE() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::resource);
    EXPECT_NE(std::string(error.what()).find("b cannot be given its name"), std::string::npos)
        << error.what();
  }
  EXPECT_EQ(test::content(folder / "a"), "whole");
}

TEST(CommitSoon, FilesOfASeriesAreThereSoonAndFewAreOpen) {
  const test::ScratchFolder folder;
  const auto open_files = [] {
    return std::distance(std::filesystem::directory_iterator("/proc/self/fd"), {});
  };
  const auto before = open_files();
  io::CommitSoon series;
  for (int i = 0; i < 300; ++i) {
    io::OutputFile file(folder / std::to_string(i));
    file.write("frame");
    file.commit(series);
    EXPECT_TRUE(i > 0 || test::appears(folder / "0"));
    EXPECT_LE(open_files(), before + 64);
  }
  series.finish();
  EXPECT_EQ(open_files(), before);
  for (int i = 0; i < 300; ++i) EXPECT_EQ(test::content(folder / std::to_string(i)), "frame") << i;
  EXPECT_EQ(folder.entries(), 300);
}

TEST(CommitSoon, WhatFailsIsToldAtTheEnd) {
  const test::ScratchFolder folder;
  std::filesystem::create_directory(folder / "a");
  io::CommitSoon series;
  io::OutputFile file(folder / "a");
  file.write("frame");
  file.commit(series);
  EXPECT_THROW(series.finish(), Error);
  EXPECT_EQ(folder.entries(), 1);
}

TEST(CommitSoon, WithoutAnEndThoseThatWaitAreRemoved) {
  const test::ScratchFolder folder;
  {
    io::CommitSoon series;
    for (const char* name : {"a", "b"}) {
      io::OutputFile file(folder / name);
      file.write("frame");
      file.commit(series);
    }
  }
  EXPECT_TRUE(std::filesystem::exists(folder / "a"));
  EXPECT_LE(folder.entries(), 2);
  for (const auto& entry : std::filesystem::directory_iterator(folder.path()))
    EXPECT_NE(entry.path().extension(), ".part");
}

}  // namespace
}  // namespace setka
