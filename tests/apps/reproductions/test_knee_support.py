"""Paper 001 on the knee: an independent version of the equations, orders of methods, and dependence on the setup."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from apps.reproductions.experiments import by_id, require_sound
from gaitwright_apps.reproductions import knee_support
from gaitwright_apps.reproductions.integrators import METHOD_ORDERS
from gaitwright_apps.reproductions.knee_support import (
    KneeEquations,
    KneeSupportExperiment,
    KneeSupportSetup,
    joint_error,
)


@pytest.fixture(scope="module")
def found() -> KneeSupportExperiment:
    return knee_support.run()


@pytest.mark.slow
def test_sound(found: KneeSupportExperiment, tmp_path: Path) -> None:
    require_sound(found, tmp_path)


def test_the_equations_are_those_of_the_model(found: KneeSupportExperiment) -> None:
    """Accelerations of all three bodies along the whole motion, not only at its start."""
    run, equations = found.runs["sprung gauss3"], KneeEquations(found.setup)
    bare = found.setup.simulate("bare", "gauss3", 0.01, 0.5)
    names = [f"{body}.{x}" for body in ("shank", "front_link", "rear_link") for x in ("x", "y", "angle")]
    rates = [name.replace(".angle", ".spin").replace(".x", ".vx").replace(".y", ".vy") for name in names]
    wanted = [
        name.replace(".vx", ".ax").replace(".vy", ".ay").replace(".spin", ".angular_acceleration") for name in rates
    ]
    q, v, a = (np.array([bare.array(name) for name in each]) for each in (names, rates, wanted))
    for k in (0, 20, 50):
        assert equations.acceleration(q[:, k], v[:, k]) == pytest.approx(a[:, k], rel=1e-7, abs=1e-7)
    assert run.array("torsion.energy")[0] == pytest.approx(0.5 * 40 * np.radians(70) ** 2, rel=1e-9)


def test_orders(found: KneeSupportExperiment) -> None:
    for kind in knee_support.LEG_KINDS:
        for name, order in METHOD_ORDERS.items():
            assert found.known["observed"][kind][name] == pytest.approx(order, abs=0.1)


def test_pins_hold_with_stabilisation() -> None:
    model = KneeSupportSetup().model("bare")
    assert joint_error(model.simulate(2.0, method="gill", step=0.01, stabilisation="projection")).max() < 1e-9


def test_verdicts(found: KneeSupportExperiment) -> None:
    checks = by_id(found)
    assert {check["verdict"] for check in checks.values()} == {"pass"}
    assert "result" not in {check["kind"] for check in checks.values()}, "the paper prints no number of the knee"
    orders = [check for name, check in checks.items() if "order" in name and name.startswith("2.2")]
    assert len(orders) == 6 and all("pins" in check["why"] for check in orders)


def test_a_shorter_swing_has_smaller_errors(found: KneeSupportExperiment) -> None:
    short = replace(KneeSupportSetup(), start=20.0).simulate("bare", "gill", 0.1, 15.0)
    assert joint_error(short)[150] < 0.1 * found.apart["bare gill"][150]
