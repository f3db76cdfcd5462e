// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "setka/analysis/explicit_step.hpp"
#include "setka/io/checkpoint.hpp"
#include "setka/io/history_writer.hpp"
#include "setka/io/result_writer.hpp"
#include "setka/model/model.hpp"

namespace setka::app {

/// What keeps a long step: its history beside the deck, its checkpoint, and the writers that go on with it.
class Keeper {
 public:
  using Writers = std::vector<std::unique_ptr<io::ResultWriter>>;

  /// stem: of the files; go_on: from the checkpoint that is there; writes: history and checkpoint, else
  /// another process does. Model and writers must outlive it.
  Keeper(const std::filesystem::path& stem, const model::Model& model, Writers& writers, bool go_on,
         bool with_history, bool writes = true);

  /// every: seconds from one checkpoint to the next; 0: only where the user stops the run.
  analysis::StepServices services(double every, const std::string& how_to_go_on);

  /// The run is over: nothing is left to go on from. Adds its own files.
  void finish(std::vector<std::filesystem::path>& files);

 private:
  void save(io::Checkpoint& checkpoint);

  std::filesystem::path path_;
  Writers& writers_;
  std::uint64_t model_ = 0;
  std::optional<io::Checkpoint> resumed_;
  std::unique_ptr<io::HistoryWriter> history_;
  bool saved_ = false;
  bool writes_;
};

}  // namespace setka::app
