"""Measurement of a walk: speed, bounce, slip, footfalls, torque and cost over the last whole turns of the cranks.

speed                distance of the body along x / time
bounce, pitch        range of the body's height and angle
slip                 distance that feet slide on the ground
duty                 part of the time that a foot is on the ground
torque               sum of all drives, which act as one shaft; positive in the direction of turning
energy               integral of |P| of that shaft (paper 003 Eq 2.20); its positive and negative work
cost of transport    energy / (weight x distance)
sinkage              depth of the feet below the surface: at rest under their mean load, and the largest
scuffing             greatest distance that a foot slides forward on the ground / distance of the body
sampling error       relative error of torque and energy, which are sums over the outputs
balance              work = lost in contacts, joints and dampers + change of kinetic and potential energy + residual

Each number is declared once, in `WALK_NUMBERS` (legs/walk_numbers.py). Scuffing and cost of transport apply only to a machine
that walks on its legs; for one that slides they are NaN, with the reason in `not_applicable`. Cost of transport is also NaN if
gravity moves the machine downhill.

A walk is steady if a turn equals the turn before; `steadiness` is the difference of the distances of the last two turns.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitwright._core.error_context import ErrorContext
from gaitwright._core.errors import ModelError
from gaitwright.legs.ground_check import STIFFNESS_FACTOR, GroundCheck, compare_walks, stiffen_ground
from gaitwright.legs.motor import Motor, read_motor
from gaitwright.legs.motor_use import MotorUse, compute_shaft_use
from gaitwright.legs.settings import require_plane
from gaitwright.legs.sinkage import MAX_SINKAGE_RATIO, MAX_STATIC_SINKAGE_RATIO
from gaitwright.legs.turn_numbers import LegQuantity, plain_values
from gaitwright.legs.walk_numbers import (
    MAX_STANDING_DISTANCE_M,
    WALK_NUMBERS,
    MeasuredTurns,
    contact_intervals,
    inapplicable_reasons,
)
from gaitwright.model.expressions import evaluate, parse, resolve_parameters
from gaitwright.model.model import Model
from gaitwright.model.series import build_splines

if TYPE_CHECKING:
    import pandas as pd

    from gaitwright.result.result import Result

FULL_TURN_RAD = 2.0 * np.pi
MAX_SLIP_RATIO = 0.05
"""Slip of a foot over the distance of the body above which a warning is given."""
MAX_SAMPLING_ERROR = 0.01
"""Relative error of the torque and its work from the spacing of the outputs above which a warning is given."""
MAX_STEADINESS_RATIO = 0.02
"""Difference of the last two turns over their distance above which a warning is given."""


@dataclass(frozen=True)
class Walk:
    """Result of `measure_walk`. begin, end: s, limits of the measured whole turns. numbers: by name, with unit and meaning
    (WALK_NUMBERS); NaN if a number does not apply. feet: FOOT_NUMBERS by contact. not_applicable: reason by name of number.
    motor: load of the motor on the shaft, if one was given. ground_check: comparison with a stiffer ground, if `check_ground`
    made it."""

    body: str
    contacts: tuple[str, ...]
    drives: tuple[str, ...]
    begin: float
    end: float
    turns: int
    numbers: dict[str, LegQuantity]
    feet: dict[str, dict[str, float]]
    run: Result = field(repr=False)
    not_applicable: dict[str, str] = field(default_factory=dict)
    motor: MotorUse | None = field(default=None, repr=False)
    ground_check: GroundCheck | None = field(default=None, repr=False)

    def __getitem__(self, name: str) -> float:
        if name not in self.numbers:
            raise ModelError(f"there is no number '{name}'", expected=f"one of {', '.join(self.numbers)}")
        return self.numbers[name].value

    def header(self) -> tuple[str, ...]:
        """Column names of `rows`."""
        change = (f"stiffness x {self.ground_check.factor:g}",) if self.ground_check else ()
        return ("quantity", "value", "unit", *change, "meaning")

    def rows(self) -> list[tuple[float | str, ...]]:
        """All numbers for tables: name, value or "not applicable", unit, change on a stiffer ground if that was checked,
        meaning."""
        changes = self.ground_check.changes if self.ground_check else {}

        def change(name: str) -> tuple[str, ...]:
            return (f"{100 * changes[name]:+.1f} %" if name in changes else "",) if self.ground_check else ()

        return [
            (
                name.replace("_", " "), "not applicable" if name in self.not_applicable else q.value, q.unit, *change(name),
                q.text,
            )
            for name, q in self.numbers.items()
        ]  # fmt: skip

    def measures(self) -> dict[str, float]:
        """All numbers by name, including those of the motor: for design methods with an analysis function."""
        return plain_values(self.numbers) | (plain_values(self.motor.numbers) if self.motor else {})

    def unit_of(self, name: str) -> str:
        """Unit of a number of `measures`."""
        return (self.numbers.get(name) or (self.motor.numbers if self.motor else {})[name]).unit

    def table(self) -> pd.DataFrame:
        """All numbers: value (NaN if it does not apply), unit, meaning."""
        import pandas as pd

        return pd.DataFrame.from_dict(self.numbers, orient="index", columns=["value", "unit", "meaning"])

    def feet_table(self) -> pd.DataFrame:
        """Table of FOOT_NUMBERS with a row per foot."""
        import pandas as pd

        return pd.DataFrame.from_dict(self.feet, orient="index")

    def footfalls(self, *, measured: bool = False) -> dict[str, list[tuple[float, float]]]:
        """Intervals in which each foot was on the ground, (from, to), s: over the run, or over the measured turns."""
        first, last = (self.begin, self.end) if measured else (float(self.run.time[0]), float(self.run.time[-1]))
        return {name: contact_intervals(self.run, name, first, last) for name in self.contacts}

    def feet_down(self) -> np.ndarray:
        """Number of feet on the ground at the times of the run, (n_times,)."""
        t = self.run.time
        return sum(
            # a foot on the ground at the end of the run counts at the last time, too
            (
                ((t >= begin) & ((t < end) | (end >= t[-1]))).astype(int)
                for bars in self.footfalls().values()
                for begin, end in bars
            ),
            np.zeros(t.size, dtype=int),
        )

    def curves(self) -> dict[str, tuple[np.ndarray, str]]:
        """Speed, height and pitch of the body, torque of the shaft and feet on the ground over time: name to (values, unit)."""
        run, body = self.run, self.body
        return {
            "speed": (run.array(f"{body}.vx"), "m/s"),
            "height": (run.array(f"{body}.y"), "m"),
            "pitch": (np.degrees(run.array(f"{body}.angle")), "deg"),
            "torque": (shaft_torque(run, self.drives), "N m"),
            "feet down": (self.feet_down().astype(float), "1"),
        }

    def plot(self, path: str | Path | None = None) -> Any:
        """Plot the paths of body and feet, the curves, and the footfalls as a Hildebrand diagram. Returns a matplotlib
        Figure."""
        from gaitwright.report.figures.footfall_plot import plot_walk

        run, mechanism, feet = self.run, self.run.mechanism, {}
        for names in mechanism.contact_names:
            if names.name in self.contacts:
                feet[names.name] = mechanism.part(names.bodies[1]).position(run.motion.q, names.place)
        body_path = np.stack([run.array(f"{self.body}.x"), run.array(f"{self.body}.y")], axis=1)
        window = (self.begin, self.end)
        return plot_walk(mechanism.name, run.time, body_path, feet, self.curves(), self.footfalls(), window, to=path)

    def warnings(self) -> list[str]:
        """Warnings about the run, numbers that do not apply, soft ground, slip, steadiness, the check of the ground and the
        motor: one sentence each."""
        warnings, distance = list(self.run.evidence.warnings), abs(self["distance"])
        for reason in dict.fromkeys(self.not_applicable.values()):
            names = [
                name.replace("_", " ") for name, stated_reason in self.not_applicable.items() if stated_reason == reason
            ]
            warnings.append(f"{reason}; not applicable: {', '.join(names)}")
        warnings += self._soft_ground()
        slips = {name: foot["slip"] for name, foot in self.feet.items() if foot["slip"] > MAX_SLIP_RATIO * distance}
        if slips and "scuffing" not in self.not_applicable:
            worst = max(slips, key=lambda name: slips[name])
            others = f", and {len(slips) - 1} others slide, too" if len(slips) > 1 else ""
            part = f", {100 * slips[worst] / distance:.0f} % of the way of the body" if distance > slips[worst] else ""
            warnings.append(
                f"the foot '{worst}' slides {1e3 * slips[worst]:.3g} mm over the ground in each turn{part}{others}: feet that "
                "move forward on the ground scuff it"
            )
        if distance > MAX_STANDING_DISTANCE_M and self["steadiness"] > MAX_STEADINESS_RATIO * distance:
            warnings.append(
                f"the walk is not steady: the last two turns differ by {1e3 * self['steadiness']:.3g} mm of "
                f"{1e3 * distance:.3g} mm; simulate a longer walk, or measure more turns"
            )
        if self["sampling_error"] > MAX_SAMPLING_ERROR:
            spacing = 1e3 * float(np.median(np.diff(self.run.time)))
            warnings.append(
                f"the outputs, one every {spacing:.3g} ms, are too far apart for the impacts of the feet: torque, its work and "
                f"forces are inexact by about {100 * self['sampling_error']:.2g} % (limit {100 * MAX_SAMPLING_ERROR:g} %); "
                "analyse with a smaller output_step, or give a softer ground"
            )
        warnings += self.ground_check.warning() if self.ground_check else []
        return [*warnings, *(self.motor.problems() if self.motor else [])]

    def check_ground(self, factor: float = STIFFNESS_FACTOR, *, progress: Any = None) -> Walk:
        """The same walk with `ground_check`: the model is analysed again on a ground `factor` times as stiff, which takes as
        long as the first run. `warnings()` lists numbers that change by more than 3 %. A rigid ground, which has no law, is not
        compared. Raises ModelError if the run has no model."""
        if self.run.document is None:
            ErrorContext("walk", "run").fail("has no model to analyse again", expected="a result of Model.analyse")
        ErrorContext("walk", "factor").positive(factor)
        model = stiffen_ground(Model.from_dict(self.run.document), factor)
        if model is None:
            return self
        stiffer_walk = measure_walk(
            model.analyse(progress=progress),
            body=self.body,
            contacts=self.contacts,
            drives=self.drives,
            turns=self.turns,
        )
        return replace(self, ground_check=compare_walks(self.numbers, stiffer_walk.numbers, factor))

    def _soft_ground(self) -> list[str]:
        """Warnings for sinkages that are large in relation to the leg length."""
        warnings = []
        for name, limit, subject in (
            ("sinkage_static", MAX_STATIC_SINKAGE_RATIO, "a standing foot sinks"),
            ("sinkage_largest", MAX_SINKAGE_RATIO, "a foot sinks at most"),
        ):
            ratio = self[name] / self["leg_length"]
            if ratio > limit:
                warnings.append(
                    f"the ground is soft: {subject} {1e3 * self[name]:.3g} mm into it, {100 * ratio:.2g} % of the leg length "
                    f"(limit {100 * limit:g} %); give the ground a larger stiffness"
                )
        return warnings

    def on_motor(self, motor: Motor | dict[str, Any]) -> MotorUse:
        """Load of one motor on the common shaft of all cranks over the measured turns. Raises ModelError without a motor."""
        checked = read_motor(motor)
        if checked is None:
            ErrorContext("walk", "motor").fail("is not given", expected="gw.Motor(...)")
        return compute_shaft_use(checked, self.run, self.drives, self.begin, self.end, self.turns)

    def summary(self) -> dict[str, Any]:
        """All numbers as plain data, for JSON."""
        return {
            "name": self.run.mechanism.name,
            "warnings": self.warnings(),
            **({"motor": self.motor.summary()} if self.motor else {}),
            "begin": self.begin,
            "end": self.end,
            "turns": self.turns,
            "numbers": {name: quantity.value for name, quantity in self.numbers.items()},
            "units": {name: quantity.unit for name, quantity in self.numbers.items()},
            "not_applicable": self.not_applicable,
            **({"ground_check": self.ground_check.summary()} if self.ground_check else {}),
            "feet": self.feet,
        }

    def report(self, path: str | Path) -> dict[str, Path]:
        """Write one web page with animation, footfalls, speed, height, torque and numbers, and files with figures and tables.
        Returns the written files."""
        from gaitwright.report.views.pages.walk_page import walk_report

        return walk_report(self).save(Path(path))

    def _repr_html_(self) -> str | None:
        """HTML card for notebooks; None if it cannot be shown."""
        from gaitwright.report.views.notebook_cards import walk_card

        return walk_card(self)

    def __repr__(self) -> str:
        cost = "not applicable" if "cost_of_transport" in self.not_applicable else f"{self['cost_of_transport']:.3g}"
        numbers = f"{self['speed']:.4g} m/s, {self['distance']:.4g} m per turn, cost {cost}"
        warnings = "".join(f"\n  warning: {text}" for text in self.warnings())
        return f"<Walk of '{self.run.mechanism.name}': {numbers}, over {self.turns} turns{warnings}>"


def measure_walk(
    run: Result,
    *,
    body: str = "body",
    contacts: Sequence[str] | None = None,
    drives: Sequence[str] | None = None,
    turns: int = 1,
    motor: Any = None,
) -> Walk:
    """Measure the last whole `turns` of the cranks.

    body: name of the body that carries the legs; speed, height and pitch are measured on it. contacts: the feet; all contacts
    unless given. drives: of the cranks, of which the first one defines a turn; all drives unless given. motor: gw.Motor(...) on
    the common shaft of the drives; that of the section `gait` unless given. Raises ModelError for names that the model does not
    have, and for more turns than the run has."""
    require_plane(run.mechanism.name, run.mechanism.dimension)
    feet = tuple(run.contact_names() if contacts is None else contacts)
    shafts = tuple(run.balance.drive_power if drives is None else drives)
    _require_names(run, body, feet, shafts)
    measured = MeasuredTurns(
        run, body, feet, shafts, _turn_ends(run, shafts[0], turns), turns, shaft_torque(run, shafts)
    )
    begin, end, reasons = measured.begin, measured.end, inapplicable_reasons(measured)
    numbers = {
        name: LegQuantity(np.nan if name in reasons else number.of(measured), number.unit, number.description)
        for name, number in WALK_NUMBERS.items()
    }
    chosen_motor = read_motor(motor) or read_model_motor(run.document)
    motor_use = compute_shaft_use(chosen_motor, run, shafts, begin, end, turns) if chosen_motor else None
    return Walk(body, feet, shafts, begin, end, turns, numbers, measured.feet, run, reasons, motor_use)


def read_model_motor(document: dict[str, Any] | None) -> Motor | None:
    """Motor in the section `gait` of a model; None if there is none."""
    gait = (document or {}).get("gait") or {}
    if not gait.get("motor"):
        return None
    series = build_splines((document or {}).get("series", {}))
    parameters = resolve_parameters((document or {}).get("parameters", {}), series)
    return read_motor(
        gait["motor"], lambda value, _: evaluate(parse(value, frozenset(parameters), series), parameters, series)
    )


def shaft_torque(run: Result, drives: Sequence[str]) -> np.ndarray:
    """Sum of the torques of rotating drives, (n_times,), N m, positive in the direction in which the first one turns."""
    angle = _drive_angle(run, drives[0])
    torque = sum((run.array(f"{name}.torque") for name in drives), np.zeros(run.time.size))
    return torque * (np.sign(angle[-1] - angle[0]) or 1.0)


# Turns --------------------------------------------------------------------------------------------------------------


def _require_names(run: Result, body: str, contacts: Sequence[str], drives: Sequence[str]) -> None:
    """Raise ModelError if a name is not in the model, or if there are no contacts or drives."""
    names_by_kind = {
        "body": list(run.mechanism.body_names),
        "contacts": run.contact_names(),
        "drives": list(run.balance.drive_power),
    }
    for kind, names in (("body", [body]), ("contacts", contacts), ("drives", drives)):
        context, expected = ErrorContext("walk", kind), f"one of {', '.join(names_by_kind[kind]) or '(none)'}"
        if not names:
            context.fail("a walk needs at least one", expected=expected)
        for name in names:
            if name not in names_by_kind[kind]:
                context.fail("is not in the model", name, expected)


def _drive_angle(run: Result, drive: str) -> np.ndarray:
    """Angle of a rotating drive over time, rad."""
    names = next(c for c in run.mechanism.constraint_names if c.kind == "drive" and c.name == drive)
    if f"{drive}.torque" not in run.names:
        ErrorContext("walk", "drives").fail("does not rotate, so it has no turns", drive, "a rotating drive")
    angles = [run.array(f"{owner}.angle") if owner != "ground" else np.zeros(run.time.size) for owner in names.bodies]
    return angles[-1] - (angles[0] if len(angles) > 1 else 0.0)


def _turn_ends(run: Result, drive: str, turns: int) -> np.ndarray:
    """Times, s, at the ends of whole turns, counted back from the end of the run; at least turns + 1 of them. Raises ModelError
    if the run has fewer turns."""
    angle = _drive_angle(run, drive)
    remaining = np.abs(angle[-1] - angle)
    if np.any(np.diff(remaining) > 0):
        last = int(np.flatnonzero(np.diff(remaining) > 0)[-1]) + 1
        remaining, t = remaining[last:], run.time[last:]  # the part in which it turns in one direction only
    else:
        t = run.time
    turn_count = int(np.floor(remaining[0] / FULL_TURN_RAD + 1e-9))
    if not isinstance(turns, int) or not 1 <= turns <= turn_count:
        ErrorContext("walk", "turns").fail(
            f"the run has {turn_count} whole turns of '{drive}'",
            turns,
            "a whole number of at least 1, and a run with as many turns",
        )
    return np.interp(-FULL_TURN_RAD * np.arange(turn_count, -1, -1.0), -remaining, t)
