"""Materials of solids with parameter values, evaluated at a point in plain Python, with floats or with 60 digits."""

from __future__ import annotations

import functools
from types import FunctionType

import mpmath
import numpy as np

from gaitwright.derive.kernel_library import declarations_of_kind, load_all
from gaitwright.fem.material_point import build_point_kernels
from gaitwright.physics.materials.base import Material

load_all()
mp = mpmath.mp.clone()
mp.dps = 60
STEP = mp.mpf(10) ** -20
FUNCTIONS = ("log", "exp", "log1p", "expm1", "sqrt")

MATERIALS = {material.name: material for material in declarations_of_kind(Material) if not material.stands_for_others}
FINITE = [name for name, material in MATERIALS.items() if not material.linear]
"""Materials of large deformations."""
LAME, SHEAR, STIFFENING = 1.3, 0.7, 0.8
FIELDS = {
    "linear-elastic": {"lame": LAME, "shear_modulus": SHEAR},
    "st-venant-kirchhoff": {"lame": LAME, "shear_modulus": SHEAR},
    "neo-hookean": {"lame": LAME, "shear_modulus": SHEAR},
    "neo-hookean-split": {"lame": LAME, "shear_modulus": SHEAR},
    "fung": {"lame": LAME, "shear_modulus": SHEAR, "stiffening": STIFFENING},
    "mooney-rivlin": {"c10": 0.25, "c01": 0.1, "bulk_modulus": LAME + 2 * SHEAR / 3},
    # sum mu alpha = 2 SHEAR
    "ogden": {
        "mu_1": 0.6, "alpha_1": 1.3, "mu_2": 0.01, "alpha_2": 5.0, "mu_3": -0.285, "alpha_3": -2.0,
        "bulk_modulus": LAME + 2 * SHEAR / 3,
    },
}  # fmt: skip
"""Parameters that make all materials equal at small strains."""


def constants(name):
    return MATERIALS[name].constants(**FIELDS[name])


@functools.cache
def with_numbers(number):
    """Return a decorator that makes the functions of point.py run in Python on numbers of the given type."""
    known = {name: getattr(mp if number is mp.mpf else np, name) for name in FUNCTIONS}

    @functools.cache
    def wrap(function):
        names = dict(function.__globals__)
        names |= {name: known[name] for name in FUNCTIONS if name in names}
        return FunctionType(function.__code__, names, closure=function.__closure__)

    return wrap


def at_point(material, kernel, par, given, number=float):
    """W, P or A of a material at a point, row by row; given: H, then t for kernels with mean dilatation."""
    kernel, mean, size = kernel.removeprefix("mean_"), kernel.startswith("mean_"), len(given)
    point = build_point_kernels(material, {4: 2, 5: 2, 9: 3, 10: 3}[size], mean, with_numbers(number))
    par, given = [number(x) for x in par], [number(x) for x in given]
    if kernel == "energy":
        return [point.energy(par, given)]
    out = [number(0)] * (size if kernel == "stress" else size**2)
    point.stress(par, given, out) if kernel == "stress" else point.tangent(number(1), par, given, out)
    return out


def energy(name, F):
    """W of a material, J/m^3; F: 3 x 3."""
    return at_point(MATERIALS[name], "energy", constants(name), np.ravel(F - np.eye(3)))[0]


def stress(name, F):
    """P of a material, 3 x 3."""
    return np.reshape(at_point(MATERIALS[name], "stress", constants(name), np.ravel(F - np.eye(3))), (3, 3))


def random_rotation(seed):
    Q, R = np.linalg.qr(np.random.default_rng(seed).normal(size=(3, 3)))
    Q = Q * np.sign(np.diag(R))
    return Q * np.linalg.det(Q)
