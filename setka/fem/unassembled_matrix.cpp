// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/fem/unassembled_matrix.hpp"

#include <cstdint>
#include <utility>

#include "setka/fem/element_diagonal.hpp"
#include "setka/fem/element_matrix_free.hpp"
#include "setka/fem/element_operator.hpp"

namespace setka::fem {
namespace {

/// Of matrices on their way: enough work for all threads of a device.
std::int64_t bytes_at_once(const exec::Device& device) {
  return std::int64_t{device.is_cuda() ? 512 : 32} << 20;
}

}  // namespace

UnassembledMatrix::UnassembledMatrix(std::shared_ptr<const ElementProjection> elements,
                                     std::shared_ptr<const ElementMatrices> matrices)
    : elements_(std::move(elements)),
      matrices_(std::move(matrices)),
      product_(std::make_unique<StoredElementOperator>(elements_->shared_set(), matrices_,
                                                       elements_->unknowns())) {}

UnassembledMatrix::UnassembledMatrix(std::shared_ptr<const ElementProjection> elements,
                                     std::shared_ptr<const Form> form)
    : elements_(std::move(elements)),
      form_(std::move(form)),
      product_(matrix_free(form_, elements_->unknowns())) {}

exec::Array<double> UnassembledMatrix::diagonal_blocks(int n) const {
  const exec::Device& device = elements_->set().device();
  exec::Array<double> d(device, elements_->rows() * n);
  if (matrices_)
    diagonal(device, elements_->set(), *matrices_, *elements_->unknowns(), d, n);
  else
    diagonal(device, *form_, *elements_->unknowns(), d, n, bytes_at_once(device));
  return d;
}

void UnassembledMatrix::project(const exec::Stream& stream, exec::MultiView<const double> x,
                                exec::MultiView<double> s) const {
  if (matrices_)
    elements_->apply(stream, *matrices_, x, s);
  else
    elements_->apply(stream, *form_, x, s, bytes_at_once(stream.device()));
}

}  // namespace setka::fem
