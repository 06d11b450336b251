"""A person who wears a device: bones, the device's bodies, and arrows of the forces of its cuffs and of the ground."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from gaitwright.report.deforming import DeformingBody
from gaitwright.report.spatial_scene import MovingBody, Solid, SpaceScene
from gaitwright.report.views.gait_scene import bones
from gaitwright.report.views.spatial_picture import space_scene
from gaitwright.result.outputs import Motion as States
from gaitwright.wear.mirror import WORLD

if TYPE_CHECKING:
    from gaitwright.wear.worn import Side, Worn

DEVICE = "#009E73"
MIRRORED = np.array([1.0, -1.0, 1.0, -1.0])
"""A quaternion in a mirror whose normal is y."""
MOST = 400
"""Frames that are shown."""


def device_scene(worn: Worn) -> SpaceScene:
    """At frames in which the device is known."""
    keep = np.flatnonzero(worn.known)
    keep = keep[np.unique(np.linspace(0, len(keep) - 1, min(MOST, len(keep))).round().astype(int))]
    bodies = [MovingBody(b.name, b.position[keep], b.rotation[keep], b.solids) for b in bones(worn.motion)]
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
    return SpaceScene(worn.name, worn.motion.times[keep], bodies, [], forces=forces, floor=-0.005, deforming=deforming)


def _add_device(side: Side, keep: np.ndarray, bodies: list[MovingBody], deforming: list[DeformingBody]) -> None:
    """Bodies and blades of the device, as they stand in the trial."""
    along = side.put.driven
    rows = along.first + keep - along.frames.start
    states = States(*(part[rows] for part in side.run.motion))
    drawn = space_scene(side.run.mechanism, states, max_frames=len(rows))
    segments = {one.segment for one in side.put.bound}
    for body in drawn.bodies:
        if body.name in segments:
            continue
        place, rotation, solids = body.position + along.away, body.rotation, body.solids
        if side.mirror:
            place, rotation, solids = place * WORLD, rotation * MIRRORED, [_mirrored(one) for one in solids]
        bodies.append(MovingBody(_named(side, body.name), place, rotation, [replace(s, colour=DEVICE) for s in solids]))
    for blade in drawn.deforming:
        points, faces, rest = blade.points + along.away, blade.faces, blade.reference
        if side.mirror:
            points, faces, rest = points * WORLD, faces[:, ::-1], None if rest is None else rest * WORLD
        deforming.append(
            DeformingBody(
                _named(side, blade.name),
                points,
                faces,
                blade.fields,
                edges=blade.edges,
                reference=rest,
                carried=blade.carried,
            )
        )


def _named(side: Side, part: str) -> str:
    return f"{side.side} device-{part}" if side.side else f"device-{part}"


def _mirrored(solid: Solid) -> Solid:
    vertices = None if solid.vertices is None else solid.vertices * WORLD
    faces = None if solid.faces is None else solid.faces[:, ::-1]
    return replace(solid, at=solid.at * WORLD, rotation=solid.rotation * MIRRORED, vertices=vertices, faces=faces)
