// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/fem/unassembled_matrix.hpp"

#include <cstdint>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "fem/element_operators.hpp"
#include "setka/fem/element_diagonal.hpp"
#include "support/on_device.hpp"
#include "support/random.hpp"
#include "support/tolerance.hpp"

namespace setka::fem::test {
namespace {

using exec::MultiVector;

class UnassembledMatrixOn : public setka::test::OnDevice {};
SETKA_ON_ALL_DEVICES(UnassembledMatrixOn);

void expect_near(const std::vector<double>& computed, const std::vector<double>& right) {
  EXPECT_TRUE(setka::test::all_near(computed, right, 1e-12 * largest(right)));
}

TEST_P(UnassembledMatrixOn, FormsAreWhatTheirStoredMatricesAre) {
  const SmallModel model = mixed_model();
  for (const Tied tied : {Tied::picks, Tied::equations}) {
    const Parts parts(device(), model, constraints_of(model, tied));
    const auto elements = std::make_shared<const ElementProjection>(parts.set, parts.unknowns);
    const std::int64_t rows = elements->rows();
    const MultiVector<double> x(device(), rows, 5, setka::test::random_values<double>(5 * rows, 3));
    for (const FormKind kind : {FormKind::elasticity, FormKind::mass}) {
      const auto form = kind == FormKind::mass ? model.mass(parts.set) : parts.stiffness;
      const auto matrices = std::make_shared<ElementMatrices>(*parts.set);
      form->integrate(device(), *matrices);
      const UnassembledMatrix stored(elements, matrices);
      const UnassembledMatrix anew(elements, form);
      MultiVector<double> y(device(), rows, 5);
      MultiVector<double> right(device(), rows, 5);
      anew.product().apply(device(), x, y);
      stored.product().apply(device(), x, right);
      expect_near(y.values().to_vector(), right.values().to_vector());
      MultiVector<double> s(device(), 5, 5);
      MultiVector<double> right_s(device(), 5, 5);
      anew.project(device(), x, s);
      stored.project(device(), x, right_s);
      expect_near(s.values().to_vector(), right_s.values().to_vector());
      for (const int n : {1, 3})
        expect_near(anew.diagonal_blocks(n).to_vector(), stored.diagonal_blocks(n).to_vector());
    }
  }
}

TEST_P(UnassembledMatrixOn, RangesOfAnySizeGiveTheSame) {
  const SmallModel model = mixed_model();
  const Parts parts(device(), model, constraints_of(model, Tied::picks));
  const ElementProjection elements(parts.set, parts.unknowns);
  const auto& form = parts.stiffness;
  exec::Array<double> right(device(), 3 * elements.rows());
  diagonal(device(), *parts.set, *parts.matrices, *parts.unknowns, right, 3);
  const MultiVector<double> x(device(), elements.rows(), 4,
                              setka::test::random_values<double>(4 * elements.rows(), 7));
  MultiVector<double> right_s(device(), 4, 4);
  elements.apply(device(), *parts.matrices, x, right_s);
  for (const std::int64_t bytes : {1, 300000, 1 << 30}) {  // one block of 32 elements, some, all
    exec::Array<double> d(device(), right.size());
    diagonal(device(), *form, *parts.unknowns, d, 3, bytes);
    expect_near(d.to_vector(), right.to_vector());
    MultiVector<double> s(device(), 4, 4);
    elements.apply(device(), *form, x, s, bytes);
    expect_near(s.values().to_vector(), right_s.values().to_vector());
  }
}

}  // namespace
}  // namespace setka::fem::test
