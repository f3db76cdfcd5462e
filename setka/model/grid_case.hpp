// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "setka/base/error.hpp"

/// A problem on a grid as its case file tells it (docs/grid-case.md): u_t = div(d grad u) + f - r u, or the
/// state without u_t, on cells of a box. Axes are x, y and z in this order; values lie with x fastest.
/// Schemes in time have a value a cell, at its centre; stationary ones have values at the corners of cells.
namespace setka::model {

enum class GridScheme {
  lod,                // implicit, coordinate by coordinate
  peaceman_rachford,  // ADI in the plane
  douglas,            // ADI in the plane and in space
  explicit_euler,
  jacobi,  // stationary, as those that follow
  weighted_jacobi,
  red_black_sor,
};

/// "lod", "adi (douglas)", ...: for people.
std::string_view name(GridScheme scheme);

bool is_stationary(GridScheme scheme);

/// Where a field has another value; compared with the points that have values.
struct GridShape {
  enum class Kind { box, disc, stripes };
  static constexpr double anywhere = std::numeric_limits<double>::infinity();

  Kind kind = Kind::box;
  double value = 0;

  // All of them: only between these corners.
  std::array<double, 3> from{-anywhere, -anywhere, -anywhere};
  std::array<double, 3> to{anywhere, anywhere, anywhere};

  // Disc: in the plane across `axis` (a cylinder), or a ball where axis is -1.
  std::array<double, 3> centre{};
  double radius = 0;

  // Stripes across `axis`: from offset + k period, `width` wide, for all integers k.
  double period = 0;
  double width = 0;
  double offset = 0;

  int axis = -1;

  bool holds(const std::array<double, 3>& point) const;
};

/// A number for each point: one value or a file, then the shapes over it, the last one on top.
struct GridField {
  double value = 0;
  double least = -std::numeric_limits<double>::infinity();  // that means something
  std::filesystem::path file;                               // .npy of shape(); empty: none
  std::vector<GridShape> shapes;
  long line = 0;

  bool is_uniform() const { return file.empty() && shapes.empty(); }
};

struct GridSide {
  enum class Kind {
    periodic,
    dirichlet,  // u = value on the side
    neumann,    // d u_n = value: what flows in
    robin,      // d u_n = coefficient (value - u)
  };
  Kind kind = Kind::neumann;
  double value = 0;
  double coefficient = 0;
  long line = 0;
};

struct GridProbe {
  std::string name;
  std::array<double, 3> at{};
};

struct GridOutput {
  std::filesystem::path folder;   // where the case is, unless the case says otherwise
  std::int64_t every = 0;         // steps; 0: the end alone
  std::int64_t probes_every = 1;  // steps
  bool vti = true;
  bool npy = false;
  bool png = false;
  int slice_axis = 2;                          // of pictures of space: the axis across the picture
  std::optional<double> slice_at;              // where along that axis; none: the middle
  std::optional<std::array<double, 2>> range;  // of colours; none: of the values
};

struct GridCase {
  std::filesystem::path file;
  std::string title;
  GridScheme scheme = GridScheme::lod;
  bool single_precision = false;
  long scheme_line = 0;

  // [grid]
  int axes = 2;
  std::array<std::int64_t, 3> cells{1, 1, 1};
  std::array<double, 3> lengths{1, 1, 1};
  std::array<double, 3> origin{};

  // [boundary]: low and high side of each axis
  std::array<std::array<GridSide, 2>, 3> sides;

  // [diffusivity], [source], [reaction], [initial]
  GridField diffusivity;
  GridField source;
  GridField reaction;
  GridField initial;

  // [time]
  double step = 0;
  std::int64_t steps = 0;
  long step_line = 0;

  // [stationary]
  double tolerance = 1e-6;
  std::int64_t most_iterations = 100000;
  std::optional<double> relaxation;     // none: the method's own
  std::optional<std::int64_t> height;   // of pyramids; none: as planned
  std::optional<std::int64_t> planes;   // of a block of pyramids; none: as planned
  std::optional<std::uint64_t> memory;  // bytes of the device; none: what is free
  bool on_disk = false;                 // where the grid is: in a mapped file, else in memory
  long stationary_line = 0;

  GridOutput output;
  std::vector<GridProbe> probes;
  std::int64_t checkpoint_every = 0;  // steps; 0: only where a run is interrupted

  double spacing(int axis) const;

  /// Values along an axis: as many as cells, or one more where they are at corners.
  std::int64_t points(int axis) const;
  std::int64_t point_count() const;
  double place(int axis, std::int64_t point) const;
  std::int64_t nearest_point(int axis, double at) const;

  /// Of arrays: [ny, nx] or [nz, ny, nx].
  std::vector<std::int64_t> shape() const;

  SourceLine at(long line) const { return {file.string(), line}; }
};

}  // namespace setka::model
