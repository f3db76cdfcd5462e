// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <vector>

/// Setka's binary files byte by byte, from their description and not by the code that is tested.
namespace setka::test {

template <class T>
std::string raw(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

inline std::string binary_header(const std::string& magic, std::uint32_t version = 1,
                                 std::uint32_t order = 0x01020304) {
  return magic + raw<std::uint32_t>({version, order});
}

inline std::string matrix_bytes(std::int64_t rows, std::int64_t columns, const std::vector<double>& values) {
  return binary_header("SETKAMAT") + raw<std::int64_t>({rows, columns}) + raw(values);
}

/// Two springs between three unknowns and the ground in one group, a single support in another: K is
/// [5 -2 0; -2 5 -3; 0 -3 10] with k = 3, 2, 3 and a support of 7.
struct SpringFile {
  std::vector<std::int32_t> index{-1, 0, 0, 1, 1, 2};
  std::vector<double> triangle{3, -3, 3, 2, -2, 2, 3, -3, 3};
  std::int64_t unknowns = 3;

  std::string bytes() const {
    return binary_header("SETKAELM") + raw<std::int64_t>({unknowns, 2, 2, 3, 1, 1}) + raw(index) +
           raw(triangle) + raw<std::int32_t>({2, 0}) + raw<double>({7});
  }
  std::string name() const { return "springs.elements"; }
};

}  // namespace setka::test
