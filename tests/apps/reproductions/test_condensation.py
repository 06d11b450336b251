"""Paper 004 section 5.2.2. Times are reported but not tested."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from apps.reproductions.experiments import by_id, require_sound
from gaitwright.fem.plane_equilibrium import REQUEST_FORCE
from gaitwright_apps.reproductions import condensation
from gaitwright_apps.reproductions.condensation import CondensationExperiment, CondensationSetup, DenseCondensation


@pytest.fixture(scope="module")
def found() -> CondensationExperiment:
    return condensation.run(quick=True)


def test_the_boundary_is_as_stiff_as_the_whole() -> None:
    """Eq 4.5 and 4.6, at several depths, from rest and from the step before."""
    part = CondensationSetup().cylinder(6, False)
    dense, level = DenseCondensation(part), CondensationSetup().ball.height
    for depth in (2e-3, 1e-4, 1e-3):
        x = [-level - depth, 0.0, 1.0]
        assert dense.press(x) == pytest.approx(-part.equilibrium.evaluate(x, REQUEST_FORCE).slope[0], rel=1e-9)


def test_inner_stresses_and_displacements_are_recovered(found: CondensationExperiment) -> None:
    """Within the penetration that the penalty of the whole solid allows."""
    assert 0.0 < found.inside["stress"] < 0.02 and found.inside["displacement"] < 0.02
    assert by_id(found)["5-13-inside"]["computed"] == 0.0


def test_pressures_carry_the_ball(found: CondensationExperiment) -> None:
    """Pressures times areas sum to the force; their distribution is roughly Hertz's, with elements of half a contact
    radius."""
    part = found.pressed.mechanism.parts["ball"]
    x = part.planes(found.pressed.motion.q)[0]
    force = found.pressed.array("ball.normal_force")[0]
    pressure = np.nan_to_num(part.equilibrium.pressures(x))
    assert part.copies * pressure @ part.equilibrium.areas == pytest.approx(force, rel=1e-9)
    curves = found.pressures
    assert curves["p"].max() == pytest.approx(curves["hertz"].max(), rel=0.35)
    assert curves["p"][curves["r"] > 1.3 * curves["at"][-1]].max(initial=0.0) == 0.0


def test_meshes_are_refined(found: CondensationExperiment) -> None:
    nodes = [mesh.nodes for mesh in found.meshes.values()]
    assert nodes == sorted(nodes) and all(mesh.outside < mesh.nodes for mesh in found.meshes.values())
    assert all(mesh.whole > 0.0 and mesh.dense > 0.0 and mesh.compliant > 0.0 for mesh in found.meshes.values())


def test_sound(found: CondensationExperiment, tmp_path: Path) -> None:
    require_sound(found, tmp_path)
