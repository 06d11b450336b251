"""Rest, and curves of poses at rest.

linearise.py     forces and tangents at rest, Newton's steps towards balance
equilibrium.py   the pose in which everything balances
path.py          equilibria while drives and loads change slowly
correction.py    the equilibrium next to a guess
continuation.py  the curve of equilibria: steps, limit and bifurcation points
follow.py        going along it from point to point
relax.py         beams that no pose leaves unstressed: the pose of least strain energy
"""
