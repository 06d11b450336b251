"""Contacts in space in tables: forces, tangents and powers of every surface and friction, against differences, against the
velocities of material points, and against the balances of energy, momentum and angular momentum."""

from typing import Any

import numpy as np
import pytest

from gaitwright.derive.library import library
from gaitwright.model.expressions import parse, program
from gaitwright.physics.bodies.spatial import Spatial
from gaitwright.physics.contact_geometry.height_field import HeightFieldShape
from gaitwright.physics.contact_geometry.plane import PlaneShape
from gaitwright.physics.contact_geometry.pose import RelativePose
from gaitwright.physics.contact_geometry.sphere import SphereShape
from gaitwright.physics.declare import ContactLaw, Friction, Shape
from gaitwright.system.blocks import Contact, Element, HeightTable
from gaitwright.system.build import build
from gaitwright.system.evaluate import MEMORY_IN_SPACE, signals_at, workspace
from gaitwright.system.tables import GROUND
from gaitwright.system.touch import APPROACH, BY_LAW, CONTACT, MEMORY, RATE, TOUCHING, contact_powers, observe_contacts
from gaitwright.system.touch_in_space import AT_REST, SLIP_BEGIN, SLIP_IN_SPACE, STRETCH, TIME_BEGIN, touch
from system.systems import Dense, differences

T, BODIES = 0.4, 3
N = 12 * BODIES
MASS = (np.arange(N), np.arange(N), np.ones(N))
SIGNALS = [program(parse(text, {}), {}) for text in ("0.3*sin(2*t)", "0.2*t", "0.1 - 0.4*t")]
NORMAL = np.array([0.3, 0.5, 0.8]) / np.linalg.norm([0.3, 0.5, 0.8])
FIELD = HeightTable((-5.0, -5.0), (0.7, 0.9), np.random.default_rng(4).uniform(-0.1, 0.1, (14, 12, 4, 4)))
SURFACES: dict[type[Shape], tuple[list[float], Any]] = {
    PlaneShape: ([*NORMAL, 4.0], None),
    SphereShape: ([3.0, 2.0], None),
    HeightFieldShape: ([0.7, -5.0, 5.0, -5.0, 5.0], FIELD),
}
"""With numbers for which bodies near the origin overlap."""
FRICTIONS: dict[str, dict[str, float]] = {
    "bristle": {"coefficient": 0.5, "stiffness": 300.0, "damping": 3.0},
    "coulomb": {"coefficient": 0.4, "v0": 0.5, "v1": 9.0},
    "smooth-coulomb": {"coefficient": 0.4, "transition_speed": 1.0},
    "stribeck": {"static_coefficient": 0.6, "kinetic_coefficient": 0.4, "stribeck_speed": 2.0, "viscous": 0.1,
                 "transition_speed": 0.5},
    "brown-mcphee": {"static_coefficient": 0.6, "kinetic_coefficient": 0.4, "transition_speed": 1.0},
}  # fmt: skip


def test_the_tables_have_everything():
    found = {d for d, _ in library()}
    assert {d for d in found if issubclass(d, Shape)} == set(SURFACES)
    assert {d.name for d in found if issubclass(d, Friction)} == set(FRICTIONS)


class Sample:
    """All surfaces with all frictions on bodies that touch each other and the ground, in a random state."""

    def __init__(self, rest=False, ground=True):
        rng = np.random.default_rng(1)
        law: Any = ContactLaw.registry["flores"]
        numbers: Any = [{"stiffness": 100.0, "restitution": 0.7}.get(k, p.default) for k, p in law.parameters.items()]
        contacts = []
        for k, (name, values) in enumerate(FRICTIONS.items()):
            for i, (shape, (own, field)) in enumerate(SURFACES.items()):
                carrier = ((-1, 0, 1) if ground else (1, 0, 1))[(i + k) % 3]
                places = tuple(np.full(12, GROUND) if b < 0 else 12 * b + np.arange(12) for b in (carrier, 2))
                local = list(rng.uniform(-0.3, 0.3, 6))
                element = Element(RelativePose, (Spatial, Spatial), places, local, [0, 1, 2])
                friction: Any = (Friction.registry[name], list(values.values()))
                one: Any = Contact(
                    element, (law, numbers), friction, 0, 0.0, 0.05, 0.5, 0.3, shape=(shape, own), field=field
                )
                contacts.append(one)
        self.s = build(N, MASS, [], [], SIGNALS, contacts=contacts, grain=1e-9)
        self.dense = Dense(self.s, T)
        self.q, self.v = (np.append(rng.uniform(-x, x, N), 0.0) for x in (0.4, 1.0))
        count, w = self.s.contacts.count, self.dense.w
        for c in range(count):
            x = MEMORY * count + MEMORY_IN_SPACE * c
            w.memory[MEMORY * c + TOUCHING], w.memory[MEMORY * c + APPROACH] = BY_LAW, 0.6
            w.memory[x + STRETCH : x + STRETCH + 3] = rng.uniform(-0.05, 0.05, 3)
            w.memory[x + SLIP_BEGIN : x + SLIP_BEGIN + 3] = rng.uniform(-0.5, 0.5, 3)
            w.memory[x + TIME_BEGIN] = AT_REST if rest else T - 0.02
        if rest:
            w.memory[-(N + 1) :] = self.q + np.append(rng.uniform(-0.01, 0.01, N), 0.0)


@pytest.mark.parametrize("rest", [False, True])
def test_tangents_against_differences(rest):
    """Along a step and at rest, where the stretch follows the displacement."""
    sample = Sample(rest)
    dense, q, v = sample.dense, sample.q, sample.v
    kq, kv = dense.tangents(q, v, np.zeros(0))
    signals_at(sample.s, dense.w, T)
    by_q = -differences(lambda x: dense.force(np.append(x, 0.0), v), q[:N])
    by_v = -differences(lambda x: dense.force(q, np.append(x, 0.0)), v[:N])
    assert np.abs(kq - by_q).max() < 1e-8 * np.abs(by_q).max()
    assert np.abs(kv - by_v).max() < 1e-8 * np.abs(by_v).max()
    assert np.abs(by_q).max() > 1.0 and np.abs(by_v).max() > 1.0


def test_powers_balance():
    """Q . v is what the elastic energies lose, less what is dissipated, plus what moving surfaces do."""
    sample, dt = Sample(), 1e-6
    s, w, q, v = sample.s, sample.dense.w, sample.q, sample.v
    power = np.zeros(3 * s.contacts.count)
    stored = []
    for t in (-dt, dt, 0.0):
        signals_at(s, w, T + t)
        contact_powers(s, w, q + t * v, v, power)
        stored.append(w.elastic.sum())
    normal, friction, work = power.reshape(-1, 3).sum(axis=0)
    expected = -(stored[1] - stored[0]) / (2 * dt) - normal - friction + work
    assert sample.dense.force(q, v) @ v[:N] == pytest.approx(expected, rel=1e-7)
    assert friction > 0 and work != 0


def rigid(rng):
    """Coordinates and velocities of bodies whose axes are perpendicular unit vectors, with the spins."""
    q, v, spins = np.zeros(N + 1), np.zeros(N + 1), []
    for b in range(BODIES):
        axes = np.linalg.qr(np.eye(3) + 0.2 * rng.normal(size=(3, 3)))[0]
        axes *= np.sign(np.diag(axes))
        spin = rng.uniform(-1, 1, 3)
        q[12 * b : 12 * b + 3], v[12 * b : 12 * b + 3] = rng.uniform(-0.4, 0.4, 3), rng.uniform(-1, 1, 3)
        q[12 * b + 3 : 12 * b + 12] = (axes - np.eye(3)).T.ravel()
        v[12 * b + 3 : 12 * b + 12] = np.cross(spin, axes.T).ravel()
        spins.append(spin)
    return q, v, np.array(spins)


def test_forces_between_bodies_have_no_resultant():
    """Action is reaction, in forces and in moments about the origin."""
    sample = Sample(ground=False)
    q, v, _ = rigid(np.random.default_rng(3))
    u = sample.dense.w.u
    u[:] = 0.0  # a surface at rest on its body
    force = sample.dense.force(q, v).reshape(BODIES, 12)
    total, moment = np.zeros(3), np.zeros(3)
    for b, own in enumerate(force):
        axes = q[12 * b + 3 : 12 * b + 12].reshape(3, 3) + np.eye(3)
        total += own[:3]
        moment += np.cross(q[12 * b : 12 * b + 3], own[:3]) + np.cross(axes, own[3:].reshape(3, 3)).sum(axis=0)
    size = np.abs(force).max()
    assert size > 1.0 and np.abs(total).max() < 1e-12 * size and np.abs(moment).max() < 1e-12 * size


def test_the_slip_is_the_velocity_of_material_points():
    """That of b at the surface, less that of a there, along the surface; its normal part is the rate of the gap."""
    sample = Sample()
    s, w = sample.s, workspace(sample.s)
    q, v, spins = rigid(np.random.default_rng(5))
    spins = np.vstack([spins, np.zeros(3)])
    signals_at(s, w, T)
    seen = np.zeros(CONTACT * s.contacts.count)
    observe_contacts(s, w, q, v, seen)
    frames = [np.eye(3) + q[12 * b + 3 : 12 * b + 12].reshape(3, 3).T for b in range(BODIES)] + [np.eye(3)]
    for c in range(s.contacts.count):
        touch(s, w, c, q, v)
        e = s.contacts.table[s.contacts.batch[c]]
        dof = s.contacts.dof[e[1] + 24 * s.contacts.place[c] :][:24]
        local = s.contacts.par[e[2] + 6 * s.contacts.place[c] :][:6].reshape(2, 3)
        a, b = (int(first) // 12 if first < N else BODIES for first in (dof[0], dof[12]))
        moved, moving = w.u[0::3], w.u[1::3]
        origin = (q[12 * a : 12 * a + 3] if a < BODIES else np.zeros(3)) + frames[a] @ local[0] + moved
        centre = q[12 * b : 12 * b + 3] + frames[b] @ local[1]
        shape, number = s.contacts.shape_par[s.contacts.shape_start[c] :], s.contacts.shape_size[c]
        radius = {4: shape[3], 2: shape[1], 5: shape[0]}[int(number)]
        normal = frames[a] @ w.surface[6:9]
        point = centre - radius * normal
        of_b = v[12 * b : 12 * b + 3] + np.cross(spins[b], point - q[12 * b : 12 * b + 3])
        of_a = moving + np.cross(spins[a], point - origin)
        if a < BODIES:
            of_a = of_a + v[12 * a : 12 * a + 3] + np.cross(spins[a], frames[a] @ local[0])
        slip = frames[a] @ w.surface[SLIP_IN_SPACE : SLIP_IN_SPACE + 3]
        relative = of_b - of_a
        assert slip == pytest.approx(relative - normal * (normal @ relative), abs=1e-12)
        if number != 5:  # heights: off the surface the gap is not quite the distance
            assert seen[CONTACT * c + RATE] == pytest.approx(normal @ relative, abs=1e-12)
