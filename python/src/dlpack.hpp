// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

/// The layout in memory that DLPack prescribes (version 0.x, "dltensor"), as far as it is needed here; its
/// names are its own.
namespace setka::python::dlpack {

// NOLINTBEGIN(readability-identifier-naming)
enum Device : std::int32_t { cpu = 1, cuda = 2, cuda_host = 3, cuda_managed = 13 };
enum Code : std::uint8_t { integer = 0, unsigned_integer = 1, floating = 2, complex = 5, boolean = 6 };

struct Tensor {
  void* data;
  std::int32_t device_type;
  std::int32_t device_id;
  std::int32_t ndim;
  std::uint8_t code;
  std::uint8_t bits;
  std::uint16_t lanes;
  std::int64_t* shape;
  std::int64_t* strides;  // in values; null: C order
  std::uint64_t byte_offset;
};

struct ManagedTensor {
  Tensor tensor;
  void* context;
  void (*deleter)(ManagedTensor*);
};
// NOLINTEND(readability-identifier-naming)

}  // namespace setka::python::dlpack
