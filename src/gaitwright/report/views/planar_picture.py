"""What a mechanism looks like: links as bars, bodies as the hull of their points, beams as curves, wheels, springs, pins,
clamps, the ground and other surfaces that contacts touch, curves of points, forces of contacts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from gaitwright.errors import ModelError
from gaitwright.physics.bodies.beam import Node
from gaitwright.physics.declare import Frame, Geometry, Place
from gaitwright.report.scene import Colouring, Scene, Shape
from gaitwright.result.beam_shapes import ALONG, Loads, Profile, in_pictures, require
from gaitwright.result.between import at_rest, interpolate, never_back
from gaitwright.result.outputs import Motion, point_motion
from gaitwright.result.touches import along, contact_outputs, touching_point
from gaitwright.system.mechanism import ConstraintNames, Mechanism
from gaitwright.system.parts.beam import BeamPart
from gaitwright.system.parts.body import Body
from gaitwright.system.signals import evaluate_program
from gaitwright.system.tables import Element

FAR = 12.0
"""How far a line without ends is drawn beyond the motion to both sides, in sizes of what is seen."""
ROUND = 12
"""A closed outline with at least so many corners, all as far from its middle, is a circle."""
SMOOTH, MOST = 8, 240
"""Pieces in which the curve of a beam element is drawn, and about how many a whole beam may have."""
WALL = 0.075
"""Half the width of the wall in which a beam is clamped, in sizes of the mechanism."""


def scene(
    mechanism: Mechanism,
    motion: Motion,
    *,
    trace: list[str] | None = None,
    forces: bool = False,
    colour: str | None = None,
    include: int | None = None,
    max_frames: int = 600,
) -> Scene:
    """The scene of a motion, thinned to at most `max_frames` frames.

    trace: points such as F, leg.F or rod.node3. forces: show those of contacts as arrows. colour: quantity along beams that
    colours them, such as bending_moment. include: a time (its index) to keep."""
    frames = _frames(mechanism, motion, forces, max_frames, include)
    shapes = [*_bodies(mechanism, frames), *_beams(mechanism, frames, colour)]
    joints, ground_joints, walls = {}, set(), []
    for names, element in zip(mechanism.constraint_names, mechanism.constraints, strict=True):
        if _holds_beam(mechanism, names):
            walls += _wall(mechanism, frames, names, element)
        elif names.declaration.drawn_as in ("pin", "guide"):
            a, b = _ends(frames, element)
            label = names.name.partition(":")[0]  # several pins at one point are drawn as one
            joints[label] = b if names.bodies[1] != "ground" else a
            if "ground" in names.bodies and names.declaration.drawn_as == "pin":  # a guide is not a fixed support
                ground_joints.add(label)
    for names in mechanism.force_names:
        if names.declaration.drawn_as == "spring":
            ends = _ends(frames, names.element)
            shapes.append(Shape(names.name, "spring", np.stack(ends, axis=1), False))
    traces = {name: _trace(mechanism, frames, name) for name in trace or []}
    seen = Scene(mechanism.name, never_back(frames.t), shapes, joints, ground_joints, traces)
    seen.shapes += [*walls, *_grounds(mechanism, frames, seen)]
    if colour is not None and mechanism.beams:
        seen.colouring = Colouring(colour.replace("_", " "), in_pictures(colour)[1])
    if forces:
        seen.forces = _forces(mechanism, frames)
    return seen


def _frames(mechanism: Mechanism, motion: Motion, forces: bool, most: int, include: int | None) -> Motion:
    """The states that are shown: evenly in time, and with forces also where a contact presses hardest."""
    peaks: list[int] = [] if include is None else [include]
    if forces and motion.t.size > most:
        data = along(mechanism, motion)
        for names in mechanism.contact_names:
            normal = contact_outputs(names)["normal_force"][2](data)
            begin, end = np.flatnonzero(np.diff(np.r_[False, normal > 0, False].astype(int))).reshape(-1, 2).T
            peaks += [int(b + normal[b:e].argmax()) for b, e in zip(begin, end, strict=True)]
        peaks = peaks[: most // 2]
    first, last, count = motion.t[0], motion.t[-1], min(max(most - len(peaks), 2), motion.t.size)
    keep = np.unique(np.r_[np.linspace(0, motion.t.size - 1, count).round(), peaks].astype(int))
    if at_rest(motion) or np.max(np.diff(motion.t[keep]), initial=0.0) < 3.0 * (last - first) / count:
        return Motion(*(x[keep] for x in motion))
    # The steps of an adaptive method, long in flight and short in an impact: the picture needs even ones.
    return interpolate(motion, np.union1d(np.linspace(first, last, max(most - len(peaks), 2)), motion.t[peaks]))


# Bodies -------------------------------------------------------------------------------------------------------------


class Disc(NamedTuple):
    """A circle on a body: its centre in the body frame and its radius, m."""

    centre: tuple[float, float]
    radius: float


def _bodies(mechanism: Mechanism, frames: Motion) -> Iterator[Shape]:
    """Every body as bar or hull, with its circles and the sides that others touch."""
    discs = _discs(mechanism)
    for name, body in mechanism.body_names.items():
        own = discs.get(name, [])
        if not own or _sticks_out(body, own):
            outline, closed = _outline(body, 0.2 * mechanism.size)
            kind = "link" if body.kind == "link" and not closed else "body"
            yield Shape(name, kind, _moving(frames, body, outline), closed)
        for (x, y), radius in own:
            yield Shape(name, "round", _moving(frames, body, [(x, y), (x + radius, y)]))
        sides = [names.outline for names in mechanism.contact_names if names.bodies[0] == name]
        for outline in {side.tobytes(): side for side in sides if _disc(side) is None}.values():
            yield Shape(name, "surface", _moving(frames, body, outline))


def _discs(mechanism: Mechanism) -> dict[str, list[Disc]]:
    """Circles that touch or are touched, by body; each once, however many contacts it has."""
    found: dict[str, list[Disc]] = {}
    for names in mechanism.contact_names:
        carrier, toucher = names.bodies
        disc = _disc(names.outline)
        for body, one in ((carrier, disc), (toucher, Disc(touching_point(mechanism, names), names.radius))):
            if (
                body in mechanism.body_names
                and one is not None
                and one.radius > 0.0
                and one not in found.setdefault(body, [])
            ):
                found[body].append(one)
    return found


def _disc(outline: np.ndarray) -> Disc | None:
    """The circle that an outline is."""
    if len(outline) <= ROUND or not np.allclose(outline[0], outline[-1]):
        return None
    x, y = outline[:-1].mean(axis=0)
    radii = np.hypot(*(outline - (x, y)).T)
    size = float(radii.mean())
    # Rounded, so that a circle given by its centre and one found here are the same.
    return Disc((round(x, 12) + 0.0, round(y, 12) + 0.0), round(size, 12)) if np.ptp(radii) <= 1e-9 * size else None


def _sticks_out(body: Body, discs: list[Disc]) -> bool:
    """Whether a body is more than its circles: a link, or one with points outside them."""
    if body.kind == "link":
        return True
    return any(all(np.hypot(x - c[0], y - c[1]) > 1.001 * r for c, r in discs) for x, y in body.points.values())


def _outline(body: Body, largest: float) -> tuple[np.ndarray, bool]:
    """Local outline of a body, in drawing order, and whether it is closed.

    A body without points is drawn as the square block of its inertia, at most `largest` (m) from side to centre."""
    points = np.array(list(body.points.values()), dtype=float).reshape(-1, 2)
    if not points.any():
        half = min((1.5 * body.inertia / body.mass) ** 0.5, largest)
        return half * np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]]), True
    if len(points) <= 1:
        points = np.vstack([np.zeros((1, 2)), points])
    if len(points) <= 2:
        return points, False
    centre = points.mean(axis=0)
    order = np.argsort(np.arctan2(*(points - centre).T[::-1]))
    spread = np.linalg.matrix_rank(points - centre, tol=1e-9 * np.abs(points).max(initial=1e-300))
    if spread < 2:
        along = points @ (points[-1] - points[0])
        return points[[int(np.argmin(along)), int(np.argmax(along))]], False
    return points[order], True


def _moving(motion: Motion, body: Body | None, points: Any) -> np.ndarray:
    """World positions (n_times, n_points, 2)."""
    return np.stack([point_motion(motion, body, (float(p[0]), float(p[1])))[0] for p in points], axis=1)


def _ends(motion: Motion, element: Element) -> list[np.ndarray]:
    """Positions (n_times, 2) of the two points that an element attaches to first."""
    found, first = [], 0
    attached = zip(element.declaration.attachments.values(), element.families, element.coordinates, strict=True)
    for kind, family, index in attached:
        count = len(family.markers[type(kind)].parameters)
        local = np.asarray(element.parameters[first : first + count], dtype=float)
        first += count
        if isinstance(kind, (Place, Frame)):
            at = motion.q[:, index]  # the ground is the last column of q, which is zero
            if family is not Node:
                c, s = np.cos(at[:, 2]), np.sin(at[:, 2])
                at = at[:, :2] + np.stack([c * local[0] - s * local[1], s * local[0] + c * local[1]], axis=1)
            found.append(at[:, :2])
    return found[:2]


def _trace(mechanism: Mechanism, motion: Motion, name: str) -> np.ndarray:
    owner, _, point = name.rpartition(".")
    for body in mechanism.body_names.values():
        if (owner in ("", body.name)) and point in body.points:
            return point_motion(motion, body, body.points[point])[0]
    for beam in mechanism.beams.values():
        nodes = {f"node{k + 1}": k for k in range(beam.stations.size)} if owner else {}
        if owner in ("", beam.name) and point in (nodes := nodes | beam.points):
            return motion.q[:, beam.nodes[nodes[point], :2]]
    raise ModelError(f"there is no point '{name}' to trace")


# Beams --------------------------------------------------------------------------------------------------------------


def _beams(mechanism: Mechanism, frames: Motion, colour: str | None) -> Iterator[Shape]:
    """Every beam as a smooth curve, with the values of the quantity that colours it."""
    if colour is not None and colour not in ALONG:
        raise ModelError(f"there is no quantity '{colour}' along a beam", field="colour", expected=", ".join(ALONG))
    for name, beam in mechanism.beams.items():
        count = beam.stations.size - 1
        pieces = int(np.clip(MOST // count, 1, SMOOTH))
        profile = Profile(Loads(mechanism, beam), frames, np.linspace(0.0, 1.0, pieces + 1))
        outline = np.stack([profile.joined(profile.r[..., axis]) for axis in range(2)], axis=2)
        kept = np.unique(np.linspace(0, count * pieces, min(count * pieces, MOST) + 1).round().astype(int))
        values = None
        if colour is not None:
            require(beam, colour)
            values = in_pictures(colour)[0] * profile.joined(ALONG[colour].values(profile))[:, kept]
        yield Shape(name, "beam", outline[:, kept], values=values)


def _holds_beam(mechanism: Mechanism, names: ConstraintNames) -> bool:
    """Whether a joint welds a beam to something: drawn without a pin, which would say that it turns there."""
    return (
        "moment" in names.declaration.rows and names.kind == "joint" and bool(set(names.bodies) & set(mechanism.beams))
    )


def _wall(mechanism: Mechanism, frames: Motion, names: ConstraintNames, element: Element) -> Iterator[Shape]:
    """A piece of ground behind the end of a beam that is clamped in it."""
    for body, index in zip(names.bodies, element.coordinates, strict=True):
        if body not in mechanism.beams or "ground" not in names.bodies:
            continue
        beam: BeamPart = mechanism.beams[body]
        way = {int(beam.nodes[0, 0]): -1.0, int(beam.nodes[-1, 0]): 1.0}.get(int(index[0]))
        if way is not None:
            at, slope = frames.q[0, index[:2]], frames.q[0, index[2:]]
            out = way * slope / np.hypot(*slope)  # from the beam into the ground, on the right of the outline
            along = WALL * 2.0 * mechanism.size * np.array([-out[1], out[0]])
            yield Shape(names.name, "ground", np.array([[at - along, at + along]]))


# Ground and forces --------------------------------------------------------------------------------------------------


def _grounds(mechanism: Mechanism, frames: Motion, seen: Scene) -> list[Shape]:
    """Surfaces of the ground, each once, however many contacts touch it."""
    found: dict[Any, Shape] = {}
    for names in mechanism.contact_names:
        if names.bodies[0] != "ground":
            continue
        element = mechanism.contacts[names.pieces[0]].geometry
        moved = _displacement(mechanism, element, frames)
        outline, closed = names.outline, False
        everywhere = getattr(element.declaration, "region", None) is Geometry.region
        if everywhere and len(outline) == 2:  # a line without ends
            outline = _endless(outline, seen, moved)
        elif np.allclose(outline[0], outline[-1]) and _area(outline) < 0:
            outline, closed = outline[:-1], True  # walked clockwise: an obstacle; otherwise a room, solid outside
        key = (outline.round(9).tobytes(), moved.round(9).tobytes())
        still = not moved.any()
        found.setdefault(key, Shape(names.name, "ground", (outline + moved[:, None])[: 1 if still else None], closed))
    return list(found.values())


def _displacement(mechanism: Mechanism, element: Element, frames: Motion) -> np.ndarray:
    """How far the surface of a contact has moved, (n_times, 2), m."""
    if not element.signals:
        return np.zeros((frames.t.size, 2))
    return np.stack([evaluate_program(mechanism.signals[k], frames.t)[0] for k in element.signals], axis=1)


def _endless(outline: np.ndarray, seen: Scene, moved: np.ndarray) -> np.ndarray:
    """A line that runs out of the picture on both sides, the same for all contacts that touch it."""
    along = outline[1] - outline[0]
    along = along / np.hypot(*along)
    foot = outline[0] - (outline[0] @ along) * along  # the point nearest to the origin
    reached = ((seen.moving_points() - moved[:, None]) @ along).ravel()
    far = FAR * (float(np.ptp(reached)) + seen.size())
    return np.array([foot + (reached.min() - far) * along, foot + (reached.max() + far) * along])


def _area(outline: np.ndarray) -> float:
    """Area inside a closed outline, m^2, positive when it is walked counter-clockwise."""
    x, y = (outline - outline.mean(axis=0)).T
    return 0.5 * float(np.sum(x[:-1] * y[1:] - x[1:] * y[:-1]))


def _forces(mechanism: Mechanism, frames: Motion) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Where each contact acts and with which force on the touching body, (n_times, 2) each; NaN in the air."""
    if frames.memory.shape[1] == 0:
        return {}
    data = along(mechanism, frames)
    found = {}
    for names in mechanism.contact_names:
        outputs = contact_outputs(names)
        x, y, fx, fy = (outputs[what][2](data) for what in ("x", "y", "fx", "fy"))
        found[names.name] = np.stack([x, y], axis=1), np.stack([fx, fy], axis=1)
    return found
