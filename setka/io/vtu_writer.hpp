// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "setka/exec/transport.hpp"
#include "setka/io/commit_together.hpp"
#include "setka/io/result_writer.hpp"
#include "setka/io/vtu_frame.hpp"
#include "setka/io/vtu_pieces.hpp"
#include "setka/model/model.hpp"
#include "setka/model/results.hpp"
#include "setka/model/shown_solids.hpp"

namespace setka::io {

/// VTK's XML files for ParaView and its kin: STEM.0001.vtu, ... one a frame, and STEM.pvd, which gives each
/// its time. A run of one frame has STEM.vtu instead. All fields of a frame are written, in double precision;
/// tensors in VTK's order XX YY ZZ XY YZ XZ. The model must outlive the writer.
///
/// A frame's file is there soon after write() returns, so that a long run can be watched; of many in a
/// second, some are so together. Frames of a longer run before, which the collection does not list, go when
/// it is written.
///
/// Of several processes each has a writer that is given all frames and writes the piece of its own elements
/// (vtu_pieces.hpp); the first one writes STEM.0001.pvtu over the pieces of a frame once all of them are
/// there, and the rest. All of them call meet(), position() and finish().
class VtuWriter final : public ResultWriter {
 public:
  /// processes: those that write together; null: this one writes alone. shown: what is written in the place
  /// of the model's mesh.
  VtuWriter(std::filesystem::path stem, const model::Model& model,
            std::shared_ptr<const exec::Transport> processes = nullptr,
            std::shared_ptr<const model::ShownSolids> shown = nullptr);

  void write(const model::Step& step, const model::Frame& frame) override;
  void meet() override;
  void finish() override;
  std::vector<std::filesystem::path> files() const override { return files_; }
  std::string_view ending() const override { return ".vtu"; }
  /// Says where frames are, whoever wrote them: any number of processes goes on from it.
  std::string position() override;
  void go_on(const std::string& position) override;

 private:
  struct Written {
    std::filesystem::path path;
    double time;
    int pieces;  // 0: the frame is one file
  };
  /// A .pvtu whose pieces are not all known to be there.
  struct Listing {
    std::filesystem::path path;
    std::string text;
  };

  /// Modes have no time: they follow one another at 1, 2, ... after the step before.
  double time_of(const model::Frame& frame);
  std::filesystem::path numbered(int number) const;
  std::filesystem::path with_suffix(const std::string& suffix) const;
  /// Whether it writes what is of all processes.
  bool leads() const { return number_ == 0; }
  void write_file(const model::Frame& frame, double time, int number);
  /// By all processes: their pieces are there, then what lists them.
  void publish();
  /// All that was written is on the disk.
  void complete();
  void require_there(const Written& frame, int number) const;
  void remove_stale() const;

  std::filesystem::path stem_;
  std::shared_ptr<const model::ShownSolids> shown_;
  const model::Model& model_;
  std::shared_ptr<const exec::Transport> processes_;
  int number_ = 0;  // of this process
  int pieces_ = 0;  // of a frame, of which the first processes have one each; 0: this one writes all of it
  std::shared_future<std::unique_ptr<const VtuMesh>> mesh_;  // made while others compute
  PiecesFolder folder_;                                      // looked at last, after frames_ has left it
  CommitSoon frames_;
  std::vector<Written> written_;
  std::vector<Listing> listings_;
  std::size_t published_ = 0;  // frames
  std::optional<std::chrono::steady_clock::time_point> published_at_;
  double shift_ = 0;  // of times
  bool has_modes_ = false;
  std::vector<std::filesystem::path> files_;
};

}  // namespace setka::io
