"""What makes a mechanism a leg: its feet, its crank, its hip and the ground. The section `gait` of a model, in numbers."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitwright.checks import At, did_you_mean, offer
from gaitwright.errors import ModelError
from gaitwright.legs.centre_of_mass import weight
from gaitwright.legs.motor import Motor, read_motor
from gaitwright.legs.statistics import curve, statistics
from gaitwright.model.entries import said
from gaitwright.model.expressions import evaluate, parse, resolve_parameters
from gaitwright.model.grammar import at_time
from gaitwright.model.model import Model
from gaitwright.model.series import splines
from gaitwright.model.spec import Gait
from gaitwright.model.validate import validate_gait, validate_part
from gaitwright.system.mechanism import ConstraintNames, Mechanism
from gaitwright.system.signals import evaluate_program

if TYPE_CHECKING:
    from gaitwright.result.result import Result

GAIT = At("gait")
NUMBERS = ("penetration", "level", "period", "body_speed")
PENETRATION = 0.01
"""Of the lowest foot into the ground, as a part of the length of the leg, where neither it nor a level is given."""


@dataclass(frozen=True)
class Settings:
    """Of a leg. penetration, level: m, at most one of them. period: s. rate: rad/s, of the crank at the start. hip: the
    point; None stands for height 0. weight: N, of the whole leg. motor: of the crank, if there is one."""

    feet: tuple[str, ...]
    drive: str
    hip: str | None
    penetration: float | None
    level: float | None
    period: float
    rate: float
    body_speed: float | None
    law: dict[str, Any] | None
    friction: dict[str, Any] | None
    weight: float
    motor: Motor | None = None


def read_settings(model: Model, mechanism: Mechanism | None = None, **given: Any) -> Settings:
    """The settings of a model, with what is given instead. mechanism: of this model, if it is known."""
    require_plane(model.document.name, model.dimension)
    raw = model.to_dict()
    return _resolved(_fields(raw.get("gait", {}), given), raw, model.mechanism() if mechanism is None else mechanism)


def require_plane(name: str, dimension: int) -> None:
    """ModelError if a model is one of space: legs are analysed in the plane."""
    if dimension != 2:
        At(f"model '{name}'", "dimension").fail(
            "is a model in space; legs and walking are analysed in the plane",
            dimension,
            "2, or `gaitwright run` for this model",
        )


def settings_of(run: Result) -> Settings:
    """The settings of the model that a run is of."""
    raw = run.document or {}
    return _resolved(_fields(raw.get("gait", {}), {}), raw, run.mechanism)


def _resolved(fields: dict[str, Any], raw: dict[str, Any], mechanism: Mechanism) -> Settings:
    series = splines(raw.get("series", {}))
    parameters = resolve_parameters(raw.get("parameters", {}), series)

    def number(value: float | str, field: str) -> float:
        try:
            return evaluate(parse(value, frozenset(parameters), series), parameters, series)
        except ModelError as error:
            GAIT[field].fail(str(error))

    numbers = {name: number(fields[name], name) for name in NUMBERS if fields[name] is not None}
    if "penetration" in numbers and "level" in numbers:
        GAIT["penetration"].fail("is given besides a level", numbers["penetration"], "one of the two")
    if "penetration" in numbers:
        GAIT["penetration"].above_zero(numbers["penetration"], "how deep the lowest foot is in the ground, m")
    drive, names = _rotating(mechanism, fields["drive"])
    rate = float(evaluate_program(mechanism.signals[drive.signals[0]], 0.0)[1])
    if "period" not in numbers and rate == 0.0:
        GAIT["period"].fail(f"drive '{names.name}' does not turn at the start", expected="the time of a turn, s")
    period = numbers["period"] if "period" in numbers else 2 * math.pi / abs(rate)
    GAIT["period"].above_zero(period, "the time of a turn, s")
    law = fields["law"]
    if law is not None and "restitution" in law:  # runs are known by its value
        law = {**law, "restitution": number(law["restitution"], "law.restitution")}
    return Settings(
        feet=tuple(_point(mechanism, foot, "feet") for foot in fields["feet"]),
        drive=names.name,
        hip=_hip(mechanism, fields["hip"]),
        penetration=numbers.get("penetration"),
        level=numbers.get("level"),
        period=period,
        rate=rate,
        body_speed=numbers.get("body_speed"),
        law=law,
        friction=fields["friction"],
        weight=weight(mechanism),
        motor=read_motor(fields["motor"], number),
    )


def _fields(known: dict[str, Any], given: dict[str, Any]) -> dict[str, Any]:
    """The section of the model and what is given instead of it, as fields."""
    given = {name: said(value) for name, value in given.items() if value is not None}
    if "motor" in given:
        motor = read_motor(given["motor"])
        given["motor"] = motor and motor.entry()
    if isinstance(given.get("feet"), str):
        given["feet"] = [given["feet"]]
    if "feet" in given:
        if not isinstance(given["feet"], (list, tuple)):
            GAIT["feet"].fail("is not a point, or several", given["feet"], "the name of a point such as 'F', or a list")
        given["feet"] = list(given["feet"])
        if len(set(given["feet"])) < len(given["feet"]):
            GAIT["feet"].fail("the same foot is given twice", given["feet"], "different points")
    for one, other in (("penetration", "level"), ("level", "penetration")):
        if one in given and other not in given:
            given[other] = None
    if not {**known, **given}.get("feet"):
        GAIT["feet"].fail(
            "the model does not say which point is its foot",
            expected="a section such as gait: {feet: [F]}, --foot F, or feet='F'",
        )
    return validate_gait(validate_part(Gait, "gait", {**known, **given})).model_dump()


def _rotating(mechanism: Mechanism, name: str | None) -> tuple[Any, ConstraintNames]:
    """The drive that turns the crank."""
    pairs = zip(mechanism.constraints, mechanism.constraint_names, strict=True)
    turning = [(e, names) for e, names in pairs if names.kind == "drive" and names.declaration.turns]
    found = [pair for pair in turning if name in (None, pair[1].name)]
    if len(found) != 1:
        known = [names.name for _, names in turning]
        problem = "there is no such rotating drive" if name else "it is not clear which drive turns the crank"
        if not turning:
            GAIT["drive"].fail(
                "the model has no drive that turns a crank",
                name,
                "a drive such as {type: rotation, body: crank, angle: 2*pi*t}",
            )
        GAIT["drive"].fail(problem, name, offer(name, known))
    return found[0]


def _point(mechanism: Mechanism, reference: str, field: str) -> str:
    """A moving point that outputs know under this name."""
    owner, _, point = reference.rpartition(".")
    carried = any(owner in ("", name) and point in part.points for name, part in mechanism.parts.items())
    if reference in mechanism.ground_points or not carried:
        known = sorted({p for b in mechanism.body_names.values() for p in b.points} - set(mechanism.ground_points))
        GAIT[field].fail(
            "there is no such moving point",
            reference,
            f"one of {', '.join(known)}, or link.point{did_you_mean(reference, known)}",
        )
    return reference


def _hip(mechanism: Mechanism, reference: str | None) -> str | None:
    if reference is None or reference.removeprefix("ground.") in mechanism.ground_points:
        return reference and reference.removeprefix("ground.")
    return _point(mechanism, reference, "hip")


def hip_height(mechanism: Mechanism, turn: Any, hip: str | None) -> float:
    """Height of the hip, m; its mean if it moves."""
    if hip is None:
        return 0.0
    if hip in mechanism.ground_points:
        return float(mechanism.ground_points[hip][1])
    return statistics(curve(turn.time, turn.values(f"{hip}.y")), [(float(turn.time[0]), float(turn.time[-1]))]).mean


def turning(model: Model) -> tuple[float, float]:
    """Turns per second of a leg's crank, counter-clockwise positive, on average over its period; and by which part its speed
    departs from that. ModelError if it swings to and fro."""
    settings, mechanism = read_settings(model), model.mechanism()
    drive, _ = _rotating(mechanism, settings.drive)
    angle, rate, _ = evaluate_program(
        mechanism.signals[drive.signals[0]], np.linspace(0.0, settings.period, SAMPLES + 1)
    )
    mean = float(angle[-1] - angle[0]) / settings.period
    if round(abs(angle[-1] - angle[0]) / (2 * math.pi)) < 1:
        At(f"drive '{settings.drive}'", "angle").fail(
            "swings to and fro", expected="one that turns round, or a speed: turns_per_second and clockwise"
        )
    return mean / (2 * math.pi), float(np.abs(rate / mean - 1).max())


def period_of(model: Model) -> float | str:
    """The time of a turn, s, as an expression of the model's parameters where there is one, so that it follows them: what the
    section `gait` says, or how long an evenly turning crank takes. Else the number that it is now."""
    settings, gait = read_settings(model), model.document.gait
    if gait is not None and gait.period is not None:
        return gait.period
    angle = next(
        (d.get("angle") for d in model.document.drives if settings.drive in (d.get("name"), d.get("body"))), None
    )
    if not isinstance(angle, str) or turning(model)[1] > EVEN:
        return settings.period
    begin, end = (at_time(angle, t) for t in ("0", "1"))
    return f"2*pi/abs(({end}) - ({begin}))"


EVEN = 1e-12
SAMPLES = 100
"""Times in a turn at which the speed of a crank is looked at."""
