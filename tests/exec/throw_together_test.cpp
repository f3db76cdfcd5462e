// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/exec/throw_together.hpp"

#include <exception>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "setka/base/error.hpp"
#include "support/thread_transport.hpp"

namespace setka::exec {
namespace {

using ::testing::Each;

/// What each of three members throws where some have failed so.
std::vector<std::string> thrown_where(const std::vector<std::exception_ptr>& failures) {
  return test::run_members(3, [&](const std::shared_ptr<const Transport>& all) {
    throw_together(*all, failures[static_cast<std::size_t>(all->number())]);
  });
}

TEST(ThrowTogether, NobodyWhereNobodyHasFailed) {
  EXPECT_THAT(thrown_where({nullptr, nullptr, nullptr}), Each(""));
}

TEST(ThrowTogether, AllInTheWordsOfTheFirstThatHas) {
  const auto full = std::make_exception_ptr(Error(Fault::resource, "no room", "make some"));
  const auto other = std::make_exception_ptr(std::runtime_error("another"));
  EXPECT_THAT(thrown_where({full, nullptr, other}), Each("no room; make some"));
  EXPECT_THAT(thrown_where({nullptr, full, other}), Each("process 1: no room; make some"));
  EXPECT_THAT(thrown_where({nullptr, nullptr, other}), Each("process 2: another"));
}

TEST(ThrowTogether, TheFaultGoesWithIt) {
  (void)test::run_members(2, [](const std::shared_ptr<const Transport>& all) {
    const auto own =
        all->number() == 1 ? std::make_exception_ptr(Error(Fault::interrupted, "stop")) : nullptr;
    try {
      throw_together(*all, own);
      ADD_FAILURE() << "nothing is thrown";
    } catch (const Error& error) {
      EXPECT_EQ(error.fault(), Fault::interrupted);
    }
  });
}

}  // namespace
}  // namespace setka::exec
