// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// A quarter of a plate with a hole: edge 2, radius 1/2, thickness 1. ./make writes the meshes beside this file.
DefineConstant[ n = 1 ];        // elements along a side, and along half of the arc
DefineConstant[ solid = 1 ];    // 0: a plane model
DefineConstant[ quads = 0 ];    // hexahedra (quadrangles) instead of prisms and tetrahedra (triangles)
DefineConstant[ layers = 0 ];   // prisms or hexahedra instead of tetrahedra
DefineConstant[ several = 0 ];  // entities in several groups
Mesh.SecondOrderIncomplete = 1;

a = 0.5; w = 2; c = a * Sqrt(0.5);
Point(1) = {0, 0, 0}; Point(2) = {a, 0, 0}; Point(3) = {c, c, 0}; Point(4) = {0, a, 0};
Point(5) = {w, 0, 0}; Point(6) = {w, w, 0}; Point(7) = {0, w, 0};
Circle(1) = {2, 1, 3}; Circle(2) = {3, 1, 4};
Line(3) = {2, 5}; Line(4) = {5, 6}; Line(5) = {6, 3}; Line(6) = {6, 7}; Line(7) = {7, 4};
Curve Loop(1) = {3, 4, 5, -1}; Plane Surface(1) = {1};
Curve Loop(2) = {-5, 6, 7, -2}; Plane Surface(2) = {2};
Transfinite Curve{:} = n + 1;
Transfinite Surface{:};
If (quads)
  Recombine Surface{:};
EndIf

e = 0.01;
If (solid)
  If (layers)
    Extrude {0, 0, 1} { Surface{1, 2}; Layers{1}; Recombine; }
  Else
    Extrude {0, 0, 1} { Surface{1, 2}; Layers{1}; }
  EndIf
  Physical Volume("Plate") = Volume{:};
  left() = Surface In BoundingBox{-e, -e, -e, e, w + e, 1 + e};
  hole() = Surface In BoundingBox{-e, -e, -e, a + e, a + e, 1 + e};
  Physical Surface("Left side") = {left()};
  Physical Surface(7) = {hole()};
  Physical Curve("edge") = Curve In BoundingBox{-e, -e, -e, e, w + e, e};
  If (several)
    Physical Volume("All") = Volume{:};
    Physical Volume("First") = {1};
    Physical Surface("Fixed") = {left(), hole()};
  EndIf
Else
  Reverse Surface{1};
  Physical Surface("Plate") = {1, 2};
  Physical Curve("Left side") = Curve In BoundingBox{-e, -e, -e, e, w + e, e};
  Physical Point("corner") = {6};
EndIf
