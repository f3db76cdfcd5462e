// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace setka::analysis {

using Point = std::array<double, 3>;

/// A piece of a surface that radiates to the side of its normals.
struct RadiatingFace {
  std::vector<Point> border;  // in the sense that makes the normal point to the radiating side
  std::vector<Point> at;      // points of its integration
  std::vector<Point> area;    // of each, times its unit normal
  double total = 0;           // area
};

/// What share of the heat that leaves face i comes to face j straight away, [faces, faces]. Each is the mean
/// over the points of i of Lambert's formula for the border of j above the horizon of the point, with what
/// other faces hide left out: as much of it as of lines to the points of j meets none of them. Both ways
/// between two faces are averaged, so that A_i F_ij = A_j F_ji.
///
/// copies: where each face is a ring of so many equal ones, which come one after the other: faces are
/// [rings, copies], factors [rings, rings]. A ring sees itself too.
std::vector<double> view_factors(const std::vector<RadiatingFace>& faces, int threads,
                                 std::int32_t copies = 1);

/// The same as CalculiX 2.20 estimates it, from triangles that faces are cut into: Lambert's formula for a
/// triangle as its centre sees the others, each whole or not at all. From near to far each that is seen
/// covers its cells of a grid on the base of a hemisphere about the centre; one whose own middle there is
/// covered is not seen, and so are those low above the horizon. Factors are not averaged both ways. face:
/// [triangles] which of so many faces they are of.
std::vector<double> view_factors_by_centres(const std::vector<RadiatingFace>& triangles,
                                            const std::vector<std::int32_t>& face, std::size_t faces,
                                            int threads);

/// A ring about the y axis as a prism of copies, from a line in its meridian: [points] of radius and y. at:
/// places on it, in the meridian as well, and area: what of the normal is along the radius and y, times the
/// share of the area of the whole ring.
std::vector<RadiatingFace> ring_of_faces(const std::vector<std::array<double, 2>>& line,
                                         const std::vector<std::array<double, 2>>& at,
                                         const std::vector<std::array<double, 2>>& area, std::int32_t copies);

/// Changes factors as little as makes each row sum to one, A_i F_ij = A_j F_ji as before: the faces close a
/// cavity. Faces that see none of the others keep a row of zeros.
void close_cavity(const std::vector<RadiatingFace>& faces, std::vector<double>& factors);

}  // namespace setka::analysis
