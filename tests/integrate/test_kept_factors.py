"""Factors of large matrices serve for many steps, and what is solved with them is the same."""

import numpy as np
import pytest

import gaitwright as gw
from gaitwright.system import elimination


def shaken(steps):
    """A block that is let go at once, on its side: it bends by a twentieth of its length and swings back."""
    model = gw.Model("block", dimension=3)
    model.solid(
        "block", gw.mesh.box((0.2, 0.1, 0.1), (6, 4, 4)), material=gw.NeoHookean(youngs_modulus=2e4, poissons_ratio=0.3),
        density=1000.0, fixed="left",
    )  # fmt: skip
    return model.simulate(1e-3 * steps, step=1e-3, method="generalized-alpha")


def test_kept_factors_give_the_same_motion(monkeypatch):
    monkeypatch.setitem(elimination.LIMIT, elimination.chosen(True), 1e12)
    anew = shaken(25)
    monkeypatch.setitem(elimination.LIMIT, elimination.chosen(True), 10)
    kept = shaken(25)
    assert anew.evidence.factorisations >= 25
    assert kept.evidence.factorisations <= 12
    for name in ("block.right.z", "block.right.vz"):
        assert kept.values(name) == pytest.approx(anew.values(name), rel=1e-6, abs=1e-9)
    assert np.ptp(kept.values("block.right.z")) > 2e-3
