// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// View factors with the habits of CalculiX, for those who compare with it: off by some percent where faces
// hide parts of each other.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <utility>
#include <vector>

#include "setka/analysis/view_factors.hpp"
#include "setka/base/small_vectors.hpp"
#include "setka/exec/parallel.hpp"

namespace setka::analysis {
namespace {

constexpr int cells = 160;  // of the grid, along a side
constexpr double cell = 2.0 / cells;
/// Of the cosine between a line of sight and a normal: less is too near to the horizon.
constexpr double min_cosine = 1e-3;

using Place = std::array<double, 2>;  // on the base of the hemisphere, a circle of radius one

double area_of(const Place& a, const Place& b, const Place& c) {
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

/// What of the sky above a triangle is covered.
class Sky {
 public:
  Sky() : covered_(std::size_t{cells} * cells) { clear(); }

  void clear() {
    for (int i = 0; i < cells; ++i) {
      for (int j = 0; j < cells; ++j) covered_[at(i, j)] = std::hypot(middle(i), middle(j)) > 1 ? 1 : 0;
    }
  }

  bool covers(const Place& place) const { return covered_[at(index(place[0]), index(place[1]))] != 0; }

  void cover(const std::array<Place, 3>& corners) {
    const auto [left, right] = std::minmax({corners[0][0], corners[1][0], corners[2][0]});
    const auto [low, high] = std::minmax({corners[0][1], corners[1][1], corners[2][1]});
    const double turn = area_of(corners[0], corners[1], corners[2]) < 0 ? -1 : 1;
    for (int i = index(left); i <= index(right); ++i) {
      for (int j = index(low); j <= index(high); ++j) {
        const Place place{middle(i), middle(j)};
        bool inside = true;
        for (std::size_t k = 0; k < 3; ++k)
          inside = inside && turn * area_of(corners[k], corners[(k + 1) % 3], place) >= 0;
        if (inside) covered_[at(i, j)] = 1;
      }
    }
  }

 private:
  static std::size_t at(int i, int j) {
    return static_cast<std::size_t>(i) * cells + static_cast<std::size_t>(j);
  }
  static double middle(int i) { return (i + 0.5) * cell - 1; }
  static int index(double place) { return std::clamp(static_cast<int>((place + 1) / cell), 0, cells - 1); }

  std::vector<std::uint8_t> covered_;
};

/// Lambert's formula for a triangle in directions of unit length, front turned to who sees it.
double lambert(const std::array<Point, 3>& corner, const Point& normal) {
  double sum = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    const Point across = cross(corner[k], corner[(k + 1) % 3]);
    const double sine = length(across);
    if (sine > 0) sum += std::atan2(sine, dot(corner[k], corner[(k + 1) % 3])) * dot(across, normal) / sine;
  }
  return -sum / (2 * std::numbers::pi);
}

class Seeing {
 public:
  explicit Seeing(const std::vector<RadiatingFace>& triangles) : triangles_(triangles) {
    for (const RadiatingFace& triangle : triangles) normal_.push_back(unit(triangle.area.front()));
  }

  /// visit(other triangle, share of what leaves this one that comes there).
  template <class Visit>
  void each(std::size_t own, Sky& sky, const Visit& visit) const {
    const Point& from = triangles_[own].at.front();
    const Point& up = normal_[own];
    const Point first = unit(plus(triangles_[own].border[1], -1, triangles_[own].border[0]));
    const Point second = cross(up, first);
    std::vector<std::pair<double, std::size_t>> order;
    for (std::size_t other = 0; other < triangles_.size(); ++other) {
      if (other == own) continue;
      const Point line = plus(triangles_[other].at.front(), -1, from);
      const double distance = length(line);
      if (dot(line, up) > min_cosine * distance && -dot(line, normal_[other]) > min_cosine * distance)
        order.emplace_back(distance, other);
    }
    std::ranges::sort(order);
    sky.clear();
    for (const auto& [distance, other] : order) {
      std::array<Point, 3> corner{};
      std::array<Place, 3> place{};
      Place middle{};
      for (std::size_t k = 0; k < 3; ++k) {
        corner[k] = unit(plus(triangles_[other].border[k], -1, from));
        place[k] = {dot(corner[k], first), dot(corner[k], second)};
        for (std::size_t c = 0; c < 2; ++c) middle[c] += place[k][c] / 3;
      }
      if (sky.covers(middle)) continue;
      sky.cover(place);
      visit(other, lambert(corner, up));
    }
  }

 private:
  const std::vector<RadiatingFace>& triangles_;
  std::vector<Point> normal_;
};

}  // namespace

std::vector<double> view_factors_by_centres(const std::vector<RadiatingFace>& triangles,
                                            const std::vector<std::int32_t>& face, std::size_t faces,
                                            int threads) {
  std::vector<double> area(faces, 0.0);
  std::vector<std::vector<std::size_t>> own(faces);
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    area[static_cast<std::size_t>(face[t])] += triangles[t].total;
    own[static_cast<std::size_t>(face[t])].push_back(t);
  }
  const Seeing seeing(triangles);
  std::vector<double> factors(faces * faces, 0.0);
  exec::host::for_each(threads, static_cast<std::int64_t>(faces), 1, [&](std::int64_t i) {
    const auto of = static_cast<std::size_t>(i);
    Sky sky;
    for (const std::size_t from : own[of]) {
      seeing.each(from, sky, [&](std::size_t to, double share) {
        factors[of * faces + static_cast<std::size_t>(face[to])] += triangles[from].total / area[of] * share;
      });
    }
  });
  return factors;
}

}  // namespace setka::analysis
