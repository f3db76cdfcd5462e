// A tee of two pipes. Millimetres; h: the longest edges.
SetFactory("OpenCASCADE");
DefineConstant[ h = 5 ];

Cylinder(1) = {-150, 0, 0, 300, 0, 0, 50};
Cylinder(2) = {0, 0, 0, 0, 0, 120, 35};
BooleanUnion(3) = { Volume{1}; Delete; }{ Volume{2}; Delete; };
Cylinder(4) = {-151, 0, 0, 302, 0, 0, 42};
Cylinder(5) = {0, 0, 0, 0, 0, 121, 29};
BooleanDifference(6) = { Volume{3}; Delete; }{ Volume{4:5}; Delete; };

Physical Volume("PART") = Volume{:};
Physical Surface("FIX") = Surface In BoundingBox{-150.1, -51, -51, -149.9, 51, 51};
Physical Surface("LOAD") = Surface In BoundingBox{-36, -36, 119.9, 36, 36, 120.1};
Mesh.MeshSizeMax = h;
Mesh.MeshSizeMin = h / 4;
Mesh.MeshSizeFromCurvature = 16;
