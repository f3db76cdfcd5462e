// A twisted blade on a foot, with a sharp trailing edge. Millimetres; h: the longest edges.
SetFactory("OpenCASCADE");
DefineConstant[ h = 2.5 ];

// Sections at z = 0, 60, 120: chord, thickness and angle of twist fall towards the tip.
chord() = {70, 62, 52};
thick() = {9, 7, 5};
twist() = {0.1, 0.35, 0.6};
For k In {0 : 2}
  c = chord(k);
  t = thick(k);
  z = 60 * k;
  p = newp;
  Point(p) = {-c / 2, 0, z};  // leading edge
  Point(p + 1) = {-0.42 * c, 0.45 * t, z};
  Point(p + 2) = {-0.2 * c, 1.05 * t, z};
  Point(p + 3) = {0.15 * c, 0.85 * t, z};
  Point(p + 4) = {c / 2, -0.2 * t, z};  // trailing edge
  Point(p + 5) = {0.15 * c, 0.15 * t, z};
  Point(p + 6) = {-0.2 * c, 0.1 * t, z};
  Point(p + 7) = {-0.42 * c, -0.3 * t, z};
  Rotate{ {0, 0, 1}, {0, 0, z}, twist(k) }{ Point{p : p + 7}; }
  s = newc;
  Spline(s) = {p, p + 1, p + 2, p + 3, p + 4};
  Spline(s + 1) = {p + 4, p + 5, p + 6, p + 7, p};
  Curve Loop(101 + k) = {s, s + 1};
EndFor
ThruSections(1) = {101:103};
Box(2) = {-45, -15, -14, 90, 36, 15};
BooleanUnion(3) = { Volume{1}; Delete; }{ Volume{2}; Delete; };

Physical Volume("PART") = Volume{:};
Physical Surface("FIX") = Surface In BoundingBox{-46, -16, -14.1, 46, 22, -13.9};
Physical Surface("LOAD") = Surface In BoundingBox{-50, -50, 119.9, 50, 50, 120.1};
Mesh.MeshSizeMax = h;
Mesh.MeshSizeMin = h / 4;
Mesh.MeshSizeFromCurvature = 12;
