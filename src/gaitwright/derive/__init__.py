"""From expression to kernel: differentiate a declaration of physics/, share common subexpressions, generate Numba code.

kernel_interface.py  the kernels of every element type, and their arguments (no SymPy)
symbols.py           symbols of a declaration; marker_symbols.py the same in marker variables
constraint.py        Phi -> residual, Jacobian, velocity-quadratic term, weighted Hessian, tangents of Phi''
force.py             V, R, loads -> generalised force, its tangents in q and q', energy and powers
beam.py              the same for densities along a beam element, summed over quadrature points
beam_section.py      twist and curvatures of a spatial beam
contact.py           pose of two bodies, surfaces, normal laws, friction
material.py          energy of a material -> its derivatives in invariants of the deformation; the same for
damping
observations.py      observed quantities of an element
beam_functions.py    copied into the kernels of beam.py, which work on blocks of elements
kernel_form.py       kernels as inputs, shared subexpressions and outputs
numba_printer.py     forms -> source text for Numba
term_graph.py        expressions as operations in single assignment; form_terms.py converts forms, c_printer.py prints C
kernel_library.py    generates kernels/ from all declarations, and those of user declarations at run time
"""
