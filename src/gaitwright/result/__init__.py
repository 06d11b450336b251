"""Results of a run: outputs by name, energies, evidence, files.

result.py               Result; result_plotting.py its plots, pictures and animations
catalogue.py            all outputs of a mechanism by name
outputs.py              meaning of the names
                        spatial_joint_reactions.py joint forces and moments in three dimensions
                        run_outputs.py energies, step sizes; user_outputs.py outputs defined by a model
beams/                  quantities of beams by name: loads.py loads on the elements
                        planar_profile.py, spatial_profile.py strains and section forces along a beam
                        quantities.py their names and values; dataset.py as a Dataset
contact_episodes.py     contacts; contact_surfaces.py contacts of surfaces, pressures
state_interpolation.py  states between the stored ones
bearing_loads.py        mean, peak and equivalent force of every joint
energy_balance.py       energies, works, the work-energy residual
evidence.py             accuracy of a run; quality_warnings.py warnings about it
state_storage.py        storage of chosen outputs instead of states
reductions.py           numbers from outputs over time: final, max, mean, ...
summary.py              the most important numbers of a run
files/                  files; files/netcdf.py writes netCDF
"""
