// A curved shell with an opening and a stiffener: a part of a pipe of thin wall. Millimetres; h: the longest
// edges.
SetFactory("OpenCASCADE");
DefineConstant[ h = 6 ];

Cylinder(1) = {0, 0, 0, 0, 0, 240, 150, Pi / 2};
Cylinder(2) = {0, 0, -1, 0, 0, 242, 145, 2 * Pi};
BooleanDifference(3) = { Volume{1}; Delete; }{ Volume{2}; Delete; };
Cylinder(4) = {0, 0, 115, 0, 0, 8, 160, Pi / 2};
Cylinder(5) = {0, 0, 114, 0, 0, 10, 148, 2 * Pi};
BooleanDifference(6) = { Volume{4}; Delete; }{ Volume{5}; Delete; };
BooleanUnion(7) = { Volume{3}; Delete; }{ Volume{6}; Delete; };
Cylinder(8) = {0, 0, 60, 200, 200, 0, 25};
BooleanDifference(9) = { Volume{7}; Delete; }{ Volume{8}; Delete; };

Physical Volume("PART") = Volume{:};
Physical Surface("FIX") = Surface In BoundingBox{-1, -1, -0.1, 161, 161, 0.1};
Physical Surface("LOAD") = Surface In BoundingBox{-1, -1, 239.9, 161, 161, 240.1};
Mesh.MeshSizeMax = h;
Mesh.MeshSizeMin = h / 4;
Mesh.MeshSizeFromCurvature = 16;
