// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "setka/analysis/solids.hpp"
#include "setka/base/monitor.hpp"
#include "setka/deck/example_decks.hpp"
#include "setka/fem/constraints.hpp"
#include "setka/fem/element_material.hpp"

namespace setka::bench {

/// An example of solids whose natural frequencies are measured, in host memory: what a run knows of it after
/// reading the deck.
struct ModalModel {
  deck::ExampleSize size;
  analysis::Solids solids;
  fem::Constraints constraints;
  std::vector<fem::ElementMaterial> materials;
  std::vector<std::int32_t> material_of;  // [elements]
};

/// Through the text of its deck and the reader, so that it is the model of `setka run`.
ModalModel modal_model(const deck::ExampleRequest& request, Monitor& monitor);

}  // namespace setka::bench
