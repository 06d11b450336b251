"""Materials of solids with numbers, and their kernels as printed: plain Python, with floats, with arrays or with 60 digits."""

from __future__ import annotations

from types import FunctionType

import mpmath
import numpy as np

from gaitwright.derive.library import Solid, declared, load_all, module_on
from gaitwright.physics.materials.base import Material

load_all()
mp = mpmath.mp.clone()
mp.dps = 60
STEP = mp.mpf(10) ** -20
FUNCTIONS = ("log", "exp", "log1p", "expm1", "sqrt")

MATERIALS = {material.name: material for material in declared(Material) if not material.stands_for_others}
FINITE = [name for name, material in MATERIALS.items() if not material.linear]
"""Materials of large deformations."""
LAME, SHEAR = 1.3, 0.7
FIELDS = {
    "linear-elastic": {"lame": LAME, "shear_modulus": SHEAR},
    "st-venant-kirchhoff": {"lame": LAME, "shear_modulus": SHEAR},
    "neo-hookean": {"lame": LAME, "shear_modulus": SHEAR},
    "neo-hookean-split": {"lame": LAME, "shear_modulus": SHEAR},
    "mooney-rivlin": {"c10": 0.25, "c01": 0.1, "bulk_modulus": LAME + 2 * SHEAR / 3},
    # sum mu alpha = 2 SHEAR
    "ogden": {
        "mu_1": 0.6, "alpha_1": 1.3, "mu_2": 0.01, "alpha_2": 5.0, "mu_3": -0.285, "alpha_3": -2.0,
        "bulk_modulus": LAME + 2 * SHEAR / 3,
    },
}  # fmt: skip
"""All of them alike in small strains."""


def constants(name):
    return MATERIALS[name].constants(**FIELDS[name])


def _with(function, known):
    """A kernel with other functions of numbers; also those that it calls."""
    names = dict(function.__globals__)
    names |= {name: known[name] for name in FUNCTIONS if name in names}
    inner = [name for name in ("stretches", "power_sum") if name in names]
    names |= {name: FunctionType(names[name].__code__, names) for name in inner}
    return FunctionType(function.__code__, names)


def evaluated(module, kernel, par, given, size, number=float):
    """What a kernel writes for one point."""
    known = {name: getattr(mp if number is mp.mpf else np, name) for name in FUNCTIONS}
    out = [number(0)] * size
    _with(getattr(module, kernel), known)(1, [number(x) for x in par], [number(x) for x in given], out)
    return out


def full(packed, n):
    """A symmetric matrix from one triangle."""
    matrix = np.zeros((n, n), dtype=object)
    matrix[np.triu_indices(n)] = packed
    return matrix + np.triu(matrix, 1).T


def energy(name, F):
    """W of a material, J/m^3; F: 3 x 3."""
    return evaluated(module_on(MATERIALS[name], Solid(3)), "energy", constants(name), np.ravel(F - np.eye(3)), 1)[0]


def stress(name, F):
    """P of a material, 3 x 3."""
    module = module_on(MATERIALS[name], Solid(3))
    return np.reshape(evaluated(module, "stress", constants(name), np.ravel(F - np.eye(3)), 9), (3, 3))


def random_rotation(seed):
    Q, R = np.linalg.qr(np.random.default_rng(seed).normal(size=(3, 3)))
    Q = Q * np.sign(np.diag(R))
    return Q * np.linalg.det(Q)
