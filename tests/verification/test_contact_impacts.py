"""Normal impacts: the whole table of the recomputation of 004 by every kind of method, the closed forms without gravity
for every law, and two free bodies. Touchdown and release are located within 1e-10 of the size of the mechanism (about
1e-10 m here), so durations and speeds can be off by that over the speed: 3e-8 of the longest impact, 1e-9 of the slowest
rebound."""

from __future__ import annotations

import functools
import math
from typing import Any

import numpy as np
import pytest

import gaitwright as gw
from gaitwright import physics
from gaitwright.result.contact_episodes import ContactEpisode
from verification import contact_solutions as cs

physics.load_all()
LAWS: dict[str, Any] = {
    n: law for n, law in gw.extend.ContactLaw.registry.items() if law.__module__.startswith("gaitwright")
}
FACTORS = {**cs.FACTORS, "zhang-sharf": cs.exact_factor}
RADIUS = 0.1

ADAPTIVE = {
    # tolerance: above it the errors are those of the located instants
    "dopri5": {"tolerance": 1e-12},
    "radau5": {"tolerance": 1e-10},
}
FIXED = {
    # h = 1 ms, longer than half of the impact; the method uses sub-steps. Relative errors due to its order.
    "rk4": 5e-6,
    "gill": 5e-6,
    "gauss2": 5e-6,
    "gauss3": 5e-6,
    "generalized-alpha": 1.5e-5,
}


def drop(law: gw.extend.ContactLaw, *, height: float = 1.0, gravity: float = cs.G, speed: float = 0.0) -> gw.Model:
    """The ball of the recomputation of 004: 1 kg, radius 0.1 m, its lowest point at `height`, thrown down with `speed`."""
    model = gw.Model("drop", gravity=(0.0, -gravity))
    model.body("ball", mass=cs.C_MASS, inertia=0.004, at=(0.0, RADIUS + height), velocity=(0.0, -speed))
    return model.contact(gw.surfaces.Circle("ball", RADIUS), gw.surfaces.LineGround(), law=law, name="floor")


def impact_of(e: ContactEpisode) -> cs.Impact:
    return cs.Impact(e.max_penetration, e.duration, e.max_force, e.separation_speed, e.restitution, e.dissipated)


def only(run: Any) -> cs.Impact:
    (episode,) = run.episodes
    return impact_of(episode)


@functools.cache
def truth(law: str, e: float) -> cs.Impact:
    push = cs.hysteresis(cs.FACTORS[law](e), cs.C_STIFFNESS, 1.5, cs.C_APPROACH)
    return cs.pressed_impact(push, mass=cs.C_MASS, approach=cs.C_APPROACH)


def digits(printed: float, count: int) -> float:
    """Half a unit of the last of `count` digits."""
    return 0.5 * 10.0 ** (math.floor(math.log10(abs(printed))) + 1 - count)


def assert_five_digits(found: cs.Impact, row: tuple[str, float]) -> None:
    depth, duration, force, out, e, _, loss = cs.TABLE_C[row]
    printed = (1e-6 * depth, 1e-6 * duration, force, out, e, loss)
    for name, ours, theirs in zip(cs.Impact._fields, found, printed, strict=True):
        # an elastic impact loses nothing: five digits of the 9.81 J that come in
        assert ours == pytest.approx(theirs, rel=0, abs=digits(theirs or cs.G, 5)), name


# Recomputation of 004 -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("row", cs.TABLE_C, ids=str)
@pytest.mark.parametrize("method", ADAPTIVE)
def test_table_c_adaptive(method: str, row: tuple[str, float]) -> None:
    law, e = row
    run = drop(LAWS[law](stiffness=cs.C_STIFFNESS, restitution=e)).simulate(0.46, method=method, **ADAPTIVE[method])
    found, exact = only(run), truth(*row)
    assert_five_digits(found, row)
    np.testing.assert_allclose(found.duration, exact.duration, rtol=0, atol=2e-10 / exact.separation + 1e-13)
    np.testing.assert_allclose(found[:1] + found[2:], exact[:1] + exact[2:], rtol=5e-9, atol=5e-9)
    # quantities independent of the instants of touchdown and release: the states in between
    assert (found.depth, found.force, found.loss) == pytest.approx(
        (exact.depth, exact.force, exact.loss), rel=2e-10, abs=1e-9
    )
    assert run.episodes[0].begin == pytest.approx(math.sqrt(2 / cs.G), rel=1e-9)
    assert run.episodes[0].approach_speed == pytest.approx(cs.C_APPROACH, rel=1e-10)


@pytest.mark.parametrize("row", cs.TABLE_C, ids=str)
@pytest.mark.parametrize("method", FIXED)
def test_table_c_with_steps_of_a_millisecond(method: str, row: tuple[str, float]) -> None:
    law, e = row
    run = drop(LAWS[law](stiffness=cs.C_STIFFNESS, restitution=e)).simulate(0.46, method=method, step=1e-3)
    found, exact = only(run), truth(*row)
    assert_five_digits(found, row)
    np.testing.assert_allclose(found, exact, rtol=FIXED[method], atol=FIXED[method])
    assert run.evidence.steps < 4000  # in parts, not everywhere


@pytest.mark.parametrize("step", [1e-2, 3.7e-3])
@pytest.mark.parametrize("method", ["rk4", "gauss3", "generalized-alpha"])
def test_steps_longer_than_the_whole_impact(method: str, step: float) -> None:
    """The impact lasts 1.4 ms: it is neither missed nor aliased, and as accurate as with h = 1 ms."""
    row = ("lankarani-nikravesh", 0.6)
    law = gw.laws.LankaraniNikravesh(stiffness=cs.C_STIFFNESS, restitution=0.6)
    assert_five_digits(only(drop(law).simulate(0.46, method=method, step=step)), row)


@pytest.mark.parametrize("method", ["rk4", "gauss2", "gauss3", "generalized-alpha"])
def test_the_tolerance_of_fixed_steps_is_kept_through_the_contact(method: str) -> None:
    """`tolerance` controls the sub-steps. A hundredth of it leaves at most a fifth of the error: methods of high order are
    held up by the force at touchdown, d^1.5, which has no second derivative there."""
    errors = []
    for tolerance in (1e-6, 1e-8):
        run = drop(gw.laws.Flores(stiffness=cs.C_STIFFNESS, restitution=0.6)).simulate(
            0.46, method=method, step=1e-3, tolerance=tolerance
        )
        errors.append(abs(only(run).depth / truth("flores", 0.6).depth - 1))
    assert errors[1] < 0.2 * errors[0] < 1e-4


# Without gravity: closed forms for every law --------------------------------------------------------------------------------

RESTITUTIONS = (0.0, 0.2, 0.5, 0.9, 1.0)
FAMILY = [
    (law, e) for law in FACTORS for e in RESTITUTIONS if e > 0 or LAWS[law].finite_at_zero
]  # fmt: skip


def test_the_table_of_factors_is_complete() -> None:
    """A law of the family that is added must be added to the solutions."""
    from gaitwright.physics.contact_laws.base import HysteresisLaw

    assert {name for name, law in LAWS.items() if issubclass(law, HysteresisLaw)} == set(FACTORS)
    of_skins = {"penalty", "quadratic-penalty", "augmented-lagrange"}  # test_skins.py
    assert set(LAWS) - set(FACTORS) == {"hertz"} | of_skins | set(OTHERS)


@pytest.mark.parametrize(("law", "e"), FAMILY)
def test_factor_and_rebound_of_the_family(law: str, e: float) -> None:
    """k(e) as in the sources, and k (1 + e) = ln((1 + k)/(1 - k e)) by simulation: depth, force, duration and loss, too."""
    k = float(LAWS[law].factor(e))
    # the rational function of zhang-sharf is fitted: 6e-5 of k, as in its docstring
    assert k == pytest.approx(FACTORS[law](e) if e < 1 or law != "zhang-sharf" else 0.0,
                              rel=6e-5 if law == "zhang-sharf" else 1e-14, abs=1e-15)  # fmt: skip
    given = {"stiffness": 2e6, "exponent": 1.5}
    exact = cs.free_impact(k, mass=cs.C_MASS, approach=2.0, **given)
    run = drop(LAWS[law](restitution=e, **given), height=0.01, gravity=0.0, speed=2.0).simulate(
        0.05, method="radau5", tolerance=1e-10
    )
    found = only(run)
    # error of Radau5 at 1e-10, some 10^3 steps; the instants as above
    assert found[2:5] == pytest.approx(exact[2:5], rel=1e-10)
    assert found.depth == pytest.approx(exact.depth, rel=2e-11)
    assert found.duration == pytest.approx(exact.duration, rel=1e-10, abs=2e-10 / exact.separation)
    # with strong damping the loss, an integral without error control, has a separate error: test_contact_energy.py
    assert found.loss == pytest.approx(exact.loss, rel=1e-9 if k < 10 else 1e-6, abs=1e-9)


@pytest.mark.parametrize("n", [1.0, 1.5, 2.0, 2.5])
@pytest.mark.parametrize("law", [None, "flores", "hunt-crossley"])
def test_exponents(law: str | None, n: float) -> None:
    """Hertz' depth, force and duration in closed form, and the family at other exponents."""
    given = {"stiffness": 1e5 * 100**n, "exponent": n}
    if law is None:
        choice, exact = gw.laws.Hertz(**given), cs.hertz_impact(mass=cs.C_MASS, approach=3.0, **given)
    else:
        choice = LAWS[law](restitution=0.5, **given)
        exact = cs.free_impact(cs.FACTORS[law](0.5), mass=cs.C_MASS, approach=3.0, **given)
    run = drop(choice, height=0.01, gravity=0.0, speed=3.0).simulate(0.03, method="radau5", tolerance=1e-10)
    np.testing.assert_allclose(only(run), exact, rtol=1e-8, atol=1e-8)
    assert only(run).depth == pytest.approx(exact.depth, rel=1e-10)


M, V = 0.9, 1.7  # mass and speed for the laws with a rebound that depends on them


def _smooth(x: float) -> float:
    return x * x * (3 - 2 * x) if x < 1 else 1.0


OTHERS: dict[str, tuple[dict[str, float], Any]] = {
    # values, and the force by the printed formula (docs/theory/contact-laws.md names the sources)
    "kelvin-voigt": ({"stiffness": 1e5, "damping": 80.0}, lambda d, r: 1e5 * d + 80 * r),
    "ristow": ({"stiffness": 1e6, "damping": 50.0}, lambda d, r: 1e6 * d**1.5 + 50 * r),
    "tsuji": ({"stiffness": 1e6, "damping": 300.0}, lambda d, r: 1e6 * d**1.5 + 300 * d**0.25 * r),
    "kuwabara-kono": (
        {"stiffness": 1e6, "relaxation_time": 6e-4}, lambda d, r: 1e6 * (d**1.5 + 1.5 * 6e-4 * d**0.5 * r),
    ),
    "marhefka-orin": ({"stiffness": 1e6, "dissipation": 0.2}, lambda d, r: 1e6 * d**1.5 * (1 + 0.3 * r)),
    "winkler": (
        {"stiffness": 1e4, "thickness": 0.02, "damping": 0.3, "exponent": 1.4},
        lambda d, r: 1e4 * (d / 0.02) ** 1.4 * (1 + 0.3 * r),
    ),
    "adams-impact": (
        {"stiffness": 1e6, "damping": 80.0, "depth": 5e-3}, lambda d, r: 1e6 * d**1.5 + 80 * _smooth(d / 5e-3) * r,
    ),
}  # fmt: skip


@pytest.mark.parametrize("law", OTHERS)
def test_laws_with_a_given_damping(law: str) -> None:
    """Against our own integration of the printed force, cut off where it would pull."""
    values, push = OTHERS[law]
    exact = cs.pressed_impact(lambda d, r: push(max(d, 0.0), r), mass=M, approach=V, gravity=0.0, pulls=True)
    model = gw.Model("drop", gravity=(0.0, 0.0)).body("ball", mass=M, inertia=1.0, at=(0.0, 0.01), velocity=(0.0, -V))
    model.contact("ball", gw.surfaces.LineGround(), law=LAWS[law](**values), name="floor")
    found = only(model.simulate(0.1, method="radau5", tolerance=1e-11))
    assert found.restitution == pytest.approx(exact.restitution, rel=1e-8)
    assert (found.depth, found.force) == pytest.approx((exact.depth, exact.force), rel=1e-8)
    assert found.duration == pytest.approx(exact.duration, rel=1e-7)
    if law == "kelvin-voigt":
        assert found.restitution == pytest.approx(cs.dashpot_rebound(1e5, 80.0, M), rel=1e-8)
    if law == "marhefka-orin":  # of the family, with k = 3 a v0 / 2
        assert found.restitution == pytest.approx(cs.rebound(0.3 * V), rel=1e-9)


# Two free bodies --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("law", "e"), [row for row in FAMILY if row[1] in (0.0, 0.5)])
@pytest.mark.parametrize("method", ["dopri5", "rk4"])
def test_two_free_bodies(method: str, law: str, e: float) -> None:
    """Circle on circle, central but oblique to the axes: the reduced mass meets, and restitution is that of the family.

    Explicit methods add the same force to both bodies with opposite signs: momentum is kept to rounding, 2e-16 of 2 N s
    per step and part of a step, as a random walk over some 500 of them."""
    m1, m2, K = 0.7, 2.3, 3e6
    along: Any = np.array([0.3, 0.06])
    model = gw.Model("collision", gravity=(0.0, 0.0))
    model.body("a", mass=m1, inertia=0.002, at=(0.0, 0.0), velocity=5 * along, spin=2.0)
    model.body("b", mass=m2, inertia=0.01, at=along, velocity=-1.5 * along)
    model.contact(
        gw.surfaces.Circle("a", 0.1),
        gw.surfaces.Circle("b", 0.12),
        law=LAWS[law](stiffness=K, restitution=e),
        name="hit",
    )
    # every step without interpolation: outputs in between have velocities with rounding of the positions over the step
    how = {"tolerance": 1e-12, "output_step": 0} if method == "dopri5" else {"step": 1e-3}
    run = model.simulate(0.1, method=method, **how)
    approach = 6.5 * float(np.hypot(*along))
    reduced = m1 * m2 / (m1 + m2)
    exact = cs.free_impact(float(LAWS[law].factor(e)), stiffness=K, exponent=1.5, mass=reduced, approach=approach)
    np.testing.assert_allclose(only(run), exact, rtol=2e-8 if method == "dopri5" else 5e-6, atol=1e-9)
    (episode,) = run.episodes
    assert episode.impulse == pytest.approx(reduced * approach * (1 + exact.restitution), rel=1e-5)
    for axis in ("vx", "vy"):
        momentum = m1 * run.array(f"a.{axis}") + m2 * run.array(f"b.{axis}")
        assert np.ptp(momentum) < 2e-14
    turning = (
        0.002 * run.array("a.spin") + 0.01 * run.array("b.spin")
        + sum(m * (run.array(f"{n}.x") * run.array(f"{n}.vy") - run.array(f"{n}.y") * run.array(f"{n}.vx"))
              for m, n in ((m1, "a"), (m2, "b")))
    )  # fmt: skip
    assert np.ptp(turning) < 2e-14
    # velocities after, as every textbook has them
    u = along / np.hypot(*along)
    before, share = 5 * float(along @ u), m2 / (m1 + m2) * (1 + exact.restitution)
    after = run.array("a.vx")[-1] * u[0] + run.array("a.vy")[-1] * u[1]
    assert after == pytest.approx(before - share * approach, rel=1e-8 if method == "dopri5" else 1e-5)
    assert run.array("a.spin")[-1] == pytest.approx(2.0, abs=1e-14)  # no friction


def test_glancing_collision_without_friction() -> None:
    """Oblique impact: only the normal part of the velocity changes, about the line of centres at touchdown.

    The bodies slide past each other while they touch, so the line turns: angle = tangential speed times duration over the
    distance, 1e-3 rad here, and the exact answer needs the two-dimensional problem, integrated here separately."""
    from scipy.integrate import solve_ivp

    m1, m2, r1, r2, K, k = 0.7, 2.3, 0.1, 0.12, 3e7, float(gw.laws.Flores.factor(0.5))
    model = gw.Model("glance", gravity=(0.0, 0.0))
    model.body("a", mass=m1, inertia=0.002, at=(0.0, 0.0), velocity=(2.0, 0.0))
    model.body("b", mass=m2, inertia=0.01, at=(0.3, 0.15), velocity=(0.0, 0.0))
    model.contact(
        gw.surfaces.Circle("a", r1),
        gw.surfaces.Circle("b", r2),
        law=gw.laws.Flores(stiffness=K, restitution=0.5),
        name="hit",
    )
    run = model.simulate(0.2, method="radau5", tolerance=1e-11)
    gap = math.sqrt((r1 + r2) ** 2 - 0.15**2)
    touch = np.array([gap, 0.15])
    approach = 2.0 * touch[0] / (r1 + r2)

    def motion(_: float, y: Any) -> Any:
        distance = math.hypot(y[0], y[1])
        d, rate = r1 + r2 - distance, -(y[0] * y[2] + y[1] * y[3]) / distance
        push = K * max(d, 0.0) ** 1.5 * (1 + k * rate / approach) / distance * (1 / m1 + 1 / m2)
        return [y[2], y[3], push * y[0], push * y[1]]

    def apart(_: float, y: Any) -> float:
        return math.hypot(y[0], y[1]) - r1 - r2 if y[0] * y[2] + y[1] * y[3] > 0 else -1.0

    apart.terminal = True  # type: ignore
    path = solve_ivp(motion, (0, 1), [*touch, -2.0, 0.0], events=apart, rtol=1e-13, atol=1e-15, method="DOP853")
    relative = path.y_events[0][0][2:]
    common = m1 * np.array([2.0, 0.0]) / (m1 + m2)
    for name, share in (("a", -m2 / (m1 + m2)), ("b", m1 / (m1 + m2))):
        ours = [run.array(f"{name}.vx")[-1], run.array(f"{name}.vy")[-1]]
        np.testing.assert_allclose(ours, common + share * relative, rtol=0, atol=1e-9)
