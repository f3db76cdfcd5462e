// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/mesh/face_search.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <utility>

#include <fmt/core.h>

#include "setka/base/error.hpp"
#include "setka/mesh/shape_functions_kernel.hpp"

namespace setka::mesh {
namespace {

using Vector = std::array<double, 3>;

double dot(const Vector& a, const Vector& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/// A point of a face with its tangents.
struct FaceFrame {
  std::array<double, 8> weight{};
  Vector place{};
  std::array<Vector, 2> tangent{};
};

/// Places of one face in space.
class FaceShape {
 public:
  FaceShape(const Mesh& mesh, const SurfaceFace& face) : cell_(face.cell), nodes_(face.node_count) {
    for (std::int32_t i = 0; i < nodes_; ++i) {
      const auto x = mesh.coordinates(face.nodes[static_cast<std::size_t>(i)]);
      x_[static_cast<std::size_t>(i)] = {x[0], x[1], x[2]};
    }
  }

  bool is_triangle() const { return cell_ == Cell::tri3 || cell_ == Cell::tri6; }

  FaceFrame at(const std::array<double, 2>& r) const {
    switch (cell_) {
      case Cell::tri3:
        return at<Cell::tri3>(r);
      case Cell::tri6:
        return at<Cell::tri6>(r);
      case Cell::quad4:
        return at<Cell::quad4>(r);
      default:
        return at<Cell::quad8>(r);
    }
  }

 private:
  template <Cell cell>
  FaceFrame at(const std::array<double, 2>& r) const {
    using Shape = ShapeFunctions<cell>;
    FaceFrame frame;
    std::array<double, std::size_t{2} * Shape::nodes> slope{};
    Shape::values(r.data(), frame.weight.data());
    Shape::gradients(r.data(), slope.data());
    for (std::size_t i = 0; i < static_cast<std::size_t>(Shape::nodes); ++i) {
      for (std::size_t k = 0; k < 3; ++k) {
        frame.place[k] += frame.weight[i] * x_[i][k];
        for (std::size_t d = 0; d < 2; ++d) frame.tangent[d][k] += slope[2 * i + d] * x_[i][k];
      }
    }
    return frame;
  }

  Cell cell_;
  std::int32_t nodes_;
  std::array<Vector, 8> x_{};
};

Vector from_to(const Vector& a, std::span<const double, 3> b) {
  return {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
}

/// The nearest point of one face, by Gauss and Newton's method: inside, or, where that leads out of it, on
/// one of its edges.
class Nearest {
 public:
  Nearest(const FaceShape& shape, std::span<const double, 3> point) : shape_(shape), point_(point) {
    if (!inside()) edges();
  }

  double square() const { return square_; }
  const FaceFrame& frame() const { return frame_; }

 private:
  static constexpr int most_steps = 50;
  static constexpr double settled = 1e-14;  // of a reference coordinate
  static constexpr double room = 1e-10;     // beyond an edge that still counts as inside

  bool inside() {
    const bool triangle = shape_.is_triangle();
    std::array<double, 2> r{triangle ? 1.0 / 3 : 0.0, triangle ? 1.0 / 3 : 0.0};
    for (int step = 0; step < most_steps; ++step) {
      const FaceFrame frame = shape_.at(r);
      const auto& [a, b] = frame.tangent;
      const Vector gap = from_to(frame.place, point_);
      const double aa = dot(a, a);
      const double ab = dot(a, b);
      const double bb = dot(b, b);
      const double det = aa * bb - ab * ab;
      if (!(det > 0)) return false;
      const double da = (dot(gap, a) * bb - dot(gap, b) * ab) / det;
      const double db = (dot(gap, b) * aa - dot(gap, a) * ab) / det;
      r[0] += da;
      r[1] += db;
      // Far outside the functions of second order fold over.
      if (std::abs(r[0]) > 3 || std::abs(r[1]) > 3) return false;
      if (std::abs(da) + std::abs(db) < settled) break;
    }
    const bool within = triangle ? r[0] >= -room && r[1] >= -room && r[0] + r[1] <= 1 + room
                                 : std::abs(r[0]) <= 1 + room && std::abs(r[1]) <= 1 + room;
    if (within) take(r);
    return within;
  }

  void edges() {
    static constexpr std::array<std::array<double, 2>, 4> quad{{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}}};
    static constexpr std::array<std::array<double, 2>, 3> triangle{{{0, 0}, {1, 0}, {0, 1}}};
    const std::size_t count = shape_.is_triangle() ? 3 : 4;
    const auto corner = [&](std::size_t i) { return count == 3 ? triangle[i % 3] : quad[i % 4]; };
    for (std::size_t i = 0; i < count; ++i) edge(corner(i), corner(i + 1));
  }

  /// Between two corners of the reference face.
  void edge(const std::array<double, 2>& from, const std::array<double, 2>& to) {
    const std::array<double, 2> along{to[0] - from[0], to[1] - from[1]};
    const auto at = [&](double t) {
      return std::array<double, 2>{from[0] + t * along[0], from[1] + t * along[1]};
    };
    double t = 0.5;
    for (int step = 0; step < most_steps; ++step) {
      const FaceFrame frame = shape_.at(at(t));
      Vector tangent{};
      for (std::size_t k = 0; k < 3; ++k)
        tangent[k] = along[0] * frame.tangent[0][k] + along[1] * frame.tangent[1][k];
      const double length = dot(tangent, tangent);
      if (!(length > 0)) break;
      const double next = std::clamp(t + dot(from_to(frame.place, point_), tangent) / length, 0.0, 1.0);
      const double change = std::abs(next - t);
      t = next;
      if (change < settled) break;
    }
    take(at(t));
  }

  void take(const std::array<double, 2>& r) {
    const FaceFrame frame = shape_.at(r);
    const Vector gap = from_to(frame.place, point_);
    const double square = dot(gap, gap);
    if (square >= square_) return;
    square_ = square;
    frame_ = frame;
  }

  const FaceShape& shape_;
  std::span<const double, 3> point_;
  double square_ = std::numeric_limits<double>::infinity();
  FaceFrame frame_;
};

}  // namespace

SurfaceFace surface_face(const Mesh& mesh, std::int32_t element, int face) {
  const Cell cell = mesh.cell(element);
  require(dimension(cell) == 3 && face >= 0 && face < face_count(cell), [&] {
    return fmt::format("surface_face: element {} ({}) has no face {}", mesh.element_label(element),
                       name(cell), face);
  });
  const auto nodes = mesh.nodes(element);
  const auto local = face_nodes(cell, face);
  SurfaceFace made{face_cell(cell, face), static_cast<std::int32_t>(local.size()), {}};
  for (std::size_t i = 0; i < local.size(); ++i) made.nodes[i] = nodes[static_cast<std::size_t>(local[i])];
  return made;
}

double mean_edge(const Mesh& mesh, const SurfaceFace& face) {
  const auto corners = static_cast<std::size_t>(corner_count(face.cell));
  double sum = 0;
  for (std::size_t i = 0; i < corners; ++i) {
    const auto a = mesh.coordinates(face.nodes[i]);
    const auto b = mesh.coordinates(face.nodes[(i + 1) % corners]);
    sum += std::hypot(b[0] - a[0], b[1] - a[1], b[2] - a[2]);
  }
  return sum / static_cast<double>(corners);
}

double FaceSearch::Box::distance(std::span<const double, 3> point) const {
  Vector out{};
  for (std::size_t k = 0; k < 3; ++k) out[k] = std::max({least[k] - point[k], point[k] - most[k], 0.0});
  return std::sqrt(dot(out, out));
}

FaceSearch::FaceSearch(const Mesh& mesh, std::vector<SurfaceFace> faces)
    : mesh_(mesh), faces_(std::move(faces)), order_(faces_.size()) {
  std::vector<Box> boxes;
  boxes.reserve(faces_.size());
  for (const SurfaceFace& face : faces_) {
    constexpr double inf = std::numeric_limits<double>::infinity();
    Box box{{inf, inf, inf}, {-inf, -inf, -inf}};
    for (std::int32_t i = 0; i < face.node_count; ++i) {
      const auto x = mesh.coordinates(face.nodes[static_cast<std::size_t>(i)]);
      for (std::size_t k = 0; k < 3; ++k) {
        box.least[k] = std::min(box.least[k], x[k]);
        box.most[k] = std::max(box.most[k], x[k]);
      }
    }
    // A face of second order may bulge beyond its nodes.
    double size = 0;
    for (std::size_t k = 0; k < 3; ++k) size = std::max(size, box.most[k] - box.least[k]);
    for (std::size_t k = 0; k < 3; ++k) {
      box.least[k] -= size / 4;
      box.most[k] += size / 4;
    }
    boxes.push_back(box);
  }
  std::iota(order_.begin(), order_.end(), 0);
  if (!faces_.empty()) add_branch(boxes, 0, static_cast<std::int32_t>(faces_.size()));
}

std::int32_t FaceSearch::add_branch(std::span<const Box> boxes, std::int32_t first, std::int32_t last) {
  constexpr std::int32_t leaf = 4;
  const auto box_of = [&](std::int32_t position) -> const Box& {
    return boxes[static_cast<std::size_t>(order_[static_cast<std::size_t>(position)])];
  };
  Box box = box_of(first);
  for (std::int32_t i = first + 1; i < last; ++i) {
    for (std::size_t k = 0; k < 3; ++k) {
      box.least[k] = std::min(box.least[k], box_of(i).least[k]);
      box.most[k] = std::max(box.most[k], box_of(i).most[k]);
    }
  }
  const auto own = static_cast<std::int32_t>(branches_.size());
  branches_.push_back({box, first, last});
  if (last - first <= leaf) return own;
  std::size_t longest = 0;
  for (std::size_t k = 1; k < 3; ++k) {
    if (box.most[k] - box.least[k] > box.most[longest] - box.least[longest]) longest = k;
  }
  const std::int32_t middle = (first + last) / 2;
  const auto key = [&](std::int32_t face) {
    const Box& its = boxes[static_cast<std::size_t>(face)];
    return its.least[longest] + its.most[longest];
  };
  std::nth_element(order_.begin() + first, order_.begin() + middle, order_.begin() + last,
                   [&](std::int32_t a, std::int32_t b) {
                     return std::pair(key(a), a) < std::pair(key(b), b);  // the same whatever the library
                   });
  add_branch(boxes, first, middle);
  const std::int32_t other = add_branch(boxes, middle, last);
  branches_[static_cast<std::size_t>(own)].other = other;
  return own;
}

std::optional<FacePlace> FaceSearch::nearest(std::span<const double, 3> point, double within) const {
  std::optional<FacePlace> best;
  std::vector<std::int32_t> waiting;
  if (!branches_.empty()) waiting.push_back(0);
  double reach = within;
  while (!waiting.empty()) {
    const std::int32_t at = waiting.back();
    waiting.pop_back();
    const Branch& branch = branches_[static_cast<std::size_t>(at)];
    if (branch.box.distance(point) > reach) continue;
    if (branch.other != 0) {
      // The nearer child is looked at first: it shortens the reach for the other.
      const double near = branches_[static_cast<std::size_t>(at) + 1].box.distance(point);
      const double far = branches_[static_cast<std::size_t>(branch.other)].box.distance(point);
      waiting.push_back(near < far ? branch.other : at + 1);
      waiting.push_back(near < far ? at + 1 : branch.other);
      continue;
    }
    for (std::int32_t i = branch.first; i < branch.last; ++i) {
      const std::int32_t number = order_[static_cast<std::size_t>(i)];
      const FaceShape shape(mesh_, faces_[static_cast<std::size_t>(number)]);
      const Nearest found(shape, point);
      const double distance = std::sqrt(found.square());
      // Of faces that share the nearest point the first one of the surface has it.
      const bool better =
          best ? distance < best->distance || (distance == best->distance && number < best->face)
               : distance <= reach;
      if (!better) continue;
      best = FacePlace{number, found.frame().weight, found.frame().place, distance};
      reach = distance;
    }
  }
  return best;
}

}  // namespace setka::mesh
