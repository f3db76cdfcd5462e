// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "setka/base/config.hpp"
#include "setka/exec/device.hpp"

namespace setka::test {

/// A test that runs on every device of the build. Without a GPU its CUDA instance is skipped, with the
/// reason; where SETKA_REQUIRE_GPU is set that is a failure.
class OnDevice : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    const std::string kind = GetParam();
    if (kind != "cuda") {
      device_ = exec::Device::cpu(kind == "cpu_one_thread" ? 1 : 0);
      return;
    }
    const std::string why = exec::why_no_cuda();
    if (why.empty()) {
      device_ = exec::Device::cuda(0);
    } else if (std::getenv("SETKA_REQUIRE_GPU") != nullptr) {
      FAIL() << "a GPU is required, but " << why;
    } else {
      GTEST_SKIP() << "no GPU: " << why;
    }
  }

  const exec::Device& device() const { return *device_; }

 private:
  std::optional<exec::Device> device_;
};

inline std::vector<const char*> kinds_of_device() {
  std::vector<const char*> kinds{"cpu", "cpu_one_thread"};
  if (with_cuda) kinds.push_back("cuda");
  return kinds;
}

/// Lengths that hurt: nothing, one, around a warp, a block, a chunk of the reductions, a prime.
inline std::vector<std::int64_t> awkward_sizes() {
  return {0, 1, 2, 31, 32, 33, 255, 256, 257, 1023, 1025, 2047, 8191, 8192, 8193, 100003, 1 << 20};
}

}  // namespace setka::test

/// Instantiates a suite derived from OnDevice.
#define SETKA_ON_ALL_DEVICES(Suite)                                     \
  INSTANTIATE_TEST_SUITE_P(                                             \
      On, Suite, ::testing::ValuesIn(::setka::test::kinds_of_device()), \
      [](const ::testing::TestParamInfo<const char*>& kind) { return std::string(kind.param); })
