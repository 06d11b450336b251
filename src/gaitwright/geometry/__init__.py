"""Rotations and solids in numbers, for everybody.

rotation.py     rotation matrices as quaternions and angles, and angular velocities
quaternions.py  the same for pictures, which turn many bodies at once
orientation.py  orientations as people write them
inertia.py      mass matrix of a rigid body from its mass, centre and inertia
"""
