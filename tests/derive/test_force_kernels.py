"""Kernels of every force compared with differences of its energy and of itself, and the laws that hold for all of them."""

import numpy as np
import pytest

from derive.elements import ELEMENTS, FORCES, LIBRARY, MANY, SEEDS, STEP, Batch, close_to, gradient, mp

table = pytest.mark.parametrize("name", FORCES)
seeds = pytest.mark.parametrize("seed", SEEDS)
relative = pytest.mark.parametrize("name", [name for name in FORCES if len(LIBRARY[name][0].attachments) > 1])


def total(rows, column):
    return sum(row[column] for row in rows)


@seeds
@table
def test_force_at_rest_is_the_gradient_of_the_potential(name, seed):
    batch = Batch(name, seed)
    rest, off = batch.zeros(batch.n), batch.zeros(3 * batch.k)
    slope = gradient(lambda q: [total(batch.energy(q, rest, off), 0)], batch.q)[0]
    close_to(batch.force(batch.q, rest, off), -slope)


@seeds
@table
def test_power(name, seed):
    """Q . v = -dV/dt - dissipated power + power of the loads; dissipated power is never negative. V may depend on time: then
    the power of the loads contains its partial derivative."""
    batch = Batch(name, seed)
    energy = batch.energy(batch.q, batch.v, batch.u)

    def potential(dt):
        q = [x + dt * y for x, y in zip(batch.q, batch.v, strict=True)]
        u = [x + dt * batch.u[k + 1] if k % 3 == 0 else x for k, x in enumerate(batch.u)]
        return total(batch.energy(q, batch.v, u), 0)

    rate = (potential(STEP) - potential(-STEP)) / (2 * STEP)
    force = np.array(batch.force(batch.q, batch.v, batch.u), dtype=float)
    power = force @ np.array(batch.v, dtype=float)
    close_to(power, float(-rate - total(energy, 1) + total(energy, 2)))
    assert all(row[1] >= 0 for row in energy)


@seeds
@table
def test_tangents(name, seed):
    batch = Batch(name, seed)
    kq, kv = batch.tangents(batch.q, batch.v, batch.u)
    close_to(kq, -gradient(lambda q: batch.force(q, batch.v, batch.u), batch.q))
    close_to(kv, -gradient(lambda v: batch.force(batch.q, v, batch.u), batch.v))


@table
def test_symmetric_flag_matches_the_tangents(name):
    skew = 0.0
    for seed in MANY:
        batch = Batch(name, seed)
        for matrix in batch.tangents(batch.q, batch.v, batch.u):
            skew = max(skew, np.abs(matrix - matrix.T).max(initial=0.0))
    assert batch.kernels["SYMMETRIC"] == (skew < 1e-12)


@table
def test_symmetric_at_rest_flag_matches_the_tangents_without_motion(name):
    skew = 0.0
    for seed in MANY:
        batch = Batch(name, seed)
        for matrix in batch.tangents(batch.q, [0.0] * len(batch.v), batch.u):
            skew = max(skew, np.abs(matrix - matrix.T).max(initial=0.0))
    said = batch.kernels.get("SYMMETRIC_AT_REST", batch.kernels["SYMMETRIC"])
    assert said == (skew < 1e-12) or name.startswith("beam_")  # beams with damping do not define it


@table
def test_flags_match_the_energies(name):
    """POTENTIAL, DISSIPATES and LOADS; and every force acts in some of the random states."""
    found, strongest = np.zeros(3, dtype=bool), 0.0
    for seed in MANY:
        batch = Batch(name, seed)
        found |= np.any(np.array(batch.energy(batch.q, batch.v, batch.u), dtype=float) != 0, axis=0)
        strongest = max(strongest, *(abs(f) for f in batch.force(batch.q, batch.v, batch.u)))
    assert list(found) == [batch.kernels[flag] for flag in ("POTENTIAL", "DISSIPATES", "LOADS")]
    assert strongest > 1e-3


@table
def test_with_floats(name):
    exact, plain = Batch(name, 3), Batch(name, 3, precise=False)
    close_to(plain.force(plain.q, plain.v, plain.u), exact.force(exact.q, exact.v, exact.u))
    for x, y in zip(exact.tangents(exact.q, exact.v, exact.u), plain.tangents(plain.q, plain.v, plain.u), strict=True):
        close_to(y, x)


@seeds
@relative
def test_moving_the_world_changes_nothing(name, seed):
    batch, angle = Batch(name, seed), mp.mpf(0.83)
    rest = batch.zeros(batch.n)
    q = batch.moved((mp.mpf(0.4), mp.mpf(-1.1)), angle)
    close_to(batch.energy(q, rest, batch.u), batch.energy(batch.q, rest, batch.u))
    v = batch.turned_forces(batch.v, angle)  # velocities transform like forces
    close_to(batch.energy(q, v, batch.u), batch.energy(batch.q, batch.v, batch.u))
    here = batch.force(batch.q, batch.v, batch.u)
    close_to(batch.force(q, v, batch.u), batch.turned_forces(here, angle))


@seeds
@relative
def test_action_is_reaction(name, seed):
    batch = Batch(name, seed)
    force = batch.force(batch.q, batch.v, batch.u)
    for e in range(ELEMENTS):
        close_to(batch.resultant(force, e), [0, 0, 0])


@seeds
@relative
def test_moving_with_the_world_dissipates_nothing(name, seed):
    """A common translation and rotation of all bodies is not damped."""
    batch = Batch(name, seed)
    v = batch.moving((mp.mpf(0.3), mp.mpf(-0.7)), mp.mpf(1.9))
    close_to([row[1:] for row in batch.energy(batch.q, v, batch.u)], np.zeros((ELEMENTS, 2)))


@pytest.mark.parametrize("name", [name for name in FORCES if LIBRARY[name][0].name in ("force", "follower-force")])
def test_a_follower_load_turns_with_its_body_and_a_dead_load_does_not(name):
    for seed in MANY:
        batch, angle = Batch(name, seed), mp.mpf(0.6)
        q = batch.moved((mp.mpf(0), mp.mpf(0)), angle)
        here, there = batch.force(batch.q, batch.v, batch.u), batch.force(q, batch.v, batch.u)
        follower = batch.turned_forces(here, angle)
        for e in range(ELEMENTS):
            if LIBRARY[name][0].name == "follower-force":
                close_to([there[k] for k in batch.dof[e]], [follower[k] for k in batch.dof[e]])
            else:
                x, y, _ = next(batch.vectors(e))
                close_to([there[x], there[y]], [here[x], here[y]])
