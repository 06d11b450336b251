"""What a person writes: the Model, its document (the model file) and its expressions.

model.py        Model, the Python API
spec.py         the document and its validation
expressions.py  the language of numbers and functions of time
analysis.py     the section `analysis` of a document
scope.py        what numbers and names mean in a document
lower.py        from the document to tables
files.py        model files and result files
sweep.py        many variants on all cores
"""
