"""Paper 004 section 5.2.2. Times are there, and nothing is asked of them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from gaitwright.papers import condensation
from gaitwright.papers.condensation import CondensationFound, Dense, Setup
from gaitwright.system.solids.settling import FORCE
from papers.experiments import by_id, require_sound


@pytest.fixture(scope="module")
def found() -> CondensationFound:
    return condensation.run(quick=True)


def test_the_boundary_is_as_stiff_as_the_whole() -> None:
    """Eq 4.5 and 4.6, at several depths, from rest and from the step before."""
    part = Setup().cylinder(6, False)
    dense, level = Dense(part), Setup().ball.height
    for depth in (2e-3, 1e-4, 1e-3):
        x = [-level - depth, 0.0, 1.0]
        assert dense.press(x) == pytest.approx(-part.settling.ask(x, FORCE).slope[0], rel=1e-9)


def test_what_is_inside_comes_back(found: CondensationFound) -> None:
    """As far as the penalty of the whole solid lets the floor in."""
    assert 0.0 < found.inside["stress"] < 0.02 and found.inside["displacement"] < 0.02
    assert by_id(found)["5-13-inside"]["computed"] == 0.0


def test_pressures_carry_the_ball(found: CondensationFound) -> None:
    """Pressures by area are the force; their course is Hertz's, roughly, with elements of half a contact radius."""
    part = found.pressed.mechanism.parts["ball"]
    x = part.planes(found.pressed.motion.q)[0]
    force = found.pressed.values("ball.normal_force")[0]
    pressure = np.nan_to_num(part.settling.pressures(x))
    assert part.copies * pressure @ part.settling.areas == pytest.approx(force, rel=1e-9)
    curves = found.pressures
    assert curves["p"].max() == pytest.approx(curves["hertz"].max(), rel=0.35)
    assert curves["p"][curves["r"] > 1.3 * curves["at"][-1]].max(initial=0.0) == 0.0


def test_meshes_are_those_that_were_asked_for(found: CondensationFound) -> None:
    nodes = [mesh.nodes for mesh in found.meshes.values()]
    assert nodes == sorted(nodes) and all(mesh.outside < mesh.nodes for mesh in found.meshes.values())
    assert all(mesh.whole > 0.0 and mesh.dense > 0.0 and mesh.compliant > 0.0 for mesh in found.meshes.values())


def test_sound(found: CondensationFound, tmp_path: Path) -> None:
    require_sound(found, tmp_path)
