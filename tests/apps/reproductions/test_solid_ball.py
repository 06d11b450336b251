"""Paper 004 section 5.2: springs, energies, and results of a trial with another program."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from apps.reproductions.experiments import by_id, require_sound
from gaitwright_apps.reproductions import solid_ball
from gaitwright_apps.reproductions.experiments import NOT_REPRODUCIBLE
from gaitwright_apps.reproductions.solid_ball import (
    CYLINDER_RUN,
    FINE_RUN,
    FLORES_RUN,
    ONE_NODE_RUN,
    SolidBallExperiment,
)


@pytest.fixture(scope="module")
def found() -> SolidBallExperiment:
    return solid_ball.run(quick=True)


def test_contact_with_one_node_is_a_spring(found: SolidBallExperiment) -> None:
    """Its largest penetration and force follow from its stiffness and the energy of the fall; no energy is lost."""
    hit, setup = found.hits[ONE_NODE_RUN], found.setup
    k, mesh = found.meshes["R by 5"].stiffness, found.meshes["R by 5"]
    assert mesh.touching == 1 and mesh.exponent == pytest.approx(1.0, abs=1e-9)
    weight = setup.mass * setup.gravity
    deepest = (weight + np.sqrt(weight**2 + 2 * k * weight * setup.height)) / k
    assert hit.deepest == pytest.approx(deepest, rel=1e-5)
    assert hit.force == pytest.approx(k * deepest, rel=1e-5)
    assert hit.duration == pytest.approx(np.pi * np.sqrt(setup.mass / k), rel=2e-3)
    assert hit.speed_out == pytest.approx(hit.speed_in, rel=1e-6)


def test_force_and_energy_are_those_of_one_potential(found: SolidBallExperiment) -> None:
    """The work of the force during compression equals the energy of the fall, on any mesh, at any step."""
    for name in (FLORES_RUN, FINE_RUN, ONE_NODE_RUN):
        curve, hit = found.curves[name], found.hits[name]
        way_in = slice(None, int(np.argmax(curve["depth"])) + 1)
        work = np.trapezoid(curve["force"][way_in], curve["depth"][way_in])
        fallen = found.setup.mass * found.setup.gravity * (found.setup.height + hit.deepest)
        assert work == pytest.approx(fallen, rel=1e-3)
    assert max(found.hits[name].residual for name in (FINE_RUN, ONE_NODE_RUN)) < 1e-5


def test_exponents_rise_with_the_nodes_that_touch(found: SolidBallExperiment) -> None:
    coarse, fine = found.meshes["R by 3"], found.meshes[FINE_RUN]
    assert coarse.exponent < found.meshes["R by 12"].exponent < fine.exponent
    assert fine.exponent == pytest.approx(1.5, abs=0.03)
    checks = by_id(found)
    assert checks["5-11-fine"]["verdict"] == NOT_REPRODUCIBLE and "one node" in checks["5-11-fine"]["why"]


def test_most_steps_are_within_the_contact(found: SolidBallExperiment) -> None:
    hit = found.hits[CYLINDER_RUN]
    assert hit.before + hit.within < hit.steps and hit.share > 50.0
    assert hit.speed_out == pytest.approx(hit.speed_in, rel=1e-4)


def test_sound(found: SolidBallExperiment, tmp_path: Path) -> None:
    require_sound(found, tmp_path)


def test_the_fine_ball_is_that_of_the_trial(found: SolidBallExperiment) -> None:
    """TET10, with large strains: penetration 1.9332 mm, 12,898 N, contact time 1.2792 ms. Linear elements with small
    strains are one per cent stiffer."""
    hit = found.hits[FINE_RUN]
    assert 1e3 * hit.deepest == pytest.approx(1.9332, rel=0.015)
    assert hit.force == pytest.approx(12898.0, rel=0.015)
    assert 1e3 * hit.duration == pytest.approx(1.2792, rel=0.015)
