// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/analysis/view_factors.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numbers>
#include <numeric>

#include "setka/exec/parallel.hpp"

namespace setka::analysis {
namespace {

Point minus(const Point& a, const Point& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}
double dot(const Point& a, const Point& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
Point cross(const Point& a, const Point& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
double length(const Point& a) {
  return std::sqrt(dot(a, a));
}

/// What of a polygon, seen from the origin, is above the plane of a normal.
void clip(const std::vector<Point>& polygon, const Point& normal, std::vector<Point>& above) {
  above.clear();
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Point& a = polygon[i];
    const Point& b = polygon[(i + 1) % polygon.size()];
    const double ha = dot(a, normal);
    const double hb = dot(b, normal);
    if (ha >= 0) above.push_back(a);
    if ((ha < 0) == (hb < 0)) continue;
    const double part = ha / (ha - hb);
    above.push_back({a[0] + part * (b[0] - a[0]), a[1] + part * (b[1] - a[1]), a[2] + part * (b[2] - a[2])});
  }
}

/// Lambert's formula: the share of what leaves a point with a unit normal that comes to a polygon whose
/// border is seen clockwise from there, as its front is turned to the point.
double lambert(const std::vector<Point>& polygon, const Point& normal) {
  double sum = 0;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Point& a = polygon[i];
    const Point& b = polygon[(i + 1) % polygon.size()];
    const Point across = cross(a, b);
    const double sine = length(across);
    if (sine == 0) continue;
    sum += std::atan2(sine, dot(a, b)) * dot(across, normal) / sine;
  }
  return -sum / (2 * std::numbers::pi);
}

struct Triangle {
  Point corner;
  Point first;  // from it to the second, to the third
  Point second;
  std::int32_t face;
};

/// Triangles in boxes within boxes, asked for what is in the way of a line.
class Obstacles {
 public:
  explicit Obstacles(const std::vector<RadiatingFace>& faces) {
    for (std::size_t f = 0; f < faces.size(); ++f) {
      const std::vector<Point>& border = faces[f].border;
      Point middle{};
      for (const Point& point : border) {
        for (std::size_t k = 0; k < 3; ++k) middle[k] += point[k] / static_cast<double>(border.size());
      }
      for (std::size_t i = 0; i < border.size(); ++i)
        triangles_.push_back({middle, minus(border[i], middle),
                              minus(border[(i + 1) % border.size()], middle), static_cast<std::int32_t>(f)});
    }
    order_.resize(triangles_.size());
    std::iota(order_.begin(), order_.end(), 0);
    if (!order_.empty()) make(0, static_cast<std::int32_t>(order_.size()));
  }

  /// Whether another face than the two meets the line from a to b.
  bool hide(const Point& a, const Point& b, std::int32_t from, std::int32_t to) const {
    return !boxes_.empty() && meets(0, a, minus(b, a), from, to);
  }

 private:
  static constexpr std::int32_t most_in_box = 4;

  struct Box {
    Point low;
    Point high;
    std::int32_t first = 0;
    std::int32_t count = 0;  // of triangles; 0: two boxes, the next one and `other`
    std::int32_t other = 0;
  };

  Point middle_of(std::int32_t index) const {
    const Triangle& t = triangles_[static_cast<std::size_t>(index)];
    Point middle{};
    for (std::size_t k = 0; k < 3; ++k) middle[k] = t.corner[k] + (t.first[k] + t.second[k]) / 3;
    return middle;
  }

  std::int32_t make(std::int32_t first, std::int32_t last) {
    const auto own = static_cast<std::int32_t>(boxes_.size());
    boxes_.emplace_back();
    Box box;
    box.low.fill(std::numeric_limits<double>::infinity());
    box.high.fill(-std::numeric_limits<double>::infinity());
    for (std::int32_t i = first; i < last; ++i) {
      const Triangle& t = triangles_[static_cast<std::size_t>(order_[static_cast<std::size_t>(i)])];
      for (std::size_t k = 0; k < 3; ++k) {
        const double b = t.corner[k] + t.first[k];
        const double c = t.corner[k] + t.second[k];
        box.low[k] = std::min({box.low[k], t.corner[k], b, c});
        box.high[k] = std::max({box.high[k], t.corner[k], b, c});
      }
    }
    box.first = first;
    if (last - first <= most_in_box) {
      box.count = last - first;
    } else {
      std::size_t axis = 0;
      for (std::size_t k = 1; k < 3; ++k) {
        if (box.high[k] - box.low[k] > box.high[axis] - box.low[axis]) axis = k;
      }
      const std::int32_t half = (first + last) / 2;
      std::nth_element(
          order_.begin() + first, order_.begin() + half, order_.begin() + last,
          [&](std::int32_t a, std::int32_t b) { return middle_of(a)[axis] < middle_of(b)[axis]; });
      make(first, half);
      box.other = make(half, last);
    }
    boxes_[static_cast<std::size_t>(own)] = box;
    return own;
  }

  static bool passes(const Box& box, const Point& a, const Point& along) {
    double begin = 0;
    double end = 1;
    for (std::size_t k = 0; k < 3; ++k) {
      if (along[k] == 0) {
        if (a[k] < box.low[k] || a[k] > box.high[k]) return false;
        continue;
      }
      double enters = (box.low[k] - a[k]) / along[k];
      double leaves = (box.high[k] - a[k]) / along[k];
      if (enters > leaves) std::swap(enters, leaves);
      begin = std::max(begin, enters);
      end = std::min(end, leaves);
    }
    return begin <= end;
  }

  /// Between the ends of the line, not at them.
  static bool meets(const Triangle& t, const Point& a, const Point& along) {
    constexpr double end = 1e-6;
    const Point normal = cross(along, t.second);
    const double volume = dot(t.first, normal);
    if (std::abs(volume) < 1e-14 * length(along) * length(t.first) * length(t.second)) return false;
    const Point arm = minus(a, t.corner);
    const double u = dot(arm, normal) / volume;
    if (u < 0 || u > 1) return false;
    const Point other = cross(arm, t.first);
    const double v = dot(along, other) / volume;
    if (v < 0 || u + v > 1) return false;
    const double at = dot(t.second, other) / volume;
    return at > end && at < 1 - end;
  }

  bool meets(std::int32_t index, const Point& a, const Point& along, std::int32_t from,
             std::int32_t to) const {
    const Box& box = boxes_[static_cast<std::size_t>(index)];
    if (!passes(box, a, along)) return false;
    for (std::int32_t i = box.first; i < box.first + box.count; ++i) {
      const Triangle& t = triangles_[static_cast<std::size_t>(order_[static_cast<std::size_t>(i)])];
      if (t.face != from && t.face != to && meets(t, a, along)) return true;
    }
    if (box.count > 0) return false;
    return meets(index + 1, a, along, from, to) || meets(box.other, a, along, from, to);
  }

  std::vector<Triangle> triangles_;
  std::vector<std::int32_t> order_;
  std::vector<Box> boxes_;
};

/// Of the points of a face the share, by area, that a point sees.
double seen(const Obstacles& obstacles, const Point& from, const RadiatingFace& face, std::int32_t i,
            std::int32_t j) {
  double visible = 0;
  double all = 0;
  for (std::size_t q = 0; q < face.at.size(); ++q) {
    const double area = length(face.area[q]);
    all += area;
    if (!obstacles.hide(from, face.at[q], i, j)) visible += area;
  }
  return visible / all;
}

/// Whether some point of a face is above the horizon of another's point.
bool above(const RadiatingFace& face, const Point& at, const Point& normal) {
  return std::ranges::any_of(face.border,
                             [&](const Point& point) { return dot(minus(point, at), normal) > 0; });
}

double factor(const std::vector<RadiatingFace>& faces, const Obstacles& obstacles, std::int32_t i,
              std::int32_t j) {
  const RadiatingFace& from = faces[static_cast<std::size_t>(i)];
  const RadiatingFace& to = faces[static_cast<std::size_t>(j)];
  double sum = 0;
  std::vector<Point> border;
  std::vector<Point> visible;
  for (std::size_t p = 0; p < from.at.size(); ++p) {
    const double area = length(from.area[p]);
    const Point normal{from.area[p][0] / area, from.area[p][1] / area, from.area[p][2] / area};
    if (!above(to, from.at[p], normal)) continue;
    border.clear();
    for (const Point& point : to.border) border.push_back(minus(point, from.at[p]));
    clip(border, normal, visible);
    const double share = lambert(visible, normal);
    if (share > 0) sum += area * share * seen(obstacles, from.at[p], to, i, j);
  }
  return sum / from.total;
}

}  // namespace

std::vector<double> view_factors(const std::vector<RadiatingFace>& faces, int threads, std::int32_t copies) {
  const std::size_t n = faces.size() / static_cast<std::size_t>(copies);
  const Obstacles obstacles(faces);
  std::vector<double> factors(n * n, 0.0);
  exec::host::for_each(threads, static_cast<std::int64_t>(n), 1, [&](std::int64_t i) {
    const auto from = static_cast<std::int32_t>(i) * copies;
    for (std::size_t j = 0; j < n; ++j) {
      double sum = 0;
      for (std::int32_t k = 0; k < copies; ++k) {
        const std::int32_t to = static_cast<std::int32_t>(j) * copies + k;
        if (to != from) sum += factor(faces, obstacles, from, to);
      }
      factors[static_cast<std::size_t>(i) * n + j] = sum;
    }
  });
  const auto area = [&](std::size_t i) { return faces[i * static_cast<std::size_t>(copies)].total; };
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const double both = (area(i) * factors[i * n + j] + area(j) * factors[j * n + i]) / 2;
      factors[i * n + j] = both / area(i);
      factors[j * n + i] = both / area(j);
    }
  }
  return factors;
}

namespace {

/// About the y axis, by an angle from the x axis towards the z axis.
Point turned(double radius, double y, double along, double angle) {
  return {radius * std::cos(angle) - along * std::sin(angle), y,
          radius * std::sin(angle) + along * std::cos(angle)};
}

}  // namespace

std::vector<RadiatingFace> ring_of_faces(const std::vector<std::array<double, 2>>& line,
                                         const std::vector<std::array<double, 2>>& at,
                                         const std::vector<std::array<double, 2>>& area,
                                         std::int32_t copies) {
  // Sides of the prism are as wide as its arcs, so that areas are those of the ring.
  const double half = std::numbers::pi / copies;
  const double distance = half / std::tan(half);  // of the sides from the axis, over the radius
  std::vector<RadiatingFace> ring(static_cast<std::size_t>(copies));
  for (std::int32_t k = 0; k < copies; ++k) {
    const double angle = 2 * half * k;
    RadiatingFace& face = ring[static_cast<std::size_t>(k)];
    const auto corner = [&](const std::array<double, 2>& point, double side) {
      return turned(distance * point[0], point[1], side * half * point[0], angle);
    };
    for (const auto& point : line) face.border.push_back(corner(point, -1));
    for (std::size_t p = line.size(); p-- > 0;) {
      if (line[p][0] > 0) face.border.push_back(corner(line[p], 1));  // on the axis both sides are one
    }
    Point normal{};
    for (std::size_t p = 0; p < at.size(); ++p) {
      face.at.push_back(turned(distance * at[p][0], at[p][1], 0, angle));
      Point own = turned(area[p][0] / copies, area[p][1] / copies, 0, angle);
      face.area.push_back(own);
      face.total += length(own);
      for (std::size_t i = 0; i < 3; ++i) normal[i] += own[i];
    }
    Point turn{};
    for (std::size_t i = 0; i < face.border.size(); ++i) {
      const Point across = cross(face.border[i], face.border[(i + 1) % face.border.size()]);
      for (std::size_t c = 0; c < 3; ++c) turn[c] += across[c];
    }
    if (dot(turn, normal) < 0) std::ranges::reverse(face.border);
  }
  return ring;
}

void close_cavity(const std::vector<RadiatingFace>& faces, std::vector<double>& factors) {
  const std::size_t n = faces.size();
  // A_i F_ij scaled by s_i s_j, found by halving the distance to one in every row.
  std::vector<double> scale(n, 1.0);
  for (int round = 0; round < 200; ++round) {
    double worst = 0;
    for (std::size_t i = 0; i < n; ++i) {
      double sum = 0;
      for (std::size_t j = 0; j < n; ++j) sum += scale[i] * scale[j] * factors[i * n + j];
      if (sum <= 0) continue;
      worst = std::max(worst, std::abs(sum - 1));
      scale[i] /= std::sqrt(sum);
    }
    if (worst < 1e-12) break;
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) factors[i * n + j] *= scale[i] * scale[j];
  }
}

}  // namespace setka::analysis
