"""Analyses of a mechanism. Each takes a Mechanism and returns a Result.

closing.py     the pose in which the joints hold
start.py       the state to start from: consistent velocities, redundant joints
kinematics.py  motion of a mechanism whose drives determine everything; contacts_along.py what touches along it
inverse.py     drive torques and joint reactions
forward.py     motion from forces, by any method of integrate/; integration.py runs it
statics/       equilibrium, and curves of equilibria
modes.py       small vibrations about an equilibrium
contact_memory.py  what contacts know at the start
reactions.py   exact reactions, and those of redundant joints
stability.py   the largest step of explicit methods
budget.py      how much work an analysis may take
check.py       what can be said before any analysis
"""
