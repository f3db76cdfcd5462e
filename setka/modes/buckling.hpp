// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "setka/base/monitor.hpp"
#include "setka/exec/device.hpp"
#include "setka/modes/find.hpp"
#include "setka/modes/modes.hpp"
#include "setka/solve/amg.hpp"
#include "setka/sparse/block_csr.hpp"

/// Linear buckling: K phi + factor S phi = 0 with K positive definite and S, the stiffness of the stresses
/// that the loads make, indefinite. With mu = 1 / factor it reads -S phi = mu K phi: the lowest positive
/// factors are the highest mu, at the end of a spectrum that gathers at zero, so that no shift is to be
/// guessed and the size of the loads does not matter.
namespace setka::modes {

struct BucklingSystem {
  /// Both in blocks of 1 to 6 unknowns, of the same rows and on one device; they outlive the search.
  const sparse::BlockCsr<double>& stiffness;
  const sparse::BlockCsr<double>& stress_stiffness;

  /// Of the unknowns among the rows, as sparse::over_unknowns() takes it.
  std::span<const std::int32_t> place;

  /// Of multigrid; asked for when needed.
  std::function<solve::AmgGeometry()> geometry;

  /// Multigrid of the stiffness, by buckling_multigrid(), where it has been made already.
  std::shared_ptr<solve::Amg> multigrid = nullptr;

  std::int64_t unknown_count() const {
    return place.empty() ? stiffness.scalar_rows() : static_cast<std::int64_t>(place.size());
  }
};

struct BucklingModes {
  std::int64_t rows = 0;
  std::vector<double> factor;      // positive, ascending
  std::vector<double> shape;       // [rows, factors], last index fastest; K-orthonormal
  std::vector<double> residual;    // |S phi - nu K phi| / |S phi| of each, nu = -1 / factor
  std::optional<double> reversed;  // the negative factor next to zero, where it was found on the way
  int iterations = 0;
  std::string method;  // "Lanczos", "LOBPCG with multigrid", "dense"
  Check check = Check::none;
  std::string check_text;
  bool converged = false;   // as many as were asked for, all within the tolerance, and none is known missing
  std::string trouble;      // why not
  bool indefinite = false;  // K is not positive definite, which is the trouble

  std::int64_t count() const { return static_cast<std::int64_t>(factor.size()); }
};

/// Multigrid as LOBPCG is preconditioned by it here, on the device of K: for who solves with K before.
std::shared_ptr<solve::Amg> buckling_multigrid(const sparse::BlockCsr<double>& k, solve::AmgGeometry geometry,
                                               Monitor& monitor);

/// The lowest positive factors, Request::count of them, by the methods that find() has, subspace iteration
/// apart, which is an Error(Fault::usage): LOBPCG on the device, preconditioned by what approximates K^-1,
/// the others on the host's threads (cpu). tolerance 0, and what becomes of a method that was chosen
/// automatically and does not converge: as of find(). Shapes are over the unknowns.
BucklingModes find_buckling(const exec::Device& device, const exec::Device& cpu, const BucklingSystem& system,
                            const Request& request, const Choice& choice, Monitor& monitor,
                            Shortage shortage = Shortage::use_cpu);

}  // namespace setka::modes
