// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <filesystem>
#include <future>
#include <memory>
#include <string>
#include <vector>

#include "setka/io/commit_together.hpp"
#include "setka/io/result_writer.hpp"
#include "setka/io/vtk_data.hpp"
#include "setka/io/vtk_mesh.hpp"
#include "setka/model/model.hpp"
#include "setka/model/results.hpp"

namespace setka::io {

/// VTK's XML files for ParaView and its kin: STEM.0001.vtu, ... one a frame, and STEM.pvd, which gives each
/// its time. A run of one frame has STEM.vtu instead. All fields of a frame are written, in double precision;
/// tensors in VTK's order XX YY ZZ XY YZ XZ. The model must outlive the writer.
///
/// A frame's file is there soon after write() returns, so that a long run can be watched; of many in a
/// second, some are so together. Frames of a longer run before, which the collection does not list, go when
/// it is written.
class VtuWriter final : public ResultWriter {
 public:
  VtuWriter(std::filesystem::path stem, const model::Model& model);

  void write(const model::Step& step, const model::Frame& frame) override;
  void finish() override;
  std::vector<std::filesystem::path> files() const override { return files_; }
  std::string position() override;
  void go_on(const std::string& position) override;

 private:
  struct Written {
    std::filesystem::path path;
    double time;
  };

  /// Modes have no time: they follow one another at 1, 2, ... after the step before.
  double time_of(const model::Frame& frame);
  std::filesystem::path numbered(int number) const;
  std::filesystem::path with_suffix(const std::string& suffix) const;
  void remove_stale() const;

  std::filesystem::path stem_;
  const model::Model& model_;
  std::shared_future<std::unique_ptr<const VtkMesh>> mesh_;  // made while others compute
  VtkArray materials_;
  CommitSoon frames_;
  std::vector<Written> written_;
  double shift_ = 0;  // of times
  bool has_modes_ = false;
  std::vector<std::filesystem::path> files_;
};

}  // namespace setka::io
