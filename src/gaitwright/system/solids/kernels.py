"""Modules of kernels of elements, made when a solid first needs them; machine code is kept as that of all kernels."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from types import ModuleType
from typing import Any

import numpy as np

from gaitwright.derive.library import Solid, module_on
from gaitwright.physics.declare import Elasticity, Force
from gaitwright.physics.materials.base import Material, poissons_ratio
from gaitwright.physics.materials.viscous import Viscosity
from gaitwright.system.solids.loops import Kernels, Sizes, plain_loops
from gaitwright.system.solids.mean_loops import mean_loops
from gaitwright.system.solids.point import plain, point_of
from gaitwright.system.solids.shapes import Shape
from gaitwright.system.solids.viscous_loops import viscous_loops
from gaitwright.system.solids.viscous_point import viscous_point_of


def force_module(
    name: str, kernels: Kernels, n_dof: int, n_par: int, *, n_sig: int = 0, symmetric: bool = True, tangent: bool = True,
    potential: bool = False, dissipates: bool = False, loads: bool = False, first: int = 0, **more: Any,
) -> ModuleType:  # fmt: skip
    """What system/tables.py asks of a module of kernels; its tangent is full. first: of the coordinates that it acts on, to the
    last. more: members that not every module has."""
    module = ModuleType(f"gaitwright.solid.{name}")
    pattern = first + np.indices((n_dof - first, n_dof - first)).reshape(2, -1).T if tangent else ()
    members = {
        "KIND": "force", "N_DOF": n_dof, "N_PAR": n_par, "N_SIG": n_sig, "TANGENT": pattern, "FULL": True,
        "SYMMETRIC": symmetric, "SYMMETRIC_AT_REST": symmetric or dissipates,
        "POTENTIAL": potential, "DISSIPATES": dissipates, "LOADS": loads, "DAMPED": dissipates,
        **kernels._asdict(), **more,
    }  # fmt: skip
    for key, value in members.items():
        setattr(module, key, value)
    return module


@functools.cache
def force_of(module: ModuleType) -> type[Force]:
    """The declaration of forces with these kernels, for a Block: `Block(force_of(module), (), coordinates, parameters)`."""
    members = {
        "name": module.__name__.rpartition(".")[2], "__doc__": "Forces of finite elements.", "attachments": {}, "implied": True,
        "kernels": module, "registries": classmethod(lambda cls: []),
    }  # fmt: skip
    # Elasticity is what relaxes before the start; weight has no stiffness.
    base: Any = Elasticity if module.POTENTIAL and len(module.TANGENT) else Force
    return type("FiniteElements", (base,), members)


@functools.cache
def element_module(material: type[Material], shape: Shape, mean: bool = False) -> ModuleType:
    """The elastic forces of elements of a shape. mean: with the mean dilatation of each element (mean_loops.py)."""
    n_par = module_on(material, Solid(shape.dimension)).N_PAR
    sizes = Sizes(shape.dimension, shape.nodes - 1, len(shape.rule), n_par)
    point = point_of(material, shape.dimension, mean)
    kernels = mean_loops(sizes, material.linear, point) if mean else plain_loops(sizes, point)
    name = f"{'mean_' if mean else ''}{material.name.replace('-', '_')}__{shape.name.lower()}"
    return force_module(name, kernels, sizes.n_dof, sizes.stride, potential=True)


@functools.cache
def damping_module(viscosity: type[Viscosity], shape: Shape) -> ModuleType:
    """The viscous forces of elements of a shape."""
    n_par = module_on(viscosity, Solid(shape.dimension)).N_PAR
    sizes = Sizes(shape.dimension, shape.nodes - 1, len(shape.rule), n_par)
    kernels = viscous_loops(sizes, viscosity.linear, viscous_point_of(viscosity, shape.dimension))
    name = f"{viscosity.name.replace('-', '_')}__{shape.name.lower()}"
    return force_module(name, kernels, sizes.n_dof, sizes.stride, symmetric=viscosity.linear, dissipates=True)


def small_strain(material: type[Material], constants: Sequence[float]) -> tuple[float, float]:
    """lambda and mu, Pa, of a material at small strains, whatever its energy is written in."""
    out = [0.0] * 81
    point_of(material, 3, wrap=plain).tangent(1.0, [float(x) for x in constants], [0.0] * 9, out)
    return out[4], out[10]  # A_1122 and A_1212


def rest_stress(material: type[Material], constants: Sequence[float]) -> float:
    """P_11, Pa, without deformation: zero unless its energy has a slope there."""
    out = [0.0] * 9
    point_of(material, 3, wrap=plain).stress([float(x) for x in constants], [0.0] * 9, out)
    return out[0]


NEARLY_INCOMPRESSIBLE = 0.45
"""Poisson's ratio above which elements lock: docs/theory/solids.md."""


def needs_mean(material: type[Material], constants: Sequence[float], shape: Shape) -> bool:
    """Whether a solid should have the mean dilatation of its elements."""
    return shape.kind.order == 2 and poissons_ratio(*small_strain(material, constants)) > NEARLY_INCOMPRESSIBLE


def locking(material: type[Material], constants: Sequence[float], shape: Shape) -> str:
    """A sentence on linear elements that are nearly incompressible; nothing if all is well."""
    nu = poissons_ratio(*small_strain(material, constants))
    if shape.kind.order == 2 or nu <= NEARLY_INCOMPRESSIBLE:
        return ""
    better = "TET10" if shape.dimension == 3 else "T6"
    return f"{shape.name} with Poisson's ratio {nu:.4g} is far too stiff: take {better} (mesh.quadratic())"
