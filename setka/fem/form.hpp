// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "setka/exec/array.hpp"
#include "setka/exec/device.hpp"
#include "setka/fem/element_material.hpp"
#include "setka/fem/element_matrices.hpp"
#include "setka/fem/element_operator.hpp"
#include "setka/fem/element_set.hpp"
#include "setka/fem/form_kernel.hpp"
#include "setka/fem/point_places.hpp"

namespace setka::fem {

/// A bilinear form on the elements of a set, and what its material is at their points, on the device of the
/// set; for every listed element of standard formulation, elasticity and mass of solids also for those with a
/// formulation of their own. Elasticity and mass of solids with one material an element, and elasticity of
/// quad4, are integrated by kernels of their own.
///
/// - elasticity: grad v : D grad u; D: [6, 6], global axes, strains xx yy zz xy xz yz with engineering shear.
///   Plane elements, of unit thickness, take xx, yy and xy: D as it is makes plane strain, that of
///   plane_stress_elasticity() plane stress.
/// - conduction: grad v . k grad u of a scalar; k: xx yy zz xy xz yz.
/// - mass: v . rho u; the one coefficient is density, or capacity.
/// - stress_stiffness: grad v_c . sigma grad u_c summed over components; sigma: xx yy zz xy xz yz. Of every
///   formulation.
class Form {
 public:
  /// table: [rows, coefficients of the kind]; row_of: which of them each element has, [elements], or each
  /// point, [points of element 0, of element 1, ..]. components: 1, or the dimension of the elements.
  /// elasticity: [rows, 36] beside a mass; elements with internal modes need it to be integrated.
  /// Error(Fault::usage) where the kind has no such field, or a size does not fit.
  Form(FormKind kind, std::shared_ptr<const ElementSet> set, int components, std::span<const double> table,
       std::span<const std::int32_t> row_of, std::span<const double> elasticity = {});

  FormKind kind() const { return kind_; }
  int components() const { return components_; }
  const std::shared_ptr<const ElementSet>& set() const { return set_; }
  CoefficientView coefficients(std::size_t group, std::int64_t first_block = 0) const;

  /// Whether points of an element may differ.
  bool varies() const { return varies_; }

  /// For kernels: a group, or some blocks of it, with its materials.
  ElementGroupView view(std::size_t group) const;
  ElementGroupView view(std::size_t group, std::int64_t first_block, std::int64_t count) const;

  /// Overwrites the matrices; on a GPU it returns before the work is done.
  ///
  /// On a GPU the floor of `best` is writing the matrices: 2400 bytes a C3D8 against 4000 fused products,
  /// which take half as long on an H200.
  void integrate(const exec::Stream& stream, ElementMatrices& matrices,
                 IntegrationLevel level = IntegrationLevel::best) const;

  /// Of some blocks of a group alone; k: [count, entries, 32].
  void integrate(const exec::Stream& stream, std::size_t group, std::int64_t first_block, std::int64_t count,
                 double* k, IntegrationLevel level = IntegrationLevel::best) const;

  /// What the form makes of u: [nodes, components] at the integration points; out: [points of element 0, of
  /// element 1, ..; flux_size()], a point's values at [dimension, components], of mass [components]. Stresses
  /// are all nine of the tensor, of the plane four. Also of elements with a formulation of their own. On a
  /// GPU it returns before the work is done.
  void flux_at_points(const exec::Stream& stream, const PointPlaces& places, exec::View<const double> u,
                      exec::View<double> out) const;
  int flux_size() const;

  /// Blocks of a group whose matrices are in memory.
  struct Range {
    std::size_t group;
    std::int64_t first_block;
    std::int64_t count;
    const double* k;  // [count, entries, 32]
  };
  /// All blocks in ranges of so many bytes, but of one block at least: each is integrated into scratch memory
  /// of the stream and handed to `use`, which enqueues what reads it.
  void integrate_in_ranges(const exec::Stream& stream, std::int64_t bytes_at_once,
                           const std::function<void(const Range&)>& use) const;

 private:
  /// Whether kernels of their own serve a group.
  bool tuned(const ElementGroup& group) const;

  FormKind kind_;
  std::shared_ptr<const ElementSet> set_;
  int components_;
  bool varies_ = false;
  exec::Array<double> table_;
  exec::Array<double> lame_;                    // [rows, 2] of isotropic elasticity; empty: not isotropic
  exec::Array<double> elasticity_;              // [rows, 36] beside a mass
  std::vector<exec::Array<std::int32_t>> row_;  // [groups] of [blocks, points or 1, 32]
};

/// Elasticity and mass of elements made of these, with displacements for their field; row_of: as Form has it.
std::shared_ptr<const Form> elastic_form(const std::shared_ptr<const ElementSet>& set,
                                         std::span<const ElementMaterial> materials,
                                         std::span<const std::int32_t> row_of);
std::shared_ptr<const Form> mass_form(const std::shared_ptr<const ElementSet>& set,
                                      std::span<const ElementMaterial> materials,
                                      std::span<const std::int32_t> row_of);

/// A form applied without stored matrices: each product integrates anew.
class FormOperator final : public ElementOperator {
 public:
  FormOperator(std::shared_ptr<const Form> form, std::shared_ptr<const DofMap> unknowns);

 private:
  void multiply(const exec::Stream& stream, const kernel::DofSource& u, int columns,
                double* values) const final;

  std::shared_ptr<const Form> form_;
};

}  // namespace setka::fem
