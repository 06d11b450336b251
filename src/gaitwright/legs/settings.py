"""Settings of a leg: feet, crank, hip and ground, from the section `gait` of a model."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitwright._core.error_context import ErrorContext, format_choices, suggest_spelling
from gaitwright._core.errors import ModelError
from gaitwright.legs.centre_of_mass import weight
from gaitwright.legs.motor import Motor, read_motor
from gaitwright.legs.phase_statistics import compute_statistics, fit_spline
from gaitwright.mechanism.mechanism import ConstraintNames, Mechanism
from gaitwright.mechanism.signals import evaluate_program
from gaitwright.model.expressions import evaluate, parse, resolve_parameters
from gaitwright.model.grammar import substitute_time
from gaitwright.model.model import Model
from gaitwright.model.serialisation import choice_entry
from gaitwright.model.series import build_splines
from gaitwright.model.spec.document import GaitSpec
from gaitwright.model.spec.validation import validate_gait, validate_part

if TYPE_CHECKING:
    from gaitwright.result.result import Result

GAIT_CONTEXT = ErrorContext("gait")
NUMBER_FIELDS = ("penetration", "level", "period", "body_speed")
DEFAULT_PENETRATION_RATIO = 0.01
"""Default penetration of the lowest foot into the ground, relative to the leg length, if no level is given."""


@dataclass(frozen=True)
class LegSettings:
    """Settings of a leg. penetration, level: m, at most one is given. period: s. rate: speed of the crank at the start, rad/s.
    hip: name of the point; None for height 0. body_speed: m/s. weight: of the whole leg, N. motor: of the crank, or None."""

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


def read_settings(model: Model, mechanism: Mechanism | None = None, **replacements: Any) -> LegSettings:
    """Settings of a model. replacements: values that replace those of the section `gait`. mechanism: of this model, if it
    is already built. Raises ModelError."""
    require_plane(model.document.name, model.dimension)
    raw = model.to_dict()
    return _resolve_settings(
        _merge_fields(raw.get("gait", {}), replacements), raw, model.mechanism() if mechanism is None else mechanism
    )


def require_plane(name: str, dimension: int) -> None:
    """Raise ModelError for a model in space: legs are analysed in the plane."""
    if dimension != 2:
        ErrorContext(f"model '{name}'", "dimension").fail(
            "is a model in space; legs and walking are analysed in the plane",
            dimension,
            "2, or `gaitwright run` for this model",
        )


def settings_of_run(run: Result) -> LegSettings:
    """Settings of the model of a run."""
    raw = run.document or {}
    return _resolve_settings(_merge_fields(raw.get("gait", {}), {}), raw, run.mechanism)


def _resolve_settings(fields: dict[str, Any], raw: dict[str, Any], mechanism: Mechanism) -> LegSettings:
    series = build_splines(raw.get("series", {}))
    parameters = resolve_parameters(raw.get("parameters", {}), series)

    def number(value: float | str, field: str) -> float:
        try:
            return evaluate(parse(value, frozenset(parameters), series), parameters, series)
        except ModelError as error:
            GAIT_CONTEXT[field].fail(str(error))

    numbers = {name: number(fields[name], name) for name in NUMBER_FIELDS if fields[name] is not None}
    if "penetration" in numbers and "level" in numbers:
        GAIT_CONTEXT["penetration"].fail("is given besides a level", numbers["penetration"], "one of the two")
    if "penetration" in numbers:
        GAIT_CONTEXT["penetration"].above_zero(numbers["penetration"], "how deep the lowest foot is in the ground, m")
    drive, names = _find_crank(mechanism, fields["drive"])
    rate = float(evaluate_program(mechanism.signals[drive.signals[0]], 0.0)[1])
    if "period" not in numbers and rate == 0.0:
        GAIT_CONTEXT["period"].fail(
            f"drive '{names.name}' does not turn at the start", expected="the time of a turn, s"
        )
    period = numbers["period"] if "period" in numbers else 2 * math.pi / abs(rate)
    GAIT_CONTEXT["period"].above_zero(period, "the time of a turn, s")
    law = fields["law"]
    if law is not None and "restitution" in law:  # runs are identified by its value
        law = {**law, "restitution": number(law["restitution"], "law.restitution")}
    return LegSettings(
        feet=tuple(_require_point(mechanism, foot, "feet") for foot in fields["feet"]),
        drive=names.name,
        hip=_require_hip(mechanism, fields["hip"]),
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


def _merge_fields(section: dict[str, Any], replacements: dict[str, Any]) -> dict[str, Any]:
    """Fields of the section `gait` with given values replaced, validated."""
    replacements = {name: choice_entry(value) for name, value in replacements.items() if value is not None}
    if "motor" in replacements:
        motor = read_motor(replacements["motor"])
        replacements["motor"] = motor and motor.entry()
    if isinstance(replacements.get("feet"), str):
        replacements["feet"] = [replacements["feet"]]
    if "feet" in replacements:
        if not isinstance(replacements["feet"], (list, tuple)):
            GAIT_CONTEXT["feet"].fail(
                "is not a point, or several", replacements["feet"], "the name of a point such as 'F', or a list"
            )
        replacements["feet"] = list(replacements["feet"])
        if len(set(replacements["feet"])) < len(replacements["feet"]):
            GAIT_CONTEXT["feet"].fail("the same foot is given twice", replacements["feet"], "different points")
    for field, alternative in (("penetration", "level"), ("level", "penetration")):
        if field in replacements and alternative not in replacements:
            replacements[alternative] = None
    if not {**section, **replacements}.get("feet"):
        GAIT_CONTEXT["feet"].fail(
            "the model does not say which point is its foot",
            expected="a section such as gait: {feet: [F]}, --foot-point F, or feet='F'",
        )
    return validate_gait(validate_part(GaitSpec, "gait", {**section, **replacements})).model_dump()


def _find_crank(mechanism: Mechanism, name: str | None) -> tuple[Any, ConstraintNames]:
    """Drive of the crank: the named one, or the only rotating drive. Raises ModelError."""
    pairs = zip(mechanism.constraints, mechanism.constraint_names, strict=True)
    rotating_drives = [(e, names) for e, names in pairs if names.kind == "drive" and names.declaration.turns]
    matching = [pair for pair in rotating_drives if name in (None, pair[1].name)]
    if len(matching) != 1:
        drive_names = [names.name for _, names in rotating_drives]
        problem = "there is no such rotating drive" if name else "it is not clear which drive turns the crank"
        if not rotating_drives:
            GAIT_CONTEXT["drive"].fail(
                "the model has no drive that turns a crank",
                name,
                "a drive such as {type: rotation, body: crank, angle: 2*pi*t}",
            )
        GAIT_CONTEXT["drive"].fail(problem, name, format_choices(name, drive_names))
    return matching[0]


def _require_point(mechanism: Mechanism, reference: str, field: str) -> str:
    """Return the name of a moving point. Raises ModelError if there is no such point."""
    owner, _, point = reference.rpartition(".")
    is_carried = any(owner in ("", name) and point in part.points for name, part in mechanism.parts.items())
    if reference in mechanism.ground_points or not is_carried:
        point_names = sorted(
            {p for b in mechanism.body_names.values() for p in b.points} - set(mechanism.ground_points)
        )
        GAIT_CONTEXT[field].fail(
            "there is no such moving point",
            reference,
            f"one of {', '.join(point_names)}, or link.point{suggest_spelling(reference, point_names)}",
        )
    return reference


def _require_hip(mechanism: Mechanism, reference: str | None) -> str | None:
    if reference is None or reference.removeprefix("ground.") in mechanism.ground_points:
        return reference and reference.removeprefix("ground.")
    return _require_point(mechanism, reference, "hip")


def hip_height(mechanism: Mechanism, turn: Any, hip: str | None) -> float:
    """Height of the hip, m; its mean over the turn if it moves."""
    if hip is None:
        return 0.0
    if hip in mechanism.ground_points:
        return float(mechanism.ground_points[hip][1])
    return compute_statistics(
        fit_spline(turn.time, turn.array(f"{hip}.y")), [(float(turn.time[0]), float(turn.time[-1]))]
    ).mean


def measure_crank_speed(model: Model) -> tuple[float, float]:
    """Mean speed of a leg's crank over its period, turns per second, counter-clockwise positive; and the largest relative
    deviation of the speed from it. Raises ModelError if the crank swings to and fro."""
    settings, mechanism = read_settings(model), model.mechanism()
    drive, _ = _find_crank(mechanism, settings.drive)
    angle, rate, _ = evaluate_program(
        mechanism.signals[drive.signals[0]], np.linspace(0.0, settings.period, CRANK_SPEED_SAMPLES + 1)
    )
    mean = float(angle[-1] - angle[0]) / settings.period
    if round(abs(angle[-1] - angle[0]) / (2 * math.pi)) < 1:
        ErrorContext(f"drive '{settings.drive}'", "angle").fail(
            "swings to and fro", expected="one that turns round, or a speed: turns_per_second and clockwise"
        )
    return mean / (2 * math.pi), float(np.abs(rate / mean - 1).max())


def period_expression(model: Model) -> float | str:
    """Time of a turn, s, if possible as an expression of the model's parameters, so that it changes with them: that of the
    section `gait`, or the period of a crank with constant speed; otherwise the current number."""
    settings, gait = read_settings(model), model.document.gait
    if gait is not None and gait.period is not None:
        return gait.period
    angle = next(
        (d.get("angle") for d in model.document.drives if settings.drive in (d.get("name"), d.get("body"))), None
    )
    if not isinstance(angle, str) or measure_crank_speed(model)[1] > EVEN_SPEED_RTOL:
        return settings.period
    begin, end = (substitute_time(angle, t) for t in ("0", "1"))
    return f"2*pi/abs(({end}) - ({begin}))"


EVEN_SPEED_RTOL = 1e-12
CRANK_SPEED_SAMPLES = 100
"""Number of intervals of a turn; the speed of a crank is evaluated at their ends."""
