// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstring>

/// Vector registers of the CPU that is compiled for, as GCC and Clang have them in the language.
namespace setka::exec::host {

#if defined(__AVX512F__)
inline constexpr int vector_bytes = 64;
inline constexpr int vector_registers = 32;
#elif defined(__AVX__)
inline constexpr int vector_bytes = 32;
inline constexpr int vector_registers = 16;
#elif defined(__aarch64__)
inline constexpr int vector_bytes = 16;
inline constexpr int vector_registers = 32;
#else
inline constexpr int vector_bytes = 16;
inline constexpr int vector_registers = 16;
#endif

/// In a vector of so many bytes.
template <class T, int bytes = vector_bytes>
inline constexpr int lanes = bytes / static_cast<int>(sizeof(T));

template <class T, int bytes>
struct VectorOf {
  using type __attribute__((vector_size(bytes))) = T;
};
template <class T, int bytes = vector_bytes>
using Vector = typename VectorOf<T, bytes>::type;

/// From memory that need not be aligned.
template <class T, int bytes = vector_bytes>
Vector<T, bytes> load_vector(const T* from) {
  Vector<T, bytes> value;
  std::memcpy(&value, from, sizeof(value));
  return value;
}

}  // namespace setka::exec::host
