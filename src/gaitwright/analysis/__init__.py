"""Analyses of a mechanism. Each takes a Mechanism and returns a Result.

joint_closure.py       pose in which the joints are closed
start_state.py         start state: consistent velocities, redundant constraints
kinematics.py          motion that the drives determine completely; prescribed_contacts.py: contacts along it
inverse.py             drive torques and joint reactions
forward.py             motion from forces, by any method of integrate/; integration.py runs it
statics/               equilibrium, and curves of equilibria
modes.py               small vibrations about an equilibrium
initial_contact_state.py  contact states at the start
reactions.py           refined reactions, and reactions of redundant constraints
budget.py              limits on steps, wall time and memory of an analysis
model_check.py         report on a model without an analysis
"""
