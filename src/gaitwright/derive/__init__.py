"""From expression to kernel: differentiate a declaration of physics/, share common subexpressions, print Numba code.

interface.py   the kernels every element has, and their arguments (no SymPy)
constraint.py  Phi -> residual, Jacobian, velocity-quadratic term, weighted Hessian, tangents of Phi''
force.py       V, R, loads -> generalised force, its tangents in q and q', energy and powers
beam.py        the same for densities along a beam element, summed over quadrature points
contact.py     gap and slide, normal laws, friction
space_contact.py  the same in space: pose of two bodies, and surfaces
solid.py       energy of a material -> its derivatives in invariants of the deformation; viscous.py the same for damping
scratch.py     copied into the kernels of beam.py, which work on blocks of elements
printing.py    expressions -> source text
library.py     prints all declarations into kernels/, and a user's own at run time
"""
