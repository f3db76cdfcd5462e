// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/analysis/cavity.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <numbers>
#include <utility>

#include <fmt/core.h>

#include "setka/base/error.hpp"
#include "setka/base/log.hpp"
#include "setka/fem/element.hpp"
#include "setka/model/element_type.hpp"

namespace setka::analysis {
namespace {

/// Faces above which their factors, one for each two, would take more memory than models do.
constexpr std::size_t most_faces = 30'000;

double fourth(double value) {
  return value * value * value * value;
}

Point place(std::span<const double> x, std::int8_t node) {
  const double* const at = x.data() + 3 * static_cast<std::size_t>(node);
  return {at[0], at[1], at[2]};
}

/// Corners, and nodes on edges between them, in the order of the border.
std::vector<Point> border_of(std::span<const std::int8_t> nodes, std::span<const double> x) {
  const bool quadratic = nodes.size() > 4;
  const std::size_t corners = quadratic ? nodes.size() / 2 : nodes.size();
  std::vector<Point> border;
  for (std::size_t i = 0; i < corners; ++i) {
    border.push_back(place(x, nodes[i]));
    if (quadratic) border.push_back(place(x, nodes[corners + i]));
  }
  return border;
}

/// Twice the vector area of a border.
Point turn_of(const std::vector<Point>& border) {
  Point sum{};
  for (std::size_t i = 0; i < border.size(); ++i) {
    const Point& a = border[i];
    const Point& b = border[(i + 1) % border.size()];
    sum[0] += a[1] * b[2] - a[2] * b[1];
    sum[1] += a[2] * b[0] - a[0] * b[2];
    sum[2] += a[0] * b[1] - a[1] * b[0];
  }
  return sum;
}

/// The triangles that CalculiX 2.20 cuts a face into. border: as border_of() has it, whose normal points into
/// the element. There it begins at the same corner and goes the other way round, but on the first face of a
/// hexahedron, where it begins at the last one.
std::vector<RadiatingFace> triangles_of(std::vector<Point> border, bool first_of_hexahedron) {
  using Corners = std::array<std::size_t, 3>;
  static const std::vector<Corners> of_three{{0, 1, 2}};
  static const std::vector<Corners> of_four{{0, 1, 3}, {1, 2, 3}};
  static const std::vector<Corners> of_six{{0, 1, 5}, {1, 3, 5}, {1, 2, 3}, {5, 3, 4}};
  static const std::vector<Corners> of_eight{{0, 1, 7}, {7, 1, 5}, {7, 5, 6},
                                             {1, 2, 3}, {1, 3, 5}, {5, 3, 4}};
  std::reverse(border.begin() + 1, border.end());
  if (first_of_hexahedron)
    std::rotate(border.begin(), border.begin() + static_cast<std::ptrdiff_t>(border.size() / 4),
                border.end());
  const std::vector<Corners>& cut = border.size() == 3   ? of_three
                                    : border.size() == 4 ? of_four
                                    : border.size() == 6 ? of_six
                                                         : of_eight;
  std::vector<RadiatingFace> triangles;
  for (const Corners& corners : cut) {
    RadiatingFace& face = triangles.emplace_back();
    Point middle{};
    for (const std::size_t corner : corners) {
      face.border.push_back(border[corner]);
      for (std::size_t k = 0; k < 3; ++k) middle[k] += border[corner][k] / 3;
    }
    Point area = turn_of(face.border);
    for (double& part : area) part /= 2;
    face.at.push_back(middle);
    face.area.push_back(area);
    face.total = std::hypot(area[0], area[1], area[2]);
  }
  return triangles;
}

/// Sides of the prism that a ring is taken for.
constexpr std::int32_t sides_of_ring = 60;

/// A face of a wedge of an axisymmetric element as the ring that it stands for. points: of the face; x: of
/// the element's nodes.
std::vector<RadiatingFace> ring_of(std::span<const fem::FacePoint> points, std::span<const double> x) {
  const std::vector<Point> border = border_of(points.front().nodes, x);
  const bool quadratic = points.front().nodes.size() > 4;
  std::vector<std::array<double, 2>> line;  // corners, then what is between them
  double size = 0;
  for (const Point& point : border)
    size = std::max({size, std::hypot(point[0], point[2]), std::abs(point[1])});
  constexpr double one_place = 1e-6;
  const auto add = [&](const std::array<double, 2>& own, std::vector<std::array<double, 2>>& to) {
    for (const auto& known : to) {
      if (std::hypot(known[0] - own[0], known[1] - own[1]) < one_place * size) return false;
    }
    to.push_back(own);
    return true;
  };
  const auto in_meridian = [&](std::size_t i) {
    return std::array<double, 2>{std::hypot(border[i][0], border[i][2]), border[i][1]};
  };
  for (std::size_t i = 0; i < border.size(); i += quadratic ? 2 : 1) add(in_meridian(i), line);
  bool amid = false;
  for (std::size_t i = 1; quadratic && i < border.size(); i += 2) amid = add(in_meridian(i), line) || amid;
  if (amid) std::swap(line[1], line[2]);

  std::vector<std::array<double, 2>> at;
  std::vector<std::array<double, 2>> area;
  for (const fem::FacePoint& point : points) {
    Point place_of{};
    for (std::size_t i = 0; i < point.nodes.size(); ++i) {
      const Point corner = place(x, point.nodes[i]);
      for (std::size_t k = 0; k < 3; ++k) place_of[k] += point.shape[i] * corner[k];
    }
    // The wedge, of two degrees, is straight across where it has no nodes amid.
    constexpr double wedges = 180;
    const double radius =
        quadratic ? std::hypot(place_of[0], place_of[2]) : place_of[0] / std::cos(std::numbers::pi / wedges);
    const std::array<double, 2> own{wedges * (place_of[0] * point.area[0] + place_of[2] * point.area[2]) /
                                        std::hypot(place_of[0], place_of[2]),
                                    wedges * point.area[1]};
    if (add({radius, place_of[1]}, at)) {
      area.push_back(own);
      continue;
    }
    for (std::size_t i = 0; i < at.size(); ++i) {
      if (std::hypot(at[i][0] - radius, at[i][1] - place_of[1]) >= one_place * size) continue;
      area[i][0] += own[0];
      area[i][1] += own[1];
    }
  }
  return ring_of_faces(line, at, area, sides_of_ring);
}

/// Whether the faces of a cavity are rings; an Error where some are and others not, or are of elements whose
/// surroundings are not known.
bool are_rings(const Setup& setup, std::span<const FaceLoss> losses, std::span<const std::size_t> own,
               const SourceLine& line) {
  std::size_t rings = 0;
  for (const std::size_t index : own) {
    const model::Family family = model::family(setup.model->mesh, losses[index].element);
    if (family == model::Family::axisymmetric) ++rings;
    if (family == model::Family::plane_stress || family == model::Family::plane_strain)
      throw Error(
          Fault::input,
          fmt::format("*RADIATE: a cavity with plane elements, as element {}: what its faces see beyond "
                      "their thickness is not computed",
                      setup.model->mesh.element_label(losses[index].element)),
          "use solid or axisymmetric elements", line);
  }
  if (rings != 0 && rings != own.size())
    throw Error(
        Fault::input,
        fmt::format("*RADIATE: {} of the {} faces of a cavity are of axisymmetric elements, the others "
                    "are not",
                    rings, own.size()),
        "give all of them elements of one kind", line);
  return rings != 0;
}

/// What faces that see none of the others mean: an Error where nothing else is around them. lacks: what each
/// sees of what is around the cavity
void look_for_blind_faces(const Setup& setup, std::span<const FaceLoss> losses,
                          std::span<const std::size_t> own, std::span<const double> lacks, bool closed,
                          const SourceLine& line) {
  const auto blind = static_cast<std::size_t>(std::ranges::count(lacks, 1.0));
  if (closed && blind != 0) {
    const auto first = static_cast<std::size_t>(std::ranges::find(lacks, 1.0) - lacks.begin());
    throw Error(
        Fault::input,
        fmt::format("*RADIATE: {} of the {} faces of a closed cavity see{} none of the others, the first "
                    "that of element {}",
                    blind, own.size(), blind == 1 ? "s" : "",
                    setup.model->mesh.element_label(losses[own[first]].element)),
        "look which faces, R1 to R6, are turned to each other, or give the temperature of what is around",
        line);
  }
  if (blind == own.size())
    log::warning(
        "{}:{}: *RADIATE: the faces of the cavity do not see each other; each radiates to what is "
        "around it alone",
        line.file, line.line);
}

}  // namespace

Cavities::Cavities(const Setup& setup, const LoadState& loads, std::span<const FaceLoss> losses, int threads)
    : of_means_(setup.as_calculix) {
  const auto& radiation = loads.radiation();
  const std::size_t films = losses.size() - radiation.size();
  const double zero = setup.model->constants.absolute_zero.value_or(0);
  for (std::size_t c = 0; c < setup.model->cavities.size(); ++c) {
    std::vector<std::size_t> own;
    std::size_t closed = 0;
    for (std::size_t i = 0; i < radiation.size(); ++i) {
      if (radiation[i].load.cavity != static_cast<std::int32_t>(c)) continue;
      own.push_back(films + i);
      if (radiation[i].load.ambient < zero) ++closed;
    }
    if (own.empty()) continue;
    if (closed != 0 && closed != own.size())
      throw Error(Fault::input,
                  fmt::format("*RADIATE: {} of the {} faces of a cavity say by an ambient temperature below "
                              "absolute zero that it is closed, the others do not",
                              closed, own.size()),
                  "give all of them such a temperature, or none",
                  setup.model->source(radiation[own.front() - films].load.line));
    if (own.size() > most_faces)
      throw Error(
          Fault::resource,
          fmt::format("*RADIATE: a cavity of {} faces; at most {} are computed", own.size(), most_faces),
          "give a coarser mesh to surfaces that radiate, or make several cavities",
          setup.model->source(radiation[own.front() - films].load.line));
    const SourceLine line = setup.model->source(radiation[own.front() - films].load.line);
    const bool rings = are_rings(setup, losses, own, line);
    cavities_.push_back(made(setup, losses, std::move(own), closed != 0, rings, threads));
    look_for_blind_faces(setup, losses, cavities_.back().loss, cavities_.back().lacks, closed != 0, line);
  }
}

Cavities::Cavity Cavities::made(const Setup& setup, std::span<const FaceLoss> losses,
                                std::vector<std::size_t> own, bool closed, bool rings, int threads) const {
  Cavity cavity;
  cavity.loss = std::move(own);
  std::vector<RadiatingFace> faces;
  std::vector<RadiatingFace> prisms;     // of rings, [faces, sides]
  std::vector<RadiatingFace> triangles;  // of faces, as CalculiX has them
  std::vector<std::int32_t> face_of_triangle;
  std::vector<double> x;
  for (const std::size_t index : cavity.loss) {
    const FaceLoss& loss = losses[index];
    const auto e = static_cast<std::size_t>(loss.element);
    loaded_coordinates(setup.solids, loss.element, x);
    const int number = loss.face + setup.solids.first_face[e];
    const auto points = fem::face_points(setup.solids.loaded_type(loss.element), number, x);
    const auto nodes = setup.solids.loaded_nodes(loss.element);
    RadiatingFace face;
    face.border = border_of(points.front().nodes, x);
    std::vector<double>& shares = cavity.shares.emplace_back();
    std::vector<double>& shapes = cavity.shapes.emplace_back();
    std::vector<std::int32_t>& at_nodes = cavity.nodes.emplace_back();
    for (const std::int8_t node : points.front().nodes)
      at_nodes.push_back(nodes[static_cast<std::size_t>(node)]);
    Point normal{};
    for (const fem::FacePoint& point : points) {
      Point at{};
      for (std::size_t i = 0; i < point.nodes.size(); ++i) {
        const Point corner = place(x, point.nodes[i]);
        for (std::size_t k = 0; k < 3; ++k) at[k] += point.shape[i] * corner[k];
        shapes.push_back(point.shape[i]);
      }
      for (std::size_t k = 0; k < 3; ++k) normal[k] += point.area[k];
      face.at.push_back(at);
      face.area.push_back(point.area);
      shares.push_back(std::hypot(point.area[0], point.area[1], point.area[2]));
      face.total += shares.back();
    }
    for (double& share : shares) share /= face.total;
    if (setup.as_calculix && !rings) {
      std::vector<RadiatingFace> cut =
          triangles_of(face.border, points.front().nodes.size() % 4 == 0 && number == 0);
      face_of_triangle.insert(face_of_triangle.end(), cut.size(), static_cast<std::int32_t>(faces.size()));
      triangles.insert(triangles.end(), std::make_move_iterator(cut.begin()),
                       std::make_move_iterator(cut.end()));
    }
    const Point turn = turn_of(face.border);
    if (turn[0] * normal[0] + turn[1] * normal[1] + turn[2] * normal[2] < 0)
      std::ranges::reverse(face.border);
    faces.push_back(std::move(face));
    if (!rings) continue;
    std::vector<RadiatingFace> prism = ring_of(points, x);
    prisms.insert(prisms.end(), std::make_move_iterator(prism.begin()), std::make_move_iterator(prism.end()));
  }
  cavity.factors = rings ? view_factors(prisms, threads, sides_of_ring)
                   : triangles.empty()
                       ? view_factors(faces, threads)
                       : view_factors_by_centres(triangles, face_of_triangle, faces.size(), threads);
  if (closed) close_cavity(faces, cavity.factors);
  const std::size_t n = faces.size();
  double least = 1;
  double most = 0;
  for (std::size_t i = 0; i < n; ++i) {
    double sum = 0;
    for (std::size_t j = 0; j < n; ++j) sum += cavity.factors[i * n + j];
    least = std::min(least, sum);
    most = std::max(most, sum);
    cavity.lacks.push_back(std::max(0.0, 1 - sum));
  }
  log::debug("*RADIATE: a {} cavity of {} faces, which see {:.4f} to {:.4f} of each other",
             closed ? "closed" : "open", n, least, most);
  return cavity;
}

void Cavities::look_around(std::span<const double> temperature, double zero,
                           std::span<FaceLoss> losses) const {
  for (const Cavity& cavity : cavities_) {
    const std::size_t n = cavity.loss.size();
    std::vector<double> own(n, 0.0);  // T^4 of the faces
    for (std::size_t i = 0; i < n; ++i) {
      const auto& nodes = cavity.nodes[i];
      for (std::size_t p = 0; p < cavity.shares[i].size(); ++p) {
        double at = -zero;
        for (std::size_t k = 0; k < nodes.size(); ++k)
          at += cavity.shapes[i][p * nodes.size() + k] * temperature[static_cast<std::size_t>(nodes[k])];
        own[i] += cavity.shares[i][p] * (of_means_ ? at : fourth(at));
      }
      if (of_means_) own[i] = fourth(own[i]);
    }
    // What leaves a face is what it emits and what it reflects, all over sigma.
    std::vector<double> leaves = own;
    std::vector<double> comes(n, 0.0);
    for (int round = 0; round < 10'000; ++round) {
      double change = 0;
      double largest = 0;
      for (std::size_t i = 0; i < n; ++i) {
        const FaceLoss& loss = losses[cavity.loss[i]];
        double sum = cavity.lacks[i] > 0 ? cavity.lacks[i] * fourth(loss.around) : 0.0;
        for (std::size_t j = 0; j < n; ++j) sum += cavity.factors[i * n + j] * leaves[j];
        comes[i] = sum;
        const double now = loss.emissivity * own[i] + (1 - loss.emissivity) * sum;
        change = std::max(change, std::abs(now - leaves[i]));
        largest = std::max(largest, std::abs(now));
        leaves[i] = now;
      }
      if (change <= 1e-13 * largest) break;
    }
    for (std::size_t i = 0; i < n; ++i) losses[cavity.loss[i]].far = std::pow(std::max(0.0, comes[i]), 0.25);
  }
}

}  // namespace setka::analysis
