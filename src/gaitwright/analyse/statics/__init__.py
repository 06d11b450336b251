"""Rest, and curves of poses at rest.

linearise.py     forces and tangents at rest, Newton's steps towards balance
records.py       what these are told as
saddle.py        the matrix of such a step and its factors
sliding.py       the same where solids touch each other
joint_rows.py    what few joints hold of many coordinates
kept.py          steps by factors of a pose before
softest.py       which free motions give way most easily, or push away
lowest.py        the slowest motions of a large mechanism
search.py        the way from a pose to one in which everything balances
crossing.py      whether a step goes through a surface
pressing.py      the same where surfaces are pressed
rubbing.py       and where friction holds them
local_balance.py few points that find their balance by themselves
equilibrium.py   what was found, as a result
path.py          equilibria while drives and loads change slowly
pressed_path.py  the same where surfaces are pressed
correction.py    the equilibrium next to a guess
continuation.py  the curve of equilibria: steps, limit and bifurcation points
follow.py        going along it from point to point
relax.py         beams that no pose leaves unstressed: the pose of least strain energy
"""
