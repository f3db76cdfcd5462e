// A plate with many holes on a rim. Millimetres; h: the longest edges.
SetFactory("OpenCASCADE");
DefineConstant[ h = 4 ];

Box(1) = {0, 0, 0, 180, 120, 8};
Box(2) = {0, 0, 8, 180, 120, 12};
Box(3) = {8, 8, 7, 164, 104, 14};
BooleanDifference(4) = { Volume{2}; Delete; }{ Volume{3}; Delete; };
BooleanUnion(5) = { Volume{1}; Delete; }{ Volume{4}; Delete; };
hole() = {};
For i In {0 : 8}
  For j In {0 : 4}
    k = 10 + 5 * i + j;
    Cylinder(k) = {20 + 17.5 * i, 20 + 20 * j, -1, 0, 0, 10, 5 + (i + j) % 3};
    hole() += {k};
  EndFor
EndFor
BooleanDifference(6) = { Volume{5}; Delete; }{ Volume{hole()}; Delete; };

Physical Volume("PART") = Volume{:};
Physical Surface("FIX") = Surface In BoundingBox{-0.1, -1, -1, 0.1, 121, 21};
Physical Surface("LOAD") = Surface In BoundingBox{179.9, -1, -1, 180.1, 121, 21};
Mesh.MeshSizeMax = h;
Mesh.MeshSizeMin = h / 4;
Mesh.MeshSizeFromCurvature = 10;
