"""Many touchdowns and releases inside one step."""

import numpy as np
import pytest

import gaitwright as gw
from gaitwright.contact.history import allows_simultaneous_events

SLOPE, FALL = 3e-3, 1.0  # rad, m/s


def bar(points, law=None, friction=None, dimension=3):
    """A bar that comes down on one end first, its points one after the other within 3 ms."""
    x = np.linspace(-0.5, 0.5, points)
    up = [0.0] if dimension == 3 else []
    places = {f"p{k}": [float(a), *up, float(SLOPE * a)] for k, a in enumerate(x)}
    model = gw.Model(dimension=dimension)
    inertia = [0.01, 0.1, 0.1] if dimension == 3 else 0.1
    model.body(
        "bar", mass=1, inertia=inertia, at=[0, *up, 0.5 * SLOPE + 1e-4], velocity=[0.1, *up, -FALL], points=places
    )
    law = law or gw.laws.HuntCrossley(stiffness=1e6 / points, restitution=0.4)
    if dimension == 2:
        for name in places:
            model.contact(f"bar.{name}", gw.surfaces.LineGround(level=0), law=law, friction=friction)
    else:
        model.contact(
            [f"bar.{name}" for name in places], gw.surfaces.PlaneGround(), law=law, friction=friction, name="foot"
        )
    return model


def ways(run):
    """Data of the episodes, by contact."""
    found = sorted(run.episodes, key=lambda e: e.begin)
    return np.array([(e.begin, e.end, e.approach_speed, e.separation_speed, e.impulse, e.slip) for e in found])


@pytest.mark.parametrize("dimension", [2, 3])
@pytest.mark.parametrize("friction", [None, gw.friction.Coulomb(0.4), gw.friction.Bristle(0.4, stiffness=1e3)])
def test_simultaneous_events_equal_single_events(friction, dimension):
    """Few points have single events: the same contacts, in steps too short for simultaneous events, are the reference."""
    model = bar(30, friction=friction, dimension=dimension)
    many = model.simulate(0.02, method="dopri5", tolerance=1e-9)
    single = model.simulate(0.02, method="dopri5", tolerance=1e-9, max_step=2e-5)
    assert len(many.episodes) == len(single.episodes) == 30
    assert many.evidence.steps < 0.5 * single.evidence.steps
    a, b = ways(many), ways(single)
    assert np.abs(a - b)[:, :2].max() < 1e-8  # s
    assert np.abs(a - b)[:, 2:4].max() < 1e-6 * FALL
    assert np.abs(a - b)[:, 4].max() < 1e-3 * b[:, 4].max()
    assert np.abs(a - b)[:, 5].max() < 1e-6


def test_first_touchdown_time_equals_free_flight():
    run = bar(40).simulate(0.02, method="dopri5", tolerance=1e-8)
    first = min(episode.begin for episode in run.episodes)
    fall = 1e-4
    exact = (-FALL + np.sqrt(FALL**2 + 2 * 9.81 * fall)) / 9.81
    assert first == pytest.approx(exact, abs=1e-10)  # the zone in which a gap counts as closed is as wide, in m


@pytest.mark.parametrize("options", [{"method": "dopri5", "tolerance": 1e-7}, {"method": "rk4", "step": 1e-3}])
def test_steps_do_not_grow_with_the_number_of_points(options):
    few, many = (bar(points).simulate(0.01, **options).evidence for points in (50, 200))
    assert many.events > 3 * few.events
    assert many.steps + many.rejected < 1.5 * (few.steps + few.rejected)


def test_energy_is_balanced():
    run = bar(60, friction=gw.friction.Coulomb(0.4)).simulate(0.02, method="dopri5", tolerance=1e-8)
    assert np.abs(run["energy.residual"]).max() < 1e-6


def test_events_of_law_with_jump_end_steps():
    law = gw.laws.KelvinVoigt(stiffness=2e4, damping=5.0)
    run = bar(12, law=law).simulate(0.005, method="dopri5", tolerance=1e-8, output_step=0)
    assert len(run.episodes) >= 12  # all of them have come down
    assert all(np.abs(run.time - episode.begin).min() < 1e-12 for episode in run.episodes)


@pytest.mark.parametrize(("points", "crowd"), [(3, False), (4, True)])
def test_few_contacts_have_single_events(points, crowd):
    assert allows_simultaneous_events(bar(points).mechanism().system.contacts) == crowd
