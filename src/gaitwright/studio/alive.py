"""What the page shows while something is dragged: pose, curves, headline numbers, gaps in millimetres, what is at fault."""

from __future__ import annotations

import math
import time as clock
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from gaitwright.analyse.closing import close_joints, describe_open, drawn_pose, open_joints
from gaitwright.errors import GaitwrightError
from gaitwright.model.lowered import Lowered
from gaitwright.report.arrays import rounded_to
from gaitwright.report.views.planar_elements import ends_of
from gaitwright.report.views.planar_picture import scene
from gaitwright.report.views.traces import traces
from gaitwright.result.outputs import Motion
from gaitwright.studio.problems import element_at, place_called
from gaitwright.studio.turn import HEADLINES, Turn, still, turn
from gaitwright.system.blocks import Element
from gaitwright.system.mechanism import Mechanism

COARSE, DRAGGED, EXACT = 24, 72, 360
"""Times of a turn on the way to a pose, while something is dragged, and when it was let go."""
FEWEST_SAMPLES, MOST_SAMPLES, MOST_FRAMES = 8, 2000, 600
NEARLY = "nearly singular pose"
"""How what `follow_drives` says of such a pose begins."""
SHARES = ("link", "beam")
"""Kinds of parts whose points are known by their own name."""


def warm() -> None:
    """Load and compile what pictures need, so that the first drag does not wait for it."""
    from gaitwright.mechanisms.jansen import jansen_leg

    picture(Lowered(jansen_leg()), {}, frames=2)


def picture(
    model: Lowered, data: dict[str, Any], *, time: float = 0.0, samples: int = DRAGGED, frames: int = 0,
    trace: Sequence[str] | None = None, pose: np.ndarray | None = None, suspects: Sequence[str] = (),
    found: Turn | None = None,
) -> dict[str, Any]:  # fmt: skip
    """A model as it is seen at a time, s, as data. data: its document as written, to find elements by name. frames: how many
    poses of the turn come with it, besides the one at its end; 0: the pose at `time` alone. pose: coordinates to show instead.
    suspects: names that were changed last, where a loop that cannot close is opened. found: the turn, if it is known."""
    began = clock.perf_counter()
    samples = min(max(int(samples), FEWEST_SAMPLES), MOST_SAMPLES)
    frames = min(max(int(frames), 0), MOST_FRAMES)
    found = turn(model, samples, time, suspects) if found is None else found
    mechanism, shown = found.mechanism, _poses(found, time, frames)
    if pose is not None:
        shown = still(time, pose)
    seen = _drawn(mechanism, shown) if mechanism.dimension == 2 else _in_space(mechanism, shown)
    return {
        **seen,
        "dimension": mechanism.dimension,
        "period": found.period,
        "places": places(mechanism, shown),
        "traces": _traces(found, trace, model),
        "numbers": _numbers(found),
        "freedom": mechanism.degrees_of_freedom if found.begin is None else _freedom(found),
        "closed": found.closed,
        "gaps": list(gaps(mechanism, shown, found.phi)) if found.phi is not None else [],
        "faults": list(faults(found, data)),
        "warnings": _warnings(found),
        "milliseconds": round(1e3 * (clock.perf_counter() - began), 2),
    }


def _freedom(found: Turn) -> int:
    """What joints and drives leave free, without rows that follow from others."""
    mechanism = found.run.mechanism if found.run is not None else found.mechanism
    return mechanism.n - mechanism.system.m_all + len(found.redundant)


def _poses(found: Turn, time: float, frames: int) -> Motion:
    """The poses that are shown."""
    motion = found.motion
    if motion.t.size == 1:
        return motion
    if frames:
        keep = np.unique(np.linspace(0, motion.t.size - 1, min(frames + 1, motion.t.size)).round().astype(int))
    else:
        keep = np.array([int(np.argmin(np.abs(motion.t - time)))])
    return Motion(*(values[keep] for values in motion))


def _drawn(mechanism: Mechanism, shown: Motion) -> dict[str, Any]:
    """Shapes and joints of the plane, as in animations."""
    still = Motion(*shown[:4], *(np.zeros((shown.t.size, 0)),) * 3)
    drawn = scene(mechanism, still, max_frames=MOST_FRAMES + 1)
    size = drawn.size()
    return {
        "size": size,
        "bounds": drawn.bounds(),
        "time": shown.t.tolist(),
        "shapes": [
            {"name": shape.name, "kind": shape.kind, "closed": shape.closed,
             "points": rounded_to(shape.outline.reshape(len(shape.outline), -1), size).tolist()}
            for shape in drawn.shapes
        ],
        "joints": [
            {"name": name, "fixed": name in drawn.ground_joints, "points": rounded_to(points, size).tolist()}
            for name, points in drawn.joints.items()
        ],
    }  # fmt: skip


def _in_space(mechanism: Mechanism, shown: Motion) -> dict[str, Any]:
    """The scene for the view in three dimensions."""
    from gaitwright.report.spatial_page import space_data
    from gaitwright.report.views.spatial_picture import space_scene

    still = Motion(*shown[:4], *(np.zeros((shown.t.size, 0)),) * 3)
    data = space_data(space_scene(mechanism, still))
    size = float(mechanism.size)
    return {"scene": data, "size": size, "bounds": [-size, size, -size, size], "time": shown.t.tolist(), "shapes": [],
            "joints": []}  # fmt: skip


def places(mechanism: Mechanism, motion: Motion) -> dict[str, list[list[float]]]:
    """Where every named point is: of links and beams, and of the ground, by its own name; of bodies as body.point."""
    size = float(mechanism.size)
    found = {name: [list(map(float, at))] for name, at in mechanism.ground_points.items()}
    parts: list[Any] = list(mechanism.parts.values())
    for part in parts:
        if not part.rigid and part.kind not in SHARES:
            continue
        for point in part.points:
            if point in ("start", "end") and part.kind == "beam":
                continue
            name = point if part.kind in SHARES else f"{part.name}.{point}"
            if name not in found:
                found[name] = rounded_to(part.position(motion.q, part.place(point)), size).tolist()
        if part.kind == "body":
            found[f"{part.name}.centre"] = rounded_to(part.position(motion.q, part.centre), size).tolist()
    return found


def seen_places(model: Lowered, time: float, found: Turn | None = None) -> dict[str, tuple[float, ...]]:
    """Where points are in the pose at a time, for moves by hand; and poses of bodies of the plane (body.pose: x, y, angle).
    found: the turn of this model with this time in it, if it is known."""
    if time or found is not None:
        found = turn(model, COARSE, time) if found is None else found
        mechanism, shown = found.mechanism, _poses(found, time, 0)
    else:
        mechanism = model.in_air().lowered({})
        shown = still(0.0, close_joints(mechanism, drawn_pose(mechanism, 0.0), 0.0).q)
    named: dict[str, tuple[float, ...]] = {}
    parts: list[Any] = list(mechanism.parts.values())
    for part in parts:
        if part.rigid or part.kind in SHARES:
            for point in part.points:
                name = point if part.kind in SHARES else f"{part.name}.{point}"
                named.setdefault(name, tuple(map(float, part.position(shown.q, part.place(point))[0])))
        if part.kind == "body" and mechanism.dimension == 2:
            named[f"{part.name}.pose"] = tuple(map(float, shown.q[0, part.index]))
    return named | {name: tuple(map(float, at)) for name, at in mechanism.ground_points.items()}


def _traces(found: Turn, trace: Sequence[str] | None, model: Lowered) -> list[dict[str, Any]]:
    """Curves of feet, or of the points asked for."""
    gait = model.document.gait
    names = list(trace) if trace is not None else list(gait.feet) if gait is not None else []
    if found.motion.t.size < 2 or not names:
        return []
    size, curves = float(found.mechanism.size), []
    for name in names:
        try:
            points = traces(found.mechanism, found.motion, [name])[name]
        except GaitwrightError:
            continue  # a point that is not there any more
        curves.append({"name": name, "points": rounded_to(points, size).tolist()})
    return curves


def _numbers(found: Turn) -> list[dict[str, Any]]:
    shown = []
    for name, value in found.numbers.items():
        owner, _, what = name.rpartition(".")
        title, unit = HEADLINES.get(name) or {
            "torque": (f"largest torque of {owner}", "N m"), "force": (f"largest force of {owner}", "N"),
        }.get(what, (f"energy of {owner} per turn", "J"))  # fmt: skip
        shown.append({"name": name, "title": title, "value": value if math.isfinite(value) else None, "unit": unit})
    return shown


def gaps(mechanism: Mechanism, shown: Motion, phi: np.ndarray) -> Iterator[dict[str, Any]]:
    """Joints and drives that are open: how far, and between which two places."""
    opened = open_joints(mechanism, phi)
    worst = max(opened.values(), default=0.0)
    said = describe_open(mechanism, phi)
    for names, element in zip(mechanism.constraint_names, mechanism.constraints, strict=True):
        if names.name not in opened or opened[names.name] < 1e-3 * worst:
            continue
        units = np.array([unit for _, unit in names.labels])
        by = phi[mechanism.row_position[names.rows]]
        far = {unit: float(np.linalg.norm(by[units == unit])) for unit in ("m", "rad")}
        at = None
        if isinstance(element, Element) and mechanism.dimension == 2:
            ends = ends_of(shown, element)[:2]
            at = [[float(x) for x in end[0]] for end in ends] if len(ends) == 2 else None
        yield {
            "joint": names.name, "kind": names.kind, "mm": 1e3 * far["m"] if "m" in units else None,
            "rad": far["rad"] if "rad" in units else None, "bodies": list(names.bodies), "at": at,
            "text": next((text for text in said if f"'{names.name}'" in text), names.name),
        }  # fmt: skip


def faults(found: Turn, data: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """What is wrong with a mechanism that is a model, by element."""
    if found.phi is not None:
        opened = open_joints(found.mechanism, found.phi)
        said = describe_open(found.mechanism, found.phi)
        worst = max(opened.values(), default=0.0)
        for name, gap in opened.items():
            if gap >= 1e-3 * worst:
                text = next((text for text in said if f"'{name}'" in text), name)
                yield _fault("open", f"cannot be closed: {text}", _element(name, data))
    for sentence in found.redundant:
        yield _fault("redundant", sentence, _element(sentence.split("'")[1], data) if "'" in sentence else None)
    if found.begin is not None and found.begin.singular:
        yield _fault("singular", "the start pose is singular: joints restrain less here than in poses nearby", time=0.0)
    if found.stopped is not None:
        joints = getattr(found.stopped, "joints", ())
        yield _fault("dead", str(found.stopped), _element(joints[0], data) if joints else None, found.stopped.time)
    for text in _warnings(found):
        if text.startswith(NEARLY):
            yield _fault("singular", text, time=float(text.partition("t = ")[2].split()[0]))
    if found.unmeasured:
        yield _fault("model", found.unmeasured, element_at(["gait"], data) if "gait" in data else None)


def _fault(what: str, text: str, element: Any = None, time: float | None = None) -> dict[str, Any]:
    return {"what": what, "text": text, "element": element, "time": time}


def _element(name: str, data: dict[str, Any]) -> dict[str, Any] | None:
    place = place_called(name, data)
    return None if place is None else element_at(place, data)


def _warnings(found: Turn) -> list[str]:
    """What is said about the model and its poses; not about energies, which a few samples cannot account for."""
    along = found.run.evidence.warnings if found.run is not None else []
    said = [*found.mechanism.warnings, *(found.begin.warnings if found.begin else [])]
    return list(dict.fromkeys([*said, *(text for text in along if text.startswith(NEARLY))]))
