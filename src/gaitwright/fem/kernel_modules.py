"""Kernel modules of elements, created when a solid first needs them; their machine code is cached like that of all
kernels."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from types import ModuleType
from typing import Any

import numpy as np

from gaitwright.derive.kernel_library import DeformationBasis, load_kernel_module
from gaitwright.fem.element_loops import ElementSizes, ForceKernels, elastic_kernels, viscous_kernels
from gaitwright.fem.element_types import ElementType
from gaitwright.fem.material_point import build_point_kernels, keep_in_python
from gaitwright.fem.mean_dilatation_loops import mean_dilatation_kernels
from gaitwright.fem.viscous_point import build_viscous_point_kernels
from gaitwright.physics.declarations import Elasticity, Force
from gaitwright.physics.materials.base import Material, poissons_ratio
from gaitwright.physics.materials.viscous import Viscosity


def force_module(
    name: str, kernels: ForceKernels, n_dof: int, n_par: int, *, n_sig: int = 0, symmetric: bool = True, tangent: bool = True,
    potential: bool = False, dissipates: bool = False, loads: bool = False, first: int = 0, **extra: Any,
) -> ModuleType:  # fmt: skip
    """Create a kernel module as mechanism/tables.py requires it; its tangent is dense. first: index of the first coordinate
    that the force acts on; it acts on all later ones. extra: optional members."""
    module = ModuleType(f"gaitwright.solid.{name}")
    pattern = first + np.indices((n_dof - first, n_dof - first)).reshape(2, -1).T if tangent else ()
    members = {
        "KIND": "force", "N_DOF": n_dof, "N_PAR": n_par, "N_SIG": n_sig, "TANGENT": pattern, "FULL": True,
        "SYMMETRIC": symmetric, "SYMMETRIC_AT_REST": symmetric or dissipates,
        "POTENTIAL": potential, "DISSIPATES": dissipates, "LOADS": loads, "DAMPED": dissipates,
        **kernels._asdict(), **extra,
    }  # fmt: skip
    for key, value in members.items():
        setattr(module, key, value)
    return module


@functools.cache
def declare_force(module: ModuleType) -> type[Force]:
    """Return the declaration of forces with these kernels, for a block: `ElementBlock(declare_force(module), (), coordinates,
    parameters)`."""
    members = {
        "name": module.__name__.rpartition(".")[2], "__doc__": "Forces of finite elements.", "attachments": {}, "implied": True,
        "kernels": module, "registries": classmethod(lambda cls: []),
    }  # fmt: skip
    # Elasticity marks the forces that relax before the start; weight has no stiffness.
    base: Any = Elasticity if module.POTENTIAL and len(module.TANGENT) else Force
    return type("FiniteElements", (base,), members)


@functools.cache
def element_module(material: type[Material], shape: ElementType, mean: bool = False) -> ModuleType:
    """Return the module of elastic forces of elements of a shape. mean: with the mean dilatation of each element
    (mean_dilatation_loops.py)."""
    n_par = load_kernel_module(material, DeformationBasis(shape.dimension)).N_PAR
    sizes = ElementSizes(shape.dimension, shape.nodes - 1, len(shape.rule), n_par)
    point = build_point_kernels(material, shape.dimension, mean)
    kernels = mean_dilatation_kernels(sizes, material.linear, point) if mean else elastic_kernels(sizes, point)
    name = f"{'mean_' if mean else ''}{material.name.replace('-', '_')}__{shape.name.lower()}"
    return force_module(name, kernels, sizes.n_dof, sizes.stride, potential=True)


@functools.cache
def damping_module(viscosity: type[Viscosity], shape: ElementType) -> ModuleType:
    """Return the module of viscous forces of elements of a shape."""
    n_par = load_kernel_module(viscosity, DeformationBasis(shape.dimension)).N_PAR
    sizes = ElementSizes(shape.dimension, shape.nodes - 1, len(shape.rule), n_par)
    kernels = viscous_kernels(sizes, viscosity.linear, build_viscous_point_kernels(viscosity, shape.dimension))
    name = f"{viscosity.name.replace('-', '_')}__{shape.name.lower()}"
    return force_module(name, kernels, sizes.n_dof, sizes.stride, symmetric=viscosity.linear, dissipates=True)


def lame_constants(material: type[Material], constants: Sequence[float]) -> tuple[float, float]:
    """Return lambda and mu, Pa, of a material at small strains, for any form of its energy."""
    out = [0.0] * 81
    build_point_kernels(material, 3, wrap=keep_in_python).tangent(1.0, [float(x) for x in constants], [0.0] * 9, out)
    return out[4], out[10]  # A_1122 and A_1212


def rest_stress(material: type[Material], constants: Sequence[float]) -> float:
    """Return P_11, Pa, without deformation: zero unless its energy has a slope there."""
    out = [0.0] * 9
    build_point_kernels(material, 3, wrap=keep_in_python).stress([float(x) for x in constants], [0.0] * 9, out)
    return out[0]


LOCKING_POISSONS_RATIO = 0.45
"""Poisson's ratio above which elements lock: docs/theory/solids.md."""


def needs_mean_dilatation(material: type[Material], constants: Sequence[float], shape: ElementType) -> bool:
    """Return True if a solid should use the mean dilatation of its elements."""
    return shape.kind.order == 2 and poissons_ratio(*lame_constants(material, constants)) > LOCKING_POISSONS_RATIO


def locking_warning(material: type[Material], constants: Sequence[float], shape: ElementType) -> str:
    """Return a warning about linear elements that are nearly incompressible, or an empty string."""
    nu = poissons_ratio(*lame_constants(material, constants))
    if shape.kind.order == 2 or nu <= LOCKING_POISSONS_RATIO:
        return ""
    better = "TET10" if shape.dimension == 3 else "T6"
    return f"{shape.name} with Poisson's ratio {nu:.4g} is far too stiff: take {better} (mesh.quadratic())"
