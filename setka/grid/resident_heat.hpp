// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "setka/exec/array.hpp"
#include "setka/exec/device.hpp"
#include "setka/grid/heat.hpp"

namespace setka::grid {

/// Steps of LodHeat on a grid that stays on several devices, one host thread each: every device has its share
/// of the planes across axis 0. For the lines along that axis the devices exchange parts of their planes, so
/// that each has whole lines, and exchange them back: all of the grid but what stays where it is crosses
/// between devices twice a step. CPU devices give the bits that one of them makes by itself.
template <class T>
class ResidentLodHeat {
 public:
  /// A device may stand there twice; the ends of axes must not supply heat. Two arrays of its share on
  /// every device.
  ResidentLodHeat(const std::vector<exec::Device>& devices, std::vector<HeatAxis> axes, double step);

  /// u: [n0, n1, n2], last index fastest; to the devices and from them.
  void put(std::span<const T> u);
  void get(std::span<T> u) const;

  void advance(std::int64_t steps = 1);

 private:
  struct Share {
    exec::Device device;
    std::int64_t first_plane;
    std::int64_t planes;
    std::int64_t first_column;
    std::int64_t columns;
    exec::Array<T> slab;   // [planes, width]
    exec::Array<T> lines;  // [n0, columns]
  };

  void check_size(std::size_t size) const;
  exec::MultiView<T> in_slab(Share& slab, const Share& lines) const;
  static exec::MultiView<T> in_lines(const Share& slab, Share& lines);
  void gather_lines(Share& mine);
  void gather_planes(Share& mine);
  void sweep_lines(Share& mine) const;
  void sweep_planes(Share& mine) const;

  std::vector<HeatAxis> axes_;
  double step_;
  std::int64_t width_ = 0;  // values of a plane
  std::vector<Share> shares_;
};

}  // namespace setka::grid
