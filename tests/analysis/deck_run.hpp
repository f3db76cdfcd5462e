// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "setka/analysis/job.hpp"
#include "setka/base/error.hpp"
#include "setka/deck/inp.hpp"

namespace setka::test {

/// A deck from text and the frames of its steps.
struct DeckRun {
  std::unique_ptr<deck::Deck> deck;
  std::vector<model::Frame> frames;

  /// A component of a field at a node, by the node's number; of the last step unless told.
  double at_node(const char* field, int label, int component, std::size_t step = 0) const {
    const model::Frame& frame = step == 0 ? frames.back() : frames.at(step - 1);
    const model::NodeField* values = frame.node_field(field);
    if (values == nullptr) throw Error(Fault::usage, std::string("the frame has no ") + field);
    const auto node = static_cast<std::size_t>(deck->model.mesh.find_node(label));
    return values->values.at(node * static_cast<std::size_t>(values->components) +
                             static_cast<std::size_t>(component));
  }
};

inline DeckRun run_deck_text(const std::string& text,
                             const analysis::Computing& computing = analysis::Computing::on_cpu(1)) {
  Monitor monitor(ProgressDisplay::silent());
  DeckRun run{std::make_unique<deck::Deck>(deck::read_inp_text(text, "deck.inp", monitor)), {}};
  deck::refuse_unsupported(*run.deck);
  const analysis::Setup setup = analysis::prepare(run.deck->model, monitor);
  analysis::run_steps(
      setup, computing, [&](const model::Step&, const model::Frame& frame) { run.frames.push_back(frame); },
      monitor);
  return run;
}

/// What a wrong deck is told, with its line.
inline std::string refusal_of_deck(const std::string& text) {
  try {
    run_deck_text(text);
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::input);
    return error.what();
  }
  return "nothing was thrown";
}

}  // namespace setka::test
