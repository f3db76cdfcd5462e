// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/mesh/block_mesh.hpp"

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <utility>

#include <fmt/core.h>

#include "setka/base/error.hpp"

namespace setka::mesh {
namespace {

using Corner = std::array<std::int8_t, 3>;
using Edge = std::array<std::int8_t, 2>;

/// How a cell is divided: corners of its elements in the cell, and the edges that have a node between.
struct Division {
  std::vector<std::vector<Corner>> elements;
  std::vector<Edge> edges;
};

constexpr Corner corner(int number) {
  constexpr std::array<Corner, 8> corners{
      {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}}};
  return corners[static_cast<std::size_t>(number)];
}

std::vector<Corner> corners(std::initializer_list<int> numbers) {
  std::vector<Corner> list;
  for (const int number : numbers) list.push_back(corner(number));
  return list;
}

Division division(Cell cell) {
  switch (cell) {
    case Cell::tri3:
      return {{corners({0, 1, 2}), corners({0, 2, 3})}, {}};
    case Cell::tri6:
      return {{corners({0, 1, 2}), corners({0, 2, 3})}, {{0, 1}, {1, 2}, {2, 0}}};
    case Cell::quad4:
      return {{corners({0, 1, 2, 3})}, {}};
    case Cell::quad8:
      return {{corners({0, 1, 2, 3})}, {{0, 1}, {1, 2}, {2, 3}, {3, 0}}};
    case Cell::tet4:
    case Cell::tet10: {
      Division d{{corners({0, 1, 2, 6}), corners({0, 2, 3, 6}), corners({0, 3, 7, 6}), corners({0, 7, 4, 6}),
                  corners({0, 4, 5, 6}), corners({0, 5, 1, 6})},
                 {}};
      if (cell == Cell::tet10) d.edges = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}};
      return d;
    }
    case Cell::wedge6:
    case Cell::wedge15: {
      Division d{{corners({0, 1, 2, 4, 5, 6}), corners({0, 2, 3, 4, 6, 7})}, {}};
      if (cell == Cell::wedge15)
        d.edges = {{0, 1}, {1, 2}, {2, 0}, {3, 4}, {4, 5}, {5, 3}, {0, 3}, {1, 4}, {2, 5}};
      return d;
    }
    case Cell::hex8:
    case Cell::hex20: {
      Division d{{corners({0, 1, 2, 3, 4, 5, 6, 7})}, {}};
      if (cell == Cell::hex20)
        d.edges = {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {4, 5}, {5, 6},
                   {6, 7}, {7, 4}, {0, 4}, {1, 5}, {2, 6}, {3, 7}};
      return d;
    }
    default:
      throw Error(Fault::usage, "block_mesh: cells cannot be divided into this",
                  "use triangles, quadrilaterals, tetrahedra, wedges or hexahedra");
  }
}

int block_count(const BlockGrid& grid, std::size_t axis) {
  return std::max(1, static_cast<int>(grid.cells[axis].size()));
}

void check(const BlockGrid& grid, Cell cell) {
  require(grid.plane() == (dimension(cell) == 2),
          "block_mesh: plane shapes need a plane grid, solids a solid one");
  std::size_t blocks = 1;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    require(axis == 2 || !grid.cells[axis].empty(), "block_mesh: an axis without blocks");
    blocks *= static_cast<std::size_t>(block_count(grid, axis));
    for (const int cells : grid.cells[axis])
      require(cells > 0,
              [&] { return fmt::format("block_mesh: a block of {} cells; 1 is the least", cells); });
  }
  require(grid.part.empty() || grid.part.size() == blocks,
          [&] { return fmt::format("block_mesh: {} parts given for {} blocks", grid.part.size(), blocks); });
}

/// -1 where there is no block, outside the grid too.
int part_of(const BlockGrid& grid, int i, int j, int k) {
  const int nx = block_count(grid, 0), ny = block_count(grid, 1), nz = block_count(grid, 2);
  if (i < 0 || j < 0 || k < 0 || i >= nx || j >= ny || k >= nz) return -1;
  if (grid.part.empty()) return 0;
  return grid.part[static_cast<std::size_t>((static_cast<std::int64_t>(i) * ny + j) * nz + k)];
}

/// Which nodes a division has, by where they lie: [odd in x][odd in y][odd in z] of the grid of half cells.
std::array<bool, 8> node_classes(const Division& d) {
  std::array<bool, 8> has{};
  has[0] = true;
  for (const auto& element : d.elements) {
    for (const Edge& edge : d.edges) {
      const Corner& a = element[static_cast<std::size_t>(edge[0])];
      const Corner& b = element[static_cast<std::size_t>(edge[1])];
      const int place = 4 * (a[0] ^ b[0]) + 2 * (a[1] ^ b[1]) + (a[2] ^ b[2]);
      has[static_cast<std::size_t>(place)] = true;
    }
  }
  return has;
}

/// Points on place p of an axis (even: the line between blocks, odd: inside one), by parity of half cells.
std::int64_t points(const BlockGrid& grid, std::size_t axis, int place, bool between) {
  if (place % 2 == 0) return between ? 0 : 1;
  if (grid.cells[axis].empty()) return 0;
  const int cells = grid.cells[axis][static_cast<std::size_t>(place / 2)];
  return between ? cells : cells - 1;
}

/// A place of three axes has nodes when a block beside it is there.
bool any_block(const BlockGrid& grid, int p, int q, int r) {
  for (int i = (p + 1) / 2 - 1; i <= p / 2; ++i) {
    for (int j = (q + 1) / 2 - 1; j <= q / 2; ++j) {
      for (int k = (r + 1) / 2 - 1; k <= r / 2; ++k) {
        if (part_of(grid, i, j, k) >= 0) return true;
      }
    }
  }
  return false;
}

/// One axis of the grid of points: each point's coordinate in blocks; each cell's block.
struct Axis {
  std::vector<double> at;           // [points]
  std::vector<std::int32_t> block;  // [cells]
};

Axis make_axis(const std::vector<int>& cells, int step) {
  Axis axis;
  axis.at.push_back(0);
  for (std::size_t b = 0; b < cells.size(); ++b) {
    const int n = cells[b] * step;
    for (int i = 1; i <= n; ++i) axis.at.push_back(static_cast<double>(b) + static_cast<double>(i) / n);
    axis.block.insert(axis.block.end(), static_cast<std::size_t>(cells[b]), static_cast<std::int32_t>(b));
  }
  if (cells.empty()) axis.block.push_back(0);
  return axis;
}

/// The points of the grid, half cells included where nodes lie between corners, and the cells among them.
class Lattice {
 public:
  Lattice(const BlockGrid& grid, Cell cell)
      : grid_(grid), division_(division(cell)), step_(division_.edges.empty() ? 1 : 2) {
    for (std::size_t a = 0; a < 3; ++a) axes_[a] = make_axis(grid.cells[a], step_);
    for (const auto& element : division_.elements) add_offsets(element);
  }

  std::int64_t point_count() const {
    return static_cast<std::int64_t>(axes_[0].at.size() * axes_[1].at.size() * axes_[2].at.size());
  }

  /// visit(part, points of the element) for each element, cell by cell, first axis slowest.
  template <class Visit>
  void each_element(Visit visit) const {
    const auto stride_y = static_cast<std::int64_t>(axes_[2].at.size());
    const std::int64_t stride_x = stride_y * static_cast<std::int64_t>(axes_[1].at.size());
    for (std::size_t i = 0; i < axes_[0].block.size(); ++i) {
      for (std::size_t j = 0; j < axes_[1].block.size(); ++j) {
        for (std::size_t k = 0; k < axes_[2].block.size(); ++k) {
          const int part = part_of(grid_, axes_[0].block[i], axes_[1].block[j], axes_[2].block[k]);
          if (part < 0) continue;
          const std::int64_t first =
              step_ * (static_cast<std::int64_t>(i) * stride_x + static_cast<std::int64_t>(j) * stride_y +
                       static_cast<std::int64_t>(k));
          for (const auto& element : offsets_) visit(part, first, element);
        }
      }
    }
  }

  std::array<double, 3> at(std::int64_t point) const {
    const auto nz = static_cast<std::int64_t>(axes_[2].at.size());
    const auto ny = static_cast<std::int64_t>(axes_[1].at.size());
    return {axes_[0].at[static_cast<std::size_t>(point / (nz * ny))],
            axes_[1].at[static_cast<std::size_t>(point / nz % ny)],
            axes_[2].at[static_cast<std::size_t>(point % nz)]};
  }

 private:
  /// Where an element's nodes lie among the points, from the first corner of its cell.
  void add_offsets(const std::vector<Corner>& element) {
    const auto nz = static_cast<std::int64_t>(axes_[2].at.size());
    const auto ny = static_cast<std::int64_t>(axes_[1].at.size());
    std::vector<std::int64_t> list;
    // In halves of a step, so that the middle of an edge is a whole number.
    const auto add = [&](const Corner& a, const Corner& b) {
      const auto along = [&](std::size_t axis) { return (a[axis] + b[axis]) * step_ / 2; };
      list.push_back((along(0) * ny + along(1)) * nz + along(2));
    };
    for (const Corner& c : element) add(c, c);
    for (const Edge& edge : division_.edges)
      add(element[static_cast<std::size_t>(edge[0])], element[static_cast<std::size_t>(edge[1])]);
    offsets_.push_back(std::move(list));
  }

  const BlockGrid& grid_;
  Division division_;
  int step_;
  std::array<Axis, 3> axes_;
  std::vector<std::vector<std::int64_t>> offsets_;
};

}  // namespace

std::int64_t block_node_count(const BlockGrid& grid, Cell cell) {
  check(grid, cell);
  const std::array<bool, 8> has = node_classes(division(cell));
  const int nx = block_count(grid, 0), ny = block_count(grid, 1),
            nz = grid.plane() ? 0 : block_count(grid, 2);
  std::int64_t count = 0;
  for (int p = 0; p <= 2 * nx; ++p) {
    for (int q = 0; q <= 2 * ny; ++q) {
      for (int r = 0; r <= 2 * nz; ++r) {
        if (!any_block(grid, p, q, r)) continue;
        for (unsigned c = 0; c < 8; ++c) {
          if (has[c])
            count += points(grid, 0, p, c & 4U) * points(grid, 1, q, c & 2U) * points(grid, 2, r, c & 1U);
        }
      }
    }
  }
  return count;
}

std::int64_t block_element_count(const BlockGrid& grid, Cell cell) {
  check(grid, cell);
  std::int64_t cells = 0;
  for (int i = 0; i < block_count(grid, 0); ++i) {
    for (int j = 0; j < block_count(grid, 1); ++j) {
      for (int k = 0; k < block_count(grid, 2); ++k) {
        if (part_of(grid, i, j, k) < 0) continue;
        const int deep = grid.plane() ? 1 : grid.cells[2][static_cast<std::size_t>(k)];
        cells += static_cast<std::int64_t>(grid.cells[0][static_cast<std::size_t>(i)]) *
                 grid.cells[1][static_cast<std::size_t>(j)] * deep;
      }
    }
  }
  return cells * static_cast<std::int64_t>(division(cell).elements.size());
}

BlockMesh block_mesh(const BlockGrid& grid, Cell cell, const BlockPosition& position,
                     std::uint8_t attribute) {
  const std::int64_t nodes = block_node_count(grid, cell);
  const std::int64_t elements = block_element_count(grid, cell);
  require(std::max(nodes, elements) <= INT32_MAX, [&] {
    return fmt::format("block_mesh: {} nodes and {} elements; {} is the most of either", nodes, elements,
                       INT32_MAX);
  });
  const Lattice lattice(grid, cell);

  BlockMesh made;
  made.mesh.reserve(nodes, elements);
  made.part.reserve(static_cast<std::size_t>(elements));
  constexpr std::int32_t absent = -1, present = -2;
  std::vector<std::int32_t> node_of(static_cast<std::size_t>(lattice.point_count()), absent);
  lattice.each_element([&](int, std::int64_t first, const std::vector<std::int64_t>& offsets) {
    for (const std::int64_t offset : offsets) node_of[static_cast<std::size_t>(first + offset)] = present;
  });
  for (std::size_t point = 0; point < node_of.size(); ++point) {
    if (node_of[point] != present) continue;
    const auto at = lattice.at(static_cast<std::int64_t>(point));
    const auto x = position(at[0], at[1], at[2]);
    node_of[point] = made.mesh.add_node(made.mesh.node_count() + 1, x[0], x[1], x[2]);
  }
  std::vector<std::int32_t> list;
  lattice.each_element([&](int part, std::int64_t first, const std::vector<std::int64_t>& offsets) {
    list.clear();
    for (const std::int64_t offset : offsets)
      list.push_back(node_of[static_cast<std::size_t>(first + offset)]);
    made.mesh.add_element(made.mesh.element_count() + 1, cell, list, attribute);
    made.part.push_back(static_cast<std::int8_t>(part));
  });
  return made;
}

std::vector<MeshFace> faces_of_nodes(const Mesh& mesh, const std::vector<bool>& chosen) {
  std::vector<MeshFace> faces;
  for (std::int32_t e = 0; e < mesh.element_count(); ++e) {
    const auto nodes = mesh.nodes(e);
    const auto is_chosen = [&](std::int8_t local) {
      return chosen[static_cast<std::size_t>(nodes[static_cast<std::size_t>(local)])];
    };
    const Cell cell = mesh.cell(e);
    for (int face = 0; face < face_count(cell); ++face) {
      const auto local = face_nodes(cell, face);
      if (std::all_of(local.begin(), local.end(), is_chosen)) faces.push_back({e, face});
    }
  }
  return faces;
}

}  // namespace setka::mesh
