// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/exec/parallel.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include <gtest/gtest.h>

#include "exec/parallel_test_kernel.hpp"
#include "setka/base/error.hpp"
#include "setka/exec/array.hpp"
#include "support/on_device.hpp"
#include "support/random.hpp"

namespace setka::exec {
namespace {

class ParallelOn : public test::OnDevice {};
SETKA_ON_ALL_DEVICES(ParallelOn);

TEST_P(ParallelOn, EveryIndexIsVisitedOnce) {
  for (const std::int64_t size : test::awkward_sizes()) {
    Array<std::int32_t> visits(device(), std::vector<std::int32_t>(static_cast<std::size_t>(size), 0));
    parallel_for(device(), size, test_kernel::CountVisits{visits});
    const auto counted = visits.to_vector();
    EXPECT_EQ(std::count(counted.begin(), counted.end(), 1), size) << "size " << size;
  }
}

TEST_P(ParallelOn, ReducesToAValueOfSeveralParts) {
  for (const std::int64_t size : test::awkward_sizes()) {
    auto values = test::random_values<double>(size, 3);
    if (size > 300)
      values[static_cast<std::size_t>(size) / 2] = values[static_cast<std::size_t>(size) - 1] = 2;
    const Array<double> x(device(), values);
    const auto found = reduce(device(), size, test_kernel::LargestWithIndex{x});
    const auto expected = size == 0 ? -1 : std::max_element(values.begin(), values.end()) - values.begin();
    EXPECT_EQ(found.index, expected) << "size " << size;
  }
}

TEST(ParallelDeathTest, AFailedKernelIsAnErrorThatNamesTheCall) {
  if (const std::string why = why_no_cuda(); !why.empty()) GTEST_SKIP() << "no GPU: " << why;
  ::testing::GTEST_FLAG(death_test_style) =
      "threadsafe";  // a fresh process: the fault ends its use of the GPU
  EXPECT_EXIT(
      {
        try {
          const Device device = Device::cuda(0);
          parallel_for(device, 1000, test_kernel::WriteNowhere{nullptr});
          device.synchronize();
        } catch (const Error& error) {
          std::fprintf(stderr, "%s\n", error.what());
          std::_Exit(static_cast<int>(exit_code(error.fault())));
        }
        std::_Exit(0);
      },
      ::testing::ExitedWithCode(4), "CUDA failed: an illegal memory access.* in .*cuda.*Synchronize");
}

}  // namespace
}  // namespace setka::exec
