"""Saddle-point matrix of solids in contact with each other: the same solutions with fewer entries."""

import numpy as np
import pytest

import gaitwright as gw
from gaitwright.analysis.initial_contact_state import make_resting_memory
from gaitwright.analysis.statics import saddle_point
from gaitwright.analysis.statics.resting_mechanism import RestingMechanism
from gaitwright.analysis.statics.saddle_point import ContactSaddlePoint, LargeSaddlePoint
from gaitwright.fem.solid_part import SolidPart

SOFT = {"type": "neo-hookean", "youngs_modulus": 1e5, "poissons_ratio": 0.3, "density": 1000.0}


@pytest.fixture(scope="module")
def pressed():
    """A block that is moved into another, with its nodes beside those of the other."""
    model = gw.Model("two blocks", dimension=3, gravity=(0.0, 0.0, 0.0))
    model.solid("low", gw.mesh.box((0.1, 0.1, 0.04), (5, 5, 2)), fixed="bottom", material=SOFT)
    model.solid("high", gw.mesh.box((0.06, 0.06, 0.03), (3, 3, 2)), at=(0.004, 0.003, 0.035), material=SOFT)
    model.drive.displacement("high.top", x="0", y="0", z="-0.004*t")
    model.contact(
        gw.surfaces.Skin("high", "bottom"),
        gw.surfaces.SolidSurface("low", "top"),
        law=gw.laws.Penalty(1e8),
        name="between",
    )
    return model


def test_nonzero_pattern_gives_same_solution(pressed, monkeypatch):
    monkeypatch.setattr(saddle_point, "MIN_LARGE_MATRIX_UNKNOWNS", -1)
    mechanism = pressed.mechanism()
    rest = RestingMechanism(mechanism, 1.0, make_resting_memory(mechanism, 1.0, mechanism.drawn))
    assert isinstance(rest.matrix, ContactSaddlePoint)
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
        assert symmetric == LargeSaddlePoint.is_symmetric(rest.matrix, stiffness)
        saddle_point._PATTERN_CACHE.pop(rest.s, None)  # so that only the nonzero entries are in the pattern
        whole = LargeSaddlePoint(rest.s, lambda: None)
        ours, theirs = (
            matrix.factor(stiffness / unit, now.jacobian, 1e-9, symmetric).solve(b, np.zeros(rest.s.m))[0]
            for matrix in (rest.matrix, whole)
        )
        np.testing.assert_allclose(ours, theirs, atol=1e-8 * np.abs(theirs).max())
        sizes.append(rest.matrix.part.size)
        assert rest.matrix.part.size < 0.8 * stiffness.size
    assert sizes[1] > sizes[0]


def test_two_blocks_press_each_other(pressed, monkeypatch):
    """The same equilibrium, with small and large matrices, in few steps. (Rejected: steps along the forces, limited by
    their work, which did not find it in hundreds.)"""
    small = pressed.static(1.0)
    force = small.array("between.normal_force")[-1]
    assert force > 10.0 and small.evidence.newton_iterations < 30
    monkeypatch.setattr(saddle_point, "MIN_LARGE_MATRIX_UNKNOWNS", -1)
    assert pressed.static(1.0).array("between.normal_force")[-1] == pytest.approx(force, rel=1e-8)
