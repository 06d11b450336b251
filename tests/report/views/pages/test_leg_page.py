"""Page about a leg: content of its tables."""

from __future__ import annotations

import numpy as np
import pytest

import gaitwright as gw
from gaitwright.legs.turn_numbers import GROUND_NUMBERS, TURN_NUMBERS, better_direction
from gaitwright.mechanisms import jansen_leg, klann_leg
from gaitwright.report.blocks import Animation, Table, Text
from gaitwright.report.views.pages.leg_page import (
    comparison_table,
    energy_table,
    key_quantity_names,
    leg_comparison_report,
    leg_report,
)


def test_mean_torque_within_rounding_is_zero() -> None:
    """Over a turn in the air the drive returns all its work: the mean torque is 0, not 1e-14 N m; within a phase it is not
    0."""
    leg = gw.analyse_leg(jansen_leg(), samples=200, restitutions=(), directions=("as driven",))
    means = {row[2]: row[5] for row in energy_table(leg).rows}
    assert means["turn"] == 0.0 and means["stance"] < -0.03 and means["swing"] > 0.02


def test_legs_side_by_side_open_with_animations_on_one_scale_and_mark_the_best() -> None:
    options = {"samples": 100, "restitutions": (), "directions": ("as driven",)}
    legs = [gw.analyse_leg(leg, **options) for leg in (jansen_leg(), klann_leg())]
    assert [bool(leg.warnings()) for leg in legs] == [False, True] and "scuffs the ground" in repr(legs[1])
    report = leg_comparison_report(legs)
    kinds = [type(block) for block in report.blocks]
    assert kinds[:3] == [Text, Animation, Animation] and kinds.index(Table) > 4
    assert "Klann leg: the foot 'F' moves forward" in report.blocks[0].paragraphs[0]  # type: ignore[attr-defined]
    sizes = [(b - a, d - c) for a, b, c, d in (block.scene.bounds() for block in report.blocks[1:3])]  # type: ignore[attr-defined]
    assert np.ptp(sizes, axis=0) == pytest.approx([0.0, 0.0], abs=1e-12)
    table = comparison_table(legs)
    rows = {row[0]: k for k, row in enumerate(table.rows)}
    for name, column in {"step height": 2, "flatness": 1, "scuffing": 1, "air energy turn": 2}.items():
        assert [k for i, k in table.best if i == rows[name]] == [column], name
    assert not [k for i, k in table.best if i == rows["duty"]]  # neither more nor less is better
    assert not comparison_table(legs[:1]).best


def test_a_leg_with_a_motor_has_a_chart_of_its_operating_points() -> None:
    motor = gw.Motor(voltage=12, stall_torque=0.1, no_load_speed=628.0, gear_ratio=50, continuous_torque=0.001)
    leg = gw.analyse_leg(jansen_leg(), samples=100, restitutions=(), directions=("as driven",), motor=motor)
    blocks = leg_report(leg, {"air": 0.0}).blocks
    assert "gets too hot" in blocks[0].paragraphs[0]  # type: ignore[attr-defined]
    chart = next(block for block in blocks if getattr(block, "title", "") == "Torque over speed")
    labels = [line.label for line in chart.lines]  # type: ignore[attr-defined]
    assert labels == ["operating points", "full voltage", "continuous torque", "continuous torque, braking"]


def test_key_numbers_are_those_of_the_registries() -> None:
    leg = gw.analyse_leg(jansen_leg(), samples=100, restitutions=(0.5,), directions=("as driven",))
    wanted = {name for name, measure in TURN_NUMBERS.items() if measure.key}
    wanted |= {f"restitution_0.5_{name}" for name, measure in GROUND_NUMBERS.items() if measure.key}
    assert {"step_length", "restitution_0.5_belt_work"} <= wanted
    assert set(key_quantity_names(leg.turn, leg.numbers)) == wanted


@pytest.mark.parametrize(
    ("name", "direction"),
    [
        ("step_length", 1), ("air_cost_of_transport", -1), ("ground_energy_turn", -1), ("restitution_0.5_belt_work", 0),
        ("duty", 0),
    ],
)  # fmt: skip
def test_the_table_of_numbers_says_which_direction_is_better(name: str, direction: int) -> None:
    assert better_direction(name) == direction
