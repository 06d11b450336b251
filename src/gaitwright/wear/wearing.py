"""A device on a person as one model: segments that are driven, the device as it is drawn, and cuffs between them."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from gaitwright.checks import At
from gaitwright.gait.motion import Motion, quaternions
from gaitwright.gait.skeleton import Skeleton
from gaitwright.model.lower import Lowering
from gaitwright.model.model import Model
from gaitwright.model.worn_spec import PAIRED, Cuff, Worn
from gaitwright.wear.body_sizes import sizes, standing
from gaitwright.wear.driven import Driven, driven
from gaitwright.wear.pads_as_springs import pad_stiffness

Array = np.ndarray
LARGEST_PAD = 1.0
"""m: no pad is as thick, wide or high."""
DAMPING = 0.01
"""s, of cuffs unless given: damping over stiffness. OUR choice: a loss factor of 0.2 at 3 Hz."""
STIFF = {"type": "bushing", "stiffness": [1e6] * 3, "torsional_stiffness": [1e4] * 3, "damping": 1e-3}
"""A cuff of hard shell on bone, N/m and N m/rad, for rigid ones that leave the joints of a device no room."""
FARTHEST = 0.35
"""m, from the line of a segment: a cuff drawn farther away is not on it."""
OUTWARDS, MIDDLE = {"right": -1.0, "left": 1.0}, 0.01
"""Which way y goes there, and how far beyond the middle of the body, m, something of a leg may be drawn."""
PAD_UNITS = {"youngs_modulus": "Pa", "poissons_ratio": "1", "area": "m^2"}
"""Of the numbers of a pad that are no lengths."""
EDGE = 1e-6
"""Of a cycle: rounding of its ends."""


class Bound(NamedTuple):
    """A cuff on a segment. place: in the frame of the segment, m."""

    cuff: Cuff
    segment: str
    place: Array


class Put(NamedTuple):
    """model: of device and segments. device: the device alone, as it fits the person. mass: of the device, kg. stiff: rigid
    cuffs that are taken as stiff ones."""

    model: Model
    device: Model
    bound: list[Bound]
    driven: Driven
    mass: float
    stiff: tuple[str, ...] = ()


def element_of(cuff: str) -> str:
    """What a cuff is called in the model: a cuff may have the name of the body that it holds."""
    return f"cuff_{cuff}"


def worn_of(device: Any) -> Worn:
    """The section of a model that is a device."""
    if not isinstance(device, Model):
        At("device").fail(
            "is not given as a model", type(device).__name__, "a gw.Model with cuffs, or gw.wear.load(file)"
        )
    if device.document.worn is None:
        At(f"device '{device.document.name}'", "worn").fail(
            "is missing: nothing binds it to a person", expected="a section worn with cuffs, or model.cuff(...)"
        )
    return device.document.worn


def fitted(device: Model, skeleton: Skeleton) -> Model:
    """The device with the person's sizes for its parameters of these names; drawn on the right leg."""
    own = {name: value for name, value in sizes(skeleton).items() if name in device.document.parameters}
    return device.copy(**own)


def put(device: Model, motion: Motion, phase: Array | None = None, stiff: tuple[str, ...] = ()) -> Put:
    """The device on the right leg (or wherever its cuffs say) of a person in a motion. phase: (time,), in which part of the
    right foot's cycle each frame is, 0 to 1, for series over the cycle. stiff: rigid cuffs that are to be stiff."""
    device = fitted(device, motion.skeleton)
    worn, upright = worn_of(device), standing(motion.skeleton)
    scope = Lowering(device.document).read()
    cuffs = [cuff.model_copy(update=STIFF) if cuff.name in stiff else _in_numbers(cuff, scope) for cuff in worn.cuffs]
    bound = [_bound(cuff, scope, motion, upright) for cuff in cuffs]
    needed = list(dict.fromkeys(one.segment for one in bound))
    along = driven(motion, upright, needed)
    raw = device.to_dict()
    for section in ("worn", "outputs", "analysis"):
        raw.pop(section, None)
    taken = set(scope.parts) | set(scope.uses)
    for name in needed:
        At(f"body '{name}'", "name").unused(name, taken)
        _add_segment(raw, name, motion.skeleton, upright[name], along, [one for one in bound if one.segment == name])
    for one in bound:
        _add_cuff(raw, one, scope)
    for name in worn.over_cycle:
        raw["series"][name] = _over_cycle(name, device, along, phase)
    return Put(Model.from_dict(raw), device, bound, along, sum(part.mass for part in scope.parts.values()), stiff)


def _bound(cuff: Cuff, scope: Lowering, motion: Motion, upright: Any) -> Bound:
    at = At(f"cuff '{cuff.name}'")
    segment = f"right_{cuff.segment}" if cuff.segment in PAIRED else cuff.segment
    at["segment"].one_of(segment, motion.segments, "is not there: the person has no such segment")
    origin, rotation = upright[segment]
    if cuff.place is not None:
        return Bound(cuff, segment, np.array(scope.vector(cuff.place, at.element, "place")))
    owner, local = scope.point(cuff.at, at.element, "at")
    drawn = np.array(scope.part(owner).marker_drawn(local).position, dtype=float)
    place = rotation.T @ (drawn - origin)
    side = segment.partition("_")[0]
    if OUTWARDS.get(side, 0.0) * drawn[1] < -MIDDLE:
        at["at"].fail(
            f"is drawn on the other side of the body than the {segment.replace('_', ' ')}",
            [round(float(x), 3) for x in drawn],
            f"y {'below' if side == 'right' else 'above'} 0, which is to the {side}; what one leg wears is drawn on the right, "
            "and side: left puts its mirror image on the left",
        )
    near = _nearest(segment, motion.skeleton.segments[segment].length, place)
    off = float(np.linalg.norm(place - near))
    if off > FARTHEST:
        meant = np.round(origin + rotation @ near, 2).tolist()
        at["at"].fail(
            f"is drawn {off:.2f} m away from the {segment.replace('_', ' ')} of who stands upright",
            [round(float(x), 3) for x in drawn],
            f"a place near {meant}, m: x forward, y left, z up",
        )
    return Bound(cuff, segment, place)


def _nearest(segment: str, length: float, place: Array) -> Array:
    """Of a place in the frame of a segment, the nearest one on its line."""
    axis, low, high = (0, -0.3, 0.8) if segment.endswith("foot") else (1, -1.0, 0.0)
    if segment in ("pelvis", "trunk"):
        low, high = 0.0, 1.0
    near = np.zeros(3)
    near[axis] = np.clip(place[axis], low * length, high * length)
    return near


def _add_segment(raw: dict, name: str, skeleton: Skeleton, pose: Any, along: Driven, bound: list[Bound]) -> None:
    segment, (origin, rotation) = skeleton.segments[name], pose
    inertia = segment.inertia
    raw.setdefault("bodies", []).append({
        "name": name, "mass": float(segment.mass), "centre": segment.centre.tolist(),
        "inertia": [float(m) for m in (*np.diag(inertia), inertia[0, 1], inertia[0, 2], inertia[1, 2])],
        "at": origin.tolist(), "orientation": {"axes": rotation.T.tolist()},
        "points": {one.cuff.name: one.place.tolist() for one in bound},
    })  # fmt: skip
    place, turned = along.poses[name]
    columns = {**dict(zip("xyz", place.T, strict=True)), **dict(zip("wijk", quaternions(turned).T, strict=True))}
    series = raw.setdefault("series", {})
    for part, values in columns.items():
        series[f"{name}_{part}"] = {"times": along.times.tolist(), "values": values.tolist(), "outside": "hold"}
    raw.setdefault("drives", []).append({
        "type": "frame", "name": f"{name}_motion", "point": f"{name}.origin",
        **{axis: f"{name}_{axis}(t)" for axis in "xyz"}, "quaternion": [f"{name}_{part}(t)" for part in "wijk"],
    })  # fmt: skip


def _add_cuff(raw: dict, one: Bound, scope: Lowering) -> None:
    cuff, label = one.cuff, f"cuff '{one.cuff.name}'"
    ends = {"name": element_of(cuff.name), "a": f"{one.segment}.{cuff.name}", "b": cuff.at}
    if cuff.type == "rigid":
        raw.setdefault("joints", []).append({"type": "fixed", **ends})
        return
    along, about = cuff_stiffness(cuff, scope)
    loss = DAMPING if cuff.damping is None else scope.number(cuff.damping, label, "damping", "s")
    raw.setdefault("forces", []).append({
        "type": "bushing", **ends, "stiffness": list(along), "torsional_stiffness": list(about),
        "damping": [loss * k for k in along], "torsional_damping": [loss * k for k in about],
    })  # fmt: skip


def cuff_stiffness(cuff: Cuff, scope: Lowering) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Along, N/m, and about, N m/rad, the axes of the segment."""
    label = f"cuff '{cuff.name}'"
    if cuff.pad is None:
        about = [0.0] * 3 if cuff.torsional_stiffness is None else cuff.torsional_stiffness
        found = (
            scope.vector(cuff.stiffness, label, "stiffness", "N/m"),
            scope.vector(about, label, "torsional_stiffness", ""),
        )
        for field, values in zip(("stiffness", "torsional_stiffness"), found, strict=True):
            At(label, field).not_negative(min(values), "numbers that are at least 0")
        return found
    numbers = cuff.pad.model_dump(exclude_none=True)
    for field in ("thickness", "width", "height", "radius"):
        if (size := numbers.get(field, 0.0)) > LARGEST_PAD:
            at = At(label, f"pad.{field}")
            at.fail(
                "is larger than people",
                size,
                f"m, up to {LARGEST_PAD:g}; reads like mm: {1e-3 * size:g}, or {size:g} mm",
            )
    return pad_stiffness(numbers, numbers.pop("face"))


def _in_numbers(cuff: Cuff, scope: Lowering) -> Cuff:
    """With the numbers that expressions of its pad stand for."""
    if cuff.pad is None:
        return cuff
    given, label = cuff.pad.model_dump(exclude_none=True), f"cuff '{cuff.name}'"
    numbers = {
        name: scope.positive(value, label, f"pad.{name}", PAD_UNITS.get(name, "m"))
        for name, value in given.items()
        if name != "face"
    }
    if numbers["poissons_ratio"] >= 0.5:
        At(label, "pad.poissons_ratio").fail("is not below 1/2", numbers["poissons_ratio"], "a number from 0 to 0.49")
    return cuff.model_copy(update={"pad": cuff.pad.model_copy(update=numbers)})


def _over_cycle(name: str, device: Model, along: Driven, phase: Array | None) -> dict[str, Any]:
    """A series of the cycle, 0 to 1, as one of time, without overshoot between its points; it rises to its first value while
    the person goes from standing to the first frame."""
    from scipy.interpolate import PchipInterpolator

    given, at = device.document.series[name], At(f"series '{name}'")
    if abs(given.times[0]) > EDGE or abs(given.times[-1] - 1.0) > EDGE:
        at["times"].fail(
            f"go from {given.times[0]:g} to {given.times[-1]:g}, but it is worn over the cycle",
            expected="times from 0 to 1",
        )
    if phase is None or not np.isfinite(phase[along.frames]).all():
        at.fail("is over the cycle, and the motion has none", expected="a walk with strikes of the foot")
    values = PchipInterpolator(given.times, given.values)(phase[along.frames] % 1.0)
    rise = np.arange(along.first) / along.first
    lead = values[0] * rise**3 * (10 - 15 * rise + 6 * rise**2)
    return {"times": along.times.tolist(), "values": np.concatenate([lead, values]).tolist(), "outside": "hold"}
