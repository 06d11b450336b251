"""Completeness of all declarations of the library, and the symbolic functions for them."""

import importlib
import inspect
import pkgutil
from typing import Any

import numpy as np
import pytest
import sympy as sp

import gaitwright.physics as physics
from gaitwright.derive.kernel_library import library_kernels
from gaitwright.derive.symbols import QuantitySymbol
from gaitwright.physics.attachments import Point
from gaitwright.physics.beams.section import BeamSectionCurvature
from gaitwright.physics.bodies.planar import PlanarRigidBody
from gaitwright.physics.declarations import (
    Constraint,
    ContactLaw,
    ContactPose,
    ContactShape,
    Coupling,
    Drive,
    Elasticity,
    Force,
    Friction,
    Joint,
    MarkerConstraint,
    Number,
    Rigidity,
    UnattachedDeclaration,
)
from gaitwright.physics.materials.base import Material
from gaitwright.physics.materials.viscous import Viscosity
from gaitwright.physics.parameters import DRAWN, Choice, Direction, Signal
from gaitwright.physics.symbolic import (
    atan2,
    clip,
    direction,
    dot,
    exp,
    larger,
    log,
    magnitude,
    minus,
    norm,
    perpendicular,
    rate,
    rotate,
    smaller,
    tanh,
)

KINDS: dict[str, tuple[type[Any], str]] = {
    "bodies": (Rigidity, ""),
    "joints": (Joint, "revolute fixed prismatic slot distance gear rack"),
    "drives": (Drive, "rotation relative-rotation distance position"),
    "forces": (Force, "gravity force torque moment distributed-force spring-damper torsion-spring bumper"),
    "beams": (Elasticity, "takahashi continuum continuum-reduced kelvin-voigt"),
    "contact_geometry": (ContactPose, "pose"),
    "contact_laws": (
        ContactLaw,
        "hertz kelvin-voigt hunt-crossley lankarani-nikravesh flores herbert-mcwhannell lee-wang gonthier hu-guo "
        "zhang-sharf",
    ),
    "friction": (Friction, "coulomb smooth-coulomb stribeck bristle"),
    "materials": (
        Material,
        "linear-elastic st-venant-kirchhoff neo-hookean neo-hookean-split fung mooney-rivlin ogden own",
    ),
}
"""Folder, kind, and the names in the model file of DESIGN section 4 and issues 2 to 4."""
BESIDES: dict[str, tuple[Any, ...]] = {
    "contact_geometry": (ContactShape,),
    "joints": (Coupling,),
    "materials": (Viscosity,),
    "beams": (BeamSectionCurvature,),
}
"""Folder, and other kinds in it."""
HELPERS = {
    "bodies.surface_parameter",
    "bodies.beam", "bodies.counter", "bodies.marker", "bodies.interpolated_point", "bodies.place_marker", "bodies.planar",
    "bodies.spatial",
    "contact_laws.base", "friction.checks", "beams.quadrature", "drives.displacement",
    "forces.nonlinear_spring", "forces.area_loads", "joints.point_on_curve",
    "materials.base", "materials.deformation", "materials.mean_dilatation", "materials.own",
}  # fmt: skip
"""Modules that several declarations share and that register none."""
DECLARATIONS = {
    f"{folder} {d.name}" + (" in space" if getattr(d, "dimensions", (2,)) == (3,) else ""): d
    for folder, (k, _) in KINDS.items()
    for d, _ in library_kernels()
    if issubclass(d, (k, *BESIDES.get(folder, ())))
}
PLANAR = [name for name, d in DECLARATIONS.items() if 2 in getattr(d, "dimensions", (2,))]
table = pytest.mark.parametrize("which", DECLARATIONS)
UNITS = {"1", "m", "rad", "N", "N m", "kg", "m/s^2", "N/m", "N s/m", "N m/rad", "N m s/rad", "s/rad", "m/s"}
UNITS |= {"1/m", "N m^2", "N s", "N m^2 s"}
UNITS |= {"rad/s"}
UNITS |= {"Pa", "Pa s", "s", "s/m", "N/m^n", "N/m^1.5", "N s/m^1.25", "Pa/m", "Pa/m^2"}
"""The last lines: of beams, and of materials and contact laws, n being their exponent."""


SPACE = {
    Joint: "spherical revolute universal cylindrical prismatic planar fixed distance point-on-line point-on-plane "
    "gear rack",
    Coupling: "hinge-travel slider-travel",
    Drive: "rotation translation position orientation frame distance",
    Force: "gravity force torque joint-torque spring-damper torsion-spring bumper bushing",
    Rigidity: "orthonormal",
}
"""Names in issues 6 and 12."""


def test_all_specified_declarations_exist():
    for kind, names in KINDS.values():
        assert set(names.split()) <= set(kind.registry if issubclass(kind, UnattachedDeclaration) else kind.registry[2])
    for kind, names in SPACE.items():
        assert set(names.split()) <= set(kind.registry[3])
    assert set(ContactShape.registry) == {
        "plane", "sphere", "height-field", "face", "corner", "notch", "mesh", "approximate-mesh",
    }  # fmt: skip


def test_the_table_has_every_kind():
    """Except markers, which are no elements."""
    elements = {declaration for declaration, _ in library_kernels() if not issubclass(declaration, MarkerConstraint)}
    assert set(DECLARATIONS.values()) == elements


@table
def test_declaration_is_complete(which):
    declaration = DECLARATIONS[which]
    assert all(registry[declaration.name] is declaration for registry in declaration.registries())
    assert len(inspect.getdoc(declaration)) > 20
    assert bool(declaration.attachments) != issubclass(declaration, UnattachedDeclaration)
    for parameter in declaration.parameters.values():
        assert parameter.unit in UNITS and parameter.doc
    for unit, residual_unit in getattr(declaration, "rows", {}).values():
        # a reaction does work on the residual: N with m, N m with rad; one without a separate name has no unit
        assert (unit, residual_unit) in {("N", "m"), ("N m", "rad"), ("", "m"), ("", "1")}
    for unit, text in getattr(declaration, "observed", {}).values():
        assert unit in UNITS and text


@table
def test_only_drives_and_loads_have_functions_of_time(which):
    declaration = DECLARATIONS[which]
    signals = any(isinstance(parameter, Signal) for parameter in declaration.parameters.values())
    assert signals or not issubclass(declaration, Drive)
    assert not (signals and issubclass(declaration, (Joint, UnattachedDeclaration)))


@pytest.mark.parametrize("which", [name for name, d in DECLARATIONS.items() if issubclass(d, ContactPose)])
def test_a_pose_is_that_of_b_on_a(which):
    """A moving surface moves as a whole: its parameter is a vector in the ground frame."""
    declaration = DECLARATIONS[which]
    assert list(declaration.attachments) == ["a", "b"]
    for name, parameter in declaration.parameters.items():
        if isinstance(parameter, Signal):
            assert (name, parameter.unit, parameter.vector) == ("displacement", "m", True)


def test_one_declaration_kind_per_module():
    """Every module of the library registers something of its folder's kind, except helpers, and is short."""
    for folder, (kind, _) in KINDS.items():
        package = importlib.import_module(f"{physics.__name__}.{folder}")
        for module in pkgutil.iter_modules(package.__path__):
            source = importlib.import_module(f"{package.__name__}.{module.name}")
            mine = [d for d in DECLARATIONS.values() if d.__module__ == source.__name__]
            assert bool(mine) != (f"{folder}.{module.name}" in HELPERS)
            assert all(issubclass(d, (kind, *BESIDES.get(folder, ()))) for d in mine)
            assert len(inspect.getsource(source).splitlines()) <= 150


def numeric_markers(declaration, rng):
    markers = {}
    for name, kind in declaration.attachments.items():
        build = PlanarRigidBody.markers[type(kind)]
        coordinates = [float(x) for x in rng.uniform(-2, 2, len(build.coordinates) + len(build.parameters))]
        markers[name] = build.build(*coordinates)
    return markers


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(
    "which",
    [
        name
        for name, d in DECLARATIONS.items()
        if any(p.default is DRAWN for p in d.parameters.values())
        and name in PLANAR
        and all(type(kind) in PlanarRigidBody.markers for kind in d.attachments.values())
    ],
)
def test_a_drawn_parameter_fits_the_drawing(which, seed):
    """With what `drawn` measures, the rows that contain it are closed and a force rests."""
    declaration, rng = DECLARATIONS[which], np.random.default_rng(seed)
    markers = numeric_markers(declaration, rng)
    given = {}
    for name, parameter in declaration.parameters.items():
        if parameter.default is DRAWN:
            given[name] = sp.Symbol(name)
        else:
            given[name] = (0.6, 0.8) if isinstance(parameter, Direction) else 0.7
    known = {**markers, **given}
    wants = inspect.signature(declaration.drawn).parameters
    measured = declaration.drawn(**{key: known[key] for key in wants})
    assert set(measured) == {name for name, p in declaration.parameters.items() if p.default is DRAWN}
    if issubclass(declaration, Constraint):
        values = [sp.sympify(value) for value in declaration.residual(**known)]
        values = [value for value in values if value.free_symbols]
        assert values
    else:
        values = [declaration.effect(**{**known, **{n: 0.0 for n in ("damping",) if n in known}}).potential]
    for value in values:
        assert abs(float(value.subs(measured))) < 1e-14


def test_choices_and_defaults():
    for declaration in DECLARATIONS.values():
        for parameter in declaration.parameters.values():
            if isinstance(parameter, Choice):
                assert parameter.default in parameter.options
            if isinstance(parameter, Number) and isinstance(parameter.default, float) and parameter.minimum is not None:
                assert parameter.default >= parameter.minimum


def test_a_point_of_a_planar_body():
    """r = (x, y) + A(theta) s, paper 003 Eq 2.1."""
    marker = PlanarRigidBody.markers[Point].build(1.0, 2.0, np.pi / 2, 0.3, 0.1)
    assert [float(c) for c in marker.position] == pytest.approx([1.0 - 0.1, 2.0 + 0.3])
    assert [float(c) for c in marker.direction((1.0, 0.0))] == pytest.approx([0.0, 1.0])


def test_vectors():
    assert minus((3, 5), (1, 1)) == (2, 4) and dot((1, 2), (3, 4)) == 11 and norm((3, 4)) == 5
    assert perpendicular((1, 0)) == (0, 1)
    assert [float(c) for c in rotate((1.0, 0.0), np.pi / 6)] == pytest.approx([np.sqrt(3) / 2, 0.5])
    assert [clip(value) for value in (-1, 0, 2)] == [0, 0, 2]


def test_scalars():
    assert (smaller(2, 3), larger(2, 3), magnitude(-4)) == (2, 3, 4)
    assert [direction(value) for value in (-0.3, 0, 5)] == [-1, 0, 1]
    assert float(atan2(1, -1)) == pytest.approx(3 * np.pi / 4)
    assert float(log(exp(0.7))) == pytest.approx(0.7) and float(tanh(0.3)) == pytest.approx(np.tanh(0.3))


def test_rate_is_the_total_derivative():
    a = QuantitySymbol("a", "")
    v = QuantitySymbol("v", "", a)
    q = QuantitySymbol("q", "", v)
    k = QuantitySymbol("k", "")
    assert rate(k * q**2) == 2 * k * q * v
    assert sp.expand(rate(rate(k * q**2)) - (2 * k * v**2 + 2 * k * q * a)) == 0
    assert rate(k**2) == 0
