"""Elements of solids: parametrised over materials and kinds of elements."""

import numpy as np
import pytest

import gaitwright as gw
from finite_elements import Batch, coordinates, solid, solve
from gaitwright.fem.element_geometry import build_element_geometry
from gaitwright.fem.element_types import ELEMENT_TYPES, SIDE_TYPES, collapsed_gauss_rule
from gaitwright.fem.kernel_modules import (
    damping_module,
    element_module,
    lame_constants,
    locking_warning,
    needs_mean_dilatation,
)
from gaitwright.mesh.planar_shapes import rectangle
from gaitwright.mesh.solid_shapes import box
from gaitwright.physics.materials.viscous import SmallViscosity, Viscosity
from solids import FIELDS, LAME, MATERIALS, SHEAR, constants

KINDS = ("T3", "T6", "TET4", "TET10")


def patch(kind, curved=False):
    """A few elements with displaced inner nodes, and for quadratic ones, on request, curved edges."""
    random = np.random.default_rng(0)
    flat = kind in ("T3", "T6")
    mesh = rectangle((1.0, 0.8), 2) if flat else box((1.0, 0.8, 0.9), 2)
    inner = np.setdiff1d(np.arange(len(mesh.nodes)), np.unique(mesh.boundary))
    nodes = mesh.nodes.copy()
    nodes[inner] += 0.06 * random.normal(size=nodes[inner].shape)
    mesh = gw.mesh.Mesh(nodes, mesh.cells)
    if kind in ("T6", "TET10"):
        mesh = mesh.quadratic()
        if curved:
            nodes = mesh.nodes + 0.015 * random.normal(size=mesh.nodes.shape)
            mesh = gw.mesh.Mesh(nodes, mesh.cells)
    return mesh


def material(name):
    return MATERIALS[name](**FIELDS[name])


def some_motion(mesh, size=0.1, seed=1):
    random = np.random.default_rng(seed)
    d = mesh.nodes.shape[1]
    smooth = mesh.nodes @ (size * random.normal(size=(d, d))).T
    return (smooth + 0.1 * size * random.normal(size=mesh.nodes.shape)).ravel()


VARIANTS = [(kind, False) for kind in KINDS] + [("T6", True), ("TET10", True)]
QUICK = [("neo-hookean", kind, mean) for kind, mean in VARIANTS]
ALL = [pytest.param(*case, marks=() if case in QUICK else pytest.mark.slow)
       for case in [*QUICK, *((name, *variant) for name in MATERIALS if name != "neo-hookean"
                              for variant in (("TET4", False), ("T6", True)))]]  # fmt: skip
"""Every kind of element, and every material in space and in the plane, with and without mean dilatation."""
table = pytest.mark.parametrize("name, kind, mean", ALL)


@table
def test_forces_are_slopes_of_the_energy_and_tangents_of_the_forces(name, kind, mean):
    """By fourth-order differences; the kernels of the material are compared with 60 digits elsewhere."""
    mesh = patch(kind, curved=True)
    elements = solid(mesh, material(name), mean)
    q = some_motion(mesh)
    random = np.random.default_rng(3)
    for _ in range(3):
        way = random.normal(size=q.size)

        def slope(function, way=way):
            h = 1e-4
            one, two = (function(q + k * h * way) - function(q - k * h * way) for k in (1, 2))
            return (8 * one - two) / (12 * h)

        stored = slope(lambda x: elements.energy(x)[:, 0].sum())
        assert -elements.force(q) @ way == pytest.approx(stored, rel=1e-9, abs=1e-9)
        change = slope(elements.force)
        K = elements.tangent(q)
        assert np.abs(K @ way + change).max() < 1e-9 * np.abs(change).max()
    assert np.abs(K - K.T).max() < 1e-13 * np.abs(K).max()
    assert elements.module.SYMMETRIC and elements.module.POTENTIAL and not elements.module.DAMPED


@table
def test_rigid_motions(name, kind, mean):
    """A large shift and a large rotation: no force. (A linear material supports small rotations only.)"""
    mesh = patch(kind, curved=True)
    elements = solid(mesh, material(name), mean)
    d = mesh.nodes.shape[1]
    shift = np.tile([3.0, -2.0, 5.0][:d], len(mesh.nodes))
    assert np.abs(elements.force(shift)).max() < 1e-14
    angle = 1e-8 if MATERIALS[name].linear else 2.0
    c, s = np.cos(angle), np.sin(angle)
    turn = np.eye(d)
    turn[:2, :2] = [[c, -s], [s, c]]
    turned = (mesh.nodes @ turn.T - mesh.nodes).ravel() + shift
    assert np.abs(elements.force(turned)).max() < 1e-13
    assert elements.energy(turned)[:, 0].sum() < 1e-14


@table
def test_patch(name, kind, mean):
    """The boundary is displaced as a linear function: so is the inside, to rounding."""
    mesh = patch(kind)
    elements = solid(mesh, material(name), mean)
    d = mesh.nodes.shape[1]
    way = (1e-2 if MATERIALS[name].linear else 0.1) * np.random.default_rng(5).normal(size=(d, d))
    exact = (mesh.nodes @ way.T).ravel()
    rim = coordinates(mesh)[np.unique(mesh.boundary)].ravel()
    found = solve([elements], rim, exact[rim])
    assert np.abs(found - exact).max() < 1e-13
    # at free nodes there is no force
    free = np.setdiff1d(np.arange(found.size), rim)
    assert np.abs(elements.force(found)[free]).max() < 1e-13


@pytest.mark.parametrize("kind", KINDS)
def test_a_batch_is_the_sum_of_its_elements(kind):
    """Strides are correct: evaluating every element alone gives the same sum."""
    mesh = patch(kind)
    whole = solid(mesh, material("neo-hookean"))
    q = some_motion(mesh)
    alone = [Batch(whole.module, whole.dof[[e]], whole.par[[e]], whole.n) for e in range(len(mesh.cells))]
    assert np.allclose(sum(one.force(q) for one in alone), whole.force(q), rtol=0, atol=1e-15)
    assert np.allclose(np.concatenate([one.blocks(q)[0] for one in alone]), whole.blocks(q)[0], rtol=0, atol=1e-15)
    assert np.allclose(np.concatenate([one.energy(q) for one in alone]), whole.energy(q), rtol=0, atol=1e-15)


def test_several_materials_in_one_mesh():
    """Material parameters are per element: a bar of two halves in series."""
    mesh = box((1.0, 0.1, 0.1), (4, 1, 1)).moved((0.5, 0, 0))
    soft, stiff = (MATERIALS["neo-hookean"](youngs_modulus=E, poissons_ratio=0.0) for E in (1.0, 3.0))
    left = mesh.centroids[:, 0] < 0.5
    numbers = np.where(left[:, None], soft.numbers(), stiff.numbers())
    elements = solid(mesh, soft, par=numbers)
    x = mesh.nodes[:, 0]
    dof = coordinates(mesh)
    ends = np.concatenate((dof[x == 0].ravel(), dof[x == 1, 0]))
    values = np.concatenate((np.zeros(3 * (x == 0).sum()), np.full((x == 1).sum(), 1e-3)))
    q = solve([elements], ends, values)
    assert q[dof[x == 0.5, 0]] == pytest.approx(0.75e-3, rel=1e-3)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("viscosity", [Viscosity, SmallViscosity])
def test_damping(viscosity, kind):
    """The power of the forces equals the dissipated power, tangents are derivatives, a rigid motion is not damped."""
    mesh = patch(kind)
    parts = build_element_geometry(ELEMENT_TYPES[kind], mesh.nodes, mesh.cells)
    module = damping_module(viscosity, ELEMENT_TYPES[kind])
    damper = Batch(module, parts.dof(coordinates(mesh)), parts.parameters(np.array([0.8, 0.5])), mesh.nodes.size)
    q, v = some_motion(mesh), some_motion(mesh, 1.0, seed=2)
    lost = damper.energy(q, v)
    assert -damper.force(q, v) @ v == pytest.approx(lost[:, 1].sum(), rel=1e-13) and (lost[:, 1] > 0).all()
    assert not lost[:, [0, 2]].any()
    way = np.random.default_rng(3).normal(size=q.size)
    kq, kv = (damper.tangent(q, v, which) for which in (0, 1))
    h = 1e-3  # forces are quadratic in q and linear in v
    by_q = (damper.force(q + h * way, v) - damper.force(q - h * way, v)) / (2 * h)
    by_v = (damper.force(q, v + way) - damper.force(q, v - way)) / 2
    assert np.abs(kq @ way + by_q).max() < 1e-10 and np.abs(kv @ way + by_v).max() < 1e-12
    assert viscosity.linear == module.SYMMETRIC and module.DAMPED and module.DISSIPATES
    if not viscosity.linear:
        d = mesh.nodes.shape[1]
        spin = np.zeros((d, d))
        spin[0, 1], spin[1, 0] = -2.0, 2.0
        turning = ((mesh.nodes + q.reshape(-1, d)) @ spin.T).ravel()
        assert np.abs(damper.force(q, turning)).max() < 1e-13


@pytest.mark.parametrize("kind", KINDS)
def test_damping_proportional_to_stiffness(kind):
    """Without deformation the damping matrix is beta K."""
    beta, mesh, shape = 0.02, patch(kind), ELEMENT_TYPES[kind]
    parts = build_element_geometry(shape, mesh.nodes, mesh.cells)
    eta = np.array([beta * SHEAR, beta * (LAME + 2 * SHEAR / 3)])
    damper = Batch(
        damping_module(Viscosity, shape), parts.dof(coordinates(mesh)), parts.parameters(eta), mesh.nodes.size
    )
    elements = solid(mesh, material("neo-hookean"))
    still = np.zeros(mesh.nodes.size)
    assert np.allclose(damper.blocks(still)[1], beta * elements.blocks(still)[0], rtol=0, atol=1e-15)


@pytest.mark.parametrize("name", MATERIALS)
def test_small_strain_constants(name):
    assert lame_constants(MATERIALS[name], constants(name)) == pytest.approx((LAME, SHEAR), rel=1e-14)


def test_locking_warning():
    stiff = MATERIALS["neo-hookean"].constants(youngs_modulus=1e6, poissons_ratio=0.49)
    soft = MATERIALS["neo-hookean"].constants(youngs_modulus=1e6, poissons_ratio=0.3)
    kind = MATERIALS["neo-hookean"]
    assert needs_mean_dilatation(kind, stiff, ELEMENT_TYPES["TET10"]) and not needs_mean_dilatation(
        kind, soft, ELEMENT_TYPES["TET10"]
    )
    assert not needs_mean_dilatation(kind, stiff, ELEMENT_TYPES["TET4"])
    assert "TET10" in locking_warning(kind, stiff, ELEMENT_TYPES["TET4"]) and "T6" in locking_warning(
        kind, stiff, ELEMENT_TYPES["T3"]
    )
    assert not locking_warning(kind, soft, ELEMENT_TYPES["TET4"]) and not locking_warning(
        kind, stiff, ELEMENT_TYPES["TET10"]
    )


@pytest.mark.parametrize("kind", KINDS)
def test_geometry(kind):
    mesh = patch(kind, curved=True)
    parts = build_element_geometry(ELEMENT_TYPES[kind], mesh.nodes, mesh.cells)
    assert parts.volumes.sum() == pytest.approx(mesh.volume, rel=2e-3)  # the points of a curved TET10 are not exact
    # gradients of shape functions give those of linear functions
    way = np.random.default_rng(0).normal(size=(mesh.nodes.shape[1],) * 2)
    found = np.einsum("eai,epaj->epij", (mesh.nodes @ way.T)[mesh.cells], parts.gradients)
    assert np.allclose(found, way, rtol=0, atol=1e-12)
    wrong = mesh.cells.copy()
    wrong[2, [0, 1]] = wrong[2, [1, 0]]
    with pytest.raises(gw.ModelError, match="element 2"):
        build_element_geometry(ELEMENT_TYPES[kind], mesh.nodes, wrong)
    with pytest.raises(gw.ModelError, match="nodes"):
        build_element_geometry(ELEMENT_TYPES[kind], mesh.nodes, mesh.cells[:, 1:])


def monomial(powers):
    """Integral of L_0^a L_1^b ... over the reference element."""
    from math import factorial, prod

    return prod(map(factorial, powers)) / factorial(sum(powers) + len(powers) - 1)


DEGREES = {"T3": 1, "T6": 2, "TET4": 1, "TET10": 2}, {"T3": 3, "T6": 5, "TET4": 2, "TET10": 4}
RULES = {f"{what} {name}": (shape.points, shape.weights, degrees[name])
         for what, shapes, degrees in zip(("solid", "side of"), (ELEMENT_TYPES, SIDE_TYPES), DEGREES, strict=True)
         for name, shape in shapes.items()}  # fmt: skip
RULES |= {f"fine {d} {n}": (*collapsed_gauss_rule(d, n), 2 * n - 1) for d in (1, 2, 3) for n in (2, 4)}


@pytest.mark.parametrize("name", RULES)
def test_rules_integrate_polynomials(name):
    from itertools import product

    points, weights, degree = RULES[name]
    for powers in product(range(degree + 1), repeat=points.shape[1]):
        if sum(powers) <= degree:
            found = weights @ np.prod(points ** np.array(powers), axis=1)
            assert found == pytest.approx(monomial(powers), rel=1e-12)


def test_a_module_is_made_once():
    assert element_module(MATERIALS["ogden"], ELEMENT_TYPES["T3"]) is element_module(
        MATERIALS["ogden"], ELEMENT_TYPES["T3"]
    )
