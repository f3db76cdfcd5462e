// A pipe with a flange, a round between them, and bolts in the holes of the flange. Millimetres; h: the
// longest edges.
SetFactory("OpenCASCADE");
DefineConstant[ h = 5 ];
bolts = 8;

Cylinder(1) = {0, 0, 0, 0, 0, 20, 90};
Cylinder(2) = {0, 0, 0, 0, 0, 120, 50};
Torus(3) = {0, 0, 32, 62, 12};
Cylinder(4) = {0, 0, 20, 0, 0, 12, 62};
BooleanDifference(5) = { Volume{4}; Delete; }{ Volume{3}; Delete; };
BooleanUnion(6) = { Volume{1}; Delete; }{ Volume{2}; Volume{5}; Delete; };
Cylinder(7) = {0, 0, -1, 0, 0, 122, 42};
hole() = {7};
bolt() = {};
For i In {1 : bolts}
  x = 75 * Cos(2 * Pi * i / bolts);
  y = 75 * Sin(2 * Pi * i / bolts);
  Cylinder(10 + i) = {x, y, -1, 0, 0, 22, 7};
  hole() += {10 + i};
  Cylinder(30 + i) = {x, y, -12, 0, 0, 32, 7};
  Cylinder(50 + i) = {x, y, 20, 0, 0, 8, 11};
  bolt() += {30 + i, 50 + i};
EndFor
BooleanDifference(8) = { Volume{6}; Delete; }{ Volume{hole()}; Delete; };
BooleanFragments{ Volume{8}; Delete; }{ Volume{bolt()}; Delete; }

Physical Volume("PART") = Volume{:};
Physical Surface("FIX") = Surface In BoundingBox{-90, -90, -12.1, 90, 90, -11.9};   // ends of the bolts
Physical Surface("LOAD") = Surface In BoundingBox{-60, -60, 119.9, 60, 60, 120.1};  // end of the pipe
Mesh.MeshSizeMax = h;
Mesh.MeshSizeMin = h / 4;
Mesh.MeshSizeFromCurvature = 16;
