"""Saddle-point matrices of statics: small and large ones give the same results, whatever the size."""

import numpy as np
import pytest

import gaitwright as gw
from gaitwright.analysis.statics import saddle_point
from gaitwright.analysis.statics.resting_mechanism import RestingMechanism
from gaitwright.analysis.statics.softest_motions import find_softest_motions
from gaitwright_apps.benchmarks.net import mass_spring_net


def chain():
    """Rods that joints alone hold together: without springs there is no stiffness but that of reactions."""
    model = gw.Model(gravity=(0, -9.81)).ground_point("P0", 0, 0)
    for k in range(1, 6):
        model.point(f"P{k}", 0.1 * k, -0.02 * k * k)
        model.link(f"rod{k}", f"P{k - 1}", f"P{k}", mass=0.1)
    return model.force.torsion_spring("rod1", "rod3", stiffness=0.1)


def pushed():
    """Follower load: the stiffness is not symmetric, and its pattern neither."""
    return chain().force.at_point("rod5.P5", [0.3, 0.1], frame="body")


def cantilever():
    model = gw.Model(gravity=(0, -9.81)).ground_point("O", 0, 0).point("T", 1, 0)
    model.beam("rod", "O", "T", elements=8, youngs_modulus=2e9, density=1200, width=0.02, height=0.003)
    return model.joint.fixed("ground.O", "rod.start").force("force", at="rod.end", value=[0, "-0.5*t"])


MODELS = {"chain": chain, "pushed": pushed, "cantilever": cantilever, "net": lambda: mass_spring_net(3, 4)}


def large(monkeypatch):
    monkeypatch.setattr(saddle_point, "MIN_LARGE_MATRIX_UNKNOWNS", -1)


@pytest.mark.parametrize("name", MODELS)
def test_equilibria_are_the_same(name, monkeypatch):
    model = MODELS[name]()
    one = model.static(time=1.0)
    large(monkeypatch)
    assert RestingMechanism(model.mechanism(), 1.0).matrix.large
    other = model.static(time=1.0)
    np.testing.assert_allclose(other.motion.q, one.motion.q, atol=1e-9)
    np.testing.assert_allclose(
        other.motion.lam, one.motion.lam, atol=1e-6 * (1.0 + np.abs(one.motion.lam).max(initial=0.0))
    )
    assert other.evidence.warnings == one.evidence.warnings


@pytest.mark.parametrize("control", ["time", "arc-length"])
def test_paths_are_the_same(control, monkeypatch):
    model = cantilever()
    one = model.static_path(until=2.0, steps=4, control=control)
    large(monkeypatch)
    other = model.static_path(until=2.0, steps=4, control=control)
    assert other.array("rod.end.y")[-1] == pytest.approx(one.array("rod.end.y")[-1], rel=1e-9)


def test_one_factorisation_gives_signs_and_solution(monkeypatch):
    large(monkeypatch)
    mechanism = mass_spring_net(3, 4).mechanism()
    rest = RestingMechanism(mechanism, 0.0)
    now = rest.forces(mechanism.drawn)
    before = rest.factorisations
    assert rest.step(mechanism.drawn, now, 0.0) is not None
    assert rest.factorisations == before + 1


def test_a_large_equilibrium_is_stable_by_one_factorisation(monkeypatch):
    large(monkeypatch)
    mechanism = mass_spring_net(4, 5).mechanism()
    rest = RestingMechanism(mechanism, 0.0)
    found = find_softest_motions(rest, mechanism.drawn, rest.forces(mechanism.drawn).lam)
    assert (found.negative, found.neutral, rest.factorisations) == (0, 0, 1)


@pytest.mark.parametrize("name", MODELS)
def test_few_unknowns_use_dense_matrix(name, monkeypatch):
    """Solution and sign of the determinant equal those of the sparse matrix."""
    mechanism = MODELS[name]().mechanism()
    rest, q = RestingMechanism(mechanism, 1.0), mechanism.drawn
    s, rng = rest.s, np.random.default_rng(3)
    stiffness, (jacobian, _) = rest.stiffness(q, np.zeros(s.m_all)), rest.jacobian(q)
    right = rng.normal(size=s.n), rng.normal(size=s.m)
    found = []
    for most in (10**6, -1):
        monkeypatch.setattr(saddle_point, "MAX_DENSE_UNKNOWNS", most)
        factored = rest.matrix.factor(stiffness, jacobian, 1e-3, False)
        found.append((np.concatenate(factored.solve(*right)), factored.sign))
    (one, sign), (other, same) = found
    assert one == pytest.approx(other, rel=1e-9, abs=1e-9 * np.abs(other).max()) and sign == same != 0
