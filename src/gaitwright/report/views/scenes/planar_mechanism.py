"""Planar scene of a mechanism: links as bars, bodies as the hull of their points, beams as curves, wheels, pins, connections
(planar_elements.py), clamps, the ground and other contact surfaces, paths of points, contact forces."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from gaitwright._core.error_context import ErrorContext
from gaitwright.fem.beams.planar_beam import PlanarBeamPart, join_element_values
from gaitwright.mechanism.blocks import ElementBlock, MechanismElement
from gaitwright.mechanism.mechanism import ConstraintNames, Mechanism
from gaitwright.mechanism.parts.base import Part
from gaitwright.mechanism.signals import evaluate_program
from gaitwright.physics.declarations import ContactShape as Surface
from gaitwright.report.scenes.planar_scene import BeamColouring, PlanarScene, SceneShape
from gaitwright.report.views.scenes.deformable_solids import count_solid_frames, deforming_solid_bodies
from gaitwright.report.views.scenes.planar_elements import attachment_positions, connection_shapes, ground_end_points
from gaitwright.report.views.scenes.planar_outlines import body_outlines
from gaitwright.report.views.scenes.point_traces import point_traces
from gaitwright.result.applied_forces import applied_force_components, find_applied_forces
from gaitwright.result.beams.dataset import picture_unit
from gaitwright.result.beams.loads import BeamLoads
from gaitwright.result.beams.planar_profile import PlanarBeamProfile
from gaitwright.result.beams.planar_quantities import SECTION_QUANTITIES
from gaitwright.result.beams.quantities import require_quantity
from gaitwright.result.contact_episodes import contact_outputs, sample_contacts
from gaitwright.result.outputs import StateHistory
from gaitwright.result.state_interpolation import accumulate_times, interpolate_states, is_at_rest

ENDLESS_LINE_RATIO = 12.0
"""Length of an infinite line beyond the motion on both sides, relative to the size of the scene."""
MIN_CIRCLE_CORNERS = 12
"""Minimum number of corners of a closed outline that is recognised as a circle if all have equal distance to its centre."""
WALL_HALF_WIDTH_RATIO = 0.075
"""Half the width of the wall at a clamped beam end, relative to the size of the mechanism."""


def build_planar_scene(
    mechanism: Mechanism,
    motion: StateHistory,
    *,
    trace: list[str] | None = None,
    forces: bool = False,
    colour: str | None = None,
    include: int | None = None,
    max_frames: int = 600,
) -> PlanarScene:
    """Create the scene of a motion, thinned to at most `max_frames` frames.

    trace: points such as F, leg.F or rod.node3. forces: add arrows of contact forces and applied forces. colour: quantity
    that colours beams, such as bending_moment. include: index of a time that must be kept."""
    frames = select_frames(mechanism, motion, forces, count_solid_frames(mechanism, max_frames), include)
    shapes = list(_part_shapes(mechanism, frames, colour))
    joints, ground_joints, walls = {}, set(), []
    for names, element in mechanism.attached():
        if _holds_beam(mechanism, names):
            walls += _wall_shapes(mechanism, frames, names, element)
        elif names.declaration.drawn_as in ("pin", "guide"):
            a, b = attachment_positions(frames, element)[:2]
            label = names.name.partition(":")[0]  # several pins at one point are drawn as one
            joints[label] = b if names.bodies[1] != "ground" else a
            if "ground" in names.bodies and names.declaration.drawn_as == "pin":  # a guide is not a fixed support
                ground_joints.add(label)
    shapes += connection_shapes(mechanism, frames)
    for label, at in ground_end_points(mechanism, frames).items():
        joints.setdefault(label, at)
        ground_joints.add(label)
    scene = PlanarScene(
        mechanism.name, accumulate_times(frames.t), shapes, joints, ground_joints, point_traces(mechanism, frames, trace),
        deforming=deforming_solid_bodies(mechanism, frames),
    )  # fmt: skip
    scene.marks = _free_points(mechanism, joints)
    scene.shapes += [*walls, *_ground_shapes(mechanism, frames, scene)]
    if colour is not None and mechanism.colour:
        scene.colouring = BeamColouring(colour.replace("_", " "), picture_unit(colour)[1])
    if forces:
        scene.forces = _force_vectors(mechanism, frames)
    return scene


def select_frames(
    mechanism: Mechanism, motion: StateHistory, forces: bool, max_frames: int, include: int | None
) -> StateHistory:
    """States for the frames: evenly spaced in time, and with forces also at the peaks of contact forces."""
    peaks: list[int] = [] if include is None else [include]
    if forces and motion.t.size > max_frames:
        data = sample_contacts(mechanism, motion)
        for names in mechanism.contact_names:
            normal = contact_outputs(names)["normal_force"][2](data)
            begin, end = np.flatnonzero(np.diff(np.r_[False, normal > 0, False].astype(int))).reshape(-1, 2).T
            peaks += [int(b + normal[b:e].argmax()) for b, e in zip(begin, end, strict=True)]
        peaks = peaks[: max_frames // 2]
    first, last, count = motion.t[0], motion.t[-1], min(max(max_frames - len(peaks), 2), motion.t.size)
    keep = np.unique(np.r_[np.linspace(0, motion.t.size - 1, count).round(), peaks].astype(int))
    if is_at_rest(motion) or np.max(np.diff(motion.t[keep]), initial=0.0) < 3.0 * (last - first) / count:
        return StateHistory(*(x[keep] for x in motion))
    # The steps of an adaptive method are long in flight and short in an impact; frames must be evenly spaced.
    return interpolate_states(
        motion, np.union1d(np.linspace(first, last, max(max_frames - len(peaks), 2)), motion.t[peaks])
    )


# Bodies -------------------------------------------------------------------------------------------------------------


class BodyDisc(NamedTuple):
    """A circle on a body: its centre in the body frame and its radius, m."""

    centre: tuple[float, ...]
    radius: float


def _part_shapes(mechanism: Mechanism, frames: StateHistory, colour: str | None) -> Iterator[SceneShape]:
    """Shapes of every part by its own outline, with the values of the colouring quantity, its circles and its contact
    surfaces."""
    if colour is not None and colour not in SECTION_QUANTITIES:
        ErrorContext(field="colour").fail(
            f"there is no quantity '{colour}' along a beam", expected=", ".join(SECTION_QUANTITIES)
        )
    discs = body_discs(mechanism)
    for name, part in mechanism.parts.items():
        own, look = discs.get(name, []), body_outlines(part)
        for points in look:
            yield SceneShape(name, "body", _moving_points(frames, part, points), True)
        if not look and (not own or _extends_beyond_discs(part, own)):
            for kind, points, closed in part.outline(frames.q, mechanism.size):
                values = (
                    _beam_values(mechanism, part, frames, colour)
                    if colour and isinstance(part, PlanarBeamPart)
                    else None
                )
                yield SceneShape(name, kind, points, closed, values)  # type: ignore[arg-type]
        for (x, y), radius in own:
            yield SceneShape(name, "round", _moving_points(frames, part, [(x, y), (x + radius, y)]))
        sides = [names.outline for names in mechanism.contact_names if names.bodies[0] == name and len(names.outline)]
        for outline in {side.tobytes(): side for side in sides if _fit_disc(side) is None}.values():
            yield SceneShape(name, "surface", _moving_points(frames, part, outline))


def _beam_values(mechanism: Mechanism, beam: PlanarBeamPart, frames: StateHistory, colour: str) -> np.ndarray:
    """Values of a quantity along a beam at the points of its outline."""
    require_quantity(beam, colour)
    xi, selected = beam.picture_places()
    profile = PlanarBeamProfile(BeamLoads(mechanism, beam), frames, xi)
    return picture_unit(colour)[0] * join_element_values(SECTION_QUANTITIES[colour].values(profile))[:, selected]


def body_discs(mechanism: Mechanism) -> dict[str, list[BodyDisc]]:
    """Circles in contact, by body; each once, independent of the number of contacts."""
    discs: dict[str, list[BodyDisc]] = {}
    for names in mechanism.contact_names:
        carrier, toucher = names.bodies
        disc = _fit_disc(names.outline)
        for body, found_disc in ((carrier, disc), (toucher, BodyDisc(names.place, names.radius))):
            if (
                body in mechanism.parts
                and mechanism.parts[body].rigid
                and found_disc is not None
                and found_disc.radius > 0.0
                and found_disc not in discs.setdefault(body, [])
            ):
                discs[body].append(found_disc)
    return discs


def _fit_disc(outline: np.ndarray) -> BodyDisc | None:
    """The circle of an outline; None if the outline is not a circle."""
    if len(outline) <= MIN_CIRCLE_CORNERS or not np.allclose(outline[0], outline[-1]):
        return None
    x, y = outline[:-1].mean(axis=0)
    radii = np.hypot(*(outline - (x, y)).T)
    size = float(radii.mean())
    # Rounded, so that equal circles given by centre or by outline are recognised.
    return BodyDisc((round(x, 12) + 0.0, round(y, 12) + 0.0), round(size, 12)) if np.ptp(radii) <= 1e-9 * size else None


def _extends_beyond_discs(body: Part, discs: list[BodyDisc]) -> bool:
    """True if a body is more than its circles: a link, or a body with points outside them."""
    if body.kind == "link":
        return True
    return any(all(np.hypot(x - c[0], y - c[1]) > 1.001 * r for c, r in discs) for x, y in body.points.values())


def _moving_points(motion: StateHistory, part: Part, points: Any) -> np.ndarray:
    """Positions in the ground frame, (n_times, n_points, 2)."""
    return np.stack([part.position(motion.q, (float(x), float(y))) for x, y in points], axis=1)


def _free_points(mechanism: Mechanism, joints: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Points of the ground, m, without a drawn joint in the first frame."""
    tolerance, drawn = 1e-6 * mechanism.size, [path[0] for path in joints.values()]
    points = {name: np.asarray(at, dtype=float) for name, at in mechanism.ground_points.items()}
    return {
        name: at
        for name, at in points.items()
        if not any(np.hypot(*(at - joint_place)) <= tolerance for joint_place in drawn)
    }


# Clamps -------------------------------------------------------------------------------------------------------------


def _holds_beam(mechanism: Mechanism, names: ConstraintNames) -> bool:
    """True if a joint clamps a flexible part; it is drawn without a pin, which would indicate a rotation."""
    welds = "moment" in names.declaration.rows and names.kind == "joint"
    return welds and any(mechanism.part(body).flexible for body in names.bodies)


def _wall_shapes(
    mechanism: Mechanism, frames: StateHistory, names: ConstraintNames, element: MechanismElement
) -> Iterator[SceneShape]:
    """A piece of ground behind the clamped end of a beam."""
    if "ground" not in names.bodies:
        return
    ends = attachment_positions(frames, element)[:2]
    for body, index, at in zip(names.bodies, element.coordinates, ends, strict=True):
        out = mechanism.part(body).outward(frames.q[0], index)  # points into the ground, on the right of the outline
        if out is not None:
            along = WALL_HALF_WIDTH_RATIO * 2.0 * mechanism.size * np.array([-out[1], out[0]])
            yield SceneShape(names.name, "ground", np.array([[at[0] - along, at[0] + along]]))


# Ground and forces --------------------------------------------------------------------------------------------------


def _ground_shapes(mechanism: Mechanism, frames: StateHistory, scene: PlanarScene) -> list[SceneShape]:
    """Surfaces of the ground, each once, independent of the number of contacts."""
    shapes: dict[Any, SceneShape] = {}
    for names in mechanism.contact_names:
        if names.bodies[0] != "ground":
            continue
        contact = mechanism.contact_of(names)
        moved = _surface_displacement(mechanism, contact.geometry, frames)
        outline, closed = names.outline, False
        is_infinite = contact.shape[0].region is Surface.region
        if is_infinite and len(outline) == 2:  # an infinite line
            outline = _endless_line(outline, scene, moved)
        elif np.allclose(outline[0], outline[-1]) and _signed_area(outline) < 0:
            outline, closed = outline[:-1], True  # clockwise outlines are obstacles; others are rooms, solid outside
        key = (outline.round(9).tobytes(), moved.round(9).tobytes())
        still = not moved.any()
        shapes.setdefault(
            key, SceneShape(names.name, "ground", (outline + moved[:, None])[: 1 if still else None], closed)
        )
    return list(shapes.values())


def _surface_displacement(
    mechanism: Mechanism, element: MechanismElement | ElementBlock, frames: StateHistory
) -> np.ndarray:
    """Displacement of the surface of a contact, (n_times, 2), m."""
    if not element.signals:
        return np.zeros((frames.t.size, 2))
    return np.stack([evaluate_program(mechanism.signals[k], frames.t)[0] for k in element.signals], axis=1)


def _endless_line(outline: np.ndarray, scene: PlanarScene, moved: np.ndarray) -> np.ndarray:
    """A line that leaves the picture on both sides, equal for all contacts with the same surface."""
    along = outline[1] - outline[0]
    along = along / np.hypot(*along)
    foot = outline[0] - (outline[0] @ along) * along  # the point nearest to the origin
    reached = ((scene.moving_points() - moved[:, None]) @ along).ravel()
    overhang = ENDLESS_LINE_RATIO * (float(np.ptp(reached)) + scene.size())
    return np.array([foot + (reached.min() - overhang) * along, foot + (reached.max() + overhang) * along])


def _signed_area(outline: np.ndarray) -> float:
    """Area inside a closed outline, m^2, positive if it is counter-clockwise."""
    x, y = (outline - outline.mean(axis=0)).T
    return 0.5 * float(np.sum(x[:-1] * y[1:] - x[1:] * y[:-1]))


def _force_vectors(mechanism: Mechanism, frames: StateHistory) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Point of application and force on the touching body of each contact, (n_times, 2) each, NaN if open; and applied
    forces."""
    forces = {
        name: (attachment_positions(frames, element)[0], applied_force_components(mechanism, element, frames.t))
        for name, element in find_applied_forces(mechanism)
    }
    if frames.memory.shape[1] == 0:
        return forces
    data = sample_contacts(mechanism, frames)
    for names in mechanism.contact_names:
        outputs = contact_outputs(names)
        x, y, fx, fy = (outputs[quantity][2](data) for quantity in ("x", "y", "fx", "fy"))
        forces[names.name] = np.stack([x, y], axis=1), np.stack([fx, fy], axis=1)
    return forces
