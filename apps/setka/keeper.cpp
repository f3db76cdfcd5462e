// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "keeper.hpp"

#include <system_error>

#include <fmt/core.h>

#include "setka/base/error.hpp"
#include "setka/base/log.hpp"
#include "setka/io/fingerprint.hpp"

namespace setka::app {
namespace {

std::filesystem::path with_ending(std::filesystem::path stem, const char* ending) {
  stem += ending;
  return stem;
}

std::string part_of(const io::ResultWriter& writer) {
  return fmt::format("writer of {}", writer.ending());
}

}  // namespace

Keeper::Keeper(const std::filesystem::path& stem, const model::Model& model, Writers& writers, bool go_on,
               bool with_history, bool writes)
    : path_(with_ending(stem, ".checkpoint")), writers_(writers), writes_(writes) {
  const std::vector<std::string> columns = analysis::history_columns(model);
  if (columns.empty()) {
    if (go_on)
      throw Error(Fault::usage, "--continue: the deck has no step with *DYNAMIC, EXPLICIT",
                  "run it without --continue");
    return;
  }
  model_ = io::hash_of_files(model.files);
  if (go_on) {
    resumed_ = io::read_checkpoint(path_, model_);
    saved_ = writes_;
    for (const auto& writer : writers_) writer->go_on(resumed_->part(part_of(*writer)));
  } else if (writes_ && std::filesystem::exists(path_)) {
    // The history that belongs to it is about to be written anew.
    log::warning("{} of an interrupted run is removed; --continue would have gone on from it",
                 path_.string());
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }
  if (!with_history || !writes_) return;
  const std::filesystem::path file = with_ending(stem, ".csv");
  history_ = go_on ? std::make_unique<io::HistoryWriter>(file, resumed_->get<std::int64_t>("history").at(0))
                   : std::make_unique<io::HistoryWriter>(file, columns);
}

analysis::StepServices Keeper::services(double every, const std::string& how_to_go_on) {
  analysis::StepServices made;
  if (history_) made.history = [&](std::span<const double> row) { history_->write(row); };
  made.save = [&](io::Checkpoint& checkpoint) { save(checkpoint); };
  if (!writes_) {  // asked for as often as by the process that does
    made.history = [](std::span<const double>) {};
    made.save = [&](io::Checkpoint&) {
      for (const auto& writer : writers_) writer->position();
    };
  }
  made.save_every = every;
  made.how_to_go_on = how_to_go_on;
  made.resumed = resumed_ ? &*resumed_ : nullptr;
  return made;
}

void Keeper::save(io::Checkpoint& checkpoint) {
  checkpoint.model = model_;
  for (const auto& writer : writers_) checkpoint.parts[part_of(*writer)] = writer->position();
  checkpoint.put("history", std::vector<std::int64_t>{history_ ? history_->size() : 0});
  io::write_checkpoint(path_, checkpoint);
  saved_ = true;
}

void Keeper::finish(std::vector<std::filesystem::path>& files) {
  if (history_) files.push_back(history_->path());
  if (!saved_) return;
  std::error_code reason;
  std::filesystem::remove(path_, reason);
  if (reason) log::warning("{} cannot be removed: {}", path_.string(), reason.message());
}

}  // namespace setka::app
