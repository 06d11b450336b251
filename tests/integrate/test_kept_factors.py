"""Reuse of the factors of large matrices over many steps, with the same solution."""

import numpy as np
import pytest

import gaitwright as gw
from gaitwright.linalg import elimination


def shaken(steps):
    """Block that is released suddenly, on its side: it bends by a twentieth of its length and swings back."""
    model = gw.Model("block", dimension=3)
    model.solid(
        "block",
        gw.mesh.box((0.2, 0.1, 0.1), (6, 4, 4)),
        material=gw.materials.NeoHookean(youngs_modulus=2e4, poissons_ratio=0.3),
        density=1000.0,
        fixed="left",
    )
    return model.simulate(1e-3 * steps, step=1e-3, method="generalized-alpha")


def test_reused_factors_give_the_same_motion(monkeypatch):
    monkeypatch.setitem(elimination.MAX_PROGRAM_MULTIPLICATIONS, elimination.fastest_backend(True), 1e12)
    anew = shaken(25)
    monkeypatch.setitem(elimination.MAX_PROGRAM_MULTIPLICATIONS, elimination.fastest_backend(True), 10)
    kept = shaken(25)
    assert anew.evidence.factorisations >= 25
    assert kept.evidence.factorisations <= 12
    for name in ("block.right.z", "block.right.vz"):
        assert kept.array(name) == pytest.approx(anew.array(name), rel=1e-6, abs=1e-9)
    assert np.ptp(kept.array("block.right.z")) > 2e-3
