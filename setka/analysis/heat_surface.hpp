// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "setka/analysis/heat_loads.hpp"
#include "setka/analysis/setup.hpp"
#include "setka/exec/array.hpp"
#include "setka/exec/device.hpp"
#include "setka/fem/space.hpp"
#include "setka/sparse/block_csr.hpp"

namespace setka::analysis {

/// Faces that give off heat by what the temperature there is: their points, and the entries of a matrix that
/// they have a part in. Faces are few beside elements: they are computed on the host.
class HeatSurface {
 public:
  /// For losses of these faces, in their order; space: of temperatures. number: of the solids' nodes among
  /// those of the space; empty: the same.
  HeatSurface(const Setup& setup, std::span<const FaceLoss> losses, const fem::Space& space,
              std::span<const std::int32_t> number, const exec::Device& device);

  bool empty() const { return faces_.empty(); }

  /// Takes the heat that is given off at temperatures, [nodes of the space], off what nodes have. zero:
  /// absolute.
  void take_off(std::span<const FaceLoss> losses, std::span<const double> temperature, double zero,
                std::span<double> heat) const;

  /// Adds the change of what is given off with temperature to a matrix on the device.
  void add_tangent(std::span<const FaceLoss> losses, std::span<const double> temperature, double zero,
                   sparse::BlockCsr<double>& a) const;

 private:
  struct Face {
    std::int64_t first_node;  // into nodes_
    std::int32_t node_count;
    std::int64_t first_point;  // into area_; its shape functions begin at first_shape
    std::int32_t point_count;
    std::int64_t first_shape;
  };
  /// The entry that a product of two shape functions goes to, and its coefficient.
  struct Share {
    std::int32_t face;
    std::int16_t a;  // nodes of the face
    std::int16_t b;
    std::int32_t entry;
    double coefficient;
  };
  /// Where the shape functions of a point begin.
  static std::size_t shapes_of(const Face& face, std::int32_t point) {
    return static_cast<std::size_t>(face.first_shape + std::int64_t{point} * face.node_count);
  }
  double temperature_at(const Face& face, std::int32_t point, std::span<const double> temperature) const;
  void list_entries(const fem::Space& space, const exec::Device& device);

  std::vector<Face> faces_;
  std::vector<std::int32_t> node_;  // of the space
  std::vector<double> shape_;       // [points of a face, nodes of it]
  std::vector<double> area_;        // [points]
  std::vector<Share> shares_;
  std::int64_t entries_ = 0;
  exec::Array<std::int32_t> row_;
  exec::Array<std::int32_t> column_;
};

}  // namespace setka::analysis
