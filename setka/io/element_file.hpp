// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <future>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "setka/exec/array.hpp"
#include "setka/exec/device.hpp"
#include "setka/fem/streamed_projection.hpp"
#include "setka/io/output_file.hpp"

/// Element matrices in a binary file: groups of one order each, index vectors, upper triangles
/// (docs/element-files.md).
namespace setka::io {

class TextFile;
struct ElementFileGroup {
  std::int64_t rows = 0;  // l, of each matrix
  std::int64_t elements = 0;
};

/// The file, mapped: it takes no memory of its own. What is wrong with it is an Error(Fault::input) that
/// names it; what the header does not tell shows when elements are packed.
class ElementFile {
 public:
  static constexpr std::int64_t most_rows = 3000;

  explicit ElementFile(const std::filesystem::path& path);
  ~ElementFile();
  ElementFile(const ElementFile&) = delete;
  ElementFile& operator=(const ElementFile&) = delete;

  const std::string& name() const { return name_; }
  std::int64_t unknowns() const { return unknowns_; }
  const std::vector<ElementFileGroup>& groups() const { return groups_; }
  std::int64_t element_count() const;
  std::uint64_t matrix_bytes() const;  // of the triangles

  /// Index vectors and triangles of blocks of 32 elements as fem::PackedElements has them, by a team of
  /// threads. An index out of range and an entry that is not finite are Errors that name the element.
  void pack(std::size_t group, std::int64_t first_block, std::int64_t blocks, int threads,
            std::int32_t* index, double* triangle) const;

  /// Has these blocks read into memory, so that packing them does not wait for the file; returns their bytes.
  std::uint64_t read(std::size_t group, std::int64_t first_block, std::int64_t blocks) const;

 private:
  const char* indices(std::size_t group, std::int64_t element) const;
  const char* triangles(std::size_t group, std::int64_t element) const;
  [[noreturn]] void refuse_element(std::size_t group, std::int64_t element) const;

  std::string name_;
  std::unique_ptr<const TextFile> file_;
  std::int64_t unknowns_ = 0;
  std::vector<ElementFileGroup> groups_;
  std::vector<std::uint64_t> index_at_;
  std::vector<std::uint64_t> triangle_at_;
};

/// Pieces of a file for fem::StreamedProjection, packed into pinned memory as they are asked for. A thread of
/// its own reads the next piece meanwhile.
class ElementFilePieces final : public fem::ElementPieces {
 public:
  /// cpu: the team that packs. bytes: of a piece at most. The file must outlive it.
  ElementFilePieces(const ElementFile& file, const exec::Device& cpu, std::int64_t bytes);

  static fem::PieceSize largest(const ElementFile& file, std::int64_t bytes);
  fem::PieceSize largest() const override { return largest(*file_, bytes_); }
  std::optional<fem::PackedElements> next() override;

 private:
  struct Slot {
    exec::Array<std::int32_t> index;
    exec::Array<double> triangle;
  };
  struct Place {
    std::size_t group = 0;
    std::int64_t block = 0;
    std::int64_t count = 0;
  };
  Place place_from(std::size_t group, std::int64_t block) const;
  std::future<void> reading(const Place& place) const;

  const ElementFile* file_;
  int threads_;
  std::int64_t bytes_;
  std::vector<Slot> slots_;
  std::size_t slot_ = 0;
  Place upcoming_;
  std::future<void> read_;  // of the upcoming piece; waits for its thread when it goes
};

/// Writes a file: for each group in turn the index vectors of all its elements, then their triangles, in as
/// many calls as it likes; commit() checks that nothing is missing.
class ElementFileWriter {
 public:
  ElementFileWriter(const std::filesystem::path& path, std::int64_t unknowns,
                    std::span<const ElementFileGroup> groups);

  void add_indices(std::span<const std::int32_t> indices);  // [elements, rows]; -1: held
  void add_triangles(std::span<const double> triangles);    // [elements, entries], row by row
  void commit();

 private:
  void expect(std::size_t bytes);

  OutputFile file_;
  std::vector<std::uint64_t> parts_;  // bytes of indices and triangles that are still to come, group by group
  std::size_t part_ = 0;
  bool unfilled_ = false;  // whether the index vectors so far end within a word of eight bytes
};

}  // namespace setka::io
