"""Declarations of physical elements: attachments, parameters and expression.

A declaration is a class. Its name, fields (attachments.py, parameters.py) and units serve the model file, the Python API and
the documentation; its expression serves `derive/`. Defining a subclass registers it, in the library as in a user's script.
Convention for all declarations with two attachments: `a` is the reference, `b` moves. Every length, angle, torque and
reaction is that of b relative to a, and a reaction is the force of the joint on b.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import ModuleType
from typing import Any, ClassVar, NamedTuple

from gaitwright._core.error_context import ErrorContext
from gaitwright.physics.attachments import Attachment, ElementSpan
from gaitwright.physics.body_family import Family, LinearExpression, MarkerKind  # noqa: F401
from gaitwright.physics.parameters import ELEMENT_LENGTH, Number, Parameter

LIBRARY_PREFIX = __name__.rpartition(".")[0] + "."
"""Prefix of the modules with declarations of the library."""


class Effect(NamedTuple):
    """Effect of a force: Q = -dV/dq - dR/dq' + sum (dr/dq)^T F.

    potential: V(q, t), J. dissipation: Rayleigh's function R(q, q'), W/2. loads: pairs (F, r) of a force and the
    displacement on which it does work; dissipative: True if the work of the loads is lost (friction), False if it is supplied
    (a load).
    """

    potential: Any = 0
    dissipation: Any = 0
    loads: tuple[tuple[Any, Any], ...] = ()
    dissipative: bool = False


class Declaration:
    """Base class of all declarations that `derive/` converts to kernels."""

    name: ClassVar[str]
    attachments: ClassVar[dict[str, Attachment]]
    parameters: ClassVar[Mapping[str, Parameter]] = {}
    drawn_as: ClassVar[str] = ""
    """Symbol in pictures: pin, ball, guide, rod, actuator, gear, rack, spring, spiral, load; none unless given."""
    aliases: ClassVar[dict[str, str]] = {}
    """Other spellings of fields accepted in a model file."""
    short_forms: ClassVar[dict[str, Parameter]] = {}
    """Fields that only `expand` uses, which converts them to the parameters."""
    stands_for_others: ClassVar[bool] = False
    """True if it is always expanded into other declarations, so that it has no expression."""

    kernels: ClassVar[ModuleType | None] = None
    """Kernel module of declarations that are not derived in coordinates: finite elements of solids, fem/kernel_modules.py."""

    formula: ClassVar[tuple[Any, ...] | None] = None
    """Source of a declaration that was generated from an expression; equal sources share kernels."""

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if "name" not in cls.__dict__:
            return
        for registry in cls.registries():
            other = registry.get(cls.name)
            foreign = other is not None and other.__module__ != cls.__module__
            if foreign and LIBRARY_PREFIX in (other.__module__ + cls.__module__):
                ErrorContext(f"class {cls.__name__}", "name").fail(
                    f"the name '{cls.name}' is used by {other.__module__} and by {cls.__module__}",
                    expected="a name that the library does not use",
                )
            registry[cls.name] = cls

    @classmethod
    def registries(cls) -> list[dict[str, Any]]:
        """Registries that list this declaration by name."""
        raise NotImplementedError

    drawn: ClassVar[Callable[..., dict[str, Any]]] = staticmethod(lambda **attached: {})
    """Values of the parameters with the default DRAWN, from numeric attachments and other parameters in the drawn pose."""

    @classmethod
    def check(cls, **parameters: Any) -> None:
        """Raise ModelError if the values of the parameters, SI, are outside their range or do not fit together. The model calls
        it for each element with the constant parameters by name, vectors as tuples."""

    @classmethod
    def expand(cls, fields: dict[str, Any]) -> list[tuple[type[Declaration], dict[str, Any]]]:
        """The elements that this declaration represents: itself, unless the fields are a short form of several others."""
        return [(cls, fields)]


class AttachedDeclaration(Declaration):
    """A declaration on bodies of the plane (2), of space (3), or of either, if its expression fits both. Equivalent
    declarations in the plane and in space may have the same name."""

    dimensions: ClassVar[tuple[int, ...]] = (2,)
    registry: ClassVar[RegistriesByDimension]
    of_joint: ClassVar[tuple[str, ...]] = ()
    """Fields that may be taken from a joint, by naming it in the field `joint`."""
    observed: ClassVar[dict[str, tuple[str, str]]] = {}
    """Outputs besides reactions and energies: {name: (unit, text)}."""
    fused: ClassVar[bool] = True
    """True if it is derived in the coordinates of fused families; otherwise always in marker variables, for fewer kernels."""

    @classmethod
    def registries(cls) -> list[dict[str, Any]]:
        return [cls.registry[dimension] for dimension in cls.dimensions]

    @staticmethod
    def observe(**symbols: Any) -> dict[str, Any]:
        """Expressions of the observed quantities."""
        return {}


RegistriesByDimension = dict[int, dict[str, type[AttachedDeclaration]]]
"""Declarations of one kind by dimension and name."""


def make_registries() -> RegistriesByDimension:
    return {2: {}, 3: {}}


class Constraint(AttachedDeclaration):
    """Phi(q, t) = 0. `rows` gives, per row of Phi, the name of its reaction and the units of reaction and residual. In space
    results also show force and moment of a joint as vectors; a reaction without a unit is shown in these only."""

    rows: ClassVar[dict[str, tuple[str, str]]]
    turns: ClassVar[tuple[int | None, int] | None] = None
    """Attachments of an angle drive (reference or None for the ground, driven body) between which it counts full turns."""

    @staticmethod
    def residual(**symbols: Any) -> Any:
        """Phi as a list of expressions, 'b minus a'."""
        raise NotImplementedError


class Joint(Constraint):
    """Constraint between bodies."""

    registry: ClassVar[RegistriesByDimension] = make_registries()


class Drive(Constraint):
    """Constraint that follows a function of time."""

    registry: ClassVar[RegistriesByDimension] = make_registries()


class Coupling(Constraint):
    """Constraint between a joint and a counter (bodies/counter.py); created with gears, never declared by the user."""

    registry: ClassVar[RegistriesByDimension] = make_registries()


class MarkerConstraint(Constraint):
    """Marker as a function of coordinates in which it is not linear: the residual is its position and axis."""

    registry: ClassVar[RegistriesByDimension] = make_registries()


class Rigidity(Constraint):
    """Constraint that makes the coordinates of a body those of a rigid one; created with every body of the family."""

    registry: ClassVar[RegistriesByDimension] = make_registries()


class Force(AttachedDeclaration):
    """Q = -dV/dq - dR/dq' + loads."""

    registry: ClassVar[RegistriesByDimension] = make_registries()
    directed: ClassVar[tuple[str, str] | None] = None
    """Names of the observed length and force of an element that acts along a line: without length it has no direction."""
    implied: ClassVar[bool] = False
    """True if it is created with every body (weight), so that results and reports do not list it."""

    @staticmethod
    def effect(**symbols: Any) -> Effect:
        raise NotImplementedError


class Elasticity(Force):
    """Force of an element of a flexible part on its own nodes; created with the part, never declared by the user."""

    registry: ClassVar[RegistriesByDimension] = make_registries()
    attachments = {"element": ElementSpan("beam element")}
    implied = True
    along: ClassVar[dict[str, tuple[str, float]]]
    """For each parameter after the length: the quantity along the beam, and its xi in the element."""


class DistributedElasticity(Elasticity):
    """Elasticity given per unit length and summed over quadrature points. Each part of it is a function with the name of
    its rule, with arguments r_x, r_xx and the quantities of its section, that returns the Effect per unit length, J/m and W/m.

    Stiffness and unstressed shape may change along the element, so every point has separate values. The parameters are
    the length, then for each part, point by point, its quantities: axial_stiffness_0, reference_strain_0,
    axial_stiffness_1, ..."""

    rules: ClassVar[dict[str, tuple[tuple[float, float], ...]]]
    """For each part the points (xi, weight); the weights of a part sum to 1."""
    sections: ClassVar[dict[str, dict[str, Number]]]
    """For each part its quantities at the points."""

    def __init_subclass__(cls, **options: Any) -> None:
        cls.along = {
            f"{quantity}_{k}": (quantity, xi)
            for part, rule in cls.rules.items()
            for k, (xi, _) in enumerate(rule)
            for quantity in cls.sections[part]
        }
        numbers = {quantity: number for section in cls.sections.values() for quantity, number in section.items()}
        cls.parameters = {
            "length": ELEMENT_LENGTH,
            **{name: numbers[quantity] for name, (quantity, _) in cls.along.items()},
        }
        super().__init_subclass__(**options)


class ContactPose(AttachedDeclaration):
    """Position and motion of a point of b in the frame of a, which carries a surface: the input of all contacts, so that a
    surface (ContactShape) is a function of numbers. Generalised forces follow from the two velocities:
    a force f (N, at the point) and a moment m (N m) on b, both in the frame of a, are Q = (place'_v)^T f + (spin_v)^T m."""

    registry: ClassVar[RegistriesByDimension] = make_registries()
    dimensions = (2, 3)
    linear: ClassVar[bool] = False
    """True for places without axes; in the plane those of rotating bodies are not linear in coordinates."""

    @staticmethod
    def place(**symbols: Any) -> Any:
        """Coordinates of the point of b in the frame of a, m."""
        raise NotImplementedError

    @staticmethod
    def spin(**symbols: Any) -> Any:
        """Angular velocity of b relative to a in the frame of a, rad/s: one number in the plane, three in space."""
        raise NotImplementedError

    @staticmethod
    def turned(**symbols: Any) -> Any:
        """The axes of b except the last, in the frame of a, one after the other."""
        raise NotImplementedError


class UnattachedDeclaration(Declaration):
    """A declaration without attachments: an instance is a choice with its values, such as `Hertz(stiffness=1e5)`."""

    fields: dict[str, Any]

    attachments: ClassVar[dict[str, Attachment]] = {}
    registry: ClassVar[dict[str, type[UnattachedDeclaration]]]

    @classmethod
    def registries(cls) -> list[dict[str, Any]]:
        return [cls.registry]

    def __init__(self, *values: Any, **fields: Any):
        names = list(self.parameters)
        if len(values) > len(names):
            ErrorContext(self.name).fail(f"takes at most {len(names)} values", expected=", ".join(names))
        self.fields = {**dict(zip(names, values, strict=False)), **fields}

    def entry(self) -> dict[str, Any]:
        """The choice as a model-file entry."""
        return {"type": self.name, **self.fields}


class ContactShape(UnattachedDeclaration):
    """A surface in the frame of its body a, touched by a circle or sphere of b: distance of the centre from the surface.

    The normal force F_n acts on b along the gradient of the gap, so that elastic laws have a potential. The slip velocity is
    that of the point of b at the surface relative to the point of a there, along the surface, in the frame of a:

        slip = P at' - R spin x n        P = I - n n^T

    with at' and spin the motion of b relative to a (ContactPose) and R = `radius`, a parameter that all of them have. So
    there is no choice of tangents, and quantities that depend on the slip turn with the surface."""

    registry: ClassVar[dict[str, type[UnattachedDeclaration]]] = {}
    dimensions: ClassVar[tuple[int, ...]] = (2,)
    """Dimensions in which it is a surface: one expression may serve the plane and space."""

    @staticmethod
    def gap(at: Any, **parameters: Any) -> Any:
        """Distance of the circle or sphere, m, from its centre `at`, (x, y) or (x, y, z); negative inside."""
        raise NotImplementedError

    @staticmethod
    def normal(at: Any, **parameters: Any) -> Any:
        """Outward normal of the surface at the place nearest to `at`, a unit vector."""
        raise NotImplementedError

    @staticmethod
    def region(at: Any, **parameters: Any) -> tuple[Any, ...]:
        """Expressions that are all >= 0 in the region where this piece of the surface is valid; everywhere unless given."""
        return ()


class ContactLaw(UnattachedDeclaration):
    """Normal force of a contact as a function of penetration, its rate and the approach speed at touchdown."""

    registry: ClassVar[dict[str, type[UnattachedDeclaration]]] = {}
    valid: ClassVar[str]
    """Materials and restitutions for which the law was derived, in one sentence; documentation and warnings show it."""
    remembers: ClassVar[bool] = True
    """True if the force depends on the approach speed."""
    jumps: ClassVar[bool] = False
    """True if the force jumps from zero at touchdown."""

    @staticmethod
    def force(penetration: Any, rate: Any, approach: Any, **parameters: Any) -> Any:
        """Force, N, positive if it pushes. `derive/` sets negative values to zero: a contact never pulls."""
        raise NotImplementedError

    @staticmethod
    def energy(penetration: Any, **parameters: Any) -> Any:
        """Elastic energy, J; the difference between the force and its derivative is dissipation."""
        raise NotImplementedError


class Friction(UnattachedDeclaration):
    """Tangential force of a contact on b, as a function of slip velocity, normal force and bristle deflection.

    The expression serves the plane, where slip and deflection are numbers along the tangent, and space, where they are vectors
    along the surface (symbolic.Tangential): `x**2`, magnitude, direction, limit_magnitude and tanh support both."""

    registry: ClassVar[dict[str, type[UnattachedDeclaration]]] = {}

    @staticmethod
    def force(slip: Any, stretch: Any, normal: Any, **parameters: Any) -> Any:
        """Force, N, along the surface. stretch: slip of b since zero bristle deflection, m, at most `limit`."""
        raise NotImplementedError

    @staticmethod
    def limit(normal: Any, **parameters: Any) -> Any:
        """Largest deflection, m, before the bristles slide; None for a law without history."""
        return None
