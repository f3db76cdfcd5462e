// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/plan/profile.hpp"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plan/made_up_profile.hpp"
#include "setka/base/build_info.hpp"
#include "setka/base/error.hpp"

namespace setka::plan {
namespace {

using ::testing::HasSubstr;

class ProfileFile : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::path(::testing::TempDir()) / ("setka_profile_" + std::to_string(getpid()));
    std::filesystem::remove_all(folder_);
    path_ = folder_ / "sub" / "profile.json";
    setenv("SETKA_PROFILE", path_.c_str(), 1);
  }
  void TearDown() override {
    unsetenv("SETKA_PROFILE");
    std::filesystem::remove_all(folder_);
  }

  void write_text(const std::string& text) const {
    std::filesystem::create_directories(path_.parent_path());
    std::ofstream(path_) << text;
  }
  std::string text() const {
    std::ifstream file(path_);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  std::filesystem::path folder_;
  std::filesystem::path path_;
};

MachineProfile machine_with(const DeviceProfile& device) {
  return {build_info().version, {device}};
}

TEST_F(ProfileFile, comes_back_as_it_was_written_and_keeps_other_devices) {
  EXPECT_FALSE(read_profile(path_).has_value());
  DeviceProfile cpu = test::made_up_profile();
  cpu.took = 12.5;
  write_profile(path_, machine_with(cpu));
  DeviceProfile gpu = cpu;
  gpu.device = "cuda:0";
  gpu.launch = 2e-6;
  write_profile(path_, machine_with(gpu));
  const auto machine = read_profile(path_);
  ASSERT_TRUE(machine.has_value());
  EXPECT_EQ(machine->devices.size(), 2U);
  EXPECT_EQ(machine->find("cuda:0")->launch, 2e-6);
  const DeviceProfile& same = *machine->find("cpu");
  EXPECT_EQ(same.hardware, cpu.hardware);
  EXPECT_EQ(same.took, 12.5);
  EXPECT_EQ(same.up_pinned.rate, cpu.up_pinned.rate);
  EXPECT_EQ(same.curve("saxpy").seconds, cpu.curve("saxpy").seconds);
  EXPECT_EQ(same.curves.size(), cpu.curves.size());
}

TEST_F(ProfileFile, keeps_what_was_measured_of_processes) {
  MachineProfile machine;
  machine.setka = "0.1.0";
  machine.ranks = RankProfile{4, "a made-up machine", "2026-11-18T05:00:00Z", 1.5e-9, {2e-6, 1e10}};
  write_profile(path_, machine);
  write_profile(path_, machine_with(test::made_up_profile()));  // which has none
  const auto read = read_profile(path_);
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(read->devices.size(), 1U);
  ASSERT_TRUE(read->ranks.has_value());
  EXPECT_EQ(read->ranks->processes, 4);
  EXPECT_EQ(read->ranks->product, 1.5e-9);
  EXPECT_EQ(read->ranks->link.latency, 2e-6);
  std::string broken = text();
  broken.replace(broken.find("1.5e-09"), 7, "-1.5e-9");
  write_text(broken);
  EXPECT_THAT([&] { read_profile(path_); }, ::testing::ThrowsMessage<Error>(HasSubstr("processes")));
}

TEST_F(ProfileFile, broken_files_are_refused_by_name_and_replaced_by_a_calibration) {
  write_profile(path_, machine_with(test::made_up_profile()));
  const std::string whole = text();
  const auto refused = [&](const std::string& text, const std::string& what) {
    write_text(text);
    EXPECT_THAT([&] { read_profile(path_); },
                ::testing::ThrowsMessage<Error>(::testing::AllOf(HasSubstr(path_.string()), HasSubstr(what),
                                                                 HasSubstr("setka calibrate"))));
  };
  refused("", "cannot be used");
  refused(whole.substr(0, whole.size() / 2), "cannot be used");
  refused("{\"format\": 7}", "its format is 7, not 1");
  refused(R"({"format": 1, "setka": 3, "devices": []})", "cannot be used");
  std::string negative = whole;
  negative.replace(negative.find("\"threads_at_once\": 1000.0"), 25, "\"threads_at_once\": -1.000");
  refused(negative, "a rate of cpu is -1");
  std::string unordered = whole;
  const auto first = unordered.find("1000.0", unordered.find("\"size\": ["));
  ASSERT_NE(first, std::string::npos);
  unordered.replace(first, 6, "9e99  ");
  refused(unordered, "of cpu is broken");
  write_profile(path_, machine_with(test::made_up_profile()));
  EXPECT_TRUE(read_profile(path_).has_value());
}

TEST_F(ProfileFile, of_other_hardware_is_not_used) {
  const exec::Device device = exec::Device::cpu(1);
  std::string why;
  EXPECT_FALSE(profile_for(device, why).has_value());
  EXPECT_THAT(why, HasSubstr("cpu has no profile in " + path_.string()));
  DeviceProfile profile = test::made_up_profile();
  write_profile(path_, machine_with(profile));
  EXPECT_FALSE(profile_for(device, why).has_value());
  EXPECT_THAT(why, HasSubstr("was made on a made-up device, this is "));
  profile.hardware = hardware_identity(device);
  write_profile(path_, machine_with(profile));
  EXPECT_TRUE(profile_for(device, why).has_value()) << why;
  EXPECT_NE(hardware_identity(exec::Device::cpu(1)), hardware_identity(exec::Device::cpu(2)));
}

TEST(Profile, grows_stale_by_age_and_version) {
  const DeviceProfile profile = test::made_up_profile();
  MachineProfile machine = machine_with(profile);
  const std::int64_t made = 1794780000;  // 2026-11-15T22:00:00Z
  EXPECT_EQ(date_text(made), profile.date);
  EXPECT_EQ(why_stale(machine, profile, made + 86400), "");
  EXPECT_EQ(why_stale(machine, profile, made + std::int64_t{200} * 86400), "the profile is 200 days old");
  machine.setka = "0.0.1";
  EXPECT_EQ(why_stale(machine, profile, made), "the profile was made by setka 0.0.1");
}

TEST(Profile, a_limit_of_memory_makes_no_other_hardware) {
  const exec::Device device = exec::Device::cpu(1);
  const std::string whole = hardware_identity(device);
  device.limit_memory(std::uint64_t{1} << 20);
  EXPECT_EQ(hardware_identity(device), whole);
}

}  // namespace
}  // namespace setka::plan
