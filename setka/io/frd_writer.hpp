// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <filesystem>
#include <future>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "setka/io/output_file.hpp"
#include "setka/io/result_writer.hpp"
#include "setka/model/model.hpp"
#include "setka/model/results.hpp"
#include "setka/model/shown_solids.hpp"

namespace setka::io {

struct FrdOptions {
  /// As CalculiX writes for *NODE OUTPUT and *ELEMENT OUTPUT: coordinates as doubles, results as floats, in
  /// the byte order of the machine.
  bool binary = false;
};

/// The result file of CalculiX 2.20 for CGX and its readers: the mesh, then for each frame the fields that
/// *NODE FILE and *EL FILE ask for, in CalculiX's order. Nodes and elements are sorted by label; nodes of no
/// element are left out. The model must outlive the writer, which writes the mesh while others compute.
class FrdWriter final : public ResultWriter {
 public:
  /// shown: what is written in the place of the model's mesh; requests are then of all of its nodes.
  FrdWriter(std::filesystem::path path, const model::Model& model, FrdOptions options = {},
            std::shared_ptr<const model::ShownSolids> shown = nullptr);

  /// A field that is asked for and not in the frame is an Error(Fault::usage), except NT: a model without
  /// temperatures has none.
  void write(const model::Step& step, const model::Frame& frame) override;
  void finish() override;
  std::vector<std::filesystem::path> files() const override { return files_; }
  std::string_view ending() const override { return ".frd"; }
  std::string position() override;
  void go_on(const std::string& position) override;

 private:
  struct Block;

  void write_mesh();
  void write_header();
  void write_nodes();
  void write_elements();
  void write_blocks(const model::Step& step, const model::Frame& frame);
  void write_block(const Block& block, const model::OutputRequest& request, const model::Frame& frame);
  void write_block_head(const Block& block, std::int64_t rows, const model::Frame& frame);

  /// Where the values of a node are in the fields of a frame.
  std::size_t place_of(std::int32_t node) const {
    return static_cast<std::size_t>(shown_ == nullptr ? node : shown_->node[static_cast<std::size_t>(node)]);
  }

  OutputFile file_;
  std::shared_ptr<const model::ShownSolids> shown_;
  const model::Model& model_;
  FrdOptions options_;
  std::vector<std::int32_t> nodes_;              // of elements, by label
  std::vector<bool> has_element_;                // [nodes]
  std::vector<std::int32_t> transform_of_node_;  // [nodes] position in model.transforms, or -1
  int frames_ = 0;
  int analysis_ = 0;        // 0: static, 1: in time or of periodic loads, 2: modes
  bool imaginary_ = false;  // the part being written
  int blocks_ = 0;
  std::vector<std::filesystem::path> files_;
  std::future<void> mesh_;  // last: written while others compute, with all of the above
};

}  // namespace setka::io
