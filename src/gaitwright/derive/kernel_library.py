"""Generation of the kernels of the whole library into kernels/, and of those of user declarations into the user cache.

`python -m gaitwright.derive` regenerates them; `tests/derive/test_kernel_library.py` fails if a committed kernel is stale.
"""

from __future__ import annotations

import ast
import functools
import hashlib
import importlib
import importlib.util
import itertools
import math
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, NamedTuple

from gaitwright._core.errors import GaitwrightError
from gaitwright._core.output_files import save_text
from gaitwright.jit import PACKAGE_FOLDER, user_cache, writable_cache
from gaitwright.physics import load_all
from gaitwright.physics.attachments import BodyFrame, Place, Point
from gaitwright.physics.beams.section import BeamSectionCurvature
from gaitwright.physics.declarations import (
    LIBRARY_PREFIX,
    AttachedDeclaration,
    Constraint,
    ContactLaw,
    ContactPose,
    ContactShape,
    Coupling,
    Declaration,
    DistributedElasticity,
    Drive,
    Elasticity,
    Family,
    Force,
    Friction,
    Joint,
    MarkerConstraint,
    Rigidity,
    UnattachedDeclaration,
)
from gaitwright.physics.materials.base import Material
from gaitwright.physics.materials.viscous import Viscosity

if TYPE_CHECKING:  # SymPy is imported only for derivation
    from gaitwright.derive.kernel_form import DerivedKernels, KernelForm

KERNEL_FOLDER = PACKAGE_FOLDER / "kernels"
KIND_NAMES: dict[type[Declaration], str] = {
    MarkerConstraint: "body",
    Rigidity: "body",
    Joint: "joint",
    Coupling: "coupling",
    Drive: "drive",
    Elasticity: "beam",
    Force: "force",
    ContactPose: "contact",
    ContactShape: "surface",
    ContactLaw: "law",
    Friction: "friction",
    Material: "material",
    Viscosity: "material",
    BeamSectionCurvature: "beam",
}


class MarkerBasis(NamedTuple):
    """Basis: derive an element in marker variables, independent of the body family."""

    dimension: int


class PlacedBasis(NamedTuple):
    """Basis: derive the pose of two bodies in the variables of their markers, which are linear in the coordinates of both.
    axes: True if the touching marker has axes, False if it is a place that does not turn."""

    dimension: int
    axes: bool


class DeformationBasis(NamedTuple):
    """Basis: derive a material in the deformation of a point, in the plane or in space."""

    dimension: int


ABSTRACT_BASES = (MarkerBasis, PlacedBasis, DeformationBasis)
DerivationBasis = tuple[type[Family], ...] | MarkerBasis | PlacedBasis | DeformationBasis
"""Basis of a derivation: the coordinates of bodies of these families, the variables of markers, or a deformation."""


def choose_basis(declaration: type[Declaration], families: tuple[type[Family], ...]) -> DerivationBasis:
    """Choose the basis of an element. A kernel in the coordinates of the connected bodies is fastest, but elements between
    two bodies would need a kernel for every pair of families. So only very common pairs are fused, and all others use
    markers; so do elements on a single place that is linear in coordinates, where a fused kernel has no advantage."""
    if issubclass(declaration, (ContactShape, Friction)) and families:
        return MarkerBasis(families[0].dimension)
    linear = all(family.components is not Family.components for family in families)
    if issubclass(declaration, ContactPose):
        axes = Point in families[1].markers and not declaration.linear
        return PlacedBasis(families[0].dimension, axes) if linear else families
    if not families or not issubclass(declaration, AttachedDeclaration):
        return families
    of_places = all(type(kind) is Place for kind in declaration.attachments.values())
    if len(families) == 1 and families[0].alone and not (of_places and linear):
        return families
    fused = declaration.fused and all(family.fused for family in families)
    return families if fused else MarkerBasis(families[0].dimension)


def kernel_name(declaration: type[Declaration], basis: DerivationBasis) -> str:
    """Name of the kernel module: kind, element and the families it connects, as in joint_revolute__planar_planar, or the
    dimension of its markers, as in joint_revolute__3d."""
    kind = next(name for base, name in KIND_NAMES.items() if issubclass(declaration, base))
    families = [f"{basis.dimension}d"] if isinstance(basis, ABSTRACT_BASES) else [family.name for family in basis]
    families += ["place"] if isinstance(basis, PlacedBasis) and not basis.axes else []
    connected = "__" + "_".join(families) if families else ""
    return f"{kind}_{declaration.name.replace('-', '_')}{connected}"


def derive_kernels(declaration: type[Declaration], basis: DerivationBasis) -> DerivedKernels:
    """Derive the kernels of a declaration."""
    from sympy.core.cache import clear_cache

    from gaitwright.derive.beam import derive_beam
    from gaitwright.derive.beam_section import derive_section
    from gaitwright.derive.constraint import derive_constraint
    from gaitwright.derive.contact import derive_friction, derive_law, derive_pose, derive_shape
    from gaitwright.derive.force import derive_force
    from gaitwright.derive.material import derive_material, derive_viscosity

    derivers: dict[type[Declaration], Callable[..., DerivedKernels]] = {
        Constraint: derive_constraint, DistributedElasticity: derive_beam, Force: derive_force,
        ContactPose: derive_pose, ContactShape: derive_shape, ContactLaw: derive_law, Friction: derive_friction,
        Material: derive_material, Viscosity: derive_viscosity, BeamSectionCurvature: derive_section,
    }  # fmt: skip
    deriver = next((deriver for base, deriver in derivers.items() if issubclass(declaration, base)), None)
    if deriver is None:
        raise TypeError(f"{declaration!r} is none of {', '.join(KIND_NAMES.values())}")
    # Symbols carry attributes; from its cache SymPy would return those of the last declaration with the same names.
    clear_cache()
    return deriver(declaration, *([basis] if basis else []))


def derive_source(declaration: type[Declaration], basis: DerivationBasis) -> str:
    """Return the kernel module of a declaration as text."""
    derived = derive_kernels(declaration, basis)
    return _module_text(declaration, derived.head, derived.forms)


def derive_parameter_source(declaration: type[Declaration], basis: DerivationBasis) -> str:
    """Return the module with the derivatives of a declaration's kernels in its parameters, as text."""
    derived = derive_kernels(declaration, basis)
    names = ", ".join(repr(symbol.name) for symbol in derived.parameters)
    return _module_text(declaration, [f"PARAMETERS = ({names}{',' * bool(names)})"], derived.by_parameters())


def _module_text(declaration: type[Declaration], head: list[str], forms: Sequence[KernelForm]) -> str:
    from gaitwright.derive.numba_printer import print_form

    text = "\n".join([*head, *(line for form in forms for line in ("", *print_form(form)))])
    functions = sorted({name for name in re.findall(r"\b(\w+)\(", text) if callable(getattr(math, name, None))})
    header = f'"""Printed by gaitwright.derive from {declaration.__module__}. Do not edit."""\n\n'
    imports = f"from math import {', '.join(functions)}\n\n" if functions else ""
    return f"{header}{imports}{text}\n"


def library_kernels() -> Iterator[tuple[type[Declaration], DerivationBasis]]:
    """Iterate over every declaration of the library with every basis that it is derived on."""
    yield from dict.fromkeys(
        (declaration, basis)
        for declaration, families in library_connections()
        for basis in _place_variants(choose_basis(declaration, families))
    )
    for material in (*declarations_of_kind(Material), *declarations_of_kind(Viscosity)):
        if material.__module__.startswith(LIBRARY_PREFIX) and not material.stands_for_others:
            yield from ((material, DeformationBasis(dimension)) for dimension in (2, 3))


def _place_variants(basis: DerivationBasis) -> tuple[DerivationBasis, ...]:
    """Return the basis, and for a pose also the variant for places without axes: user families need it, too."""
    return tuple(dict.fromkeys((basis, basis._replace(axes=False)))) if isinstance(basis, PlacedBasis) else (basis,)


def library_connections() -> Iterator[tuple[type[Declaration], tuple[type[Family], ...]]]:
    """Iterate over every declaration of the library with every combination of body families that has the required
    attachments."""
    load_all()
    library_families = [family for family in Family.registry.values() if family.__module__.startswith(LIBRARY_PREFIX)]
    for kind in (kind for kind in KIND_NAMES if kind not in (Material, Viscosity)):
        for declaration in declarations_of_kind(kind):
            if not declaration.__module__.startswith(LIBRARY_PREFIX) or declaration.stands_for_others:
                continue
            if issubclass(declaration, UnattachedDeclaration):
                if not issubclass(declaration, ContactShape):
                    yield declaration, ()
                # a surface in each of its dimensions; friction with vectors in space, since in the plane it is a number
                dimensions = getattr(declaration, "dimensions", (3,) if issubclass(declaration, Friction) else ())
                carriers = (
                    family
                    for family in library_families
                    if BodyFrame in family.markers and family.dimension in dimensions
                )
                yield from ((declaration, (family,)) for family in carriers)
                continue
            assert issubclass(declaration, AttachedDeclaration)
            kinds = [type(kind) for kind in declaration.attachments.values()]
            for dimension in declaration.dimensions:
                families = [family for family in library_families if family.dimension == dimension]
                for connected in itertools.product(families, repeat=len(kinds)):
                    if all(
                        _has_attachment(family, kind, declaration)
                        for kind, family in zip(kinds, connected, strict=True)
                    ):
                        yield declaration, connected


def _has_attachment(family: type[Family], kind: Any, declaration: type[Declaration]) -> bool:
    """True if a marker of a family fits an attachment; contacts also accept markers without axes."""
    return kind in family.markers or (
        issubclass(declaration, ContactPose) and kind is Point and Place in family.markers
    )


def declarations_of_kind(kind: Any) -> list[type[Declaration]]:
    """Return all declarations of a kind, each once. Laws are sorted, so that the order does not depend on the imports of a
    user."""
    if issubclass(kind, UnattachedDeclaration):
        return sorted(dict.fromkeys(kind.registry.values()), key=lambda declaration: declaration.__module__)
    return list(dict.fromkeys(declaration for registry in kind.registry.values() for declaration in registry.values()))


def print_kernels() -> list[Path]:
    """Bring the kernels of the library up to date and return the files that changed. Files without a declaration are removed.
    A kernel is derived again only if the code that determines it has changed since it was last derived on this machine."""
    current, changed = {KERNEL_FOLDER / "__init__.py"}, []
    for declaration, basis in library_kernels():
        path = KERNEL_FOLDER / f"{kernel_name(declaration, basis)}.py"
        current.add(path)
        source = _cached_source(declaration, basis)
        if not path.exists() or path.read_text("utf-8") != source:
            save_text(path, source)
            changed.append(path)
    for path in set(KERNEL_FOLDER.glob("*.py")) - current:
        path.unlink()
        changed.append(path)
    return changed


def _cached_source(declaration: type[Declaration], basis: DerivationBasis) -> str:
    """Source of a kernel of the library, from the user cache where it was derived before by the same code."""
    families = () if isinstance(basis, ABSTRACT_BASES) else basis
    modules = {
        __name__,
        "gaitwright.derive.beam_functions",
        *(declared.__module__ for declared in (declaration, *families)),
    }
    name = kernel_name(declaration, basis)
    code = b"".join(_module_source(module) for module in sorted(set().union(*map(_imported_modules, modules))))
    path = writable_cache() / "kernels" / f"{name}_{hashlib.sha256(code).hexdigest()[:16]}.py"
    if not path.exists():
        save_text(path, derive_source(declaration, basis))
    return path.read_text("utf-8")


@functools.cache
def _imported_modules(module: str) -> frozenset[str]:
    """Modules of the library that determine a module: itself, and those that it imports, directly or indirectly."""
    modules: set[str] = set()
    pending = [module]
    while pending:
        name = pending.pop()
        if name in modules or not (source := _module_source(name)):
            continue
        modules.add(name)
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("gaitwright."):
                pending += [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
    return frozenset(modules)


@functools.cache
def _module_source(module: str) -> bytes:
    """Source of a module of the library; empty if there is no such module."""
    path = PACKAGE_FOLDER.parent.joinpath(*module.split("."))
    files = (path.with_suffix(".py"), path / "__init__.py")
    return next((file.read_bytes() for file in files if file.exists()), b"")


@functools.cache
def _derivation_digest() -> str:
    """Digest of the code that derives kernels; it changes if kernels may change. Deriving takes seconds; with the digest as
    cache key, a spring given by an expression is derived once and not in every process."""
    files = sorted(
        [
            *(PACKAGE_FOLDER / "derive").glob("*.py"),
            *(PACKAGE_FOLDER / "physics").rglob("*.py"),
            PACKAGE_FOLDER / "model/formulas.py",
        ]
    )
    return hashlib.sha256(b"".join(path.read_bytes() for path in files)).hexdigest()


@functools.cache
def kernel_module(declaration: type[Declaration], families: tuple[type[Family], ...]) -> ModuleType:
    """Return the kernels of a declaration on bodies of the given families: committed for the library, derived on first use
    for user declarations and families; a declaration may also provide its own kernels."""
    return declaration.kernels or load_kernel_module(declaration, choose_basis(declaration, families))


def _is_committed(declaration: type[Declaration], basis: DerivationBasis) -> bool:
    """True if all sources of a kernel belong to the library."""
    families = () if isinstance(basis, ABSTRACT_BASES) else basis
    listed = all(family.registry.get(family.name) is family for family in families)
    return listed and all(declared.__module__.startswith(LIBRARY_PREFIX) for declared in (declaration, *families))


@functools.cache
def load_kernel_module(declaration: type[Declaration], basis: DerivationBasis) -> ModuleType:
    """Kernel module of a declaration in a basis, derived on first use."""
    name = kernel_name(declaration, basis)
    if _is_committed(declaration, basis):
        module = f"gaitwright.kernels.{name}"
        try:
            return importlib.import_module(module)
        except ModuleNotFoundError as error:
            if error.name != module:
                raise
            raise GaitwrightError(
                f"the declaration {declaration.name} of the library has no generated kernel {name}: run make kernels"
            ) from None
    source = None if declaration.formula else derive_source(declaration, basis)
    return _cached_module(
        name,
        source or f"{declaration.formula} {_derivation_digest()}",
        lambda: source or derive_source(declaration, basis),
    )


@functools.cache
def parameter_module(declaration: type[Declaration], families: tuple[type[Family], ...]) -> ModuleType:
    """Return the derivatives of the kernels of a declaration in its parameters, derived on first use: for gradients of
    designs. PARAMETERS are their names, and `position_by_parameters(count, ..., out)` writes the derivatives of all outputs
    of `position`: for every output, in the order of writing, one number per parameter."""
    basis = choose_basis(declaration, families)
    name = f"{kernel_name(declaration, basis)}_by_parameters"
    own = not _is_committed(declaration, basis) and not declaration.formula
    source = derive_parameter_source(declaration, basis) if own else None
    origin = source or f"{declaration.formula} {_derivation_digest()}"
    return _cached_module(name, origin, lambda: source or derive_parameter_source(declaration, basis))


def _cached_module(name: str, origin: str, source: Callable[[], str]) -> ModuleType:
    """Load a module from the user cache, or create it. origin: text that determines its source."""
    path = user_cache() / "elements" / f"{name}_{hashlib.sha256(origin.encode()).hexdigest()[:16]}.py"
    if not path.exists():
        path = writable_cache() / "elements" / path.name
        save_text(path, source())
    spec = importlib.util.spec_from_file_location(f"gaitwright_own_{path.stem}", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    # Numba imports the module by its name when it loads machine code from the cache.
    sys.modules[module.__name__] = module
    spec.loader.exec_module(module)
    return module
