"""Human gait: from the files of a motion laboratory to events, angles, forces and moments, with data quality checked first.

import gaitwright as gw

trial = gw.gait.load("walk.trc", forces="walk.forces")   # unit, axes, rate and gaps are detected; see trial.notes
for finding in gw.gait.findings(trial, mass=76.5):
    print(finding)
events = gw.gait.find_events(trial)
skeleton = gw.gait.skeleton_of(trial, gw.gait.Subject(mass=76.5, height=1.78))
motion = gw.gait.follow(trial, skeleton)
angles = gw.gait.joint_angles(motion)
moments = gw.gait.joint_moments(motion, gw.gait.ground_forces_from_plates(trial))

trial.py                GaitTrial: markers, plates, events, in SI units; x forward, y left, z up; load, save
trial_readers.py        read any supported file as one raw record; trial_writers.py: write files; frame_times.py: rates, times
axes.py                 detection of the vertical axis, the walking direction and crossed sides
marker_sets/            marker labels of each landmark
gap_filling.py          gap filling within limits, spikes; label_swaps.py: swapped labels; filters.py: low-pass, derivatives
force_plates.py         force, moment and centre of pressure of plates of types 1 to 4; plate_contacts.py: contacts
events.py               strikes and offs, from forces or markers
ground_reaction.py      GroundForces: ground force on each foot at the instants of the markers
ground_reaction_prediction.py  ground forces without plates
subject.py              mass, height, sex -> segments by published tables (segment_tables/)
skeleton.py             segments, joints and marker positions; segment_frames.py: ISB frames; hip_centres.py: regressions
inverse_kinematics.py   segment by segment, or with all joints (multibody_fit.py); motion.py: poses and derivatives
angles.py               joint angles, ISB / Grood-Suntay
inverse_dynamics.py     moments, powers and forces of joints; residuals at the pelvis
trial_quality.py        findings: defects of a trial, as sentences
cycles.py               complete cycles with phases, and curves over 0 to 100 %; spatiotemporal_table.py: table of a walk
normative_data/         usual values, with sources
schematic_gait.py       a walk without laboratory data, from mass and height, on a skeleton of generic_skeleton.py
analysis.py             the whole analysis in one call: analyse(trial, subject), with summary, files and report;
                        walk_comparison.py: comparison of several; trial_batch.py: table of many; sole_pressure.py: pressure
                        below a given foot; pressure_comparison.py: comparison with a measured pressure map
"""

from __future__ import annotations

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
