// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/io/binary_matrix.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <limits>

#include <fmt/core.h>

#include "setka/base/error.hpp"
#include "setka/exec/parallel.hpp"
#include "setka/io/detail/binary_header.hpp"
#include "setka/io/output_file.hpp"
#include "setka/io/text_file.hpp"

namespace setka::io {
namespace {

using detail::matrix_kind;

constexpr std::size_t header_bytes = detail::binary_header_bytes + 16;

/// The first number that is not finite, or as many as there are.
std::int64_t first_not_finite(std::span<const double> values, int threads) {
  constexpr std::int64_t chunk = 1 << 16;
  const auto size = static_cast<std::int64_t>(values.size());
  std::atomic<std::int64_t> first = size;
  exec::host::for_each(threads, (size + chunk - 1) / chunk, 1, [&](std::int64_t c) {
    for (std::int64_t i = c * chunk; i < std::min(size, (c + 1) * chunk); ++i) {
      if (std::isfinite(values[static_cast<std::size_t>(i)])) continue;
      std::int64_t known = first;
      while (i < known && !first.compare_exchange_weak(known, i)) {
      }
      return;
    }
  });
  return first;
}

}  // namespace

BinaryMatrix::BinaryMatrix(const std::filesystem::path& path, int threads)
    : file_(std::make_unique<TextFile>(path)) {
  const std::string name = path.string();
  const std::string_view bytes = file_->text();
  detail::check_binary_header(bytes, matrix_kind, header_bytes, name);
  rows_ = detail::number_at<std::int64_t>(bytes, 16);
  columns_ = detail::number_at<std::int64_t>(bytes, 24);
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max() / 16;
  if (rows_ < 0 || columns_ < 0 || (columns_ > 0 && rows_ > most / columns_)) {
    detail::refuse_binary(matrix_kind, name,
                          fmt::format("the header is damaged: a matrix of {} x {}", rows_, columns_));
  }
  const auto count = static_cast<std::size_t>(rows_ * columns_);
  detail::check_binary_size(bytes.size(), header_bytes + 8 * count, matrix_kind, name);
  values_ = {reinterpret_cast<const double*>(bytes.data() + header_bytes), count};
  const std::int64_t bad = first_not_finite(values_, threads);
  if (bad == static_cast<std::int64_t>(count)) return;
  throw Error(Fault::input,
              fmt::format("row {}, column {} is {}", bad / columns_ + 1, bad % columns_ + 1,
                          values_[static_cast<std::size_t>(bad)]),
              "give finite numbers", {name, 0});
}

BinaryMatrix::~BinaryMatrix() = default;

void write_binary_matrix(const std::filesystem::path& path, std::int64_t rows, std::int64_t columns,
                         std::span<const double> values) {
  require(static_cast<std::int64_t>(values.size()) == rows * columns,
          "write_binary_matrix: the number of values is not rows x columns");
  OutputFile file(path);
  file.write(detail::binary_header(matrix_kind));
  file.write(detail::bytes_of(&rows, 1));
  file.write(detail::bytes_of(&columns, 1));
  file.write(detail::bytes_of(values.data(), values.size()));
  file.commit();
}

}  // namespace setka::io
