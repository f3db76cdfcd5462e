// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/modes/rayleigh_ritz.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "setka/base/dense.hpp"
#include "setka/base/error.hpp"
#include "setka/modes/symmetric.hpp"

namespace setka::modes {
namespace {

Dense times(const sparse::SymmetricCsr& a, const Dense& x) {
  Dense y(x.rows(), x.columns());
  multiply(a, x.values(), y.values(), x.columns());
  return y;
}

}  // namespace

Modes rayleigh_ritz(const sparse::SymmetricCsr& k, const sparse::SymmetricCsr& m,
                    std::span<const double> columns, std::int64_t count, double tolerance) {
  const std::int64_t n = k.rows;
  Modes modes;
  modes.rows = n;
  if (count == 0) return modes;
  Dense x(ConstDenseView{columns.data(), n, count, 1, n});
  // The second pass mends what the first loses where columns are nearly dependent.
  for (int pass = 0; pass < 2; ++pass) {
    const DenseCholesky gram(symmetric_part(product(x.transposed(), times(m, x))));
    SETKA_ASSERT(gram.definite());
    gram.solve_transposed_on_right(x);
  }
  const Eigenpairs small = eigenpairs(symmetric_part(product(x.transposed(), times(k, x))));
  x = product(x, small.vector);
  const Dense kx = times(k, x);
  const Dense mx = times(m, x);

  Dense random(n, 1);
  fill_noise(0, random.values());
  const double stiff = norm(times(k, random).values());
  const double heavy = norm(times(m, random).values());
  const double level = zero_level(stiff, heavy, tolerance);
  modes.zero = rounding_of_zero(stiff, heavy);
  std::vector<double> miss(static_cast<std::size_t>(n));
  for (std::int64_t j = 0; j < count; ++j) {
    const double lambda = small.value[static_cast<std::size_t>(j)];
    const std::span<const double> kxj = kx.column(j);
    const std::span<const double> mxj = mx.column(j);
    for (std::size_t i = 0; i < miss.size(); ++i) miss[i] = kxj[i] - lambda * mxj[i];
    const double size = std::max(norm(kxj), level * norm(mxj));
    modes.lambda.push_back(lambda);
    modes.residual.push_back(size > 0 ? norm(miss) / size : 0.0);
  }
  modes.shape.resize(static_cast<std::size_t>(n * count));
  copy(x, {modes.shape.data(), n, count, count, 1});
  fix_signs(modes);
  return modes;
}

}  // namespace setka::modes
