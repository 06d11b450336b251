"""What a physical thing declares: where it attaches, which parameters it has, and its expression.

A declaration is a class. Its name, fields (attachments.py, parameters.py) and units serve the model file, the Python API and
the documentation; its expression serves `derive/`. Defining a subclass registers it, in the library as in a user's script.

Convention for everything with two attachments: `a` is the reference, `b` is what moves. Every length, angle, torque and
reaction is that of b relative to a, and a reaction is what the joint exerts on b.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import ModuleType
from typing import Any, ClassVar, NamedTuple

from gaitwright.checks import At
from gaitwright.physics.attachments import (  # noqa: F401 - the words that a declaration is written in are found here, too
    Area,
    Attachment,
    Centre,
    Facet,
    Frame,
    Orientation,
    Place,
    Point,
    Span,
    Travel,
    Turns,
)
from gaitwright.physics.family import Family, Linear, MarkerKind  # noqa: F401
from gaitwright.physics.parameters import (  # noqa: F401
    DRAWN,
    LENGTH,
    NO_DIRECTION,
    VECTORS,
    Choice,
    Components,
    Computed,
    Direction,
    Formula,
    Number,
    Parameter,
    Signal,
)

LIBRARY = __name__.rpartition(".")[0] + "."
"""What the modules of the library's own declarations begin with."""


class Effect(NamedTuple):
    """What a force does: Q = -dV/dq - dR/dq' + sum (dr/dq)^T F.

    potential: V(q, t), J. dissipation: Rayleigh's function R(q, q'), W/2. loads: pairs (F, r) of a force and the
    displacement it works on; `dissipative` says whether the work of the loads is lost (friction) or supplied (a load).
    """

    potential: Any = 0
    dissipation: Any = 0
    loads: tuple[tuple[Any, Any], ...] = ()
    dissipative: bool = False


class Declaration:
    """Base of everything that `derive/` turns into kernels."""

    name: ClassVar[str]
    attachments: ClassVar[dict[str, Attachment]]
    parameters: ClassVar[Mapping[str, Parameter]] = {}
    drawn_as: ClassVar[str] = ""
    """How a picture shows it: pin, ball, guide, rod, actuator, gear, rack, spring, spiral, load; nothing unless given."""
    aliases: ClassVar[dict[str, str]] = {}
    """Other spellings of fields accepted in a model file."""
    short_forms: ClassVar[dict[str, Parameter]] = {}
    """Fields that only `expand` knows: it says the same by the parameters."""
    stands_for_others: ClassVar[bool] = False
    """Always expanded into other declarations, so it has no expression of its own."""

    kernels: ClassVar[ModuleType | None] = None
    """Of what is not derived on coordinates: finite elements of solids, system/solids/kernels.py."""

    formula: ClassVar[tuple[Any, ...] | None] = None
    """What a declaration that was made of an expression was made of: two that are alike have the same kernels."""

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if "name" not in cls.__dict__:
            return
        for registry in cls.registries():
            other = registry.get(cls.name)
            foreign = other is not None and other.__module__ != cls.__module__
            if foreign and LIBRARY in (other.__module__ + cls.__module__):
                At(f"class {cls.__name__}", "name").fail(
                    f"the name '{cls.name}' is used by {other.__module__} and by {cls.__module__}",
                    expected="a name that the library does not use",
                )
            registry[cls.name] = cls

    @classmethod
    def registries(cls) -> list[dict[str, Any]]:
        """Where this declaration is found by its name."""
        raise NotImplementedError

    drawn: ClassVar[Callable[..., dict[str, Any]]] = staticmethod(lambda **attached: {})
    """Values of the parameters whose default is DRAWN, from numeric attachments and other parameters in the drawn pose."""

    @classmethod
    def expand(cls, fields: dict[str, Any]) -> list[tuple[type[Declaration], dict[str, Any]]]:
        """The elements that this one stands for: itself, unless the fields are a short form of several others."""
        return [(cls, fields)]


class Attached(Declaration):
    """A declaration on bodies of the plane (2), of space (3), or of either, if its expression fits both. The same thing
    in the plane and in space may have the same name."""

    dimensions: ClassVar[tuple[int, ...]] = (2,)
    registry: ClassVar[ByDimension]
    of_joint: ClassVar[tuple[str, ...]] = ()
    """Fields that may be taken from a joint, by naming it in the field `joint`."""
    observed: ClassVar[dict[str, tuple[str, str]]] = {}
    """What results show of it besides reactions and energies: {name: (unit, text)}."""
    fused: ClassVar[bool] = True
    """Whether it is derived on the coordinates of families that are fused; otherwise on markers always, for fewer kernels."""

    @classmethod
    def registries(cls) -> list[dict[str, Any]]:
        return [cls.registry[dimension] for dimension in cls.dimensions]

    @staticmethod
    def observe(**symbols: Any) -> dict[str, Any]:
        """Expressions of the observed quantities."""
        return {}


ByDimension = dict[int, dict[str, type[Attached]]]
"""Declarations of one kind by dimension and name."""


def by_dimension() -> ByDimension:
    return {2: {}, 3: {}}


class Constraint(Attached):
    """Phi(q, t) = 0. `rows` gives, per row of Phi, the name of its reaction and the units of reaction and residual. In space
    results show force and moment of a joint as vectors, too; a reaction without a unit is shown in these alone."""

    rows: ClassVar[dict[str, tuple[str, str]]]
    turns: ClassVar[tuple[int | None, int] | None] = None
    """For a drive of an angle: the attachments (reference or None for the ground, driven body) whose turns it counts."""

    @staticmethod
    def residual(**symbols: Any) -> Any:
        """Phi as a list of expressions, 'b minus a'."""
        raise NotImplementedError


class Joint(Constraint):
    registry: ClassVar[ByDimension] = by_dimension()


class Drive(Constraint):
    registry: ClassVar[ByDimension] = by_dimension()


class Coupling(Constraint):
    """What ties a joint to a counter (bodies/counter.py); comes with gears, never asked for by itself."""

    registry: ClassVar[ByDimension] = by_dimension()


class Marking(Constraint):
    """What a marker is in terms of coordinates in which it is not linear: the residual is its position and axis."""

    registry: ClassVar[ByDimension] = by_dimension()


class Rigidity(Constraint):
    """What makes the coordinates of a body those of a rigid one; comes with every body of the family, never asked for."""

    registry: ClassVar[ByDimension] = by_dimension()


class Force(Attached):
    """Q = -dV/dq - dR/dq' + loads."""

    registry: ClassVar[ByDimension] = by_dimension()
    directed: ClassVar[tuple[str, str] | None] = None
    """Observed length and force along it, of what acts along a line: without length it has no direction."""
    implied: ClassVar[bool] = False
    """Comes with every body without being asked for (weight), so results and reports do not list it."""

    @staticmethod
    def effect(**symbols: Any) -> Effect:
        raise NotImplementedError


class Elasticity(Force):
    """Force of an element of a flexible part on its own nodes; comes with the part, never asked for by itself."""

    registry: ClassVar[ByDimension] = by_dimension()
    attachments = {"element": Span("beam element")}
    implied = True
    along: ClassVar[dict[str, tuple[str, float]]]
    """For each parameter after the length: which quantity along the beam it is, and at which xi of the element."""


class Distributed(Elasticity):
    """Elasticity given per unit length and summed over quadrature points. Each part of it is a function with the name of
    its rule that takes r_x, r_xx and the quantities of its section and gives the Effect per unit length, J/m and W/m.

    Stiffness and unstressed shape may change along the element, so every point has its own numbers. The parameters are
    the length, then for each part, point by point, its quantities: axial_stiffness_0, reference_strain_0,
    axial_stiffness_1, ..."""

    rules: ClassVar[dict[str, tuple[tuple[float, float], ...]]]
    """For each part the points (xi, weight); the weights of a part sum to 1."""
    sections: ClassVar[dict[str, dict[str, Number]]]
    """For each part the quantities it needs at its points."""

    def __init_subclass__(cls, **options: Any) -> None:
        cls.along = {
            f"{quantity}_{k}": (quantity, xi)
            for part, rule in cls.rules.items()
            for k, (xi, _) in enumerate(rule)
            for quantity in cls.sections[part]
        }
        numbers = {quantity: number for section in cls.sections.values() for quantity, number in section.items()}
        cls.parameters = {"length": LENGTH, **{name: numbers[quantity] for name, (quantity, _) in cls.along.items()}}
        super().__init_subclass__(**options)


class Pose(Attached):
    """How a point of b lies and moves in the frame of a, which carries a surface: what all contacts know of the two bodies, so
    that a surface (Shape) is a function of numbers. Generalised forces follow from the two velocities:
    a force f (N, at the point) and a moment m (N m) on b, both in the frame of a, are Q = (place'_v)^T f + (spin_v)^T m."""

    registry: ClassVar[ByDimension] = by_dimension()
    dimensions = (2, 3)
    linear: ClassVar[bool] = False
    """Whether it is one of places without axes; in the plane those of bodies that turn are not linear in coordinates."""

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
        """The axes of b but the last, in the frame of a, one after the other."""
        raise NotImplementedError


class Chosen(Declaration):
    """A declaration without attachments: an instance is a choice with its values, `Hertz(stiffness=1e5)`."""

    fields: dict[str, Any]

    attachments: ClassVar[dict[str, Attachment]] = {}
    registry: ClassVar[dict[str, type[Chosen]]]

    @classmethod
    def registries(cls) -> list[dict[str, Any]]:
        return [cls.registry]

    def __init__(self, *values: Any, **fields: Any):
        names = list(self.parameters)
        if len(values) > len(names):
            At(self.name).fail(f"takes at most {len(names)} values", expected=", ".join(names))
        self.fields = {**dict(zip(names, values, strict=False)), **fields}

    def entry(self) -> dict[str, Any]:
        """The choice as a model file says it."""
        return {"type": self.name, **self.fields}


class Shape(Chosen):
    """A surface in the frame of the body a that carries it, touched by a circle or sphere of b: how far its centre is away.

    The normal force F_n acts on b along the gradient of the gap, so that elastic laws have a potential. The slip velocity is
    that of the point of b at the surface relative to the point of a there, along the surface, in the frame of a:

        slip = P at' - R spin x n        P = I - n n^T

    with at' and spin the motion of b relative to a (Pose) and R = `radius`, a parameter that all of them have. So there is
    no choice of tangents, and what depends on the slip turns with the surface."""

    registry: ClassVar[dict[str, type[Chosen]]] = {}
    dimensions: ClassVar[tuple[int, ...]] = (2,)
    """In which it is a surface: one expression may serve the plane and space."""

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
        """Expressions that are all >= 0 where this piece of the surface is the one that counts; everywhere unless given."""
        return ()


class ContactLaw(Chosen):
    """Normal force of a contact as a function of penetration, its rate and the approach speed at touchdown."""

    registry: ClassVar[dict[str, type[Chosen]]] = {}
    valid: ClassVar[str]
    """For which materials and restitutions the law was derived, in one sentence; documentation and warnings show it."""
    remembers: ClassVar[bool] = True
    """Whether the force depends on the approach speed."""
    jumps: ClassVar[bool] = False
    """Whether the force jumps from zero at touchdown."""

    @staticmethod
    def force(penetration: Any, rate: Any, approach: Any, **parameters: Any) -> Any:
        """N, positive pushes. `derive/` cuts it off at zero: a contact never pulls."""
        raise NotImplementedError

    @staticmethod
    def energy(penetration: Any, **parameters: Any) -> Any:
        """Elastic energy, J; what the force does beyond its derivative is dissipation."""
        raise NotImplementedError

    @classmethod
    def check(cls, **parameters: float) -> None:
        """ModelError if the values are outside the range of the law."""


class Friction(Chosen):
    """Tangential force of a contact on b, as a function of slip velocity, normal force and stretch of the bristles.

    One expression for the plane, where slip and stretch are numbers along the tangent, and for space, where they are vectors
    along the surface (symbolic.Tangential): `x**2`, magnitude, direction, limited and tanh know both."""

    registry: ClassVar[dict[str, type[Chosen]]] = {}

    @staticmethod
    def force(slip: Any, stretch: Any, normal: Any, **parameters: Any) -> Any:
        """N, along the surface. stretch: how far b has slid since the bristles stood straight, m, at most `limit`."""
        raise NotImplementedError

    @staticmethod
    def limit(normal: Any, **parameters: Any) -> Any:
        """Largest stretch, m, before the bristles give way; None for a law without history."""
        return None

    @classmethod
    def check(cls, **parameters: float) -> None:
        """ModelError if the values do not fit together."""
