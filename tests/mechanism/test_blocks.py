"""Blocks of elements: the same system as from single elements, on coordinates and on markers, without work per element."""

import cProfile
import pstats

import numpy as np
import pytest

import gaitwright as gw
from gaitwright.derive.kernel_library import MarkerBasis, choose_basis
from gaitwright.mechanism.blocks import ElementBlock
from gaitwright.mechanism.evaluation import evaluate_energies, evaluate_powers
from gaitwright.mechanism.table_builder import build_tables
from gaitwright.mechanism.tables import DISSIPATED_POWER, GROUND, LOAD_POWER
from gaitwright.physics.bodies.beam import BeamElement, BeamNode
from gaitwright.physics.bodies.planar import PlanarRigidBody
from gaitwright.physics.declarations import Constraint, Drive, Elasticity, Force, Joint
from mechanism.systems import SIZE, Dense, planar, random_element, random_mass, random_state

list(planar())  # fills the registries
CASES = {
    "weight of beam elements": (Force.registry[2]["gravity"], (BeamElement,)),
    "damping of beam elements": (Elasticity.registry[2]["kelvin-voigt"], (BeamElement,)),
    "load along beam elements": (Force.registry[2]["distributed-force"], (BeamElement,)),
    "pins of bodies": (Joint.registry[2]["revolute"], (PlanarRigidBody, PlanarRigidBody)),
    "dampers of bodies": (Force.registry[2]["spring-damper"], (PlanarRigidBody, PlanarRigidBody)),
    "clamps of nodes": (Joint.registry[2]["fixed"], (PlanarRigidBody, BeamNode)),
    "dampers of nodes": (Force.registry[2]["spring-damper"], (PlanarRigidBody, BeamNode)),
    "drives of nodes": (Drive.registry[2]["distance"], (PlanarRigidBody, BeamNode)),
}
COUNT = 5


def many(case, seed=0):
    """Elements of one kind, the third on the ground if possible, and the same as a block; their signals are shared."""
    declaration, families = CASES[case]
    rng, signals, elements = np.random.default_rng(seed), [], []
    for k in range(COUNT):
        bodies = [(len(families) * k + i) % (2 * COUNT) for i in range(len(families))]
        if k == 2 and len(families) > 1:
            bodies[0] = GROUND
        elements.append(random_element(declaration, families, rng, bodies, signals))
    elements = [element._replace(signals=elements[0].signals) for element in elements]
    block = ElementBlock(
        declaration, families, np.array([np.concatenate(element.coordinates) for element in elements]),
        np.array([element.parameters for element in elements]), elements[0].signals,
    )  # fmt: skip
    return rng, elements, block, signals


def systems(case, redundant=()):
    rng, elements, block, signals = many(case)
    mass, constraint = random_mass(rng), issubclass(block.declaration, Constraint)
    made = []
    for given in (elements, [block]):
        made.append(
            build_tables(SIZE, mass, given if constraint else [], [] if constraint else given, signals, redundant)
        )
    return Dense(made[0]), Dense(made[1]), random_state(rng, made[0])


@pytest.mark.parametrize("case", CASES)
def test_block_matches_its_elements(case):
    """Every evaluated quantity is bitwise equal."""
    single, block, (q, v, a, lam) = systems(case)
    declaration, families = CASES[case]
    assert (
        (single.s.chain.count > 0)
        == (block.s.chain.count > 0)
        == isinstance(choose_basis(declaration, families), MarkerBasis)
    )
    assert np.array_equal(single.phi(q), block.phi(q)) and single.s.symmetric == block.s.symmetric
    assert np.array_equal(single.s.drive_rows, block.s.drive_rows)
    assert np.array_equal(single.jacobian(q), block.jacobian(q)) and np.array_equal(
        single.force(q, v), block.force(q, v)
    )
    for one, two in (
        (single.motion(q, v), block.motion(q, v)),
        (single.tangents(q, v, lam), block.tangents(q, v, lam)),
        (single.acceleration_tangents(q, v, a, 0.3, 0.7), block.acceleration_tangents(q, v, a, 0.3, 0.7)),
    ):
        assert all(np.array_equal(x, y) for x, y in zip(one, two, strict=True))
    assert np.array_equal(single.s.coupling, block.s.coupling)


@pytest.mark.parametrize("case", [case for case, (declaration, _) in CASES.items() if issubclass(declaration, Force)])
def test_the_powers_of_a_block_are_one(case):
    single, block, (q, v, _, lam) = systems(case)
    for dense in (single, block):
        evaluate_energies(dense.s, dense.w, q, v)
        evaluate_powers(dense.s, dense.w, q, v, lam)
    kinds = block.s.power_kind
    assert len(set(kinds)) == kinds.size and single.w.power.size == COUNT * kinds.size
    for k, kind in enumerate(kinds):
        assert block.w.power[k] == pytest.approx(single.w.power[single.s.power_kind == kind].sum(), rel=1e-14)
        assert abs(block.w.power[k]) > 0.0
    assert block.w.energy.reshape(-1, 3).sum(axis=0) == pytest.approx(single.w.energy.reshape(-1, 3).sum(axis=0))


@pytest.mark.parametrize("case", ["pins of bodies", "clamps of nodes"])
def test_rows_of_a_block_can_be_redundant(case):
    single, block, (q, *_) = systems(case, redundant=[4, 1])
    assert (single.s.m, single.s.m_all) == (block.s.m, block.s.m_all) and block.s.m == block.s.m_all - 2
    assert np.array_equal(single.phi(q), block.phi(q)) and np.array_equal(single.jacobian(q), block.jacobian(q))


@pytest.mark.parametrize("case", ["weight of beam elements", "dampers of nodes"])
def test_block_with_too_few_columns_is_refused(case):
    _, _, block, signals = many(case)
    none = np.zeros(0)
    for wrong in (
        block._replace(parameters=block.parameters[:, 1:]),
        block._replace(coordinates=block.coordinates[:, 1:]),
    ):
        with pytest.raises(ValueError, match=f"'{block.declaration.name}' on .*state one for each"):
            build_tables(SIZE, (none.astype(int), none.astype(int), none), [], [wrong], signals)


def test_empty_block_adds_nothing():
    """For example the elements of a mesh that are tied to a body, if there are none."""
    for case in ("damping of beam elements", "dampers of nodes", "pins of bodies", "clamps of nodes"):
        rng, _, block, signals = many(case)
        empty = block._replace(coordinates=block.coordinates[:0], parameters=block.parameters[:0])
        constraint = issubclass(block.declaration, Constraint)
        s = build_tables(SIZE, random_mass(rng), [empty] * constraint, [empty] * (not constraint), signals)
        assert s.m_all == 0 and s.chain.count == 0 and s.power_entry.size == 0
        assert not Dense(s).force(*random_state(rng, s)[:2]).any()


def beam(elements):
    model = gw.Model(gravity=(0, -9.81)).ground_point("O", 0, 0).point("E", 1, 0)
    section = {"youngs_modulus": 2e9, "density": 1200.0, "width": 0.02, "height": 0.003, "damping": 1e-3}
    model.beam("rod", "O", "E", elements=elements, **section)
    return model.force.along_beam("rod", [0, "-1 - t"], name="wind")


def test_a_beam_has_a_name_for_each_block():
    mechanism = beam(7).mechanism()
    blocks = [(names.name, names.type, names.element.count) for names in mechanism.force_names]
    expected = [
        ("rod", "continuum-reduced", 7),
        ("rod", "kelvin-voigt", 7),
        ("rod", "gravity", 7),
        ("wind", "distributed-force", 7),
    ]
    assert blocks == expected
    assert mechanism.power_column == {(1, DISSIPATED_POWER): 0, (3, LOAD_POWER): 1}


def test_number_of_calls_does_not_grow_with_the_mesh():
    """The number of Python calls for building the model does not grow with the mesh."""

    def calls(elements):
        model, profile = beam(elements), cProfile.Profile()
        profile.runcall(model.mechanism)
        return pstats.Stats(profile).total_calls  # type: ignore[attr-defined]

    beam(3).mechanism()
    assert calls(4000) < calls(1000) + 100
