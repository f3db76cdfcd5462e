// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "setka/exec/array.hpp"
#include "setka/exec/device.hpp"
#include "setka/exec/view.hpp"
#include "setka/fem/robin_faces_kernel.hpp"
#include "setka/fem/space.hpp"
#include "setka/sparse/block_csr.hpp"

namespace setka::fem {

/// A face where a scalar field leaves: its nodes, and at its points area and shape functions.
struct RobinFace {
  std::vector<std::int32_t> node;  // of the space
  std::vector<double> area;        // [points]
  std::vector<double> shape;       // [points, nodes]
};

/// Faces that give off what depends on a scalar field there, as by convection (Robin's condition) and
/// radiation, on a device: the residual and its tangent. Sums are added in the order of the faces.
class RobinFaces {
 public:
  RobinFaces(const exec::Device& device, const Space& space, std::span<const RobinFace> faces);

  bool empty() const { return face_.empty(); }

  /// [faces]; stay until others are taken. At first nothing is given off.
  void take(std::span<const RobinValues> values);

  /// What is given off at u: [nodes of the space], for each node; overwrites [nodes], 0 where no face is.
  /// It waits.
  void give_off(const exec::Stream& stream, double zero, exec::View<const double> u,
                exec::View<double> given) const;

  /// Adds its change with u to a matrix over the places of the space. It waits.
  void add_tangent(const exec::Stream& stream, double zero, exec::View<const double> u,
                   sparse::BlockCsr<double>& a) const;

 private:
  kernel::RobinFacesView view() const;
  void list_nodes(std::span<const RobinFace> faces);
  void list_entries(const Space& space, std::span<const RobinFace> faces);

  exec::Device device_;
  exec::Array<std::int64_t> first_node_;
  exec::Array<std::int64_t> first_point_;
  exec::Array<std::int64_t> first_shape_;
  exec::Array<std::int32_t> face_;
  exec::Array<std::int32_t> node_;
  exec::Array<double> area_;
  exec::Array<double> shape_;
  exec::Array<std::int32_t> reached_;  // nodes that have faces
  exec::Array<std::int64_t> first_of_reached_;
  exec::Array<kernel::NodeOfFace> of_reached_;
  exec::Array<std::int32_t> row_;  // of entries
  exec::Array<std::int32_t> column_;
  exec::Array<std::int64_t> first_share_;
  exec::Array<kernel::RobinShare> share_;
  exec::Array<RobinValues> values_;
};

}  // namespace setka::fem
