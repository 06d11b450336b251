"""Strider: two legs on one crank pin, each of which lifts the other's foot. Wade and Ben Vagle, diywalkers.com
("Strider's Linkage Dimensions and Prototype Performance").

The plan uses hole spacings of toy bricks: crank 4, pivots 22 apart and 8 above the crank shaft, rockers 5, bars 14 that extend
6 beyond the crank pin and end in a perpendicular toe of 1, shins 13, foot links 10. These numbers are from a transcription of
the plan (jaywreddy/spiderpig on GitHub, linkages/strider.py), not from the drawing itself.
"""

from __future__ import annotations

from gaitwright.mechanisms.bar_tables import check_lengths
from gaitwright.mechanisms.jansen import CONTACT_LAW, FRICTION_LAW
from gaitwright.model.model import Model

PLAN_LENGTHS = {
    "crank": 4.0, "half_span": 11.0, "rise": 8.0, "rocker": 5.0, "bar": 14.0, "tail": 6.0, "toe": 1.0, "shin": 13.0,
    "foot_link": 10.0,
}  # fmt: skip
"""Lengths in hole spacings. half_span, rise: of the pivots, from the crank shaft. bar: from the knee to the crank pin. tail: of
the bar, beyond it. toe: perpendicular to the end of the bar, upwards; a massless bracket."""
DRAWN_POINTS = {
    # a rough drawing at crank angle 0, in holes; the assembly solver corrects it
    "left": {"K": (-9.6, 3.2), "E": (9.8, -1.4), "T": (-1.6, -2.3), "F": (-8.3, -9.7)},
    "right": {"K": (15.9, 7.3), "E": (-1.1, -3.1), "T": (10.1, -0.4), "F": (18.7, -5.4)},
}
FOOT_PENETRATION_RATIO = 0.1
"""Penetration of the feet into the ground, in lengths of the crank."""


def strider_legs(
    *,
    turns_per_second: float = 1.0,
    clockwise: bool = True,
    size: float = 0.1,
    mass_per_length: float = 0.25,
    gravity: float = 9.81,
    **lengths: float,
) -> Model:
    """A pair of legs with their common crank driven at constant speed; the feet are the points F_left and F_right.

    size: m, length of the crank to which the pair is scaled. lengths: m, those of PLAN_LENGTHS by name. All of them are
    parameters of the model, common to both legs, which are mirror images. mass_per_length: of all bars, kg/m; as in
    paper 003."""
    hole = size / PLAN_LENGTHS["crank"]
    scaled = {name: round(hole * length, 6) for name, length in PLAN_LENGTHS.items()}
    parameters = {"turns_per_second": turns_per_second, "mass_per_length": mass_per_length}
    model = Model("Strider", gravity=(0.0, -gravity), parameters={**parameters, **check_lengths(scaled, lengths)})
    model.ground_point("O", 0.0, 0.0).point("A", size, 0.0)
    model.link("crank", "O", "A", length="crank", mass="mass_per_length*crank")
    _add_leg(model, hole, "left", "right", -1)
    _add_leg(model, hole, "right", "left", +1)
    model.drive.rotation("crank", f"{'-' if clockwise else ''}2*pi*turns_per_second*t")
    return model.gait(
        "F_left",
        "F_right",
        hip="O",
        penetration=f"{FOOT_PENETRATION_RATIO}*crank",
        law=CONTACT_LAW,
        friction=FRICTION_LAW,
    )


def _add_leg(model: Model, hole: float, side: str, other_side: str, forward: int) -> None:
    """Add one leg: its bar runs from its own knee K through the crank pin A to its end E and carries the toe T of
    the other leg's foot link. forward: 1 on the right, -1 on the left."""
    model.ground_point(f"P_{side}", f"{forward}*half_span", "rise")
    for name, (x, y) in DRAWN_POINTS[side].items():
        model.point(f"{name}_{side}", round(hole * x, 3), round(hole * y, 3))
    bars = {"rocker": ("P", "K", "rocker"), "shin": ("K", "F", "shin"), "foot_link": ("T", "F", "foot_link")}
    for name, (start, end, length) in bars.items():
        ends = f"{start}_{side}", f"{end}_{side}"
        model.link(f"{side}_{name}", *ends, length=length, mass=f"mass_per_length*{length}")
    bar_points = {"A": ("(bar - tail)/2", 0), f"T_{other_side}": ("(bar + tail)/2", f"{-forward}*toe")}
    ends = f"K_{side}", f"E_{side}"
    model.link(f"{side}_bar", *ends, length="bar + tail", mass="mass_per_length*(bar + tail)", points=bar_points)
