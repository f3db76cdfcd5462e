// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "setka/io/output_file.hpp"
#include "setka/io/result_writer.hpp"
#include "setka/model/model.hpp"
#include "setka/model/results.hpp"

namespace setka::io {

/// The tables of *NODE PRINT, *EL PRINT and *SECTION PRINT, as CalculiX 2.20 writes them: requests in their
/// order, sections last, rows in the order of the set. A request without a set prints nothing, as there.
/// Model and layout must outlive the writer.
class DatWriter final : public ResultWriter {
 public:
  DatWriter(std::filesystem::path path, const model::Model& model, const model::PointLayout& layout);

  /// Whether a variable of a request of this kind has a table here; others are left out with a warning.
  static bool has_table(model::OutputKind kind, std::string_view variable);

  /// A table whose values the frame lacks is an Error(Fault::usage).
  void write(const model::Step& step, const model::Frame& frame) override;
  void write_modes(const model::ModeTable& table) override;
  void write_factors(const model::BucklingTable& table) override;
  void finish() override;
  std::vector<std::filesystem::path> files() const override { return files_; }
  std::string_view ending() const override { return ".dat"; }
  std::string position() override;
  void go_on(const std::string& position) override;

 private:
  void write_tables(const model::Step& step, const model::Frame& frame);

  OutputFile file_;
  const model::Model& model_;
  const model::PointLayout& layout_;
  std::vector<std::int32_t> transform_of_node_;   // [nodes] position in model.transforms, or -1
  std::vector<std::int32_t> section_of_element_;  // [elements] position in model.sections, or -1
  std::vector<std::filesystem::path> files_;
};

}  // namespace setka::io
