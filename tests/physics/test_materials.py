"""Materials against closed forms, and the laws that all of them keep."""

import math

import numpy as np
import pytest

import gaitwright as gw
from gaitwright._core.error_context import ErrorContext
from gaitwright.model.expressions import parse
from gaitwright.model.formulas import declare_formulas
from gaitwright.physics.materials.base import Material, lame_constants, poissons_ratio
from gaitwright.physics.materials.fung import Fung
from gaitwright.physics.materials.linear_elastic import LinearElastic
from gaitwright.physics.materials.mooney_rivlin import MooneyRivlin
from gaitwright.physics.materials.neo_hookean import NeoHookean
from gaitwright.physics.materials.neo_hookean_split import NeoHookeanSplit
from gaitwright.physics.materials.ogden import Ogden
from gaitwright.physics.materials.own import OwnMaterial
from gaitwright.physics.materials.st_venant_kirchhoff import StVenantKirchhoff
from gaitwright.physics.materials.viscous import Viscosity, proportional_viscosity
from gaitwright.physics.symbolic import exp
from solids import (
    FIELDS,
    FINITE,
    LAME,
    MATERIALS,
    SHEAR,
    STIFFENING,
    at_point,
    constants,
    energy,
    random_rotation,
    stress,
)

BULK = LAME + 2 * SHEAR / 3
C10, C01 = FIELDS["mooney-rivlin"]["c10"], FIELDS["mooney-rivlin"]["c01"]
OGDEN = [(FIELDS["ogden"][f"mu_{p}"], FIELDS["ogden"][f"alpha_{p}"]) for p in (1, 2, 3)]
F = np.eye(3) + 0.2 * np.random.default_rng(1).normal(size=(3, 3))


def stretched(*stretches):
    return np.diag(np.array(stretches, dtype=float))


@pytest.mark.parametrize("name", FINITE)
def test_a_turned_solid_has_the_same_energy_and_a_turned_stress(name):
    Q = random_rotation(2)
    assert energy(name, Q @ F) == pytest.approx(energy(name, F), rel=1e-13)
    assert np.allclose(stress(name, Q @ F), Q @ stress(name, F), rtol=0, atol=1e-14)
    assert abs(energy(name, Q)) < 1e-15


@pytest.mark.parametrize("name", MATERIALS)
def test_materials_are_isotropic(name):
    Q = random_rotation(3)
    turned = Q @ F @ Q.T if MATERIALS[name].linear else F @ Q.T
    assert energy(name, turned) == pytest.approx(energy(name, F), rel=1e-13)


@pytest.mark.parametrize("name", MATERIALS)
def test_without_deformation_there_is_no_energy_and_no_stress(name):
    assert energy(name, np.eye(3)) == 0
    assert np.abs(stress(name, np.eye(3))).max() < 1e-15


@pytest.mark.parametrize("name", MATERIALS)
def test_small_strain_stress_depends_on_lame_constants_only(name):
    A = np.reshape(at_point(MATERIALS[name], "tangent", constants(name), np.zeros(9)), (9, 9))
    delta = np.eye(3)
    hooke = LAME * np.einsum("ij,kl->ijkl", delta, delta)
    hooke += SHEAR * (np.einsum("ik,jl->ijkl", delta, delta) + np.einsum("il,jk->ijkl", delta, delta))
    assert np.allclose(A, hooke.reshape(9, 9), rtol=0, atol=2e-15)


@pytest.mark.parametrize("name", FINITE)
def test_moments_balance(name):
    """P F^T is symmetric."""
    tau = stress(name, F) @ F.T
    assert np.allclose(tau, tau.T, rtol=0, atol=1e-14)


def ogden_stress(stretches):
    """dW/dlambda_i of Ogden's energy, by hand."""
    J = math.prod(stretches)
    total = sum(mu * J ** (-alpha / 3) * (np.power(stretches, alpha) - np.mean(np.power(stretches, alpha)))
                for mu, alpha in OGDEN)  # fmt: skip
    return (total + BULK * (J - 1) * J) / np.array(stretches)


def stiffened(I1, J):
    """Shear modulus of Fung's material, against that of small strains."""
    return math.exp(STIFFENING * (I1 - 3 - 2 * math.log(J)))


UNIAXIAL = {
    "linear-elastic": lambda a, b: (LAME * (a + 2 * b - 3) + 2 * SHEAR * (a - 1), LAME * (a + 2 * b - 3) + 2 * SHEAR * (b - 1)),
    "st-venant-kirchhoff": lambda a, b: tuple(
        x * (LAME * (a**2 + 2 * b**2 - 3) / 2 + SHEAR * (x**2 - 1)) for x in (a, b)
    ),
    "neo-hookean": lambda a, b: tuple(SHEAR * (x - 1 / x) + LAME * math.log(a * b**2) / x for x in (a, b)),
    "neo-hookean-split": lambda a, b: tuple(
        SHEAR * (a * b**2) ** (-2 / 3) * (x - (a**2 + 2 * b**2) / (3 * x)) + BULK * (a * b**2 - 1) * a * b**2 / x
        for x in (a, b)
    ),
    "fung": lambda a, b: tuple(
        SHEAR * stiffened(a**2 + 2 * b**2, a * b**2) * (x - 1 / x) + LAME * math.log(a * b**2) / x for x in (a, b)
    ),
    "mooney-rivlin": lambda a, b: tuple(
        2 * C10 * (a * b**2) ** (-2 / 3) * (x - (a**2 + 2 * b**2) / (3 * x))
        + 2 * C01 * (a * b**2) ** (-4 / 3) * (rest - 2 * (2 * a**2 * b**2 + b**4) / (3 * x))
        + BULK * (a * b**2 - 1) * a * b**2 / x
        for x, rest in ((a, 2 * a * b**2), (b, b * (a**2 + b**2)))
    ),
    "ogden": lambda a, b: tuple(ogden_stress((a, b, b))[:2]),
}  # fmt: skip
"""P along and across, of stretches along and across."""


@pytest.mark.parametrize("along, across", [(1.4, 0.9), (0.7, 1.1), (1.2, 1.2), (1.0, 0.8)])
@pytest.mark.parametrize("name", MATERIALS)
def test_stretching(name, along, across):
    P = stress(name, stretched(along, across, across))
    expected = UNIAXIAL[name](along, across)
    assert np.allclose(np.diag(P), (*expected, expected[1]), rtol=0, atol=1e-14)
    assert np.abs(P - np.diag(np.diag(P))).max() < 1e-15


SHEARED = {
    "linear-elastic": lambda g: SHEAR * g,
    "st-venant-kirchhoff": lambda g: SHEAR * g + (LAME / 2 + SHEAR) * g**3,
    "neo-hookean": lambda g: SHEAR * g,
    "neo-hookean-split": lambda g: SHEAR * g,
    "fung": lambda g: SHEAR * math.exp(STIFFENING * g**2) * g,
    "mooney-rivlin": lambda g: 2 * (C10 + C01) * g,
    # stretches k and 1/k with g = k - 1/k: dW/dg = sum mu (k^alpha - k^-alpha) / (k + 1/k)
    "ogden": lambda g: (
        lambda k: sum(mu * (k**alpha - k**-alpha) for mu, alpha in OGDEN) / (k + 1 / k)
    )(g / 2 + math.sqrt(1 + g**2 / 4)),
}  # fmt: skip


@pytest.mark.parametrize("shear", [0.3, 1.2, -0.5])
@pytest.mark.parametrize("name", MATERIALS)
def test_simple_shear(name, shear):
    """x = X + g Y: the shear stress is dW/dg."""
    sheared = np.eye(3)
    sheared[0, 1] = shear
    assert stress(name, sheared)[0, 1] == pytest.approx(SHEARED[name](shear), abs=1e-14)


SWELLING = {
    "linear-elastic": lambda s: 3 * BULK * (s - 1),
    "st-venant-kirchhoff": lambda s: 3 * BULK * (s**2 - 1) / 2 * s,
    "neo-hookean": lambda s: SHEAR * (s - 1 / s) + 3 * LAME * math.log(s) / s,
    "fung": lambda s: SHEAR * stiffened(3 * s**2, s**3) * (s - 1 / s) + 3 * LAME * math.log(s) / s,
}
"""P of equal stretches s; of materials split into shape and volume kappa (J - 1) s^2."""


@pytest.mark.parametrize("s", [0.8, 1.3])
@pytest.mark.parametrize("name", MATERIALS)
def test_swelling(name, s):
    P = stress(name, s * np.eye(3))
    expected = SWELLING.get(name, lambda s: BULK * (s**3 - 1) * s**2)(s)
    assert np.allclose(P, expected * np.eye(3), rtol=0, atol=1e-14)


def test_special_cases_equal_other_materials():
    """Mooney-Rivlin without C01, and one term of Ogden with alpha = 2, are neo-hookean-split."""
    given = np.ravel(F - np.eye(3))
    bulk, mu = NeoHookeanSplit.constants(shear_modulus=SHEAR, bulk_modulus=BULK)
    split = at_point(NeoHookeanSplit, "stress", (bulk, mu), given)
    mooney = MooneyRivlin.constants(c10=mu / 2, c01=0.0, bulk_modulus=bulk)
    ogden = Ogden.constants(mu_1=mu, alpha_1=2.0, bulk_modulus=bulk)
    for material, par in ((MooneyRivlin, mooney), (Ogden, ogden)):
        assert np.allclose(at_point(material, "stress", par, given), split, rtol=0, atol=1e-14)


def test_the_two_neo_hookeans_differ():
    """Pressed by 20 % with free sides by 5 %; for small strains they are the same."""

    def pressed(name, along):
        from scipy.optimize import brentq

        across = brentq(lambda x: stress(name, stretched(along, x, x))[1, 1], 0.5, 2.0, xtol=1e-15)
        return stress(name, stretched(along, across, across))[0, 0]

    ratio = pressed("neo-hookean", 0.8) / pressed("neo-hookean-split", 0.8)
    assert ratio == pytest.approx(0.945, abs=1e-3)
    assert pressed("neo-hookean", 1 - 1e-6) / pressed("neo-hookean-split", 1 - 1e-6) == pytest.approx(1, abs=1e-5)


def test_constants():
    young, nu = 3.0e6, 0.3
    lame, mu = lame_constants(ErrorContext("m"), youngs_modulus=young, poissons_ratio=nu)
    assert lame == pytest.approx(young * nu / (1.3 * 0.4)) and mu == pytest.approx(young / 2.6)
    assert poissons_ratio(lame, mu) == pytest.approx(nu)
    assert lame_constants(ErrorContext("m"), shear_modulus=mu, bulk_modulus=lame + 2 * mu / 3) == pytest.approx(
        (lame, mu)
    )
    assert NeoHookean(youngs_modulus=young, poissons_ratio=nu).numbers() == pytest.approx((lame, mu))
    assert NeoHookeanSplit(youngs_modulus=young, poissons_ratio=nu).numbers() == pytest.approx((lame + 2 * mu / 3, mu))
    *_, bulk = MooneyRivlin.constants(c10=mu / 4, c01=mu / 4, poissons_ratio=nu)
    assert bulk == pytest.approx(lame + 2 * mu / 3)
    *_, bulk = Ogden.constants(mu_1=mu, alpha_1=2, poissons_ratio=nu)
    assert bulk == pytest.approx(lame + 2 * mu / 3)
    assert proportional_viscosity(0.01, lame, mu) == pytest.approx((0.01 * mu, 0.01 * (lame + 2 * mu / 3)))
    assert Viscosity.constants(shear_viscosity=3) == (3.0, 0.0)


REFUSED = [
    (LinearElastic, {"youngs_modulus": 1e6, "poissons_ratio": 0.5}, "poissons_ratio"),
    (NeoHookean, {"youngs_modulus": 1e6, "poissons_ratio": -1}, "poissons_ratio"),
    (NeoHookean, {"youngs_modulus": 0, "poissons_ratio": 0.3}, "youngs_modulus"),
    (NeoHookean, {"youngs_modulus": 1e6}, "youngs_modulus and poissons_ratio"),
    (NeoHookean, {}, "nothing"),
    (NeoHookean, {"youngs_modulus": math.nan, "poissons_ratio": 0.3}, "youngs_modulus"),
    (NeoHookean, {"young": 1e6, "poissons_ratio": 0.3}, "youngs_modulus"),
    (StVenantKirchhoff, {"lame": -1.0, "shear_modulus": 1.0}, "lame"),
    (NeoHookeanSplit, {"bulk_modulus": -1.0, "shear_modulus": 1.0}, "bulk_modulus"),
    (MooneyRivlin, {"c10": 1.0, "c01": -2.0, "bulk_modulus": 1.0}, "c10"),
    (MooneyRivlin, {"c10": 1.0, "c01": 0.0}, "bulk_modulus"),
    (MooneyRivlin, {"c10": 1.0, "c01": 0.0, "poissons_ratio": 0.5}, "poissons_ratio"),
    (Fung, {"youngs_modulus": 1e6, "poissons_ratio": 0.3}, "stiffening"),
    (Fung, {"youngs_modulus": 1e6, "poissons_ratio": 0.3, "stiffening": 0.0}, "neo-hookean"),
    (Ogden, {"mu_1": 1.0, "alpha_1": -2.0, "bulk_modulus": 1.0}, "mu_1"),
    (Ogden, {"mu_1": 1.0, "alpha_1": 0.0, "bulk_modulus": 1.0}, "mu_1"),
    (Viscosity, {"shear_viscosity": -1.0}, "shear_viscosity"),
]


@pytest.mark.parametrize("material, fields, named", REFUSED)
def test_invalid_material_constants_raise(material, fields, named):
    with pytest.raises(gw.ModelError, match=named) as refused:
        material.constants(**fields)
    assert "\n" not in str(refused.value)


class FungLike(Material):
    """An own material with an exponential, as soft tissue is described."""

    name = "fung-like"
    parameters = {"mu": gw.extend.Number("Pa"), "b": gw.extend.Number("1"), "kappa": gw.extend.Number("Pa")}

    @staticmethod
    def energy(deformation, mu, b, kappa):
        shape = deformation.I1 - 3 - 2 * (deformation.J - 1)
        return mu / (2 * b) * (exp(b * shape) - 1) + kappa / 2 * (deformation.J - 1) ** 2


def test_user_defined_material_class():
    """W' = mu (a exp(b s) - ...) along one axis, by hand."""
    mu, b, kappa, a = 0.4, 1.7, 2.0, 1.15
    given = np.ravel(stretched(a, 1, 1) - np.eye(3))
    P = np.reshape(at_point(FungLike, "stress", FungLike.constants(mu=mu, b=b, kappa=kappa), given), (3, 3))
    along = mu * (a - 1) * math.exp(b * (a - 1) ** 2) + kappa * (a - 1)
    assert P[0, 0] == pytest.approx(along, rel=1e-14)


def test_a_material_by_an_expression():
    """As a model file has it: the parameters of the model become numbers of the material."""
    text = "mu/2*(I1 - 3) - mu*log(J) + lambda_/2*log(J)^2"
    made, fields = declare_formulas(
        OwnMaterial, {"energy": text}, lambda text, more: parse(text, ["mu", "lambda_", *more])
    )
    order = [fields[name] for name in made.parameters]
    par = [{"mu": SHEAR, "lambda_": LAME}[name] for name in order]
    for d, size in ((2, 4), (3, 9)):
        given = 0.1 * np.random.default_rng(d).normal(size=size)
        ours = at_point(NeoHookean, "tangent", constants("neo-hookean"), given)
        theirs = at_point(made, "tangent", par, given)
        assert np.allclose(ours, theirs, rtol=0, atol=1e-14)


def test_an_expression_in_entries_of_the_deformation():
    """A fibre along x: its stretch squared is F11^2 + F21^2 + F31^2."""
    made, fields = declare_formulas(
        OwnMaterial, {"energy": "k/8*(F11^2 + F21^2 + F31^2 - 1)^2"}, lambda text, more: parse(text, ["k", *more])
    )
    assert list(fields) == list(made.parameters) == ["p_k"]
    Q, a = random_rotation(5), 1.2
    given = np.ravel(Q @ stretched(a, 1, 1) - np.eye(3))
    P = np.reshape(at_point(made, "stress", [3.0], given), (3, 3))
    expected = np.zeros((3, 3))
    expected[0, 0] = 3.0 * (a**2 - 1) * a / 2
    assert np.allclose(P, Q @ expected, rtol=0, atol=1e-14)
