// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/io/output_file.hpp"

#include <filesystem>
#include <fstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "io/scratch_folder.hpp"
#include "io/small_disk.hpp"
#include "setka/base/error.hpp"

namespace setka::io {
namespace {

using test::content;
using test::ScratchFolder;
using test::SmallDisk;

TEST(OutputFile, AppearsWhenItIsComplete) {
  const ScratchFolder folder;
  {
    OutputFile file(folder / "a.dat");
    file.write("one ");
    file.flush();
    EXPECT_FALSE(std::filesystem::exists(folder / "a.dat"));
    file.text() += "two";
    file.commit();
    EXPECT_EQ(content(folder / "a.dat"), "one two");
  }
  EXPECT_EQ(content(folder / "a.dat"), "one two");
  EXPECT_EQ(folder.entries(), 1);
}

TEST(OutputFile, LeavesTheOldOneWhenAbandoned) {
  const ScratchFolder folder;
  std::ofstream(folder / "a.dat") << "old";
  {
    OutputFile file(folder / "a.dat");
    file.write("new");
    file.flush();
  }
  EXPECT_EQ(content(folder / "a.dat"), "old");
  EXPECT_EQ(folder.entries(), 1);
}

TEST(OutputFile, AFullDiskIsAnErrorThatNamesTheFile) {
  const ScratchFolder folder;
  const auto path = folder / "big.dat";
  std::string message;
  Fault fault{};
  {
    OutputFile file(path);
    const SmallDisk disk(100000);
    try {
      for (int i = 0; i < 100; ++i) file.write(std::string(100000, 'x'));
      file.commit();
    } catch (const Error& error) {
      message = error.what();
      fault = error.fault();
    }
  }
  EXPECT_EQ(message, path.string() + " cannot be written: File too large");
  EXPECT_EQ(fault, Fault::resource);
  EXPECT_EQ(folder.entries(), 0);
}

TEST(OutputFile, AFolderThatIsNotThereIsAnErrorThatNamesTheFile) {
  const ScratchFolder folder;
  const auto path = folder / "no" / "a.dat";
  try {
    const OutputFile file(path);
    FAIL() << "created " << path;
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::resource);
    EXPECT_EQ(std::string(error.what()), path.string() + " cannot be created: No such file or directory");
  }
}

TEST(OutputFile, ANameThatIsAFolderIsAnErrorAndLeavesNothing) {
  const ScratchFolder folder;
  std::filesystem::create_directory(folder / "a.dat");
  OutputFile file(folder / "a.dat");
  file.write("text");
  EXPECT_THAT([&] { file.commit(); },
              testing::ThrowsMessage<Error>(testing::HasSubstr("cannot be given its name")));
  EXPECT_EQ(folder.entries(), 1);
}

}  // namespace
}  // namespace setka::io
