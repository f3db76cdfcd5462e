// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/base/system.hpp"

#include <vector>

#include <gtest/gtest.h>

#include "setka/base/build_info.hpp"
#include "setka/base/config.hpp"

namespace setka {
namespace {

TEST(System, MemoryIsPlausible) {
  const HostMemory memory = host_memory();
  EXPECT_GT(memory.total, 100U << 20U);
  EXPECT_GT(memory.available, 0U);
  EXPECT_LE(memory.available, memory.total);
}

TEST(System, PeakGrowsWithUse) {
  const std::uint64_t before = peak_resident_bytes();
  const std::vector<char> touched(200U << 20U, 1);
  EXPECT_GE(peak_resident_bytes() + touched[5], before + (100U << 20U));
}

TEST(System, ProcessorHasAName) {
  EXPECT_FALSE(processor_name().empty());
}

TEST(BuildInfo, IsComplete) {
  const BuildInfo& build = build_info();
  EXPECT_EQ(build.version, version);
  EXPECT_FALSE(build.revision.empty());
  EXPECT_FALSE(build.compiler.empty());
  EXPECT_EQ(build.cuda_compiler.empty(), !with_cuda);
  EXPECT_FALSE(build.libraries.empty());
  for (const Library& library : build.libraries) {
    if (!library.found) {
      EXPECT_FALSE(library.without.empty()) << library.name << " is missing and nothing says what that means";
    }
  }
}

}  // namespace
}  // namespace setka
