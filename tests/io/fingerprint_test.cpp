// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/io/fingerprint.hpp"

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "io/scratch_folder.hpp"

namespace {

using setka::io::hash_of_files;
using setka::io::hash_of_text;
using setka::io::stamp_of_file;
using setka::test::ScratchFolder;

TEST(Fingerprint, FilesHaveAHash) {
  const ScratchFolder folder;
  std::ofstream(folder / "a") << "one";
  std::ofstream(folder / "b") << "two";
  const std::string a = (folder / "a").string();
  const std::string b = (folder / "b").string();
  const std::uint64_t both = hash_of_files({a, b});
  EXPECT_EQ(hash_of_files({a, b}), both);
  EXPECT_NE(hash_of_files({b, a}), both);
  std::ofstream(folder / "a") << "onet";
  std::ofstream(folder / "b") << "wo";
  EXPECT_NE(hash_of_files({a, b}), both);
}

TEST(Fingerprint, EveryByteCounts) {
  const std::string text(37, '0');
  std::set<std::uint64_t> seen{hash_of_text(text)};
  for (std::size_t i = 0; i < text.size(); ++i) {
    for (std::size_t j = i; j < text.size(); ++j) {  // two that differ do not make up for each other
      std::string other = text;
      other[i] = '1';
      other[j] = '1';
      EXPECT_TRUE(seen.insert(hash_of_text(other)).second) << i << " and " << j;
    }
  }
  EXPECT_TRUE(seen.insert(hash_of_text(text + '\0')).second);
  EXPECT_TRUE(seen.insert(hash_of_text({})).second);
}

TEST(Fingerprint, CopiesHaveOtherStamps) {
  const ScratchFolder folder;
  std::ofstream(folder / "a") << "one";
  std::filesystem::copy_file(folder / "a", folder / "b");
  std::filesystem::last_write_time(folder / "b", std::filesystem::last_write_time(folder / "a"));
  std::filesystem::create_symlink("a", folder / "c");
  const auto a = stamp_of_file((folder / "a").string());
  const auto b = stamp_of_file((folder / "b").string());
  const auto c = stamp_of_file((folder / "c").string());
  EXPECT_EQ(a.size, 3);
  EXPECT_EQ(a.written, b.written);
  EXPECT_FALSE(a.number == b.number && a.changed == b.changed);
  EXPECT_TRUE(a.number == c.number && a.changed == c.changed && a.written == c.written);
  EXPECT_EQ(stamp_of_file((folder / "nothing").string()).changed, 0);
}

}  // namespace
