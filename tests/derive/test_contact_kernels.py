"""Kernels of every contact geometry, normal law and friction against differences of their own expressions, against the
velocities of material points, and the laws that all of them keep."""

from typing import Any

import numpy as np
import pytest
import sympy as sp

from derive.elements import (
    ELEMENTS,
    FRICTIONS,
    GEOMETRIES,
    LAWS,
    LIBRARY,
    MANY,
    SEEDS,
    STEP,
    Batch,
    Law,
    close_to,
    gradient,
    mp,
    turned,
)
from gaitwright.physics.bodies.beam import Node

geometries = pytest.mark.parametrize("name", GEOMETRIES)
laws = pytest.mark.parametrize("name", LAWS)
frictions = pytest.mark.parametrize("name", FRICTIONS)
seeds = pytest.mark.parametrize("seed", SEEDS)
COORDINATES = ["x", "y", "theta"]


def test_the_library_is_not_empty():
    assert len(GEOMETRIES) >= 4 and len(LAWS) >= 18 and len(FRICTIONS) >= 5


# Geometry -----------------------------------------------------------------------------------------------------------


def later(batch, dt):
    """Coordinates and signals a moment dt later, with constant velocities."""
    q = [q + dt * v for q, v in zip(batch.q, batch.v, strict=True)]
    u = [x + dt * batch.u[k + 1] if k % 3 == 0 else x for k, x in enumerate(batch.u)]
    return q, u


def difference(function):
    """Central difference of a function of time that returns a list."""
    return [(after - before) / (2 * STEP) for after, before in zip(function(STEP), function(-STEP), strict=True)]


def gaps_and_slides(batch, q, u):
    return [value for gap, _, slide, _, _ in batch.seen(q, batch.v, u) for value in (gap, slide)]


@seeds
@geometries
def test_gap_is_the_first_part_of_frame(name, seed):
    batch = Batch(name, seed)
    for seen, frame in zip(batch.seen(batch.q, batch.v, batch.u), batch.frames(batch.q, batch.v, batch.u), strict=True):
        close_to(frame[: len(seen)], seen, 1e-15)


@seeds
@geometries
def test_rates(name, seed):
    """gap' and slide' from gap and slide along a motion; their explicit parts in time from a motion of the signals."""
    batch = Batch(name, seed)
    frames = batch.frames(batch.q, batch.v, batch.u)
    close_to(
        [x for f in frames for x in (f.rate, f.slip)],
        difference(lambda dt: gaps_and_slides(batch, *later(batch, dt))),
    )
    explicit = difference(lambda dt: gaps_and_slides(batch, batch.q, later(batch, dt)[1]))
    close_to([x for f in frames for x in (f.gap_t, f.slide_t)], explicit)
    assert any(x != 0 for x in explicit) == (batch.k > 0)


@seeds
@geometries
def test_directions_are_the_derivatives_of_gap_and_slide(name, seed):
    batch = Batch(name, seed)
    slope = gradient(lambda q: gaps_and_slides(batch, q, batch.u), batch.q)
    for e, frame in enumerate(batch.frames(batch.q, batch.v, batch.u)):
        close_to(frame.gap_q, slope[2 * e, batch.dof[e]])
        close_to(frame.slide_q, slope[2 * e + 1, batch.dof[e]])
        others = np.delete(slope[2 * e : 2 * e + 2], batch.dof[e], axis=1)
        assert not others.any()


@seeds
@geometries
def test_virtual_power(name, seed):
    """F_n gap' + F_t slide' = Q . v + explicit parts: what the forces do on the way is what Q does."""
    batch = Batch(name, seed)
    normal, tangential = (batch.number(batch.rng.uniform(-2.0, 2.0, ELEMENTS)) for _ in range(2))
    frames = batch.frames(batch.q, batch.v, batch.u)
    pairs = iter(zip(normal, tangential, strict=True))
    force = batch.contact_force(batch.q, batch.v, batch.u, lambda _: next(pairs))
    power = sum(f * v for f, v in zip(force, batch.v, strict=True))
    total = sum(
        n * (f.rate - f.gap_t) + t * (f.slip - f.slide_t) for n, t, f in zip(normal, tangential, frames, strict=True)
    )
    close_to(power, total)


def smooth_forces(rng) -> tuple[Any, Any]:
    """Random smooth F_n(gap, gap') and F_t(gap, gap', slide, slide'), and the eight numbers that the tangent needs."""
    c = [mp.mpf(float(x)) for x in rng.uniform(-1.0, 1.0, 10)]

    def forces(gap, rate, slide, slip):
        normal = c[0] + c[1] * gap**2 + c[2] * mp.sin(rate) + c[3] * gap * rate
        tangential = (
            c[4] * mp.sin(slip) * normal
            + c[5] * slide**2
            + c[6] * gap * slide
            + c[7] * rate * slip
            + c[8] * gap
            + c[9] * rate
        )
        return normal, tangential

    def coefficients(frame):
        at = [frame.gap, frame.rate, frame.slide, frame.slip]
        slopes = []
        for k in range(4):
            above, below = list(at), list(at)
            above[k], below[k] = at[k] + STEP, at[k] - STEP
            slopes.append([(p - m) / (2 * STEP) for p, m in zip(forces(*above), forces(*below), strict=True)])
        by_gap, by_rate, by_slide, by_slip = slopes
        assert by_slide[0] == by_slip[0] == 0
        return [*forces(*at), by_gap[0], by_rate[0], by_gap[1], by_rate[1], by_slide[1], by_slip[1]]

    return lambda frame: forces(frame.gap, frame.rate, frame.slide, frame.slip), coefficients


@seeds
@geometries
def test_tangents(name, seed):
    """Against differences of F_n gap_q + F_t slide_q with random smooth forces."""
    batch = Batch(name, seed)
    forces, coefficients = smooth_forces(batch.rng)
    frames = batch.frames(batch.q, batch.v, batch.u)
    kq, kv = batch.contact_tangents(batch.q, batch.v, batch.u, [x for f in frames for x in coefficients(f)])
    close_to(kq, -gradient(lambda q: batch.contact_force(q, batch.v, batch.u, forces), batch.q))
    close_to(kv, -gradient(lambda v: batch.contact_force(batch.q, v, batch.u, forces), batch.v))


@geometries
def test_with_floats(name):
    exact, plain = Batch(name, 3), Batch(name, 3, precise=False)
    for x, y in zip(exact.frames(exact.q, exact.v, exact.u), plain.frames(plain.q, plain.v, plain.u), strict=True):
        close_to([*y[:-2], *y.gap_q, *y.slide_q], [*x[:-2], *x.gap_q, *x.slide_q])
    coefficients = exact.rng.uniform(-1.0, 1.0, 8 * ELEMENTS).tolist()
    tangents = (b.contact_tangents(b.q, b.v, b.u, b.number(coefficients)) for b in (exact, plain))
    for x, y in zip(*tangents, strict=True):
        close_to(y, x)


@seeds
@geometries
def test_moving_the_world_changes_nothing(name, seed):
    """Both bodies moved and turned together, with the surface at rest on its body."""
    batch, angle, shift = Batch(name, seed), mp.mpf(0.83), (mp.mpf(0.4), mp.mpf(-1.1))
    still = batch.zeros(3 * batch.k)
    here = batch.frames(batch.q, batch.v, still)
    q, v = batch.moved(shift, angle), batch.turned_forces(batch.v, angle)  # velocities turn as forces do
    there = batch.frames(q, v, still)
    for e, (f, g) in enumerate(zip(here, there, strict=True)):
        close_to([g.gap, g.rate, g.slip, g.region], [f.gap, f.rate, f.slip, f.region])
        # The angle of a beam may jump by a full turn besides.
        extra = 2 * mp.pi * batch.par[e, -1] if "circle" in name or "corner" in name else 0
        ways = [g.slide - f.slide + k * extra for k in ((-1, 0, 1) if batch.families[1] is Node else (0,))]
        turns = min((way / (period(batch, e) or 1) for way in ways), key=lambda x: abs(x - mp.nint(x)))
        close_to(turns, float(mp.nint(turns)) if period(batch, e) else 0)
        x, y = turned(f.x, f.y, angle)
        close_to([g.x, g.y], [x + shift[0], y + shift[1]])


def period(batch, e):
    """What the slide of element e jumps by, from its parameters behind the local coordinates of a and b; on a beam, whose
    angle is only known up to full turns, it jumps with that too."""
    kinds = zip(batch.declaration.attachments.values(), batch.families, strict=True)
    names, at = {}, sum(len(family.markers[type(kind)].parameters) for kind, family in kinds)
    for name, parameter in batch.declaration.parameters.items():
        width = {"Direction": 2, "Number": 1, "Signal": 0}[type(parameter).__name__]
        names[name] = float(batch.par[e, at]) if width == 1 else batch.par[e, at : at + width]
        at += width
    assert at == batch.par.shape[1]
    size = batch.declaration.period(**{k: x for k, x in names.items() if not hasattr(x, "size") or x.size})
    return size or (2 * float(mp.pi) * names["radius"] if batch.families[1] is Node else 0.0)


@seeds
@geometries
def test_action_is_reaction(name, seed):
    """Forces on a and b are opposite, and with the surface at rest on its body so are their moments."""
    batch = Batch(name, seed)
    normal, tangential = mp.mpf(1.3), mp.mpf(-0.7)
    force = batch.contact_force(batch.q, batch.v, batch.u, lambda _: (normal, tangential))
    still = batch.contact_force(batch.q, batch.v, batch.zeros(3 * batch.k), lambda _: (normal, tangential))
    assert max(map(abs, force)) > 0.1
    for e in range(ELEMENTS):
        close_to(batch.resultant(force, e)[:2], [0, 0])
        close_to(batch.resultant(still, e), [0, 0, 0])


@seeds
@geometries
def test_moving_with_the_world_opens_and_slides_nothing(name, seed):
    batch = Batch(name, seed)
    v = batch.moving((mp.mpf(0.3), mp.mpf(-0.7)), mp.mpf(1.9))
    for frame in batch.frames(batch.q, v, batch.zeros(3 * batch.k)):
        close_to([frame.rate, frame.slip], [0, 0])


def close_gap(batch):
    """Move every b along the normal until it touches: one step, because all gaps are distances."""
    for e, frame in enumerate(batch.frames(batch.q, batch.v, batch.u)):
        names, index = list(batch.markers(e))[1]
        for name, k in zip(names, index, strict=True):
            if name in "xy":
                batch.q[k] -= frame.gap * frame.gap_q[len(COORDINATES) + "xy".index(name)]
    return batch


def velocity_at(batch, e, which, point):
    """Velocity of the material point of body `which` (0: a, 1: b) of element e that is at `point` now."""
    names, index = list(batch.markers(e))[which]
    at = dict(zip(names, index, strict=True))
    x, y = (p - batch.q[at[name]] for p, name in zip(point, "xy", strict=True))
    if "theta" in at:
        spin = batch.v[at["theta"]]
    else:  # of the tangent
        u, w = batch.q[at["u"]], batch.q[at["v"]]
        spin = (u * batch.v[at["v"]] - w * batch.v[at["u"]]) / (u**2 + w**2)
    return batch.v[at["x"]] - spin * y, batch.v[at["y"]] + spin * x


@pytest.mark.parametrize("seed", MANY)
@pytest.mark.parametrize("name", [name for name in GEOMETRIES if "notch" not in name])  # whose gap is never open
def test_rates_are_those_of_the_material_points_that_touch(name, seed):
    """At a closed gap: gap' and slide' are the velocity of b's point relative to a's along normal and tangent, which is
    the normal turned by -90 degrees; the force acts at the point of both bodies. A displaced surface moves with its body
    and besides with d'."""
    batch = close_gap(Batch(name, seed))
    frames = batch.frames(batch.q, batch.v, batch.u)
    for e, f in enumerate(frames):
        close_to(f.gap, 0, 1e-15)
        normal, tangent = (f.gap_q[3], f.gap_q[4]), (f.slide_q[3], f.slide_q[4])
        close_to(normal[0] ** 2 + normal[1] ** 2, 1)
        close_to(tangent, (normal[1], -normal[0]))
        moved, drift = ([batch.u[3 * k + i] for k in batch.sig[e]] or [0, 0] for i in (0, 1))
        on_b = velocity_at(batch, e, 1, (f.x, f.y))
        on_a = velocity_at(batch, e, 0, (f.x - moved[0], f.y - moved[1]))
        relative = [b - a - d for b, a, d in zip(on_b, on_a, drift, strict=True)]
        close_to(f.rate, relative[0] * normal[0] + relative[1] * normal[1])
        close_to(f.slip, relative[0] * tangent[0] + relative[1] * tangent[1])


@seeds
@geometries
def test_slide_jumps_by_its_period_alone(name, seed):
    """b goes once round a, far outside: the slide changes smoothly but for jumps of one period."""
    batch = Batch(name, seed)
    (_, a), (_, b) = batch.markers(0)
    arm, slides, steps = [batch.q[i] - batch.q[j] for i, j in zip(b[:2], a[:2], strict=True)], [], 100
    for k in range(steps + 1):
        x, y = turned(20 * arm[0], 20 * arm[1], 2 * mp.pi * k / steps)
        batch.q[b[0]], batch.q[b[1]] = batch.q[a[0]] + x, batch.q[a[1]] + y
        slides.append(float(batch.seen(batch.q, batch.v, batch.u)[0][2]))
    size = batch.declaration.name in ("circle", "corner") and period(batch, 0)
    jumps = np.diff(slides)
    if not size:
        assert abs(sum(jumps)) < 1e-9 and np.abs(jumps).max() < 0.1 * np.ptp(slides)
    else:
        turns = np.round(jumps / size)
        assert np.abs(turns).sum() == 1
        assert np.abs(jumps - size * turns).max() < 0.05 * size


# Laws and friction --------------------------------------------------------------------------------------------------


def expression(law, e, what, *inputs):
    """force, energy or limit of law e, evaluated by SymPy with many digits."""
    values = {name: sp.Float(float(value), 60) for name, value in law.values[e].items()}
    given = [sp.Float(mp.nstr(x, 60), 60) if isinstance(x, mp.mpf) else sp.Float(x, 60) for x in inputs]
    return mp.mpf(str(sp.N(getattr(law.declaration, what)(*given, **values), 50)))


def check_derivatives(law, given, columns):
    """Entries of what the kernel writes against differences of its force: {entry: index of the input}."""
    out = law.force(given)
    for entry, k in columns.items():
        above = law.force([[*row[:k], row[k] + STEP, *row[k + 1 :]] for row in given])
        below = law.force([[*row[:k], row[k] - STEP, *row[k + 1 :]] for row in given])
        for e in range(law.count):
            close_to(out[e][entry], (above[e][0] - below[e][0]) / (2 * STEP))
    return out


def states(law, low, high):
    """Three random numbers per law between low and high."""
    return [[mp.mpf(float(x)) for x in law.rng.uniform(low, high)] for _ in range(law.count)]


@pytest.mark.parametrize("seed", MANY)
@laws
def test_a_law_is_its_expression_cut_off_at_zero(name, seed):
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
            assert rate < 0 and out[1] == out[2] == 0  # cut off: nothing changes


@laws
def test_a_law_never_pulls(name):
    """However fast the bodies part; laws that lose energy are cut off in some of these states."""
    cut = 0
    for seed in MANY:
        law = Law(name, seed, precise=False)
        for depth in (1e-200, 1e-12, 1e-3, 0.5):
            for rate in (-1e6, -10.0, -1.0, -1e-3, 0.0, 1.0):
                for out in law.force([[depth, rate, 0.1]] * law.count):
                    assert out[0] >= 0
                    cut += out[0] == 0 and depth > 1e-12
    assert (cut > 0) == (LIBRARY[name][0].name != "hertz")


@pytest.mark.parametrize("depth", [1e-200, 1e-100, 1e-17])
@laws
def test_a_law_is_finite_at_touchdown(name, depth):
    """At the smallest penetration that compiled code gives to a law (system/touch.py), with its flags; plain Python would
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
                assert normal > 0 or np.all(out[:, 0] == 0)


@pytest.mark.parametrize("name", [*LAWS, *FRICTIONS])
def test_laws_with_floats(name):
    exact, plain = Law(name, 5), Law(name, 5, precise=False)
    given = states(exact, [0.01, -0.5, 0.5], [1.0, 1.0, 2.0])
    for x, y in zip(exact.force(given), plain.force([[float(a) for a in row] for row in given]), strict=True):
        close_to(y, x)
