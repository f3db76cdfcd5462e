// A plate on a plate, with three gussets that run out in sharp toes, slots and a pipe through the upright one.
// Millimetres; h: the longest edges.
SetFactory("OpenCASCADE");
DefineConstant[ h = 3.5 ];

Box(1) = {0, 0, 0, 140, 120, 8};
Box(2) = {0, 0, 0, 8, 120, 110};
For k In {0 : 2}
  Wedge(3 + k) = {0, 0, 0, 90, 70, 6, 0};
  Rotate{ {1, 0, 0}, {0, 0, 0}, Pi / 2 }{ Volume{3 + k}; }
  Translate{ 8, 11 + 52 * k, 8 }{ Volume{3 + k}; }
EndFor
Cylinder(6) = {-20, 32, 80, 40, 0, 0, 16};
BooleanUnion(10) = { Volume{1}; Delete; }{ Volume{2:6}; Delete; };
Cylinder(11) = {-21, 32, 80, 42, 0, 0, 13};
Box(12) = {112, 25, -1, 10, 20, 10};
Box(13) = {112, 75, -1, 10, 20, 10};
Cylinder(14) = {-1, 88, 85, 10, 0, 0, 10};
BooleanDifference(20) = { Volume{10}; Delete; }{ Volume{11:14}; Delete; };

Physical Volume("PART") = Volume{:};
fix() = {};
s() = Surface{:};
For i In {0 : #s() - 1}
  b() = BoundingBox Surface{ s(i) };
  If (b(0) > 111 && b(3) < 123 && b(4) - b(1) < 21)
    fix() += {s(i)};
  EndIf
EndFor
Physical Surface("FIX") = fix();  // the slots
Physical Surface("LOAD") = Surface In BoundingBox{-20.1, 15, 63, -19.9, 49, 97};
Mesh.MeshSizeMax = h;
Mesh.MeshSizeMin = h / 4;
Mesh.MeshSizeFromCurvature = 12;
