// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "setka/analysis/setup.hpp"
#include "setka/fem/region.hpp"

namespace setka::analysis {

/// What heat is conducted and kept by, as fem::Form takes it: rows of a table, and the row of each element,
/// or of each point where it differs among those of an element.
struct HeatCoefficients {
  std::vector<double> table;
  std::vector<std::int32_t> row_of;
};

/// Conductivities and capacities of solids, in global axes.
class HeatMaterials {
 public:
  /// region: where heat is computed; elements: its elements as the model numbers them, empty: all of them. An
  /// element of the model whose material has no conductivity is an Error; so is one without capacity where
  /// there is to be one.
  HeatMaterials(const Setup& setup, const fem::Region& region, std::span<const std::int32_t> elements,
                bool with_capacity);

  /// Whether they change with temperature, somewhere in the model.
  bool conductivity_varies() const { return conductivity_varies_; }
  bool capacity_varies() const { return capacity_varies_; }

  /// temperature: [nodes of the region]
  HeatCoefficients conductivity(std::span<const double> temperature, int threads) const;
  HeatCoefficients capacity(std::span<const double> temperature, int threads) const;

 private:
  /// value(element, its temperatures at points, its points' places, out [points, width])
  template <class Values>
  HeatCoefficients at_points(std::span<const double> temperature, int width, bool places, int threads,
                             const Values& values) const;
  const model::Section& section(std::int32_t of_model) const;
  std::int32_t of_model(std::int32_t element) const {
    return elements_.empty() ? element : elements_[static_cast<std::size_t>(element)];
  }

  const Setup& setup_;
  fem::Region region_;
  std::span<const std::int32_t> elements_;
  bool conductivity_varies_ = false;
  bool capacity_varies_ = false;
  bool turns_ = false;  // axes of materials that differ from point to point
};

}  // namespace setka::analysis
