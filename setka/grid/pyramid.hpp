// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "setka/exec/device.hpp"
#include "setka/grid/stationary.hpp"

/// Jacobi's sweeps of a grid in host memory that a device holds a part of: blocks of planes are sent, swept
/// several times (the height) and sent back, while the next block is on its way and the one before leaves.
namespace setka::grid {

enum class PyramidShape {
  skewed,       // each sweep of a block is one plane behind the one before: nothing is sent or computed twice
  overlapping,  // the paper's: `height` more planes on either side, swept on a range that shrinks
};

std::string_view name(PyramidShape shape);

struct PyramidOptions {
  PyramidShape shape = PyramidShape::skewed;
  int height = 0;            // sweeps while a block is on the device; 0: chosen
  std::int64_t planes = 0;   // new ones of a block; 0: as many as the memory holds
  std::uint64_t memory = 0;  // bytes to take on the device; 0: nine tenths of what is free
  bool staged = false;       // through buffers of its own also where the host's memory could be pinned
};

/// What a run takes.
struct PyramidLayout {
  PyramidShape shape = PyramidShape::skewed;
  int height = 0;
  std::int64_t planes = 0;  // new ones of a block
  std::int64_t blocks = 0;  // of a pass, which makes `height` sweeps
  std::uint64_t bytes = 0;  // on the device
};

/// Planes on the device for blocks of so many: of u on two levels, of f, and those on their way.
std::int64_t device_planes(PyramidShape shape, int height, std::int64_t planes);

/// The options with what was left open chosen: the most planes that fit in that memory. Without a height, one
/// of about the number of planes of a block. Throws Error(Fault::resource) when not even one plane fits.
PyramidLayout pyramid_layout(const StationaryHeat& heat, int value_bytes, std::uint64_t memory,
                             const PyramidOptions& options);

/// u, f: in host memory, also a file mapped to it; u is overwritten. Bit for bit what StationaryHeat::jacobi
/// makes on the same device. The change is looked at after every pass. Host memory is pinned for the call
/// where that is allowed; pinned_array()s save that time.
template <class T>
StationaryReport pyramid_jacobi(const exec::Device& device, const StationaryHeat& heat, std::span<T> u,
                                std::span<const T> f, const StationaryOptions& options = {},
                                const PyramidOptions& pyramid = {});

/// The same by several devices, of any kind, each with a queue of its own for the blocks of its share of the
/// planes. In a pass it sweeps `height` planes more on either side of its share, which it takes before others
/// store theirs: what comes of them is dropped. The bits are those of one device. pyramid.memory is of each.
template <class T>
StationaryReport pyramid_jacobi(const std::vector<exec::Device>& devices, const StationaryHeat& heat,
                                std::span<T> u, std::span<const T> f, const StationaryOptions& options = {},
                                const PyramidOptions& pyramid = {});

}  // namespace setka::grid
