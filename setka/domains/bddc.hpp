// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "setka/base/dense.hpp"
#include "setka/domains/primal.hpp"
#include "setka/domains/substructure.hpp"
#include "setka/solve/cholesky.hpp"
#include "setka/solve/operator.hpp"

namespace setka::domains {

/// Balancing by constraints (BDDC; Dohrmann 2003, Mandel and Dohrmann 2003) as a preconditioner of the
/// interface problem: parts move by themselves, in agreement about the primal means alone. Residuals are
/// shared out to the parts, and their answers averaged, by the stiffness that each has there.
///
/// K of a floating part is singular. With C the means, whose values parts are given anyway, K~ = K + C' rho C
/// has the same answers under constraints, and is positive definite where means with rho > 0 tell all motions
/// of the part without stiffness apart. So Cholesky serves, and with F = C K~^-1 C':
///   the answer to r without means:  K~^-1 r - K~^-1 C' mu,  mu = F^-1 C K~^-1 r
///   shapes of the means:            K~^-1 C' F^-1, whose stiffness is F^-1 - rho, and whose work with r is
///   mu.
class Bddc final : public solve::Operator {
 public:
  /// device: a CPU; parts and what they refer to outlive it.
  Bddc(const exec::Device& device, std::span<const std::unique_ptr<Substructure>> parts,
       const Interface& interface, const std::vector<PrimalClass>& classes);
  ~Bddc() override;

  const exec::Device& device() const override { return device_; }
  std::int64_t rows() const override { return rows_; }
  void apply(const exec::Stream& stream, exec::View<const double> x, exec::View<double> y) const override;
  void apply(const exec::Stream& stream, exec::MultiView<const double> x,
             exec::MultiView<double> y) const override;

  std::int64_t coarse_size() const { return coarse_size_; }
  int softened() const;  // parts whose motions the means did not tell apart

 private:
  struct Part;
  void make(Part& part, const std::vector<PrimalClass>& classes) const;
  void make_coarse();

  exec::Device device_;
  std::int64_t rows_;
  std::int64_t coarse_size_ = 0;
  std::vector<std::unique_ptr<Part>> parts_;
  std::unique_ptr<solve::Cholesky> coarse_;
};

}  // namespace setka::domains
