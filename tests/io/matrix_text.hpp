// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <zlib.h>

#include <stdexcept>
#include <string>

#include "setka/base/error.hpp"
#include "setka/base/monitor.hpp"
#include "setka/io/matrix_market.hpp"

namespace setka::test {

inline io::MatrixMarket read_matrix(const std::string& text, const io::MatrixMarketOptions& options = {}) {
  Monitor monitor;
  return io::read_matrix_market_text(text, "a.mtx", options, monitor);
}

inline io::DenseMatrix read_dense(const std::string& text) {
  return io::dense(read_matrix(text), "a.mtx", 1 << 20);
}

inline std::string error_of_matrix(const std::string& text, Fault fault = Fault::input,
                                   const io::MatrixMarketOptions& options = {}) {
  try {
    read_matrix(text, options);
  } catch (const Error& error) {
    return error.fault() == fault ? error.what() : std::string("another fault: ") + error.what();
  }
  return "no error";
}

inline std::string gzipped(const std::string& text) {
  z_stream stream{};
  if (deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK)
    throw std::runtime_error("deflateInit2");
  std::string packed(deflateBound(&stream, static_cast<uLong>(text.size())), '\0');
  stream.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  if (deflate(&stream, Z_FINISH) != Z_STREAM_END) throw std::runtime_error("deflate");
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

}  // namespace setka::test
