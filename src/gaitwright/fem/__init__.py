"""Finite elements of solids, as forces of the tables.

    element_types.py      kinds of elements and their integration rules
    element_geometry.py   gradients of shape functions and volumes of a mesh
    element_loops.py      forces, stiffness, damping and energy of elements, from the functions of a material at one point
    kernel_modules.py     one module of kernels per material and kind of element
    mass.py               mass matrices, weight
    side_loads.py         pressure and traction on sides
    stiffness.py          the sparse matrix of an undeformed solid
    condensation.py       its condensation to selected nodes, dense; super_element.py this matrix as one element
    solid_part.py         deformable solids as parts; condensed_solid_part.py condensed ones
    quasi_static_part.py  solids without mass on a plane: plane_equilibrium.py (all nodes), condensed_contact.py
    frictional_solid_part.py   the same with friction: frictional_solid.py (tangent planes), frictional_nodes.py (forces)
    stress.py             stresses, stretches and energy density, at points and nodes

The coordinates of a node are its displacement from the undeformed position: fixed nodes cost nothing, because their
coordinates are those of the ground, which are zero.
"""
