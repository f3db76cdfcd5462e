// A crank: a shaft, two webs and a pin, with a bore for oil. Millimetres; h: the longest edges.
SetFactory("OpenCASCADE");
DefineConstant[ h = 4 ];

Cylinder(1) = {0, 0, 0, 60, 0, 0, 20};
Cylinder(2) = {112, 0, 0, 60, 0, 0, 20};
Cylinder(3) = {60, 0, 40, 52, 0, 0, 16};
Box(4) = {60, -24, -45, 14, 48, 85};
Cylinder(5) = {60, 0, 40, 14, 0, 0, 24};
Box(6) = {98, -24, -45, 14, 48, 85};
Cylinder(7) = {98, 0, 40, 14, 0, 0, 24};
BooleanUnion(8) = { Volume{1}; Delete; }{ Volume{2:7}; Delete; };
Cylinder(10) = {80, 0, 40, 0, 0, 30, 3};
Cylinder(11) = {-1, 0, 0, 90, 0, 45, 3};
BooleanDifference(9) = { Volume{8}; Delete; }{ Volume{10:11}; Delete; };

Physical Volume("PART") = Volume{:};
Physical Surface("FIX") = Surface In BoundingBox{-0.1, -21, -21, 0.1, 21, 21};
Physical Surface("LOAD") = Surface In BoundingBox{171.9, -21, -21, 172.1, 21, 21};
Mesh.MeshSizeMax = h;
Mesh.MeshSizeMin = h / 4;
Mesh.MeshSizeFromCurvature = 14;
