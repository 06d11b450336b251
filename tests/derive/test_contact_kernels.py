"""Kernels of every pose, surface, normal law and friction compared with differences of their own expressions, and the laws
that hold for all of them."""

import numpy as np
import pytest
import sympy as sp

from derive.elements import (
    ELEMENTS,
    EVERYTHING,
    FRICTIONS,
    LAWS,
    LIBRARY,
    MANY,
    POSES,
    SEEDS,
    STEP,
    Batch,
    Law,
    close_to,
    gradient,
    kernels,
    mp,
    numbers,
)
from derive.spatial_elements import PlacedBatch, any_rotation, precise
from gaitwright.derive.kernel_interface import surface_size, twist_size
from gaitwright.derive.kernel_library import PlacedBasis
from gaitwright.physics.contact_geometry.approximate import ApproximateShape
from gaitwright.physics.contact_geometry.height_field import HeightFieldShape
from gaitwright.physics.contact_geometry.notch import NotchShape
from gaitwright.physics.declarations import ContactShape
from gaitwright.physics.parameters import VECTOR_PARAMETERS

SHAPES = [name for name, (declaration, _) in EVERYTHING.items() if issubclass(declaration, ContactShape)]
poses = pytest.mark.parametrize("name", POSES)
rigid_poses = pytest.mark.parametrize(
    "name", [name for name in POSES if "weighted" not in name and "apart" not in name]
)
"""Poses without those of nodes: their weights are random here and do not add up to 1, and of places without axes on both
sides, which are in the ground frame: tests/contact/test_closest_face.py."""
shapes = pytest.mark.parametrize("name", SHAPES)
laws = pytest.mark.parametrize("name", LAWS)
frictions = pytest.mark.parametrize("name", FRICTIONS)
seeds = pytest.mark.parametrize("seed", SEEDS)


def test_the_library_is_not_empty():
    assert len(POSES) >= 3 and len(SHAPES) >= 8 and len(LAWS) >= 18 and len(FRICTIONS) >= 5


# Poses --------------------------------------------------------------------------------------------------------------


def batch_of(name, seed, **options):
    return (PlacedBatch if isinstance(EVERYTHING[name][1], PlacedBasis) else Batch)(name, seed, **options)


def dimension(batch):
    return batch.dimension


def later(batch, dt):
    """Coordinates and signals a time dt later, with constant velocities."""
    q = [q + dt * v for q, v in zip(batch.q, batch.v, strict=True)]
    u = [x + dt * batch.u[k + 1] if k % 3 == 0 else x for k, x in enumerate(batch.u)]
    return q, u


def places(batch, q, u):
    return [x for pose in batch.pose(q, batch.v, u) for x in pose[: dimension(batch)]]


def twists(batch, q, v, u):
    d = dimension(batch)
    return [x for pose in batch.pose(q, v, u) for x in pose[d : d + twist_size(d)]]


def difference(function):
    """Central difference of a list-valued function of time."""
    return [(after - before) / (2 * STEP) for after, before in zip(function(STEP), function(-STEP), strict=True)]


@seeds
@poses
def test_velocity_is_the_rate_of_the_position(name, seed):
    """The explicit part of the velocity is that of a motion of the signals."""
    batch = batch_of(name, seed)
    d = dimension(batch)
    found = batch.pose(batch.q, batch.v, batch.u)
    close_to([x for p in found for x in p[d : 2 * d]], difference(lambda dt: places(batch, *later(batch, dt))))
    explicit = difference(lambda dt: places(batch, batch.q, later(batch, dt)[1]))
    close_to([x for p in found for x in p[d + twist_size(d) :][:d]], explicit)
    assert all(x != 0 for x in explicit) or "apart" in name  # no surface with its own motion has places without axes


@seeds
@poses
def test_virtual_power(name, seed):
    """f . at' + m . spin = Q . v + explicit parts: the power of the wrench equals the power of Q."""
    batch = batch_of(name, seed)
    d = dimension(batch)
    size = twist_size(d)
    wrench = batch.number(batch.rng.uniform(-2.0, 2.0, ELEMENTS * size))
    force = batch.pose_force(batch.q, batch.u, wrench)
    power, total = sum(f * v for f, v in zip(force, batch.v, strict=True)), 0
    for e, pose in enumerate(batch.pose(batch.q, batch.v, batch.u)):
        own = wrench[size * e : size * (e + 1)]
        total += sum(w * x for w, x in zip(own, pose[d : d + size], strict=True))
        total -= sum(w * x for w, x in zip(own[:d], pose[d + size : 2 * d + size], strict=True))
    close_to(power, total)


@seeds
@poses
def test_tangents(name, seed):
    batch = batch_of(name, seed)
    wrench = batch.number(batch.rng.uniform(-2.0, 2.0, ELEMENTS * twist_size(dimension(batch))))
    by_v, by_q, kq = batch.pose_tangents(batch.q, batch.v, batch.u, wrench)
    close_to(by_v, gradient(lambda v: twists(batch, batch.q, v, batch.u), batch.v))
    close_to(by_q, gradient(lambda q: twists(batch, q, batch.v, batch.u), batch.q))
    close_to(kq, -gradient(lambda q: batch.pose_force(q, batch.u, wrench), batch.q))


@poses
def test_with_floats(name):
    exact, plain = batch_of(name, 3), batch_of(name, 3, precise=False)
    for x, y in zip(exact.pose(exact.q, exact.v, exact.u), plain.pose(plain.q, plain.v, plain.u), strict=True):
        close_to(y, x)
    wrench = exact.rng.uniform(-1.0, 1.0, ELEMENTS * twist_size(dimension(exact))).tolist()
    tangents = (b.pose_tangents(b.q, b.v, b.u, b.number(wrench)) for b in (exact, plain))
    for x, y in zip(*tangents, strict=True):
        close_to(y, x)


@seeds
@rigid_poses
def test_moving_the_world_changes_nothing(name, seed):
    """Both bodies move and rotate together, with the surface at rest on its body: position, twist and axes of b stay."""
    batch = batch_of(name, seed)
    d = dimension(batch)
    turn = mp.mpf(0.83) if d == 2 else precise(any_rotation(batch.rng))
    still, shift = batch.zeros(3 * batch.k), [mp.mpf(x) for x in (0.4, -1.1, 0.3)[:d]]
    q, v = batch.moved(shift, turn), batch.turned_forces(batch.v, turn)  # velocities transform like forces
    same = 2 * d + twist_size(d) + d * (d - 1)
    if (
        "place" in name or "weighted" in name
    ):  # without axes its orientation stays; only values about its position move along
        same = 2 * d
    for here, there in zip(batch.pose(batch.q, batch.v, still), batch.pose(q, v, still), strict=True):
        close_to(there[:same], here[:same])


@seeds
@rigid_poses
def test_action_is_reaction(name, seed):
    """Forces on a and b are opposite, and with the surface at rest on its body so are their moments."""
    batch = batch_of(name, seed)
    d = dimension(batch)
    wrench = batch.number(batch.rng.uniform(0.5, 2.0, ELEMENTS * twist_size(d)))
    for u, count in ((batch.u, d), (batch.zeros(3 * batch.k), twist_size(d))):
        if d == 3 and count > d:
            continue  # axes of samples are any vectors, and moments those of rigid bodies: tests/contact/test_contacts.py
        force = batch.pose_force(batch.q, u, wrench)
        assert max(map(abs, force)) > 0.1
        for e in range(ELEMENTS):
            close_to(batch.resultant(force, e)[:count], [0] * count)


# Surfaces -----------------------------------------------------------------------------------------------------------


class Surface:
    """Two surfaces of one type, in sequence in the arrays, with random parameters and positions."""

    def __init__(self, name, seed):
        self.declaration, basis = EVERYTHING[name]
        self.kernels, self.d, rng = kernels(name), basis.dimension, np.random.default_rng(seed)
        par = []
        for parameter in list(self.declaration.parameters.values()) * ELEMENTS:
            vector = rng.normal(size=self.d)
            par += (
                list(vector / np.linalg.norm(vector))
                if isinstance(parameter, VECTOR_PARAMETERS)
                else [rng.uniform(0.3, 1.5)]
            )
        assert len(par) == ELEMENTS * self.kernels["N_PAR"]
        self.par, self.at = numbers(par), numbers(rng.uniform(-2.0, 2.0, self.d * ELEMENTS))

    def surface(self, at):
        """Return gap, region, normal and gradient of each surface."""
        size = surface_size(self.d)
        out = numbers(np.zeros(size * ELEMENTS))
        self.kernels["surface"](ELEMENTS, self.par, at, out)
        return [out[size * e : size * (e + 1)] for e in range(ELEMENTS)]

    def bend(self):
        """Return the derivatives of gradient and normal of each surface, as matrices."""
        size = 2 * self.d**2
        out = numbers(np.zeros(size * ELEMENTS))
        self.kernels["tangent"](ELEMENTS, self.par, self.at, out)
        return np.array(out, dtype=float).reshape(ELEMENTS, 2, self.d, self.d)


@pytest.mark.parametrize("seed", MANY)
@shapes
def test_surfaces(name, seed):
    """The gradient is the derivative of the gap, the normal a unit vector, and both are equal if the gap is the distance."""
    surface = Surface(name, seed)
    d = surface.d
    slope = gradient(lambda at: [s[0] for s in surface.surface(at)], surface.at)
    for e, found in enumerate(surface.surface(surface.at)):
        normal, across = found[2 : 2 + d], found[2 + d :]
        close_to(across, slope[e, d * e : d * (e + 1)])
        close_to(sum(x**2 for x in normal), 1)
        if surface.declaration not in (HeightFieldShape, NotchShape, ApproximateShape):
            close_to(across, normal)


@pytest.mark.parametrize("seed", MANY)
@shapes
def test_curvature_of_surfaces(name, seed):
    surface = Surface(name, seed)
    d = surface.d
    for k, first in enumerate((2 + d, 2)):
        slope = gradient(lambda at, first=first: [x for s in surface.surface(at) for x in s[first:][:d]], surface.at)
        for e, matrix in enumerate(surface.bend()):
            close_to(matrix[k], slope[d * e : d * (e + 1), d * e : d * (e + 1)])


# Laws and friction --------------------------------------------------------------------------------------------------


def expression(law, e, what, *inputs):
    """Evaluate force, energy or limit of law e by SymPy with many digits."""
    values = {name: sp.Float(float(value), 60) for name, value in law.values[e].items()}
    given = [sp.Float(mp.nstr(x, 60), 60) if isinstance(x, mp.mpf) else sp.Float(x, 60) for x in inputs]
    return mp.mpf(str(sp.N(getattr(law.declaration, what)(*given, **values), 50)))


def check_derivatives(law, given, columns):
    """Compare entries of the kernel output with differences of its force: {entry: index of the input}."""
    out = law.force(given)
    for entry, k in columns.items():
        above = law.force([[*row[:k], row[k] + STEP, *row[k + 1 :]] for row in given])
        below = law.force([[*row[:k], row[k] - STEP, *row[k + 1 :]] for row in given])
        for e in range(law.count):
            close_to(out[e][entry], (above[e][0] - below[e][0]) / (2 * STEP))
    return out


def states(law, low, high):
    """Return three random numbers per law between low and high."""
    return [[mp.mpf(float(x)) for x in law.rng.uniform(low, high)] for _ in range(law.count)]


@pytest.mark.parametrize("seed", MANY)
@laws
def test_law_is_its_expression_clipped_at_zero(name, seed):
    law = Law(name, seed)
    given = states(law, [0.01, -3.0, 0.5], [1.0, 1.0, 2.0])
    for e, ((depth, rate, approach), out) in enumerate(zip(given, law.force(given), strict=True)):
        close_to(out[0], max(expression(law, e, "force", depth, rate, approach), 0))
        close_to(out[3], expression(law, e, "energy", depth))
        step = mp.mpf(10) ** -15  # SymPy's energy has 50 digits
        rise = expression(law, e, "energy", depth + step) - expression(law, e, "energy", depth - step)
        close_to(out[4], rise / (2 * step))
        assert out[0] >= 0 and out[3] > 0 and out[4] > 0


@pytest.mark.parametrize("seed", MANY)
@laws
def test_derivatives_of_laws(name, seed):
    law = Law(name, seed)
    given = states(law, [0.01, -3.0, 0.5], [1.0, 1.0, 2.0])
    for (_, rate, _), out in zip(given, check_derivatives(law, given, {1: 0, 2: 1}), strict=True):
        if out[0] == 0:
            assert rate < 0 and out[1] == out[2] == 0  # cut off: the force is constant


@laws
def test_a_law_never_pulls(name):
    """For any separation speed; laws that lose energy are cut off in some of these states."""
    cut = 0
    for seed in MANY:
        law = Law(name, seed, precise=False)
        for depth in (1e-200, 1e-12, 1e-3, 0.5):
            for rate in (-1e6, -10.0, -1.0, -1e-3, 0.0, 1.0):
                for out in law.force([[depth, rate, 0.1]] * law.count):
                    assert out[0] >= 0
                    cut += out[0] == 0 and depth > 1e-12
    assert (cut > 0) == (LIBRARY[name][0].name not in ("hertz", "quadratic-penalty", "augmented-lagrange"))


@pytest.mark.parametrize("depth", [1e-200, 1e-100, 1e-17])
@laws
def test_a_law_is_finite_at_touchdown(name, depth):
    """At the smallest penetration that compiled code passes to a law (contact/state.py), with its flags; plain Python would
    raise on an overflow."""
    for exponent in (1.0, 1.5, 2.0, 3.7):
        law = Law(name, 1, precise=False, exponent=exponent)
        for rate in (-2.0, 0.0, 2.0):
            given = [[depth, rate, 1e-3]] * law.count
            plain, fast = law.force(given), law.compiled_force(given)
            assert np.all(np.isfinite(plain)) and np.all(np.isfinite(fast))
            assert np.allclose(fast, plain, rtol=1e-12, atol=0)


@pytest.mark.parametrize("seed", MANY)
@frictions
def test_friction_is_its_expression(name, seed):
    law = Law(name, seed)
    given = states(law, [-2.0, -2.0, 0.1], [2.0, 2.0, 2.0])
    history = law.declaration.limit(1.0, **law.values[0]) is not None
    for e, (row, out) in enumerate(zip(given, law.force(given), strict=True)):
        close_to(out[0], expression(law, e, "force", *row))
        close_to(out[4], expression(law, e, "limit", row[2]) if history else -1)


@pytest.mark.parametrize("seed", MANY)
@frictions
def test_derivatives_of_friction(name, seed):
    law = Law(name, seed)
    check_derivatives(law, states(law, [-2.0, -2.0, 0.1], [2.0, 2.0, 2.0]), {1: 0, 2: 1, 3: 2})


@frictions
def test_friction_is_finite_everywhere(name):
    """At rest, without normal force, and fast; nothing acts without normal force."""
    law = Law(name, 0, precise=False)
    for slip in (-1e6, -1e-300, 0.0, 1e-12, 1e3):
        for stretch in (-1.0, 0.0, 1e-9):
            for normal in (0.0, 1e-200, 1e9):
                out = law.compiled_force([[slip, stretch, normal]] * law.count)
                assert np.all(np.isfinite(out))
                assert normal > 0 or np.all(out[:, 0] == 0) or name == "friction_no_slip"  # which holds without


@pytest.mark.parametrize("name", [*LAWS, *FRICTIONS])
def test_laws_with_floats(name):
    exact, plain = Law(name, 5), Law(name, 5, precise=False)
    given = states(exact, [0.01, -0.5, 0.5], [1.0, 1.0, 2.0])
    for x, y in zip(exact.force(given), plain.force([[float(a) for a in row] for row in given]), strict=True):
        close_to(y, x)
