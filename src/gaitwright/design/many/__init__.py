"""Many designs of one mechanism at once: a program printed for it, on all lanes of all cores or on a GPU.

expressions.py   the expressions of a model as terms (derive/terms.py)
lowering.py      lowering with numbers that remember their expression, verified against plain lowering
equations.py     Phi, Phi_q, gamma, Q, M and outputs of the whole mechanism as terms
contacts.py      contacts as terms; contact_outputs.py: what results tell of them
replay.py        its elimination program, replayed
program.py       the text of the program; portable.h, close.h and follow.h: what does not depend on the mechanism
forward.py       the same for forward dynamics; march.h, rk4.h, alpha.h, touch.h, marching.h
tangents.py      derivatives that go along with a run; tangents.h
library.py       compiled by the machine's C compiler, called by ctypes
cuda.py          the same text on a GPU
classic.py       one design after another, where there is no compiler
"""
