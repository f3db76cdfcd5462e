// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/analysis/heat_surface.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "setka/fem/element.hpp"
#include "setka/sparse/add_entries.hpp"

namespace setka::analysis {
namespace {

/// Heat that leaves an area of one at a temperature, and its change with it.
double given_off(const FaceLoss& loss, double t, double zero) {
  double heat = loss.h * (t - loss.sink);
  if (loss.r != 0) heat += loss.r * (std::pow(t - zero, 4) - std::pow(loss.far, 4));
  return heat;
}
double slope_of(const FaceLoss& loss, double t, double zero) {
  return loss.h + (loss.r != 0 ? 4 * loss.r * std::pow(t - zero, 3) : 0.0);
}

}  // namespace

HeatSurface::HeatSurface(const Setup& setup, std::span<const FaceLoss> losses, const fem::Space& space,
                         std::span<const std::int32_t> number, const exec::Device& device)
    : row_(device), column_(device) {
  std::vector<double> x;
  for (const FaceLoss& loss : losses) {
    const auto e = static_cast<std::size_t>(loss.element);
    const auto nodes = setup.solids.nodes(loss.element);
    element_coordinates(setup.solids, loss.element, x);
    const std::vector<fem::FacePoint> points =
        fem::face_points(setup.solids.type[e], loss.face + setup.solids.first_face[e], x);
    const std::span<const std::int8_t> own = points.front().nodes;
    faces_.push_back({static_cast<std::int64_t>(node_.size()), static_cast<std::int32_t>(own.size()),
                      static_cast<std::int64_t>(area_.size()), static_cast<std::int32_t>(points.size()),
                      static_cast<std::int64_t>(shape_.size())});
    for (const std::int8_t at : own) {
      const std::int32_t node = nodes[static_cast<std::size_t>(at)];
      node_.push_back(number.empty() ? node : number[static_cast<std::size_t>(node)]);
    }
    for (const fem::FacePoint& point : points) {
      area_.push_back(std::hypot(point.area[0], point.area[1], point.area[2]));
      shape_.insert(shape_.end(), point.shape.begin(),
                    point.shape.begin() + static_cast<std::ptrdiff_t>(own.size()));
    }
  }
  list_entries(space, device);
}

void HeatSurface::list_entries(const fem::Space& space, const exec::Device& device) {
  using Place = std::pair<std::int32_t, std::int32_t>;
  std::vector<Place> of_shares;
  for (std::size_t f = 0; f < faces_.size(); ++f) {
    const Face& face = faces_[f];
    for (std::int32_t a = 0; a < face.node_count; ++a) {
      for (std::int32_t b = 0; b < face.node_count; ++b) {
        for (const fem::Term& row :
             space.constraints().row(node_[static_cast<std::size_t>(face.first_node + a)])) {
          for (const fem::Term& column :
               space.constraints().row(node_[static_cast<std::size_t>(face.first_node + b)])) {
            of_shares.emplace_back(space.place(row), space.place(column));
            shares_.push_back({static_cast<std::int32_t>(f), static_cast<std::int16_t>(a),
                               static_cast<std::int16_t>(b), 0, row.coefficient * column.coefficient});
          }
        }
      }
    }
  }
  std::vector<Place> places = of_shares;
  std::ranges::sort(places);
  places.erase(std::unique(places.begin(), places.end()), places.end());
  for (std::size_t i = 0; i < shares_.size(); ++i)
    shares_[i].entry =
        static_cast<std::int32_t>(std::ranges::lower_bound(places, of_shares[i]) - places.begin());
  std::vector<std::int32_t> rows;
  std::vector<std::int32_t> columns;
  for (const auto& [row, column] : places) {
    rows.push_back(row);
    columns.push_back(column);
  }
  entries_ = static_cast<std::int64_t>(places.size());
  row_ = exec::Array<std::int32_t>(device, rows);
  column_ = exec::Array<std::int32_t>(device, columns);
}

double HeatSurface::temperature_at(const Face& face, std::int32_t point,
                                   std::span<const double> temperature) const {
  double t = 0;
  for (std::int32_t i = 0; i < face.node_count; ++i) {
    t += shape_[shapes_of(face, point) + static_cast<std::size_t>(i)] *
         temperature[static_cast<std::size_t>(node_[static_cast<std::size_t>(face.first_node + i)])];
  }
  return t;
}

void HeatSurface::take_off(std::span<const FaceLoss> losses, std::span<const double> temperature, double zero,
                           std::span<double> heat) const {
  for (std::size_t f = 0; f < faces_.size(); ++f) {
    const Face& face = faces_[f];
    for (std::int32_t p = 0; p < face.point_count; ++p) {
      const double lost = area_[static_cast<std::size_t>(face.first_point + p)] *
                          given_off(losses[f], temperature_at(face, p, temperature), zero);
      for (std::int32_t i = 0; i < face.node_count; ++i) {
        heat[static_cast<std::size_t>(node_[static_cast<std::size_t>(face.first_node + i)])] -=
            lost * shape_[shapes_of(face, p) + static_cast<std::size_t>(i)];
      }
    }
  }
}

void HeatSurface::add_tangent(std::span<const FaceLoss> losses, std::span<const double> temperature,
                              double zero, sparse::BlockCsr<double>& a) const {
  std::vector<double> slope(area_.size());  // times the area
  for (std::size_t f = 0; f < faces_.size(); ++f) {
    for (std::int32_t p = 0; p < faces_[f].point_count; ++p) {
      const auto at = static_cast<std::size_t>(faces_[f].first_point + p);
      slope[at] = area_[at] * slope_of(losses[f], temperature_at(faces_[f], p, temperature), zero);
    }
  }
  std::vector<double> value(static_cast<std::size_t>(entries_), 0.0);
  for (const Share& share : shares_) {
    const Face& face = faces_[static_cast<std::size_t>(share.face)];
    double sum = 0;
    for (std::int32_t p = 0; p < face.point_count; ++p) {
      const auto shape = shapes_of(face, p);
      sum += slope[static_cast<std::size_t>(face.first_point + p)] *
             shape_[shape + static_cast<std::size_t>(share.a)] *
             shape_[shape + static_cast<std::size_t>(share.b)];
    }
    value[static_cast<std::size_t>(share.entry)] += share.coefficient * sum;
  }
  const exec::Array<double> added(a.device(), value);
  sparse::add_entries(a.device(), row_, column_, added, a);
  a.device().synchronize();  // what is added goes with this
}

}  // namespace setka::analysis
