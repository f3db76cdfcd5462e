// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bench/block_model.hpp"
#include "setka/base/monitor.hpp"
#include "setka/exec/array.hpp"
#include "setka/fem/element_projection.hpp"
#include "setka/fem/streamed_projection.hpp"

namespace setka::bench {

/// The paper's model (UZOR): a pump unit on a frame.
inline constexpr std::int64_t paper_projection_unknowns = 1858824;
inline constexpr int projection_columns = 30;

/// A bar of C3D8, 17 x 17 cells across as nodes and elements of the paper's model are to each other, held at
/// one end, of about so many unknowns: 552 568 elements for the paper's.
std::array<int, 3> projection_cells(std::int64_t unknowns);

/// Stiffness matrices and X of a model in the memory of a device, and their projection.
class ProjectionInMemory {
 public:
  ProjectionInMemory(const exec::Device& device, const BlockModel& model, int columns = projection_columns);

  void run(const fem::ProjectionChoice& choice);

  std::int64_t unknowns() const { return x_.rows(); }
  double matrix_bytes() const { return static_cast<double>(matrices_.bytes()); }
  double bytes() const;  // what must be read: matrices, indices, X
  double flops() const;  // Y = L X and one triangle of X'Y

  const exec::MultiVector<double>& x() const { return x_; }
  const exec::MultiVector<double>& result() const { return s_; }
  fem::PackedElements elements() const { return projection_.group(0, matrices_); }

 private:
  fem::ElementProjection projection_;
  fem::ElementMatrices matrices_;
  exec::MultiVector<double> x_;
  exec::MultiVector<double> s_;
};

/// The same from pinned host memory, in pieces; X travels too.
class ProjectionFromHost {
 public:
  static constexpr std::int64_t piece_bytes = std::int64_t{64} << 20;

  explicit ProjectionFromHost(const ProjectionInMemory& source, std::int64_t bytes = piece_bytes);

  fem::StreamedTimes run();
  const exec::MultiVector<double>& result() const { return s_; }

 private:
  exec::Device device_;
  exec::Array<std::int32_t> index_;
  exec::Array<double> triangle_;
  exec::Array<double> host_x_;
  exec::MultiVector<double> x_;
  exec::MultiVector<double> s_;
  fem::PiecesInMemory pieces_;
  fem::StreamedProjection projection_;
};

/// Seconds of one projection in the paper.
struct PaperProjection {
  const char* device;
  double seconds;
};
std::span<const PaperProjection> paper_projections();

/// What a device can do, measured.
struct Limits {
  double memory = 0;  // bytes a second, of a copy, read and written
  double flops = 0;   // a second, of a product of dense matrices
  double link = 0;    // bytes a second from pinned host memory; 0: none
};

/// One way to project; seconds.
struct ProjectionRow {
  std::string device;   // "cpu", "cuda:0"
  std::string way;      // "grouped", "fused", "streamed"
  std::string skipped;  // why it was not measured; empty: it was
  double seconds = 0;
  double floor = 0;        // what bytes and flops take at the limits of the device
  const char* bound = "";  // by "memory", "flops" or "link"
};

struct ProjectionTable {
  std::int64_t elements = 0;
  std::int64_t unknowns = 0;
  double matrix_bytes = 0;
  double vector_bytes = 0;
  double flops = 0;
  std::optional<Limits> cpu;
  std::optional<Limits> gpu;
  std::vector<ProjectionRow> rows;
  double difference = 0;  // largest between two ways, relative to the norm
};

/// The paper's table, measured here. show is called with each row when it has been measured.
ProjectionTable projection_table(const exec::Device& cpu, const std::optional<exec::Device>& gpu,
                                 std::int64_t unknowns, const std::function<void(const ProjectionRow&)>& show,
                                 Monitor& monitor);

}  // namespace setka::bench
