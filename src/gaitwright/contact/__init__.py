"""Contact: where bodies may touch but not pass through each other.

What belongs here: surfaces and the gaps between them, the events of touchdown and release, and complementarity (a gap or
a force, never both). What does not: the laws that give a force from a penetration or a slip, which are physics, and the
forces themselves, which are part of the equations of motion (system/touch.py).

surfaces.py      a line, terrain, face, segment or circle as the elementary pieces of physics/contact_geometry
events.py        touchdown, release and what else happens to a contact inside a step
history.py       what a run keeps of its contacts: episodes from touchdown to release
material.py      stiffness of a contact from radii and elastic moduli, and the speed up to which laws hold
restitution.py   with which speed bodies part under a law
lcp.py           the linear complementarity problem, with proof of failure
lemke.py         Lemke's pivoting, compiled
gauss_seidel.py  projected Gauss-Seidel with friction, compiled
cones.py         the same in space, with Coulomb's cone
impulse_newton.py  Newton's method with continuation, where sweeps are slow or do not converge
compliance.py    a soft body on a rigid core, pressed against something: forces from compliances
active_set.py    which of its nodes touch, compiled
height_field.py  terrains in space: splines through heights
"""
