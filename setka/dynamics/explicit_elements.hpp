// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>

#include "setka/exec/array.hpp"
#include "setka/exec/device.hpp"
#include "setka/fem/element_set.hpp"
#include "setka/fem/form.hpp"
#include "setka/fem/large_strain_form.hpp"

namespace setka::dynamics {

/// A stable step and the element that demands it, as the topology numbers them.
struct StableStep {
  double step = 0;
  std::int32_t element = -1;
};

/// A body for explicit steps in time: its elements under large displacements, their lumped mass and the step
/// that they allow, on one device in the precision T (float or double).
template <class T>
class ExplicitElements {
 public:
  /// As fem::LargeStrainForm has them.
  ExplicitElements(const exec::Device& device, const fem::Region& region,
                   std::span<const fem::LawMaterial> materials, std::span<const std::int32_t> material_of,
                   const fem::LargeStrainOptions& options = {});

  const fem::LargeStrainForm<T>& form() const { return form_; }
  const exec::Device& device() const { return form_.device(); }
  const fem::ElementSet& set() const { return form_.set(); }
  std::int64_t node_count() const { return form_.node_count(); }

  /// Lumped, [nodes]; 0 for nodes without elements.
  exec::View<const double> mass() const { return mass_; }

  /// The step beyond which central differences about the displacements u grow without bound, at most: 2 over
  /// the highest frequency of any element. Waits. 40 products an element; for the start and now and then.
  double stable_step(const exec::Stream& stream, exec::View<const T> u) const {
    return least_stable_step(stream, u).step;
  }
  StableStep least_stable_step(const exec::Stream& stream, exec::View<const T> u) const;

 private:
  fem::LargeStrainForm<T> form_;
  fem::Form density_;  // of mass; its rows are the materials
  exec::Array<double> mass_;
};

}  // namespace setka::dynamics
