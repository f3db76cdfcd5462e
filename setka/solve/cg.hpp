// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "setka/base/monitor.hpp"
#include "setka/exec/device.hpp"
#include "setka/exec/view.hpp"
#include "setka/solve/operator.hpp"

namespace setka::solve {

enum class Ending { converged, too_many_iterations, stagnated, not_positive_definite, not_a_number };

/// "converged", "the iterations allowed were not enough", ...
std::string_view describe(Ending ending);

struct CgOptions {
  double tolerance = 1e-8;  // of |b - A x| / |b|
  int most_iterations = 10000;

  /// The residual has to fall by a tenth within so many iterations; else the method has stagnated.
  int patience = 1000;

  /// Stands for |b| where |b| is less: of forces that nearly balance only so much can be asked.
  double least_size = 0;

  /// Iterations, 1 to 7, that the host gives to a GPU before it looks at the first one's end. Fewer are given
  /// in vain when it is few; it has to be enough that the GPU never waits.
  int ahead = 7;
};

struct CgOutcome {
  Ending ending = Ending::converged;
  int iterations = 0;
  double residual = 0;          // |b - A x| / |b| as computed from x in the end, not by recurrence
  std::vector<double> history;  // of the recurrence: [iterations + 1], relative
};

/// The vectors of cg(), for many systems of one size: on a GPU making them takes as long as some iterations
/// of a small system.
class CgVectors {
 public:
  CgVectors(const exec::Device& device, std::int64_t rows, int most_iterations);
  ~CgVectors();

  const exec::Device& device() const;

  struct State;
  State& state() { return *state_; }

 private:
  std::unique_ptr<State> state_;
};

/// Preconditioned conjugate gradients for A x = b; A and the preconditioner are symmetric positive definite.
/// x holds the start and the answer; both lie in the memory of A's device.
///
/// Scalars stay on the device and the host runs ahead of a GPU by a few iterations: what it gives in vain
/// after the end changes nothing, so the answer does not depend on how far ahead it was. When the true
/// residual does not confirm the recurrence, the method starts again from x, until the two agree or nothing
/// is gained.
///
/// Words moved a row and iteration beside the products: 13.
CgOutcome cg(const exec::Stream& stream, const Operator& a, const Operator& preconditioner,
             exec::View<const double> b, exec::View<double> x, const CgOptions& options, Monitor& monitor);

/// The same with vectors that were made before, for as many rows and at least as many iterations.
CgOutcome cg(const exec::Stream& stream, const Operator& a, const Operator& preconditioner,
             exec::View<const double> b, exec::View<double> x, const CgOptions& options, CgVectors& vectors,
             Monitor& monitor);

}  // namespace setka::solve
