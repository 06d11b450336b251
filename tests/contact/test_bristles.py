"""Bristles of the surface of a solid: their tangent where they stick, slide and land, and what landing leaves of a way."""

import numpy as np
import pytest

import gaitwright as gw
from gaitwright.analysis.initial_contact_state import make_resting_memory
from gaitwright.analysis.start_state import find_start
from gaitwright.analysis.statics.resting_mechanism import RestingMechanism

SIDES = (0.1, 0.08, 0.05)


def drawn(d: int, height: float, coefficient: float = 0.5) -> tuple[RestingMechanism, np.ndarray]:
    """A block above a plane at rest, and its pose; bristles stand straight there."""
    model = gw.Model("block", dimension=d, gravity=(0.0,) * d)
    mesh = gw.mesh.rectangle((SIDES[0], SIDES[2]), (2, 1)) if d == 2 else gw.mesh.box(SIDES, (2, 1, 1))
    model.solid(
        "block", mesh, material=gw.materials.NeoHookean(youngs_modulus=1e5, poissons_ratio=0.3), density=1000.0,
        at=(*[0.0] * (d - 1), SIDES[2] / 2 + height),
    )  # fmt: skip
    ground = gw.surfaces.LineGround(0.0) if d == 2 else gw.surfaces.PlaneGround(0.0)
    friction = gw.friction.Bristle(coefficient, 1e8)
    model.contact(gw.surfaces.Skin("block", "bottom"), ground, law=gw.laws.Penalty(1e8), friction=friction, name="sole")
    mechanism = model.mechanism()
    q = find_start(mechanism, 0.0, still=True).q
    return RestingMechanism(mechanism, 0.0, make_resting_memory(mechanism, 0.0, q)), q


@pytest.mark.parametrize("d", [2, 3])
@pytest.mark.parametrize("height", [0.0, 1e-5])
@pytest.mark.parametrize("coefficient", [0.5, 50.0])
def test_the_tangent_is_the_derivative_of_the_forces(d: int, height: float, coefficient: float):
    """Some points slide and some stick, and from a height they land within the step."""
    rest, q = drawn(d, height, coefficient)
    n, h = rest.s.n, 1e-9
    q[:n] += 1e-5 * np.random.default_rng(0).standard_normal(n)
    q[d - 1 : n : d] -= 4e-5
    K, slopes = rest._on_pattern(rest.stiffness(q, rest.forces(q).lam)).toarray(), np.zeros((n, n))
    for j in range(n):
        ends = [rest.acting(q + side * h * np.eye(n + 1)[j]) for side in (-1.0, 1.0)]
        slopes[:, j] = (ends[0] - ends[1]) / (2.0 * h) * rest.scale[j]
    assert np.abs(K - slopes).max() < 1e-7 * np.abs(K).max()


@pytest.mark.parametrize("d", [2, 3])
@pytest.mark.parametrize(("height", "part"), [(0.0, 1.0), (1e-5, 0.8), (4e-5, 0.2)])
def test_touchdown_within_step_counts_slip_from_touchdown(d: int, height: float, part: float):
    """Down by 5e-5 and along by 1e-5: bristles are stretched by the part of the way that lies inside."""
    rest, q = drawn(d, height, 50.0)
    n = rest.s.n
    q[0:n:d] += 1e-5
    q[d - 1 : n : d] -= 5e-5
    area = SIDES[0] * (SIDES[1] if d == 3 else 1.0)
    along = (rest.acting(q) / rest.scale)[0::d].sum()
    assert along == pytest.approx(-1e8 * area * part * 1e-5, rel=1e-6)
