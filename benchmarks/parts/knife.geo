// The bracket with a rib like a knife: hard for multigrid. Millimetres; h: the longest edges.
DefineConstant[ h = 4 ];
knife = 1;
Include "bracket.geo";
