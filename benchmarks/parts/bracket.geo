// An angle bracket: two plates with a rib, rounded corners, holes for screws, and a boss with a bore.
// Millimetres; h: the longest edges.
SetFactory("OpenCASCADE");
DefineConstant[ h = 4 ];
DefineConstant[ knife = 0 ];  // 1: the rib ends in a sharp upright edge

Box(1) = {0, 0, 0, 120, 80, 12};
Box(2) = {0, 0, 0, 12, 80, 100};
Cylinder(3) = {0, 40, 70, 30, 0, 0, 22};
If (knife)
  Wedge(4) = {12, 35, 12, 50, 10, 40, 0};
Else
  Wedge(4) = {12, 0, 0, 50, 40, 10, 4};
  Rotate{ {1, 0, 0}, {0, 0, 0}, Pi / 2 }{ Volume{4}; }
  Translate{ 0, 45, 12 }{ Volume{4}; }
EndIf
BooleanUnion(5) = { Volume{1}; Delete; }{ Volume{2:4}; Delete; };
Cylinder(11) = {-1, 40, 70, 40, 0, 0, 12};
Cylinder(12) = {40, 15, -1, 0, 0, 14, 6};
Cylinder(13) = {40, 65, -1, 0, 0, 14, 6};
Cylinder(14) = {100, 15, -1, 0, 0, 14, 6};
Cylinder(15) = {100, 65, -1, 0, 0, 14, 6};
BooleanDifference(6) = { Volume{5}; Delete; }{ Volume{11:15}; Delete; };

// The upright edges of the foot.
rounded() = {};
c() = Curve In BoundingBox{119.9, -0.1, -0.1, 120.1, 80.1, 12.1};
For i In {0 : #c() - 1}
  b() = BoundingBox Curve{ c(i) };
  If (b(5) - b(2) > 11)
    rounded() += {c(i)};
  EndIf
EndFor
Fillet{6}{ rounded() }{ 10 }

Physical Volume("PART") = Volume{:};
fix() = {};
load() = {};
s() = Surface{:};
For i In {0 : #s() - 1}
  b() = BoundingBox Surface{ s(i) };
  If (b(0) > 33 && b(5) < 12.5 && b(3) - b(0) < 12.5 && b(4) - b(1) < 12.5)
    fix() += {s(i)};
  EndIf
  If (b(2) > 57 && b(5) < 83 && b(4) - b(1) < 25 && b(3) - b(0) > 20)
    load() += {s(i)};
  EndIf
EndFor
Physical Surface("FIX") = fix();    // the holes of the foot
Physical Surface("LOAD") = load();  // the bore
Mesh.MeshSizeMax = h;
Mesh.MeshSizeMin = h / 4;
Mesh.MeshSizeFromCurvature = 12;
