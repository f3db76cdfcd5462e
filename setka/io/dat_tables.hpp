// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "setka/io/output_file.hpp"
#include "setka/model/local_system.hpp"
#include "setka/model/model.hpp"
#include "setka/model/results.hpp"

namespace setka::io::detail {

enum class Location : std::uint8_t { node, point, element };

/// What a variable of *NODE PRINT or *EL PRINT looks like in the file.
struct TableForm {
  std::string_view variable;
  Location location;
  int components;
  std::string_view title;
  std::string_view total_title;  // empty: no totals, and TOTALS=ONLY prints the table all the same
  bool turns = false;            // a vector or tensor that is printed in local directions
  bool of_heat = false;          // only frames of heat transfer have it
  std::string_view before_set = " for set ";
};

/// Null where there is no such table.
const TableForm* table_form(model::OutputKind kind, std::string_view variable);

/// Prints the tables of one frame.
struct DatTables {
  OutputFile& file;
  const model::Model& model;
  const model::PointLayout& layout;
  const model::Frame& frame;
  std::span<const std::int32_t> transform_of_node;
  std::span<const std::int32_t> section_of_element;

  void print(const TableForm& form, const model::OutputRequest& request);
  void print(const model::SectionForces& section);

 private:
  void print_title(std::string_view title, std::string_view set, std::string_view before_set);
  void print_numbers(std::span<const double> numbers);
  void print_total(const TableForm& form, std::string_view set, std::span<const double> sum);
  std::vector<double> node_rows(const TableForm& form, const model::OutputRequest& request, bool rows);
  const model::Section* section_of_point(std::int32_t element, std::int64_t point) const;
  void print_in_orientation(std::int32_t element, const model::Section& section, std::int64_t point,
                            std::span<const double> values);
  std::vector<double> element_rows(const TableForm& form, const model::OutputRequest& request, bool rows);
  void point_rows(const TableForm& form, const model::OutputRequest& request);
  model::Axes axes_of_point(std::int32_t element, std::int32_t orientation, std::int64_t point);
  std::span<const double> values_at_elements(const TableForm& form);
};

}  // namespace setka::io::detail
