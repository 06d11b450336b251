"""The model as tables of numbers, and everything that can be evaluated from them.

invoke.py       calling a kernel through its address
tables.py       System: elements by type, sparsity, mass, signals; the builder that fills it
batch_calls.py  the kernels of batches of elements, one call each
evaluate.py     Phi, Phi_q, gamma, Q, tangents, energies at a state
chain.py        elements on markers: the chain rule; chain_templates.py, chain_tables.py what it multiplies
alone.py        one element by itself, for results
signals.py      functions of time
splines.py      measured functions, which signals look up
elimination.py  static sparse factorisation; minimum_degree.py its order
library.py      large systems: the same without a program
solvers.py      who does it: our own fronts, SuperLU, PARDISO
factors.py      the same for a matrix that is solved with a few times
fronts.py       LDL^T of a large symmetric matrix, in small dense ones
lu_fronts.py    LU of one that is not symmetric, in the same
front_tree.py   which these are, found once per pattern
dissection.py   the order in which its unknowns are eliminated
redundancy.py   which joints follow from others, in large systems
brace.py        bodies without thickness, whose mass matrix is singular
kkt.py          the saddle-point systems that analyses solve, as one fill and one factorisation
stages.py       the same for all stages of an implicit method at once
assemble.py     start pose, start velocity, redundancy
"""
