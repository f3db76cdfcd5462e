// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/grid/sweep_launch.cuh"
#include "setka/grid/sweep_ways.hpp"

namespace setka::grid::cuda {

template <class T>
bool sweep_fused(const exec::Stream& stream, const Lines& lines, const kernel::Bands<T>& bands, const T* d,
                 T* x) {
  if (lines.row_stride == 1 && (bands.is_constant() || bands.row_stride == 1))
    return sweep_along(stream, lines, bands, d, x);
  return sweep_across(stream, lines, bands, d, x);
}

Room fused_room(const exec::Stream& stream, const Geometry& geometry, bool along, bool constant) {
  if (!fits(stream, geometry)) return {};
  return along ? room_along(stream, geometry, constant) : room_across(stream, geometry, constant);
}

template bool sweep_fused<float>(const exec::Stream&, const Lines&, const kernel::Bands<float>&, const float*,
                                 float*);
template bool sweep_fused<double>(const exec::Stream&, const Lines&, const kernel::Bands<double>&,
                                  const double*, double*);

}  // namespace setka::grid::cuda
