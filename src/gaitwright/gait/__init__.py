"""Human gait: from the files of a motion laboratory to events, angles, forces and moments, with the quality of the data first.

import gaitwright as gw

trial = gw.gait.load("walk.trc", forces="walk.forces")   # unit, axes, rate, gaps: found; trial.notes say how
for finding in gw.gait.findings(trial, mass=76.5):
    print(finding)
events = gw.gait.find_events(trial)
skeleton = gw.gait.skeleton_of(trial, gw.gait.Subject(mass=76.5, height=1.78))
motion = gw.gait.follow(trial, skeleton)
angles = gw.gait.joint_angles(motion)
moments = gw.gait.joint_moments(motion, gw.gait.measured(trial))

trial.py        Trial: markers, plates, events, in SI; x forward, y left, z up; load, save
reading.py      any file as one raw record; writing.py the way back; clock.py rates and times
axes.py         what is up, where a walk goes, whether left is left
marker_sets/    which marker stands for which landmark
gaps.py         gaps filled within limits, spikes; exchanged.py labels that changed places; filters.py Butterworth, derivatives
plates.py       force, moment, centre of pressure of plates of types 1 to 4; steps.py which foot is on which
events.py       strikes and offs, from forces or markers
forces.py       GroundForces: of the ground on either foot, at the instants of the markers; ground_forces.py without plates
subject.py      mass, height, sex -> segments by published tables (segment_tables/)
skeleton.py     segments, joints and where markers sit; segment_frames.py ISB frames; hip_centres.py regressions
poses.py        inverse kinematics: segments one by one, or all with joints (chain_fit.py); motion.py poses and derivatives
angles.py       joint angles, ISB / Grood-Suntay
moments.py      moments, powers and forces of joints; what is left over at the pelvis
quality.py      findings: what is wrong with a trial, in sentences
cycles.py       complete cycles with phases, and curves over 0 to 100 % of them; walk_table.py the table of a walk
normal/         what is usual, with its source
schematic.py    a walk without a laboratory, by mass and height alone, on a skeleton of drawn_skeleton.py
analysis.py     all of it in one call: analyse(trial, subject) with summary, files and report; walks_compared.py several;
                trials.py: many as one table;
                sole_pressure.py: under a foot that is given; pressure_compared.py: beside a measured picture
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gaitwright.on_demand import on_demand

if TYPE_CHECKING:
    from gaitwright.gait.analysis import GaitAnalysis, analyse
    from gaitwright.gait.angles import joint_angles
    from gaitwright.gait.axes import mirrored, swapped
    from gaitwright.gait.cycles import Cycle, Cycles, find_cycles, mean_and_spread, per_cycle
    from gaitwright.gait.events import Event, find_events
    from gaitwright.gait.filters import low_pass
    from gaitwright.gait.forces import GroundForces, measured
    from gaitwright.gait.ground_forces import predicted
    from gaitwright.gait.lifting import Lift, lift
    from gaitwright.gait.loads import Wrench
    from gaitwright.gait.moments import joint_moments
    from gaitwright.gait.motion import Motion
    from gaitwright.gait.named_motion import motion_named
    from gaitwright.gait.plates import Plate
    from gaitwright.gait.poses import follow
    from gaitwright.gait.quality import Finding, findings
    from gaitwright.gait.rising import SitToStand, sit_to_stand
    from gaitwright.gait.schematic import SchematicWalk, schematic_walk
    from gaitwright.gait.schematic_motion import SchematicMotion
    from gaitwright.gait.skeleton import Skeleton, skeleton_of
    from gaitwright.gait.spine import SpineLoad, spine_load
    from gaitwright.gait.steps import Contact, contacts
    from gaitwright.gait.subject import Subject
    from gaitwright.gait.trial import Trial, load
    from gaitwright.gait.trials import analyse_trials
    from gaitwright.gait.walk_table import Measure, spatio_temporal
    from gaitwright.gait.walks_compared import WalksCompared, compare_walks, read_result

_WHERE = {
    "analysis": "GaitAnalysis analyse",
    "angles": "joint_angles",
    "axes": "mirrored swapped",
    "cycles": "Cycle Cycles find_cycles mean_and_spread per_cycle",
    "events": "Event find_events",
    "filters": "low_pass",
    "forces": "GroundForces measured",
    "ground_forces": "predicted",
    "lifting": "Lift lift",
    "loads": "Wrench",
    "moments": "joint_moments",
    "motion": "Motion",
    "named_motion": "motion_named",
    "plates": "Plate",
    "poses": "follow",
    "quality": "Finding findings",
    "schematic": "SchematicWalk schematic_walk",
    "schematic_motion": "SchematicMotion",
    "rising": "SitToStand sit_to_stand",
    "skeleton": "Skeleton skeleton_of",
    "spine": "SpineLoad spine_load",
    "steps": "Contact contacts",
    "subject": "Subject",
    "trial": "Trial load",
    "trials": "analyse_trials",
    "walk_table": "Measure spatio_temporal",
    "walks_compared": "WalksCompared compare_walks read_result",
}

__all__ = [
    "Contact", "Cycle", "Cycles", "Event", "Finding", "GaitAnalysis", "GroundForces", "Lift", "Measure", "Motion",
    "Plate", "SchematicMotion", "SchematicWalk", "SitToStand", "Skeleton", "SpineLoad", "Subject", "Trial",
    "WalksCompared", "Wrench", "analyse", "analyse_trials", "compare_walks", "contacts", "find_cycles", "find_events",
    "findings", "follow", "joint_angles", "joint_moments", "lift", "load", "low_pass", "mean_and_spread", "measured",
    "mirrored", "motion_named", "per_cycle", "predicted", "read_result", "schematic_walk", "sit_to_stand",
    "skeleton_of", "spatio_temporal", "spine_load", "swapped",
]  # fmt: skip

__getattr__, __dir__ = on_demand(__name__, _WHERE)
