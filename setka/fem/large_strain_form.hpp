// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "setka/exec/array.hpp"
#include "setka/exec/device.hpp"
#include "setka/fem/element_set.hpp"
#include "setka/fem/large_strain_kernel.hpp"
#include "setka/fem/law_material.hpp"

namespace setka::fem {

/// Where the derivatives of shape functions come from. Stored ones cost 640 bytes a hex8 in double; other
/// elements compute theirs in either case.
enum class Derivatives : std::uint8_t { computed, stored };

struct LargeStrainOptions {
  Derivatives derivatives = Derivatives::computed;
  double hourglass = 0.05;  // resistance of hex8_uniform: springs of hourglass / 8 mu V sum(b^2)
};

/// What the points of a body remember, [groups] of [blocks, points x history of the law, 32]: that of the
/// last accepted state, and where forces() leave that of theirs.
template <class T>
struct PointHistory {
  std::vector<exec::Array<T>> before;
  std::vector<exec::Array<T>> after;

  /// The body goes on from the state of the last forces().
  void accept() { std::swap(before, after); }
};

/// Elasticity under large displacements and strains, total Lagrangian: forces f(u), energy, and (in
/// large_strain_tangent.hpp) the change of f with u, on one device in the precision T (float or double), with
/// the laws of laws.hpp. Elements: all solids but hex8_incompatible.
///
/// Bytes an element of n nodes: those of ElementSet and 3 n sizeof(T) for its forces; for hex8_uniform
/// another 37 numbers.
template <class T>
class LargeStrainForm {
 public:
  /// material_of: [elements] into materials. The set has a group for each type of element and law.
  LargeStrainForm(const exec::Device& device, const Region& region, std::span<const LawMaterial> materials,
                  std::span<const std::int32_t> material_of, const LargeStrainOptions& options = {});

  const exec::Device& device() const { return set_->device(); }
  const ElementSet& set() const { return *set_; }
  const std::shared_ptr<const ElementSet>& shared_set() const { return set_; }
  std::int64_t node_count() const { return set_->node_count(); }
  Law law(std::size_t group) const { return groups_[group].law; }

  /// The forces of all elements, an element vector, from u: [nodes, 3]. With energy: that of the elements,
  /// summed into one place on the device. history: read, and written where laws have any; null where none
  /// has.
  void forces(const exec::Stream& stream, exec::View<const T> u, exec::View<T> values,
              double* energy = nullptr, PointHistory<T>* history = nullptr) const;

  /// Of a body that nothing has happened to: zeros.
  PointHistory<T> fresh_history() const;

  /// The part of the energy that the springs against hourglasses of hex8_uniform hold; values is overwritten.
  /// Waits.
  double hourglass_energy(const exec::Stream& stream, exec::View<const T> u, exec::View<T> values) const;

  /// For kernels: a group with its history, if any. Error(Fault::usage) where its law needs one.
  kernel::LargeStrainGroup<T> group(std::size_t group, PointHistory<T>* history = nullptr) const;

  /// A group in double precision, whatever T, without geometry and history.
  kernel::LargeStrainGroup<double> exact_group(std::size_t group) const;

 private:
  struct Group {
    Law law;
    bool stored;                         // derivatives
    exec::Array<std::int32_t> material;  // [blocks, 32]
    exec::Array<T> reference;            // gradients, then weights
    exec::Array<T> geometry;             // of hex8_uniform, and where derivatives are stored
    exec::Array<double> exact;           // [materials, constants and resistance]
    exec::Array<T> constants;            // the same in T
    exec::Array<T> without_springs;      // the same without resistance
  };
  Group make_group(std::size_t g, std::span<const LawMaterial> materials,
                   std::span<const std::int32_t> material_of, const LargeStrainOptions& options) const;
  void forces_by(const exec::Stream& stream, exec::View<const T> u, exec::View<T> values, double* energy,
                 bool springs, PointHistory<T>* history) const;

  std::shared_ptr<const ElementSet> set_;
  exec::Array<T> coordinates_;
  std::vector<Group> groups_;
};

/// The forces on the nodes, [nodes, 3], at displacements u: [nodes, 3]; sums over elements in a fixed order.
/// energy, history: as forces() has them.
void node_forces(const exec::Stream& stream, const LargeStrainForm<double>& form, exec::View<const double> u,
                 exec::View<double> f, double* energy = nullptr, PointHistory<double>* history = nullptr);

}  // namespace setka::fem
