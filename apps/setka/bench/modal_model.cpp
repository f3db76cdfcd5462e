// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "bench/modal_model.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "setka/analysis/element_materials.hpp"
#include "setka/analysis/element_state.hpp"
#include "setka/analysis/load_state.hpp"
#include "setka/analysis/setup.hpp"
#include "setka/analysis/user_constraints.hpp"
#include "setka/base/error.hpp"
#include "setka/deck/inp.hpp"

namespace setka::bench {
namespace {

deck::Deck example_deck(const deck::ExampleRequest& request, deck::ExampleSize& size, Monitor& monitor) {
  std::string text;
  size = deck::write_example(request, [&](std::string_view part) { text += part; });
  return deck::read_inp_text(text, request.name + ".inp", monitor);
}

}  // namespace

ModalModel modal_model(const deck::ExampleRequest& request, Monitor& monitor) {
  ModalModel made;
  const deck::Deck deck = example_deck(request, made.size, monitor);
  analysis::Setup setup = analysis::set_up(deck.model);
  require(setup.solids.rows.empty(), "modal_model: the example is not made of solids");
  const analysis::LoadState loads(deck.model);
  made.constraints = analysis::user_constraints(setup, loads, 1, 1).homogeneous();
  const analysis::ElementState state(setup, {});
  analysis::ElementMaterials taken = analysis::element_materials(setup, state);
  require(taken.trouble.empty(), [&] { return "modal_model: " + taken.trouble; });
  for (std::int32_t e = 0; e < setup.solids.element_count(); ++e) {
    const auto material = static_cast<std::size_t>(taken.material_of[static_cast<std::size_t>(e)]);
    taken.materials[material].density = state.density(e);
  }
  made.materials = std::move(taken.materials);
  made.material_of = std::move(taken.material_of);
  made.solids = std::move(setup.solids);
  return made;
}

}  // namespace setka::bench
