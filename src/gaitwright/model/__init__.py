"""User-facing model: the class Model, its document (the content of a model file) and its expressions.

model.py        Model, the Python API: builder.py adds its parts, shortcuts.py joints, drives and forces
surfaces.py     contact surfaces of the Python API
serialisation.py   arguments of the Python API as entries of the document
spec/           the document (document.py) and its validation (validation.py)
expressions.py  expressions for numbers and functions of time; grammar.py parses them
units.py        units in expressions; unit_checks.py and dimension_checks.py check them
series.py       measured functions of time; sampling.py puts them on a uniform grid, smoothing.py removes noise
analysis_runner.py   the section `analysis` of a document
reader/         from the document to a mechanism: name_resolver.py numbers and names, elements.py joints, drives and forces,
                contacts.py contacts, mechanism_builder.py the whole
compiled_model.py    a model read once for all its analyses and variants
io/             model files and result files (files.py), importers and exporters
planar_to_spatial.py   conversion of a planar model to a spatial one
"""
