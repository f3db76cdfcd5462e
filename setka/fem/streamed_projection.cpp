// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/fem/streamed_projection.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <utility>

#include "setka/base/error.hpp"

namespace setka::fem {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

}  // namespace

PiecesInMemory::PiecesInMemory(std::span<const PackedElements> groups, std::int64_t bytes)
    : groups_(groups.begin(), groups.end()), bytes_(bytes) {}

PieceSize PiecesInMemory::largest() const {
  PieceSize most;
  for (const PackedElements& group : groups_) {
    const PieceSize own =
        PieceSize::of(group.rows, std::min(group.blocks, blocks_of_piece(group.rows, bytes_)));
    most.indices = std::max(most.indices, own.indices);
    most.entries = std::max(most.entries, own.entries);
  }
  return most;
}

std::optional<PackedElements> PiecesInMemory::next() {
  while (group_ < groups_.size() && block_ == groups_[group_].blocks) {
    ++group_;
    block_ = 0;
  }
  if (group_ == groups_.size()) return std::nullopt;
  const PackedElements& group = groups_[group_];
  const std::int64_t count = std::min(group.blocks - block_, blocks_of_piece(group.rows, bytes_));
  return group.part(std::exchange(block_, block_ + count), count);
}

void PiecesInMemory::rewind() {
  group_ = 0;
  block_ = 0;
}

StreamedProjection::StreamedProjection(const exec::Device& device, PieceSize largest) : device_(device) {
  if (!device.is_cuda()) return;  // the CPU computes where the pieces are
  copies_.emplace(device.make_stream());
  for (int i = 0; i < piece_slots; ++i) {
    slots_.push_back({exec::Array<std::int32_t>(device, largest.indices),
                      exec::Array<double>(device, largest.entries), std::nullopt, std::nullopt});
  }
}

std::int64_t StreamedProjection::bytes(const exec::Device& device, PieceSize largest) {
  return device.is_cuda() ? piece_slots * largest.bytes() : 0;
}

StreamedTimes StreamedProjection::run(ElementPieces& pieces, exec::MultiView<const double> x,
                                      exec::MultiView<double> s, const ProjectionChoice& choice) {
  if (!device_.is_cuda()) return run_on_host(pieces, x, s, choice);
  struct Span {
    exec::Event begin;
    exec::Event end;
  };
  StreamedTimes times;
  std::vector<Span> transfers;
  std::vector<Span> computings;
  const Clock::time_point begin = Clock::now();
  const exec::Stream main = device_.stream();
  for (;; ++times.pieces) {
    Slot& slot = slots_[static_cast<std::size_t>(times.pieces % piece_slots)];
    if (slot.copied) slot.copied->synchronize();  // the host's memory of that piece may be used again
    const Clock::time_point packing = Clock::now();
    const std::optional<PackedElements> piece = pieces.next();
    times.packing += seconds_since(packing);
    if (!piece) break;
    const PieceSize size = PieceSize::of(piece->rows, piece->blocks);
    require(size.indices <= slot.index.size() && size.entries <= slot.triangle.size(),
            "StreamedProjection: a piece is larger than the largest that was announced");
    if (slot.computed) copies_->wait(*slot.computed);
    const exec::Event from = copies_->record();
    exec::copy_async<std::int32_t>(*copies_, {piece->index, size.indices},
                                   slot.index.view().part(0, size.indices));
    exec::copy_async<double>(*copies_, {piece->triangle, size.entries},
                             slot.triangle.view().part(0, size.entries));
    slot.copied = copies_->record();
    transfers.push_back({from, *slot.copied});
    main.wait(*slot.copied);
    const exec::Event computing = main.record();
    add_projection(main, {piece->rows, piece->blocks, slot.index.data(), slot.triangle.data()}, x, s, choice);
    slot.computed = main.record();
    computings.push_back({computing, *slot.computed});
  }
  main.synchronize();
  times.total = seconds_since(begin);
  for (const Span& span : transfers) times.transfer += span.end.seconds_since(span.begin);
  for (const Span& span : computings) times.computing += span.end.seconds_since(span.begin);
  return times;
}

StreamedTimes StreamedProjection::run_on_host(ElementPieces& pieces, exec::MultiView<const double> x,
                                              exec::MultiView<double> s, const ProjectionChoice& choice) {
  StreamedTimes times;
  const Clock::time_point begin = Clock::now();
  for (;; ++times.pieces) {
    const Clock::time_point packing = Clock::now();
    const std::optional<PackedElements> piece = pieces.next();
    times.packing += seconds_since(packing);
    if (!piece) break;
    const Clock::time_point computing = Clock::now();
    add_projection(device_, *piece, x, s, choice);
    times.computing += seconds_since(computing);
  }
  times.total = seconds_since(begin);
  return times;
}

}  // namespace setka::fem
