// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// Checkpoints, the files that go on with them, and histories.
#include "setka/io/checkpoint.hpp"

#include <array>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "io/scratch_folder.hpp"
#include "io/small_disk.hpp"
#include "setka/base/error.hpp"
#include "setka/io/history_writer.hpp"
#include "setka/io/output_file.hpp"

namespace setka::io {
namespace {

using test::content;
using test::ScratchFolder;
using test::SmallDisk;
using ::testing::HasSubstr;

template <class Action>
std::string refusal(Fault fault, Action&& action) {
  try {
    action();
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), fault);
    return error.what();
  }
  return "nothing was thrown";
}

TEST(Checkpoint, ComesBackAsItWas) {
  const ScratchFolder folder;
  Checkpoint written;
  written.model = 0x123456789ABCDEF0;
  written.put("numbers", std::vector<double>{1.5, -0.0, 1e300});
  written.put("none", std::vector<float>{});
  written.parts["text"] = std::string("a\0b", 3);
  write_checkpoint(folder / "a.checkpoint", written);
  const Checkpoint read = read_checkpoint(folder / "a.checkpoint", written.model);
  EXPECT_EQ(read.parts, written.parts);
  EXPECT_EQ(read.get<double>("numbers"), (std::vector<double>{1.5, -0.0, 1e300}));
  EXPECT_TRUE(read.get<float>("none").empty());
  EXPECT_EQ(folder.entries(), 1);
  EXPECT_THAT(refusal(Fault::input, [&] { read.part("other"); }), HasSubstr("no part 'other'"));
}

TEST(Checkpoint, IsRefusedWhereItDoesNotFit) {
  const ScratchFolder folder;
  const auto path = folder / "a.checkpoint";
  EXPECT_THAT(refusal(Fault::input, [&] { read_checkpoint(path, 1); }), HasSubstr("there is no checkpoint"));
  Checkpoint written;
  written.model = 1;
  written.put("numbers", std::vector<double>(100, 2.0));
  write_checkpoint(path, written);
  EXPECT_THAT(refusal(Fault::input, [&] { read_checkpoint(path, 2); }), HasSubstr("another deck"));
  const std::string whole = content(path);
  for (std::size_t cut = 0; cut < whole.size(); cut += 13) {
    std::ofstream(path, std::ios::binary) << whole.substr(0, cut);
    EXPECT_THAT(refusal(Fault::input, [&] { read_checkpoint(path, 1); }), HasSubstr("damaged")) << cut;
  }
  for (std::size_t at = 0; at < whole.size(); at += 17) {
    std::string other = whole;
    other[at] = static_cast<char>(other[at] ^ 4);
    std::ofstream(path, std::ios::binary) << other;
    EXPECT_THAT(refusal(Fault::input, [&] { read_checkpoint(path, 1); }), HasSubstr("damaged")) << at;
  }
}

TEST(Checkpoint, AFullDiskLeavesTheOldOne) {
  const ScratchFolder folder;
  Checkpoint first;
  first.model = 1;
  write_checkpoint(folder / "a.checkpoint", first);
  Checkpoint second = first;
  second.put("numbers", std::vector<double>(10000, 2.0));
  {
    const SmallDisk full(4096);
    EXPECT_THAT(refusal(Fault::resource, [&] { write_checkpoint(folder / "a.checkpoint", second); }),
                HasSubstr("cannot be written"));
  }
  EXPECT_TRUE(read_checkpoint(folder / "a.checkpoint", 1).parts.empty());
  EXPECT_EQ(folder.entries(), 1);
}

TEST(OutputFile, GoesOnBehindWhatWasKept) {
  const ScratchFolder folder;
  OutputFile::Position position;
  {
    OutputFile first(folder / "a.dat");
    first.write("one ");
    position = first.keep();
    first.write("lost");
    first.flush();
  }
  EXPECT_FALSE(std::filesystem::exists(folder / "a.dat"));
  EXPECT_TRUE(std::filesystem::exists(position.part));
  OutputFile second(folder / "a.dat");
  second.write("header");
  second.go_on(position);
  second.write("two");
  second.commit();
  EXPECT_EQ(content(folder / "a.dat"), "one two");
  EXPECT_EQ(folder.entries(), 1);
  OutputFile third(folder / "a.dat");
  EXPECT_THAT(refusal(Fault::input, [&] { third.go_on(position); }), HasSubstr("4 bytes of"));
}

TEST(HistoryWriter, RowsAreThereAtOnceAndGoOn) {
  const ScratchFolder folder;
  std::int64_t size = 0;
  {
    HistoryWriter first(folder / "a.csv", {"time", "u"});
    first.write(std::array{0.0, 0.1});
    EXPECT_EQ(content(folder / "a.csv"), "time,u\n0,0.1\n");
    size = first.size();
    first.write(std::array{1.0, 1e-300});
  }
  {
    HistoryWriter second(folder / "a.csv", size);
    second.write(std::array{2.0, 3.0});
  }
  EXPECT_EQ(content(folder / "a.csv"), "time,u\n0,0.1\n2,3\n");
  EXPECT_THAT(refusal(Fault::input, [&] { HistoryWriter third(folder / "a.csv", 1000); }),
              HasSubstr("1000 bytes of it are needed"));
  HistoryWriter fourth(folder / "b.csv", {"time"});
  {
    const SmallDisk full(6);
    EXPECT_THAT(refusal(Fault::resource, [&] { fourth.write(std::array{123456.0}); }),
                HasSubstr("cannot be written"));
  }
  EXPECT_EQ(content(folder / "b.csv"), "time\n");
}

}  // namespace
}  // namespace setka::io
