"""Beams of a document: their section, mesh, unstressed shape and drawn pose."""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitwright._core.error_context import ErrorContext
from gaitwright._core.errors import ModelError
from gaitwright.fem.beams.planar_beam import MASS_GAUSS_RULE, ArcLengthFunction, PlanarBeamPart, PlanarBeamSection
from gaitwright.model import expressions
from gaitwright.model.limits import require_above_minimum, require_within_limits

if TYPE_CHECKING:
    from gaitwright.model.reader.name_resolver import NameResolver
    from gaitwright.model.spec.document import BeamSpec
    from gaitwright.model.spec.spatial_beam import SpatialBeamSpec

Array = np.ndarray
ELEMENT_BY_FORMULATION = {
    ("continuum", None): "continuum-reduced", ("continuum", "reduced"): "continuum-reduced",
    ("continuum", "full"): "continuum", ("takahashi", None): "takahashi", ("takahashi", "full"): "takahashi",
}  # fmt: skip
"""Element type by formulation and integration; None: no integration given."""
ARCS_PER_ELEMENT = 32
"""Arcs per element in the polygon of a curved shape."""
MAX_ELEMENTS = 100_000


def read_beam(names: NameResolver, entry: BeamSpec) -> PlanarBeamPart:
    """Part of a beam: mesh, section and drawn pose."""
    label = f"beam '{entry.name}'"
    names.unused(entry.name, "beam")
    if entry.from_ == entry.to:
        ErrorContext(label, "to").fail("starts and ends in the same point", entry.to)
    ends = [names.drawn_point(entry.from_, label, "from"), names.drawn_point(entry.to, label, "to")]
    end_distance = math.hypot(ends[1][0] - ends[0][0], ends[1][1] - ends[0][1])
    if end_distance == 0.0:
        ErrorContext(label, "to").fail(
            f"its ends '{entry.from_}' and '{entry.to}' are drawn in the same place",
            list(ends[1]),
            "drawn positions that show the direction of the beam",
        )
    length = end_distance if entry.length is None else names.numbers.positive(entry.length, label, "length", "m")
    require_above_minimum(min(end_distance, length), "m", label, "to" if end_distance < length else "length")
    section = read_section(names, entry, label, length)
    curvature = function_along_beam(names, entry.curvature, label, "curvature", length)
    stations, points = read_beam_mesh(names, entry, label, length)
    if entry.formulation == "takahashi" and np.any(curvature(stations) != 0.0):
        ErrorContext(label, "formulation").fail(
            "is for beams that are straight without load",
            "takahashi",
            "continuum for a beam with a curvature of its own",
        )
    if entry.formulation == "takahashi" and entry.integration == "reduced":
        ErrorContext(label, "integration").fail(
            "has nothing to reduce: its energy is integrated exactly", "reduced", "full, or the formulation continuum"
        )
    damping = ErrorContext(label, "damping").not_negative(
        names.numbers.number(entry.damping, label, "damping", "s"), "at least 0 s"
    )
    reference = _curve_nodes(stations, curvature, 0.0)
    has_ground_ends = all(name in names.ground for name in (entry.from_, entry.to))
    drawn_nodes, reaches_ends = _drawn_nodes(
        reference, stations, curvature, ends, _bow_side(entry, has_ground_ends), entry.prestress == "drawn"
    )
    keeps_prestress = entry.prestress == "drawn" or (entry.prestress is None and entry.bow is not None and reaches_ends)
    return PlanarBeamPart(
        name=entry.name,
        drawn=drawn_nodes.ravel(),
        stations=stations,
        points=points,
        formulation=ELEMENT_BY_FORMULATION[entry.formulation, entry.integration],
        section=section,
        reference=reference,
        mass=float(element_integrals(section.mass, stations).sum()),
        damping=damping,
        prestressed=keeps_prestress or has_ground_ends,
        kept=keeps_prestress,
    )


def _bow_side(entry: BeamSpec, has_ground_ends: bool) -> str | None:
    """Side to which a beam is bent if it is longer than the distance of its ends; None: it starts unstressed."""
    if has_ground_ends or entry.prestress == "drawn":
        return entry.bow or "left"
    return entry.bow if entry.prestress is None else None


# Section ------------------------------------------------------------------------------------------------------------


def read_section(names: NameResolver, entry: BeamSpec, label: str, length: float) -> PlanarBeamSection:
    """Stiffness and mass along the beam, from material and shape or given directly."""
    given_fields = {name for name in SECTION_UNITS if getattr(entry, name) is not None}

    @functools.cache
    def quantity(name: str) -> ArcLengthFunction:
        function = function_along_beam(names, getattr(entry, name), label, name, length)
        values = function(
            np.zeros(1) if is_constant_along_beam(names, getattr(entry, name)) else np.linspace(0.0, length, 65)
        )
        smallest = float(values.min())
        if not smallest > 0.0:
            ErrorContext(label, name).fail(
                "must be greater than zero"
                + ("" if is_constant_along_beam(names, getattr(entry, name)) else " everywhere along the beam"),
                smallest,
                f"a positive number of {SECTION_UNITS[name]}",
            )
        require_above_minimum(smallest, SECTION_UNITS[name], label, name)
        require_within_limits(float(values.max()), SECTION_UNITS[name], label, name)
        return function

    for name, alternatives in (("area", ("width", "diameter")), ("second_moment", ("width", "diameter")),
                         ("diameter", ("width", "height")), ("axial_stiffness", ("area",)),
                         ("bending_stiffness", ("second_moment",)), ("mass_per_length", ("density",))):  # fmt: skip
        conflicting = [
            alternative for alternative in alternatives if alternative in given_fields and name in given_fields
        ]
        if conflicting:
            ErrorContext(label, name).fail(
                f"is given besides '{conflicting[0]}', which says the same", getattr(entry, name), "one of the two"
            )

    def choose_formula(
        quantity_name: str, *formulas: tuple[tuple[str, ...], Callable[..., Array]]
    ) -> ArcLengthFunction:
        for needed, formula in formulas:
            if given_fields.issuperset(needed):
                parts = [quantity(name) for name in needed]
                return lambda x, parts=parts, formula=formula: formula(*(part(x) for part in parts))
        best = max(formulas, key=lambda way: len(given_fields.intersection(way[0])) / len(way[0]))[0]
        missing = next(name for name in best if name not in given_fields)
        options = " or ".join(" and ".join(names) for names, _ in formulas)
        ErrorContext(label, missing).fail(f"is missing: the {quantity_name} is not known", expected=options)

    area = (("area",), lambda a: a), (("diameter",), lambda d: np.pi * d**2 / 4), (("width", "height"), np.multiply)
    second_moment = (
        (("second_moment",), lambda i: i),
        (("diameter",), lambda d: np.pi * d**4 / 64),
        (("width", "height"), lambda b, h: b * h**3 / 12),
    )

    def with_factor(name: str, formulas: Any) -> list[Any]:
        return [((name, *needed), lambda f, *rest, of=formula: f * of(*rest)) for needed, formula in formulas]

    height = next((name for name in ("height", "diameter") if name in given_fields), None)
    return PlanarBeamSection(
        axial=choose_formula(
            "axial stiffness", (("axial_stiffness",), lambda x: x), *with_factor("youngs_modulus", area)
        ),
        bending=choose_formula(
            "bending stiffness", (("bending_stiffness",), lambda x: x), *with_factor("youngs_modulus", second_moment)
        ),
        mass=choose_formula("mass", (("mass_per_length",), lambda x: x), *with_factor("density", area)),
        height=quantity(height) if height else None,
        youngs_modulus=names.numbers.positive(entry.youngs_modulus, label, "youngs_modulus", "Pa")
        if entry.youngs_modulus
        else None,
    )


SECTION_UNITS = {
    "youngs_modulus": "Pa", "density": "kg/m^3", "width": "m", "height": "m", "diameter": "m", "area": "m^2",
    "second_moment": "m^4", "axial_stiffness": "N", "bending_stiffness": "N m^2", "mass_per_length": "kg/m",
}  # fmt: skip


def is_constant_along_beam(names: NameResolver, value: Any) -> bool:
    """True if the value is constant along the beam: no expression of s."""
    return not isinstance(value, str) or "s" not in expressions.parse(value, series=None).names


def function_along_beam(
    names: NameResolver, value: Any, label: str, field: str, length: float, unit: str | None = None
) -> ArcLengthFunction:
    """A number or an expression of the arc length s as a function along the beam."""
    if is_constant_along_beam(names, value):
        number = names.numbers.number(value, label, field, unit or SECTION_UNITS.get(field, "1/m"))
        return lambda x: np.full(np.shape(x), number)
    try:
        expression = expressions.parse(value, [*names.numbers.values, "s"], names.numbers.series)
        expressions.evaluate(expression, {**names.numbers.values, "s": length / 2}, names.numbers.series)
    except ModelError as error:
        ErrorContext(label, field).fail(str(error))
    value_by_arc_length: dict[float, float] = {}

    def value_along_beam(x: Array) -> Array:
        for arc_length in np.unique(x):
            if arc_length not in value_by_arc_length:
                value_by_arc_length[arc_length] = expressions.evaluate(
                    expression, {**names.numbers.values, "s": float(arc_length)}, names.numbers.series
                )
        return np.array([value_by_arc_length[arc_length] for arc_length in np.ravel(x)]).reshape(np.shape(x))

    return value_along_beam


def element_integrals(quantity: ArcLengthFunction, stations: Array) -> Array:
    """Integral of a quantity over each element."""
    lengths = np.diff(stations)
    x, w = MASS_GAUSS_RULE
    return quantity(stations[:-1, None] + lengths[:, None] * (x + 1.0) / 2.0) @ w / 2.0 * lengths


# Mesh and shape -----------------------------------------------------------------------------------------------------


def read_beam_mesh(
    names: NameResolver, entry: BeamSpec | SpatialBeamSpec, label: str, length: float
) -> tuple[Array, dict[str, int]]:
    """Arc lengths of the nodes (m) and node indices of the named points: nodes at every named point, elsewhere even."""
    count, expected = (
        names.numbers.number(entry.elements, label, "elements"),
        f"a whole number from 1 to {MAX_ELEMENTS}",
    )
    ErrorContext(label, "elements").whole(count, "is not a number of elements", expected, 1, MAX_ELEMENTS)
    arc_length_by_name: dict[str, float] = {}
    for name, arc_length in entry.points.items():
        if name in (entry.from_, entry.to, "start", "end"):
            ErrorContext(label, "points").fail(f"the point '{name}' is an end of the beam already")
        arc_length_by_name[name] = names.numbers.number(arc_length, label, f"points.{name}", "m")
        if not 0.0 < arc_length_by_name[name] < length:
            ErrorContext(label, f"points.{name}").fail(
                "is not on the beam", arc_length_by_name[name], f"an arc length between 0 and {length:g} m"
            )
    inner = np.sort(np.array(list(arc_length_by_name.values())))
    inner = inner[np.diff(inner, prepend=0.0) > 1e-9 * length]  # several names for one place, or for an end
    ends = np.concatenate([[0.0], inner[inner < (1.0 - 1e-9) * length], [length]])
    segment_lengths = np.diff(ends)
    counts = np.maximum(1, np.round(int(count) * segment_lengths / length)).astype(int)
    while counts.sum() > max(int(count), segment_lengths.size):  # the segments with the shortest elements lose some
        divisible = np.flatnonzero(counts > 1)
        counts[divisible[np.argmin(segment_lengths[divisible] / counts[divisible])]] -= 1
    while counts.sum() < int(count):
        counts[np.argmax(segment_lengths / counts)] += 1
    pieces = [np.linspace(a, b, k + 1)[1:] for a, b, k in zip(ends[:-1], ends[1:], counts, strict=True)]
    stations = np.concatenate([[0.0], *pieces])
    points = {entry.from_: 0, entry.to: stations.size - 1, "start": 0, "end": stations.size - 1}
    return stations, points | {
        name: int(np.argmin(np.abs(stations - arc_length))) for name, arc_length in arc_length_by_name.items()
    }


def _curve_nodes(stations: Array, curvature: ArcLengthFunction, curvature_change: float) -> Array:
    """Nodes (x, y, u, v) of the shape with a curvature plus `more` (1/m), from the origin along the x axis: arcs of
    constant curvature in sequence, so that an arc is exact."""
    l = np.diff(stations)[:, None] / ARCS_PER_ELEMENT
    middle = stations[:-1, None] + l * (np.arange(ARCS_PER_ELEMENT) + 0.5)
    turns = ((curvature(middle) + curvature_change) * l).ravel()
    l = np.broadcast_to(l, middle.shape).ravel()
    angle = np.concatenate([[0.0], np.cumsum(turns)])
    chord = l * np.sinc(turns / (2.0 * np.pi))
    step = chord[:, None] * np.stack([np.cos(angle[:-1] + turns / 2), np.sin(angle[:-1] + turns / 2)], axis=1)
    positions = np.vstack([[0.0, 0.0], np.cumsum(step, axis=0)])[::ARCS_PER_ELEMENT]
    angle = angle[::ARCS_PER_ELEMENT]
    return np.column_stack([positions, np.cos(angle), np.sin(angle)])


def _drawn_nodes(
    reference: Array, stations: Array, curvature: ArcLengthFunction, ends: Any, bow: str | None, stretched: bool = False
) -> tuple[Array, bool]:
    """Nodes of the beam between the drawn ends, and True if they reach the ends. reference: its unstressed shape. bow: bend
    by a constant curvature towards this side to fit; otherwise the shape is unstressed, its length is kept and the drawn
    points are a guess. stretched: stretch to fit, where it is too short."""
    (x0, y0), (x1, y1) = ends
    end_distance, length = math.hypot(x1 - x0, y1 - y0), float(stations[-1])

    def chord(curvature_change: float) -> float:
        return _end_distance(_curve_nodes(stations, curvature, curvature_change))

    nodes = reference.copy()
    if bow is not None and abs(_end_distance(nodes) - end_distance) > 1e-9 * length:
        nodes = _curve_nodes(stations, curvature, _solve_curvature_change(chord, end_distance, length, bow))
    reach = _end_distance(nodes)
    if stretched:
        nodes, reach = nodes * (end_distance / reach), end_distance
    nodes[:, :2] -= nodes[-1, :2] * (1.0 - end_distance / reach) / 2.0  # centred between the drawn ends
    rotation_angle = math.atan2(y1 - y0, x1 - x0) - math.atan2(nodes[-1, 1], nodes[-1, 0])
    c, s = math.cos(rotation_angle), math.sin(rotation_angle)
    rotated = nodes.reshape(-1, 2, 2) @ np.array([[c, s], [-s, c]])
    rotated[:, 0] += (x0, y0)
    return rotated.reshape(-1, 4), abs(reach - end_distance) <= 1e-6 * length


def _end_distance(nodes: Array) -> float:
    """Distance from the origin, where a curve begins, to its end."""
    return float(np.hypot(*nodes[-1, :2]))


def _solve_curvature_change(chord: Callable[[float], float], end_distance: float, length: float, bow: str) -> float:
    """Smallest change of curvature, 1/m, that gives the ends the distance `apart`; if none does, the change with the
    longest chord. bow: preferred side if both sides need the same change."""
    from scipy.optimize import brentq

    sign = -1.0 if bow == "left" else 1.0  # bulging to the left of the direction from start to end means turning right
    grid = np.linspace(0.0, 2.0 * math.pi / length, 65)
    best, longest = 0.0, chord(0.0)
    for low, high in itertools.pairwise(grid):
        for side in (sign, -sign):
            a, b = chord(side * low) - end_distance, chord(side * high) - end_distance
            if a * b <= 0.0:
                root: Any = brentq(lambda k: chord(k) - end_distance, side * low, side * high, xtol=1e-14 / length)
                return float(root)
            if b + end_distance > longest:
                best, longest = side * high, b + end_distance
    return best
