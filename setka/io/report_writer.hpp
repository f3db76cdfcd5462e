// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "setka/io/report_frames.hpp"
#include "setka/io/report_surface.hpp"
#include "setka/io/result_writer.hpp"
#include "setka/model/model.hpp"
#include "setka/model/results.hpp"
#include "setka/model/shown_solids.hpp"

namespace setka::io {

struct ReportOptions {
  std::int64_t most_triangles = 400'000;
  std::size_t most_bytes = 0;  // of results in base64; 0: report_bytes() of the model
};

/// What results may take in the page of a model with so many nodes: 2 MB up to twenty thousand nodes, 20 MB
/// from seven hundred thousand on. Page and surface come on top of it.
std::size_t report_bytes(std::int64_t nodes);

/// One HTML file with all of a run: what a caller says about it, and the model with its results, to be turned
/// and played. The page itself is what web/ makes; this writer puts numbers in.
///
/// Only the surface is kept, in 16 bits a coordinate and 10 to 16 bits a value. Model must outlive the
/// writer.
class ReportWriter final : public ResultWriter {
 public:
  /// page: the file that web/ has made. Error(Fault::resource) where it cannot be read.
  ReportWriter(std::filesystem::path path, const std::filesystem::path& page, const model::Model& model,
               std::shared_ptr<const model::ShownSolids> shown = nullptr, const ReportOptions& options = {});

  void write(const model::Step& step, const model::Frame& frame) override;

  /// Before finish(): members of a JSON object ("\"title\": \"..\", ..") that the page shows, see
  /// docs/report.md.
  void tell(std::string members) { members_ = std::move(members); }

  void finish() override;
  std::vector<std::filesystem::path> files() const override { return files_; }
  std::string_view ending() const override { return ".html"; }
  /// Nothing goes on from a checkpoint here: a report is of a whole run.
  std::string position() override { return {}; }
  void go_on(const std::string& position) override;

  /// That is shown.
  const mesh::Mesh& mesh() const { return shown_ != nullptr ? shown_->model.mesh : model_.mesh; }
  const ReportSurface& surface() const { return surface_; }
  const ReportFrames& frames() const { return frames_; }
  /// Of all frames of the run.
  const std::vector<FrameSizes>& sizes() const { return sizes_; }
  /// What is not in the page, or not as it was computed, one sentence each.
  std::vector<std::string> left_out() const;

 private:
  FrameSizes sizes_of(ReportFrameKind kind, const model::Frame& frame) const;
  /// [nodes of the deck, 3] whether a displacement is prescribed in a step: where supports act.
  std::vector<bool> supports_in(int step) const;

  std::filesystem::path path_;
  std::string before_;  // of the page, up to where numbers go
  std::string after_;
  const model::Model& model_;
  std::shared_ptr<const model::ShownSolids> shown_;
  ReportSurface surface_;
  ReportFrames frames_;
  std::vector<FrameSizes> sizes_;
  int supports_of_ = 0;  // the step of the supports
  std::vector<bool> supports_;
  std::string members_;
  std::vector<std::filesystem::path> files_;
};

}  // namespace setka::io
