"""Beams of a spatial document: section, mesh, unstressed shape and drawn pose."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitwright._core.error_context import ErrorContext
from gaitwright.fem.beams.noded_beam import ArcLengthFunction
from gaitwright.fem.beams.spatial_beam import SpatialBeamPart, SpatialBeamSection
from gaitwright.geometry.curves import align_rotation, arc_through, integrate_helices, spline_through
from gaitwright.geometry.inertia import torsion_of_rectangle
from gaitwright.model.limits import require_above_minimum, require_within_limits
from gaitwright.model.reader.beams import (
    element_integrals,
    function_along_beam,
    is_constant_along_beam,
    read_beam_mesh,
)

if TYPE_CHECKING:
    from gaitwright.model.reader.name_resolver import NameResolver
    from gaitwright.model.spec.spatial_beam import SpatialBeamSpec

Array = np.ndarray
HELICES_PER_ELEMENT = 32
"""Helices per element in the piecewise approximation of a shape with varying curvature."""
SECTION_SIZES_TEXT = "width and height, or diameter"
FIELD_UNITS = {
    "youngs_modulus": "Pa", "shear_modulus": "Pa", "poissons_ratio": "1", "density": "kg/m^3", "width": "m", "height": "m",
    "diameter": "m", "axial_stiffness": "N", "bending_stiffness": "N m^2", "torsional_stiffness": "N m^2",
    "mass_per_length": "kg/m", "inertia_per_length": "kg m",
}  # fmt: skip


def read_spatial_beam(names: NameResolver, entry: SpatialBeamSpec) -> SpatialBeamPart:
    """Part of a beam: mesh, section and drawn pose."""
    label = f"beam '{entry.name}'"
    names.unused(entry.name, "beam")
    if entry.from_ == entry.to:
        ErrorContext(label, "to").fail("starts and ends in the same point", entry.to)
    ends = np.array([names.drawn_point(entry.from_, label, "from"), names.drawn_point(entry.to, label, "to")])
    apart = math.dist(*ends)
    if apart == 0.0:
        ErrorContext(label, "to").fail(
            f"its ends '{entry.from_}' and '{entry.to}' are drawn in the same place", list(ends[1]),
            "drawn positions that show the direction of the beam",
        )  # fmt: skip
    normal = _read_normal(names, entry, label)
    if entry.through:
        length, draw = _shape_through_points(names, entry, label, ends, normal)
    else:
        length = apart if entry.length is None else names.numbers.positive(entry.length, label, "length", "m")
        draw = _shape_from_curvature(names, entry, label, ends, normal, length)
    require_above_minimum(min(apart, length), "m", label, "to" if apart < length else "length")
    section = read_spatial_section(names, entry, label, length)
    stations, points = read_beam_mesh(names, entry, label, length)
    damping = ErrorContext(label, "damping").not_negative(
        names.numbers.number(entry.damping, label, "damping", "s"), "at least 0 s"
    )
    drawn = draw(stations)
    return SpatialBeamPart(
        name=entry.name, drawn=drawn.ravel(), stations=stations, points=points, section=section, reference=drawn,
        mass=float(element_integrals(section.mass, stations).sum()), damping=damping,
    )  # fmt: skip


# Shape --------------------------------------------------------------------------------------------------------------


def _read_normal(names: NameResolver, entry: SpatialBeamSpec, label: str) -> Array | None:
    if entry.normal is None:
        return None
    normal = np.array([names.numbers.number(x, label, f"normal[{k}]") for k, x in enumerate(entry.normal)])
    if not np.any(normal):
        ErrorContext(label, "normal").fail(
            "has no direction", list(normal), "the direction of its height, such as [0, 0, 1]"
        )
    return normal / np.linalg.norm(normal)


def _height_direction(normal: Array | None, along: Array, entry: SpatialBeamSpec, label: str) -> Array:
    """Given direction of the height, default z, or x if the beam starts along z."""
    if normal is None:
        return np.array([0.0, 0.0, 1.0]) if abs(along[2]) < 0.999 else np.array([1.0, 0.0, 0.0])
    if np.linalg.norm(np.cross(normal, along)) < 1e-6:
        ErrorContext(label, "normal").fail(
            "is the direction of the beam itself",
            entry.normal,
            "a direction across it, that of the height of its section",
        )
    return normal


def _shape_from_curvature(
    names: NameResolver, entry: SpatialBeamSpec, label: str, ends: Array, normal: Array | None, length: float
) -> Callable[[Array], Array]:
    """Shape from curvature and twist, from the drawn start towards the drawn end: the beam keeps its length, and is centred
    between them."""
    bent = entry.curvature if isinstance(entry.curvature, list) else [0.0, entry.curvature]
    given = [("twist", entry.twist), ("curvature", bent[0]), ("curvature", bent[1])]
    turning = [function_along_beam(names, value, label, field, length, "1/m") for field, value in given]
    uniform = all(is_constant_along_beam(names, value) for _, value in given)
    chord = (ends[1] - ends[0]) / math.dist(*ends)

    def draw(stations: Array) -> Array:
        l = np.diff(stations)[:, None] / (1 if uniform else HELICES_PER_ELEMENT)
        middle = stations[:-1, None] + l * (np.arange(1 if uniform else HELICES_PER_ELEMENT) + 0.5)
        rates = np.stack([rate(middle) for rate in turning], axis=-1).reshape(-1, 3)
        r, axes = integrate_helices(np.broadcast_to(l, middle.shape).ravel(), rates)
        r, axes = r[:: middle.shape[1]], axes[:: middle.shape[1]]
        reach = float(np.linalg.norm(r[-1]))
        if reach < 1e-6 * length:
            ErrorContext(label, "curvature").fail(
                "brings its ends together", entry.curvature, "a curve whose ends are apart, or through"
            )
        turned = align_rotation(r[-1] / reach, axes[0, 1], chord, _height_direction(normal, chord, entry, label))
        r, axes = r @ turned.T, axes @ turned.T
        return node_coordinates(r + (ends[0] + ends[1] - r[-1]) / 2.0, axes)

    return draw


def _shape_through_points(
    names: NameResolver, entry: SpatialBeamSpec, label: str, ends: Array, normal: Array | None
) -> tuple[float, Callable[[Array], Array]]:
    """Curve through drawn points: an arc through one, a spline through more. Its sections have no twist of their own."""
    for field, plain in (("length", None), ("curvature", 0.0)):
        if getattr(entry, field) != plain:
            ErrorContext(label, field).fail(
                "is given besides 'through', which says the same", getattr(entry, field), "one of the two"
            )
    inner = [names.numbers.vector(at, label, f"through[{k}]") for k, at in enumerate(entry.through)]
    points = np.array([ends[0], *inner, ends[1]])
    apart = np.linalg.norm(np.diff(points, axis=0), axis=1)
    if apart.min() <= 1e-9 * apart.sum():
        ErrorContext(label, "through").fail(
            "has the same point twice in a row", entry.through, "points apart from each other and the ends"
        )
    length, curve = (arc_through if len(points) == 3 else spline_through)(points)
    twist = function_along_beam(names, entry.twist, label, "twist", length, "1/m")

    def draw(stations: Array) -> Array:
        fine = np.unique(
            np.concatenate([np.linspace(a, b, HELICES_PER_ELEMENT + 1) for a, b in itertools.pairwise(stations)])
        )
        r, t = curve(fine)
        second = _height_direction(normal, t[0], entry, label)
        axes = [parallel_transport(t[0], second, t[0])]
        for k in range(1, fine.size):  # double reflection would be of higher order; fine steps are sufficient
            axes.append(parallel_transport(t[k], axes[-1], t[k - 1]))
        step = np.diff(fine)
        angle = np.r_[0.0, np.cumsum(twist(fine[:-1] + step / 2.0) * step)]
        v2, c, sn = np.array(axes), np.cos(angle)[:, None], np.sin(angle)[:, None]
        v2 = c * v2 + sn * np.cross(t, v2)
        node_rows = np.searchsorted(fine, stations)
        return node_coordinates(r[node_rows], np.stack([t, v2, np.cross(t, v2)], axis=1)[node_rows])

    return length, draw


def parallel_transport(t: Array, v: Array, before: Array) -> Array:
    """Vector v, perpendicular to `before`, rotated by the smallest rotation from `before` to t."""
    axis, cosine = np.cross(before, t), float(before @ t)
    v = v + np.cross(axis, v) + np.cross(axis, np.cross(axis, v)) / (1.0 + cosine)
    v = v - (v @ t) * t
    return v / np.linalg.norm(v)


def node_coordinates(r: Array, axes: Array) -> Array:
    """Coordinates of nodes, (nodes, 15), as in the tables. axes: (nodes, 3, 3), rows v1, v2, v3."""
    count = len(r)
    return np.hstack([r, (axes - np.eye(3)).reshape(count, 9), axes[:, 0]])


# Section ------------------------------------------------------------------------------------------------------------


def read_spatial_section(names: NameResolver, entry: SpatialBeamSpec, label: str, length: float) -> SpatialBeamSection:
    """Stiffness and mass along the beam, from material and shape or given directly."""
    known: dict[str, Any] = {name: getattr(entry, name) for name in FIELD_UNITS if getattr(entry, name) is not None}

    def quantity(name: str, value: Any, least: float = 0.0, open_: bool = True) -> ArcLengthFunction:
        along = function_along_beam(names, value, label, name, length, FIELD_UNITS[name])
        values = along(np.zeros(1) if is_constant_along_beam(names, value) else np.linspace(0.0, length, 65))
        low = float(values.min())
        if not (low > least if open_ else low >= least):
            ErrorContext(label, name).fail(
                "must be greater than zero" if open_ else "must not be negative",
                low,
                f"a number of {FIELD_UNITS[name]}",
            )
        if open_:
            require_above_minimum(low, FIELD_UNITS[name], label, name)
        require_within_limits(float(values.max()), FIELD_UNITS[name], label, name)
        return along

    def for_both(name: str) -> list[ArcLengthFunction]:
        given = known[name] if isinstance(known[name], list) else [known[name]] * 2
        return [quantity(name, value, open_=name == "bending_stiffness") for value in given]

    pairs = ("bending_stiffness", "inertia_per_length")
    single = {name: quantity(name, value) for name, value in known.items() if name not in (*pairs, "poissons_ratio")}
    both = {name: for_both(name) for name in pairs if name in known}
    if "diameter" in known and ("width" in known or "height" in known):
        ErrorContext(label, "diameter").fail(
            "is given besides 'width' or 'height'", known["diameter"], "a round or a rectangular section"
        )
    if "shear_modulus" in known and "poissons_ratio" in known:
        ErrorContext(label, "poissons_ratio").fail(
            "is given besides 'shear_modulus'", known["poissons_ratio"], "one of the two"
        )
    if "mass_per_length" in known and "density" in known:
        ErrorContext(label, "mass_per_length").fail(
            "is given besides 'density', which says the same", known["mass_per_length"], "one of the two"
        )
    shape = (
        SpatialSectionShape(single, "diameter" in known)
        if {"diameter"} <= known.keys() or {"width", "height"} <= known.keys()
        else None
    )
    if entry.poissons_ratio is not None and "youngs_modulus" in known:
        nu = names.numbers.number(entry.poissons_ratio, label, "poissons_ratio")
        if not -1.0 < nu <= 0.5:
            ErrorContext(label, "poissons_ratio").fail("is no Poisson's ratio", nu, "a number above -1 and at most 0.5")
        single["shear_modulus"] = lambda x: single["youngs_modulus"](x) / (2.0 * (1.0 + nu))
    stiffness = _read_stiffness_matrix(names, entry, label, length, known) or _section_stiffness(
        label, single, both, shape
    )
    mass = single.get("mass_per_length")
    if mass is None and shape is not None and "density" in single:
        mass = lambda x: single["density"](x) * shape.area(x)  # noqa: E731
    if mass is None:
        missing = "density" if shape is not None else "mass_per_length"
        ErrorContext(label, missing).fail(
            "is missing: the mass is not known", expected=f"mass_per_length, or density and {SECTION_SIZES_TEXT}"
        )
    return SpatialBeamSection(
        stiffness=stiffness, mass=mass, inertia=_section_inertia(label, both, shape, mass, stiffness),
        height=single.get("height", single.get("diameter")), width=single.get("width", single.get("diameter")),
        round="diameter" in known,
        youngs_modulus=(
            names.numbers.positive(entry.youngs_modulus, label, "youngs_modulus", "Pa") if entry.youngs_modulus else None
        ),
    )  # fmt: skip


class SpatialSectionShape:
    """Rectangle, with its height along axis 2, or circle. bending: (about axis 2, about axis 3), m^4. torsion: m^4."""

    def __init__(self, sizes: dict[str, ArcLengthFunction], is_round: bool):
        self.sizes, self.round = sizes, is_round

    def area(self, x: Array) -> Array:
        if self.round:
            return np.pi * self.sizes["diameter"](x) ** 2 / 4
        return self.sizes["width"](x) * self.sizes["height"](x)

    def bending(self, x: Array) -> tuple[Array, Array]:
        if self.round:
            second = np.pi * self.sizes["diameter"](x) ** 4 / 64
            return second, second
        b, h = self.sizes["width"](x), self.sizes["height"](x)
        return h * b**3 / 12, b * h**3 / 12

    def torsion(self, x: Array) -> Array:
        if self.round:
            return np.pi * self.sizes["diameter"](x) ** 4 / 32
        return torsion_of_rectangle(self.sizes["width"](x), self.sizes["height"](x))


def _section_stiffness(
    label: str, single: dict[str, ArcLengthFunction], both: dict[str, Any], shape: SpatialSectionShape | None
) -> ArcLengthFunction:
    """Diagonal stiffness matrix; each entry is given directly, or follows from material and shape."""
    sizes = SECTION_SIZES_TEXT
    ways = {
        "axial_stiffness": ("youngs_modulus", f"axial_stiffness, or youngs_modulus and {sizes}"),
        "torsional_stiffness": (
            "shear_modulus",
            f"torsional_stiffness, or shear_modulus or poissons_ratio and {sizes}",
        ),
        "bending_stiffness": ("youngs_modulus", f"bending_stiffness, or youngs_modulus and {sizes}"),
    }
    for name, (modulus, expected) in ways.items():
        if name not in single and name not in both and (modulus not in single or shape is None):
            missing = modulus if modulus not in single else "height"
            missing = "poissons_ratio" if missing == "shear_modulus" else missing
            ErrorContext(label, missing).fail(
                f"is missing: the {name.replace('_', ' ')} is not known", expected=expected
            )

    def matrix(x: Array) -> Array:
        C = np.zeros((*np.shape(x), 4, 4))
        e, g = (single[name](x) if name in single else None for name in ("youngs_modulus", "shear_modulus"))
        C[..., 0, 0] = single["axial_stiffness"](x) if "axial_stiffness" in single else e * shape.area(x)  # type: ignore
        C[..., 1, 1] = single["torsional_stiffness"](x) if "torsional_stiffness" in single else g * shape.torsion(x)  # type: ignore
        for k in range(2):
            given = both["bending_stiffness"][k](x) if "bending_stiffness" in both else e * shape.bending(x)[k]  # type: ignore
            C[..., 2 + k, 2 + k] = given
        return C

    return matrix


def _read_stiffness_matrix(
    names: NameResolver, entry: SpatialBeamSpec, label: str, length: float, known: dict[str, Any]
) -> ArcLengthFunction | None:
    if entry.stiffness is None:
        return None
    at = ErrorContext(label, "stiffness")
    twice = [name for name in ("axial_stiffness", "bending_stiffness", "torsional_stiffness") if name in known]
    if twice:
        at.fail(f"is given besides '{twice[0]}', which it contains", expected="one of the two")
    units = ("N m^2", "N m", "N")  # zero, one or two indices refer to the axial strain

    def entry_of(i: int, j: int) -> ArcLengthFunction:
        value, unit = entry.stiffness[i][j], units[(i == 0) + (j == 0)]
        return function_along_beam(names, value, label, f"stiffness[{i}][{j}]", length, unit)

    rows = [[entry_of(i, j) for j in range(4)] for i in range(4)]

    def matrix(x: Array) -> Array:
        return np.stack([np.stack([value(x) for value in row], axis=-1) for row in rows], axis=-2)

    C = matrix(np.linspace(0.0, length, 9))
    size = np.sqrt(np.abs(np.einsum("...ii->...i", C)))
    scaled = C / np.where(size > 0.0, size, 1.0)[..., :, None] / np.where(size > 0.0, size, 1.0)[..., None, :]
    if np.abs(scaled - np.swapaxes(scaled, -1, -2)).max() > 1e-9:
        at.fail("is not symmetric", entry.stiffness, "a symmetric matrix: each coupling is one number, given twice")
    if np.linalg.eigvalsh(scaled).min() <= 1e-12:
        at.fail(
            "is not positive definite",
            entry.stiffness,
            "a matrix with which every strain takes energy: couplings are too large",
        )
    return matrix


def _section_inertia(
    label: str,
    both: dict[str, Any],
    shape: SpatialSectionShape | None,
    mass: ArcLengthFunction,
    stiffness: ArcLengthFunction,
) -> ArcLengthFunction:
    """Rotary inertia along axes 2 and 3: from the shape, or if unknown, with the mass distributed like the stiffness."""
    if "inertia_per_length" in both:
        about_2, about_3 = both["inertia_per_length"]
        if not (about_2(np.zeros(1)) + about_3(np.zeros(1)) > 0.0).all():
            ErrorContext(label, "inertia_per_length").fail(
                "must not be zero about both axes: the beam could spin without inertia", 0.0, "kg m"
            )
        return lambda x: np.stack([about_3(x), about_2(x)], axis=-1)
    if shape is not None:
        return lambda x: (mass(x) / shape.area(x))[..., None] * np.stack(shape.bending(x)[::-1], axis=-1)

    def spread(x: Array) -> Array:
        C = stiffness(x)
        return (mass(x) / C[..., 0, 0])[..., None] * np.stack([C[..., 3, 3], C[..., 2, 2]], axis=-1)

    return spread
