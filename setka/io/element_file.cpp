// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/io/element_file.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

#include <sys/mman.h>
#include <unistd.h>

#include <fmt/core.h>

#include "setka/base/error.hpp"
#include "setka/exec/parallel.hpp"
#include "setka/io/detail/binary_header.hpp"
#include "setka/io/text_file.hpp"

namespace setka::io {
namespace {

using detail::element_kind;
using fem::block_lanes;

constexpr std::size_t header_bytes = detail::binary_header_bytes + 16;
constexpr std::size_t group_bytes = 16;

std::uint64_t entries_of(const ElementFileGroup& group) {
  return static_cast<std::uint64_t>(group.rows) * static_cast<std::uint64_t>(group.rows + 1) / 2;
}

/// Index vectors are filled up to a multiple of eight bytes.
std::uint64_t index_bytes(const ElementFileGroup& group) {
  const auto bytes = 4 * static_cast<std::uint64_t>(group.rows) * static_cast<std::uint64_t>(group.elements);
  return (bytes + 7) / 8 * 8;
}

std::uint64_t triangle_bytes(const ElementFileGroup& group) {
  return 8 * entries_of(group) * static_cast<std::uint64_t>(group.elements);
}

std::int64_t blocks_of(const ElementFileGroup& group) {
  return (group.elements + block_lanes - 1) / block_lanes;
}

/// Whether the index vector and the triangle of an element are as they may be.
bool all_right(const std::int32_t* index, std::int64_t rows, std::int64_t unknowns, const double* triangle,
               std::size_t entries) {
  bool right = true;
  for (std::int64_t i = 0; i < rows; ++i) right = right && index[i] >= -1 && index[i] < unknowns;
  double sum = 0;  // of zeros, unless something is not finite
  for (std::size_t k = 0; k < entries; ++k) sum += 0.0 * triangle[k];
  return right && sum == 0;
}

}  // namespace

ElementFile::ElementFile(const std::filesystem::path& path)
    : name_(path.string()), file_(std::make_unique<TextFile>(path)) {
  const std::string_view bytes = file_->text();
  const auto damaged = [&](const std::string& what) {
    detail::refuse_binary(element_kind, name_, "the header is damaged: " + what);
  };
  detail::check_binary_header(bytes, element_kind, header_bytes, name_);
  unknowns_ = detail::number_at<std::int64_t>(bytes, 16);
  const auto count = detail::number_at<std::int64_t>(bytes, 24);
  if (unknowns_ < 1 || unknowns_ > std::numeric_limits<std::int32_t>::max())
    damaged(fmt::format("{} unknowns; 1 to 2^31 - 1 are right", unknowns_));
  if (count < 0) damaged(fmt::format("{} groups", count));
  if (static_cast<std::uint64_t>(count) > (bytes.size() - header_bytes) / group_bytes)
    detail::refuse_binary(element_kind, name_,
                          fmt::format("the file is cut off: {} groups do not fit", count));
  std::uint64_t at = header_bytes + group_bytes * static_cast<std::uint64_t>(count);
  for (std::int64_t g = 0; g < count; ++g) {
    const std::size_t place = header_bytes + group_bytes * static_cast<std::size_t>(g);
    const ElementFileGroup group{detail::number_at<std::int64_t>(bytes, place),
                                 detail::number_at<std::int64_t>(bytes, place + 8)};
    if (group.rows < 1 || group.rows > most_rows)
      damaged(
          fmt::format("group {} has matrices of order {}; 1 to {} are right", g + 1, group.rows, most_rows));
    if (group.elements < 0 || group.elements > std::numeric_limits<std::int32_t>::max())
      damaged(fmt::format("group {} has {} elements", g + 1, group.elements));
    index_at_.push_back(at);
    at += index_bytes(group);
    triangle_at_.push_back(at);
    at += triangle_bytes(group);
    if (at > std::numeric_limits<std::uint64_t>::max() / 4) damaged("the groups are too large for any file");
    groups_.push_back(group);
  }
  detail::check_binary_size(bytes.size(), at, element_kind, name_);
}

ElementFile::~ElementFile() = default;

std::int64_t ElementFile::element_count() const {
  std::int64_t sum = 0;
  for (const ElementFileGroup& group : groups_) sum += group.elements;
  return sum;
}

std::uint64_t ElementFile::matrix_bytes() const {
  std::uint64_t sum = 0;
  for (const ElementFileGroup& group : groups_) sum += triangle_bytes(group);
  return sum;
}

const char* ElementFile::indices(std::size_t group, std::int64_t element) const {
  return file_->text().data() + index_at_[group] +
         static_cast<std::uint64_t>(4 * groups_[group].rows * element);
}

const char* ElementFile::triangles(std::size_t group, std::int64_t element) const {
  return file_->text().data() + triangle_at_[group] +
         8 * entries_of(groups_[group]) * static_cast<std::uint64_t>(element);
}

void ElementFile::pack(std::size_t group, std::int64_t first_block, std::int64_t blocks, int threads,
                       std::int32_t* index, double* triangle) const {
  const ElementFileGroup& own = groups_[group];
  const auto rows = static_cast<int>(own.rows);
  const int entries = fem::triangle_size(rows);
  std::atomic<std::int64_t> bad = own.elements;  // the first element that is not right
  exec::host::for_each(threads, blocks, 1, [&](std::int64_t b) {
    std::int32_t* const to_index = index + b * rows * block_lanes;
    double* const to_triangle = triangle + b * entries * block_lanes;
    const std::int64_t first = (first_block + b) * block_lanes;
    const auto count = static_cast<int>(std::min<std::int64_t>(block_lanes, own.elements - first));
    // Of the mapped file everything begins at whole words: its parts are multiples of eight bytes, index
    // vectors of four.
    for (int lane = 0; lane < block_lanes; ++lane) {
      if (lane >= count) {
        for (int i = 0; i < rows; ++i) to_index[i * block_lanes + lane] = -1;
        for (int k = 0; k < entries; ++k) to_triangle[k * block_lanes + lane] = 0;
        continue;
      }
      const auto* const from_index = reinterpret_cast<const std::int32_t*>(indices(group, first + lane));
      const auto* const from_triangle = reinterpret_cast<const double*>(triangles(group, first + lane));
      if (!all_right(from_index, rows, unknowns_, from_triangle, static_cast<std::size_t>(entries))) {
        std::int64_t known = bad;
        while (first + lane < known && !bad.compare_exchange_weak(known, first + lane)) {
        }
        return;
      }
      for (int i = 0; i < rows; ++i) to_index[i * block_lanes + lane] = from_index[i];
    }
    // Eight elements at a time: whole lines of memory are written.
    constexpr int together = 8;
    for (int lane = 0; lane < count; lane += together) {
      const int width = std::min(together, count - lane);
      const auto* const from = reinterpret_cast<const double*>(triangles(group, first + lane));
      for (int k = 0; k < entries; ++k) {
        for (int w = 0; w < width; ++w)
          to_triangle[k * block_lanes + lane + w] = from[static_cast<std::ptrdiff_t>(w) * entries + k];
      }
    }
  });
  if (bad < own.elements) refuse_element(group, bad);
}

void ElementFile::refuse_element(std::size_t group, std::int64_t element) const {
  const ElementFileGroup& own = groups_[group];
  const std::string which = fmt::format("element {} of group {}", element + 1, group + 1);
  const std::string_view bytes(indices(group, element), static_cast<std::size_t>(4 * own.rows));
  for (std::int64_t i = 0; i < own.rows; ++i) {
    const auto value = detail::number_at<std::int32_t>(bytes, static_cast<std::size_t>(4 * i));
    if (value >= -1 && value < unknowns_) continue;
    throw Error(Fault::input,
                fmt::format("{} has the index {} in row {}, but there are {} unknowns", which, value, i + 1,
                            unknowns_),
                fmt::format("give 0 to {}, or -1 for a row that is held", unknowns_ - 1), {name_, 0});
  }
  throw Error(Fault::input, fmt::format("the matrix of {} has an entry that is not finite", which),
              "check how the file was made", {name_, 0});
}

std::uint64_t ElementFile::read(std::size_t group, std::int64_t first_block, std::int64_t blocks) const {
  const std::int64_t first = first_block * block_lanes;
  const std::int64_t last = std::min(groups_[group].elements, first + blocks * block_lanes);
  const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  const auto touch = [&](const char* begin, const char* end) {
    const char* const from = begin - reinterpret_cast<std::uintptr_t>(begin) % page;
    // Only a hint, which lets the system read more than a page at a time.
    ::madvise(const_cast<char*>(from), static_cast<std::size_t>(end - from), MADV_WILLNEED);
    for (const volatile char* at = from; at < end; at += page) static_cast<void>(*at);
    return static_cast<std::uint64_t>(end - begin);
  };
  return touch(indices(group, first), indices(group, last)) +
         touch(triangles(group, first), triangles(group, last));
}

ElementFilePieces::ElementFilePieces(const ElementFile& file, const exec::Device& cpu, std::int64_t bytes)
    : file_(&file), threads_(cpu.threads()), bytes_(bytes), upcoming_(place_from(0, 0)) {
  const fem::PieceSize size = largest();
  for (int i = 0; i < fem::piece_slots; ++i) {
    slots_.push_back(
        {exec::pinned_array<std::int32_t>(cpu, size.indices), exec::pinned_array<double>(cpu, size.entries)});
  }
  read_ = reading(upcoming_);
}

fem::PieceSize ElementFilePieces::largest(const ElementFile& file, std::int64_t bytes) {
  fem::PieceSize most;
  for (const ElementFileGroup& group : file.groups()) {
    const auto rows = static_cast<int>(group.rows);
    const fem::PieceSize own =
        fem::PieceSize::of(rows, std::min(blocks_of(group), fem::blocks_of_piece(rows, bytes)));
    most.indices = std::max(most.indices, own.indices);
    most.entries = std::max(most.entries, own.entries);
  }
  return most;
}

/// The piece that begins there, or at the next group that has elements.
ElementFilePieces::Place ElementFilePieces::place_from(std::size_t group, std::int64_t block) const {
  const auto& groups = file_->groups();
  while (group < groups.size() && block >= blocks_of(groups[group])) {
    ++group;
    block = 0;
  }
  if (group == groups.size()) return {group, 0, 0};
  const std::int64_t most = fem::blocks_of_piece(static_cast<int>(groups[group].rows), bytes_);
  return {group, block, std::min(most, blocks_of(groups[group]) - block)};
}

std::future<void> ElementFilePieces::reading(const Place& place) const {
  if (place.count == 0) return {};
  return std::async(std::launch::async,
                    [file = file_, place] { file->read(place.group, place.block, place.count); });
}

std::optional<fem::PackedElements> ElementFilePieces::next() {
  const Place place = upcoming_;
  if (place.count == 0) return std::nullopt;
  read_.get();
  upcoming_ = place_from(place.group, place.block + place.count);
  read_ = reading(upcoming_);
  Slot& slot = slots_[std::exchange(slot_, (slot_ + 1) % slots_.size())];
  file_->pack(place.group, place.block, place.count, threads_, slot.index.data(), slot.triangle.data());
  const auto rows = static_cast<int>(file_->groups()[place.group].rows);
  return fem::PackedElements{rows, place.count, slot.index.data(), slot.triangle.data()};
}

ElementFileWriter::ElementFileWriter(const std::filesystem::path& path, std::int64_t unknowns,
                                     std::span<const ElementFileGroup> groups)
    : file_(path) {
  const auto count = static_cast<std::int64_t>(groups.size());
  file_.write(detail::binary_header(element_kind));
  file_.write(detail::bytes_of(&unknowns, 1));
  file_.write(detail::bytes_of(&count, 1));
  for (const ElementFileGroup& group : groups) {
    file_.write(detail::bytes_of(&group.rows, 1));
    file_.write(detail::bytes_of(&group.elements, 1));
    parts_.push_back(4 * static_cast<std::uint64_t>(group.rows) * static_cast<std::uint64_t>(group.elements));
    parts_.push_back(triangle_bytes(group));
  }
}

void ElementFileWriter::expect(std::size_t bytes) {
  require(part_ < parts_.size() && bytes <= parts_[part_],
          "ElementFileWriter: more than the groups have was given");
  parts_[part_] -= bytes;
}

void ElementFileWriter::add_indices(std::span<const std::int32_t> indices) {
  while (part_ < parts_.size() && part_ % 2 == 1 && parts_[part_] == 0) ++part_;
  require(part_ % 2 == 0, "ElementFileWriter: the triangles of a group are not complete");
  expect(4 * indices.size());
  file_.write(detail::bytes_of(indices.data(), indices.size()));
  unfilled_ ^= indices.size() % 2 == 1;
}

void ElementFileWriter::add_triangles(std::span<const double> triangles) {
  if (part_ < parts_.size() && part_ % 2 == 0 && parts_[part_] == 0) {
    ++part_;
    if (std::exchange(unfilled_, false)) file_.write(std::string_view("\0\0\0\0", 4));
  }
  require(part_ % 2 == 1, "ElementFileWriter: the indices of a group are not complete");
  expect(8 * triangles.size());
  file_.write(detail::bytes_of(triangles.data(), triangles.size()));
}

void ElementFileWriter::commit() {
  for (const std::uint64_t left : parts_)
    require(left == 0, "ElementFileWriter: less than the groups have was given");
  file_.commit();
}

}  // namespace setka::io
