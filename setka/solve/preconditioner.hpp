// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "setka/base/monitor.hpp"
#include "setka/solve/amg.hpp"
#include "setka/solve/linear_solver.hpp"
#include "setka/solve/operator.hpp"
#include "setka/sparse/block_csr.hpp"

namespace setka::solve {

/// For conjugate gradients with a, on its device; it does not keep a. automatic: multigrid, for which alone
/// geometry is asked.
std::unique_ptr<Operator> make_preconditioner(const sparse::BlockCsr<double>& a,
                                              const std::function<AmgGeometry()>& geometry,
                                              Preconditioning kind, Monitor& monitor);

/// "CG with multigrid", ...
std::string name_of(Preconditioning kind);

}  // namespace setka::solve
