"""Flexible beams along their length: shape, strains, section forces, stresses, energies.

Signs, on the way from start to end, with the unit tangent t and the normal n, which is t turned by +90 degrees: to the left.

curvature kappa > 0     the beam turns to the left
N t + V n and M         what the part beyond a section exerts on the part before it: N > 0 is tension, M > 0 bends to the left
left, right             surfaces at +h/2 and -h/2 along n; strain N/EA -/+ M h/(2 EI), stress N/A -/+ M h/(2 I)

N, V and M follow from the equilibrium of each element (`Profile.section`), not from its strain at a point: cubic elements
meet a small axial strain only on the average, and EA times what it is at one point of a slender bent beam can be a hundred
times the axial force. The forces of the element hold the loads in balance, whatever the mesh.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator
from types import ModuleType
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from gaitwright.checks import At
from gaitwright.derive.library import kernel_module
from gaitwright.errors import ModelError
from gaitwright.physics.bodies.beam import Beam, shape
from gaitwright.physics.declare import Elasticity
from gaitwright.system.alone import on_arrays
from gaitwright.system.mechanism import ForceNames, Mechanism
from gaitwright.system.parts.beam import BeamPart, joined
from gaitwright.system.parts.beam_strain import MEASURES, cross, family_of, measured, shaped
from gaitwright.system.signals import evaluate_program
from gaitwright.system.tables import Array

if TYPE_CHECKING:
    import xarray as xr

    from gaitwright.result.outputs import Motion

GAUSS_X, GAUSS_W = np.polynomial.legendre.leggauss(8)
GAUSS_X, GAUSS_W = (GAUSS_X + 1.0) / 2.0, GAUSS_W / 2.0
ENDS = np.array([0.0, 1.0])
THREE = np.array([0.0, 0.5, 1.0])
BLOCK = 100_000
"""Places times instants that are computed at once: arrays that stay in the cache of the processor."""


# Forces of the elements ---------------------------------------------------------------------------------------------


class Load(NamedTuple):
    """Forces of one kind on all elements of a beam."""

    kind: type[Any]
    module: ModuleType
    parameters: Array  # (numbers, elements)
    signals: list[int]


class Loads:
    """What acts on the elements of a beam, from their own elasticity to their weight, as its kernels compute it."""

    def __init__(self, mechanism: Mechanism, beam: BeamPart):
        self.mechanism, self.beam = mechanism, beam
        self._masses: Any = None

    @functools.cached_property
    def kinds(self) -> list[Load]:
        parts: dict[tuple[str, str], list[ForceNames]] = {}
        for names in self.mechanism.force_names:
            if names.bodies == (self.beam.name,) and names.element.families == (Beam,):
                parts.setdefault((names.name, names.type), []).append(names)
        found = []
        for group in parts.values():
            elements = sorted((names.element for names in group), key=lambda e: e.coordinates[0][0])
            first = elements[0]
            module = kernel_module(first.declaration, first.families)
            numbers = np.array([e.parameters for e in elements], dtype=float).T
            found.append(Load(first.declaration, module, numbers, list(first.signals)))
        return found

    def elastic(self) -> Load:
        """The load that stores energy: the beam's own formulation."""
        return next(k for k in self.kinds if issubclass(k.kind, Elasticity) and k.module.POTENTIAL)

    def call(self, kernel: str, load: Load, motion: Motion, elements: slice, size: int) -> Array:
        """What a kernel gives at all times for some elements: (size, n_times, elements)."""
        index = self.beam.elements[elements].T
        q, v = (np.moveaxis(states[:, index], 0, 1) for states in (motion.q, motion.v))
        out = np.zeros((size, *q.shape[1:]))
        u = [f[:, None] for k in load.signals for f in evaluate_program(self.mechanism.signals[k], motion.t)]
        sig = range(len(load.signals))
        on_arrays(load.module)[kernel](1, range(8), load.parameters[:, elements], sig, q, v, u, out)
        return out

    def force(self, load: Load, motion: Motion, elements: slice = slice(None)) -> Array:
        """Generalised forces on the nodes of every element: (n_times, elements, 4, 2), of r_0, r_x0, r_1 and r_x1."""
        q = np.moveaxis(self.call("force", load, motion, elements, 8), 0, -1)
        return q.reshape(*q.shape[:-1], 4, 2)

    def energy(self, motion: Motion) -> Array:
        """Strain energy of every element, J: (n_times, elements)."""
        return self.call("energy", self.elastic(), motion, slice(None), 3)[0]

    @functools.cached_property
    def gravity(self) -> Array:
        """m/s^2, (2,)."""
        weights = [load for load in self.kinds if load.kind.name == "gravity"]
        return weights[0].parameters[-2:, 0] if weights else np.zeros(2)

    def masses(self, xi: Array, elements: slice) -> tuple[Array, Array, Array]:
        """Integrals from the start of each element to xi: of rho A S_i, (elements, len(xi), 4), of rho A S_i S_j,
        (..., 4, 4), and of S_i. rho A is taken as a polynomial through the points of the mass matrix."""
        key = xi.tobytes(), elements.start, elements.stop
        if self._masses is not None and self._masses[0] == key:
            return self._masses[1]
        l = self.beam.lengths[elements][:, None]
        at = xi[:, None] * GAUSS_X  # (len(xi), gauss)
        known = self.beam.section.mass(self.beam.stations[:-1][elements][:, None] + l * GAUSS_X)
        apart = GAUSS_X[:, None] - GAUSS_X + np.eye(GAUSS_X.size)
        factors = (at[..., None, None] - GAUSS_X) / apart  # (len(xi), gauss, k, other)
        lagrange = np.where(np.eye(GAUSS_X.size) > 0, 1.0, factors).prod(axis=-1)
        dx = xi[:, None] * GAUSS_W * l[:, :, None]  # (elements, len(xi), gauss)
        dm = dx * np.einsum("pgk,ek->epg", lagrange, known)
        s = np.stack(np.broadcast_arrays(*shape(at, l[:, :, None])), axis=2)  # (elements, len(xi), 4, gauss)
        found = (
            np.einsum("epig,epg->epi", s, dm),
            np.einsum("epig,epjg,epg->epij", s, s, dm),
            np.einsum("epig,epg->epi", s, dx),
        )
        self._masses = key, found
        return found

    @functools.cached_property
    def damping_places(self) -> list[int]:
        """Places in the energy table of the elements that dissipate."""
        own = [names for names in self.mechanism.force_names if names.bodies == (self.beam.name,)]
        damped = [n for n in own if issubclass(n.declaration, Elasticity)]
        return [n.place for n in damped if kernel_module(n.element.declaration, n.element.families).DISSIPATES]


# Names ------------------------------------------------------------------------------------------------------------


TEXTS = {
    "continuum": {"strain": "axial strain |r_x| - 1"},
    "takahashi": {
        "strain": "axial strain of the chord of the element",
        "curvature": "curvature |r_xx|, positive to the left",
    },
}
"""What the strains are called, where it is not what every beam has."""


# Along the beam -----------------------------------------------------------------------------------------------------


class Profile:
    """A beam along a motion. Arrays are (n_times, elements, len(xi)), or have an axis (x, y) more.

    xi: places in every element, 0 to 1; the last is 1. elements: which of them."""

    def __init__(self, loads: Loads, motion: Motion, xi: Array, elements: slice = slice(None)):
        self.loads, self.beam, self.motion, self.xi, self.elements = loads, loads.beam, motion, xi, elements
        self.length = self.beam.lengths[elements][:, None]
        self.s = self.beam.stations[:-1][elements][:, None] + self.length * xi
        self.e = motion.q[:, self.beam.elements[elements]]

    def shaped(self, e: Array, derivative: int = 0) -> Array:
        """r, r_x or r_xx of elements with the coordinates e, (..., elements, 8)."""
        return shaped(e, self.xi, self.length, derivative)

    @functools.cached_property
    def r(self) -> Array:
        return self.shaped(self.e)

    @functools.cached_property
    def r_x(self) -> Array:
        return self.shaped(self.e, 1)

    @functools.cached_property
    def r_xx(self) -> Array:
        return self.shaped(self.e, 2)

    @functools.cached_property
    def strains(self) -> tuple[Array, Array]:
        """Axial strain, 1, and curvature, 1/m, as the formulation of the beam means them."""
        return MEASURES[family_of(self.beam.formulation)](self.e, self.r_x, self.r_xx, self.length)

    @functools.cached_property
    def changes(self) -> tuple[Array, Array]:
        """The same, against the unstressed shape."""
        rest = measured(self.beam.formulation, self.beam.unstressed[self.elements], self.xi, self.length)
        return self.strains[0] - rest[0], self.strains[1] - rest[1]

    def stiffness(self) -> tuple[Array, Array]:
        """EA, N, and EI, N m^2; (elements, len(xi))."""
        section = self.beam.section
        return section.axial(self.s), section.bending(self.s)

    # section forces

    @functools.cached_property
    def masses(self) -> tuple[Array, Array, Array]:
        return self.loads.masses(self.xi, self.elements)

    @functools.cached_property
    def section(self) -> tuple[Array, Array]:
        """Force (x, y), N, and moment, N m, that the part beyond each place exerts on the part before it.

        Every element is cut free. What its neighbours exert on its ends is what its own forces, loads and inertia leave
        open; from there they are carried on along the element:

            R' = rho A (r'' - g) - f        M' = -r_x x R

        f: other loads, uniform over the element."""
        nodal, spread = self._open()
        force, moment = -nodal[..., 0, :], -cross(self.r_x_at(0), nodal[..., 1, :])
        e = self.e.reshape(*self.e.shape[:-1], 4, 2)
        one, two, line = self.masses
        x = (self.length * self.xi)[None, ..., None]
        # Integrals of the load per length and of its moment about the place, by the integrals over the shape functions.
        mass = (one[..., 0] + one[..., 2])[None, ..., None]
        f = spread[:, :, None] / self.length[None, ..., None]
        g = self.loads.gravity
        total = -mass * g - f * x
        turned = -cross(self.r * mass - self._summed(one, e), g) - cross(self.r * x - self._summed(line, e), f)
        if self.motion.a.any():
            a = self.motion.a[:, self.beam.elements[self.elements]].reshape(e.shape)
            carried = self._summed(one, a)
            total = total + carried
            turned = turned + cross(self.r, carried)
            turned -= cross(e[:, :, None], np.einsum("epij,tejc->tepic", two, a)).sum(axis=-1)
        r = self.r - self.e[:, :, None, :2]
        moments = moment[..., None] - cross(r, force[:, :, None]) - turned
        # Loads that are not uniform over the element, such as pressure on a bent one: the end is known, too.
        end = cross(self.r_x_at(1), nodal[..., 3, :])
        moments += (end - moments[..., -1])[..., None] * self.xi
        return force[:, :, None] + total, moments

    def r_x_at(self, end: int) -> Array:
        """The slope at an end of each element, which is a coordinate: (n_times, elements, 2)."""
        return self.e[..., 4 * end + 2 : 4 * end + 4]

    @staticmethod
    def _summed(weights: Array, e: Array) -> Array:
        return np.einsum("epi,teic->tepc", weights, e)

    def _open(self) -> tuple[Array, Array]:
        """What acts on the ends of each element from outside, (n_times, elements, 4, 2), and the sum of the loads besides
        its weight, (n_times, elements, 2)."""
        nodal = np.zeros((self.motion.t.size, self.length.size, 4, 2))
        spread = np.zeros((self.motion.t.size, self.length.size, 2))
        for load in self.loads.kinds:
            forces = self.loads.force(load, self.motion, self.elements)
            nodal -= forces
            if not issubclass(load.kind, Elasticity) and load.kind.name != "gravity":
                spread += forces[..., 0, :] + forces[..., 2, :]
        if self.motion.a.any():
            a = self.motion.a[:, self.beam.elements[self.elements]].reshape(nodal.shape)
            nodal += np.einsum("eij,tejc->teic", self.masses[1][:, -1], a)
        return nodal, spread

    def component(self, axis: int) -> Array:
        """Section force along the tangent (0) or the normal (1), N."""
        force, size = self.section[0], np.hypot(self.r_x[..., 0], self.r_x[..., 1])
        along = (force * self.r_x).sum(axis=-1) if axis == 0 else cross(self.r_x, force)
        return along / size

    # at the surfaces; side: +1 left, -1 right

    def surface_stress(self, side: int) -> Array:
        """Pa."""
        require(self.beam, "stress_left")
        assert self.beam.section.youngs_modulus is not None
        return self.beam.section.youngs_modulus * self._at_surface(self._forces_by_stiffness(), side)

    def surface_strain(self, side: int) -> Array:
        """From the section forces, as the stress is, less what damping contributes to them."""
        require(self.beam, "strain_left")
        strain = self._at_surface(self._forces_by_stiffness(), side)
        return strain - self.beam.damping * self._at_surface(self._rates(), side) if self.beam.damping else strain

    def _at_surface(self, strains: tuple[Array, Array], side: int) -> Array:
        assert self.beam.section.height is not None
        return strains[0] - side * strains[1] * self.beam.section.height(self.s) / 2.0

    def _forces_by_stiffness(self) -> tuple[Array, Array]:
        ea, ei = self.stiffness()
        return self.component(0) / ea, self.section[1] / ei

    def _rates(self) -> tuple[Array, Array]:
        """Rates of the strains of physics/beams/kelvin_voigt.py, 1/s and 1/(m s)."""
        v = self.motion.v[:, self.beam.elements[self.elements]]
        r_x, r_xx, v_x, v_xx = self.r_x, self.r_xx, self.shaped(v, 1), self.shaped(v, 2)
        square, half = (r_x**2).sum(axis=-1), (r_x * v_x).sum(axis=-1)
        bending = cross(v_x, r_xx) + cross(r_x, v_xx) - 2.0 * cross(r_x, r_xx) * half / square
        return half / np.sqrt(square), bending / square

    def energy_density(self) -> Array:
        (ea, ei), (strain, curvature) = self.stiffness(), self.changes
        return (ea * strain**2 + ei * curvature**2) / 2.0

    # from elements to the whole beam

    def joined(self, values: Array) -> Array:
        """Values along the whole beam, (n_times, places): at a node the mean of both elements."""
        return joined(values)


class Quantity(NamedTuple):
    """What is known along a beam. values: of a Profile."""

    unit: str
    text: str
    values: Callable[[Profile], Array]


ALONG: dict[str, Quantity] = {
    "strain": Quantity("1", "axial strain", lambda p: p.strains[0]),
    "curvature": Quantity("1/m", "curvature, positive to the left", lambda p: p.strains[1]),
    "axial_force": Quantity("N", "axial force, positive in tension", lambda p: p.component(0)),
    "shear_force": Quantity("N", "shear force of the part beyond, positive to the left", lambda p: p.component(1)),
    "bending_moment": Quantity("N m", "bending moment, positive where it bends to the left", lambda p: p.section[1]),
    "local_axial_force": Quantity(
        "N", "EA times the change of the axial strain at this place", lambda p: p.stiffness()[0] * p.changes[0]
    ),
    "local_bending_moment": Quantity(
        "N m", "EI times the change of the curvature at this place", lambda p: p.stiffness()[1] * p.changes[1]
    ),
    "strain_left": Quantity("1", "strain at the left surface", lambda p: p.surface_strain(1)),
    "strain_right": Quantity("1", "strain at the right surface", lambda p: p.surface_strain(-1)),
    "stress_left": Quantity("Pa", "stress at the left surface", lambda p: p.surface_stress(1)),
    "stress_right": Quantity("Pa", "stress at the right surface", lambda p: p.surface_stress(-1)),
}
"""Quantities at nodes and along the beam."""
SHAPE: dict[str, Quantity] = {
    "x": Quantity("m", "x", lambda p: p.r[..., 0]),
    "y": Quantity("m", "y", lambda p: p.r[..., 1]),
    "angle": Quantity("rad", "angle of the tangent, counted on along the beam and in time", lambda p: p.r_x),
}
DENSITY = {"strain_energy_density": Quantity("J/m", "strain energy per unstressed length", Profile.energy_density)}
PROFILE = SHAPE | ALONG | DENSITY
"""Quantities of `Result.beam`."""


def in_pictures(quantity: str) -> tuple[float, str]:
    """A factor and the unit in which a picture shows a quantity: stresses in MPa."""
    unit = PROFILE[quantity].unit
    return (1e-6, "MPa") if unit == "Pa" else (1.0, unit)


def _angles(profile: Profile) -> Array:
    """Angle of the tangent along the whole beam, without jumps."""
    x, y = (profile.joined(profile.r_x[..., axis]) for axis in range(2))
    angle = np.unwrap(np.arctan2(y, x), axis=1)
    return angle + (np.unwrap(angle[:, 0]) - angle[:, 0])[:, None]


NEEDS: dict[str, tuple[str, ...]] = {
    **{name: ("height",) for name in ("strain_left", "strain_right", "max_strain")},
    **{name: ("height", "youngs_modulus") for name in ("stress_left", "stress_right", "max_stress")},
}
"""What a section must say for a quantity to be known."""


def available(beam: BeamPart, names: Iterable[str]) -> list[str]:
    """Those of the quantities that the section of a beam allows."""
    return [name for name in names if all(getattr(beam.section, need) is not None for need in NEEDS.get(name, ()))]


def require(beam: BeamPart, what: str) -> None:
    """ModelError if the section of a beam does not allow a quantity."""
    for need in NEEDS.get(what, ()):
        if getattr(beam.section, need) is None:
            sizes = "height, or diameter, of the section, m"
            At(f"beam '{beam.name}'", need).fail(
                f"is not known, so there is no {what.replace('_', ' ')}",
                expected=sizes if need == "height" else f"Young's modulus, Pa, and width and {sizes}",
            )


def describe(beam: BeamPart, what: str, text: str) -> str:
    """The description of a quantity, with the measures of the formulation."""
    return TEXTS[family_of(beam.formulation)].get(what, text)


def blocks(motion: Motion, width: int) -> Iterator[Motion]:
    """The motion in parts with so few times that arrays `width` wide stay small."""
    step = max(1, BLOCK // max(width, 1))
    for k in range(0, max(motion.t.size, 1), step):
        yield type(motion)(*(x[k : k + step] for x in motion))


def beam_dataset(loads: Loads, motion: Motion, names: tuple[str, ...] = (), points: int = 3) -> xr.Dataset:
    """Quantities along a beam over (time, s); see Result.beam."""
    import xarray as xr

    beam = loads.beam
    At(field="points").whole(points, "is not a number of points", "0, 1, 2, ...", least=0)
    total = "strain_energy"
    wanted = list(names) or [*available(beam, PROFILE), total]
    for name in wanted:
        if name not in PROFILE and name != total:
            raise ModelError(f"there is no quantity '{name}' along a beam", expected=", ".join([*PROFILE, total]))
        require(beam, name)
    xi = np.linspace(0.0, 1.0, int(points) + 2)
    s = np.append((beam.stations[:-1, None] + beam.lengths[:, None] * xi[:-1]).ravel(), beam.length)
    parts: dict[str, list[Array]] = {name: [] for name in wanted}
    for block in blocks(motion, s.size):
        profile = Profile(loads, block, xi)
        for name in wanted:
            if name == total:
                parts[name].append(loads.energy(block).sum(axis=1))
            elif name == "angle":
                parts[name].append(_angles(profile))
            else:
                parts[name].append(profile.joined(PROFILE[name].values(profile)))
    values = {name: np.concatenate(found) for name, found in parts.items()}
    if "angle" in values:
        start = values["angle"][:, 0]
        values["angle"] += (np.unwrap(start) - start)[:, None]
    data = {}
    for name, array in values.items():
        if name == total:
            about = {"units": "J", "long_name": "strain energy of the whole beam"}
            data[name] = xr.Variable(("time",), array, about)
        else:
            text = describe(beam, name, PROFILE[name].text)
            data[name] = xr.Variable(("time", "s"), array, {"units": PROFILE[name].unit, "long_name": text})
    coordinates = {
        "time": xr.Variable("time", motion.t, {"units": "s", "long_name": "time"}),
        "s": xr.Variable("s", s, {"units": "m", "long_name": "arc length of the unstressed shape"}),
    }
    return xr.Dataset(data, coordinates, {"beam": beam.name, "formulation": beam.formulation})


# Nodes and the whole beam -------------------------------------------------------------------------------------------


def _elastic_moment(loads: Loads, motion: Motion, elements: slice, node: int) -> Array:
    """Magnitude of the slope part of the elastic forces of all elements at a node, N m (paper 002, Table 2)."""
    forces = loads.force(loads.elastic(), motion, elements)
    both = sum(forces[:, k - elements.start, 1 if k == node else 3] for k in range(elements.start, elements.stop))
    return np.hypot(*np.moveaxis(np.asarray(both), -1, 0))


class Nodes:
    """Quantities at the nodes of a beam. Those of one node are computed together, and kept for the next one asked for."""

    def __init__(self, loads: Loads):
        self.loads = loads
        self.last: tuple[Any, int, Profile] | None = None

    def values(self, what: str, node: int, motion: Motion) -> Array:
        last = self.loads.beam.stations.size - 1
        elements = slice(max(node - 1, 0), min(node + 1, last))
        if what == "elastic_moment":
            return _elastic_moment(self.loads, motion, elements, node)
        if self.last is None or self.last[0] is not motion or self.last[1] != node:
            self.last = motion, node, Profile(self.loads, motion, ENDS, elements)
        joined = self.last[2].joined(ALONG[what].values(self.last[2]))
        return joined[:, node - elements.start]


NODES: dict[str, tuple[str, str]] = {what: (q.unit, q.text) for what, q in ALONG.items()} | {
    "elastic_moment": ("N m", "magnitude of the slope part of the elastic forces (paper 002, Table 2)")
}
"""Quantities at nodes: unit and description."""


def _largest(*names: str) -> Callable[[Profile], Array]:
    return lambda p: np.max([np.abs(ALONG[name].values(p)).max(axis=(1, 2)) for name in names], axis=0)


def _length(p: Profile) -> Array:
    x, w = np.polynomial.legendre.leggauss(5)
    r_x = p.beam.along(p.motion.q, (x + 1.0) / 2.0, 1)
    return (np.hypot(r_x[..., 0], r_x[..., 1]) @ w / 2.0) @ p.beam.lengths


def _kinetic(p: Profile) -> Array:
    v = p.motion.v[:, p.beam.elements].reshape(len(p.e), -1, 4, 2)
    return np.einsum("eij,teic,tejc->t", p.masses[1][:, -1], v, v) / 2.0


WHOLE: dict[str, Quantity] = {
    "length": Quantity("m", "length along the beam as it is", _length),
    "strain_energy": Quantity("J", "strain energy", lambda p: p.loads.energy(p.motion).sum(axis=1)),
    "kinetic_energy": Quantity("J", "kinetic energy", _kinetic),
    "max_curvature": Quantity("1/m", "largest curvature, in magnitude", _largest("curvature")),
    "max_axial_force": Quantity("N", "largest axial force, in magnitude", _largest("axial_force")),
    "max_bending_moment": Quantity("N m", "largest bending moment, in magnitude", _largest("bending_moment")),
    "max_strain": Quantity("1", "largest strain at a surface, in magnitude", _largest("strain_left", "strain_right")),
    "max_stress": Quantity("Pa", "largest stress at a surface, in magnitude", _largest("stress_left", "stress_right")),
}  # fmt: skip
"""Quantities of a whole beam. Largest values are those at nodes and in the middle of elements."""


class Whole:
    """Quantities of the whole beam over time. Largest values are found together, and kept for the next one asked for."""

    def __init__(self, loads: Loads):
        self.loads = loads
        self.motion: Motion | None = None
        self.largest: dict[str, Array] = {}

    def values(self, what: str, motion: Motion) -> Array:
        if not what.startswith("max_"):
            return self._computed([what], motion)[what]
        if motion is not self.motion:
            names = available(self.loads.beam, [name for name in WHOLE if name.startswith("max_")])
            self.motion, self.largest = motion, self._computed(names, motion)
        return self.largest[what]

    def _computed(self, names: list[str], motion: Motion) -> dict[str, Array]:
        width = THREE.size * (self.loads.beam.stations.size - 1)
        profiles = (Profile(self.loads, block, THREE) for block in blocks(motion, width))
        rows = [[WHOLE[name].values(profile) for name in names] for profile in profiles]
        return dict(zip(names, (np.concatenate(parts) for parts in zip(*rows, strict=True)), strict=True))
