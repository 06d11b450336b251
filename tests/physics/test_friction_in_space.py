"""Friction laws with vectors: along any direction they are those of the plane, and at zero they are regular."""

import numpy as np
import pytest

from gaitwright._core.errors import ModelError
from gaitwright.derive.kernel_interface import LAW_SIZE, friction_size
from gaitwright.derive.kernel_library import kernel_module, library_kernels
from gaitwright.physics.bodies.spatial import SpatialRigidBody
from gaitwright.physics.declarations import Friction
from gaitwright.physics.symbolic import Tangential

LAWS = [d for d, families in library_kernels() if issubclass(d, Friction) and not families]
laws = pytest.mark.parametrize("law", LAWS, ids=lambda d: d.name)


def accepted(law, rng):
    while True:
        values = {name: rng.uniform(0.05, 2.0) for name in law.parameters}
        try:
            law.check(**values)
            return list(values.values())
        except ModelError:
            continue


def plane(law, numbers, slip, stretch, normal):
    out = [0.0] * LAW_SIZE
    kernel_module(law, ()).force(1, numbers, [slip, stretch, normal], out)
    return out


def space(law, numbers, slip, stretch, normal):
    """Force, d/d slip, d/d stretch, d/d normal, limit."""
    out = [0.0] * friction_size(3)
    kernel_module(law, (SpatialRigidBody,)).force(1, numbers, [*slip, *stretch, normal], out)
    out = np.array(out)
    return out[:3], out[3:12].reshape(3, 3), out[12:21].reshape(3, 3), out[21:24], out[24]


@laws
@pytest.mark.parametrize("seed", range(6))
def test_along_a_line_it_is_the_law_of_the_plane(law, seed):
    rng = np.random.default_rng(seed)
    numbers, along = accepted(law, rng), rng.normal(size=3)
    along /= np.linalg.norm(along)
    slip, stretch, normal = *rng.uniform(-1.0, 1.0, 2), rng.uniform(0.5, 2.0)
    force, by_slip, by_stretch, by_normal, limit = space(law, numbers, slip * along, stretch * along, normal)
    expected = plane(law, numbers, slip, stretch, normal)
    assert force == pytest.approx(expected[0] * along, abs=1e-13)
    assert along @ by_slip @ along == pytest.approx(expected[1], abs=1e-12)
    assert along @ by_stretch @ along == pytest.approx(expected[2], abs=1e-12)
    assert by_normal == pytest.approx(expected[3] * along, abs=1e-13) and limit == pytest.approx(expected[4])


@laws
@pytest.mark.parametrize("seed", range(6))
def test_derivatives_in_all_directions(law, seed):
    rng, step = np.random.default_rng(100 + seed), 1e-6
    numbers, normal = accepted(law, rng), rng.uniform(0.5, 2.0)
    slip, stretch = rng.uniform(-1.0, 1.0, 3), rng.uniform(-1.0, 1.0, 3)
    _, by_slip, by_stretch, by_normal, _ = space(law, numbers, slip, stretch, normal)
    for k, e in enumerate(np.eye(3)):
        for which, found in ((0, by_slip), (1, by_stretch)):
            ends = [space(law, numbers, slip + x * e * (which == 0), stretch + x * e * (which == 1), normal)[0]
                    for x in (-step, step)]  # fmt: skip
            assert found[:, k] == pytest.approx((ends[1] - ends[0]) / (2 * step), abs=1e-7)
    ends = [space(law, numbers, slip, stretch, normal + x)[0] for x in (-step, step)]
    assert by_normal == pytest.approx((ends[1] - ends[0]) / (2 * step), abs=1e-7)


@laws
@pytest.mark.parametrize("tiny", [0.0, 1e-300, 1e-100, 1e-50, 1e-20, 1e-9])
def test_nothing_is_singular_at_rest(law, tiny):
    """Neither value nor derivative is singular, also without a normal force; with it, tiny values act like zero."""
    numbers = accepted(law, np.random.default_rng(7))
    for normal in (0.0, 1.0):
        here = space(law, numbers, [tiny, -tiny, 0.0], [0.0, tiny, 0.0], normal)
        zero = space(law, numbers, np.zeros(3), np.zeros(3), normal)
        for x, y in zip(here, zero, strict=True):
            assert np.all(np.isfinite(x)) and (normal == 0.0 or x == pytest.approx(y, abs=1e-6))


def test_only_the_square_of_a_vector_is_a_number():
    x = Tangential((1.0, 2.0, 2.0))
    assert x**2 == 9.0 and (2 * x - x / 2).parts == (1.5, 3.0, 3.0) and (-x + x).parts == (0.0, 0.0, 0.0)
    with pytest.raises(TypeError, match="square"):
        _ = x**3
