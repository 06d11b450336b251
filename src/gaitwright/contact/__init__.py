"""Contact between bodies: surfaces and gaps, events, complementarity, and the contact terms of the equations of motion.

In scope: surfaces and the gaps between them, the events of touchdown and release, and complementarity (a gap or a force, never
both). Out of scope: the laws that give a force from a penetration or a slip, which are in physics/.

surface_pieces.py  a line, terrain, face, segment or circle as the elementary pieces of physics/contact_geometry
mesh_surface.py, height_field.py, surface_lookup.py   meshes and terrains as surfaces with lookup tables
closest_face.py, face_geometry.py   deformable surfaces: closest face and mean normals
tables.py          tables of all contacts of a model
state.py           memory and observed state of contacts; calls of the compiled contact functions
dispatch.py        compilation of the contact functions for the plane and for space
marker_kinematics.py, forces.py, tangents.py, bristles.py   pose, forces, derivatives and bristle deflection
events.py, event_location.py, simultaneous_events.py   touchdown, release and slip reversal inside a step
force_events.py    the same for force elements with a gap
history.py         contact history of a run: episodes from touchdown to release
material.py        stiffness of a contact from radii and elastic moduli, and the approach speed up to which laws are valid
restitution.py     rebound speed under a law
lcp.py             the linear complementarity problem, with proof of infeasibility
lemke.py           Lemke's pivoting, compiled
gauss_seidel.py    projected Gauss-Seidel with friction, with bounds or with Coulomb's cone, compiled
impulse_newton.py  Newton's method with continuation, for slow or diverging sweeps
active_set.py      contact nodes of a soft body on a rigid core, by its compliance
"""
