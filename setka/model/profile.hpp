// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>

/// What shells, membranes and beams have besides a material: how thick they are, and where.
namespace setka::model {

enum class ProfileShape : std::uint8_t {
  plate,      // of a shell or membrane
  rectangle,  // of a beam
  ellipse,
  pipe,
  box,
};

/// *SHELL SECTION, *MEMBRANE SECTION and *BEAM SECTION.
struct Profile {
  ProfileShape shape = ProfileShape::plate;
  std::array<double, 2> size{1, 1};  // thickness of a surface; of a beam along its axes 1 and 2
  std::array<double, 4> wall{};      // of a pipe: the first; of a box on the sides to which axes 1, 2, -1, -2
                                     // point
  std::array<double, 2> offset{};    // of the reference surface or line from the middle, over the size
  std::array<double, 3> first_axis{0, 0, -1};  // of a beam: axis 1; what it has along the beam does not count
};

/// *NODAL THICKNESS: instead of that of the sections.
struct NodalThickness {
  std::int32_t node;
  std::array<double, 2> size{};  // the second one of beams alone
};

/// *NORMAL: of a surface, or axis 2 of a beam, at a node of an element; unit length.
struct GivenNormal {
  std::int32_t element;
  std::int32_t node;
  std::array<double, 3> direction{};
};

}  // namespace setka::model
