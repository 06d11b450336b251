"""The model as numeric tables, and the functions evaluated from them.

tables.py, table_builder.py     MechanismTables: elements by type, sparsity, mass, signals; and their builder
blocks.py, batches.py           elements as blocks; elements of one kernel as a batch
batch_kernels.py                kernels of batches of elements, one call each
evaluation.py                   Phi, Phi_q, gamma, Q, tangents, energies at a state
marker_chain.py                 chain rule for elements on markers; its tables: marker_chain_templates.py,
marker_chain_tables.py
single_element.py               evaluation of one element, for results
signals.py                      functions of time
splines.py                      interpolated measurements, used by signals
structural_sparsity.py          entries of element matrices that can be non-zero
mass_regularisation.py          bodies without thickness (singular mass matrix)
kkt.py                          saddle-point systems of the analyses, as one fill and one factorisation
coupled_stages.py               the same for all stages of an implicit method at once
pose_assembly.py                start pose, start velocity, redundancy
rigid_pieces.py                 pose assembly with flexible parts as rigid pieces
projection.py                   projection of a state onto the constraints
coordinate_partitioning.py      the same by dependent coordinates
hermite_interpolation.py        motion within a step
history_parts.py                parts with forces that depend on the past
mechanism.py                    Mechanism: tables, names and drawn pose
parts/                          the kinds of parts

Sparse factorisations are in linalg/, calls through addresses in jit/.
"""
