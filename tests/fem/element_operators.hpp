// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "fem/element_meshes.hpp"
#include "setka/base/error.hpp"
#include "setka/fem/dof_map.hpp"
#include "setka/fem/element_matrices.hpp"
#include "setka/fem/elements.hpp"

/// Small models with constraints, assembled by hand: what operators are held against.
namespace setka::fem::test {

enum class Tied { free, picks, equations };

/// free: all degrees of freedom are unknowns; picks: some are prescribed; equations: besides, some follow
/// others, one of them with factor 1, and the axes of two nodes are turned.
inline Constraints constraints_of(const SmallModel& model, Tied tied) {
  ConstraintBuilder builder(
      model.dofs(), [](std::int32_t dof) { return "dof " + std::to_string(dof); },
      [](model::Line) { return SourceLine{}; });
  if (tied == Tied::free) return builder.build();
  for (std::int32_t dof = 0; dof < model.dofs(); dof += 7) builder.prescribe(dof, 0.5, {});
  if (tied == Tied::picks) return builder.build();
  builder.add_equation(std::vector<Term>{{1, 2}, {5, -1}, {9, 0.5}, {13, 3}}, 0, {});
  builder.add_equation(std::vector<Term>{{2, 1}, {6, -1}}, 0, {});
  builder.add_equation(std::vector<Term>{{10, 1}, {1, 0.25}, {7, 1}}, 2, {});
  std::vector<std::vector<Term>> rows;
  for (std::int32_t dof = 0; dof < model.dofs(); ++dof) {
    if (dof / 3 == 4 || dof / 3 == 6) {  // about the third axis
      const double c = 0.6;
      const double s = dof % 3 == 0 ? -0.8 : 0.8;
      if (dof % 3 == 2) {
        rows.push_back({{dof, 1.0}});
      } else {
        rows.push_back({{dof, c}, {dof + (dof % 3 == 0 ? 1 : -1), s}});
      }
    } else {
      rows.push_back({{dof, 1.0}});
    }
  }
  return builder.build().compose(rows);
}

using ElementMatrixOf = std::function<Dense(std::size_t element)>;

inline Space space_of(const SmallModel& model, const Constraints& constraints) {
  return {model.region(), 3, constraints};
}

/// T'KT over the places of a vector, dense, from the host functions of single elements: every entry goes
/// where its two rows of T say.
inline Dense assembled(const SmallModel& model, const Constraints& constraints,
                       const ElementMatrixOf& matrix) {
  const Space space = space_of(model, constraints);
  Dense sum(space.size(), space.size());
  for (std::size_t e = 0; e < model.type.size(); ++e) {
    const Dense own = matrix(e);
    const auto row = [&](std::int64_t i) {
      const std::int32_t node = model.node[static_cast<std::size_t>(model.first_node[e] + i / 3)];
      return constraints.row(3 * node + static_cast<std::int32_t>(i % 3));
    };
    for (std::int64_t i = 0; i < own.rows(); ++i) {
      for (std::int64_t j = 0; j < own.columns(); ++j) {
        for (const Term& left : row(i)) {
          for (const Term& right : row(j))
            sum(space.place(left), space.place(right)) += left.coefficient * own(i, j) * right.coefficient;
        }
      }
    }
  }
  return sum;
}

inline ElementMatrixOf stiffness_by_host(const SmallModel& model) {
  return [&model](std::size_t e) { return stiffness_of(model.type[e], model.x(e), model.d(e)); };
}

/// All that an operator is made of, on a device.
struct Parts {
  std::shared_ptr<const ElementSet> set;
  std::shared_ptr<const Form> stiffness;
  std::shared_ptr<ElementMatrices> matrices;
  std::shared_ptr<const DofMap> unknowns;

  Parts(const exec::Device& device, const SmallModel& model, const Constraints& constraints)
      : set(model.set(device)),
        stiffness(model.stiffness(set)),
        matrices(std::make_shared<ElementMatrices>(*set)),
        unknowns(std::make_shared<DofMap>(device, space_of(model, constraints))) {
    stiffness->integrate(device, *matrices);
  }
};

/// Groups of several types, more than one block of 32 in each; a tetrahedron in the corner of every
/// hexahedron, on its nodes, so that sums run over two groups.
inline SmallModel mixed_model() {
  SmallModel model = small_model(fem::Element::tet10, Elasticity::isotropic, {2, 2, 2});
  add_block(model, fem::Element::hex8, {4, 3, 3});
  for (std::size_t e = 0; e < model.type.size(); ++e) {
    if (model.type[e] != fem::Element::hex8) continue;
    for (const std::int64_t corner : {0, 1, 3, 4})
      model.node.push_back(model.node[static_cast<std::size_t>(model.first_node[e] + corner)]);
    model.type.push_back(fem::Element::tet4);
    model.first_node.push_back(static_cast<std::int64_t>(model.node.size()));
    model.material_of.push_back(1);
  }
  return model;
}

inline std::string refusal(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::usage);
    return error.what();
  }
  return "nothing was thrown";
}

}  // namespace setka::fem::test
