"""Finite elements of solids, as forces of the tables.

    geometry.py    gradients of shape functions and volumes of a mesh
    loops.py       forces, stiffness and energy of elements, from what a material says at one point
    viscous.py     the same for damping
    kernels.py     one module of kernels per material and kind of element
    mass.py        mass matrices, weight
    sides.py       pressure and traction on sides
    stiffness.py   the sparse matrix of an undeformed solid
    condensation.py  the same between some nodes alone, dense
    stress.py      stresses, stretches and energy density, at points and nodes

The coordinates of a node are its displacement from the undeformed place: nodes that are held cost nothing, because their
coordinates are those of the ground, which are zero.
"""
