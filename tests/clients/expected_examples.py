# SPDX-FileCopyrightText: 2026 the Setka authors
# SPDX-License-Identifier: BSD-3-Clause
"""How each FEM example of FreeCAD 0.20 comes out, and a part of the message where one is refused."""
import typing


class Expected(typing.NamedTuple):
    verdict: str = "agree"  # or: both refuse, refused, ours alone, no CalculiX
    message: str = ""
    quick: bool = True  # CalculiX takes a second or less, and FreeCAD little longer
    free: str = ""  # the direction in which nothing holds the body: each solver leaves it where rounding put it
    balanced: bool = False  # nothing pulls: reactions are what rounding leaves


SLOW = Expected(quick=False)
CONTACT = Expected("refused", "*CONTACT PAIR", quick=False)
ELMER = Expected("no CalculiX", "solver_obj", quick=False)

EXPECTED = {
    "boxanalysis_frequency": SLOW,
    "boxanalysis_static": Expected(),
    "buckling_lateraltorsionalbuckling": SLOW,
    "buckling_platebuckling": SLOW,
    "ccx_buckling_flexuralbuckling": SLOW,
    "ccx_cantilever_beam_circle": Expected(),
    "ccx_cantilever_beam_pipe": Expected("both refuse", "pipes and boxes are of B32R"),
    "ccx_cantilever_beam_rect": Expected(),
    "ccx_cantilever_ele_hexa20": Expected(),
    "ccx_cantilever_ele_quad4": Expected(),
    "ccx_cantilever_ele_quad8": Expected(),
    "ccx_cantilever_ele_seg2": Expected(),
    "ccx_cantilever_ele_seg3": Expected(),
    "ccx_cantilever_ele_tetra4": SLOW,  # and needs Gmsh
    "ccx_cantilever_ele_tria3": Expected(),
    "ccx_cantilever_ele_tria6": Expected(),
    "ccx_cantilever_faceload": Expected(),
    "ccx_cantilever_nodeload": Expected(),
    "ccx_cantilever_prescribeddisplacement": Expected(),
    # One of its two rings is held by nothing: CalculiX says that it has gone kilometres.
    "constraint_centrif": Expected("refused", "is not held", quick=False),
    "constraint_contact_shell_shell": CONTACT,
    "constraint_contact_solid_solid": CONTACT,
    "constraint_section_print": Expected(),
    "constraint_selfweight_cantilever": Expected(),
    "constraint_tie": SLOW,
    "constraint_transform_beam_hinged": Expected(free="y"),
    "constraint_transform_torque": SLOW,
    "elmer_nonguitutorial01_eigenvalue_of_elastic_beam": SLOW,
    "equation_electrostatics_capacitance_two_balls": ELMER,
    "equation_electrostatics_electricforce_elmer_nongui6": ELMER,
    "frequency_beamsimple": SLOW,
    "material_multiple_bendingbeam_fiveboxes": SLOW,
    "material_multiple_bendingbeam_fivefaces": SLOW,
    "material_multiple_tensionrod_twoboxes": Expected(),
    "material_nl_platewithhole": Expected("refused", "*PLASTIC", quick=False),
    "mystran_plate": Expected(),
    "rc_wall_2d": Expected(),
    "square_pipe_end_twisted_edgeforces": SLOW,
    "square_pipe_end_twisted_nodeforces": SLOW,
    "thermomech_bimetall": SLOW,
    "thermomech_flow1d": Expected("refused", "*FLUID SECTION"),
    "thermomech_spine": Expected(balanced=True),
    "truss_3d_cs_circle_ele_seg2": Expected("both refuse", "round sections are of B32 and B32R"),
    "truss_3d_cs_circle_ele_seg3": Expected(),
}
