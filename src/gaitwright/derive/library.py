"""Prints the kernels of the whole library into kernels/, and those of a user's own declarations into the user cache.

`python -m gaitwright.derive` reprints; `tests/derive/test_library.py` fails when a committed kernel is stale.
"""

from __future__ import annotations

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

from gaitwright.compiled import PACKAGE, user_cache, writable_cache
from gaitwright.physics import load_all
from gaitwright.physics.beams.section import Section
from gaitwright.physics.declare import (
    LIBRARY,
    Attached,
    Chosen,
    Constraint,
    ContactLaw,
    Coupling,
    Declaration,
    Distributed,
    Drive,
    Elasticity,
    Family,
    Force,
    Frame,
    Friction,
    Joint,
    Marking,
    Place,
    Point,
    Pose,
    Rigidity,
    Shape,
)
from gaitwright.physics.materials.base import Material
from gaitwright.physics.materials.viscous import Viscosity
from gaitwright.saving import save_text

if TYPE_CHECKING:  # SymPy is imported only where something is derived
    from gaitwright.derive.form import Derived, Form

KERNELS = PACKAGE / "kernels"
KINDS: dict[type[Declaration], str] = {
    Marking: "body", Rigidity: "body", Joint: "joint", Coupling: "coupling", Drive: "drive", Elasticity: "beam", Force: "force",
    Pose: "contact", Shape: "surface", ContactLaw: "law", Friction: "friction",
    Material: "material", Viscosity: "material", Section: "beam",
}  # fmt: skip


class Markers(NamedTuple):
    """In place of families: an element is derived in the variables of markers, whatever bodies they are of."""

    dimension: int


class Placed(NamedTuple):
    """In place of families: the pose of two bodies is derived in the variables of their markers, which are linear in the
    coordinates of both. axes: whether what touches has axes, or is a place that does not turn."""

    dimension: int
    axes: bool


class Solid(NamedTuple):
    """In place of families: a material is derived in the deformation of a point, in the plane or in space."""

    dimension: int


ABSTRACT = (Markers, Placed, Solid)
Basis = tuple[type[Family], ...] | Markers | Placed | Solid
"""What a declaration is derived on: the coordinates of bodies of these families, the variables of markers, or a deformation."""


def basis_of(declaration: type[Declaration], families: tuple[type[Family], ...]) -> Basis:
    """On its own body's coordinates an element is fastest; but one between two bodies would have a kernel for every pair of
    families. So only pairs that are very common are fused, and everything else goes through markers; so does what acts on one
    place that is linear in coordinates, where there is nothing to gain."""
    if issubclass(declaration, (Shape, Friction)) and families:
        return Markers(families[0].dimension)
    linear = all(family.components is not Family.components for family in families)
    if issubclass(declaration, Pose):
        axes = Point in families[1].markers and not declaration.linear
        return Placed(families[0].dimension, axes) if linear else families
    if not families or not issubclass(declaration, Attached):
        return families
    of_places = all(type(kind) is Place for kind in declaration.attachments.values())
    if len(families) == 1 and families[0].alone and not (of_places and linear):
        return families
    fused = declaration.fused and all(family.fused for family in families)
    return families if fused else Markers(families[0].dimension)


def kernel_name(declaration: type[Declaration], basis: Basis) -> str:
    """Name of the kernel module: kind, element and the families it connects, as in joint_revolute__planar_planar, or the
    dimension of its markers, as in joint_revolute__3d."""
    kind = next(name for base, name in KINDS.items() if issubclass(declaration, base))
    families = [f"{basis.dimension}d"] if isinstance(basis, ABSTRACT) else [family.name for family in basis]
    families += ["place"] if isinstance(basis, Placed) and not basis.axes else []
    connected = "__" + "_".join(families) if families else ""
    return f"{kind}_{declaration.name.replace('-', '_')}{connected}"


def derive(declaration: type[Declaration], basis: Basis) -> Derived:
    """The kernels of a declaration."""
    from sympy.core.cache import clear_cache

    from gaitwright.derive.beam import derive_beam
    from gaitwright.derive.constraint import derive_constraint
    from gaitwright.derive.contact import derive_friction, derive_law, derive_pose, derive_shape
    from gaitwright.derive.force import derive_force
    from gaitwright.derive.section import derive_section
    from gaitwright.derive.solid import derive_material
    from gaitwright.derive.viscous import derive_viscosity

    derivers: dict[type[Declaration], Callable[..., Derived]] = {
        Constraint: derive_constraint, Distributed: derive_beam, Force: derive_force,
        Pose: derive_pose, Shape: derive_shape, ContactLaw: derive_law, Friction: derive_friction,
        Material: derive_material, Viscosity: derive_viscosity, Section: derive_section,
    }  # fmt: skip
    deriver = next((deriver for base, deriver in derivers.items() if issubclass(declaration, base)), None)
    if deriver is None:
        raise TypeError(f"{declaration!r} is none of {', '.join(KINDS.values())}")
    # Symbols carry what they stand for; SymPy would hand out those of the last declaration that had the same names.
    clear_cache()
    return deriver(declaration, *([basis] if basis else []))


def derive_source(declaration: type[Declaration], basis: Basis) -> str:
    """The kernel module of a declaration as text."""
    derived = derive(declaration, basis)
    return _module(declaration, derived.head, derived.forms)


def parameter_source(declaration: type[Declaration], basis: Basis) -> str:
    """The module with the derivatives of a declaration's kernels in its parameters, as text."""
    derived = derive(declaration, basis)
    names = ", ".join(repr(symbol.name) for symbol in derived.parameters)
    return _module(declaration, [f"PARAMETERS = ({names}{',' * bool(names)})"], derived.by_parameters())


def _module(declaration: type[Declaration], head: list[str], forms: Sequence[Form]) -> str:
    from gaitwright.derive.printing import numba_lines

    text = "\n".join([*head, *(line for form in forms for line in ("", *numba_lines(form)))])
    functions = sorted({name for name in re.findall(r"\b(\w+)\(", text) if callable(getattr(math, name, None))})
    header = f'"""Printed by gaitwright.derive from {declaration.__module__}. Do not edit."""\n\n'
    imports = f"from math import {', '.join(functions)}\n\n" if functions else ""
    return f"{header}{imports}{text}\n"


def library() -> Iterator[tuple[type[Declaration], Basis]]:
    """Every declaration of the library on everything that it is derived on."""
    yield from dict.fromkeys(
        (declaration, basis)
        for declaration, families in connections()
        for basis in _with_places(basis_of(declaration, families))
    )
    for material in (*declared(Material), *declared(Viscosity)):
        if material.__module__.startswith(LIBRARY) and not material.stands_for_others:
            yield from ((material, Solid(dimension)) for dimension in (2, 3))


def _with_places(basis: Basis) -> tuple[Basis, ...]:
    """The basis, and of a pose also that of what has places, but no axes: a user's families need it, too."""
    return tuple(dict.fromkeys((basis, basis._replace(axes=False)))) if isinstance(basis, Placed) else (basis,)


def connections() -> Iterator[tuple[type[Declaration], tuple[type[Family], ...]]]:
    """Every declaration of the library on every combination of body families that has the attachments it needs."""
    load_all()
    known = [family for family in Family.registry.values() if family.__module__.startswith(LIBRARY)]
    for kind in (kind for kind in KINDS if kind not in (Material, Viscosity)):
        for declaration in declared(kind):
            if not declaration.__module__.startswith(LIBRARY) or declaration.stands_for_others:
                continue
            if issubclass(declaration, Chosen):
                if not issubclass(declaration, Shape):
                    yield declaration, ()
                # a surface in each of its dimensions; friction with vectors, which in the plane is a number
                dimensions = getattr(declaration, "dimensions", (3,) if issubclass(declaration, Friction) else ())
                carriers = (family for family in known if Frame in family.markers and family.dimension in dimensions)
                yield from ((declaration, (family,)) for family in carriers)
                continue
            assert issubclass(declaration, Attached)
            kinds = [type(kind) for kind in declaration.attachments.values()]
            for dimension in declaration.dimensions:
                families = [family for family in known if family.dimension == dimension]
                for connected in itertools.product(families, repeat=len(kinds)):
                    if all(_offers(family, kind, declaration) for kind, family in zip(kinds, connected, strict=True)):
                        yield declaration, connected


def _offers(family: type[Family], kind: Any, declaration: type[Declaration]) -> bool:
    """Whether a marker of a family can be an attachment; a contact touches also with what has no axes."""
    return kind in family.markers or (issubclass(declaration, Pose) and kind is Point and Place in family.markers)


def declared(kind: Any) -> list[type[Declaration]]:
    """All declarations of a kind, each once. Laws come in one order, whichever of them a user imported first."""
    if issubclass(kind, Chosen):
        return sorted(dict.fromkeys(kind.registry.values()), key=lambda declaration: declaration.__module__)
    return list(dict.fromkeys(declaration for registry in kind.registry.values() for declaration in registry.values()))


def print_all() -> list[Path]:
    """Print all kernels; files that no declaration asks for any more are removed."""
    written = []
    for declaration, basis in library():
        path = KERNELS / f"{kernel_name(declaration, basis)}.py"
        save_text(path, derive_source(declaration, basis))
        written.append(path)
    for path in KERNELS.glob("*.py"):
        if path not in written and path.name != "__init__.py":
            path.unlink()
    return written


@functools.cache
def _derivation() -> str:
    """Changes when kernels may come out differently: a digest of what derives them. Deriving takes seconds, so that a spring
    by an expression is derived once and not in every process."""
    files = sorted(
        [*(PACKAGE / "derive").glob("*.py"), *(PACKAGE / "physics").rglob("*.py"), PACKAGE / "model/formulas.py"]
    )
    return hashlib.sha256(b"".join(path.read_bytes() for path in files)).hexdigest()


@functools.cache
def kernel_module(declaration: type[Declaration], families: tuple[type[Family], ...]) -> ModuleType:
    """The kernels of a declaration on bodies of the given families: committed for the library, derived on first use for a
    user's own declarations and families; a declaration may also bring its kernels itself."""
    return declaration.kernels or module_on(declaration, basis_of(declaration, families))


def _committed(declaration: type[Declaration], basis: Basis) -> bool:
    """Whether all that a kernel is derived of is the library's."""
    families = () if isinstance(basis, ABSTRACT) else basis
    listed = all(family.registry.get(family.name) is family for family in families)
    return listed and all(thing.__module__.startswith(LIBRARY) for thing in (declaration, *families))


@functools.cache
def module_on(declaration: type[Declaration], basis: Basis) -> ModuleType:
    name = kernel_name(declaration, basis)
    if _committed(declaration, basis):
        return importlib.import_module(f"gaitwright.kernels.{name}")
    source = None if declaration.formula else derive_source(declaration, basis)
    return _kept(
        name, source or f"{declaration.formula} {_derivation()}", lambda: source or derive_source(declaration, basis)
    )


@functools.cache
def parameter_module(declaration: type[Declaration], families: tuple[type[Family], ...]) -> ModuleType:
    """Derivatives of the kernels of a declaration in its parameters, derived on first use: for gradients of designs. PARAMETERS
    are their names, and `position_by_parameters(count, ..., out)` writes those of all that `position` writes: for every
    output, in the order in which it is written, one number per parameter."""
    basis = basis_of(declaration, families)
    name = f"{kernel_name(declaration, basis)}_by_parameters"
    own = not _committed(declaration, basis) and not declaration.formula
    source = parameter_source(declaration, basis) if own else None
    known = source or f"{declaration.formula} {_derivation()}"
    return _kept(name, known, lambda: source or parameter_source(declaration, basis))


def _kept(name: str, known: str, source: Callable[[], str]) -> ModuleType:
    """A module in the user cache. known: what its text depends on."""
    path = user_cache() / "elements" / f"{name}_{hashlib.sha256(known.encode()).hexdigest()[:16]}.py"
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
