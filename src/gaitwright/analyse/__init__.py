"""Analyses of a mechanism. Each takes a Mechanism and returns a Result.

start.py       closed joints, consistent velocities, redundant joints
kinematics.py  motion of a mechanism whose drives determine everything
inverse.py     drive torques and joint reactions
linearise.py   forces and tangents at rest, for statics and modes
forward.py     motion from forces, by any method of integrate/
statics.py     equilibrium
continuation.py, walk.py   curves of equilibria: steps, limit and bifurcation points
path.py        equilibria while drives and loads change slowly
modes.py       small vibrations about an equilibrium
outputs.py     named quantities of a state
energy.py      energies, works, the work-energy residual
reactions.py   minimum-norm reactions of redundant joints
check.py       what can be said before any analysis
picture.py     what a mechanism looks like
result.py      Result: outputs, evidence, files
"""
