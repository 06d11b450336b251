"""Kernels of beam elements compared with their definition, and their conservation laws. test_force_kernels.py checks for all
forces that forces and tangents are derivatives, and that damping dissipates the power of its forces."""

import math

import numpy as np
import pytest
import sympy

from derive.elements import ELEMENTS, LIBRARY, SEEDS, Batch, close_to, mp, of_kind
from gaitwright._core.errors import ModelError
from gaitwright.derive.kernel_library import derive_source, kernel_module
from gaitwright.mechanism.batches import compiled_kernel
from gaitwright.physics.beams.continuum import Continuum, curvature
from gaitwright.physics.beams.quadrature import GAUSS3, GAUSS5, LOBATTO3, element_parameters
from gaitwright.physics.bodies.beam import BeamElement, combine_nodal_vectors, shape_functions
from gaitwright.physics.declarations import DistributedElasticity, Effect, Elasticity, Number
from gaitwright.physics.symbolic import norm, rate

NAMES = of_kind(Elasticity)
ELASTIC = [name for name in NAMES if kernel_module(*LIBRARY[name]).POTENTIAL]
DAMPING = [name for name in NAMES if name not in ELASTIC]
CURVED = [name for name in ELASTIC if issubclass(LIBRARY[name][0], DistributedElasticity)]

table = pytest.mark.parametrize("name", NAMES)
elastic = pytest.mark.parametrize("name", ELASTIC)
curved = pytest.mark.parametrize("name", CURVED)
damping = pytest.mark.parametrize("name", DAMPING)
seeds = pytest.mark.parametrize("seed", SEEDS)


def measures(e, xi, length):
    """Return strain and curvature at xi, from the shape functions."""
    r_x, r_xx = (combine_nodal_vectors(shape_functions(xi, length, k), e) for k in (1, 2))
    square = r_x[0] ** 2 + r_x[1] ** 2
    return square ** mp.mpf(0.5) - 1, (r_x[0] * r_xx[1] - r_x[1] * r_xx[0]) / square


def unstressed(batch, shapes):
    """Put every element into the given shape, eight numbers, and make it the unstressed shape. The stiffness varies."""
    for e in range(ELEMENTS):
        length = batch.par[e, 0]
        along = {
            "axial_stiffness": lambda xi: 2 + xi,
            "bending_stiffness": lambda xi: 1 + xi**2,
            "reference_strain": lambda xi, e=e, length=length: measures(shapes[e], xi, length)[0],
            "reference_curvature": lambda xi, e=e, length=length: measures(shapes[e], xi, length)[1],
        }
        batch.par[e] = element_parameters(batch.declaration, length, along)
        for k, value in enumerate(shapes[e]):
            batch.q[batch.dof[e, k]] = mp.mpf(value)
    return batch


def at_rest_everywhere(batch):
    rest = batch.zeros(batch.n)
    for shift, angle in (
        ((0, 0), 0),
        ((mp.mpf(0.4), mp.mpf(-1.1)), mp.mpf(0.8)),
        ((mp.mpf(-30), mp.mpf(7)), mp.mpf(20)),
    ):
        there = batch.moved(shift, angle)
        close_to(batch.energy(there, rest, []), np.zeros((ELEMENTS, 3)))
        close_to(batch.force(there, rest, []), np.zeros(batch.n))


@elastic
def test_a_straight_beam_moves_without_force(name):
    batch = Batch(name, 1)
    at_rest_everywhere(unstressed(batch, [[0.1, 0.2, 1, 0, 0.1 + l, 0.2, 1, 0] for l in batch.par[:, 0]]))


@seeds
@curved
def test_a_curved_beam_moves_without_force(name, seed):
    batch = Batch(name, seed)
    shapes = np.array([[0.1, 0.2, 1, 0, 0.1 + l, 0.2, 1, 0] for l in batch.par[:, 0]])
    bent = batch.rng.uniform(-0.2, 0.2, shapes.shape) * [1, 1, 3, 3, 1, 1, 3, 3]
    at_rest_everywhere(unstressed(batch, shapes + bent))


@seeds
@elastic
def test_forces_of_a_stressed_beam_turn_with_it_and_balance(name, seed):
    batch, angle = Batch(name, seed), mp.mpf(0.83)
    there, rest = batch.moved((mp.mpf(0.4), mp.mpf(-1.1)), angle), batch.zeros(batch.n)
    close_to(batch.energy(there, rest, []), batch.energy(batch.q, rest, []))
    here = batch.force(batch.q, rest, [])
    close_to(batch.force(there, rest, []), batch.turned_forces(here, angle))
    for e in range(ELEMENTS):
        close_to(batch.resultant(here, e), [0, 0, 0])


@seeds
@damping
def test_a_rigid_motion_is_not_damped(name, seed):
    """A bent and stretched beam included."""
    batch = Batch(name, seed)
    v = batch.moving((mp.mpf(0.3), mp.mpf(-0.7)), mp.mpf(1.9))
    close_to(batch.energy(batch.q, v, []), np.zeros((ELEMENTS, 3)))
    close_to(batch.force(batch.q, v, []), np.zeros(batch.n))


@curved
def test_energy_matches_the_strains(name):
    batch = Batch(name, 2)
    for e, energy in enumerate(batch.energy(batch.q, batch.v, [])):
        at = [batch.q[k] for k in batch.dof[e]]
        length, *numbers = batch.par[e]
        pairs = iter(np.reshape(numbers, (-1, 2)))
        expected = 0
        for k, part in enumerate(("axial", "bending")):
            for (xi, weight), (stiffness, reference) in zip(batch.declaration.rules[part], pairs, strict=False):
                expected += length * weight * stiffness * (measures(at, xi, length)[k] - reference) ** 2 / 2
        close_to(energy[0], expected)


def test_damping_matches_the_strain_rates():
    batch, step = Batch("beam_kelvin_voigt__beam", 2), mp.mpf(10) ** -20
    for e, energy in enumerate(batch.energy(batch.q, batch.v, [])):
        length, *numbers = batch.par[e]
        numbers = iter(numbers)
        expected = 0
        for k, rule in enumerate((GAUSS5, GAUSS3)):
            for xi, weight in rule:
                ahead, behind = (
                    measures([batch.q[i] + sign * step * batch.v[i] for i in batch.dof[e]], xi, length)[k]
                    for sign in (1, -1)
                )
                expected += length * weight * next(numbers) * ((ahead - behind) / (2 * step)) ** 2
        close_to(energy[1], expected)


@pytest.mark.parametrize("seed", SEEDS)
def test_takahashi_matches_the_paper(seed):
    """Paper 002 Eq 12, 13 and 22."""
    batch = Batch("beam_takahashi__beam", seed, precise=False)
    force = np.array(batch.force(batch.q, batch.v, []))
    for e, dof in enumerate(batch.dof):
        l, ea, ei = batch.par[e]
        at = np.array([batch.q[k] for k in dof])
        l_d = math.hypot(at[4] - at[0], at[5] - at[1])
        axial = ea / l * (l_d - l) / l_d * np.array([[1, 0, -1, 0], [0, 0, 0, 0], [-1, 0, 1, 0], [0, 0, 0, 0]])
        bending = ei / l**3 * np.array(
            [[12, 6 * l, -12, 6 * l], [6 * l, 4 * l**2, -6 * l, 2 * l**2],
             [-12, -6 * l, 12, -6 * l], [6 * l, 2 * l**2, -6 * l, 4 * l**2]]
        )  # fmt: skip
        close_to(force[dof], -np.kron(axial + bending, np.eye(2)) @ at, 1e-14)


@pytest.mark.parametrize("count", [1, 7, 8, 21])
@table
def test_compiled_chains(name, count):
    """A chain of elements, with full blocks and a remainder: machine code and plain Python agree, and neighbours add up at
    their common node."""
    module = kernel_module(*LIBRARY[name])
    rng = np.random.default_rng(count)
    dof = (4 * np.arange(count)[:, None] + np.arange(8)).astype(np.int32)
    par = rng.uniform(0.3, 1.5, (count, module.N_PAR))
    q, v = rng.uniform(-2.0, 2.0, (2, 4 * count + 5))
    slot, sig = np.arange(len(module.TANGENT) * count, dtype=np.int32), np.zeros(0, dtype=np.int32)
    for kernel, places, sizes in (
        ("force", [], [q.size]),
        ("tangent", [slot], [slot.size, slot.size]),
        ("energy", [], [3 * count]),
    ):
        results = []
        for call in (getattr(module, kernel), _address(module, kernel)):
            out = [np.zeros(size) for size in sizes]
            call(count, dof.ravel(), par.ravel(), sig, *places, q, v, sig.astype(float), *out)
            results.append(out)
        for plain, machine in zip(*results, strict=True):
            close_to(machine, plain, 1e-12)


def _address(module, kernel):
    function = compiled_kernel(module, kernel).ctypes

    def call(count, *arrays):
        function(
            count, *(array.ctypes.data_as(kind) for array, kind in zip(arrays, function.argtypes[1:], strict=True))
        )

    return call


@table
def test_only_damping_touches_kv(name):
    batch = Batch(name, 0)
    damped = batch.kernels["DAMPED"]
    assert damped == (name in DAMPING)
    if not damped:
        kq = batch.zeros(len(batch.slots("TANGENT")))
        batch.call("tangent", batch.slots("TANGENT"), batch.q, batch.v, [], kq, None)


# what depends on sections


@pytest.mark.parametrize(("rule", "degree"), [(GAUSS5, 9), (GAUSS3, 5), (LOBATTO3, 3)])
def test_rules_are_exact_up_to_their_degree(rule, degree):
    xi, weight = np.array(rule).T
    for k in range(degree + 1):
        assert weight @ xi**k == pytest.approx(1 / (k + 1), rel=1e-14)
    assert weight @ xi ** (degree + 1) != pytest.approx(1 / (degree + 2), rel=1e-6)


def test_parameters_are_listed_point_by_point():
    along = {
        "axial_stiffness": lambda xi: 100 + xi,
        "reference_strain": lambda xi: 200 + xi,
        "bending_stiffness": lambda xi: 300 + xi,
        "reference_curvature": lambda xi: 400 + xi,
    }
    axial = [number for xi, _ in GAUSS5 for number in (100 + xi, 200 + xi)]
    bending = [number for xi, _ in GAUSS3 for number in (300 + xi, 400 + xi)]
    assert element_parameters(Continuum, 0.7, along) == [0.7, *axial, *bending]
    assert list(Continuum.parameters)[:4] == ["length", "axial_stiffness_0", "reference_strain_0", "axial_stiffness_1"]
    assert element_parameters(Elasticity.registry[2]["takahashi"], 0.7, along) == [0.7, 100.5, 300.5]


@table
def test_every_parameter_has_a_position(name):
    declaration = LIBRARY[name][0]
    assert list(declaration.parameters) == ["length", *declaration.along]
    assert len(declaration.parameters) == kernel_module(*LIBRARY[name]).N_PAR


# a user's own


class Rope(DistributedElasticity):
    """Tension-only element with a cubic law and its own damping."""

    name = "rope-of-a-test"
    rules = {"stretch": LOBATTO3}
    sections = {"stretch": {"k": Number("N", "stiffness"), "eta": Number("N s", "damping")}}

    @staticmethod
    def stretch(r_x, r_xx, k, eta):
        return Effect(potential=k * (norm(r_x) - 1) ** 4 / 4, dissipation=eta * rate(norm(r_x)) ** 2 / 2)


def test_own_element():
    module = kernel_module(Rope, (BeamElement,))
    assert (module.N_PAR, module.POTENTIAL, module.DISSIPATES, module.SYMMETRIC) == (7, True, True, False)
    # Twice as long as it was and lengthening: V = l k / 4, R = l eta rate^2 / 2.
    par = np.array([0.5, *(3.0, 0.4) * 3])
    q, v = np.array([0, 0, 0, 2, 0, 1.0, 0, 2]), np.array([0, 0, 0, 0.2, 0, 0.1, 0, 0.2])
    dof, none = np.arange(8, dtype=np.int32), np.zeros(0, dtype=np.int32)
    out, total = np.zeros(3), np.zeros(8)
    _address(module, "energy")(1, dof, par, none, q, v, none.astype(float), out)
    _address(module, "force")(1, dof, par, none, q, v, none.astype(float), total)
    np.testing.assert_allclose(out, [0.5 * 3 / 4, 0.5 * 0.4 * 0.2**2, 0], rtol=1e-14)
    np.testing.assert_allclose(total[[1, 5]], [3 + 0.4 * 0.2, -3 - 0.4 * 0.2], rtol=1e-14)


@pytest.mark.parametrize(
    "effect",
    [
        Effect(potential=sympy.Symbol("y")),
        Effect(dissipation=sympy.Symbol("y")),
        Effect(loads=((1, 1),)),
        lambda r_x: Effect(potential=rate(norm(r_x))),
    ],
)
def test_wrong_effects_are_named(effect):
    class Wrong(Continuum):
        @staticmethod
        def axial(r_x, r_xx, axial_stiffness, reference_strain):
            return effect(r_x) if callable(effect) else effect

    with pytest.raises(ModelError, match=r"axial\(\) uses"):
        derive_source(Wrong, (BeamElement,))


def test_curvature_of_a_circle():
    x, radius = sympy.symbols("x R", positive=True)
    r = (radius * sympy.sin(x / radius), radius * (1 - sympy.cos(x / radius)))
    r_x, r_xx = (tuple(sympy.diff(c, x, k) for c in r) for k in (1, 2))
    assert sympy.simplify(curvature(r_x, r_xx) - 1 / radius) == 0
