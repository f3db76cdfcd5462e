// A wheel with teeth, spokes and a hub with a keyway. Millimetres; h: the longest edges.
SetFactory("OpenCASCADE");
DefineConstant[ h = 4 ];
teeth = 24;

Cylinder(1) = {0, 0, 0, 0, 0, 20, 100};
Cylinder(2) = {0, 0, -1, 0, 0, 22, 84};
BooleanDifference(3) = { Volume{1}; Delete; }{ Volume{2}; Delete; };
Cylinder(4) = {0, 0, -5, 0, 0, 30, 30};
part() = {4};
For i In {0 : 4}
  Box(10 + i) = {20, -7, 4, 68, 14, 12};
  Rotate{ {0, 0, 1}, {0, 0, 0}, 2 * Pi * i / 5 }{ Volume{10 + i}; }
  part() += {10 + i};
EndFor
For i In {0 : teeth - 1}
  Box(30 + i) = {96, -4, 0, 13, 8, 20};
  Rotate{ {0, 0, 1}, {0, 0, 0}, 2 * Pi * i / teeth }{ Volume{30 + i}; }
  part() += {30 + i};
EndFor
BooleanUnion(200) = { Volume{3}; Delete; }{ Volume{part()}; Delete; };
Cylinder(201) = {0, 0, -6, 0, 0, 32, 16};
Box(202) = {10, -3, -6, 10, 6, 32};
BooleanDifference(203) = { Volume{200}; Delete; }{ Volume{201:202}; Delete; };

Physical Volume("PART") = Volume{:};
fix() = {};
s() = Surface{:};
For i In {0 : #s() - 1}
  b() = BoundingBox Surface{ s(i) };
  If (b(3) < 20.5 && b(0) > -20.5 && b(4) < 20.5 && b(1) > -20.5 && b(5) - b(2) > 29)
    fix() += {s(i)};
  EndIf
EndFor
Physical Surface("FIX") = fix();                                                        // the bore
Physical Surface("LOAD") = Surface In BoundingBox{95, -4.1, -0.1, 110, -3.9, 20.1};  // a flank
Mesh.MeshSizeMax = h;
Mesh.MeshSizeMin = h / 4;
Mesh.MeshSizeFromCurvature = 10;
