"""Many designs of one mechanism at once: a program printed for it, on all lanes of all cores or on a GPU.

expressions.py   the expressions of a model as terms (derive/terms.py)
lowering.py      lowering with numbers that remember their expression, verified against plain lowering
equations.py     Phi, Phi_q, gamma, Q, M and outputs of the whole mechanism as terms
replay.py        its elimination program, replayed
program.py       the text of the program; portable.h and turns.h: what does not depend on the mechanism
library.py       compiled by the machine's C compiler, called by ctypes
cuda.py          the same text on a GPU
classic.py       one design after another, where there is no compiler
"""
