"""Scene of a person with a worn device: bones, the device's bodies, and arrows of cuff and ground forces."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from gaitwright.report.scenes.deformable_body import DeformingBody
from gaitwright.report.scenes.spatial_scene import MovingBody, SceneSolid, SpatialScene
from gaitwright.report.views.scenes.gait_scene import bone_bodies
from gaitwright.report.views.scenes.spatial_mechanism import build_spatial_scene
from gaitwright.result.outputs import StateHistory as States
from gaitwright.wear.mirror import TRIAL_MIRROR_SIGNS

if TYPE_CHECKING:
    from gaitwright.wear.device_result import DeviceResult, DeviceSide

DEVICE_COLOUR = "#009E73"
MIRROR_QUATERNION_SIGNS = np.array([1.0, -1.0, 1.0, -1.0])
"""Signs of the components of a quaternion mirrored at a plane with normal y."""
MAX_FRAMES = 400
"""Maximum number of frames."""


def device_scene(worn: DeviceResult) -> SpatialScene:
    """Scene of the frames in which the device's state is known."""
    keep = np.flatnonzero(worn.known)
    keep = keep[np.unique(np.linspace(0, len(keep) - 1, min(MAX_FRAMES, len(keep))).round().astype(int))]
    bodies = [MovingBody(b.name, b.position[keep], b.rotation[keep], b.solids) for b in bone_bodies(worn.motion)]
    deforming: list[DeformingBody] = []
    forces = {}
    for side in worn.sides.values():
        _add_device(side, keep, bodies, deforming)
        for name in side.cuffs:
            segment = side.segment_of(name)
            place = side.place_of(name)
            turned = worn.motion.turned(segment)[keep]
            force = worn.cuffs["force"].sel(cuff=name).to_numpy()[keep]
            at = worn.motion.place(segment, place)[keep]
            forces[f"of cuff {name.replace('_', ' ')}"] = (at, np.einsum("tij,tj->ti", turned, force))
    for k, foot in enumerate(("right", "left")):
        centre = worn.forces_with.centre()[keep, k]
        pull = np.where(np.isfinite(centre), worn.forces_with.force[keep, k], np.nan)
        if np.isfinite(pull).any():
            forces[f"of the ground on the {foot} foot"] = (centre, pull)
    return SpatialScene(
        worn.name, worn.motion.times[keep], bodies, [], forces=forces, floor=-0.005, deforming=deforming
    )


def _add_device(side: DeviceSide, keep: np.ndarray, bodies: list[MovingBody], deforming: list[DeformingBody]) -> None:
    """Add bodies and blades of the device, in the frame of the trial."""
    along = side.put.driven
    rows = along.first + keep - along.frames.start
    states = States(*(part[rows] for part in side.run.motion))
    drawn = build_spatial_scene(side.run.mechanism, states, max_frames=len(rows))
    segments = {solid_or_cuff.segment for solid_or_cuff in side.put.bound}
    for body in drawn.bodies:
        if body.name in segments:
            continue
        place, rotation, solids = body.position + along.away, body.rotation, body.solids
        if side.mirror:
            place = place * TRIAL_MIRROR_SIGNS
            rotation = rotation * MIRROR_QUATERNION_SIGNS
            solids = [_mirror_solid(solid_or_cuff) for solid_or_cuff in solids]
        bodies.append(
            MovingBody(_part_name(side, body.name), place, rotation, [replace(s, colour=DEVICE_COLOUR) for s in solids])
        )
    for blade in drawn.deforming:
        points, faces, rest = blade.points + along.away, blade.faces, blade.reference
        if side.mirror:
            points = points * TRIAL_MIRROR_SIGNS
            faces = faces[:, ::-1]
            rest = None if rest is None else rest * TRIAL_MIRROR_SIGNS
        deforming.append(
            DeformingBody(
                _part_name(side, blade.name),
                points,
                faces,
                blade.fields,
                edges=blade.edges,
                reference=rest,
                carried=blade.carried,
            )
        )


def _part_name(side: DeviceSide, part: str) -> str:
    return f"{side.side} device-{part}" if side.side else f"device-{part}"


def _mirror_solid(solid: SceneSolid) -> SceneSolid:
    vertices = None if solid.vertices is None else solid.vertices * TRIAL_MIRROR_SIGNS
    faces = None if solid.faces is None else solid.faces[:, ::-1]
    return replace(
        solid,
        at=solid.at * TRIAL_MIRROR_SIGNS,
        rotation=solid.rotation * MIRROR_QUATERNION_SIGNS,
        vertices=vertices,
        faces=faces,
    )
