// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/analysis/heat_surface.hpp"

#include <cmath>
#include <cstddef>

#include "setka/fem/element.hpp"

namespace setka::analysis {

fem::RobinFaces faces_of_losses(const Setup& setup, std::span<const FaceLoss> losses, const fem::Space& space,
                                std::span<const std::int32_t> number, const exec::Device& device) {
  std::vector<fem::RobinFace> faces;
  faces.reserve(losses.size());
  std::vector<double> x;
  for (const FaceLoss& loss : losses) {
    const auto e = static_cast<std::size_t>(loss.element);
    const auto nodes = setup.solids.loaded_nodes(loss.element);
    loaded_coordinates(setup.solids, loss.element, x);
    const std::vector<fem::FacePoint> points =
        fem::face_points(setup.solids.loaded_type(loss.element), loss.face + setup.solids.first_face[e], x);
    const std::span<const std::int8_t> own = points.front().nodes;
    fem::RobinFace& face = faces.emplace_back();
    for (const std::int8_t at : own) {
      const std::int32_t node = nodes[static_cast<std::size_t>(at)];
      face.node.push_back(number.empty() ? node : number[static_cast<std::size_t>(node)]);
    }
    for (const fem::FacePoint& point : points) {
      face.area.push_back(std::hypot(point.area[0], point.area[1], point.area[2]));
      face.shape.insert(face.shape.end(), point.shape.begin(),
                        point.shape.begin() + static_cast<std::ptrdiff_t>(own.size()));
    }
  }
  return {device, space, faces};
}

std::vector<fem::RobinValues> values_of(std::span<const FaceLoss> losses) {
  std::vector<fem::RobinValues> values;
  values.reserve(losses.size());
  for (const FaceLoss& loss : losses) values.push_back({loss.h, loss.sink, loss.r, loss.far});
  return values;
}

}  // namespace setka::analysis
