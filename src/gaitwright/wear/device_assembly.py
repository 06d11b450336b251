"""Device and person as one model: driven segments, the device as drawn, and cuffs between them."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from gaitwright._core.error_context import ErrorContext
from gaitwright.gait.motion import SkeletonMotion, quaternions_from_matrices
from gaitwright.gait.skeleton import HumanSkeleton
from gaitwright.model.model import Model, compile_model
from gaitwright.model.reader.mechanism_builder import MechanismBuilder
from gaitwright.model.spec.device import PAIRED_SEGMENTS, CuffSpec, DeviceSpec
from gaitwright.wear.body_sizes import sizes, standing_poses
from gaitwright.wear.driven_segments import DrivenSegments, drive_segments
from gaitwright.wear.pad_springs import pad_stiffness

Array = np.ndarray
MAX_PAD_SIZE_M = 1.0
"""m: upper bound of a pad's thickness, width and height."""
DEFAULT_CUFF_DAMPING_S = 0.01
"""s: default damping of cuffs over their stiffness. OUR choice: a loss factor of 0.2 at 3 Hz."""
STIFF_CUFF = {"type": "bushing", "stiffness": [1e6] * 3, "torsional_stiffness": [1e4] * 3, "damping": 1e-3}
"""A cuff of hard shell on bone, N/m and N m/rad; replaces rigid cuffs that over-constrain the joints of a device."""
MAX_CUFF_DISTANCE_M = 0.35
"""m, from the line of a segment: a cuff drawn farther away is refused."""
OUTWARD_SIGNS, MAX_MIDLINE_OVERLAP_M = {"right": -1.0, "left": 1.0}, 0.01
"""Sign of y on each side, and distance, m, by which a part of a leg may be drawn beyond the middle of the body."""
PAD_FIELD_UNITS = {"youngs_modulus": "Pa", "poissons_ratio": "1", "area": "m^2"}
"""Units of the numbers of a pad that are no lengths."""
CYCLE_END_TOL = 1e-6
"""Tolerance of the ends of a cycle series, as a fraction of the cycle."""


class CuffAttachment(NamedTuple):
    """A cuff on a segment. place: position in the frame of the segment, m."""

    cuff: CuffSpec
    segment: str
    place: Array


class DeviceAssembly(NamedTuple):
    """Model of a device on a person. model: of device and segments. device: the device alone, fitted to the person. mass: of
    the device, kg. stiff: names of rigid cuffs that are replaced by stiff ones."""

    model: Model
    device: Model
    bound: list[CuffAttachment]
    driven: DrivenSegments
    mass: float
    stiff: tuple[str, ...] = ()


def cuff_element_name(cuff: str) -> str:
    """Name of a cuff's element in the model; the prefix is needed because a cuff may have the name of the body it holds."""
    return f"cuff_{cuff}"


def device_section(device: Any) -> DeviceSpec:
    """Return the section `worn` of a device model. Raises ModelError if there is none, or if `device` is no model."""
    if not isinstance(device, Model):
        ErrorContext("device").fail(
            "is not given as a model", type(device).__name__, "a gw.Model with cuffs, or gw.wear.load(file)"
        )
    if device.document.worn is None:
        ErrorContext(f"device '{device.document.name}'", "worn").fail(
            "is missing: nothing binds it to a person", expected="a section worn with cuffs, or model.cuff(...)"
        )
    return device.document.worn


def fit_device(device: Model, skeleton: HumanSkeleton) -> Model:
    """The device with its parameters named after body dimensions set to the person's values; drawn on the right leg."""
    body_dimensions = {name: value for name, value in sizes(skeleton).items() if name in device.document.parameters}
    return device.copy(**body_dimensions)


def assemble_device(
    device: Model, motion: SkeletonMotion, phase: Array | None = None, stiff: tuple[str, ...] = ()
) -> DeviceAssembly:
    """Assemble the device on the right leg (or the segments its cuffs name) of a person in a motion. phase: (time,), position
    of each frame in the right foot's cycle, 0 to 1, for series over the cycle. stiff: rigid cuffs to be replaced by stiff
    ones."""
    device = fit_device(device, motion.skeleton)
    worn, upright = device_section(device), standing_poses(motion.skeleton)
    scope = compile_model(device).builder
    cuffs = [
        cuff.model_copy(update=STIFF_CUFF) if cuff.name in stiff else _evaluate_cuff(cuff, scope) for cuff in worn.cuffs
    ]
    bound = [_attach_cuff(cuff, scope, motion, upright) for cuff in cuffs]
    needed = list(dict.fromkeys(attachment.segment for attachment in bound))
    driven = drive_segments(motion, upright, needed)
    raw = device.to_dict()
    for section in ("worn", "outputs", "analysis"):
        raw.pop(section, None)
    used_names = set(scope.names.parts) | set(scope.uses)
    for name in needed:
        ErrorContext(f"body '{name}'", "name").unused(name, used_names)
        _add_segment(
            raw,
            name,
            motion.skeleton,
            upright[name],
            driven,
            [attachment for attachment in bound if attachment.segment == name],
        )
    for attachment in bound:
        _add_cuff(raw, attachment, scope)
    for name in worn.over_cycle:
        raw["series"][name] = _cycle_to_time_series(name, device, driven, phase)
    return DeviceAssembly(
        Model.from_dict(raw), device, bound, driven, sum(part.mass for part in scope.names.parts.values()), stiff
    )


def _attach_cuff(cuff: CuffSpec, scope: MechanismBuilder, motion: SkeletonMotion, upright: Any) -> CuffAttachment:
    at = ErrorContext(f"cuff '{cuff.name}'")
    segment = f"right_{cuff.segment}" if cuff.segment in PAIRED_SEGMENTS else cuff.segment
    at["segment"].one_of(segment, motion.segments, "is not there: the person has no such segment")
    origin, rotation = upright[segment]
    if cuff.place is not None:
        return CuffAttachment(cuff, segment, np.array(scope.numbers.vector(cuff.place, at.element, "place")))
    owner, local = scope.names.point(cuff.at, at.element, "at")
    drawn_position = np.array(scope.names.part(owner).marker_drawn(local).position, dtype=float)
    position = rotation.T @ (drawn_position - origin)
    side = segment.partition("_")[0]
    if OUTWARD_SIGNS.get(side, 0.0) * drawn_position[1] < -MAX_MIDLINE_OVERLAP_M:
        at["at"].fail(
            f"is drawn on the other side of the body than the {segment.replace('_', ' ')}",
            [round(float(x), 3) for x in drawn_position],
            f"y {'below' if side == 'right' else 'above'} 0, which is to the {side}; what one leg wears is drawn on the right, "
            "and side: left puts its mirror image on the left",
        )
    nearest = _nearest_on_segment(segment, motion.skeleton.segments[segment].length, position)
    distance = float(np.linalg.norm(position - nearest))
    if distance > MAX_CUFF_DISTANCE_M:
        suggested = np.round(origin + rotation @ nearest, 2).tolist()
        at["at"].fail(
            f"is drawn {distance:.2f} m away from the {segment.replace('_', ' ')} of a person who stands upright",
            [round(float(x), 3) for x in drawn_position],
            f"a place near {suggested}, m: x forward, y left, z up",
        )
    return CuffAttachment(cuff, segment, position)


def _nearest_on_segment(segment: str, length: float, position: Array) -> Array:
    """Nearest point on a segment's line to a point, both in the frame of the segment."""
    axis, low, high = (0, -0.3, 0.8) if segment.endswith("foot") else (1, -1.0, 0.0)
    if segment in ("pelvis", "trunk"):
        low, high = 0.0, 1.0
    nearest = np.zeros(3)
    nearest[axis] = np.clip(position[axis], low * length, high * length)
    return nearest


def _add_segment(
    raw: dict, name: str, skeleton: HumanSkeleton, pose: Any, driven: DrivenSegments, bound: list[CuffAttachment]
) -> None:
    segment, (origin, rotation) = skeleton.segments[name], pose
    inertia = segment.inertia
    raw.setdefault("bodies", []).append({
        "name": name, "mass": float(segment.mass), "centre": segment.centre.tolist(),
        "inertia": [float(m) for m in (*np.diag(inertia), inertia[0, 1], inertia[0, 2], inertia[1, 2])],
        "at": origin.tolist(), "orientation": {"axes": rotation.T.tolist()},
        "points": {attachment.cuff.name: attachment.place.tolist() for attachment in bound},
    })  # fmt: skip
    positions, rotations = driven.poses[name]
    columns = {
        **dict(zip("xyz", positions.T, strict=True)),
        **dict(zip("wijk", quaternions_from_matrices(rotations).T, strict=True)),
    }
    series = raw.setdefault("series", {})
    for part, values in columns.items():
        series[f"{name}_{part}"] = {"times": driven.times.tolist(), "values": values.tolist(), "outside": "hold"}
    raw.setdefault("drives", []).append({
        "type": "frame", "name": f"{name}_motion", "point": f"{name}.origin",
        **{axis: f"{name}_{axis}(t)" for axis in "xyz"}, "quaternion": [f"{name}_{part}(t)" for part in "wijk"],
    })  # fmt: skip


def _add_cuff(raw: dict, attachment: CuffAttachment, scope: MechanismBuilder) -> None:
    cuff, label = attachment.cuff, f"cuff '{attachment.cuff.name}'"
    ends = {"name": cuff_element_name(cuff.name), "a": f"{attachment.segment}.{cuff.name}", "b": cuff.at}
    if cuff.type == "rigid":
        raw.setdefault("joints", []).append({"type": "fixed", **ends})
        return
    stiffness, torsional_stiffness = cuff_stiffness(cuff, scope)
    damping_time = (
        DEFAULT_CUFF_DAMPING_S if cuff.damping is None else scope.numbers.number(cuff.damping, label, "damping", "s")
    )
    raw.setdefault("forces", []).append({
        "type": "bushing", **ends, "stiffness": list(stiffness), "torsional_stiffness": list(torsional_stiffness),
        "damping": [damping_time * k for k in stiffness], "torsional_damping": [damping_time * k for k in torsional_stiffness],
    })  # fmt: skip


def cuff_stiffness(cuff: CuffSpec, scope: MechanismBuilder) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Stiffness along, N/m, and about, N m/rad, the axes of the segment."""
    label = f"cuff '{cuff.name}'"
    if cuff.pad is None:
        torsional_entry = [0.0] * 3 if cuff.torsional_stiffness is None else cuff.torsional_stiffness
        stiffnesses = (
            scope.numbers.vector(cuff.stiffness, label, "stiffness", "N/m"),
            scope.numbers.vector(torsional_entry, label, "torsional_stiffness", ""),
        )
        for field, values in zip(("stiffness", "torsional_stiffness"), stiffnesses, strict=True):
            ErrorContext(label, field).not_negative(min(values), "numbers that are at least 0")
        return stiffnesses
    numbers = cuff.pad.model_dump(exclude_none=True)
    for field in ("thickness", "width", "height", "radius"):
        if (size := numbers.get(field, 0.0)) > MAX_PAD_SIZE_M:
            at = ErrorContext(label, f"pad.{field}")
            at.fail(
                "is larger than people",
                size,
                f"m, up to {MAX_PAD_SIZE_M:g}; reads like mm: {1e-3 * size:g}, or {size:g} mm",
            )
    return pad_stiffness(numbers, numbers.pop("face"))


def _evaluate_cuff(cuff: CuffSpec, scope: MechanismBuilder) -> CuffSpec:
    """The cuff with the expressions of its pad replaced by numbers."""
    if cuff.pad is None:
        return cuff
    pad_fields, label = cuff.pad.model_dump(exclude_none=True), f"cuff '{cuff.name}'"
    numbers = {
        name: scope.numbers.positive(value, label, f"pad.{name}", PAD_FIELD_UNITS.get(name, "m"))
        for name, value in pad_fields.items()
        if name != "face"
    }
    if numbers["poissons_ratio"] >= 0.5:
        ErrorContext(label, "pad.poissons_ratio").fail(
            "is not below 1/2", numbers["poissons_ratio"], "a number from 0 to 0.49"
        )
    return cuff.model_copy(update={"pad": cuff.pad.model_copy(update=numbers)})


def _cycle_to_time_series(name: str, device: Model, driven: DrivenSegments, phase: Array | None) -> dict[str, Any]:
    """A series over the cycle, 0 to 1, as a series over time, without overshoot between its points; it rises to its first
    value while the person moves from standing to the first frame."""
    from scipy.interpolate import PchipInterpolator

    cycle_series, at = device.document.series[name], ErrorContext(f"series '{name}'")
    if abs(cycle_series.times[0]) > CYCLE_END_TOL or abs(cycle_series.times[-1] - 1.0) > CYCLE_END_TOL:
        at["times"].fail(
            f"go from {cycle_series.times[0]:g} to {cycle_series.times[-1]:g}, but it is worn over the cycle",
            expected="times from 0 to 1",
        )
    if phase is None or not np.isfinite(phase[driven.frames]).all():
        at.fail("is over the cycle, and the motion has none", expected="a walk with strikes of the foot")
    values = PchipInterpolator(cycle_series.times, cycle_series.values)(phase[driven.frames] % 1.0)
    rise = np.arange(driven.first) / driven.first
    lead = values[0] * rise**3 * (10 - 15 * rise + 6 * rise**2)
    return {"times": driven.times.tolist(), "values": np.concatenate([lead, values]).tolist(), "outside": "hold"}
