// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "setka/dynamics/explicit_elements_kernel.hpp"
#include "setka/dynamics/explicit_material.hpp"
#include "setka/exec/array.hpp"
#include "setka/exec/device.hpp"
#include "setka/fem/element_set.hpp"

namespace setka::dynamics {

/// Where the derivatives of shape functions come from. Stored ones cost 640 bytes a C3D8 in double; other
/// types compute theirs in either case.
enum class Derivatives : std::uint8_t { computed, stored };

struct ExplicitElementOptions {
  Derivatives derivatives = Derivatives::computed;
  double hourglass = 0.05;  // resistance of C3D8R: springs of hourglass / 8 mu V sum(b^2)
};

/// A stable step and the element that demands it, as the topology numbers them.
struct StableStep {
  double step = 0;
  std::int32_t element = -1;
};

/// Internal forces of a body under large displacements, total Lagrangian, on one device in the precision T
/// (float or double). Elements: all solids but C3D8I.
///
/// Bytes an element of n nodes: those of fem::ElementSet and 3 n sizeof(T) for its forces; for C3D8R another
/// 37 numbers.
template <class T>
class ExplicitElements {
 public:
  /// material_of: [elements] into materials.
  ExplicitElements(const exec::Device& device, const fem::Region& topology,
                   std::span<const HyperelasticMaterial> materials, std::span<const std::int32_t> material_of,
                   const ExplicitElementOptions& options = {});

  const exec::Device& device() const { return set_.device(); }
  const fem::ElementSet& set() const { return set_; }
  std::int64_t node_count() const { return set_.node_count(); }

  /// Lumped, [nodes]; 0 for nodes without elements.
  exec::View<const double> mass() const { return mass_; }

  /// The forces of all elements, an element vector (fem::ElementSet), from u: [nodes, 3]. With energy: that
  /// of the elements, summed into one place on the device.
  void forces(const exec::Stream& stream, exec::View<const T> u, exec::View<T> values,
              double* energy = nullptr) const;

  /// The step beyond which central differences about the displacements u grow without bound, at most: 2 over
  /// the highest frequency of any element. Waits. 40 products an element; for the start and now and then.
  double stable_step(const exec::Stream& stream, exec::View<const T> u) const {
    return least_stable_step(stream, u).step;
  }
  StableStep least_stable_step(const exec::Stream& stream, exec::View<const T> u) const;

  /// The part of the energy that the springs against hourglasses of C3D8R hold; values is overwritten. Waits.
  double hourglass_energy(const exec::Stream& stream, exec::View<const T> u, exec::View<T> values) const;

 private:
  struct Group {
    exec::Array<T> reference;  // gradients, then weights
    exec::Array<T> geometry;
    bool linear;  // all materials are of Saint Venant and Kirchhoff
    bool stored;  // derivatives
  };
  kernel::ExplicitGroup<T> view(std::size_t g, const T* constants) const;
  void forces_by(const exec::Stream& stream, exec::View<const T> u, exec::View<T> values, double* energy,
                 const T* constants) const;
  void lump();
  Group make_group(std::size_t g, std::span<const HyperelasticMaterial> materials,
                   std::span<const std::int32_t> material_of, Derivatives derivatives) const;

  fem::ElementSet set_;
  exec::Array<T> coordinates_;
  exec::Array<double> constants_;  // [materials, law_constants]
  exec::Array<T> own_constants_;   // the same in T
  exec::Array<T> no_springs_;      // the same without those against hourglasses
  exec::Array<double> mass_;
  std::vector<Group> groups_;
};

}  // namespace setka::dynamics
