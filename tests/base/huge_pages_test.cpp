// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/base/huge_pages.hpp"

#include <cstdlib>
#include <memory>

#include <gtest/gtest.h>

namespace setka {
namespace {

struct Free {
  void operator()(void* memory) const { std::free(memory); }
};

/// Memory of any size and place stays what it was: all of it can be used, and what is there is kept.
TEST(HugePages, AreAWish) {
  prefer_huge_pages(nullptr, 8 * huge_page);
  for (const std::size_t bytes : {std::size_t{1}, 2 * huge_page - 1, 2 * huge_page, 5 * huge_page + 17}) {
    const std::unique_ptr<unsigned char, Free> memory(static_cast<unsigned char*>(std::calloc(bytes, 1)));
    ASSERT_NE(memory, nullptr);
    unsigned char* const data = memory.get();
    data[0] = 3;
    prefer_huge_pages(data, bytes);
    prefer_huge_pages(data + bytes / 2, bytes - bytes / 2);
    EXPECT_EQ(data[0], 3);
    for (std::size_t i = 1; i < bytes; i += 4095) ASSERT_EQ(data[i], 0) << i << " of " << bytes;
    for (std::size_t i = 0; i < bytes; i += 4095) data[i] = static_cast<unsigned char>(i / 4095);
    for (std::size_t i = 0; i < bytes; i += 4095) ASSERT_EQ(data[i], static_cast<unsigned char>(i / 4095));
  }
}

}  // namespace
}  // namespace setka
