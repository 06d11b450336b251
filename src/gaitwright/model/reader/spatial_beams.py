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
    end_distance = math.dist(*ends)
    if end_distance == 0.0:
        ErrorContext(label, "to").fail(
            f"its ends '{entry.from_}' and '{entry.to}' are drawn in the same place", list(ends[1]),
            "drawn positions that show the direction of the beam",
        )  # fmt: skip
    normal = _read_normal(names, entry, label)
    if entry.through:
        length, compute_nodes = _shape_through_points(names, entry, label, ends, normal)
    else:
        length = end_distance if entry.length is None else names.numbers.positive(entry.length, label, "length", "m")
        compute_nodes = _shape_from_curvature(names, entry, label, ends, normal, length)
    require_above_minimum(min(end_distance, length), "m", label, "to" if end_distance < length else "length")
    section = read_spatial_section(names, entry, label, length)
    stations, points = read_beam_mesh(names, entry, label, length)
    damping = ErrorContext(label, "damping").not_negative(
        names.numbers.number(entry.damping, label, "damping", "s"), "at least 0 s"
    )
    drawn_nodes = compute_nodes(stations)
    return SpatialBeamPart(
        name=entry.name, drawn=drawn_nodes.ravel(), stations=stations, points=points, section=section, reference=drawn_nodes,
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


def _height_direction(normal: Array | None, tangent: Array, entry: SpatialBeamSpec, label: str) -> Array:
    """Given direction of the height, default z, or x if the beam starts along z."""
    if normal is None:
        return np.array([0.0, 0.0, 1.0]) if abs(tangent[2]) < 0.999 else np.array([1.0, 0.0, 0.0])
    if np.linalg.norm(np.cross(normal, tangent)) < 1e-6:
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
    curvatures = entry.curvature if isinstance(entry.curvature, list) else [0.0, entry.curvature]
    components = [("twist", entry.twist), ("curvature", curvatures[0]), ("curvature", curvatures[1])]
    rate_functions = [function_along_beam(names, value, label, field, length, "1/m") for field, value in components]
    uniform = all(is_constant_along_beam(names, value) for _, value in components)
    chord = (ends[1] - ends[0]) / math.dist(*ends)

    def compute_nodes(stations: Array) -> Array:
        l = np.diff(stations)[:, None] / (1 if uniform else HELICES_PER_ELEMENT)
        middle = stations[:-1, None] + l * (np.arange(1 if uniform else HELICES_PER_ELEMENT) + 0.5)
        rates = np.stack([rate(middle) for rate in rate_functions], axis=-1).reshape(-1, 3)
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

    return compute_nodes


def _shape_through_points(
    names: NameResolver, entry: SpatialBeamSpec, label: str, ends: Array, normal: Array | None
) -> tuple[float, Callable[[Array], Array]]:
    """Curve through drawn points: an arc through one, a spline through more. Its sections have no twist of their own."""
    for field, default in (("length", None), ("curvature", 0.0)):
        if getattr(entry, field) != default:
            ErrorContext(label, field).fail(
                "is given besides 'through', which says the same", getattr(entry, field), "one of the two"
            )
    inner = [names.numbers.vector(point, label, f"through[{k}]") for k, point in enumerate(entry.through)]
    points = np.array([ends[0], *inner, ends[1]])
    distances = np.linalg.norm(np.diff(points, axis=0), axis=1)
    if distances.min() <= 1e-9 * distances.sum():
        ErrorContext(label, "through").fail(
            "has the same point twice in a row", entry.through, "points apart from each other and the ends"
        )
    length, curve = (arc_through if len(points) == 3 else spline_through)(points)
    twist = function_along_beam(names, entry.twist, label, "twist", length, "1/m")

    def compute_nodes(stations: Array) -> Array:
        fine_stations = np.unique(
            np.concatenate([np.linspace(a, b, HELICES_PER_ELEMENT + 1) for a, b in itertools.pairwise(stations)])
        )
        r, t = curve(fine_stations)
        second = _height_direction(normal, t[0], entry, label)
        axes = [parallel_transport(t[0], second, t[0])]
        for k in range(1, fine_stations.size):  # double reflection would be of higher order; fine steps are sufficient
            axes.append(parallel_transport(t[k], axes[-1], t[k - 1]))
        step = np.diff(fine_stations)
        angle = np.r_[0.0, np.cumsum(twist(fine_stations[:-1] + step / 2.0) * step)]
        v2, c, sn = np.array(axes), np.cos(angle)[:, None], np.sin(angle)[:, None]
        v2 = c * v2 + sn * np.cross(t, v2)
        node_rows = np.searchsorted(fine_stations, stations)
        return node_coordinates(r[node_rows], np.stack([t, v2, np.cross(t, v2)], axis=1)[node_rows])

    return length, compute_nodes


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
    given_fields: dict[str, Any] = {
        name: getattr(entry, name) for name in FIELD_UNITS if getattr(entry, name) is not None
    }

    def quantity(name: str, value: Any, minimum: float = 0.0, excludes_minimum: bool = True) -> ArcLengthFunction:
        function = function_along_beam(names, value, label, name, length, FIELD_UNITS[name])
        values = function(np.zeros(1) if is_constant_along_beam(names, value) else np.linspace(0.0, length, 65))
        smallest = float(values.min())
        if not (smallest > minimum if excludes_minimum else smallest >= minimum):
            ErrorContext(label, name).fail(
                "must be greater than zero" if excludes_minimum else "must not be negative",
                smallest,
                f"a number of {FIELD_UNITS[name]}",
            )
        if excludes_minimum:
            require_above_minimum(smallest, FIELD_UNITS[name], label, name)
        require_within_limits(float(values.max()), FIELD_UNITS[name], label, name)
        return function

    def functions_of_both_axes(name: str) -> list[ArcLengthFunction]:
        values = given_fields[name] if isinstance(given_fields[name], list) else [given_fields[name]] * 2
        return [quantity(name, value, excludes_minimum=name == "bending_stiffness") for value in values]

    pairs = ("bending_stiffness", "inertia_per_length")
    functions = {
        name: quantity(name, value) for name, value in given_fields.items() if name not in (*pairs, "poissons_ratio")
    }
    functions_by_axis = {name: functions_of_both_axes(name) for name in pairs if name in given_fields}
    if "diameter" in given_fields and ("width" in given_fields or "height" in given_fields):
        ErrorContext(label, "diameter").fail(
            "is given besides 'width' or 'height'", given_fields["diameter"], "a round or a rectangular section"
        )
    if "shear_modulus" in given_fields and "poissons_ratio" in given_fields:
        ErrorContext(label, "poissons_ratio").fail(
            "is given besides 'shear_modulus'", given_fields["poissons_ratio"], "one of the two"
        )
    if "mass_per_length" in given_fields and "density" in given_fields:
        ErrorContext(label, "mass_per_length").fail(
            "is given besides 'density', which says the same", given_fields["mass_per_length"], "one of the two"
        )
    shape = (
        SpatialSectionShape(functions, "diameter" in given_fields)
        if {"diameter"} <= given_fields.keys() or {"width", "height"} <= given_fields.keys()
        else None
    )
    if entry.poissons_ratio is not None and "youngs_modulus" in given_fields:
        nu = names.numbers.number(entry.poissons_ratio, label, "poissons_ratio")
        if not -1.0 < nu <= 0.5:
            ErrorContext(label, "poissons_ratio").fail("is no Poisson's ratio", nu, "a number above -1 and at most 0.5")
        functions["shear_modulus"] = lambda x: functions["youngs_modulus"](x) / (2.0 * (1.0 + nu))
    stiffness = _read_stiffness_matrix(names, entry, label, length, given_fields) or _section_stiffness(
        label, functions, functions_by_axis, shape
    )
    mass = functions.get("mass_per_length")
    if mass is None and shape is not None and "density" in functions:
        mass = lambda x: functions["density"](x) * shape.area(x)  # noqa: E731
    if mass is None:
        missing = "density" if shape is not None else "mass_per_length"
        ErrorContext(label, missing).fail(
            "is missing: the mass is not known", expected=f"mass_per_length, or density and {SECTION_SIZES_TEXT}"
        )
    return SpatialBeamSection(
        stiffness=stiffness, mass=mass, inertia=_section_inertia(label, functions_by_axis, shape, mass, stiffness),
        height=functions.get("height", functions.get("diameter")), width=functions.get("width", functions.get("diameter")),
        round="diameter" in given_fields,
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
    label: str,
    functions: dict[str, ArcLengthFunction],
    functions_by_axis: dict[str, Any],
    shape: SpatialSectionShape | None,
) -> ArcLengthFunction:
    """Diagonal stiffness matrix; each entry is given directly, or follows from material and shape."""
    alternatives = {
        "axial_stiffness": ("youngs_modulus", "axial_stiffness, or youngs_modulus"),
        "torsional_stiffness": ("shear_modulus", "torsional_stiffness, or shear_modulus or poissons_ratio"),
        "bending_stiffness": ("youngs_modulus", "bending_stiffness, or youngs_modulus"),
    }
    for name, (modulus, expected) in alternatives.items():
        if name not in functions and name not in functions_by_axis and (modulus not in functions or shape is None):
            missing = modulus if modulus not in functions else "height"
            missing = "poissons_ratio" if missing == "shear_modulus" else missing
            ErrorContext(label, missing).fail(
                f"is missing: the {name.replace('_', ' ')} is not known",
                expected=f"{expected} and {SECTION_SIZES_TEXT}",
            )
    sizes: Any = shape  # not None where it is used: checked above

    def matrix(x: Array) -> Array:
        C = np.zeros((*np.shape(x), 4, 4))
        e, g = (functions[name](x) if name in functions else None for name in ("youngs_modulus", "shear_modulus"))
        C[..., 0, 0] = functions["axial_stiffness"](x) if "axial_stiffness" in functions else e * sizes.area(x)
        C[..., 1, 1] = (
            functions["torsional_stiffness"](x) if "torsional_stiffness" in functions else g * sizes.torsion(x)
        )
        for k in range(2):
            given = functions_by_axis.get("bending_stiffness")
            C[..., 2 + k, 2 + k] = given[k](x) if given else e * sizes.bending(x)[k]
        return C

    return matrix


def _read_stiffness_matrix(
    names: NameResolver, entry: SpatialBeamSpec, label: str, length: float, given_fields: dict[str, Any]
) -> ArcLengthFunction | None:
    if entry.stiffness is None:
        return None
    at = ErrorContext(label, "stiffness")
    conflicting = [
        name for name in ("axial_stiffness", "bending_stiffness", "torsional_stiffness") if name in given_fields
    ]
    if conflicting:
        at.fail(f"is given besides '{conflicting[0]}', which it contains", expected="one of the two")
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
    functions_by_axis: dict[str, Any],
    shape: SpatialSectionShape | None,
    mass: ArcLengthFunction,
    stiffness: ArcLengthFunction,
) -> ArcLengthFunction:
    """Rotary inertia along axes 2 and 3: from the shape, or if unknown, with the mass distributed like the stiffness."""
    if "inertia_per_length" in functions_by_axis:
        about_2, about_3 = functions_by_axis["inertia_per_length"]
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
