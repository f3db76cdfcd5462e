// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/solve/attainable_residual.hpp"

#include <cmath>
#include <limits>

#include "setka/exec/array.hpp"
#include "setka/exec/vector.hpp"
#include "setka/solve/detail/krylov.hpp"

namespace setka::solve {

double attainable_residual(const exec::Stream& stream, const Operator& a, exec::View<const double> x) {
  constexpr int steps = 10;
  exec::Array<double> v(stream.device(), x.size);
  exec::Array<double> w(stream.device(), x.size);
  const auto norm_of = [&](exec::View<const double> v_or_w) {
    return std::sqrt(detail::dot_of_rows(stream, a, v_or_w, v_or_w));
  };
  const double size = norm_of(x);
  if (size == 0) return 0;
  exec::combine(stream, 1 / size, x, 0.0, x, v);
  double norm = 0;
  for (int k = 0; k < steps; ++k) {
    a.apply(stream, v, w);
    norm = norm_of(w);
    if (!(norm > 0)) return 0;
    exec::combine(stream, 1 / norm, w, 0.0, w, v);
  }
  return 4 * std::numeric_limits<double>::epsilon() * norm * size;
}

}  // namespace setka::solve
