// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/exec/team.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "setka/base/error.hpp"
#include "setka/exec/array.hpp"
#include "setka/exec/letter.hpp"
#include "setka/exec/vector.hpp"
#include "support/on_team.hpp"

namespace setka::exec {
namespace {

class TeamOn : public test::OnTeam {};
SETKA_ON_ALL_DEVICES(TeamOn);

/// Sums of values that are different everywhere and in each round, against those of the host.
void expect_sums(const std::vector<Device>& devices, std::int64_t size) {
  const auto value = [](int member, std::int64_t i, int round) {
    return 0.1 * (member + 1) + 1e-3 * static_cast<double>(i) + 1e-9 * round;
  };
  std::vector<std::vector<double>> found(devices.size());
  Team(devices).run([&](const Member& member) {
    const Stream stream = member.device().stream();
    for (int round = 0; round < 7; ++round) {
      const std::int64_t length = size + round;
      std::vector<double> own(static_cast<std::size_t>(length));
      for (std::int64_t i = 0; i < length; ++i)
        own[static_cast<std::size_t>(i)] = value(member.number(), i, round);
      Array<double> values(member.device(), own);
      member.sum(stream, values);
      member.sum(stream, View<double>{values.data(), 1});
      const std::vector<double> sums = values.to_vector();
      auto& kept = found[static_cast<std::size_t>(member.number())];
      kept.insert(kept.end(), sums.begin(), sums.end());
    }
  });
  std::vector<double> expected;
  for (int round = 0; round < 7; ++round) {
    for (std::int64_t i = 0; i < size + round; ++i) {
      double sum = 0;
      for (int m = 0; m < static_cast<int>(devices.size()); ++m) sum += value(m, i, round);
      if (i == 0) {
        double again = 0;
        for (std::size_t m = 0; m < devices.size(); ++m) again += sum;
        sum = again;
      }
      expected.push_back(sum);
    }
  }
  for (const auto& of_member : found) EXPECT_EQ(of_member, expected) << "to the last bit";
}

TEST_P(TeamOn, sums_have_the_same_bits_everywhere) {
  for (const int members : {1, 2, 3, 5, 17}) {
    SCOPED_TRACE(members);
    for (const std::int64_t size : {1, 3, 1000}) expect_sums(twins(members), size);
  }
}

TEST_P(TeamOn, members_may_be_of_both_kinds) {
  std::vector<Device> mixed = twins(2);
  mixed.insert(mixed.begin() + 1, Device::cpu(1));
  expect_sums(mixed, 5);
}

TEST_P(TeamOn, sums_are_ordered_in_the_stream) {
  constexpr std::int64_t size = 1 << 20;
  team(3).run([&](const Member& member) {
    const Stream stream = member.device().stream();
    Array<double> x(member.device(), size);
    Array<double> sum(member.device(), 1);
    for (int round = 1; round <= 5; ++round) {
      fill(stream, x, static_cast<double>(round * (member.number() + 1)));
      dot_to(stream, x, x, sum);
      member.sum(stream, sum);  // nobody has waited for the dot product
      EXPECT_EQ(sum.to_vector()[0], static_cast<double>(size) * round * round * (1 + 4 + 9));
    }
  });
}

TEST_P(TeamOn, streams_wait_for_those_of_all) {
  constexpr std::int64_t size = 1 << 20;
  constexpr int members = 3;
  std::vector<Array<double>> told;
  const std::vector<Device> devices = twins(members);
  told.reserve(devices.size());
  for (const Device& one : devices) told.emplace_back(one, size);
  Team(devices).run([&](const Member& member) {
    const Stream stream = member.device().stream();
    const auto number = static_cast<std::size_t>(member.number());
    Array<double> sum(member.device(), size);
    for (int round = 1; round <= 7; ++round) {
      fill(stream, told[number], static_cast<double>(round * (member.number() + 1)));
      member.wait_for_all(stream);
      fill(stream, sum, 0.0);
      for (const Array<double>& one : told) axpy(stream, 1.0, one, sum);
      member.wait_for_all(stream);  // before what others read is overwritten
      const std::vector<double> found = sum.to_vector();
      EXPECT_EQ(found.front(), 6.0 * round);
      EXPECT_EQ(found.back(), 6.0 * round);
    }
  });
}

TEST_P(TeamOn, streams_wait_for_each_other_after_a_failure) {
  const Team devices = team(2);
  std::vector<Array<double>> told;
  for (const Device& one : devices.devices()) told.emplace_back(one, 1 << 20);
  const auto work = [&](const Member& member, bool fails) {
    const Stream stream = member.device().stream();
    const auto number = static_cast<std::size_t>(member.number());
    fill(stream, told[number], 1.0 + member.number());
    // One member has told how far it is, the other one not.
    if (fails && number == 1) throw Error(Fault::resource, "no memory on device 1");
    member.wait_for_all(stream);
    EXPECT_EQ(value_at(stream, told[1 - number].view().part(1'000'000, 1)), 2.0 - member.number());
    member.wait_for_all(stream);
  };
  EXPECT_THROW(devices.run([&](const Member& member) { work(member, true); }), Error);
  for (int round = 0; round < 3; ++round) {
    for (Array<double>& one : told) fill(one.device(), one, 0.0);
    for (const Device& one : devices.devices()) one.synchronize();
    devices.run([&](const Member& member) { work(member, false); });
  }
}

TEST(Team, NumbersOfTheHost) {
  const Team team({Device::cpu(1), Device::cpu(1), Device::cpu(1)});
  team.run([&](const Member& member) {
    EXPECT_EQ(member.size(), 3);
    for (int round = 0; round < 4; ++round) {
      EXPECT_EQ(member.sum(member.number() + 10.0 * round), 3 + 30.0 * round);
      EXPECT_EQ(member.all(true), true);
      EXPECT_EQ(member.all(member.number() != round), round > 2);
    }
  });
}

TEST(Team, WhatEachSaysAndWritesToEach) {
  std::vector<std::vector<double>> said(3);
  std::vector<std::vector<std::int32_t>> came(3);
  Team({Device::cpu(1), Device::cpu(1), Device::cpu(1)}).run([&](const Member& member) {
    const auto own = static_cast<std::size_t>(member.number());
    said[own] = member.each(10.0 + member.number());
    std::vector<Letter> to(3);
    for (std::size_t other = 0; other < 3; ++other) {
      if (other == own) continue;  // an empty one
      to[other].put(std::vector<std::int32_t>(other + 1, member.number()));
    }
    for (Letter& letter : member.exchange(std::move(to))) {
      if (letter.empty()) continue;
      for (const std::int32_t value : letter.take<std::int32_t>()) came[own].push_back(value);
    }
  });
  for (const std::vector<double>& values : said) EXPECT_EQ(values, (std::vector<double>{10, 11, 12}));
  EXPECT_EQ(came[0], (std::vector<std::int32_t>{1, 2}));
  EXPECT_EQ(came[1], (std::vector<std::int32_t>{0, 0, 2, 2}));
  EXPECT_EQ(came[2], (std::vector<std::int32_t>{0, 0, 0, 1, 1, 1}));
}

TEST(Team, EndsWithTheFirstFailure) {
  const Team team({Device::cpu(1), Device::cpu(1), Device::cpu(1)});
  std::atomic<int> rounds{0};
  try {
    team.run([&](const Member& member) {
      for (int i = 0; i < 5; ++i) {
        if (member.number() == 1 && i == 2) throw Error(Fault::resource, "no memory on device 1");
        ++rounds;
        member.meet();
      }
    });
    FAIL() << "the failure was lost";
  } catch (const Error& error) {
    EXPECT_EQ(error.message(), "no memory on device 1");
  }
  EXPECT_LE(rounds, 3 + 3 + 2);  // two whole rounds, and the third of the others
  rounds = 0;
  team.run([&](const Member& member) {
    ++rounds;
    member.meet();
    EXPECT_EQ(rounds, 3);
  });
}

TEST(Team, NeedsADevice) {
  EXPECT_THROW(Team({}), Error);
}

TEST_P(TeamOn, members_are_kept_from_one_work_to_the_next) {
  const Team three = team(3);
  std::vector<std::optional<Member>> kept(3);
  three.run([&](const Member& member) { kept[static_cast<std::size_t>(member.number())] = member; });
  std::vector<double> sums(3, 0.0);
  for (int round = 1; round <= 3; ++round) {
    three.run([&](const Member& now) {
      const auto at = static_cast<std::size_t>(now.number());
      Array<double> value(now.device(), std::vector<double>{static_cast<double>(round * (now.number() + 1))});
      kept[at]->sum(now.device(), value);
      sums[at] = value.to_vector()[0] + kept[at]->sum(1.0);
    });
    EXPECT_EQ(sums, std::vector<double>(3, 6.0 * round + 3));
  }
}

TEST_P(TeamOn, a_team_works_on_after_a_failure) {
  const Team two = team(2);
  for (int round = 0; round < 2; ++round) {
    const auto fails = [](const Member& member) {
      if (member.number() == 1) throw Error(Fault::input, "no");
      static_cast<void>(member.sum(1.0));  // one of them is ahead of the other now
      member.meet();
    };
    EXPECT_THROW(two.run(fails), Error);
    double sum = 0;
    two.run([&](const Member& member) {
      const double own = member.sum(member.number() + 1.0);
      if (member.number() == 0) sum = own;
    });
    EXPECT_EQ(sum, 3);
  }
}

TEST(Team, SharesAreOfOneWhole) {
  const Device cpu = Device::cpu(1);
  EXPECT_EQ(Team({cpu, cpu}).shares(), (std::vector<double>{0.5, 0.5}));
  EXPECT_EQ(Team({cpu, cpu, cpu}, {5, 2, 1}).shares(), (std::vector<double>{0.625, 0.25, 0.125}));
  EXPECT_THROW(Team({cpu, cpu}, {1}), Error);
  EXPECT_THROW(Team({cpu, cpu}, {1, 0}), Error);
}

}  // namespace
}  // namespace setka::exec
