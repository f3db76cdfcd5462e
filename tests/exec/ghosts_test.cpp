// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/exec/ghosts.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "setka/base/error.hpp"
#include "setka/exec/array.hpp"
#include "setka/exec/vector.hpp"
#include "support/on_team.hpp"

namespace setka::exec {
namespace {

class GhostsOn : public test::OnTeam {};
SETKA_ON_ALL_DEVICES(GhostsOn);

constexpr int block = 3;
constexpr std::int64_t blocks = 50;  // of each member

/// Members in a ring: each sends its blocks 1 and 40 to the next one and block 7 to the one before.
std::vector<Link> links_in_ring(int member, int size) {
  const int next = (member + 1) % size;
  const int before = (member + size - 1) % size;
  if (size == 1) return {};
  if (size == 2) return {{next, {1, 40, 7}, 3}};
  return next < before ? std::vector<Link>{{next, {1, 40}, 1}, {before, {7}, 2}}
                       : std::vector<Link>{{before, {7}, 2}, {next, {1, 40}, 1}};
}

double value(int member, std::int64_t row, std::int64_t column, int round) {
  return 1e6 * member + static_cast<double>(row) + 0.1 * static_cast<double>(column) + 1e-3 * round;
}

void expect_exchange(const std::vector<Device>& devices, std::int64_t columns) {
  const int size = static_cast<int>(devices.size());
  Team(devices).run([&](const Member& member) {
    const Stream stream = member.device().stream();
    Ghosts<double> ghosts(member, block, links_in_ring(member.number(), size));
    EXPECT_EQ(ghosts.rows(), size == 1 ? 0 : 9);
    for (int round = 0; round < 5; ++round) {
      std::vector<double> own;
      for (std::int64_t i = 0; i < block * blocks; ++i) {
        for (std::int64_t j = 0; j < columns; ++j) own.push_back(value(member.number(), i, j, round));
      }
      const MultiVector<double> x(member.device(), block * blocks, columns, own);
      ghosts.begin(stream, x.view());
      const MultiView<const double> found = ghosts.finish(stream);
      ASSERT_EQ(found.rows, ghosts.rows());
      Array<double> copy(member.device(), found.rows * columns);
      copy_async<double>(stream, View<const double>{found.data, copy.size()}, copy.view());
      const std::vector<double> came = copy.to_vector();
      std::size_t at = 0;
      for (const Link& link : links_in_ring(member.number(), size)) {
        for (const Link& back : links_in_ring(link.with, size)) {
          if (back.with != member.number()) continue;
          for (const std::int32_t sent : back.send) {
            for (std::int64_t r = 0; r < block; ++r) {
              for (std::int64_t j = 0; j < columns; ++j)
                EXPECT_EQ(came[at++], value(link.with, sent * block + r, j, round));
            }
          }
        }
      }
      EXPECT_EQ(at, came.size());
    }
  });
}

TEST_P(GhostsOn, come_from_their_owners) {
  for (const int members : {1, 2, 3, 5}) {
    SCOPED_TRACE(members);
    for (const std::int64_t columns : {1, 4}) expect_exchange(twins(members), columns);
  }
}

TEST_P(GhostsOn, members_may_be_of_both_kinds) {
  expect_exchange({Device::cpu(1), twin(), Device::cpu(2)}, 2);
  expect_exchange({twin(), Device::cpu(1)}, 1);
}

TEST(Ghosts, LinksThatDoNotFitAreRefused) {
  const Team team({Device::cpu(1), Device::cpu(1)});
  EXPECT_THROW(team.run([](const Member& member) {
    const Ghosts<double> wrong(member, block, {{1 - member.number(), {0, 1}, member.number() + 1}});
  }),
               Error);
}

}  // namespace
}  // namespace setka::exec
