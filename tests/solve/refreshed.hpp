// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <gtest/gtest.h>

#include "setka/base/monitor.hpp"
#include "setka/exec/array.hpp"
#include "setka/solve/amg.hpp"
#include "solve/elastic_block.hpp"
#include "support/random.hpp"

namespace setka::test {

/// Multigrid of a block that is refreshed with other moduli does what one made of these does, to the bit, and
/// not what it did before: aggregates do not depend on values.
inline void expect_refresh_as_good_as_new(const exec::Device& device, const ElasticBlock& soft) {
  ElasticBlock stiff = soft;
  stiff.modulus = [](double x, double, double) { return 2.1e11 * (1 + 9 * x); };
  const ElasticSystem before = assemble(soft);
  const ElasticSystem after = assemble(stiff);
  Monitor monitor;
  solve::AmgOptions options;
  options.refreshable = true;
  solve::Amg refreshed(device, before.system.matrix, before.geometry, options, monitor);
  const exec::Array<double> x(device, random_values<double>(refreshed.rows(), 1));
  const auto applied = [&](const solve::Amg& amg) {
    exec::Array<double> y(device, x.size());
    amg.apply(device, x, y);
    return y.to_vector();
  };
  const auto old = applied(refreshed);
  EXPECT_TRUE(refreshed.refreshes(after.system.matrix));
  refreshed.refresh(after.system.matrix, monitor);
  const solve::Amg anew(device, after.system.matrix, after.geometry, solve::AmgOptions{}, monitor);
  EXPECT_FALSE(anew.refreshes(after.system.matrix));
  EXPECT_EQ(applied(refreshed), applied(anew));
  EXPECT_NE(applied(refreshed), old);
}

}  // namespace setka::test
