// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/exec/device.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "setka/base/error.hpp"
#include "setka/exec/array.hpp"
#include "setka/exec/scratch.hpp"
#include "setka/exec/select.hpp"
#include "support/on_device.hpp"

namespace setka::exec {
namespace {

using ::testing::HasSubstr;

class DeviceOn : public test::OnDevice {};
SETKA_ON_ALL_DEVICES(DeviceOn);

TEST_P(DeviceOn, TellsWhatItIs) {
  const DeviceInfo info = device().info();
  EXPECT_EQ(info.backend, device().backend());
  EXPECT_FALSE(info.name.empty());
  EXPECT_GT(info.total_memory, 0U);
  EXPECT_LE(info.free_memory, info.total_memory);
  EXPECT_EQ(device().label(), device().is_cuda() ? "cuda:0" : "cpu");
}

TEST_P(DeviceOn, EventsMeasureTime) {
  const Stream stream = device().stream();
  const Event first = stream.record();
  const Event second = stream.record();
  second.synchronize();
  EXPECT_GE(second.seconds_since(first), 0.0);
  EXPECT_LT(second.seconds_since(first), 10.0);
}

TEST_P(DeviceOn, AllocatesWithinItsLimit) {
  const Device limited = device().is_cuda() ? Device::cuda(0) : Device::cpu(2);
  limited.limit_memory(1 << 20);
  EXPECT_EQ(limited.info().total_memory, 1U << 20);
  EXPECT_EQ(limited.memory_peak(), 0U);
  {
    const Array<char> most(limited, 1000000);
    EXPECT_EQ(limited.info().free_memory, (1U << 20) - 1000000);
    try {
      const Array<char> more(limited, 50000);
      FAIL();
    } catch (const Error& error) {
      EXPECT_EQ(error.fault(), Fault::resource);
      EXPECT_THAT(error.what(), HasSubstr("48.8 KiB asked for, 47.4 KiB of 1.00 MiB free"));
    }
  }
  const Array<char> again(limited, 50000);  // what is freed counts no longer
  EXPECT_EQ(limited.memory_peak(), 1000000U);
  limited.forget_memory_peak();
  EXPECT_EQ(limited.memory_peak(), 50000U);
}

TEST_P(DeviceOn, GivesScratchBackBeforeItRefuses) {
  const Device limited = device().is_cuda() ? Device::cuda(0) : Device::cpu(2);
  limited.limit_memory(1 << 20);
  { const Scratch<char> kept(limited.stream(), 600000); }
  EXPECT_NO_THROW(Array<char>(limited, 900000));
}

std::string refusal(const std::string& backend, const std::vector<std::string>& names, int threads = 0) {
  try {
    select_devices(backend, names, threads);
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::usage);
    return error.what();
  }
  return "nothing was thrown";
}

TEST(Select, RefusesWhatIsNotThere) {
  EXPECT_THAT(refusal("vulkan", {}), HasSubstr("unknown back end 'vulkan'; use auto, cpu or cuda"));
  EXPECT_THAT(refusal("cudda", {}), HasSubstr("did you mean cuda?"));
  EXPECT_THAT(refusal("cpu", {"0"}), HasSubstr("device numbers name GPUs"));
  EXPECT_THAT(refusal("cpu", {}, -2), HasSubstr("-2 threads"));
  EXPECT_THAT(refusal("cuda", {"999"}), HasSubstr("no CUDA device"));
  EXPECT_THAT(refusal("cuda", {"cpu"}), HasSubstr("the device cpu is no GPU"));
  for (const char* const name : {"x", "-1", "1x", ""})
    EXPECT_THAT(refusal("auto", {name}), HasSubstr("there is no device '" + std::string(name) + "'"));
}

TEST(Select, CudaSaysWhyThereIsNone) {
  const std::string why = why_no_cuda();
  if (why.empty()) GTEST_SKIP() << "there is a GPU";
  EXPECT_THAT(refusal("cuda", {}), HasSubstr(why));
}

TEST(Select, AutoFindsADevice) {
  const std::vector<Device> devices = select_devices("auto");
  ASSERT_EQ(devices.size(), 1);
  EXPECT_EQ(devices[0].is_cuda(), why_no_cuda().empty());
}

TEST(Select, TeamHasTheThreadsAskedFor) {
  EXPECT_EQ(select_devices("cpu", {}, 3).at(0).threads(), 3);
  EXPECT_GE(select_devices("cpu").at(0).threads(), 1);
  const std::vector<Device> two = select_devices("auto", {"cpu", "cpu"}, 5);
  ASSERT_EQ(two.size(), 2);
  EXPECT_EQ(two[0].threads() + two[1].threads(), 4) << "as many each";
  EXPECT_FALSE(two[0] == two[1]);
  EXPECT_EQ(select_devices("cpu", {"cpu"}, 3).at(0).threads(), 3);
}

TEST(Select, ListsTheCpuFirst) {
  const std::vector<DeviceInfo> devices = all_devices();
  ASSERT_FALSE(devices.empty());
  EXPECT_EQ(devices[0].backend, Backend::cpu);
  EXPECT_EQ(devices.size() > 1, why_no_cuda().empty());
}

}  // namespace
}  // namespace setka::exec
