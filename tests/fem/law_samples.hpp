// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <gtest/gtest.h>
#include <vector>

#include "fem/element_meshes.hpp"
#include "setka/fem/law_material.hpp"

namespace setka::fem::test {

/// A material of a law; a law that is added to the list gets a line here, and all tests of laws have it.
inline LawMaterial law_sample(Law law) {
  switch (law) {
    case Law::linear_elastic:
      return linear_elastic(materials(Elasticity::general)[0].d, 6);
    case Law::saint_venant_kirchhoff:
      return saint_venant_kirchhoff(1000, 0.3, 7);
    case Law::mooney_rivlin:
      return mooney_rivlin(100, 60, 0.003, 9);
  }
  ADD_FAILURE() << "the law " << name(law) << " has no sample";
  return {};
}

/// Of every listed law.
inline std::vector<LawMaterial> law_samples() {
  return {
#define SETKA_SAMPLE(name, ...) law_sample(Law::name),
      SETKA_LAWS(SETKA_SAMPLE)
#undef SETKA_SAMPLE
  };
}

}  // namespace setka::fem::test
