"""Rotations, inertia and curves as arrays, independent of the model.

rotation.py          rotation matrices to quaternions and angles, and angular velocities; quaternions for graphics
orientation.py       orientations given in a document, checked, as rotation matrices
nearest_rotation.py  rotation nearest to a matrix, compiled
inertia.py           mass matrix of a rigid body from its mass, centre and inertia; torsion constant of a rectangle
curves.py            space curves with a frame along them
"""
