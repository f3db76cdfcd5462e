// A housing of thin walls: an open box with rounded edges, ribs, a bearing seat and feet. Millimetres; h: the
// longest edges.
SetFactory("OpenCASCADE");
DefineConstant[ h = 5 ];
wall = 4;

Box(1) = {0, 0, 0, 200, 140, 90};
upright() = {};
c() = Curve{:};
For i In {0 : #c() - 1}
  b() = BoundingBox Curve{ c(i) };
  If (b(5) - b(2) > 80)
    upright() += {c(i)};
  EndIf
EndFor
Fillet{1}{ upright() }{ 20 }
Box(2) = {wall, wall, wall, 200 - 2 * wall, 140 - 2 * wall, 90};
inner() = {};
c() = Curve In BoundingBox{1, 1, 1, 199, 139, 99};
For i In {0 : #c() - 1}
  b() = BoundingBox Curve{ c(i) };
  If (b(5) - b(2) > 80 && b(0) > wall - 0.1 && b(3) < 200 - wall + 0.1)
    inner() += {c(i)};
  EndIf
EndFor
Fillet{2}{ inner() }{ 16 }
BooleanDifference(3) = { Volume{1}; Delete; }{ Volume{2}; Delete; };
Cylinder(4) = {-8, 70, 45, 24, 0, 0, 28};  // seat
Box(5) = {60, 2, 2, 4, 136, 30};           // ribs
Box(6) = {130, 2, 2, 4, 136, 30};
Box(7) = {-20, 20, 0, 30, 24, 6};  // feet
Box(8) = {-20, 96, 0, 30, 24, 6};
Box(9) = {190, 20, 0, 30, 24, 6};
Box(10) = {190, 96, 0, 30, 24, 6};
BooleanUnion(11) = { Volume{3}; Delete; }{ Volume{4:10}; Delete; };
Cylinder(20) = {-20, 70, 45, 60, 0, 0, 20};
Cylinder(21) = {-11, 32, -1, 0, 0, 8, 4};
Cylinder(22) = {-11, 108, -1, 0, 0, 8, 4};
Cylinder(23) = {211, 32, -1, 0, 0, 8, 4};
Cylinder(24) = {211, 108, -1, 0, 0, 8, 4};
BooleanDifference(12) = { Volume{11}; Delete; }{ Volume{20:24}; Delete; };

Physical Volume("PART") = Volume{:};
fix() = {};
load() = {};
s() = Surface{:};
For i In {0 : #s() - 1}
  b() = BoundingBox Surface{ s(i) };
  If (b(5) < 6.1 && b(3) - b(0) < 8.1 && b(4) - b(1) < 8.1)
    fix() += {s(i)};
  EndIf
  If (b(2) > 24.9 && b(5) < 65.1 && b(0) < -7 && b(3) > 15 && b(4) - b(1) < 40.1)
    load() += {s(i)};
  EndIf
EndFor
Physical Surface("FIX") = fix();    // holes of the feet
Physical Surface("LOAD") = load();  // the seat
Mesh.MeshSizeMax = h;
Mesh.MeshSizeMin = h / 4;
Mesh.MeshSizeFromCurvature = 12;
