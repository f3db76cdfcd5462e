// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "setka/base/monitor.hpp"
#include "setka/exec/array.hpp"
#include "setka/solve/operators.hpp"
#include "setka/solve/solver.hpp"
#include "support/on_device.hpp"

namespace setka::test {

/// Tests of a solver of one right-hand side, from zero, on a device.
template <class Method, class Options>
class SolverOn : public OnDevice {
 protected:
  struct Solved {
    solve::Outcome outcome;
    std::vector<double> x;
  };

  Solved solve(const solve::Operator& a, const solve::Operator& preconditioner, const std::vector<double>& b,
               const Options& options = {}) const {
    const exec::Array<double> right(device(), b);
    exec::Array<double> x(device(), std::vector<double>(b.size(), 0.0));
    Monitor monitor;
    solve::Outcome outcome = Method(options).solve(device(), a, preconditioner, right, x, monitor);
    return {std::move(outcome), x.to_vector()};
  }

  Solved solve(const solve::Operator& a, const std::vector<double>& b, const Options& options = {}) const {
    return solve(a, solve::IdentityOperator(device(), a.rows()), b, options);
  }

  std::vector<double> product(const solve::Operator& a, const std::vector<double>& x) const {
    const exec::Array<double> from(device(), x);
    exec::Array<double> to(device(), a.rows());
    a.apply(device(), from, to);
    return to.to_vector();
  }
};

inline double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
  return largest;
}

}  // namespace setka::test
