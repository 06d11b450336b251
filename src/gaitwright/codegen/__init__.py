"""Generated programs that analyse many designs of one mechanism at once, on all SIMD lanes of all cores or on a GPU.

expression_terms.py    expressions of a model as terms (derive/term_graph.py)
tracing.py             model lowering with numbers that carry their expression, verified against plain lowering
equations.py           Phi, Phi_q, gamma, Q, M and outputs of the whole mechanism as terms
contacts.py            contacts as terms; contact_outputs.py: their outputs
elimination.py         symbolic execution of the mechanism's elimination program
kinematic_solver.py    solutions with a square Phi_q; branch_sign.py: the sign of its determinant
program.py             text of the program; portable.h, close.h and follow.h: code that is the same for every mechanism
forward_dynamics.py    functions for forward dynamics; march.h, rk4.h, alpha.h, touch.h, marching.h
adjoint.py             derivatives of driven motions in reverse mode; backwards.h
forward_gradients.py   derivatives of forward dynamics in forward mode; tangents.h
measures.py            measures of designs; gradients.py: their derivatives
accuracy_terms.py      constraint violation and energy balance of a program
chunk_runner.py        runs a program on chunks of designs
c_library.py           program compiled by the machine's C compiler, called by ctypes; program_calls.py: its calls
cuda_library.py        the same text on a GPU

Without a compiler designs are analysed one after another: design/batch/fallback.py.
"""
