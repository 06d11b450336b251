"""How a machine walks: speed, bounce, slip, footfalls, torque and cost over the last whole turns of its cranks.

speed                distance of the body along x / time
bounce, pitch        range of the body's height and angle
slip                 way that feet slid over the ground while they were on it
duty                 part of the time that a foot is on the ground
torque               of all drives together, positive in the direction of turning: they are one shaft
energy               integral of |P| of that shaft (paper 003 Eq 2.20), beside its positive and negative work
cost of transport    energy / (weight x distance)
sinkage              depth of the feet below the surface: at rest under their mean load, and the largest
scuffing             greatest distance that a foot slides forward on the ground / distance of the body
balance              work = lost in contacts, joints and dampers + change of kinetic and potential energy + residual

Each number is declared once, in `WALK_NUMBERS` (legs/walk_numbers.py). Cost of transport and scuffing are those of a machine
that walks by its legs: of one that slides, or that gravity carries downhill, they are NaN, with a reason in `not_applicable`.

A turn like the turn before is the steady walk; `steadiness` says by how much the distances of the last two differ.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitwright.checks import At
from gaitwright.errors import ModelError
from gaitwright.legs.ground_check import FACTOR, GroundCheck, compared, stiffer
from gaitwright.legs.motor import Motor, read_motor
from gaitwright.legs.motor_use import MotorUse, shaft_use
from gaitwright.legs.numbers import Quantity, values_of
from gaitwright.legs.settings import require_plane
from gaitwright.legs.sinkage import LARGEST_LIMIT, STATIC_LIMIT
from gaitwright.legs.walk_numbers import STILL_M, WALK_NUMBERS, MeasuredTurns, closed_times, not_applicable
from gaitwright.model.expressions import evaluate, parse, resolve_parameters
from gaitwright.model.model import Model
from gaitwright.model.series import splines

if TYPE_CHECKING:
    import pandas as pd

    from gaitwright.result.result import Result

TURN = 2.0 * np.pi
SCUFFS = 0.05
"""Part of the way of the body that a foot may slide on the ground without a word."""
UNSTEADY = 0.02
"""Part of the way by which the last two turns may differ without a word."""


@dataclass(frozen=True)
class Walk:
    """What `measure_walk` found. begin, end: s, of the whole turns that were measured. numbers: by name, with unit and
    meaning (WALK_NUMBERS); NaN where a number does not apply. feet: by contact, FOOT_NUMBERS. not_applicable: by name, why a
    number does not apply. motor: what the walk asks of the motor on the shaft, if one was given. ground_check: the numbers on a
    ground twice as stiff, if `check_ground` compared them."""

    body: str
    contacts: tuple[str, ...]
    drives: tuple[str, ...]
    begin: float
    end: float
    turns: int
    numbers: dict[str, Quantity]
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
        """Of `rows`."""
        change = (f"stiffness x {self.ground_check.factor:g}",) if self.ground_check else ()
        return ("quantity", "value", "unit", *change, "meaning")

    def rows(self) -> list[tuple[float | str, ...]]:
        """All numbers for people: name, value or "not applicable", unit, change on a stiffer ground if that was checked,
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
        """All numbers by name, with those of the motor: for design methods, which take an analysis that tells numbers."""
        return values_of(self.numbers) | (values_of(self.motor.numbers) if self.motor else {})

    def unit_of(self, name: str) -> str:
        """Of such a number."""
        return (self.numbers.get(name) or (self.motor.numbers if self.motor else {})[name]).unit

    def table(self) -> pd.DataFrame:
        """All numbers: value (NaN where it does not apply), unit, meaning."""
        import pandas as pd

        return pd.DataFrame.from_dict(self.numbers, orient="index", columns=["value", "unit", "meaning"])

    def feet_table(self) -> pd.DataFrame:
        """One row per foot, FOOT_NUMBERS."""
        import pandas as pd

        return pd.DataFrame.from_dict(self.feet, orient="index")

    def footfalls(self, *, measured: bool = False) -> dict[str, list[tuple[float, float]]]:
        """When each foot was on the ground, (from, to), s: over the run, or over the measured turns."""
        first, last = (self.begin, self.end) if measured else (float(self.run.time[0]), float(self.run.time[-1]))
        return {name: closed_times(self.run, name, first, last) for name in self.contacts}

    def feet_down(self) -> np.ndarray:
        """Number of feet on the ground at the times of the run, (n_times,)."""
        t = self.run.time
        return sum(
            # one that still is on the ground at the end of the run counts there, too
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
            "speed": (run.values(f"{body}.vx"), "m/s"),
            "height": (run.values(f"{body}.y"), "m"),
            "pitch": (np.degrees(run.values(f"{body}.angle")), "deg"),
            "torque": (shaft_torque(run, self.drives), "N m"),
            "feet down": (self.feet_down().astype(float), "1"),
        }

    def plot(self, path: str | Path | None = None) -> Any:
        """The paths of body and feet, the curves, and the footfalls as a Hildebrand diagram; a matplotlib Figure."""
        from gaitwright.report.footfall import plot_walk

        run, mechanism, feet = self.run, self.run.mechanism, {}
        for names in mechanism.contact_names:
            if names.name in self.contacts:
                feet[names.name] = mechanism.part(names.bodies[1]).position(run.motion.q, names.place)
        way = np.stack([run.values(f"{self.body}.x"), run.values(f"{self.body}.y")], axis=1)
        window = (self.begin, self.end)
        return plot_walk(mechanism.name, run.time, way, feet, self.curves(), self.footfalls(), window, to=path)

    def warnings(self) -> list[str]:
        """What a reader of the numbers should know, in sentences."""
        said, way = list(self.run.evidence.warnings), abs(self["distance"])
        for reason in dict.fromkeys(self.not_applicable.values()):
            names = [name.replace("_", " ") for name, why in self.not_applicable.items() if why == reason]
            said.append(f"{reason}; not applicable: {', '.join(names)}")
        said += self._soft_ground()
        slides = {name: foot["slip"] for name, foot in self.feet.items() if foot["slip"] > SCUFFS * way}
        if slides and "scuffing" not in self.not_applicable:
            worst = max(slides, key=lambda name: slides[name])
            others = f", and {len(slides) - 1} others slide, too" if len(slides) > 1 else ""
            part = f", {100 * slides[worst] / way:.0f} % of the way of the body" if way > slides[worst] else ""
            said.append(
                f"the foot '{worst}' slides {1e3 * slides[worst]:.3g} mm over the ground in each turn{part}{others}: feet that "
                "move forward on the ground scuff it"
            )
        if way > STILL_M and self["steadiness"] > UNSTEADY * way:
            said.append(
                f"the walk is not steady: the last two turns differ by {1e3 * self['steadiness']:.3g} mm of "
                f"{1e3 * way:.3g} mm; let it walk longer, or measure more turns"
            )
        said += self.ground_check.warning() if self.ground_check else []
        return [*said, *(self.motor.problems() if self.motor else [])]

    def check_ground(self, factor: float = FACTOR, *, progress: Any = None) -> Walk:
        """The same walk with `ground_check`: its model is analysed once more on a ground `factor` times as stiff, which takes
        as long as the first run. Numbers that change by more than 3 % are in `warnings()`. A rigid ground, which has no law,
        is not compared."""
        if self.run.document is None:
            At("walk", "run").fail("has no model to analyse again", expected="a result of Model.analyse")
        At("walk", "factor").positive(factor)
        model = stiffer(Model.from_dict(self.run.document), factor)
        if model is None:
            return self
        other = measure_walk(
            model.analyse(progress=progress),
            body=self.body,
            contacts=self.contacts,
            drives=self.drives,
            turns=self.turns,
        )
        return replace(self, ground_check=compared(self.numbers, other.numbers, factor))

    def _soft_ground(self) -> list[str]:
        """A sentence for each sinkage that is large beside the legs."""
        said = []
        for name, limit, what in (
            ("sinkage_static", STATIC_LIMIT, "a standing foot sinks"),
            ("sinkage_largest", LARGEST_LIMIT, "a foot sinks at most"),
        ):
            share = self[name] / self["leg_length"]
            if share > limit:
                said.append(
                    f"the ground is soft: {what} {1e3 * self[name]:.3g} mm into it, {100 * share:.2g} % of the leg length "
                    f"(limit {100 * limit:g} %); give the ground a larger stiffness"
                )
        return said

    def on_motor(self, motor: Motor | dict[str, Any]) -> MotorUse:
        """What the measured turns ask of one motor that turns the shaft of all cranks."""
        found = read_motor(motor)
        if found is None:
            At("walk", "motor").fail("is not given", expected="gw.Motor(...)")
        return shaft_use(found, self.run, self.drives, self.begin, self.end, self.turns)

    def summary(self) -> dict[str, Any]:
        """For JSON."""
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
        """One web page with animation, footfalls, speed, height, torque and numbers; pictures and tables beside it."""
        from gaitwright.report.views.walk_page import walk_report

        return walk_report(self).save(Path(path))

    def _repr_html_(self) -> str | None:
        """For notebooks; None if it cannot be shown."""
        from gaitwright.report.views.cards import walk_card

        return walk_card(self)

    def __repr__(self) -> str:
        cost = "not applicable" if "cost_of_transport" in self.not_applicable else f"{self['cost_of_transport']:.3g}"
        said = f"{self['speed']:.4g} m/s, {self['distance']:.4g} m per turn, cost {cost}"
        noted = "".join(f"\n  warning: {text}" for text in self.warnings())
        return f"<Walk of '{self.run.mechanism.name}': {said}, over {self.turns} turns{noted}>"


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

    body: whose speed, height and pitch count. contacts: the feet; all contacts unless given. drives: of the cranks; all drives
    unless given. The first one tells what a turn is. motor: gw.Motor(...) on the common shaft of the drives; that of the
    section `gait` unless given."""
    require_plane(run.mechanism.name, run.mechanism.dimension)
    feet = tuple(run.contact_names() if contacts is None else contacts)
    shafts = tuple(run.balance.drive_power if drives is None else drives)
    _require_names(run, body, feet, shafts)
    measured = MeasuredTurns(
        run, body, feet, shafts, _turn_ends(run, shafts[0], turns), turns, shaft_torque(run, shafts)
    )
    begin, end, reasons = measured.begin, measured.end, not_applicable(measured)
    numbers = {
        name: Quantity(np.nan if name in reasons else number.value(measured), number.unit, number.text)
        for name, number in WALK_NUMBERS.items()
    }
    found = read_motor(motor) or motor_of(run.document)
    use = shaft_use(found, run, shafts, begin, end, turns) if found else None
    return Walk(body, feet, shafts, begin, end, turns, numbers, measured.feet, run, reasons, use)


def motor_of(document: dict[str, Any] | None) -> Motor | None:
    """The motor in the section `gait` of a model."""
    gait = (document or {}).get("gait") or {}
    if not gait.get("motor"):
        return None
    series = splines((document or {}).get("series", {}))
    parameters = resolve_parameters((document or {}).get("parameters", {}), series)
    return read_motor(
        gait["motor"], lambda value, _: evaluate(parse(value, frozenset(parameters), series), parameters, series)
    )


def shaft_torque(run: Result, drives: Sequence[str]) -> np.ndarray:
    """Torque of rotating drives together, (n_times,), N m, positive in the direction in which the first one turns."""
    angle = _turned(run, drives[0])
    torque = sum((run.values(f"{name}.torque") for name in drives), np.zeros(run.time.size))
    return torque * (np.sign(angle[-1] - angle[0]) or 1.0)


# Turns --------------------------------------------------------------------------------------------------------------


def _require_names(run: Result, body: str, contacts: Sequence[str], drives: Sequence[str]) -> None:
    known = {
        "body": list(run.mechanism.body_names),
        "contacts": run.contact_names(),
        "drives": list(run.balance.drive_power),
    }
    for kind, names in (("body", [body]), ("contacts", contacts), ("drives", drives)):
        at, expected = At("walk", kind), f"one of {', '.join(known[kind]) or '(none)'}"
        if not names:
            at.fail("a walk needs at least one", expected=expected)
        for name in names:
            if name not in known[kind]:
                at.fail("is not in the model", name, expected)


def _turned(run: Result, drive: str) -> np.ndarray:
    """Angle of a rotating drive over time, rad."""
    names = next(c for c in run.mechanism.constraint_names if c.kind == "drive" and c.name == drive)
    if f"{drive}.torque" not in run.names:
        At("walk", "drives").fail("does not rotate, so it has no turns", drive, "a rotating drive")
    angles = [run.values(f"{owner}.angle") if owner != "ground" else np.zeros(run.time.size) for owner in names.bodies]
    return angles[-1] - (angles[0] if len(angles) > 1 else 0.0)


def _turn_ends(run: Result, drive: str, turns: int) -> np.ndarray:
    """The ends of whole turns, s, counted back from the end of the run; at least turns + 1 of them."""
    angle = _turned(run, drive)
    left = np.abs(angle[-1] - angle)
    if np.any(np.diff(left) > 0):
        last = int(np.flatnonzero(np.diff(left) > 0)[-1]) + 1
        left, t = left[last:], run.time[last:]  # from where on it turns one way only
    else:
        t = run.time
    whole = int(np.floor(left[0] / TURN + 1e-9))
    if not isinstance(turns, int) or not 1 <= turns <= whole:
        At("walk", "turns").fail(
            f"the run has {whole} whole turns of '{drive}'",
            turns,
            "a whole number from 1 on, and a run that is as long",
        )
    return np.interp(-TURN * np.arange(whole, -1, -1.0), -left, t)
