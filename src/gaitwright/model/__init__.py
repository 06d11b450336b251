"""What a person writes: the Model, its document (the model file) and its expressions.

model.py        Model, the Python API: description.py what it consists of, connected.py its usual joints, drives and forces
surfaces.py     what contacts touch, for the Python API
entries.py      what the Python API is given, as entries of the document
spec.py         the document; validate.py checks it
expressions.py  the language of numbers and functions of time
grammar.py      how its text is read
series.py       measured functions of time; sampling.py puts them on a grid, smoothing.py takes noise out of them
analysis.py     the section `analysis` of a document
scope.py        what numbers and names mean in a document
elements.py     one joint, drive or force as an entry of the tables
lower.py        from the document to tables
contacts.py     the same for its contacts; spatial_contacts.py in space, spatial_contact_spec.py validates those
files.py        model files and result files
planar_to_spatial.py  a planar model as one in space
robots.py       robots in URDF as models
"""
