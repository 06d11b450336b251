"""Contacts in tables: forces, tangents and powers of touching contacts with every geometry, law and friction, against the
kernels called one by one, against differences, and against the balance of energy."""

import itertools
from typing import Any

import numpy as np
import pytest

import gaitwright as gw
from gaitwright.derive.interface import CONTACT, FRAME, LAW
from gaitwright.derive.library import kernel_module, library
from gaitwright.errors import ModelError
from gaitwright.model.expressions import parse, program
from gaitwright.physics.bodies.planar import Planar
from gaitwright.physics.declare import ContactLaw, Direction, Friction, Geometry, Number
from gaitwright.system.blocks import Contact, Element
from gaitwright.system.build import build
from gaitwright.system.contact_tables import contact_order
from gaitwright.system.evaluate import energies, power_count, powers, signals_at, tangents, workspace
from gaitwright.system.tables import GROUND
from gaitwright.system.touch import (
    APPROACH,
    BY_IMPULSE,
    BY_LAW,
    GAP,
    MEMORY,
    N_DOF,
    NOT,
    POWERS,
    RATE,
    REGION,
    SLIDE,
    SLIDE_BEGIN,
    STRETCH,
    TINY,
    TOUCHING,
    observe_contacts,
    stretch_since,
    touch,
)
from system.systems import Dense, differences

BODIES = 5
N = 3 * BODIES
MASS = (np.arange(N), np.arange(N), np.ones(N))
T = 0.4
SEEDS = range(4)
GEOMETRIES: list[Any] = list(dict.fromkeys(d for d, _ in library() if issubclass(d, Geometry)))
LAWS: list[Any] = [d for d, _ in library() if issubclass(d, ContactLaw)]
FRICTIONS: list[Any] = [None, *(d for d, families in library() if issubclass(d, Friction) and not families)]


def accepted(declaration, rng):
    """A law or friction with random numbers that it accepts."""
    while declaration is not None:
        values = {name: rng.uniform(0.1, 2.0) for name in declaration.parameters}
        try:
            declaration.check(**values)
            return declaration, list(values.values())
        except ModelError:
            continue
    return None


def place_of(declaration, name):
    """Where a parameter is in the numbers of a geometry: behind the local coordinates of a and b."""
    at = 4
    for key, parameter in declaration.parameters.items():
        if key == name:
            return at
        at += {Direction: 2, Number: 1}.get(type(parameter), 0)
    raise KeyError(name)


def observed(s, q, v, t=T):
    """gap, gap', slide, slide', region of every contact, in the order of the tables."""
    w, out = workspace(s), np.zeros(CONTACT * s.contacts.count)
    signals_at(s, w, t)
    observe_contacts(s, w, q, v, out)
    return out.reshape(-1, CONTACT)


SIGNALS = [program(parse(text, {}), {}) for text in ("0.3*sin(2*t)", "0.2*t", "0.1 + 0.2*t^2", "0.1 - 0.4*t", "0*t")]


def signal_values(t=T):
    s = build(N, MASS, [], [], SIGNALS)
    w = workspace(s)
    signals_at(s, w, t)
    return w.u


def random_contact(geometry, law, friction, rng, bodies, state, depth=None):
    """A contact between two bodies that overlaps by `depth` (0.1 to 0.4 unless given) in the given state."""
    depth = rng.uniform(0.1, 0.4) if depth is None else depth
    coordinates = tuple(np.full(3, GROUND) if body == GROUND else 3 * body + np.arange(3) for body in bodies)
    module, u, seen = kernel_module(geometry, (Planar, Planar)), signal_values(), np.zeros(CONTACT)
    signals = list(rng.choice(len(SIGNALS), module.N_SIG, replace=False))
    dof = np.concatenate(coordinates)
    for _ in range(10_000):
        parameters = list(rng.uniform(-0.5, 0.5, 4))
        for parameter in geometry.parameters.values():
            if isinstance(parameter, Direction):
                angle = rng.uniform(-np.pi, np.pi)
                parameters += [np.cos(angle), np.sin(angle)]
            elif isinstance(parameter, Number):
                parameters.append(rng.uniform(0.3, 1.5))
        module.gap(1, np.where(dof == GROUND, N, dof), parameters, signals, *state, u, seen)
        behind = geometry.name == "notch"  # always inside, so that its radius has to become negative
        if (-3.0 < seen[GAP] < 0.0 if behind else 0.05 < seen[GAP] < 3.0) and seen[REGION] > 0.05:
            parameters[place_of(geometry, "radius")] += seen[GAP] + depth
            return Contact(
                Element(geometry, (Planar, Planar), coordinates, parameters, signals), accepted(law, rng),
                accepted(friction, rng), group=int(rng.integers(9)), period=geometry.period(**numbers(geometry, parameters)),
                slowest=0.05, restitution=rng.uniform(), coefficient=rng.uniform(),
            )  # fmt: skip
    raise AssertionError("no place found where the geometry can touch")


def numbers(geometry, parameters):
    """The numbers of a geometry by name, without directions."""
    found = [name for name, p in geometry.parameters.items() if isinstance(p, Number)]
    return {name: float(parameters[place_of(geometry, name)]) for name in found}


class Sample:
    """Contacts of all geometries with different laws and frictions, all of them touching."""

    def __init__(self, seed, contacts=8):
        self.rng = rng = np.random.default_rng([seed, 81])
        self.q, self.v = (np.append(rng.uniform(-1.5, 1.5, N), 0.0) for _ in range(2))
        geometries = [GEOMETRIES[k % len(GEOMETRIES)] for k in range(contacts)]
        self.contacts = []
        for k, geometry in enumerate(rng.permutation(np.array(geometries, dtype=object)).tolist()):
            a, b = rng.choice(BODIES, 2, replace=False)
            # seeds walk through all laws and frictions
            law, friction = LAWS[(seed * contacts + k) % len(LAWS)], FRICTIONS[(seed + k) % len(FRICTIONS)]
            bodies = [GROUND if k % 3 == 0 else a, b]
            contact = random_contact(geometry, law, friction, rng, bodies, (self.q, self.v))
            self.contacts.append(contact._replace(weight=-1.0 if k % 4 == 3 else 1.0))
        self.s = build(N, MASS, [], [], SIGNALS, contacts=self.contacts)
        self.dense = Dense(self.s, T)
        self.order = contact_order(self.contacts)
        self.memory = np.zeros((contacts, MEMORY))
        self.memory[:, TOUCHING] = BY_LAW
        self.memory[:, APPROACH] = rng.uniform(0.0, 1.0, contacts)  # some below `slowest`
        self.memory[:, STRETCH] = rng.uniform(-0.1, 0.1, contacts)
        self.memory[:, SLIDE_BEGIN] = observed(self.s, self.q, self.v)[:, SLIDE] + rng.uniform(-0.1, 0.1, contacts)
        self.remember(self.memory)

    def remember(self, memory):
        self.dense.w.memory[:] = np.ravel(memory)

    def tail(self, q, v):
        """Powers of the contacts, (count, POWERS), and their elastic energies."""
        powers(self.s, self.dense.w, q, v, np.zeros(0))
        return self.dense.w.power[-POWERS * len(self.contacts) :].reshape(
            -1, POWERS
        ).copy(), self.dense.w.elastic.copy()


def by_hand(sample, q, v):
    """Q from the printed kernels as plain Python, and F_n, F_t and the frame of each contact as given."""
    total, rows = np.zeros(N + 1), []
    u = sample.dense.w.u
    for contact, place in zip(sample.contacts, sample.order, strict=True):
        memory, element = sample.memory[place], contact.geometry
        module = kernel_module(element.declaration, element.families)
        dof = np.concatenate(element.coordinates)
        dof[dof == GROUND] = N
        frame = np.zeros(FRAME + 2 * module.N_DOF)
        module.frame(1, dof, element.parameters, element.signals, q, v, u, frame)
        law, friction = np.zeros(LAW), np.zeros(LAW)
        declaration, values = contact.law
        given = [max(-frame[GAP], TINY), -frame[RATE], max(memory[APPROACH], contact.slowest)]
        kernel_module(declaration, ()).force(1, values, given, law)
        if contact.friction is not None:
            declaration, values = contact.friction
            moved = frame[SLIDE] - memory[SLIDE_BEGIN]
            if contact.period:
                moved -= contact.period * np.round(moved / contact.period)
            given = [frame[3], memory[STRETCH] + moved, law[0]]
            kernel_module(declaration, ()).force(1, values, given, friction)
        law, friction = contact.weight * law, contact.weight * friction
        np.add.at(
            total, dof, law[0] * frame[FRAME : FRAME + module.N_DOF] + friction[0] * frame[FRAME + module.N_DOF :]
        )
        rows.append((law, friction, frame))
    return total[:-1], rows


# Tables -------------------------------------------------------------------------------------------------------------


def test_a_system_without_contacts_calls_nothing():
    s = build(3, (np.arange(3), np.arange(3), np.ones(3)), [], [], [])
    assert s.contacts.count == 0 and s.contacts.calls[0] == 0 and s.contacts.table.shape == (0, 12)
    w = workspace(s)
    assert w.memory.size == w.elastic.size == w.power.size == 0
    assert s.symmetric  # a contact would change that
    assert not Sample(0).s.symmetric


@pytest.mark.parametrize("seed", SEEDS)
def test_contacts_are_grouped_by_geometry_and_found_again(seed):
    """One row of the table per geometry; batch and place of a contact lead to its own numbers."""
    sample = Sample(seed)
    b = sample.s.contacts
    assert b.count == len(sample.contacts) and len(b.table) == len(GEOMETRIES)
    assert sorted(sample.order) == list(range(b.count))
    assert list(b.batch) == sorted(b.batch)
    alone = [observed(build(N, MASS, [], [], SIGNALS, contacts=[c]), sample.q, sample.v) for c in sample.contacts]
    together = observed(sample.s, sample.q, sample.v)
    for contact, c, seen in zip(sample.contacts, sample.order, alone, strict=True):
        _, dof, par, sig, _, n_dof, n_par, n_sig = b.table[b.batch[c], : N_DOF + 3]
        i = b.place[c]
        assert list(b.par[par + n_par * i : par + n_par * (i + 1)]) == list(contact.geometry.parameters)
        assert list(b.sig[sig + n_sig * i : sig + n_sig * (i + 1)]) == list(contact.geometry.signals)
        wanted = np.concatenate(contact.geometry.coordinates)
        assert list(b.dof[dof + n_dof * i : dof + n_dof * (i + 1)]) == list(np.where(wanted == GROUND, N, wanted))
        assert (b.weight[c], b.period[c], b.slowest[c]) == (contact.weight, contact.period, contact.slowest)
        circle, k = [c], b.next_piece[c]
        while k != c:
            circle, k = [*circle, k], b.next_piece[k]
        assert sorted(circle) == sorted(
            k for k, other in zip(sample.order, sample.contacts, strict=True) if other.group == contact.group
        )
        assert (b.restitution[c], b.coefficient[c]) == (contact.restitution, contact.coefficient)
        assert list(b.law_par[b.law_start[c] :][: len(contact.law[1])]) == contact.law[1]
        assert (b.friction[c] == 0) == (contact.friction is None)
        assert np.array_equal(together[c], seen[0])


def test_patterns_stay_off_the_ground():
    for seed in SEEDS:
        s = Sample(seed).s
        assert max(s.k_row) < s.n and max(s.k_col) < s.n
        pairs = list(zip(s.k_row, s.k_col, strict=True))
        assert len(pairs) == len(set(pairs))


def test_every_law_and_friction_takes_part():
    """So that the tests below are tables over all of them."""
    used = [contact for seed in SEEDS for contact in Sample(seed).contacts]
    assert {c.law[0] for c in used} == set(LAWS)
    assert {c.friction[0] if c.friction else None for c in used} == set(FRICTIONS)


# Forces -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", SEEDS)
def test_forces_are_those_of_the_kernels_one_by_one(seed):
    sample = Sample(seed)
    force, rows = by_hand(sample, sample.q, sample.v)
    signed = [law[0] * contact.weight for (law, _, _), contact in zip(rows, sample.contacts, strict=True)]
    assert sum(force > 0 for force in signed) > len(rows) / 2 and all(force >= 0 for force in signed)
    found = sample.dense.force(sample.q, sample.v)
    assert np.abs(found - force).max() < 1e-13 * np.abs(force).max()


@pytest.mark.parametrize("seed", SEEDS)
def test_tangents_are_the_derivatives_of_the_forces(seed):
    sample = Sample(seed)
    q, v, dense = sample.q, sample.v, sample.dense
    kq, kv = dense.tangents(q, v, np.zeros(0))

    def near(matrix, truth):
        assert np.abs(truth).max() > 0.1
        assert np.abs(matrix - truth).max() < 1e-8 * np.abs(truth).max()

    near(kq, differences(lambda x: -dense.force(np.append(x, 0.0), v), q[:-1]))
    near(kv, differences(lambda x: -dense.force(q, np.append(x, 0.0)), v[:-1]))


@pytest.mark.parametrize("geometry", GEOMETRIES, ids=lambda g: g.name)
@pytest.mark.parametrize("bodies", [(GROUND, 1), (2, GROUND), (2, 1)])
def test_tangents_of_one_contact(geometry, bodies):
    rng = np.random.default_rng(5)
    q, v = (np.append(rng.uniform(-1.5, 1.5, N), 0.0) for _ in range(2))
    contact = random_contact(geometry, gw.HuntCrossley, gw.SmoothCoulomb, rng, bodies, (q, v))
    dense = Dense(build(N, MASS, [], [], SIGNALS, contacts=[contact]), T)
    dense.w.memory[[TOUCHING, APPROACH]] = BY_LAW, 2.0
    v = -v if observed(dense.s, q, v)[0, RATE] > 0 else v  # what parts fast has no force
    kq, kv = dense.tangents(q, v, np.zeros(0))
    assert kq.any() and kv.any()
    truth = differences(lambda x: -dense.force(np.append(x, 0.0), v), q[:-1])
    assert np.abs(kq - truth).max() < 1e-8 * np.abs(truth).max()
    truth = differences(lambda x: -dense.force(q, np.append(x, 0.0)), v[:-1])
    assert np.abs(kv - truth).max() < 1e-8 * np.abs(truth).max()


def test_tangents_that_were_not_compiled_are_refused_instead_of_called():
    """As for joints and forces: a kernel that is not compiled has the address 0; calling it would end the process."""
    sample = Sample(0)
    s = build(N, MASS, [], [], SIGNALS, contacts=sample.contacts)
    w = workspace(s)
    w.memory[:] = sample.memory.ravel()
    assert not s.contacts.table[:, -1].any()
    with pytest.raises(RuntimeError, match="compile_tangents"):
        tangents(s, w, sample.q, sample.v, np.zeros(0))


@pytest.mark.parametrize("state", [NOT, BY_IMPULSE])
def test_contacts_that_do_not_touch_by_a_law_do_nothing(state):
    """Neither one that is open nor one whose method computes impulses, although all gaps are closed."""
    sample = Sample(1)
    memory = sample.memory.copy()
    memory[:, TOUCHING] = state
    sample.remember(memory)
    assert not sample.dense.force(sample.q, sample.v).any()
    assert not any(matrix.any() for matrix in sample.dense.tangents(sample.q, sample.v, np.zeros(0)))
    assert not any(values.any() for values in sample.tail(sample.q, sample.v))


def test_only_the_touching_contact_acts():
    sample = Sample(2)
    both = sample.dense.force(sample.q, sample.v)
    parts = np.zeros(N)
    for c in range(len(sample.contacts)):
        memory = sample.memory.copy()
        memory[np.arange(len(memory)) != c, TOUCHING] = NOT
        sample.remember(memory)
        part = sample.dense.force(sample.q, sample.v)
        mine = np.concatenate(sample.contacts[int(np.flatnonzero(sample.order == c)[0])].geometry.coordinates)
        assert not part[np.setdiff1d(np.arange(N), mine)].any()
        parts += part
    assert np.abs(parts - both).max() < 1e-13 * np.abs(both).max()


@pytest.mark.parametrize("geometry", GEOMETRIES, ids=lambda g: g.name)
def test_nothing_acts_across_an_open_gap_or_outside_of_the_region(geometry):
    rng = np.random.default_rng(8)
    q, v = (np.append(rng.uniform(-1.5, 1.5, N), 0.0) for _ in range(2))
    contact = random_contact(geometry, gw.KelvinVoigt, None, rng, [0, 1], (q, v), depth=-1e-6)
    dense = Dense(build(N, MASS, [], [], SIGNALS, contacts=[contact]), T)
    dense.w.memory[[TOUCHING, APPROACH]] = BY_LAW, 1.0
    assert not dense.force(q, v).any()  # open by 1e-6 m, although the memory says that it touches
    grainy = Dense(build(N, MASS, [], [], SIGNALS, contacts=[contact], grain=2e-6), T)
    grainy.w.memory[[TOUCHING, APPROACH]] = BY_LAW, 1.0
    rate = observed(grainy.s, q, v)[0, RATE]
    assert bool(grainy.force(q, v).any()) == (rate < 0)  # a dashpot acts at once
    sides = [name for name in geometry.parameters if name in ("length", "before")]
    for name in sides:
        moved = contact.geometry._replace(parameters=list(contact.geometry.parameters))
        moved.parameters[place_of(geometry, "radius")] += 0.1
        at = place_of(geometry, name)
        width = 2 if name == "before" else 1
        for value in itertools.count(1):
            moved.parameters[at : at + width] = -value * np.array(contact.geometry.parameters[at : at + width])
            s = build(N, MASS, [], [], SIGNALS, contacts=[contact._replace(geometry=moved)])
            if observed(s, q, v)[0, REGION] < 0:
                break
        outside = Dense(s, T)
        outside.w.memory[[TOUCHING, APPROACH]] = BY_LAW, 1.0
        assert observed(s, q, v)[0, GAP] < -0.09
        assert not outside.force(q, v).any()


def test_a_contact_without_law_has_no_force():
    """It belongs to methods that compute impulses."""
    sample = Sample(3)
    s = build(N, MASS, [], [], SIGNALS, contacts=[c._replace(law=None) for c in sample.contacts])
    dense = Dense(s, T)
    dense.w.memory[:] = sample.memory.ravel()
    assert not dense.force(sample.q, sample.v).any()


def test_slow_approaches_count_as_the_slowest():
    sample = Sample(0)
    memory = sample.memory.copy()
    forces = []
    for speed in (0.0, 0.01, 0.05, 0.06):
        memory[:, APPROACH] = speed
        sample.remember(memory)
        forces.append(sample.dense.force(sample.q, sample.v))
    assert np.array_equal(forces[0], forces[1]) and np.array_equal(forces[0], forces[2])
    assert not np.array_equal(forces[0], forces[3])


def test_bristles_do_not_notice_the_jump_of_an_angle():
    """The slide of a circle on a circle jumps by its period where the direction between them passes 180 degrees."""
    bodies = (np.arange(3), 3 + np.arange(3))
    circle = Geometry.registry[2]["circle"]
    element = Element(circle, (Planar, Planar), bodies, [0.0, 0.0, 0.0, 0.0, 0.3, 0.2], [])
    contact = Contact(
        element, (gw.Hertz, [100.0, 1.5]), (gw.Bristle, [5.0, 40.0, 0.0]), 0, circle.period(radius_a=0.3, radius=0.2),
        1e-3, 0.5, 0.3,
    )  # fmt: skip
    s = build(6, (np.arange(6), np.arange(6), np.ones(6)), [], [], [], contacts=[contact])
    w, still = workspace(s), np.zeros(7)
    slides, forces = [], []
    for angle in np.linspace(np.pi - 0.01, np.pi + 0.01, 9):
        q = np.array([0, 0, 0, 0.49 * np.cos(angle), 0.49 * np.sin(angle), 0, 0])
        if not slides:
            w.memory[[TOUCHING, SLIDE_BEGIN]] = BY_LAW, observed(s, q, still)[0, SLIDE]
        slides.append(observed(s, q, still)[0, SLIDE])
        _, tangential = touch(s, w, 0, q, still)
        forces.append(tangential)
        assert stretch_since(s, w, 0, slides[-1]) == pytest.approx(-0.5 * (angle - np.pi + 0.01), abs=1e-12)
    assert np.ptp(slides) > 3.0  # it jumped
    assert forces == pytest.approx(list(40.0 * 0.5 * np.linspace(0, 0.02, 9)), abs=1e-10)


# Energy -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", SEEDS)
def test_powers_are_what_changes_the_energy(seed):
    """Per contact: dV/dt + losses = -(F_n gap' + F_t slide'). All together: Q . v = -dV/dt - losses + work of surfaces that
    move. Friction and normal losses never come back while there is no history."""
    sample = Sample(seed)
    q, v, w = sample.q, sample.v, sample.dense.w
    _, rows = by_hand(sample, q, v)
    force = sample.dense.force(q, v)
    power, _ = sample.tail(q, v)

    def elastic(dt):
        signals_at(sample.s, w, T + dt)
        return sample.tail(q + dt * v, v)[1]

    h = 1e-4
    rise = (elastic(-2 * h) - 8 * elastic(-h) + 8 * elastic(h) - elastic(2 * h)) / (12 * h)
    scale = np.abs(power).max() + np.abs(rise).max()
    for (law, friction, frame), c, contact in zip(rows, sample.order, sample.contacts, strict=True):
        done = -(law[0] * frame[RATE] + friction[0] * frame[3])
        assert rise[c] + power[c, 0] + power[c, 1] == pytest.approx(done, abs=1e-9 * scale)
        assert contact.weight * power[c, 0] >= -1e-14 * scale
        if contact.friction is None:
            assert power[c, 1] == 0
        elif contact.friction[0].limit(1.0, **dict.fromkeys(contact.friction[0].parameters, 1.0)) is None:
            assert contact.weight * power[c, 1] >= 0
        moving = any(signal_values()[3 * k + 1] for k in contact.geometry.signals)
        assert moving == (power[c, 2] != 0) or law[0] == 0
    total = -rise.sum() - power[:, :2].sum() + power[:, 2].sum()
    assert force @ v[:-1] == pytest.approx(total, abs=1e-9 * scale)
    assert np.abs(power[:, 2]).max() > 1e-3 * scale


def test_a_moving_surface_does_work_and_a_resting_one_does_not():
    """A belt under a point: what it does by friction is F_t times its speed; what it lifts, F_n times its speed."""
    for velocity, wanted in (((0.0, 0.0), "nothing"), ((2.0, 0.0), "tangential"), ((0.0, 0.3), "normal")):
        belt = gw.Model("belt", gravity=(0, 0)).body("b", mass=1, inertia=1)
        ground = gw.LineGround(velocity=velocity)
        belt.contact("b", ground, law=gw.Hertz(1e4), friction=gw.SmoothCoulomb(0.3, 0.01), name="c")
        s = belt.mechanism().system
        w, q, v = workspace(s), np.array([0, -0.01, 0, 0.0]), np.array([0.5, 0, 0, 0.0])
        signals_at(s, w, 0.0)
        w.memory[TOUCHING] = BY_LAW
        powers(s, w, q, v, np.zeros(0))
        normal, tangential = touch(s, w, 0, q, v)
        assert normal == pytest.approx(1e4 * 0.01**1.5)
        expected = {"nothing": 0.0, "tangential": tangential * 2.0, "normal": normal * 0.3}[wanted]
        assert w.power[-1] == pytest.approx(expected, abs=1e-12)
        if wanted == "tangential":
            assert tangential == pytest.approx(0.3 * normal) and w.power[-1] > 0


def test_powers_of_contacts_come_last():
    model = gw.Model("m", gravity=(0, -9.81)).ground_point("O", 0, 1)
    model.link("crank", "O", "A", length=0.5, mass=1.0).point("A", 0.5, 1.0)
    model.drive_rotation("crank", "t").apply_force("A", [0, "t"]).spring_damper("O", "A", stiffness=10.0, damping=1.0)
    without = power_count(model.mechanism().system)
    model.contact("A", gw.LineGround(level=1.01), law=gw.Hertz(1e4))
    s = model.mechanism().system
    assert without >= 3 and power_count(s) == without + POWERS
    w, q, v = workspace(s), model.assemble().q, model.assemble().v
    w.memory[TOUCHING] = BY_LAW
    signals_at(s, w, 0.0)
    energies(s, w, q, v)
    powers(s, w, q, v, np.zeros(s.m_all))
    assert abs(w.power[-POWERS]) < 1e-14 and w.elastic[0] == pytest.approx(1e4 * 0.01**2.5 / 2.5)
