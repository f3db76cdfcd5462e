// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/modes/modes.hpp"

#include <gtest/gtest.h>

namespace setka::modes {
namespace {

TEST(Modes, SignsFollowTheFirstOfTheLargest) {
  Modes modes;
  modes.rows = 3;
  modes.lambda = {1, 2, 3};
  modes.shape = {-2, 1, 0, 2 + 1e-8, -3, 0, 1, 2, -1};
  fix_signs(modes);
  EXPECT_EQ(modes.shape, (std::vector<double>{2, -1, 0, -2 - 1e-8, 3, 0, -1, -2, 1}));
}

TEST(Modes, KeepsWhatWasAskedFor) {
  Modes modes;
  modes.rows = 2;
  modes.lambda = {1, 2, 3, 4};
  modes.residual = {0.1, 0.2, 0.3, 0.4};
  modes.shape = {1, 2, 3, 4, 5, 6, 7, 8};
  Request request;
  request.lower = 1.5;
  request.upper = 3.5;
  keep_requested(request, modes);
  EXPECT_EQ(modes.lambda, (std::vector<double>{2, 3}));
  EXPECT_EQ(modes.residual, (std::vector<double>{0.2, 0.3}));
  EXPECT_EQ(modes.shape, (std::vector<double>{2, 3, 6, 7}));
}

}  // namespace
}  // namespace setka::modes
