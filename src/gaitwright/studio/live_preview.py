"""Live preview for a drag: pose, curves, headline numbers, gaps in millimetres, and faulty elements."""

from __future__ import annotations

import math
import time as clock
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from gaitwright._core.errors import GaitwrightError
from gaitwright.analysis.joint_closure import close_joints, describe_open_joints, drawn_pose, find_open_joints
from gaitwright.mechanism.blocks import MechanismElement
from gaitwright.mechanism.mechanism import Mechanism
from gaitwright.model.model import Model, compile_model
from gaitwright.report.array_checks import round_to_size
from gaitwright.report.views.scenes.planar_elements import attachment_positions
from gaitwright.report.views.scenes.planar_mechanism import build_planar_scene
from gaitwright.report.views.scenes.point_traces import point_traces
from gaitwright.result.outputs import StateHistory
from gaitwright.studio.problems import element_at, find_named_place
from gaitwright.studio.turn_preview import HEADLINE_MEASURES, TurnPreview, preview_turn, static_motion

COARSE_SAMPLES, DRAG_SAMPLES, EXACT_SAMPLES = 24, 72, 360
"""Samples per turn: for finding a pose, during a drag, and after its end."""
MIN_SAMPLES, MAX_SAMPLES, MAX_FRAMES = 8, 2000, 600
SINGULAR_POSE_PREFIX = "nearly singular pose"
"""Prefix of warnings of `follow_drives` about nearly singular poses."""
SHARED_POINT_KINDS = ("link", "beam")
"""Kinds of parts whose points are named without the part."""


def warm_up() -> None:
    """Import and compile everything that a preview needs, so that the first drag does not wait for it."""
    from gaitwright.mechanisms.jansen import jansen_leg

    draw_picture(jansen_leg(), {}, frames=2)


def draw_picture(
    model: Model, data: dict[str, Any], *, time: float = 0.0, samples: int = DRAG_SAMPLES, frames: int = 0,
    trace: Sequence[str] | None = None, pose: np.ndarray | None = None, suspects: Sequence[str] = (),
    found: TurnPreview | None = None,
) -> dict[str, Any]:  # fmt: skip
    """Preview data of a model at a time, s. data: its document as written, to find elements by name. frames: number
    of further poses of the turn; 0: only the pose at `time`. pose: coordinates to show instead. suspects: names
    changed last; a loop that cannot close is opened there. found: the turn, if already computed."""
    start = clock.perf_counter()
    samples = min(max(int(samples), MIN_SAMPLES), MAX_SAMPLES)
    frames = min(max(int(frames), 0), MAX_FRAMES)
    found = preview_turn(model, samples, time, suspects) if found is None else found
    mechanism, poses = found.mechanism, _select_poses(found, time, frames)
    if pose is not None:
        poses = static_motion(time, pose)
    scene = _planar_shapes(mechanism, poses) if mechanism.dimension == 2 else _spatial_scene(mechanism, poses)
    return {
        **scene,
        "dimension": mechanism.dimension,
        "period": found.period,
        "places": point_positions(mechanism, poses),
        "traces": _trace_curves(found, trace, model),
        "numbers": _headline_numbers(found),
        "freedom": mechanism.degrees_of_freedom if found.begin is None else _degrees_of_freedom(found),
        "closed": found.closed,
        "gaps": list(find_gaps(mechanism, poses, found.phi)) if found.phi is not None else [],
        "faults": list(find_faults(found, data)),
        "warnings": _pose_warnings(found),
        "milliseconds": round(1e3 * (clock.perf_counter() - start), 2),
    }


def _degrees_of_freedom(turn: TurnPreview) -> int:
    """Degrees of freedom left by joints and drives, without redundant rows."""
    mechanism = turn.run.mechanism if turn.run is not None else turn.mechanism
    return mechanism.n - mechanism.system.m_all + len(turn.redundant)


def _select_poses(turn: TurnPreview, time: float, frames: int) -> StateHistory:
    """Select the poses to show."""
    motion = turn.motion
    if motion.t.size == 1:
        return motion
    if frames:
        indices = np.unique(np.linspace(0, motion.t.size - 1, min(frames + 1, motion.t.size)).round().astype(int))
    else:
        indices = np.array([int(np.argmin(np.abs(motion.t - time)))])
    return StateHistory(*(values[indices] for values in motion))


def _planar_shapes(mechanism: Mechanism, shown: StateHistory) -> dict[str, Any]:
    """Shapes and joints in the plane, as in animations."""
    motion = StateHistory(*shown[:4], *(np.zeros((shown.t.size, 0)),) * 3)
    scene = build_planar_scene(mechanism, motion, max_frames=MAX_FRAMES + 1)
    size = scene.size()
    return {
        "size": size,
        "bounds": scene.bounds(),
        "time": shown.t.tolist(),
        "shapes": [
            {"name": shape.name, "kind": shape.kind, "closed": shape.closed,
             "points": round_to_size(shape.outline.reshape(len(shape.outline), -1), size).tolist()}
            for shape in scene.shapes
        ],
        "joints": [
            {"name": name, "fixed": name in scene.ground_joints, "points": round_to_size(points, size).tolist()}
            for name, points in scene.joints.items()
        ],
    }  # fmt: skip


def _spatial_scene(mechanism: Mechanism, shown: StateHistory) -> dict[str, Any]:
    """Scene for the three-dimensional view."""
    from gaitwright.report.animations.spatial_animation import spatial_page_data
    from gaitwright.report.views.scenes.spatial_mechanism import build_spatial_scene

    motion = StateHistory(*shown[:4], *(np.zeros((shown.t.size, 0)),) * 3)
    data = spatial_page_data(build_spatial_scene(mechanism, motion))
    size = float(mechanism.size)
    return {"scene": data, "size": size, "bounds": [-size, size, -size, size], "time": shown.t.tolist(), "shapes": [],
            "joints": []}  # fmt: skip


def point_positions(mechanism: Mechanism, motion: StateHistory) -> dict[str, list[list[float]]]:
    """Positions of all named points: of links, beams and the ground, by point name; of bodies as body.point."""
    size = float(mechanism.size)
    positions = {name: [list(map(float, position))] for name, position in mechanism.ground_points.items()}
    parts: list[Any] = list(mechanism.parts.values())
    for part in parts:
        if not part.rigid and part.kind not in SHARED_POINT_KINDS:
            continue
        for point in part.points:
            if point in ("start", "end") and part.kind == "beam":
                continue
            name = point if part.kind in SHARED_POINT_KINDS else f"{part.name}.{point}"
            if name not in positions:
                positions[name] = round_to_size(part.position(motion.q, part.place(point)), size).tolist()
        if part.kind == "body":
            positions[f"{part.name}.centre"] = round_to_size(part.position(motion.q, part.centre), size).tolist()
    return positions


def assembled_positions(model: Model, time: float, found: TurnPreview | None = None) -> dict[str, tuple[float, ...]]:
    """Positions of points in the pose at a time, for moves by hand; and poses of bodies of the plane (body.pose: x,
    y, angle). found: the turn of this model with this time in it, if already computed."""
    if time or found is not None:
        found = preview_turn(model, COARSE_SAMPLES, time) if found is None else found
        mechanism, shown = found.mechanism, _select_poses(found, time, 0)
    else:
        mechanism = compile_model(model).mechanism(contacts=[])
        shown = static_motion(0.0, close_joints(mechanism, drawn_pose(mechanism, 0.0), 0.0).q)
    positions: dict[str, tuple[float, ...]] = {}
    parts: list[Any] = list(mechanism.parts.values())
    for part in parts:
        if part.rigid or part.kind in SHARED_POINT_KINDS:
            for point in part.points:
                name = point if part.kind in SHARED_POINT_KINDS else f"{part.name}.{point}"
                positions.setdefault(name, tuple(map(float, part.position(shown.q, part.place(point))[0])))
        if part.kind == "body" and mechanism.dimension == 2:
            positions[f"{part.name}.pose"] = tuple(map(float, shown.q[0, part.index]))
    return positions | {name: tuple(map(float, position)) for name, position in mechanism.ground_points.items()}


def _trace_curves(turn: TurnPreview, trace: Sequence[str] | None, model: Model) -> list[dict[str, Any]]:
    """Curves of feet, or of the requested points."""
    gait = model.document.gait
    names = list(trace) if trace is not None else list(gait.feet) if gait is not None else []
    if turn.motion.t.size < 2 or not names:
        return []
    size, curves = float(turn.mechanism.size), []
    for name in names:
        try:
            points = point_traces(turn.mechanism, turn.motion, [name])[name]
        except GaitwrightError:
            continue  # a deleted point
        curves.append({"name": name, "points": round_to_size(points, size).tolist()})
    return curves


def _headline_numbers(turn: TurnPreview) -> list[dict[str, Any]]:
    rows = []
    for name, value in turn.numbers.items():
        owner, _, quantity = name.rpartition(".")
        if name in HEADLINE_MEASURES:
            title, unit = HEADLINE_MEASURES[name].preview, HEADLINE_MEASURES[name].unit
        else:
            title, unit = {
                "torque": (f"largest torque of {owner}", "N m"), "force": (f"largest force of {owner}", "N"),
            }.get(quantity, (f"energy of {owner} per turn", "J"))  # fmt: skip
        rows.append({"name": name, "title": title, "value": value if math.isfinite(value) else None, "unit": unit})
    return rows


def find_gaps(mechanism: Mechanism, shown: StateHistory, phi: np.ndarray) -> Iterator[dict[str, Any]]:
    """Open joints and drives: size of the gap, and its two ends."""
    opened = find_open_joints(mechanism, phi)
    worst = max(opened.values(), default=0.0)
    sentences = describe_open_joints(mechanism, phi)
    for names, element in zip(mechanism.constraint_names, mechanism.constraints, strict=True):
        if names.name not in opened or opened[names.name] < 1e-3 * worst:
            continue
        units = np.array([unit for _, unit in names.labels])
        residual = phi[mechanism.row_position[names.rows]]
        norms = {unit: float(np.linalg.norm(residual[units == unit])) for unit in ("m", "rad")}
        end_positions = None
        if isinstance(element, MechanismElement) and mechanism.dimension == 2:
            ends = attachment_positions(shown, element)[:2]
            end_positions = [[float(x) for x in end[0]] for end in ends] if len(ends) == 2 else None
        yield {
            "joint": names.name, "kind": names.kind, "mm": 1e3 * norms["m"] if "m" in units else None,
            "rad": norms["rad"] if "rad" in units else None, "bodies": list(names.bodies), "at": end_positions,
            "text": next((text for text in sentences if f"'{names.name}'" in text), names.name),
        }  # fmt: skip


def find_faults(turn: TurnPreview, data: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Faults of a valid model, by element."""
    if turn.phi is not None:
        opened = find_open_joints(turn.mechanism, turn.phi)
        sentences = describe_open_joints(turn.mechanism, turn.phi)
        worst = max(opened.values(), default=0.0)
        for name, gap in opened.items():
            if gap >= 1e-3 * worst:
                text = next((text for text in sentences if f"'{name}'" in text), name)
                yield _fault_data("open", f"cannot be closed: {text}", _element_data(name, data))
    for sentence in turn.redundant:
        yield _fault_data(
            "redundant", sentence, _element_data(sentence.split("'")[1], data) if "'" in sentence else None
        )
    if turn.begin is not None and turn.begin.singular:
        yield _fault_data(
            "singular", "the start pose is singular: joints restrain less here than in poses nearby", time=0.0
        )
    if turn.stopped is not None:
        joints = getattr(turn.stopped, "joints", ())
        yield _fault_data(
            "dead", str(turn.stopped), _element_data(joints[0], data) if joints else None, turn.stopped.time
        )
    for text in _pose_warnings(turn):
        if text.startswith(SINGULAR_POSE_PREFIX):
            yield _fault_data("singular", text, time=float(text.partition("t = ")[2].split()[0]))
    if turn.unmeasured:
        yield _fault_data("model", turn.unmeasured, element_at(["gait"], data) if "gait" in data else None)


def _fault_data(kind: str, text: str, element: Any = None, time: float | None = None) -> dict[str, Any]:
    return {"what": kind, "text": text, "element": element, "time": time}


def _element_data(name: str, data: dict[str, Any]) -> dict[str, Any] | None:
    path = find_named_place(name, data)
    return None if path is None else element_at(path, data)


def _pose_warnings(turn: TurnPreview) -> list[str]:
    """Warnings about the model and its poses, but not about energies, which a few samples cannot determine."""
    run_warnings = turn.run.evidence.warnings if turn.run is not None else []
    warnings = [*turn.mechanism.warnings, *(turn.begin.warnings if turn.begin else [])]
    return list(dict.fromkeys([*warnings, *(text for text in run_warnings if text.startswith(SINGULAR_POSE_PREFIX))]))
