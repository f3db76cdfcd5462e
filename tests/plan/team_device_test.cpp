// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/plan/team_device.hpp"

#include <cstdlib>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "io/scratch_folder.hpp"
#include "plan/made_up_profile.hpp"
#include "setka/base/error.hpp"

namespace setka::plan {
namespace {

using ::testing::HasSubstr;

class TeamDevices : public ::testing::Test {
 protected:
  TeamDevices() { setenv("SETKA_PROFILE", path().c_str(), 1); }
  ~TeamDevices() override { unsetenv("SETKA_PROFILE"); }

  std::string path() const { return (folder_ / "profile.json").string(); }

  /// A file with profiles of such devices.
  void calibrate(const std::vector<std::string>& devices) const {
    MachineProfile machine;
    machine.setka = "0.1.0";
    for (const std::string& device : devices) {
      machine.devices.push_back(test::made_up_profile());
      machine.devices.back().device = device;
    }
    write_profile(path(), machine);
  }

  const test::ScratchFolder folder_;
};

TEST_F(TeamDevices, AnH200IsKnownWithoutACalibration) {
  for (const std::string name : {"", "h200"}) {
    const TeamDevice device = find_team_device(name);
    EXPECT_EQ(device.hardware, "NVIDIA H200");
    EXPECT_TRUE(device.gpu);
  }
}

/// benchmarks/results/h200/domains.json: 891 iterations with the diagonal on a block of 84^3 hexahedra, held
/// at one end, took 382.4 ms.
TEST_F(TeamDevices, ItsRatesPredictWhatWasMeasured) {
  const double nodes = 84.0 * 85 * 85;
  const double blocks = (3.0 * 84 - 2) * (3.0 * 85 - 2) * (3.0 * 85 - 2);
  const TeamPart whole = team_part({nodes, blocks, 0, 0, 0}, 3);
  const TeamMachine machine = find_team_device("h200").machine(usual_link(true));
  EXPECT_NEAR(cg_iteration(whole, machine, false).seconds(), 382.4e-3 / 891, 0.05 * 382.4e-3 / 891);
}

TEST_F(TeamDevices, CalibratedOnesHaveTheirOwnRates) {
  calibrate({"cpu", "cuda:0"});
  const TeamDevice cpu = find_team_device("cpu");
  EXPECT_FALSE(cpu.gpu);
  EXPECT_DOUBLE_EQ(cpu.memory, 24 * 1e6 / 2e-3);  // a million values of saxpy in 2 ms
  EXPECT_DOUBLE_EQ(cpu.launch, 1e-6);
  EXPECT_EQ(cpu.hardware, "a made-up device");
  EXPECT_EQ(find_team_device("").name, "cuda:0");
  EXPECT_EQ(find_team_device("h200").hardware, "NVIDIA H200");
}

TEST_F(TeamDevices, ACalibratedCpuIsNotTakenUnasked) {
  calibrate({"cpu"});
  EXPECT_EQ(find_team_device("").name, "h200");
}

TEST_F(TeamDevices, CpusShareByTheirThreads) {
  std::string why;
  const std::vector<exec::Device> devices{exec::Device::cpu(3), exec::Device::cpu(1)};
  EXPECT_EQ(shares_of(devices, why), (std::vector<double>{3, 1}));
  EXPECT_EQ(why, "");
}

TEST_F(TeamDevices, AGpuAndACpuShareByWhatWasMeasured) {
  if (const std::string none = exec::why_no_cuda(); !none.empty()) GTEST_SKIP() << "no GPU: " << none;
  const std::vector<exec::Device> devices{exec::Device::cuda(0), exec::Device::cpu(1)};
  std::string why;
  EXPECT_FALSE(shares_of(devices, why));
  EXPECT_THAT(why, HasSubstr("cuda:0"));
  MachineProfile machine;
  machine.setka = "0.1.0";
  for (const exec::Device& device : {exec::Device::cuda(0), exec::Device::cpu()}) {
    machine.devices.push_back(test::made_up_profile());
    machine.devices.back().device = device.is_cuda() ? "cuda:0" : "cpu";
    machine.devices.back().hardware = hardware_identity(device);
  }
  write_profile(path(), machine);
  const auto shares = shares_of(devices, why);
  ASSERT_TRUE(shares) << why;
  EXPECT_NEAR((*shares)[0] / (*shares)[1], exec::Device::cpu().threads(), 1e-9);
}

TEST_F(TeamDevices, OthersAreRefusedWithThoseThereAre) {
  const auto error = [](const std::string& name) -> std::string {
    try {
      find_team_device(name);
    } catch (const Error& failure) {
      EXPECT_EQ(failure.fault(), Fault::usage);
      return failure.what();
    }
    return "none";
  };
  EXPECT_THAT(error("cuda:0"),
              HasSubstr("the rates of a device cuda:0 are not known; give h200, or measure"));
  calibrate({"cpu"});
  EXPECT_THAT(error("cuda:0"), HasSubstr("give h200 or cpu, or measure others by setka calibrate"));
}

}  // namespace
}  // namespace setka::plan
