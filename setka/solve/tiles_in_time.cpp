// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/solve/tiles_in_time.hpp"

#include <cstdint>

#include "setka/base/error.hpp"
#include "setka/base/log.hpp"

namespace setka::solve {
namespace {

/// Tiles take 8 bytes a block at most; as much again is left to others.
bool has_room(const sparse::BlockCsr<double>& a) {
  return a.device().info().free_memory >= 16 * static_cast<std::uint64_t>(a.blocks());
}

}  // namespace

const sparse::ColumnTiles* TilesInTime::for_product(const sparse::BlockCsr<double>& a) {
  const std::lock_guard lock(mutex_);
  if (left_ == 0) make_locked(a);
  if (left_ > 0) --left_;
  return tiles_ ? &*tiles_ : nullptr;
}

void TilesInTime::make(const sparse::BlockCsr<double>& a) {
  const std::lock_guard lock(mutex_);
  if (left_ >= 0) make_locked(a);
}

const sparse::ColumnTiles* TilesInTime::made() const {
  const std::lock_guard lock(mutex_);
  return tiles_ ? &*tiles_ : nullptr;
}

void TilesInTime::make_locked(const sparse::BlockCsr<double>& a) {
  left_ = -1;
  if (!has_room(a)) return;
  try {
    tiles_ = sparse::ColumnTiles::of(a);
  } catch (const Error& error) {
    if (error.fault() != Fault::resource) throw;
    log::debug("products stay without tiles: {}", error.message());
  }
}

}  // namespace setka::solve
