"""The ball of paper 004 with the solid in the same equations, with its inertia, compared with the quasi-static solid."""

from __future__ import annotations

import numpy as np
import pytest

import gaitwright as gw
from gaitwright_apps.reproductions.solid_ball import ACCURATE_OPTIONS, DURATION_S, SolidBallSetup, contact_interval

STEP, UNTIL_FREE = 8e-6, 1.5e-3


def in_the_same_equations(setup: SolidBallSetup) -> gw.Model:
    """A quarter of the ball, free along the vertical, at the speed of its fall."""
    R, finest = setup.radius, 8e-3
    mesh = gw.mesh.ball(R, 0.34 * R, cut=("x", "y"), towards=(0.0, 0.0, -R), finest=finest)
    model = gw.Model("ball", dimension=3, gravity=(0.0, 0.0, -setup.gravity))
    model.solid(
        "ball", mesh, at=[0.0, 0.0, R + 1e-6], velocity=[0.0, 0.0, -((2 * setup.gravity * setup.height) ** 0.5)],
        material={**setup.material, "type": "neo-hookean"}, density=setup.mass / 4 / mesh.volume,
        fixed=[{"region": f"cut_{x}", "axes": x} for x in "xy"],
        regions={"low": {"all": ["surface", {"box": [[-1, -1, -1], [1, 1, 0.5 * R]]}]}},
    )  # fmt: skip
    document = model.to_dict()
    touching = {"solid": "ball", "region": "low", "surface": {"plane": [0, 0, 1, 0]}, "law": {"type": "penalty"}}
    return gw.Model.from_dict(document | {"contacts": [{"name": "floor", **touching}]})


@pytest.mark.slow
def test_inertia_changes_little_of_an_impact_that_is_slow() -> None:
    """A wave crosses the ball seven times during the impact: force and duration are those at rest within 2 %, and 0.2 % of the
    energy stays in vibrations."""
    setup = SolidBallSetup()
    still = setup.fine(setup.finest).simulate(DURATION_S, **ACCURATE_OPTIONS)
    begin, end = contact_interval(still)
    run = in_the_same_equations(setup).simulate(UNTIL_FREE, step=STEP, spectral_radius=0.9)
    force = 4 * run.array("floor.normal_force")
    touching = run.time[force > 0.0]
    assert force.max() == pytest.approx(still.array("ball.normal_force").max(), rel=0.02)
    assert np.ptp(touching) == pytest.approx(end - begin, rel=0.03)
    kept = 1.0 - (run.array("ball.vz")[-1] / run.array("ball.vz")[0]) ** 2
    assert 0.0 < kept < 0.005
    assert 4 * run.evidence.max_energy_residual < 3e-3  # of 9.8 J
