"""Contacts in tables, in the plane and in space: forces, tangents and powers of touching contacts with every surface, law and
friction, against differences, against the velocities of material points, and against the balances of energy, momentum and
angular momentum."""

from typing import Any

import numpy as np
import pytest

import gaitwright as gw
from gaitwright._core.error_context import ErrorContext
from gaitwright._core.errors import ModelError
from gaitwright.contact.bristles import find_stretch
from gaitwright.contact.mesh_surface import approximate_table, exact_table
from gaitwright.contact.state import (
    MEMORY_APPROACH_SPEED,
    MEMORY_STRETCH,
    MEMORY_TOUCHING,
    NOT_TOUCHING,
    POWERS_PER_CONTACT,
    STATE_GAP,
    STATE_GAP_RATE,
    STATE_REGION,
    STATE_SIZE,
    SURFACE_NORMAL,
    TANGENT_KERNEL_COLUMN,
    TOUCHING_BY_IMPULSE,
    TOUCHING_BY_LAW,
    add_contact_force,
    begin_contact,
    evaluate_contact_force,
    observe_contacts,
)
from gaitwright.contact.tables import contact_order, memory_size_per_contact
from gaitwright.derive.kernel_library import library_kernels
from gaitwright.mechanism.blocks import ContactBlock, ElementBlock, HeightTable, MechanismElement
from gaitwright.mechanism.evaluation import (
    evaluate_energies,
    evaluate_powers,
    evaluate_tangents,
    new_workspace,
    power_count,
    update_signals,
)
from gaitwright.mechanism.table_builder import build_tables
from gaitwright.mechanism.tables import GROUND
from gaitwright.model.expressions import compile_program, parse
from gaitwright.physics.attachments import Place
from gaitwright.physics.bodies.beam import BeamNode
from gaitwright.physics.bodies.interpolated_point import interpolated_point_family
from gaitwright.physics.bodies.planar import PlanarRigidBody
from gaitwright.physics.bodies.spatial import UNIT_AXES, SpatialMarker, SpatialRigidBody
from gaitwright.physics.contact_geometry.approximate import ApproximateShape
from gaitwright.physics.contact_geometry.corner import CornerShape
from gaitwright.physics.contact_geometry.face import FaceShape
from gaitwright.physics.contact_geometry.height_field import HeightFieldShape
from gaitwright.physics.contact_geometry.mesh import MeshShape
from gaitwright.physics.contact_geometry.notch import NotchShape
from gaitwright.physics.contact_geometry.plane import PlaneShape
from gaitwright.physics.contact_geometry.pose import RelativePose
from gaitwright.physics.contact_geometry.sphere import SphereShape
from gaitwright.physics.declarations import (
    ContactLaw,
    ContactShape,
    Family,
    Friction,
    LinearExpression,
    MarkerKind,
)
from mechanism.systems import Dense, differences

T, BODIES = 0.4, 4
SIGNALS = [compile_program(parse(text, {}), {}) for text in ("0.3*sin(2*t)", "0.2*t", "0.1 - 0.4*t")]
FAMILY, WIDTH = {2: PlanarRigidBody, 3: SpatialRigidBody}, {2: 3, 3: 12}
UP = np.array([0.3, 0.5, 0.8]) / np.linalg.norm([0.3, 0.5, 0.8])
FIELD = HeightTable((-5.0, -5.0), (0.7, 0.9), np.random.default_rng(4).uniform(-0.1, 0.1, (14, 12, 4, 4)))
FIELD.coefficients[:, :, 0, 0] += 1.5
ALONG, ACROSS = [0.6, 0.8], [-0.8, 0.6]
SURFACES: dict[int, dict[type[ContactShape], tuple[list[float], Any]]] = {
    2: {
        PlaneShape: ([*ACROSS, 4.0], None),
        SphereShape: ([3.0, 2.0], None),
        FaceShape: ([*ALONG, 4.0, 20.0, 0.1, 0.2, 30.0, 1e9], None),
        CornerShape: ([*ALONG, *ACROSS, 4.0, 50.0], None),
        NotchShape: ([*ALONG, *ACROSS, -0.2, 1.4, 0.5, 50.0, 50.0], None),
        MeshShape: ([2.0], exact_table(gw.mesh.disc(3.0, 0.8), ErrorContext("disc"))),
        ApproximateShape: ([2.0], approximate_table(gw.mesh.disc(3.0, 0.8), ErrorContext("disc"))),
    },
    3: {
        PlaneShape: ([*UP, 4.0], None),
        SphereShape: ([3.0, 2.0], None),
        HeightFieldShape: ([0.7, -5.0, 5.0, -5.0, 5.0], FIELD),
        MeshShape: ([2.0], exact_table(gw.mesh.ball(3.0, 0.8), ErrorContext("ball"))),
        ApproximateShape: ([2.0], approximate_table(gw.mesh.ball(3.0, 0.8), ErrorContext("ball"))),
    },
}
"""With numbers for which bodies near the origin overlap."""
SURFACES[2][NotchShape][0][4:6] = (np.array([-0.2, 1.4]) / np.hypot(-0.2, 1.4)).tolist()
RADII = {
    PlaneShape: -1,
    SphereShape: 1,
    FaceShape: 2,
    CornerShape: 4,
    NotchShape: 6,
    HeightFieldShape: 0,
    MeshShape: 0,
    ApproximateShape: 0,
}
"""Index of the radius of the touching part."""
LAWS: list[Any] = [d for d, _ in library_kernels() if issubclass(d, ContactLaw)]
FRICTIONS: list[Any] = [None, *dict.fromkeys(d for d, _ in library_kernels() if issubclass(d, Friction))]
dimensions = pytest.mark.parametrize("d", [2, 3])


def accepted(declaration: Any, rng: Any) -> Any:
    """A law or friction with random numbers that it accepts."""
    while declaration is not None:
        values = {name: rng.uniform(0.1, 2.0) for name in declaration.parameters}
        try:
            declaration.check(**values)
            return declaration, list(values.values())
        except ModelError:
            continue
    return None


def mass(n: int) -> Any:
    return np.arange(n), np.arange(n), np.ones(n)


def coordinates_of(d: int, body: int) -> Any:
    return np.full(WIDTH[d], GROUND) if body == GROUND else WIDTH[d] * body + np.arange(WIDTH[d])


class Rigid:
    """A random state in which axes are perpendicular unit vectors: frames and spins of all bodies, last of the ground."""

    def __init__(self, d: int, seed: int = 3):
        rng, self.d, n = np.random.default_rng(seed), d, WIDTH[d] * BODIES
        self.q, self.v = np.zeros(n + 1), np.zeros(n + 1)
        self.frames, self.spins = [], []
        for b in range(BODIES):
            own = slice(WIDTH[d] * b, WIDTH[d] * (b + 1))
            place, velocity = rng.uniform(-0.4, 0.4, d), rng.uniform(-1, 1, d)
            if d == 2:
                angle, spin = rng.uniform(-0.4, 0.4), rng.uniform(-1, 1)
                axes = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
                self.q[own], self.v[own] = [*place, angle], [*velocity, spin]
                self.spins.append(spin)
            else:
                axes = np.linalg.qr(np.eye(3) + 0.2 * rng.normal(size=(3, 3)))[0]
                axes *= np.sign(np.diag(axes))
                spin = rng.uniform(-1, 1, 3)
                self.q[own] = [*place, *(axes - np.eye(3)).T.ravel()]
                self.v[own] = [*velocity, *np.cross(spin, axes.T).ravel()]
                self.spins.append(spin)
            self.frames.append(axes)
        self.frames.append(np.eye(d))
        self.spins.append(np.zeros(3) if d == 3 else 0.0)

    def centre(self, body: int) -> Any:
        return self.q[WIDTH[self.d] * body :][: self.d] if body < BODIES else np.zeros(self.d)

    def velocity(self, body: int, place: Any) -> Any:
        """Of the material point of a body that is at a place now."""
        if body == BODIES:
            return np.zeros(self.d)
        own, arm = self.v[WIDTH[self.d] * body :][: self.d], place - self.centre(body)
        return own + (
            self.spins[body] * np.array([-arm[1], arm[0]]) if self.d == 2 else np.cross(self.spins[body], arm)
        )

    def motions(self) -> Any:
        """Velocities of all bodies, one after the other along and about every axis: (n, number of these)."""
        found = []
        for b in range(BODIES):
            for k in range(WIDTH[self.d] if self.d == 2 else 6):
                v = np.zeros(self.q.size - 1)
                if self.d == 2 or k < 3:
                    v[WIDTH[self.d] * b + k] = 1.0
                else:
                    v[12 * b + 3 : 12 * b + 12] = np.cross(np.eye(3)[k - 3], self.frames[b].T).ravel()
                found.append(v)
        return np.array(found).T

    def moment(self, body: int, force: Any) -> Any:
        """About the origin, of generalised forces on a body."""
        if self.d == 2:
            x, y = self.centre(body)
            return x * force[1] - y * force[0] + force[2]
        turning = np.cross(self.frames[body].T, force[3:].reshape(3, 3)).sum(axis=0)
        return np.cross(self.centre(body), force[:3]) + turning


class Sample:
    """All surfaces with changing laws and frictions on bodies that touch each other and the ground, in a random state. The
    bristles have a stretch, and their step begins now."""

    def __init__(self, d: int, seed: int = 0, ground: bool = True, rounds: int = 4):
        self.d, self.n = d, WIDTH[d] * BODIES
        self.rng = rng = np.random.default_rng([seed, d])
        self.contacts: list[ContactBlock] = []
        for k in range(rounds * len(SURFACES[d])):
            shape, (numbers, field) = list(SURFACES[d].items())[k % len(SURFACES[d])]
            bodies = (GROUND if ground and k % 3 == 0 else k % 2, 2 + k % 2)
            element = MechanismElement(
                RelativePose, (FAMILY[d],) * 2, tuple(coordinates_of(d, b) for b in bodies),
                rng.uniform(-0.3, 0.3, 2 * d).tolist(), list(range(d)),
            )  # fmt: skip
            law, friction = LAWS[(seed * 7 + k) % len(LAWS)], FRICTIONS[(seed + k) % len(FRICTIONS)]
            self.contacts.append(
                ContactBlock(
                    element, (shape, numbers), accepted(law, rng), accepted(friction, rng), group=int(rng.integers(9)),
                    slowest=0.05, restitution=rng.uniform(), coefficient=rng.uniform(),
                    weight=-1.0 if k % 4 == 3 else 1.0, field=field,
                )
            )  # fmt: skip
        self.s = build_tables(self.n, mass(self.n), [], [], SIGNALS, contacts=self.contacts, grain=1e-9)
        self.dense, self.order = Dense(self.s, T), contact_order(self.contacts)
        self.state = Rigid(d, seed)
        self.q, self.v = self.state.q, self.state.v
        self.start(self.q, self.v)

    def start(self, q: Any, v: Any) -> None:
        w = self.dense.w
        self.memory[:, MEMORY_TOUCHING] = TOUCHING_BY_LAW
        self.memory[:, MEMORY_APPROACH_SPEED] = self.rng.uniform(0.0, 1.0, len(self.contacts))  # some below `slowest`
        for c in range(len(self.contacts)):
            begin_contact(self.s, w, c, -1, q, v)
            normal, z = w.surface[SURFACE_NORMAL : SURFACE_NORMAL + self.d], self.rng.uniform(-0.05, 0.05, self.d)
            self.memory[c, MEMORY_STRETCH : MEMORY_STRETCH + self.d] = z - normal * (normal @ z)

    @property
    def memory(self) -> Any:
        return self.dense.w.memory.reshape(len(self.contacts), -1)

    def tail(self, q: Any, v: Any) -> Any:
        """Powers of the contacts, (count, POWERS), and their elastic energies."""
        w = self.dense.w
        evaluate_powers(self.s, w, q, v, np.zeros(0))
        return w.power[-POWERS_PER_CONTACT * len(self.contacts) :].reshape(
            -1, POWERS_PER_CONTACT
        ).copy(), w.elastic.copy()


def observed(s: Any, q: Any, v: Any, t: float = T) -> Any:
    """Observed states of all contacts, in the order of the tables."""
    w, out = new_workspace(s), np.zeros(STATE_SIZE * s.contacts.count)
    update_signals(s, w, t)
    observe_contacts(s, w, q, v, out)
    return out.reshape(-1, STATE_SIZE)


# Tables -------------------------------------------------------------------------------------------------------------


def test_the_tables_have_every_surface_law_and_friction():
    """Ensures that the tests below cover all of them."""
    for d in (2, 3):
        shapes = {
            s for s, basis in library_kernels() if issubclass(s, ContactShape) and getattr(basis, "dimension", 0) == d
        }
        assert shapes == set(SURFACES[d])
    used = [contact for seed in range(2) for contact in Sample(2, seed).contacts]
    assert {c.law[0] for c in used if c.law} == set(LAWS)
    assert {c.friction[0] if c.friction else None for c in used} == set(FRICTIONS)


@pytest.mark.parametrize(("surfaces", "columns"), [(("floor",), 12), (("block",), 24), (("floor", "block"), 24)])
def test_a_surface_on_the_ground_has_no_coordinates_where_all_are_on_it(surfaces, columns):
    """In space. Wherever the columns are left out, the forces are the same: balls above a floor and above a block that lies
    where the floor is."""
    model = gw.Model("balls", dimension=3)
    model.body("block", mass=1.0, inertia=[1.0] * 3, points={"top": [0.0, 0.0, 0.0]})
    of = {"floor": gw.surfaces.Plane(0, 0, 1, 0), "block": gw.surfaces.PlaneOfBody("block.top", [0, 0, 1])}
    for k, name in enumerate(surfaces):
        model.body(f"ball{k}", mass=1.0, inertia=[0.004] * 3, at=[0.3, 0.1, 0.0999])
        law, friction = gw.laws.Hertz(stiffness=1e6), gw.friction.SmoothCoulomb(0.3, transition_speed=0.05)
        model.contact(gw.surfaces.Sphere(f"ball{k}", 0.1), of[name], law=law, friction=friction, approach_speed=1.0)
    s = model.mechanism().system
    assert s.contacts.dof.size == columns * len(surfaces)
    w, q, v = new_workspace(s), np.zeros(s.n + 1), np.zeros(s.n + 1)
    forces = []
    for k in range(len(surfaces)):
        ball = slice(12 * (k + 1), 12 * (k + 2))
        q[ball][:3], v[ball] = [0.3, 0.1, 0.0999], np.linspace(-0.2, 0.3, 12)
        total = np.zeros(s.n + 1)
        evaluate_contact_force(s, w, k, q, v)
        add_contact_force(s, w, k, 1.0, total)
        forces.append(total[ball])
    assert forces[0][2] == pytest.approx(1e6 * 1e-4**1.5) and forces[0] == pytest.approx(forces[-1], rel=1e-13)


def test_a_system_without_contacts_calls_nothing():
    s = build_tables(3, mass(3), [], [], [])
    assert s.contacts.count == 0 and s.contacts.calls[0] == 0 and s.contacts.table.shape == (0, 14)
    w = new_workspace(s)
    assert w.memory.size == w.elastic.size == w.power.size == 0
    assert s.symmetric  # a contact would change that
    assert not Sample(2).s.symmetric


@dimensions
def test_contacts_are_grouped_by_families_and_found_again(d: int):
    """One row of the table per pair of families; batch and place of a contact lead to its own numbers."""
    sample = Sample(d)
    contacts = list(sample.contacts)
    if d == 2:  # what touches may be a node of a beam, which has no local coordinates
        node = contacts[0].geometry._replace(
            families=(PlanarRigidBody, BeamNode), coordinates=(coordinates_of(2, 0), 8 + np.arange(4)),
            parameters=contacts[0].geometry.parameters[:2],
        )  # fmt: skip
        contacts.insert(3, contacts[0]._replace(geometry=node))
    s, order = build_tables(sample.n, mass(sample.n), [], [], SIGNALS, contacts=contacts), contact_order(contacts)
    b = s.contacts
    assert b.count == len(contacts) and len(b.table) == 4 - d
    assert sorted(order) == list(range(b.count)) and list(b.batch) == sorted(b.batch)
    assert (b.dimension, b.memory) == (d, memory_size_per_contact(d, True))
    together = observed(s, sample.q, sample.v)
    for contact, c in zip(contacts, order, strict=True):
        alone = observed(
            build_tables(sample.n, mass(sample.n), [], [], SIGNALS, contacts=[contact]), sample.q, sample.v
        )
        assert np.array_equal(together[c], alone[0])
        assert b.radius[c] == contact.shape[1][RADII[contact.shape[0]]]
        assert (b.weight[c], b.slowest[c]) == (contact.weight, contact.slowest)
        assert (b.restitution[c], b.coefficient[c]) == (contact.restitution, contact.coefficient)
        assert list(b.law_par[b.law_start[c] :][: len(contact.law[1])]) == contact.law[1]
        assert (b.friction[c] == 0) == (contact.friction is None)
        assert bool(b.bristled[c]) == (
            contact.friction is not None and contact.friction[0] in (gw.friction.Bristle, gw.friction.NoSlip)
        )
        circle, k = [c], b.next_piece[c]
        while k != c:
            circle, k = [*circle, k], b.next_piece[k]
        assert sorted(circle) == sorted(
            k for k, other in zip(order, contacts, strict=True) if other.group == contact.group
        )


@dimensions
def test_a_block_of_contacts_is_the_same_as_single_ones(d: int):
    """Forces and tangents of places on nodes, with some held coordinates, one by one and as a block. In space places are
    weighted sums of nodes."""
    rng, nodes = np.random.default_rng(6), 8
    n, k = d * nodes, 1 if d == 2 else 3
    at, shares = np.arange(n).reshape(nodes, d), rng.uniform(0.1, 1.0, (5, k))
    at[0, 0] = at[2] = GROUND
    which = np.array([rng.permutation(nodes)[:k] for _ in range(5)])
    which[0, 0], which[1, 0] = 0, 2
    coordinates = np.concatenate([np.full((5, WIDTH[d]), GROUND), at[which].reshape(5, -1)], axis=1)
    up = np.array(UP if d == 3 else ACROSS)
    starts = rng.uniform(-0.1, 0.1, (5, d)) - 0.1 * up
    parameters = np.concatenate([np.zeros((5, d)), shares, starts], axis=1)
    families, areas = (FAMILY[d], interpolated_point_family(d, k)), rng.uniform(0.5, 2.0, 5)
    shared: dict[str, Any] = {
        "shape": (PlaneShape, [*up, 0.0]),
        "law": (gw.laws.Hertz, [1e3, 1.0]),
        "group": 0,
        "friction": (gw.friction.Bristle, [0.5, 800.0, 3.0]),
        "slowest": 1e-3,
        "restitution": 0.0,
        "coefficient": 0.5,
        "by_gap": True,
    }
    block = ElementBlock(RelativePose, families, coordinates, parameters, range(d))
    split = [
        MechanismElement(RelativePose, families, tuple(np.split(row, [WIDTH[d]])), numbers, range(d))
        for row, numbers in zip(coordinates, parameters.tolist(), strict=True)
    ]
    singles = [ContactBlock(one, weight=area, **shared) for one, area in zip(split, areas, strict=True)]
    q, v = (np.append(rng.uniform(-0.1, 0.1, n), 0.0) for _ in range(2))
    seen = []
    for contacts in ([ContactBlock(block, weight=areas, **shared)], singles):
        dense = Dense(build_tables(n, mass(n), [], [], SIGNALS, contacts=contacts), T)
        assert list(contact_order(contacts)) == list(range(5))
        for c in range(5):
            begin_contact(dense.s, dense.w, c, -1, 0.9 * q, v)
            dense.w.memory[dense.s.contacts.memory * c + MEMORY_TOUCHING] = TOUCHING_BY_LAW
        seen.append([dense.force(q, v), *dense.tangents(q, v, np.zeros(0))])
    for together, apart in zip(*seen, strict=True):
        assert np.abs(apart).max() > 0.0 and np.array_equal(together, apart)
    slopes = -differences(lambda x: dense.force(np.append(x, 0.0), v), q[:-1])
    assert np.abs(seen[0][1] - slopes).max() < 1e-6 * np.abs(slopes).max()


@dimensions
def test_patterns_stay_off_the_ground(d: int):
    s = Sample(d).s
    assert max(s.k_row) < s.n and max(s.k_col) < s.n
    pairs = list(zip(s.k_row, s.k_col, strict=True))
    assert len(pairs) == len(set(pairs))


# Forces -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("d", "seed"), [(2, 0), (2, 1), (3, 0), (3, 1)])
def test_tangents_are_the_derivatives_of_the_forces(d: int, seed: int):
    sample = Sample(d, seed)
    require_tangents(sample.dense, sample.state, sample.v)


def require_tangents(dense: Any, state: Any, v: Any) -> None:
    """Of the force, against differences: along motions that keep bodies rigid, since a turn of others is not defined."""
    kq, kv = dense.tangents(state.q, v, np.zeros(0))
    ways, h = state.motions(), 1e-6
    along = np.vstack([ways, np.zeros(ways.shape[1])])
    by_q = [dense.force(state.q + h * x, v) - dense.force(state.q - h * x, v) for x in along.T]
    truth = -np.array(by_q).T / (2 * h)
    assert np.abs(truth).max() > 0.1 and np.abs(kq @ ways - truth).max() < 1e-7 * np.abs(truth).max()
    truth = -differences(lambda x: dense.force(state.q, np.append(x, 0.0)), v[:-1])
    assert np.abs(truth).max() > 0.1 and np.abs(kv - truth).max() < 1e-8 * np.abs(truth).max()


@pytest.mark.parametrize(("d", "shape"), [(d, shape) for d in SURFACES for shape in SURFACES[d]])
@pytest.mark.parametrize("friction", ["smooth-coulomb", "bristle"])
@pytest.mark.parametrize("bodies", [(GROUND, 1), (2, GROUND), (2, 1)])
def test_tangents_of_one_contact(d: int, shape: Any, friction: str, bodies: Any):
    rng, (numbers, field) = np.random.default_rng(5), SURFACES[d][shape]
    n = WIDTH[d] * BODIES
    element = MechanismElement(
        RelativePose, (FAMILY[d],) * 2, tuple(coordinates_of(d, b) for b in bodies),
        rng.uniform(-0.3, 0.3, 2 * d).tolist(), list(range(d)),
    )  # fmt: skip
    rub: Any = (Friction.registry[friction], [0.4, 10.0, 1.0][: 2 + (friction == "bristle")])
    contact = ContactBlock(
        element, (shape, numbers), (gw.laws.HuntCrossley, [100.0, 1.5, 0.5]), rub, 0, 0.05, 0.5, 0.3, field=field
    )
    state = Rigid(d)
    dense = Dense(build_tables(n, mass(n), [], [], SIGNALS, contacts=[contact]), T)
    begin_contact(dense.s, dense.w, 0, -1, state.q, state.v)
    dense.w.memory[[MEMORY_TOUCHING, MEMORY_APPROACH_SPEED]] = TOUCHING_BY_LAW, 3.0
    require_tangents(dense, state, 0.2 * state.v)


def test_uncompiled_tangents_raise():
    """As for joints and forces: a kernel that is not compiled has the address 0; calling it would end the process."""
    sample = Sample(2)
    s = build_tables(sample.n, mass(sample.n), [], [], SIGNALS, contacts=sample.contacts)
    w = new_workspace(s)
    w.memory[:] = sample.memory.ravel()
    assert not s.contacts.table[:, TANGENT_KERNEL_COLUMN].any() and not s.contacts.shape[:, -1].any()
    with pytest.raises(RuntimeError, match="compile_tangents"):
        evaluate_tangents(s, w, sample.q, sample.v, np.zeros(0))


@dimensions
@pytest.mark.parametrize("state", [NOT_TOUCHING, TOUCHING_BY_IMPULSE])
def test_contacts_that_do_not_touch_by_a_law_do_nothing(d: int, state: float):
    """Neither an open contact nor one of a method with impulses acts, although all gaps are closed."""
    sample = Sample(d)
    sample.memory[:, MEMORY_TOUCHING] = state
    assert not sample.dense.force(sample.q, sample.v).any()
    assert not any(matrix.any() for matrix in sample.dense.tangents(sample.q, sample.v, np.zeros(0)))
    assert not any(values.any() for values in sample.tail(sample.q, sample.v))


@dimensions
def test_only_the_touching_contact_acts(d: int):
    sample = Sample(d)
    both, parts = sample.dense.force(sample.q, sample.v), np.zeros(sample.n)
    for contact, c in zip(sample.contacts, sample.order, strict=True):
        sample.memory[:, MEMORY_TOUCHING] = NOT_TOUCHING
        sample.memory[c, MEMORY_TOUCHING] = TOUCHING_BY_LAW
        part = sample.dense.force(sample.q, sample.v)
        assert not part[np.setdiff1d(np.arange(sample.n), np.concatenate(contact.geometry.coordinates))].any()
        parts += part
    assert np.abs(parts - both).max() < 1e-13 * np.abs(both).max()


@pytest.mark.parametrize(("d", "shape"), [(d, shape) for d in SURFACES for shape in SURFACES[d]])
def test_nothing_acts_across_an_open_gap_or_outside_of_the_region(d: int, shape: Any):
    sample = Sample(d)
    law = (gw.laws.KelvinVoigt, [100.0, 0.5])
    contact = next(c for c in sample.contacts if c.shape[0] is shape)._replace(law=law, friction=None, weight=1.0)

    def alone(numbers: Any = contact.shape[1], field: Any = contact.field, **options: Any) -> Dense:
        now = contact._replace(shape=(shape, numbers), field=field)
        dense = Dense(build_tables(sample.n, mass(sample.n), [], [], SIGNALS, contacts=[now], **options), T)
        dense.w.memory[[MEMORY_TOUCHING, MEMORY_APPROACH_SPEED]] = TOUCHING_BY_LAW, 1.0
        return dense

    def opened(by: float) -> tuple[list[float], Any]:
        """With the gap open by some metres."""
        gap, numbers = observed(alone().s, sample.q, sample.v)[0, STATE_GAP], list(contact.shape[1])
        if shape is HeightFieldShape:  # lower by the constant of each cell
            lower = FIELD.coefficients.copy()
            lower[:, :, 0, 0] += 1e3
            steep = observed(alone(field=FIELD._replace(coefficients=lower)).s, sample.q, sample.v)[0, STATE_GAP]
            lower[:, :, 0, 0] += 1e3 * ((gap - by) / (gap - steep) - 1.0)
            return numbers, FIELD._replace(coefficients=lower)
        numbers[RADII[shape]] += gap - by
        return numbers, contact.field

    assert alone().force(sample.q, sample.v).any()
    shut, grainy = alone(*opened(1e-6)), alone(*opened(1e-6), grain=2e-6)
    assert observed(shut.s, sample.q, sample.v)[0, STATE_GAP] == pytest.approx(1e-6, rel=1e-4)
    assert not shut.force(sample.q, sample.v).any()  # although its memory is set to touching
    rate = observed(grainy.s, sample.q, sample.v)[0, STATE_GAP_RATE]
    assert bool(grainy.force(sample.q, sample.v).any()) == (rate < 0)  # a dashpot acts at once
    beyond = {FaceShape: (6, -30.0), CornerShape: (5, -30.0), NotchShape: (7, -30.0), HeightFieldShape: (1, 20.0)}.get(
        shape
    )
    if beyond:
        at, value = beyond
        numbers = list(contact.shape[1])
        numbers[at] = value
        outside = alone(numbers)
        seen = observed(outside.s, sample.q, sample.v)[0]
        assert seen[STATE_REGION] < 0 and seen[STATE_GAP] < 0 and not outside.force(sample.q, sample.v).any()


def test_a_contact_without_law_has_no_force():
    """It belongs to methods that compute impulses."""
    sample = Sample(2)
    s = build_tables(
        sample.n, mass(sample.n), [], [], SIGNALS, contacts=[c._replace(law=None) for c in sample.contacts]
    )
    dense = Dense(s, T)
    dense.w.memory[:] = sample.memory.ravel()
    assert not dense.force(sample.q, sample.v).any()


def test_slow_approaches_count_as_the_slowest():
    sample, forces = Sample(2), []
    for speed in (0.0, 0.01, 0.05, 0.06):
        sample.memory[:, MEMORY_APPROACH_SPEED] = speed
        forces.append(sample.dense.force(sample.q, sample.v))
    assert np.array_equal(forces[0], forces[1]) and np.array_equal(forces[0], forces[2])
    assert not np.array_equal(forces[0], forces[3])


# Motion -------------------------------------------------------------------------------------------------------------


@dimensions
def test_forces_between_bodies_have_no_resultant(d: int):
    """Action is reaction, in forces and in moments about the origin."""
    sample, state = Sample(d, ground=False), Rigid(d)
    sample.dense.w.u[:] = 0.0  # a surface at rest on its body
    sample.start(state.q, state.v)
    force = sample.dense.force(state.q, state.v).reshape(BODIES, -1)
    size = np.abs(force).max()
    assert size > 0.1 and np.abs(force[:, :d].sum(axis=0)).max() < 1e-12 * size
    assert np.abs(sum(state.moment(b, own) for b, own in enumerate(force))).max() < 1e-12 * size


@dimensions
def test_the_slip_is_the_velocity_of_material_points(d: int):
    """That of b at the surface, less that of a there, along the surface; its normal part is the rate of the gap."""
    sample, state = Sample(d), Rigid(d, 5)
    s, w = sample.s, sample.dense.w
    seen = observed(s, state.q, state.v)
    for contact, c in zip(sample.contacts, sample.order, strict=True):
        evaluate_contact_force(s, w, int(c), state.q, state.v)
        a, b = (int(first[0]) // WIDTH[d] if first[0] >= 0 else BODIES for first in contact.geometry.coordinates)
        moved, moving = w.u[0 : 3 * d : 3], w.u[1 : 3 * d : 3]
        local = contact.geometry.parameters[d:]
        normal = state.frames[a] @ w.surface[SURFACE_NORMAL : SURFACE_NORMAL + d]
        gradient = state.frames[a] @ w.surface[SURFACE_NORMAL + d : SURFACE_NORMAL + 2 * d]
        point = state.centre(b) + state.frames[b] @ local - s.contacts.radius[c] * normal
        relative = state.velocity(b, point) - state.velocity(a, point - moved) - moving
        slip = state.frames[a] @ w.slip
        assert slip == pytest.approx(relative - normal * (normal @ relative), abs=1e-12)
        if contact.shape[0] not in (HeightFieldShape, NotchShape, ApproximateShape):  # their gradient is not the normal
            assert gradient == pytest.approx(normal)
            assert seen[c, STATE_GAP_RATE] == pytest.approx(normal @ relative, abs=1e-12)


def rolling(d: int, angle: float, ratio: float) -> Any:
    """A ball of 0.2 m on a fixed one of 0.3 m, both about the last axis of space, after it went round by an angle from (1, 0);
    ratio: how much it turned for that."""
    place = [0.49 * np.cos(angle), 0.49 * np.sin(angle)]
    turn = ratio * angle
    c, s = np.cos(turn), np.sin(turn)
    return np.array([*place, turn, 0.0] if d == 2 else [*place, 0, c - 1, s, 0, -s, c - 1, 0, 0, 0, 0, 0])


@dimensions
@pytest.mark.parametrize(("shape", "numbers"), [(SphereShape, [0.3, 0.2]), (PlaneShape, None)])
def test_stretch_is_exact_over_any_step(d: int, shape: Any, numbers: Any):
    """Rolling displacement of a ball on a ball or a plane, in one step of any length; zero if it rolls without slipping."""
    numbers = numbers or [*np.eye(d)[1], 0.2]
    element = MechanismElement(
        RelativePose, (FAMILY[d],) * 2, (coordinates_of(d, GROUND), coordinates_of(d, 0)), [0.0] * (2 * d), [0] * d
    )
    contact = ContactBlock(
        element,
        (shape, numbers),
        (gw.laws.Hertz, [100.0, 1.5]),
        (gw.friction.Bristle, [5.0, 40.0, 0.0]),
        0,
        1e-3,
        0.5,
        0.3,
    )
    zero = [compile_program(parse("0", {}), {})]
    s = build_tables(WIDTH[d], mass(WIDTH[d]), [], [], zero, contacts=[contact])
    w = new_workspace(s)
    for start, angle in (
        (0.0, 1e-9),
        (0.0, 0.5),
        (0.0, -1.3),
        (3.0, 0.4),
        (-3.0, -2.0),
        (0.5, 3.1),
        (0.0, 2 * np.pi / 2.45),
    ):
        for ratio, rolled in ((0.49 / 0.2, 0.0), (1.0, 0.49 - 0.2), (0.0, 0.49)):
            q0, q1 = rolling(d, start, ratio), rolling(d, start + angle, ratio)
            t0, t1 = (np.array([-np.sin(x), np.cos(x)]) for x in (start, start + angle))
            expected = rolled * angle
            if shape is PlaneShape:  # y = 0.2 rolls along x, clockwise
                q0[0], q1[0], q0[1], q1[1] = 0.0, -0.49 * angle, 0.19, 0.19
                t0 = t1 = np.array([-1.0, 0.0])
            v = [rolling(d, x + 1e-6, ratio) - rolling(d, x - 1e-6, ratio) for x in (start, start + angle)]
            v = [angle * x / 2e-6 for x in v]  # in a step of 1 s
            update_signals(s, w, 0.0)
            begin_contact(s, w, 0, -1, q0, v[0])
            w.memory[MEMORY_STRETCH : MEMORY_STRETCH + 2] = 0.01 * t0
            w.memory[MEMORY_TOUCHING] = TOUCHING_BY_LAW
            update_signals(s, w, 1.0)
            evaluate_contact_force(s, w, 0, q1, v[1])
            assert w.stretch[:2] == pytest.approx((expected + 0.01) * t1, abs=1e-12)
            assert find_stretch(s, w, 0) == pytest.approx(abs(expected), abs=1e-12)


class Patch(Family):
    """A piece of a mesh with three nodes; its places are weighted sums of them, without axes."""

    name = "test-patch"
    dimension = 3
    coordinates = tuple(f"{x}{k}" for k in range(3) for x in "xyz")
    units = ("m",) * 9
    markers = {
        Place: MarkerKind(
            tuple(range(9)),
            ("w0", "w1", "w2"),
            lambda *g: SpatialMarker(
                tuple(sum(g[9 + k] * g[3 * k + x] for k in range(3)) for x in range(3)), UNIT_AXES
            ),
        )
    }

    @staticmethod
    def components(*local: Any) -> Any:
        return {
            ("position", x): LinearExpression(0.0, tuple((3 * k + x, local[k]) for k in range(3))) for x in range(3)
        }


def test_a_place_without_axes_touches_with_the_weights_of_its_nodes():
    """No kernel is derived for it; its force is shared by the nodes, and its tangents are those of the force."""
    weights, n, rng = [0.5, 0.3, 0.2], 12 * BODIES, np.random.default_rng(2)
    element = MechanismElement(
        RelativePose,
        (SpatialRigidBody, Patch),
        (coordinates_of(3, 0), 24 + np.arange(9)),
        [0.1, 0.2, 0.3, *weights],
        [0, 1, 2],
    )
    contact = ContactBlock(
        element,
        (PlaneShape, [*UP, 0.0]),
        (gw.laws.KelvinVoigt, [100.0, 0.5]),
        (gw.friction.Bristle, [0.4, 10.0, 1.0]),
        0,
        0.05,
        0.5,
        0.3,
    )
    dense, state = Dense(build_tables(n, mass(n), [], [], SIGNALS, contacts=[contact]), T), Rigid(3)
    assert dense.s.contacts.modules[0].__name__ == "gaitwright.kernels.contact_pose__3d_place"
    q, v = state.q, state.v
    q[24:33] = np.tile(-2.0 * UP, 3) + rng.uniform(-0.1, 0.1, 9)
    begin_contact(dense.s, dense.w, 0, -1, q, v)
    dense.w.memory[[MEMORY_TOUCHING, MEMORY_APPROACH_SPEED]] = TOUCHING_BY_LAW, 1.0
    force = dense.force(q, v)
    pushed = force[24:33].reshape(3, 3)
    assert np.abs(pushed).max() > 1.0 and pushed == pytest.approx(np.outer(weights, pushed.sum(axis=0)))
    assert force[:3] == pytest.approx(-pushed.sum(axis=0))
    kq, kv = dense.tangents(q, v, np.zeros(0))
    by_q = -differences(lambda x: dense.force(np.append(x, 0.0), v), q[:-1])
    by_v = -differences(lambda x: dense.force(q, np.append(x, 0.0)), v[:-1])
    assert np.abs(kq - by_q).max() < 1e-8 * np.abs(by_q).max() and np.abs(kv - by_v).max() < 1e-8 * np.abs(by_v).max()


# Energy -------------------------------------------------------------------------------------------------------------


@dimensions
def test_powers_equal_energy_rate(d: int):
    """Q . v = -dV/dt - losses + work of surfaces that move. Friction and normal losses never come back while there is no
    history."""
    sample = Sample(d)
    q, v, w = sample.q, sample.v, sample.dense.w
    force = sample.dense.force(q, v)
    power, _ = sample.tail(q, v)

    def elastic(dt: float) -> Any:
        update_signals(sample.s, w, T + dt)
        return sample.tail(q + dt * v, v)[1]

    h = 1e-4
    rise = (elastic(-2 * h) - 8 * elastic(-h) + 8 * elastic(h) - elastic(2 * h)) / (12 * h)
    scale = np.abs(power).max() + np.abs(rise).max()
    for contact, c in zip(sample.contacts, sample.order, strict=True):
        assert contact.weight * power[c, 0] >= -1e-14 * scale
        if contact.friction is None:
            assert power[c, 1] == 0
        elif contact.friction[0] is not gw.friction.Bristle:
            assert contact.weight * power[c, 1] >= 0
    total = -rise.sum() - power[:, :2].sum() + power[:, 2].sum()
    assert force @ v[:-1] == pytest.approx(total, abs=1e-9 * scale)
    assert np.abs(power[:, 2]).max() > 1e-3 * scale


def test_a_moving_surface_does_work_and_a_resting_one_does_not():
    """A belt under a point: its friction work rate is F_t times its speed; lifting, F_n times its speed."""
    for velocity, wanted in (((0.0, 0.0), "nothing"), ((2.0, 0.0), "tangential"), ((0.0, 0.3), "normal")):
        belt = gw.Model("belt", gravity=(0, 0)).body("b", mass=1, inertia=1)
        ground = gw.surfaces.LineGround(velocity=velocity)
        belt.contact("b", ground, law=gw.laws.Hertz(1e4), friction=gw.friction.SmoothCoulomb(0.3, 0.01), name="c")
        s = belt.mechanism().system
        w, q, v = new_workspace(s), np.array([0, -0.01, 0, 0.0]), np.array([0.5, 0, 0, 0.0])
        update_signals(s, w, 0.0)
        w.memory[MEMORY_TOUCHING] = TOUCHING_BY_LAW
        evaluate_powers(s, w, q, v, np.zeros(0))
        normal = evaluate_contact_force(s, w, 0, q, v)
        tangential = w.friction[0]
        assert normal == pytest.approx(1e4 * 0.01**1.5)
        expected = {"nothing": 0.0, "tangential": tangential * 2.0, "normal": normal * 0.3}[wanted]
        assert w.power[-1] == pytest.approx(expected, abs=1e-12)
        if wanted == "tangential":
            assert tangential == pytest.approx(0.3 * normal) and w.power[-1] > 0


def test_powers_of_contacts_come_last():
    model = gw.Model("m", gravity=(0, -9.81)).ground_point("O", 0, 1)
    model.link("crank", "O", "A", length=0.5, mass=1.0).point("A", 0.5, 1.0)
    model.drive.rotation("crank", "t").force.at_point("A", [0, "t"]).force.spring_damper(
        "O", "A", stiffness=10.0, damping=1.0
    )
    without = power_count(model.mechanism().system)
    model.contact("A", gw.surfaces.LineGround(level=1.01), law=gw.laws.Hertz(1e4))
    s = model.mechanism().system
    assert without >= 3 and power_count(s) == without + POWERS_PER_CONTACT
    w, q, v = new_workspace(s), model.assemble().q, model.assemble().v
    w.memory[MEMORY_TOUCHING] = TOUCHING_BY_LAW
    update_signals(s, w, 0.0)
    evaluate_energies(s, w, q, v)
    evaluate_powers(s, w, q, v, np.zeros(s.m_all))
    assert abs(w.power[-POWERS_PER_CONTACT]) < 1e-14 and w.elastic[0] == pytest.approx(1e4 * 0.01**2.5 / 2.5)


def test_contacts_that_share_a_pose_have_the_same_numbers():
    """The pose is computed once for consecutive contacts with the same one."""
    model = gw.Model()
    for name in ("left", "right"):
        model.body(name, mass=1, inertia=0.01, at=[0, 1])
        model.contact(
            gw.surfaces.Circle(name, 0.1),
            gw.surfaces.Polyline([[-1, 0], [0, 0.1], [1, 0]]),
            law=gw.laws.Hertz(stiffness=1e6),
        )
    b = model.mechanism().system.contacts
    par, dof = b.par.reshape(b.count, -1), b.dof.reshape(b.count, -1)
    assert len(set(b.pose.tolist())) < b.count
    for c, first in enumerate(b.pose):
        assert (par[c] == par[first]).all() and (dof[c] == dof[first]).all()
