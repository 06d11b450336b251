"""Statics: equilibria, and curves of equilibria.

resting_mechanism.py   forces and tangents at rest, Newton steps towards equilibrium
records.py             data structures of these
saddle_point.py        the matrix of such a step and its factorisation
constraint_least_squares.py  least squares with few constraint rows and many coordinates
gmres.py               iterative solutions with the factors of an earlier pose
softest_motions.py     the softest and the unstable free motions
slow_modes.py          the slowest modes of a large mechanism
equilibrium_search.py  search for an equilibrium from a given pose
surface_crossing.py    detection of steps that cross a surface
contact_equilibrium.py the same search for surfaces of solids in contact
friction_equilibrium.py   and with friction
equilibrium.py         the equilibrium as a result
quasi_static_path.py   equilibria while drives and loads change slowly
contact_path.py        the same for surfaces of solids in contact
newton_corrector.py    equilibrium next to an initial guess
continuation.py        curve of equilibria: steps, limit and bifurcation points
path_following.py      steps along the curve from point to point
strain_relaxation.py   beams that are stressed in every pose: the pose of least strain energy
"""
