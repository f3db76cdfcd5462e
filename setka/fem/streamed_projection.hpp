// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "setka/exec/array.hpp"
#include "setka/exec/device.hpp"
#include "setka/exec/view.hpp"
#include "setka/fem/element_projection.hpp"

/// Projections from element matrices that need not all fit the memory of a device: they come in pieces, and a
/// piece is packed while the one before travels and that before it is computed with.
namespace setka::fem {

inline constexpr int piece_slots = 3;  // pieces that are under way at once

/// Room that a piece needs.
struct PieceSize {
  std::int64_t indices = 0;  // numbers of index vectors
  std::int64_t entries = 0;  // numbers of triangles

  static PieceSize of(int rows, std::int64_t blocks) {
    return {blocks * rows * block_lanes, blocks * triangle_size(rows) * block_lanes};
  }
  std::int64_t bytes() const { return 4 * indices + 8 * entries; }
};

/// Blocks of elements of that order in a piece of at most so many bytes: whole chunks of the CPU's sums where
/// a piece holds one, else what there is room for, but at least one block.
inline std::int64_t blocks_of_piece(int rows, std::int64_t bytes) {
  const std::int64_t blocks = bytes / std::max<std::int64_t>(1, PieceSize::of(rows, 1).bytes());
  if (blocks >= projection_chunk) return blocks / projection_chunk * projection_chunk;
  return std::max<std::int64_t>(1, blocks);
}

/// Where pieces come from.
class ElementPieces {
 public:
  ElementPieces() = default;
  ElementPieces(const ElementPieces&) = delete;
  ElementPieces& operator=(const ElementPieces&) = delete;
  virtual ~ElementPieces() = default;

  /// Of the largest piece, in both respects.
  virtual PieceSize largest() const = 0;

  /// The next piece, in host memory, pinned for it to travel at full speed; none at the end. It stays as it
  /// is until next() has been called piece_slots times more.
  virtual std::optional<PackedElements> next() = 0;
};

/// Pieces of elements that lie in host memory as they are to travel: nothing is packed.
class PiecesInMemory final : public ElementPieces {
 public:
  /// groups: their memory outlives this. bytes: of a piece at most.
  PiecesInMemory(std::span<const PackedElements> groups, std::int64_t bytes);

  PieceSize largest() const override;
  std::optional<PackedElements> next() override;
  void rewind();

 private:
  std::vector<PackedElements> groups_;
  std::int64_t bytes_;
  std::size_t group_ = 0;
  std::int64_t block_ = 0;
};

/// Seconds of each kind of work; they overlap, so that the total may be less than their sum.
struct StreamedTimes {
  double packing = 0;    // by the host
  double transfer = 0;   // on the way to the device; none on the CPU
  double computing = 0;  // on the device
  double total = 0;
  std::int64_t pieces = 0;
};

/// The projection of elements in pieces, with buffers on the device for those that are under way.
class StreamedProjection {
 public:
  StreamedProjection(const exec::Device& device, PieceSize largest);

  /// What the buffers take.
  static std::int64_t bytes(const exec::Device& device, PieceSize largest);

  /// S += X'KX of all pieces, in their order; waits for it. Work that makes X is to be in the device's main
  /// stream, in which the sums are made.
  StreamedTimes run(ElementPieces& pieces, exec::MultiView<const double> x, exec::MultiView<double> s,
                    const ProjectionChoice& choice = {});

 private:
  struct Slot {
    exec::Array<std::int32_t> index;
    exec::Array<double> triangle;
    std::optional<exec::Event> copied;
    std::optional<exec::Event> computed;
  };

  StreamedTimes run_on_host(ElementPieces& pieces, exec::MultiView<const double> x, exec::MultiView<double> s,
                            const ProjectionChoice& choice);

  exec::Device device_;
  std::optional<exec::Stream> copies_;
  std::vector<Slot> slots_;
};

}  // namespace setka::fem
