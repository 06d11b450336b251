"""Analyses of a mechanism. Each takes a Mechanism and returns a Result.

    start.py       closed joints, consistent velocities, redundant joints
    kinematics.py  motion of a mechanism whose drives determine everything; inverse dynamics
    forward.py     motion from forces, by any method of integrate/
    statics.py     equilibrium
    modes.py       small vibrations about an equilibrium
    outputs.py     named quantities of a state
    energy.py      energies, works, the work-energy residual
    result.py      Result: outputs, evidence, files
    sweep.py       many variants on all cores
"""
