"""What a run has found: outputs by name, energies, evidence, files.

result.py           Result
catalogue.py        all outputs of a mechanism by name
outputs.py          what the names mean; spatial_reactions.py those of joints in three dimensions
beam_shapes.py      the same along beams; touches.py of contacts
between.py          states between the stored ones
energy.py           energies, works, the work-energy residual
evidence.py         what a run says about its own accuracy
netcdf.py           files
"""
