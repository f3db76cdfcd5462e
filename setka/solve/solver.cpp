// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/solve/solver.hpp"

namespace setka::solve {

std::string_view describe(Status status) {
  switch (status) {
    case Status::converged:
      return "converged";
    case Status::max_iterations:
      return "the iterations allowed were not enough";
    case Status::stagnated:
      return "the residual no longer falls";
    case Status::not_positive_definite:
      return "the matrix or the preconditioner is not positive definite";
    case Status::breakdown:
      return "the matrix or the preconditioner is singular";
    case Status::not_a_number:
      return "a value is not a number";
  }
  return "";
}

}  // namespace setka::solve
