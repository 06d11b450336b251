"""What a person writes: the Model, its document (the model file) and its expressions.

model.py        Model, the Python API
surfaces.py     what contacts touch, for the Python API
entries.py      what the Python API is given, as entries of the document
spec.py         the document and its validation
messages.py     what is wrong with it, in one sentence
expressions.py  the language of numbers and functions of time
grammar.py      how its text is read
series.py       measured functions of time; smoothing.py takes noise out of them
columns.py      the tables in which they come
analysis.py     the section `analysis` of a document
scope.py        what numbers and names mean in a document
lower.py        from the document to tables
contacts.py     the same for its contacts; spatial_contacts.py in space, spatial_contact_spec.py validates those
files.py        model files and result files
in_space.py     a planar model as one in space
urdf.py         robots in URDF as models; urdf_file.py reads them, urdf_tree.py finds their bodies
sweep.py        many variants on all cores
"""
