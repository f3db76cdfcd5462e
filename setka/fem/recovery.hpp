// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "setka/exec/array.hpp"
#include "setka/exec/device.hpp"
#include "setka/fem/element_set.hpp"
#include "setka/fem/form.hpp"
#include "setka/fem/point_places.hpp"

namespace setka::fem {

/// From integration points to nodes: extrapolated in each element, then the mean over the elements of a node;
/// 0 for nodes without elements. at_points: [points, components], of tensors, which have 6, all nine, and
/// their shear is that of tensors; components: 1, 3 or 6. Solids alone. [nodes, components]; it waits.
template <int components>
std::vector<double> node_means(const exec::Stream& stream, const ElementSet& set, const PointPlaces& places,
                               exec::View<const double> at_points);

/// Stresses, strains and energy of linear elasticity from displacements, on the device of a form, and what
/// output makes of them. Solids alone.
class Recovery {
 public:
  explicit Recovery(std::shared_ptr<const Form> elasticity);

  const ElementSet& set() const { return *elasticity_->set(); }

  /// Of displacements u: [nodes, 3]; what the rest is made from. strains: whether they are wanted, for which
  /// all elements have to be of standard formulation, Error(Fault::usage) otherwise.
  void take(const exec::Stream& stream, exec::View<const double> u, bool strains);

  /// As node_means() has them: [nodes, 6] and [nodes].
  std::vector<double> node_stresses(const exec::Stream& stream) const;
  std::vector<double> node_strains(const exec::Stream& stream) const;
  std::vector<double> node_energies(const exec::Stream& stream) const;

  /// [elements]
  struct OfElements {
    std::vector<double> variation;  // of the principal stress of largest size over the points, in percent
    std::vector<double> mises;      // the largest of the points
  };
  OfElements of_elements(const exec::Stream& stream) const;

 private:
  std::shared_ptr<const Form> elasticity_;
  PointPlaces places_;
  exec::Array<double> stress_;   // [points, 9]
  exec::Array<double> strain_;   // [points, 9]
  std::optional<Form> measure_;  // a body whose stresses are its strains
};

}  // namespace setka::fem
