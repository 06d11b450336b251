"""Paper 003 chapter 4 as printed: Tables 4.1 to 4.4 and the numbers of its text, for both legs. Strings keep the digits."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from gaitwright.mechanisms import chebyshev, jansen
from gaitwright.model.model import Model

PAPER = "003"
CHEBYSHEV, JANSEN = NAMES = ("chebyshev", "jansen")
INNER_SEVEN = 7**0.5
TABLE_4_2 = {
    # link, its ends, length (m), mass (kg); written out here, not taken from the models, which are held against it
    CHEBYSHEV: """
        crank O1 A 0.100 0.025
        L2    A  B 0.282 0.071
        L3    O2 B 0.282 0.071
        L4    B  C 0.282 0.071
        L5    C  D 0.793 0.198
        L6    D  E 0.050 0.013
    """,
    JANSEN: """
        crank O1 A 0.100 0.025
        L2    A  B 0.333 0.083
        L3    O2 B 0.277 0.069
        L4    B  C 0.372 0.093
        L5    O2 C 0.267 0.067
        L6    A  D 0.413 0.103
        L7    O2 D 0.262 0.066
        L8    C  E 0.263 0.066
        L9    D  E 0.245 0.061
        L10   D  F 0.327 0.082
        L11   E  F 0.438 0.110
    """,
}


def _links(leg: str) -> dict[str, tuple[str, str, float, float]]:
    rows = (line.split() for line in TABLE_4_2[leg].strip().splitlines())
    return {name: (a, b, float(length), float(mass)) for name, a, b, length, mass in rows}


@dataclass(frozen=True)
class Printed:
    """A leg of the thesis. lengths: of our model, m, by the names of its parameters. links: name to ends, length (m), mass
    (kg), as printed. base: |O1 O2|, m. proportions: lengths by the
    designer of the mechanism, for a crank of `unit`. depth: m, printed penetration."""

    name: str
    make: Callable[..., Model]
    lengths: Mapping[str, float]
    links: Mapping[str, tuple[str, str, float, float]]
    base: float
    proportions: Mapping[str, float]
    unit: float
    depth: float
    elements: int
    kinematic_rows: int


LEGS = {
    CHEBYSHEV: Printed(
        name="Chebyshev leg",
        make=chebyshev.chebyshev_leg,
        lengths=chebyshev.LENGTHS,
        links=_links(CHEBYSHEV),
        base=0.222,
        # P. L. Chebyshev, "The simplest systems of linked bars" (1878): bars of 3, O1 O2 of 5 - sqrt 7, crank of 9 - 3 sqrt 7
        proportions={"L2": 3.0, "L3": 3.0, "L4": 3.0, "base": 5 - INNER_SEVEN},
        unit=9 - 3 * INNER_SEVEN,
        depth=chebyshev.DEPTH,
        elements=18,
        kinematic_rows=17,
    ),
    JANSEN: Printed(
        name="Theo Jansen leg",
        make=jansen.jansen_leg,
        lengths=jansen.LENGTHS,
        links=_links(JANSEN),
        base=0.257,
        # T. Jansen, The Great Pretender (2007), the thesis's reference 65: his eleven numbers, and 38 across, 7.8 up, crank 15
        proportions={
            "L2": 50.0, "L3": 41.5, "L4": 55.8, "L5": 40.1, "L6": 61.9, "L7": 39.3, "L8": 39.4, "L9": 36.7, "L10": 49.0,
            "L11": 65.7, "base": (38.0**2 + 7.8**2) ** 0.5,
        },
        unit=15.0,
        depth=jansen.DEPTH,
        elements=33,
        kinematic_rows=32,
    ),
}  # fmt: skip

GRAVITY, OMEGA_TURNS, UNTIL, STEP, ALPHA = 9.81, 1.0, 3.0, 1e-3, 15.0
STIFFNESS, COEFFICIENT = 2e4, 0.4
"""Table 4.1. omega is printed as 2 pi rad/s: one turn per second."""


class Row(NamedTuple):
    """A quantity of both legs. number: our name of it. how: which reasons count if it is not met."""

    id: str
    quantity: str
    unit: str
    printed: tuple[str, str]
    number: str
    how: str


# how: geometry (follows from lengths and omega), edge (also from where stance ends), depth (where we put the ground), speed
# (needs the speed of the body), swing (also from masses and inertias)
TABLE_4_3 = (
    Row("step-length", "step length (SL)", "m", ("0.454", "0.388"), "step_length", "edge"),
    Row("step-height", "step height (SH)", "m", ("0.087", "0.166"), "step_height", "geometry"),
    Row("leg-length", "effective leg length", "m", ("0.332", "0.560"), "leg_length", "geometry"),
    Row("penetration", "largest penetration", "m", ("-0.002", "-0.008"), "penetration", "depth"),
    Row("lifting", "capability of lifting the leg, SH / leg length", "%", ("26.38", "29.620"), "lifting", "geometry"),
    Row("straightness", "step length in the length of the curve", "%", ("94.78", "85.340"), "straightness", "edge"),
    Row("speed-mean", "average velocity", "m/s", ("0.099", "0.390"), "relative_turn_mean", "speed"),
    Row("speed-swing-max", "largest velocity, swing", "m/s", ("1.954", "3.052"), "relative_swing_largest", "speed"),
    Row("speed-swing-min", "smallest velocity, swing", "m/s", ("-0.673", "-0.422"), "vy_least", "speed"),
    Row("speed-stance-max", "largest velocity, stance", "m/s", ("0.118", "0.043"), "relative_stance_max", "speed"),
    Row("speed-stance-min", "smallest velocity, stance", "m/s", ("-0.798", "-0.387"), "relative_stance_min", "speed"),
    Row("acceleration-mean", "average acceleration", "m/s2", ("8.754", "9.663"), "acceleration_mean", "geometry"),
    Row("acceleration-swing-max", "largest acceleration, swing", "m/s2", ("24.312", "76.951"), "acceleration_swing_max",
        "geometry"),
    Row("acceleration-swing-min", "smallest acceleration, swing", "m/s2", ("6.691", "1.892"), "acceleration_swing_min",
        "edge"),
    Row("acceleration-stance-max", "largest acceleration, stance", "m/s2", ("6.615", "48.373"), "acceleration_stance_max",
        "edge"),
    Row("acceleration-stance-min", "smallest acceleration, stance", "m/s2", ("0.104", "0.175"), "acceleration_stance_min",
        "geometry"),
)  # fmt: skip
TEXT_4_1 = (
    Row("text-speed-max", "largest velocity, swing, in the text", "m/s", ("1.95", "3.05"), "relative_swing_largest", "speed"),
    Row("text-speed-mid", "velocity at the middle of stance, in the text", "m/s", ("0.117", "0.0426"), "relative_lowest",
        "speed"),
)  # fmt: skip
TEXT_STEP_LENGTH = "0.3883"
"""m, of the Jansen leg; the text gives one digit more than Table 4.3."""

ELASTIC, INELASTIC = 1.0, 0.0
SWING_4_4 = (
    Row(
        "torque-swing-mean",
        "average absolute torque, swing",
        "N m",
        ("0.083", "0.019"),
        "torque_swing_mean",
        "swing",
    ),
    Row("torque-swing-max", "largest torque, swing", "N m", ("2.280", "1.694"), "torque_swing_max", "swing"),
    Row("torque-swing-min", "smallest torque, swing", "N m", ("-2.4313", "-1.098"), "torque_swing_min", "swing"),
)
TEXT_SWING = (
    Row("energy-swing-elastic", "energy of the swing, elastic", "J", ("2.7686", "1.6773"), "energy_swing", "swing"),
    Row("energy-swing-inelastic", "energy of the swing, inelastic", "J", ("2.766", "1.6774"), "energy_swing", "swing"),
)


class Contact(NamedTuple):
    """A number of both legs on the ground. of: of our loads, see GROUND in walking_legs_dynamics."""

    id: str
    quantity: str
    unit: str
    restitution: float
    printed: tuple[str, str]
    of: str


TABLE_4_4 = (
    Contact("torque-stance-inelastic-mean", "average absolute torque, stance, inelastic", "N m", INELASTIC,
            ("0.417", "0.888"), "mean torque"),
    Contact("torque-stance-inelastic-max", "largest torque, stance, inelastic", "N m", INELASTIC, ("0.077", "5.088"),
            "largest torque"),
    Contact("torque-stance-inelastic-min", "smallest torque, stance, inelastic", "N m", INELASTIC, ("-0.774", "-1.465"),
            "smallest torque"),
    Contact("torque-stance-elastic-mean", "average absolute torque, stance, elastic", "N m", ELASTIC, ("0.011", "0.018"),
            "mean torque"),
    Contact("torque-stance-elastic-max", "largest torque, stance, elastic", "N m", ELASTIC, ("0.061", "0.714"),
            "largest torque"),
    Contact("torque-stance-elastic-min", "smallest torque, stance, elastic", "N m", ELASTIC, ("-0.154", "-0.559"),
            "smallest torque"),
    Contact("torque-turn-elastic", "average absolute torque, elastic", "N m", ELASTIC, ("0.056", "0.028"), "turn torque"),
    Contact("torque-turn-inelastic", "average absolute torque, inelastic", "N m", INELASTIC, ("0.287", "0.398"),
            "turn torque"),
)  # fmt: skip
TEXT_STANCE = (
    Contact("energy-stance-elastic", "energy of the stance, elastic", "J", ELASTIC, ("0.1769", "0.9362"), "energy"),
    Contact(
        "energy-stance-inelastic", "energy of the stance, inelastic", "J", INELASTIC, ("1.5314", "5.0556"), "energy"
    ),
)
PEAK = {ELASTIC: ("1.8375", "14.0832"), INELASTIC: ("18.859", "96.0835")}
MEAN = {ELASTIC: ("0.8412", "4.6052"), INELASTIC: ("5.6079", "28.5361")}
TANGENTIAL = {ELASTIC: ("0.7990", "6.1263"), INELASTIC: ("5.9895", "52.3904")}
"""Text of section 4.2: normal force (largest, average) and largest tangential force, N, by restitution."""
SAVING = ("31.4", "61.2")
"""%, chapter 7: what elastic contact saves of the energy."""


def of(leg: str, printed: tuple[Any, Any]) -> Any:
    """What is printed for a leg."""
    return printed[NAMES.index(leg)]
