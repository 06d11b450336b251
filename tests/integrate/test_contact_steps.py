"""Touchdown, release and rest of contacts within the steps of every method, stored outputs, and the end of runs.

The numbers of impacts (rebounds, forces, energies) are tested in tests/verification. These tests check the steps: no event is
missed or counted twice, and every run ends.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import gaitwright as gw
import gaitwright.analysis.forward as forward
import gaitwright.contact.history as history
import gaitwright.contact.surface_pieces as surfaces
from gaitwright.contact.state import (
    MEMORY_APPROACH_SPEED,
    MEMORY_STRETCH,
    MEMORY_TOUCHING,
    NOT_TOUCHING,
    TOUCHING_BY_LAW,
)
from gaitwright.integrate import load_all

G, RADIUS = 9.81, 0.1
METHODS = {name: method for name, method in sorted(load_all().items()) if method.workspace is None}
"""All that have events; moreau has none, it treats contacts as rigid."""
FIXED = [name for name, method in METHODS.items() if not method.adaptive]
ADAPTIVE = [name for name, method in METHODS.items() if method.adaptive]
every_method = pytest.mark.parametrize("method", METHODS)
SOFT = gw.laws.HuntCrossley(stiffness=1e6, restitution=0.5)
"""Impacts of some 10 ms."""
SINK = (G / 1e6) ** (2 / 3)
"""How deep 1 kg rests in it."""


def how(method: str, step: float = 1e-3) -> dict[str, Any]:
    """Options of a method; with 1e-8, Euler's method would need 130 000 steps for some bounces of a ball."""
    if METHODS[method].adaptive:
        return {"method": method, "tolerance": 1e-8}
    return {"method": method, "step": step, **({"tolerance": 1e-6} if method == "euler" else {})}


def stored(method: str) -> dict[str, Any]:
    """As `how`, with every step and every part of a step stored."""
    return how(method) | ({"output_step": 0} if METHODS[method].adaptive else {"every": 0})


def ball(law: Any = SOFT, height: float = 1.0, surface: Any = None, **contact: Any) -> gw.Model:
    """Ball of 1 kg and 0.1 m radius, with its centre at `height` above a plane."""
    body = {key: contact.pop(key) for key in ("velocity", "spin") if key in contact}
    model = gw.Model("ball", gravity=(0, -G)).body("ball", mass=1.0, inertia=0.004, at=(0, height), **body)
    return model.contact(
        gw.surfaces.Circle("ball", RADIUS), surface or gw.surfaces.LineGround(), law=law, name="c", **contact
    )


def touchdown(method: str, fall: float, h: float = 1e-3) -> float:
    """Time after which a body that falls from rest has fallen this distance, s; Euler's motion is a polygon."""
    if method != "euler":
        return float(np.sqrt(2 * fall / G))
    k = int((1 + np.sqrt(1 + 8 * fall / (G * h**2))) / 2)  # whole steps: fallen by g h^2 k (k - 1) / 2
    return k * h + (fall - G * h**2 * k * (k - 1) / 2) / (G * h * k)


# One touchdown and one release --------------------------------------------------------------------------------------


@every_method
def test_touchdown_is_located(method: str) -> None:
    """To 1e-9 s and 1e-9 m, in steps of 1 ms or longer; the landing zone is 1e-10 of the size of the mechanism."""
    run = ball().simulate(0.5, **stored(method))
    (episode,) = run.episodes
    t = touchdown(method, 0.9)
    assert episode.begin == pytest.approx(t, abs=1e-9)
    assert episode.approach_speed == pytest.approx(G * t, abs=1e-8)
    for instant in (episode.begin, episode.end):
        assert instant in run.time
        assert abs(run.array("c.gap")[run.time == instant]) < 1e-9
    assert run.evidence.events == 2


@every_method
def test_approach_speed_is_stored_and_forgotten(method: str) -> None:
    run = ball().simulate(1.2, **stored(method))
    assert len(run.episodes) >= 2
    during = np.zeros(run.time.size, dtype=int)
    for k, episode in enumerate(run.episodes):
        during[(run.time >= episode.begin) & ~(run.time >= episode.end)] = k + 1
    memory = run.motion.memory
    assert np.array_equal(memory[:, MEMORY_TOUCHING], np.where(during > 0, TOUCHING_BY_LAW, NOT_TOUCHING))
    speeds = np.array([0.0, *(episode.approach_speed for episode in run.episodes)])
    assert np.array_equal(memory[:, MEMORY_APPROACH_SPEED], speeds[during])
    assert np.all(np.diff(speeds[1:]) < 0)  # each bounce is slower
    assert not memory[:, MEMORY_STRETCH].any()  # without friction there are no bristles


@every_method
def test_force_acts_only_in_contact_and_never_pulls(method: str) -> None:
    """Ristow's dashpot would pull before the surfaces separate."""
    run = ball(gw.laws.Ristow(stiffness=1e6, damping=200.0)).simulate(0.6, **stored(method))
    force, penetration = run.array("c.normal_force"), run.array("c.penetration")
    touching = run.motion.memory[:, MEMORY_TOUCHING] > 0
    assert force.min() == 0.0 and np.all(force[~touching] == 0.0)
    assert np.any(force[touching] == 0.0) and force.max() > 100.0
    assert penetration.min() >= 0.0 and np.all(penetration[~touching] == 0.0)


@pytest.mark.slow
@pytest.mark.parametrize("step", [1e-3, 5e-2])
@pytest.mark.parametrize("method", FIXED)
def test_a_step_longer_than_the_impact_neither_misses_nor_aliases_it(method: str, step: float) -> None:
    """An impact of 1.4 ms: the rebound equals that of an adaptive method for any step."""
    law = gw.laws.HuntCrossley(stiffness=1.4e8, restitution=0.5)
    (truth,) = ball(law).simulate(0.55, method="radau5", tolerance=1e-10).episodes
    assert truth.duration == pytest.approx(1.4e-3, rel=0.01)
    (episode,) = ball(law).simulate(0.55, **how(method, step)).episodes
    # Euler arrives at another speed, on which the rebound of this law hardly depends.
    tolerance = 5e-3 if method == "euler" else 2e-5
    assert episode.restitution == pytest.approx(truth.restitution, abs=tolerance)
    assert episode.duration == pytest.approx(truth.duration, rel=0.02 if method == "euler" else 2e-4)
    if method != "euler":
        assert episode.max_force == pytest.approx(truth.max_force, rel=1e-4)
        assert episode.impulse == pytest.approx(truth.impulse, rel=1e-3)


@pytest.mark.parametrize("speed", [100.0, 3.0])
@pytest.mark.parametrize("method", ["dopri5", "radau5", "rk4", "generalized-alpha"])
def test_a_fast_particle_does_not_pass_through_a_thin_wall(method: str, speed: float) -> None:
    """A wall 1 mm thick and steps of 1 ms: 100 times its thickness at 100 m/s."""
    outline = [(0.0, -0.2), (0.0, 0.2), (1e-3, 0.2), (1e-3, -0.2), (0.0, -0.2)]
    model = gw.Model("bullet", gravity=(0, 0)).body("b", mass=0.01, inertia=1e-6, at=(-0.5, 0.01), velocity=(speed, 0))
    model.contact("b", gw.surfaces.Polyline(outline), law=gw.laws.Hertz(1e12), name="c")
    run = model.simulate(0.9 / speed, **how(method))
    (episode,) = run.episodes
    assert episode.begin == pytest.approx(0.5 / speed, abs=1e-9)
    assert episode.max_penetration < 0.5e-3
    assert run.array("b.vx")[-1] == pytest.approx(-speed, rel=1e-4)


@pytest.mark.parametrize("method", ["dopri5", "radau5", "rosenbrock23", "rk4", "gauss2", "generalized-alpha"])
def test_small_fast_bodies_do_not_miss_each_other(method: str) -> None:
    """Both ends of a step are without contact, and the bodies move many diameters per step. The lowest point of a cubic through
    both ends missed two of three collisions."""
    rng = np.random.default_rng(0)
    for _ in range(6):
        distance, radius = rng.uniform(1.0, 8.0), rng.choice([0.1, 0.02, 0.003])
        offset = rng.uniform(0.0, 1.5) * radius
        model = gw.Model("two", gravity=(0, 0)).body("a", mass=1, inertia=1e-3, at=(distance, offset))
        model.body("b", mass=1, inertia=1e-3, velocity=(10.0, 0.0))
        model.contact(
            gw.surfaces.Circle("b", radius), gw.surfaces.Circle("a", radius), law=gw.laws.Hertz(1e9), name="c"
        )
        run = model.simulate(1.0, **how(method, 0.01))
        (episode,) = run.episodes
        apart = np.sqrt(4 * radius**2 - offset**2)
        assert episode.begin == pytest.approx((distance - apart) / 10.0, abs=1e-9)


def test_a_body_passing_nearby_makes_no_contact() -> None:
    """The search for a minimum of the gap ends early if the bodies are too far apart."""
    model = gw.Model("two", gravity=(0, 0)).body("a", mass=1, inertia=1e-3, at=(4.0, 0.2001))
    model.body("b", mass=1, inertia=1e-3, velocity=(10.0, 0.0))
    model.contact(gw.surfaces.Circle("b", 0.1), gw.surfaces.Circle("a", 0.1), law=gw.laws.Hertz(1e9), name="c")
    run = model.simulate(1.0, method="dopri5")
    assert not run.episodes and run.evidence.events == 0
    assert run.evidence.event_evaluations < 50


# Several at once ----------------------------------------------------------------------------------------------------


def plank(angle: float = 0.0) -> gw.Model:
    points = {"left": (-0.3, 0.0), "right": (0.3, 0.0)}
    model = gw.Model("plank", gravity=(0, -G)).body("b", mass=1.0, inertia=0.1, at=(0, 0.5), angle=angle, points=points)
    for point in points:
        model.contact(f"b.{point}", gw.surfaces.LineGround(), law=SOFT, name=point)
    return model


@every_method
def test_two_contacts_at_the_same_instant(method: str) -> None:
    run = plank().simulate(1.0, **how(method))
    left, right = ([e for e in run.episodes if e.contact == name] for name in ("left", "right"))
    assert len(left) == len(right) == 2
    for a, b in zip(left, right, strict=True):
        assert a.begin == b.begin and a.end == b.end
        assert a.approach_speed == pytest.approx(b.approach_speed, rel=1e-12)
    assert np.abs(run.array("b.angle")).max() < 1e-13


@every_method
def test_two_contacts_almost_at_the_same_instant(method: str) -> None:
    """Tilted by 1e-9 rad, the second foot touches 2e-10 s later: both touchdowns are located."""
    run = plank(1e-9).simulate(0.35, **how(method))
    first, second = sorted(run.episodes, key=lambda episode: episode.begin)
    assert {first.contact, second.contact} == {"left", "right"}
    assert second.begin - first.begin == pytest.approx(0.6e-9 / first.approach_speed, rel=0.5)
    assert second.end - first.end == pytest.approx(0.0, abs=1e-6)


@pytest.mark.slow
def test_many_contacts_end_and_begin_at_once() -> None:
    """More contacts than the history has rows: a run with 1200 pieces of terrain never ended."""
    x = np.linspace(-1.0, 1.0, 800)
    terrain = gw.surfaces.Polyline([(float(a), 0.01 * float(np.cos(7 * a))) for a in x])
    model = ball(height=0.2, surface=terrain)
    assert len(model.mechanism().contacts) > 1024
    run = model.simulate(0.16, tolerance=1e-5)
    assert run.time[-1] == 0.16 and run.episodes


COARSE_AND_FINE = [(name, 1e-3) for name in METHODS] + [(name, 5e-2) for name in FIXED if name != "euler"]
"""Euler gains energy in every flight; with 50 ms it never comes to rest."""


# Grazing and rest ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("depth", [-1e-6, -1e-12, 0.0, 1e-12, 1e-9, 1e-6])
@every_method
def test_grazing(method: str, depth: float) -> None:
    """The end of a rod swings past a wall at zero, slightly negative and slightly positive distance: hardly any extra steps,
    no change of the speed, and a contact if it is deeper than the landing zone."""
    start = 0.8
    model = gw.Model("rod", gravity=(0, 0)).ground_point("O", 0, 0).point("A", -np.sin(start), -np.cos(start))
    model.link("rod", "O", "A", length=1.0, mass=1.0).velocity("A", np.cos(start), -np.sin(start))
    free = model.simulate(1.5, **how(method))
    model.contact("A", gw.surfaces.LineGround(level=-1.0 + depth), law=SOFT, name="c")
    run = model.simulate(1.5, **how(method))
    assert len(run.episodes) == (1 if depth >= 1e-9 else 0)
    assert run.evidence.steps <= free.evidence.steps + 30
    assert run.array("rod.spin")[-1] == pytest.approx(free.array("rod.spin")[-1], abs=2e-6)
    for episode in run.episodes:
        half = np.sqrt(2 * depth)  # s, from touchdown to the lowest point
        assert episode.duration == pytest.approx(2 * half, rel=0.02)


@pytest.mark.parametrize(("method", "step"), COARSE_AND_FINE)
def test_a_bouncing_ball_comes_to_rest(method: str, step: float) -> None:
    """Restitution 0.5, 3 s: about eight bounces, then the ball rests, in a bounded number of steps."""
    run = ball().simulate(3.0, **how(method, step))
    assert 6 <= len(run.episodes) <= 12
    assert np.isnan(run.episodes[-1].end) and run.episodes[-1].begin < 2.5
    assert run.evidence.steps + run.evidence.rejected < 20_000
    assert run.array("ball.y")[-1] == pytest.approx(RADIUS - SINK, abs=1e-7)
    assert run.array("c.normal_force")[-1] == pytest.approx(G, rel=1e-3)


@pytest.mark.parametrize(("method", "step"), COARSE_AND_FINE)
def test_a_ball_placed_on_the_ground_stays(method: str, step: float) -> None:
    """At gap zero and at rest the ball sinks in, slowly because the slowest approach is damped most, and never leaves. Explicit
    methods with long steps once closed and opened the contact a million times in the first microsecond."""
    run = ball(height=RADIUS).simulate(1.0, **how(method, step))
    (episode,) = run.episodes
    assert np.isnan(episode.end) and episode.begin < (1.1e-3 if method == "euler" else 1e-4)
    assert run.evidence.steps + run.evidence.rejected < 5_000
    assert run.array("ball.y")[-1] == pytest.approx(RADIUS - SINK, abs=5e-6)
    assert run.array("ball.y").max() == RADIUS


@every_method
def test_a_ball_placed_at_its_equilibrium_stays(method: str) -> None:
    run = ball(height=RADIUS - SINK, approach_speed=0.1).simulate(0.5, **how(method))
    (episode,) = run.episodes
    assert episode.begin == 0.0 and np.isnan(episode.end) and episode.approach_speed == 0.1
    assert np.ptp(run.array("ball.y")) < 1e-9
    assert run.evidence.events == 0


@every_method
def test_a_ball_at_rest_in_a_groove_stays(method: str) -> None:
    """The ball starts inside both faces, and both carry it. With one face alone it sank into the other."""
    load = G / np.sqrt(2.0)
    centre = np.sqrt(2.0) * (RADIUS - (load / 1e6) ** (2 / 3))
    groove = gw.surfaces.Polyline([(-1.0, 1.0), (0.0, 0.0), (1.0, 1.0)])
    run = ball(height=centre, surface=groove, approach_speed=0.1).simulate(0.2, **how(method))
    assert np.abs(run.array("ball.y") - centre).max() < 1e-9
    assert np.abs(run.array("ball.x")).max() < 1e-9
    assert run.array("c.fy") == pytest.approx(np.full(run.time.size, G), rel=1e-6)


# The start ----------------------------------------------------------------------------------------------------------


def test_a_start_inside_needs_an_approach_speed() -> None:
    with pytest.raises(gw.ModelError) as caught:
        ball(height=RADIUS - 1e-3).simulate(0.1)
    assert str(caught.value) == (
        "contact 'c' field 'approach_speed': starts 1 mm inside the surface; "
        "expected the approach speed at which it touched down, in m/s, or a start outside"
    )


@pytest.mark.parametrize("method", ["dopri5", "rk4", "generalized-alpha"])
def test_a_start_inside_with_an_approach_speed(method: str) -> None:
    """The force is that of the law with this speed: on the way in it is larger than at rest."""
    depth, approach, rate = 1e-3, 2.0, 1.5
    run = ball(height=RADIUS - depth, velocity=(0, -rate), approach_speed=approach).simulate(0.1, **how(method))
    factor = 1.5 * (1 - 0.5)
    assert run.array("c.normal_force")[0] == pytest.approx(1e6 * depth**1.5 * (1 + factor * rate / approach))
    first = run.episodes[0]
    assert (first.begin, first.approach_speed) == (0.0, approach)
    assert first.end < 0.02


@pytest.mark.parametrize("law", [gw.laws.Hertz(1e6), gw.laws.KelvinVoigt(1e5, 50.0)])
def test_laws_without_memory_may_start_inside(law: Any) -> None:
    run = ball(law, height=RADIUS - 1e-3).simulate(0.05)
    assert run.episodes[0].begin == 0.0 and run.array("c.normal_force")[0] > 10.0


@every_method
def test_a_separating_start_at_the_surface_makes_no_contact(method: str) -> None:
    run = ball(height=RADIUS, velocity=(0.0, 2.0)).simulate(0.2, **how(method))
    assert not run.episodes and run.evidence.events == 0


@every_method
def test_an_approaching_start_at_the_surface(method: str) -> None:
    run = ball(height=RADIUS, velocity=(0.0, -2.0)).simulate(0.1, **how(method))
    (episode,) = run.episodes
    assert episode.begin == pytest.approx(0.0, abs=1e-10)
    assert episode.approach_speed == pytest.approx(2.0, rel=1e-8)
    assert episode.restitution == pytest.approx(0.655, abs=0.01)


# Stored outputs -----------------------------------------------------------------------------------------------------


def spinning(**contact: Any) -> gw.Model:
    """Ball with spin on a slope: impacts, slip in both directions, bristles."""
    friction = gw.friction.Bristle(coefficient=0.3, stiffness=1e5, damping=50.0)
    ground = gw.surfaces.LineGround(slope=0.1)
    return ball(height=0.6, surface=ground, velocity=(1.0, 0.0), spin=3.0, friction=friction, **contact)


@pytest.mark.parametrize("method", FIXED)
def test_every_0_stores_the_parts_of_steps(method: str) -> None:
    whole, parts = (spinning().simulate(0.4, every=every, **how(method, 1e-2)) for every in (1, 0))
    assert whole.time == pytest.approx(np.arange(41) * 1e-2, abs=1e-15)
    assert parts.time.size == parts.evidence.steps + 1 > 60
    assert np.all(np.diff(parts.time) > 0) and set(whole.time) <= set(parts.time)
    assert parts.steps["step_sizes"][1:] == pytest.approx(np.diff(parts.time), rel=1e-9, abs=1e-15)
    assert (whole.evidence.steps, whole.episodes) == (parts.evidence.steps, parts.episodes)
    shared = np.isin(parts.time, whole.time)
    assert np.array_equal(parts.motion.q[shared], whole.motion.q)
    assert np.array_equal(parts.motion.memory[shared], whole.motion.memory)


@pytest.mark.parametrize("method", ADAPTIVE)
def test_outputs_do_not_change_the_steps(method: str) -> None:
    options = {"method": method, "tolerance": 1e-6, "max_step": 0.05}
    runs = [spinning().simulate(0.8, output_step=dt, **options) for dt in (0.8, 0.01, 1e-3, 0)]
    assert len({(run.evidence.steps, run.evidence.rejected, run.evidence.events) for run in runs}) == 1
    assert all(run.episodes == runs[0].episodes for run in runs)
    assert len({tuple(run.motion.q[-1]) for run in runs}) == 1
    at_steps = runs[-1]
    assert at_steps.time.size == at_steps.evidence.steps + 1
    # Within a step the forces use the memory at its start: the same curve.
    k = np.argmax(runs[2].array("c.normal_force"))
    near = np.abs(at_steps.time - runs[2].time[k]) < 1e-3
    assert runs[2].array("c.normal_force")[k] <= 1.05 * at_steps.array("c.normal_force")[near].max()


@pytest.mark.parametrize("method", METHODS)
def test_slip_is_that_of_the_time_of_the_output(method: str) -> None:
    """A point slides without friction at 1 m/s: outputs within a step once had the slip of its start."""
    model = ball(height=RADIUS - SINK, velocity=(1.0, 0.0), approach_speed=0.1)
    run = model.simulate(0.5, **how(method))
    assert run.array("c.slip") == pytest.approx(run.time, abs=1e-9)
    assert run.episodes[0].slip == pytest.approx(0.5, abs=1e-9)


@pytest.mark.parametrize("method", ["dopri5", "radau5", "rk4", "generalized-alpha"])
def test_results_do_not_depend_on_the_buffer(method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A step with outputs that do not fit into the buffer is repeated at the next call, also if it ends at an event."""
    if METHODS[method].adaptive:
        options = {"method": method, "tolerance": 1e-6, "output_step": 1e-4, "max_step": 1e-3}
    else:
        options = how(method)
    reference = spinning().simulate(0.4, **options)
    for buffer in (24, 25, 33):
        monkeypatch.setattr(forward, "MAX_BUFFERED_OUTPUTS", buffer)
        run = spinning().simulate(0.4, **options)
        assert np.array_equal(run.motion.q, reference.motion.q)
        assert np.array_equal(run.motion.memory, reference.motion.memory)
        assert run.episodes == reference.episodes
        assert run.evidence.steps == reference.evidence.steps


def tapping() -> gw.Model:
    """A crank with a tip that dips into the ground five times a second."""
    model = gw.Model("tapping").ground_point("O", 0, 0).point("A", 1, 0).link("crank", "O", "A", length=1.0, mass=1.0)
    model.drive.rotation("crank", angle="0.1*sin(10*pi*t)")
    return model.contact("A", gw.surfaces.LineGround(level=-0.08), law=SOFT, name="c")


@pytest.mark.parametrize("analysis", ["inverse", "dopri5", "moreau"])
def test_ending_contacts_wait_for_space_in_their_log(analysis: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """With space for only one contact, each is fetched before the next may end: inverse dynamics then stop between two samples
    and resume there."""

    def run() -> Any:
        if analysis == "inverse":
            return tapping().inverse(times=np.linspace(0.0, 2.0, 81))
        options = {"step": 1e-3, "method": "moreau"} if analysis == "moreau" else {"output_step": 0.05}
        return ball(gw.laws.HuntCrossley(stiffness=1e6, restitution=0.9), height=0.12).simulate(2.0, **options)

    reference = run()
    assert len(reference.episodes) > 5
    monkeypatch.setattr(history, "EPISODE_LOG_ROWS", 0)
    other = run()
    assert np.array_equal(other.motion.work, reference.motion.work)
    assert np.array_equal(other.motion.memory, reference.motion.memory)
    assert repr(other.episodes) == repr(reference.episodes)  # NaN, the end of a closed contact, is unequal to itself


# From one piece of a surface to the next ----------------------------------------------------------------------------


FRICTIONS = {"none": None, "bristle": gw.friction.Bristle(0.3, 1e4, 10.0), "smooth": gw.friction.SmoothCoulomb(0.3)}


def roll(surface: Any, friction: str, method: str = "dopri5", until: float = 1.5) -> Any:
    model = ball(height=RADIUS - 1e-4, surface=surface, velocity=(1.0, 0.0), friction=FRICTIONS[friction],
                 approach_speed=0.01)  # fmt: skip
    return model.simulate(until, method=method, tolerance=1e-10, max_step=2e-3)


@pytest.mark.parametrize("friction", FRICTIONS)
def test_rolling_over_pieces_of_one_line_equals_the_line(friction: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The contact is transferred with its penetration, approach speed and bristles, without an effect on the motion. Collinear
    pieces are usually merged; here they are kept."""
    points = [(x, 0.0) for x in (-5.0, 0.1003, 0.2, 0.5003, 0.5008, 0.9001, 20.0)]
    line, one = roll(gw.surfaces.LineGround(), friction), roll(gw.surfaces.Polyline(points), friction)
    monkeypatch.setattr(surfaces, "MAX_STRAIGHT_TURN_RAD", -1.0)
    pieces = roll(gw.surfaces.Polyline(points), friction)
    assert len(one.mechanism.contacts) == 3 and len(pieces.mechanism.contacts) >= 6
    touched = pieces.motion.memory.reshape(pieces.time.size, len(pieces.mechanism.contacts), -1)[:, :, MEMORY_TOUCHING]
    assert np.all(touched.sum(axis=1) == 1) and np.count_nonzero(touched.any(axis=0)) >= 5  # 0.5 mm may hide
    for run in (one, pieces):
        (episode,), (truth,) = run.episodes, line.episodes
        assert episode.approach_speed == truth.approach_speed == 0.01
        # bristles oscillate: their slip is summed from step to step
        assert episode.slip == pytest.approx(truth.slip, rel=1e-3 if friction == "bristle" else 1e-8)
        assert episode.dissipated == pytest.approx(truth.dissipated, abs=1e-9)
        assert episode.impulse == pytest.approx(truth.impulse, rel=1e-6)
        for what in ("ball.x", "ball.y", "ball.vx", "ball.spin"):
            assert run.array(what) == pytest.approx(line.array(what), abs=1e-9), what
        for what in ("c.normal_force", "c.tangential_force"):
            assert run.array(what) == pytest.approx(line.array(what), abs=1e-6), what


@pytest.mark.parametrize("friction", FRICTIONS)
@pytest.mark.parametrize("slope", [1e-7, 1e-5, 1e-3])
def test_rolling_over_a_crest(friction: str, slope: float) -> None:
    """A nearly flat roof: the deviation of the motion from that on a plane is proportional to its slope."""
    roof = gw.surfaces.Polyline([(-5.0, -5 * slope), (0.3, 0.3 * slope), (20.0, -19.4 * slope)])
    line, run = roll(gw.surfaces.LineGround(), friction), roll(roof, friction)
    assert len(run.episodes) == 1
    assert np.abs(run.array("ball.vx") - line.array("ball.vx")).max() < 2 * slope * G * 1.5
    assert run.array("ball.y") - RADIUS == pytest.approx(line.array("ball.y") - RADIUS, abs=3 * slope)


def wheel(radius: float, law: Any) -> Any:
    """Heavy body that sinks 10 mm into a soft ground with a bump of 5 mm."""
    model = gw.Model("wheel", gravity=(0, -G))
    model.body("b", mass=10.0, inertia=0.04, at=(0, radius + 1e-3), velocity=(2.0, 0))
    terrain = gw.surfaces.Polyline([(-5.0, 0.0), (0.3, 0.0), (0.7, 5e-3), (1.1, 0.0), (20.0, 0.0)])
    model.contact(gw.surfaces.Circle("b", radius) if radius else "b", terrain, law=law, name="c")
    return model.simulate(2.0, method="radau5", tolerance=1e-8)


@pytest.mark.parametrize("radius", [0.0, 0.1])
def test_after_a_bump_a_body_returns_to_the_plane(radius: float) -> None:
    """Regression: beyond the bump the body followed the line of its far side, deeper and deeper into the plane, since it had
    entered the region of the plane's face from the side, where it was already inside."""
    run = wheel(radius, gw.laws.HuntCrossley(stiffness=1e5, restitution=0.3))
    assert run.array("b.x")[-1] > 3.0
    assert run.array("b.y")[-1] - radius == pytest.approx(-((10 * G / 1e5) ** (2 / 3)), abs=1e-4)


@pytest.mark.parametrize("radius", [0.0, 0.1])
def test_a_bump_adds_no_energy(radius: float) -> None:
    assert wheel(radius, gw.laws.Hertz(stiffness=1e5)).evidence.max_energy_residual < 1e-4
