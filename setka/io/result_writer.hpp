// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "setka/model/model.hpp"
#include "setka/model/results.hpp"

namespace setka::io {

/// Takes the frames of a run in their order and makes files of them. A file appears under its name when it is
/// complete: at finish(), or at the end of a frame where each frame has a file of its own. A writer that is
/// destroyed without finish() leaves nothing half-written. Failures of the file system are
/// Error(Fault::resource).
class ResultWriter {
 public:
  virtual ~ResultWriter();
  ResultWriter(const ResultWriter&) = delete;
  ResultWriter& operator=(const ResultWriter&) = delete;

  virtual void write(const model::Step& step, const model::Frame& frame) = 0;
  /// The modes of a step as a whole, before their frames.
  virtual void write_modes(const model::ModeTable& /*table*/) {}
  /// The factors of a *BUCKLE step, after the frame of its loads and before those of shapes.
  virtual void write_factors(const model::BucklingTable& /*table*/) {}
  /// After write(), where several processes write together: by all of them, in the thread that tells others.
  virtual void meet() {}
  virtual void finish() = 0;

  /// Those that are complete, in the order in which they became so.
  virtual std::vector<std::filesystem::path> files() const = 0;

  /// Of the files, as ".dat"; names the writer in a checkpoint.
  virtual std::string_view ending() const = 0;
  /// For a checkpoint: brings what was written to the disk, where it stays, and says how to go on from here.
  virtual std::string position() = 0;
  /// Goes on from there, in another process. Error(Fault::input) where the files are not as they were.
  virtual void go_on(const std::string& position) = 0;

 protected:
  ResultWriter() = default;
};

/// Whether this frame is due by the step's FREQUENCY: CalculiX has one for all requests of a step (the last
/// one given), and always writes the end of a step. A request whose own frequency is 0 is never written.
bool output_is_due(const model::Step& step, const model::Frame& frame);

}  // namespace setka::io
