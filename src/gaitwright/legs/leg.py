"""A leg put through its paces: one turn in the air for its curve, and turns on the ground for forces, torque and energy.

The hip stands still and the ground moves backwards at the speed of the body, as on a treadmill (paper 003, section 4.1.3),
and the drives prescribe the motion, so the ground changes forces, torque and energy, not the curve. For a machine that
carries itself on its legs, see legs/walk.py. A leg with beams gives way under all of that: see legs/flexible.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitwright.analyse.ahead import prepare_kinematics
from gaitwright.analyse.inverse import inverse
from gaitwright.checks import At
from gaitwright.legs.flexible import DYNAMIC, require_known, settled_turn, whole
from gaitwright.legs.foot import FootCurve, foot_curve, foot_path
from gaitwright.legs.loads import Loads, drive_loads
from gaitwright.legs.motor import Motor, read_motor
from gaitwright.legs.motor_use import MotorUse, shaft_use
from gaitwright.legs.numbers import Quantity, leg_numbers, number_units, values_of
from gaitwright.legs.phases import Phases, any_of
from gaitwright.legs.scuffing import scuff_warning
from gaitwright.legs.settings import PENETRATION, Settings, hip_height, read_settings
from gaitwright.model.lowered import Lowered
from gaitwright.model.model import Model
from gaitwright.model.surfaces import LineGround

if TYPE_CHECKING:
    import pandas as pd

    from gaitwright.result.result import Result

SAMPLES = 1000
"""Per turn: energies are then right to seven digits."""
FEWEST = 20
AS_DRIVEN, BACKWARDS = DIRECTIONS = ("as driven", "backwards")
ELASTIC = 1.0
CLOSES = 1e-6
"""How far from its begin the curve of a foot may end, as a part of the leg's length."""
REPEATS, SETTLED = 0.05, 1e-3
"""The same for a leg whose beams vibrate; and up to where nothing is said about it."""


@dataclass(frozen=True)
class Turn:
    """One turn in one direction. feet: curves by name; phases: at least one foot on the ground; air: loads without contact.
    ground: loads with contact, by restitution (NaN for a law that has none)."""

    direction: str
    model: Model = field(repr=False)
    feet: dict[str, FootCurve] = field(repr=False)
    phases: Phases
    air: Loads = field(repr=False)
    ground: dict[float, Loads] = field(repr=False)

    @property
    def run(self) -> Result:
        """The turn in the air, by inverse dynamics."""
        return self.air.run

    @property
    def foot(self) -> FootCurve:
        """The first foot that stands on the ground."""
        return main_foot(self.feet)


@dataclass(frozen=True)
class LegAnalysis:
    """What `analyse_leg` found. turns: by direction. `numbers` are those of the first foot in the direction that is driven,
    `table()` is all of them."""

    model: Model = field(repr=False)
    settings: Settings
    turns: dict[str, Turn] = field(repr=False)

    @property
    def name(self) -> str:
        return self.model.document.name

    @property
    def is_flexible(self) -> bool:
        """Whether it has beams, which make its turns forward dynamics."""
        return bool(self.model.document.beams)

    @property
    def turn(self) -> Turn:
        """In the direction that is driven."""
        return self.turns[AS_DRIVEN]

    @property
    def foot(self) -> FootCurve:
        return self.turn.foot

    @cached_property
    def numbers(self) -> dict[str, Quantity]:
        return leg_numbers(self.turn, self.settings)

    def measures(self) -> dict[str, float]:
        """All numbers in the direction that is driven, and those of the motor, by name: for design methods, which take an
        analysis that tells numbers, as in gw.sweep(leg, {"L3": [0.27, 0.28]}, analysis=gw.analyse_leg)."""
        return dict(self._measures)

    @cached_property
    def _measures(self) -> dict[str, float]:
        return values_of(self.numbers) | (values_of(self.on_motor().numbers) if self.settings.motor is not None else {})

    def unit_of(self, name: str) -> str:
        """Of such a number."""
        return self._units[name][0]

    @cached_property
    def _units(self) -> dict[str, tuple[str, str]]:
        return number_units(self.settings, self.turn.ground)

    def table(self) -> pd.DataFrame:
        """All numbers: one row per quantity, with its unit and meaning, one column per direction."""
        import pandas as pd

        columns = {direction: leg_numbers(turn, self.settings) for direction, turn in self.turns.items()}
        rows = {
            name: {"unit": q.unit, "text": q.text, **{d: c[name].value for d, c in columns.items() if name in c}}
            for name, q in self.numbers.items()
        }
        return pd.DataFrame.from_dict(rows, orient="index")

    def on_motor(self, motor: Motor | dict[str, Any] | None = None) -> MotorUse:
        """What the turn on the ground (of the last restitution; in the air without a ground) asks of a motor on the crank: that
        of the section `gait` unless given."""
        found = read_motor(motor) or self.settings.motor
        if found is None:
            At("gait", "motor").fail(
                "is not given", expected="on_motor(gw.Motor(...)), or gait: {motor: {voltage: 24, ...}}"
            )
        loads = list(self.turn.ground.values())[-1] if self.turn.ground else self.turn.air
        return shaft_use(found, loads.run, [self.settings.drive], loads.phases.begin, loads.phases.end)

    def warnings(self) -> list[str]:
        """What a reader of the numbers should know, in sentences."""
        said = [text for loads in (self.turn.air, *self.turn.ground.values()) for text in loads.run.evidence.warnings]
        foot = self.foot
        if self.model.document.contacts:
            left = ", ".join(
                f"'{contact.get('name') or contact.get('point')}'" for contact in self.model.document.contacts
            )
            said.append(
                f"the contacts of the model ({left}) are left out: the ground of a leg is that of its section 'gait'"
            )
        if foot.hip_height < 0.0:
            said.append(
                f"the ground of the foot '{foot.name}' is {-1e3 * foot.hip_height:.3g} mm above the hip: such a leg carries "
                "nothing; draw the foot below the hip, or name another point as the hip"
            )
        said += scuff_warning(foot)
        if self.settings.motor is not None:
            said += self.on_motor().problems()
        return list(dict.fromkeys(said))

    def summary(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "name": self.name,
            "warnings": self.warnings(),
            "feet": list(self.settings.feet),
            "period": self.settings.period,
            "directions": {
                direction: {name: q.value for name, q in leg_numbers(turn, self.settings).items()}
                for direction, turn in self.turns.items()
            },
            "units": {name: q.unit for name, q in self.numbers.items()},
            **({"motor": self.on_motor().summary()} if self.settings.motor is not None else {}),
        }

    def check_forward(self, step: float | None = None, *, ground: bool = True) -> dict[str, float]:
        """Forward dynamics with a driven crank beside inverse dynamics: largest difference of the drive's torque, N m, in
        the air and on the ground for each restitution. step: s, 1/1000 of a turn unless given. ground: False for the air
        alone."""
        h = step or self.settings.period / 1000
        runs = {"air": self.turn.air, **({f"{cr:g}": on for cr, on in self.turn.ground.items()} if ground else {})}
        return {what: forward_difference(loads.run, self.settings.drive, h) for what, loads in runs.items()}

    def report(self, path: str | Path) -> dict[str, Path]:
        """One web page with animation, curves, forces, torque, energy and numbers; pictures and tables beside it."""
        from gaitwright.report.views.leg_page import save_leg

        return save_leg(self, Path(path))

    def _repr_html_(self) -> str | None:
        """For notebooks; None if it cannot be shown."""
        from gaitwright.report.views.cards import leg_card

        return leg_card(self)

    def __repr__(self) -> str:
        foot, noted = self.foot, "".join(f"\n  warning: {text}" for text in self.warnings())
        said = f"step {foot.step_length:.4g} m x {foot.step_height:.4g} m, duty {foot.duty:.3g}"
        return f"<LegAnalysis of '{self.name}': {said}{noted}>"


def analyse_leg(
    model: Model,
    *,
    feet: str | Sequence[str] | None = None,
    drive: str | None = None,
    hip: str | None = None,
    penetration: float | None = None,
    level: float | None = None,
    period: float | None = None,
    body_speed: float | None = None,
    law: Any = None,
    friction: Any = None,
    motor: Any = None,
    restitutions: Sequence[float] | None = None,
    directions: Sequence[str] = DIRECTIONS,
    samples: int = SAMPLES,
    beams: str = DYNAMIC,
    progress: Callable[[float], None] | None = None,
) -> LegAnalysis:
    """Put a leg through one turn of its crank, in the air and on the ground, in both directions.

        leg = gw.analyse_leg(gw.load("leg.yaml"), feet="F", hip="O2", penetration=0.008,
                             law=gw.LankaraniNikravesh(stiffness=2e4, restitution=0), friction=gw.Coulomb(0.4))
        leg.numbers["step_length"].value; leg.table(); leg.report("leg.html")

    feet to motor: as in `Model.gait`, which gives what is left out here. Without a law the leg stays in the air.
    restitutions: of the law, from 1 (elastic) to 0; elastic and the law's own unless given; () for the air alone.
    directions: "as driven",
    "backwards". samples: per turn. beams: of a leg that has some, "dynamic" (they vibrate) or "quasi-static" (they bend under
    the loads of the moment). progress: called with the fraction done, many times a second; Ctrl-C stops."""
    leg = Lowered(model)
    settings = read_settings(
        leg, feet=feet, drive=drive, hip=hip, penetration=penetration, level=level, period=period,
        body_speed=body_speed, law=law, friction=friction, motor=motor,
    )  # fmt: skip
    if AS_DRIVEN not in directions or not set(directions) <= set(DIRECTIONS):
        At(field="directions").fail("is not known", list(directions), f"'{AS_DRIVEN}', or that and '{BACKWARDS}'")
    require_samples(samples)
    require_known(beams)
    impacts = list(ground_laws(settings, restitutions))
    if not model.document.beams:
        prepare_kinematics(contacts=len(impacts) > 0)
    jobs, done = len(directions) * (1 + len(impacts)), 0
    turns = {}
    for direction in directions:
        moved = in_air(leg if direction == AS_DRIVEN else leg.backwards())
        options: dict[str, Any] = {"samples": samples, "beams": beams}
        turn = turn_in_air(
            moved, _towards(settings, direction), direction, progress=_part(progress, done, jobs), **options
        )
        done += 1
        same: Result | None = None
        for restitution, chosen in impacts:
            turn.ground[restitution] = turn_on_ground(
                turn, settings, chosen, progress=_part(progress, done, jobs), along=same, **options
            )
            same = turn.ground[restitution].run
            done += 1
        turns[direction] = turn
    return LegAnalysis(model, settings, turns)


def require_samples(samples: int) -> None:
    if not isinstance(samples, int) or samples < FEWEST:
        At(field="samples").fail("do not show a step", samples, f"a whole number of at least {FEWEST} per turn")


def in_air(model: Model) -> Lowered:
    """The model without its contacts and without wishes for outputs."""
    return Lowered(model).in_air()


def turn_in_air(
    model: Model,
    settings: Settings,
    direction: str = AS_DRIVEN,
    samples: int = SAMPLES,
    beams: str = DYNAMIC,
    progress: Callable[[float], None] | None = None,
) -> Turn:
    """One turn without contact."""
    if model.document.beams:
        run = settled_turn(model, model, settings.period, samples, beams, progress)
    else:
        run = whole(model.inverse(times=np.linspace(0.0, settings.period, samples + 1), progress=progress))
    feet = measure_feet(run, settings)
    phases = any_of([foot.phases for foot in feet.values()])
    air = drive_loads(run, phases, settings.drive, distance=way(main_foot(feet), settings), weight=settings.weight)
    return Turn(direction, model, feet, phases, air, {})


def measure_feet(run: Result, settings: Settings) -> dict[str, FootCurve]:
    """The curves of all feet over a run that is one turn."""
    hip = hip_height(run.mechanism, run, settings.hip)
    paths = {foot: foot_path(run, foot) for foot in settings.feet}
    lowest = min(path.heights.least for path in paths.values())
    depth = PENETRATION * abs(hip - lowest) if settings.penetration is None else settings.penetration
    level = lowest + depth if settings.level is None else settings.level
    about: dict[str, Any] = {"level": level, "hip": hip, "body_speed": settings.body_speed}
    found = {foot: foot_curve(run, foot, path=path, **about) for foot, path in paths.items()}
    ahead = main_foot(found).body_speed  # the ground moves as one, under whichever foot
    found = {foot: replace(curve, body_speed=ahead) for foot, curve in found.items()}
    for foot, curve in found.items():
        _, x, y = curve.track
        apart = float(np.hypot(x[-1] - x[0], y[-1] - y[0]))
        size = max(abs(hip - lowest), curve.curve_length)
        if apart > (REPEATS if run.mechanism.flexible else CLOSES) * size:
            At("gait", "period").fail(
                f"after {settings.period:.6g} s the foot '{foot}' is {apart:.3g} m from where it began",
                settings.period,
                "the time of a turn, after which the motion repeats, s",
            )
        if apart > SETTLED * size:
            run.evidence.warnings.append(
                f"the foot '{foot}' comes back to {1000 * apart:.2g} mm only: its beams still vibrate; give them damping, or "
                "take beams='quasi-static'"
            )
    for foot, curve in found.items():
        if curve.duty >= 1.0:
            At("gait", "level").fail(
                f"the foot '{foot}' never leaves the ground: its highest point is at "
                f"{curve.lowest + curve.step_height:.6g} m",
                level,
                "a level below it, or a smaller penetration",
            )
    if not any(curve.phases.steps for curve in found.values()):
        At("gait", "level").fail(
            f"no foot reaches the ground: the lowest is at {lowest:.6g} m", level, f"a level above {lowest:.6g} m"
        )
    return found


def turn_on_ground(
    turn: Turn,
    settings: Settings,
    law: dict[str, Any],
    samples: int = SAMPLES,
    beams: str = DYNAMIC,
    progress: Callable[[float], None] | None = None,
    along: Result | None = None,
) -> Loads:
    """The same turn with contact. Two turns are made and the second is measured: friction may remember where a foot that
    stands on the ground at the start began to stick. along: a run of this turn with another law, which moves alike."""
    speed = turn.foot.body_speed
    ground = LineGround(level=turn.foot.level, velocity=(-speed, 0.0))
    model = in_air(turn.model)
    contacts = [
        free_name(model, f"foot{k + 1}" if len(settings.feet) > 1 else "foot") for k in range(len(settings.feet))
    ]
    for name, foot in zip(contacts, settings.feet, strict=True):
        speed_in = turn.feet[foot].speed_before()
        model.contact(foot, ground, law=law, friction=settings.friction, approach_speed=speed_in, name=name)
    if model.document.beams:
        run, phases = settled_turn(model, turn.model, settings.period, samples, beams, progress), turn.phases
    else:
        times = np.linspace(0.0, 2 * settings.period, 2 * samples + 1)
        run = whole(inverse(model.mechanism(), times, progress=progress, document=model.to_dict(), along=along))
        phases = turn.phases.shifted(settings.period)
    return drive_loads(run, phases, settings.drive, contacts, distance=way(turn.foot, settings), weight=settings.weight)


def free_name(model: Model, wanted: str) -> str:
    """The name, or with dashes what is not taken by a part of the model."""
    document = model.document
    taken = {part.name for part in (*document.links, *document.bodies, *document.beams)}
    taken |= {part["name"] for part in document.parts}
    taken |= {entry.get("name") for entry in (*document.joints, *document.drives, *document.forces)}
    while wanted in taken:
        wanted += "-"
    return wanted


def main_foot(feet: Mapping[str, FootCurve]) -> FootCurve:
    """The first foot that stands on the ground."""
    return next((foot for foot in feet.values() if foot.phases.steps), next(iter(feet.values())))


def way(foot: FootCurve, settings: Settings) -> float:
    """How far the body goes in a turn, m; exactly 0 if it only sways, as over a crank that swings to and fro."""
    distance = foot.body_speed * settings.period
    return distance if abs(distance) > CLOSES * foot.curve_length else 0.0


def forward_difference(exact: Result, drive: str, step: float) -> float:
    """Largest difference of a drive's torque between a run and forward dynamics of the same model, N m."""
    model = Model.from_dict(exact.document)
    forward = model.simulate(float(exact.time[-1]), step=step, method="generalized-alpha")
    # at the times of the coarser of the two, which are times of the other, too, if one step divides the other
    times = min(forward.time, exact.time, key=len)
    torques = [np.interp(times, run.time, run.values(f"{drive}.torque")) for run in (forward, exact)]
    return float(np.abs(torques[0] - torques[1]).max())


def _towards(settings: Settings, direction: str) -> Settings:
    """A body whose legs run backwards goes the other way."""
    if direction == AS_DRIVEN or settings.body_speed is None:
        return settings
    return replace(settings, body_speed=-settings.body_speed)


def ground_laws(settings: Settings, restitutions: Sequence[float] | None) -> Iterator[tuple[float, dict[str, Any]]]:
    """The law of the feet with each restitution."""
    asked: Any = restitutions
    if asked is None:
        asked = (ELASTIC, (settings.law or {}).get("restitution", ELASTIC))
    try:
        values = [float(value) for value in asked]
    except (TypeError, ValueError):
        At(field="restitutions").fail("are not numbers", asked, "several from 0 to 1, such as (1, 0.5, 0)")
    if settings.law is None or not values:
        return
    if "restitution" not in settings.law:
        yield np.nan, settings.law
        return
    for value in dict.fromkeys(values):
        yield value, {**settings.law, "restitution": value}


def _part(progress: Callable[[float], None] | None, done: int, jobs: int) -> Callable[[float], None] | None:
    """Progress within one of several jobs."""
    return None if progress is None else lambda fraction: progress((done + fraction) / jobs)
