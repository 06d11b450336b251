"""What a mechanism looks like: links as bars, bodies as the hull of their points, beams as curves, wheels, springs, pins,
clamps, the ground and other surfaces that contacts touch, curves of points, forces of contacts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from gaitwright.checks import At
from gaitwright.physics.declare import Frame, Place
from gaitwright.physics.declare import Shape as Surface
from gaitwright.report.scene import Colouring, Scene, Shape
from gaitwright.report.views.solid_picture import bodies_of, solid_frames
from gaitwright.report.views.traces import traces
from gaitwright.result.beam_loads import Loads
from gaitwright.result.beam_profile import Profile, require
from gaitwright.result.beam_shapes import ALONG, in_pictures
from gaitwright.result.between import at_rest, interpolate, never_back
from gaitwright.result.given_forces import components, given_forces
from gaitwright.result.outputs import Motion
from gaitwright.result.touches import along, contact_outputs
from gaitwright.system.blocks import Block, Element
from gaitwright.system.mechanism import ConstraintNames, Mechanism
from gaitwright.system.parts.base import Part
from gaitwright.system.parts.beam import BeamPart, joined
from gaitwright.system.signals import evaluate_program

FAR = 12.0
"""How far a line without ends is drawn beyond the motion to both sides, in sizes of what is seen."""
ROUND = 12
"""A closed outline with at least so many corners, all as far from its middle, is a circle."""
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

    trace: points such as F, leg.F or rod.node3. forces: arrows, of contacts and given ones. colour: quantity along beams that
    colours them, such as bending_moment. include: a time (its index) to keep."""
    frames = _frames(mechanism, motion, forces, solid_frames(mechanism, max_frames), include)
    shapes = list(_parts(mechanism, frames, colour))
    joints, ground_joints, walls = {}, set(), []
    for names, element in mechanism.attached():
        if _holds_beam(mechanism, names):
            walls += _wall(mechanism, frames, names, element)
        elif names.declaration.drawn_as in ("pin", "guide"):
            a, b = ends_of(frames, element)
            label = names.name.partition(":")[0]  # several pins at one point are drawn as one
            joints[label] = b if names.bodies[1] != "ground" else a
            if "ground" in names.bodies and names.declaration.drawn_as == "pin":  # a guide is not a fixed support
                ground_joints.add(label)
    for names, element in mechanism.acting():
        if names.declaration.drawn_as == "spring":
            ends = ends_of(frames, element)
            shapes.append(Shape(names.name, "spring", np.stack(ends, axis=1), False))
    seen = Scene(
        mechanism.name, never_back(frames.t), shapes, joints, ground_joints, traces(mechanism, frames, trace),
        deforming=bodies_of(mechanism, frames),
    )  # fmt: skip
    seen.shapes += [*walls, *_grounds(mechanism, frames, seen)]
    if colour is not None and mechanism.colour:
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

    centre: tuple[float, ...]
    radius: float


def _parts(mechanism: Mechanism, frames: Motion, colour: str | None) -> Iterator[Shape]:
    """Every part as it says itself, with the values of the quantity that colours it, its circles and the sides that others
    touch."""
    if colour is not None and colour not in ALONG:
        At(field="colour").fail(f"there is no quantity '{colour}' along a beam", expected=", ".join(ALONG))
    discs = _discs(mechanism)
    for name, part in mechanism.parts.items():
        own = discs.get(name, [])
        if not own or _sticks_out(part, own):
            for kind, points, closed in part.outline(frames.q, mechanism.size):
                values = _along_beam(mechanism, part, frames, colour) if colour and isinstance(part, BeamPart) else None
                yield Shape(name, kind, points, closed, values)  # type: ignore[arg-type]
        for (x, y), radius in own:
            yield Shape(name, "round", _moving(frames, part, [(x, y), (x + radius, y)]))
        sides = [names.outline for names in mechanism.contact_names if names.bodies[0] == name and len(names.outline)]
        for outline in {side.tobytes(): side for side in sides if _disc(side) is None}.values():
            yield Shape(name, "surface", _moving(frames, part, outline))


def _along_beam(mechanism: Mechanism, beam: BeamPart, frames: Motion, colour: str) -> np.ndarray:
    """A quantity along a beam at the points of its outline."""
    require(beam, colour)
    xi, kept = beam.picture_places()
    profile = Profile(Loads(mechanism, beam), frames, xi)
    return in_pictures(colour)[0] * joined(ALONG[colour].values(profile))[:, kept]


def _discs(mechanism: Mechanism) -> dict[str, list[Disc]]:
    """Circles that touch or are touched, by body; each once, however many contacts it has."""
    found: dict[str, list[Disc]] = {}
    for names in mechanism.contact_names:
        carrier, toucher = names.bodies
        disc = _disc(names.outline)
        for body, one in ((carrier, disc), (toucher, Disc(names.place, names.radius))):
            if (
                body in mechanism.parts
                and mechanism.parts[body].rigid
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


def _sticks_out(body: Part, discs: list[Disc]) -> bool:
    """Whether a body is more than its circles: a link, or one with points outside them."""
    if body.kind == "link":
        return True
    return any(all(np.hypot(x - c[0], y - c[1]) > 1.001 * r for c, r in discs) for x, y in body.points.values())


def _moving(motion: Motion, part: Part, points: Any) -> np.ndarray:
    """World positions (n_times, n_points, 2)."""
    return np.stack([part.position(motion.q, (float(x), float(y))) for x, y in points], axis=1)


def ends_of(motion: Motion, element: Element) -> list[np.ndarray]:
    """Positions (n_times, 2) of the two points that an element attaches to first."""
    found, first = [], 0
    attached = zip(element.declaration.attachments.values(), element.families, element.coordinates, strict=True)
    for kind, family, index in attached:
        marker = family.markers[type(kind)]
        count = len(marker.parameters)
        local = np.asarray(element.parameters[first : first + count], dtype=float)
        first += count
        if isinstance(kind, (Place, Frame)):
            at = marker.build(
                *motion.q[:, index].T, *local
            ).position  # the ground is the last column of q, which is zero
            found.append(np.stack(at, axis=1))
    return found[:2]


# Clamps -------------------------------------------------------------------------------------------------------------


def _holds_beam(mechanism: Mechanism, names: ConstraintNames) -> bool:
    """Whether a joint welds a flexible part to something: drawn without a pin, which would say that it turns there."""
    welds = "moment" in names.declaration.rows and names.kind == "joint"
    return welds and any(mechanism.part(body).flexible for body in names.bodies)


def _wall(mechanism: Mechanism, frames: Motion, names: ConstraintNames, element: Element) -> Iterator[Shape]:
    """A piece of ground behind the end of a beam that is clamped in it."""
    if "ground" not in names.bodies:
        return
    ends = ends_of(frames, element)
    for body, index, at in zip(names.bodies, element.coordinates, ends, strict=True):
        out = mechanism.part(body).outward(frames.q[0], index)  # into the ground, on the right of the outline
        if out is not None:
            along = WALL * 2.0 * mechanism.size * np.array([-out[1], out[0]])
            yield Shape(names.name, "ground", np.array([[at[0] - along, at[0] + along]]))


# Ground and forces --------------------------------------------------------------------------------------------------


def _grounds(mechanism: Mechanism, frames: Motion, seen: Scene) -> list[Shape]:
    """Surfaces of the ground, each once, however many contacts touch it."""
    found: dict[Any, Shape] = {}
    for names in mechanism.contact_names:
        if names.bodies[0] != "ground":
            continue
        contact = mechanism.contact_of(names)
        moved = _displacement(mechanism, contact.geometry, frames)
        outline, closed = names.outline, False
        everywhere = contact.shape[0].region is Surface.region
        if everywhere and len(outline) == 2:  # a line without ends
            outline = _endless(outline, seen, moved)
        elif np.allclose(outline[0], outline[-1]) and _area(outline) < 0:
            outline, closed = outline[:-1], True  # walked clockwise: an obstacle; otherwise a room, solid outside
        key = (outline.round(9).tobytes(), moved.round(9).tobytes())
        still = not moved.any()
        found.setdefault(key, Shape(names.name, "ground", (outline + moved[:, None])[: 1 if still else None], closed))
    return list(found.values())


def _displacement(mechanism: Mechanism, element: Element | Block, frames: Motion) -> np.ndarray:
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
    """Where each contact acts and with which force on the touching body, (n_times, 2) each, or NaN; and given forces."""
    found = {
        name: (ends_of(frames, element)[0], components(mechanism, element, frames.t))
        for name, element in given_forces(mechanism)
    }
    if frames.memory.shape[1] == 0:
        return found
    data = along(mechanism, frames)
    for names in mechanism.contact_names:
        outputs = contact_outputs(names)
        x, y, fx, fy = (outputs[what][2](data) for what in ("x", "y", "fx", "fy"))
        found[names.name] = np.stack([x, y], axis=1), np.stack([fx, fy], axis=1)
    return found
