"""What a run has found: outputs by name, energies, evidence, files.

result.py           Result
catalogue.py        all outputs of a mechanism by name
outputs.py          what the names mean; spatial_reactions.py those of joints in three dimensions; derived.py energies, steps
beam_shapes.py      quantities of beams by name: beam_loads.py what acts on them, beam_profile.py what that makes along them
touches.py          contacts
between.py          states between the stored ones
bearing_loads.py    mean, peak and equivalent force of every joint
energy.py           energies, works, the work-energy residual
evidence.py         what a run says about its own accuracy; doubts.py in words
stored.py           chosen outputs in place of states
summary.py          the numbers that fit on a page
written.py          files; netcdf.py their format
"""
