"""The matrix of solids that touch each other: the same solutions by fewer entries."""

import numpy as np
import pytest

import gaitwright as gw
from gaitwright.analyse.contact_memory import resting_memory
from gaitwright.analyse.statics import saddle
from gaitwright.analyse.statics.linearise import AtRest
from gaitwright.analyse.statics.saddle import Large
from gaitwright.analyse.statics.sliding import Sliding
from gaitwright.system.parts.solid import SolidPart

SOFT = {"type": "neo-hookean", "youngs_modulus": 1e5, "poissons_ratio": 0.3, "density": 1000.0}


@pytest.fixture(scope="module")
def pressed():
    """A block that is led into another, its nodes beside those of the other."""
    model = gw.Model("two blocks", dimension=3, gravity=(0.0, 0.0, 0.0))
    model.solid("low", gw.mesh.box((0.1, 0.1, 0.04), (5, 5, 2)), fixed="bottom", material=SOFT)
    model.solid("high", gw.mesh.box((0.06, 0.06, 0.03), (3, 3, 2)), at=(0.004, 0.003, 0.035), material=SOFT)
    model.drive_displacement("high.top", x="0", y="0", z="-0.004*t")
    model.contact(gw.Skin("high", "bottom"), gw.SolidSurface("low", "top"), law=gw.Penalty(1e8), name="between")
    return model


def test_factors_of_what_is_there_solve_the_same(pressed, monkeypatch):
    monkeypatch.setattr(saddle, "LARGE", -1)
    mechanism = pressed.mechanism()
    rest = AtRest(mechanism, 1.0, resting_memory(mechanism, 1.0, mechanism.drawn))
    assert isinstance(rest.matrix, Sliding)
    q = rest.mechanism.drawn.copy()
    b = np.random.default_rng(1).standard_normal(rest.s.n)
    sizes = []
    for depth in (-1e-3, 1e-3, 2e-3):  # at first nothing touches
        q[: rest.s.n] = rest.mechanism.drawn[: rest.s.n]
        part = rest.mechanism.parts["high"]
        assert isinstance(part, SolidPart)
        high = np.unique(part.at_nodes[:, 2])
        q[high[(high >= 0) & (high < rest.s.n)]] -= depth
        now = rest.forces(q)
        stiffness = rest.stiffness(q, now.lam)
        unit = np.abs(stiffness).max()
        symmetric = rest.is_symmetric(stiffness)
        assert symmetric == Large.is_symmetric(rest.matrix, stiffness)
        saddle._KEPT.pop(rest.s, None)  # of which only those that are there are known
        whole = Large(rest.s, lambda: None)
        ours, theirs = (
            matrix.factor(stiffness / unit, now.jacobian, 1e-9, symmetric).solve(b, np.zeros(rest.s.m))[0]
            for matrix in (rest.matrix, whole)
        )
        np.testing.assert_allclose(ours, theirs, atol=1e-8 * np.abs(theirs).max())
        sizes.append(rest.matrix.part.size)
        assert rest.matrix.part.size < 0.8 * stiffness.size
    assert sizes[1] > sizes[0]


def test_two_blocks_press_each_other(pressed, monkeypatch):
    """The same equilibrium, small and large, in few steps: by steps with the forces, whose work tells how long they may be, it
    was not found in hundreds."""
    small = pressed.static(1.0)
    force = small.values("between.normal_force")[-1]
    assert force > 10.0 and small.evidence.newton_iterations < 30
    monkeypatch.setattr(saddle, "LARGE", -1)
    assert pressed.static(1.0).values("between.normal_force")[-1] == pytest.approx(force, rel=1e-8)
