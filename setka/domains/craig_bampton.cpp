// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/domains/craig_bampton.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "setka/base/error.hpp"
#include "setka/modes/lanczos.hpp"
#include "setka/modes/modes.hpp"
#include "setka/modes/symmetric.hpp"

namespace setka::domains {
namespace {

/// A basis need not be as good as what is computed in it: what a mode lacks, others of the basis have.
constexpr double tolerance_of_basis = 1e-4;

}  // namespace

modes::Modes basis_modes(const sparse::SymmetricCsr& k, const sparse::SymmetricCsr& m, std::int64_t count,
                         Monitor& monitor) {
  modes::Request request;
  request.count = std::min<std::int64_t>(count, k.rows);
  request.tolerance = tolerance_of_basis;
  if (request.count == 0) return {};
  modes::LanczosOptions options;
  options.block = static_cast<int>(std::clamp<std::int64_t>(count / 16, 3, 32));  // fewer small eigenproblems
  options.max_inertia_flops = 0;  // a mode that is missing here is one of many of the basis
  options.search_steps = 0;
  modes::Modes found = modes::lanczos(k, m, request, monitor, options);
  if (found.lambda.empty())
    throw Error(Fault::input, "a model cannot be reduced: " + found.trouble,
                "look for unknowns without stiffness and mass, or take another method for its modes");
  return found;
}

CraigBampton::CraigBampton(SplitMatrix k, SplitMatrix m, std::int64_t modes, Monitor& monitor) {
  const modes::Modes held = basis_modes(k.inner, m.inner, modes, monitor);
  lambda_ = held.lambda;
  phi_ = Dense(k.inner.rows, mode_count());
  for (std::int64_t i = 0; i < phi_.rows(); ++i) {
    for (std::int64_t j = 0; j < mode_count(); ++j)
      phi_(i, j) = held.shape[static_cast<std::size_t>(i * mode_count() + j)];
  }
  condensation_ = std::make_unique<Condensation>(std::move(k));
  if (condensation_->loose() >= 0)
    throw Error(Fault::input,
                "a part of the model resists some motion with no force although its boundary is held",
                "hold it, look for a preload beyond buckling, or take another method for its modes");
  const SplitMatrix& stiff = condensation_->matrix();
  const std::int64_t boundary = boundary_count();
  stiffness_ = dense(stiff.boundary);
  mass_ = dense(m.boundary);
  coupling_ = Dense(mode_count(), boundary);
  condensation_->each_constraint_modes(monitor, [&](std::int64_t first, const Dense& psi) {
    const std::int64_t count = psi.columns();
    add_product(1, stiff.coupling, psi, stiffness_.column_range(first, count));
    Dense w(psi.rows(), count);  // M_ib + M_ii Psi
    modes::multiply(m.inner, psi.values(), w.values(), count);
    for (std::int64_t c = 0; c < count; ++c) {
      const auto row = static_cast<std::size_t>(first + c);
      for (std::int64_t l = m.coupling.offset[row]; l < m.coupling.offset[row + 1]; ++l)
        w(m.coupling.column[static_cast<std::size_t>(l)], c) += m.coupling.value[static_cast<std::size_t>(l)];
    }
    const DenseView<double> mass = mass_.column_range(first, count);
    add_product(1, m.coupling, psi, mass);
    add_product(-1, stiff.coupling, condensation_->inner_solution(w), mass);
    multiply(1, phi_.transposed(), w, 0, coupling_.column_range(first, count));
  });
  stiffness_ = symmetric_part(stiffness_);
  mass_ = symmetric_part(mass_);
}

Dense CraigBampton::inner(const Dense& boundary, ConstDenseView q) const {
  Dense forces(inner_count(), boundary.columns());
  const sparse::Csr& k = condensation_->matrix().coupling;
  for (std::int64_t c = 0; c < boundary.columns(); ++c) {
    for (std::int32_t b = 0; b < k.rows; ++b) {
      const auto row = static_cast<std::size_t>(b);
      for (std::int64_t l = k.offset[row]; l < k.offset[row + 1]; ++l)
        forces(k.column[static_cast<std::size_t>(l)], c) -=
            k.value[static_cast<std::size_t>(l)] * boundary(b, c);
    }
  }
  Dense x = condensation_->inner_solution(forces);
  if (mode_count() > 0) multiply(1, phi_, q, 1, x);
  return x;
}

}  // namespace setka::domains
