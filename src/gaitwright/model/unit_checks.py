"""Warnings about probable unit mistakes: sizes, masses, speeds, densities and stiffnesses that walking machines, orthoses and
people do not have, with the probable unit. They are never errors: warnings of `check` and of results.

Whole models are checked when a user analyses one; variants of a sweep are not.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from gaitwright._core.error_context import looks_like_degrees
from gaitwright._core.errors import ModelError
from gaitwright.mechanism.mechanism import Mechanism
from gaitwright.mechanism.parts.rigid_body import RigidBodyPart
from gaitwright.mechanism.signals import evaluate_program
from gaitwright.model.reader.number_reader import NumberReader
from gaitwright.model.spec.document import ModelDocument
from gaitwright.physics.declarations import Force, Joint, Number


class PlausibleRange(NamedTuple):
    """least, most: values outside this range are implausible. likely: range after correction of the unit. slips: units that
    may have been used by mistake, with their factors to SI."""

    unit: str
    least: float
    most: float
    likely: tuple[float, float]
    slips: Mapping[str, float]


RADIANS_PER_DEGREE = math.pi / 180
PLAUSIBLE_RANGES = {
    # from the links of a walking toy to those of a machine that carries people
    "length": PlausibleRange("m", 5e-4, 10.0, (0.01, 3.0), {"millimetres": 1e-3, "centimetres": 1e-2}),
    "mass": PlausibleRange("kg", 1e-7, 2e4, (1e-3, 200.0), {"grams": 1e-3}),
    # a solid cube of steel has 7850 kg/m^3, a bar of steel a tenth as thick as it is long 79 kg per cube of its length
    "mass of a link per cube of its length": PlausibleRange("kg/m^3", 0.0, 4000.0, (0.1, 1000.0), {"grams": 1e-3}),
    "mass of a body per cube of its length": PlausibleRange("kg/m^3", 0.0, 8000.0, (0.1, 4000.0), {"grams": 1e-3}),
    "angular velocity": PlausibleRange("rad/s", 0.0, 1000.0, (0.1, 100.0), {"degrees": RADIANS_PER_DEGREE}),
    "speed": PlausibleRange("m/s", 0.0, 200.0, (0.01, 20.0), {"millimetres per second": 1e-3}),
    "gravity": PlausibleRange("m/s^2", 0.1, 100.0, (1.0, 30.0), {"mm/s^2": 1e-3, "cm/s^2": 1e-2}),
    # from foams and gels to diamond; from the lightest foam to osmium
    "Young's modulus": PlausibleRange("Pa", 1e3, 2e12, (1e6, 1.3e12), {"GPa": 1e9, "MPa": 1e6}),
    "density": PlausibleRange(
        "kg/m^3", 25.0, 23_000.0, (100.0, 23_000.0), {"g/cm^3": 1e3, "kg/mm^3": 1e9, "t/mm^3": 1e12}
    ),
    "frequency": PlausibleRange("Hz", 0.0, 1e6, (0.1, 1e5), {}),
}
STIFF_MATERIAL_LIMITS = (2500.0, 1e8)
"""Density, kg/m^3, above which a Young's modulus, Pa, below the second number is implausible: stone and metals are stiff."""
MAX_SWING_RAD = 1.5 * 2 * math.pi
"""Largest plausible oscillation, rad; a larger one looks like degrees."""
RIGHT_ANGLE_DEGREES = 90.0
"""Whole multiples of this number, in rad/s, look like degrees."""
MIN_DRIVE_WINDOW_S, DRIVE_SAMPLE_COUNT = 1.0, 64
"""Minimum duration, s, for which drives are checked; and the number of instants."""


def plausibility_warnings(numbers: NumberReader, mechanism: Mechanism) -> list[str]:
    """Sentences about probable unit mistakes, and about unused points. numbers: numbers of its document."""
    groups = (
        _check_sizes(mechanism),
        _check_masses(mechanism),
        _check_gravity(mechanism),
        _check_angles(numbers),
        _check_drives(numbers, mechanism),
        _check_speeds(numbers),
        _check_materials(numbers),
        _check_springs(numbers, mechanism),
        _check_unused_points(numbers.document),
    )
    return [text for group in groups for text in group]


def describe_implausible_value(quantity: str, value: float) -> str | None:
    """Probable mistake in a value of a quantity, as the end of a sentence; None if the value is plausible."""
    plausible_range = PLAUSIBLE_RANGES[quantity]
    if plausible_range.least <= abs(value) <= plausible_range.most:
        return None
    low, high = plausible_range.likely
    likely_units = [unit for unit, factor in plausible_range.slips.items() if low <= abs(value) * factor <= high]
    return f"looks like {' or '.join(likely_units)}" if likely_units else f"is it in {plausible_range.unit}?"


def _part_sizes(mechanism: Mechanism) -> dict[str, float]:
    """Sizes of all parts with a size, m."""
    sizes = {f"{part.kind} '{name}'": part.length for name, part in mechanism.parts.items()}
    return {name: size for name, size in sizes.items() if size > 0.0}


def _check_sizes(mechanism: Mechanism) -> Iterator[str]:
    """Yield one warning for all parts, because a wrong unit concerns all lengths."""
    sizes = _part_sizes(mechanism)
    if sizes:
        name, size = max(sizes.items(), key=lambda part: part[1])
        problem = describe_implausible_value("length", size)
        if problem:
            yield f"{name} is {size:.4g} m long (lengths are in m, or have a unit, as in 240 mm): {problem}"


def _check_masses(mechanism: Mechanism) -> Iterator[str]:
    """Yield one warning for all bodies. Bodies may be compact and have an irrelevant inertia, so their possible size is
    judged by the largest part of the mechanism."""
    largest = max(_part_sizes(mechanism).values(), default=0.0)
    worst, text = 0.0, ""
    for name, body in mechanism.body_names.items():
        kind = "link" if body.kind == "link" else "body"
        extent = body.length if kind == "link" else max(largest, 2.0 * _gyration_radius(body))
        ratio = body.mass / extent**3 if extent > 0.0 else 0.0
        problem = describe_implausible_value(
            f"mass of a {kind} per cube of its length", ratio
        ) or describe_implausible_value("mass", body.mass)
        if problem and ratio >= worst:
            solid = f" at {extent:.3g} m; a cube of steel as large has {7850.0 * extent**3:.2g} kg" if extent else ""
            worst = ratio
            text = f"{kind} '{name}' has {body.mass:.4g} kg{solid} (masses are in kg, or have a unit): {problem}"
    if text:
        yield text


def _check_gravity(mechanism: Mechanism) -> Iterator[str]:
    size = math.hypot(*mechanism.gravity)
    problem = describe_implausible_value("gravity", size) if size else None
    if problem:
        yield f"gravity is {size:.4g} m/s^2: {problem}"


def _check_angles(numbers: NumberReader) -> Iterator[str]:
    """Plain angles beyond a turn that are whole numbers."""
    for label, field, value in _iterate_given_angles(numbers):
        if looks_like_degrees(value):
            yield f"{label}: its {field} is {value:g} rad (write {value:g} deg if it is meant so): looks like degrees"


def _iterate_given_angles(numbers: NumberReader) -> Iterator[tuple[str, str, float]]:
    document = numbers.document
    for body in document.bodies:
        angle = getattr(body, "angle", None)
        if isinstance(angle, float):
            yield f"body '{body.name}'", "angle", angle
    for kind, entries in ((Joint, document.joints), (Force, document.forces)):
        registry: Any = kind.registry[document.dimension]
        for k, entry in enumerate(entries):
            for name, parameter in registry[entry["type"]].parameters.items():
                value = entry.get(name)
                if isinstance(parameter, Number) and parameter.unit == "rad" and isinstance(value, float):
                    yield _entry_label(entry, kind.__name__.lower(), k), name, value


def _check_drives(numbers: NumberReader, mechanism: Mechanism) -> Iterator[str]:
    """Drive angles over the duration of the analysis."""
    analysis = numbers.document.analysis
    until = None if analysis is None else _constant_value(numbers, analysis.until)
    end = max(until or 0.0, MIN_DRIVE_WINDOW_S)
    times = np.linspace(0.0, end, DRIVE_SAMPLE_COUNT)
    for names, element in zip(mechanism.constraint_names, mechanism.constraints, strict=True):
        parameters = [p for p in names.declaration.parameters.values() if getattr(p, "unit", "") == "rad"]
        if names.kind != "drive" or not parameters:
            continue
        for signal in element.signals:
            angle, rate, _ = evaluate_program(mechanism.signals[signal], times)
            is_finite = np.isfinite(angle) & np.isfinite(rate)
            if is_finite.any():
                problem = _check_rotation(angle[is_finite], rate[is_finite])
                if problem:
                    yield f"drive '{names.name}' {problem}"
                    break


def _check_rotation(angle: np.ndarray, rate: np.ndarray) -> str | None:
    fastest = float(np.abs(rate).max())
    steady = float(np.ptp(rate)) <= 1e-9 * fastest
    turns = f"turns {fastest / (2 * math.pi):.4g} times per second"
    if (
        steady
        and fastest >= RIGHT_ANGLE_DEGREES
        and abs(math.remainder(fastest, RIGHT_ANGLE_DEGREES)) <= 1e-9 * fastest
    ):
        return f"{turns}, {fastest:g} rad/s (angles are in rad, or have a unit, as in {fastest:g} deg*t): looks like degrees"
    swing = float(np.ptp(angle))
    if swing > MAX_SWING_RAD and rate.min() < -1e-9 * fastest and rate.max() > 1e-9 * fastest:
        turns = swing / (2 * math.pi)
        return f"swings by {swing:.4g} rad to and fro, {turns:.3g} turns (angles are in rad): looks like degrees"
    problem = describe_implausible_value("angular velocity", fastest)
    return f"{turns} at its fastest (angles are in rad): {problem}" if problem else None


def _check_speeds(numbers: NumberReader) -> Iterator[str]:
    document = numbers.document
    velocities = [(f"velocity of '{name}'", value) for name, value in document.velocities.items()]
    velocities += [(f"body '{body.name}'", body.velocity) for body in document.bodies if body.velocity is not None]
    for label, value in velocities:
        speed = math.hypot(*numbers.vector(value, label, ""))
        problem = describe_implausible_value("speed", speed)
        if problem:
            yield f"{label} starts at {speed:.4g} m/s: {problem}"
    for body in document.bodies:
        spin_vector = body.spin if isinstance(body.spin, list) else [body.spin or 0.0]
        spin = math.hypot(*(numbers.number(x, f"body '{body.name}'", "spin") for x in spin_vector))
        problem = describe_implausible_value("angular velocity", spin)
        if problem:
            yield f"body '{body.name}' starts to spin at {spin:.4g} rad/s: {problem}"


def _check_materials(numbers: NumberReader) -> Iterator[str]:
    document = numbers.document
    entries = [(f"beam '{beam.name}'", beam.youngs_modulus, beam.density) for beam in document.beams]
    for solid in document.solids:
        for material in solid.material if isinstance(solid.material, list) else [solid.material]:
            entries += [
                (f"solid '{solid.name}'", material.get("youngs_modulus"), material.get("density", solid.density))
            ]
    for k, contact in enumerate(document.contacts):
        material = contact.get("material")
        if material:
            label = f"contact '{contact['name']}'" if contact["name"] else f"contact {k + 1}"
            pairs = [
                value if isinstance(value, list) else [value]
                for value in (material["youngs_modulus"], material["density"])
            ]
            entries += [(label, e, pairs[1][min(j, len(pairs[1]) - 1)]) for j, e in enumerate(pairs[0])]
    for label, modulus, density in entries:
        e, rho = (_constant_value(numbers, value) for value in (modulus, density))
        problem = describe_implausible_value("Young's modulus", e) if e else None
        if problem is None and e and rho and rho > STIFF_MATERIAL_LIMITS[0] and e < STIFF_MATERIAL_LIMITS[1]:
            problem = "looks like MPa"
        if problem:
            yield f"{label} has a Young's modulus of {e:.4g} Pa: {problem}"
        problem = describe_implausible_value("density", rho) if rho else None
        if problem:
            yield f"{label} has a density of {rho:.4g} kg/m^3: {problem}"


def _check_springs(numbers: NumberReader, mechanism: Mechanism) -> Iterator[str]:
    """Springs with an implausibly high frequency for their size."""
    document = numbers.document
    registry: Any = Force.registry[document.dimension]
    for k, entry in enumerate(document.forces):
        parameter = registry[entry["type"]].parameters.get("stiffness")
        stiffness = (
            _constant_value(numbers, entry.get("stiffness")) if getattr(parameter, "unit", "") == "N/m" else None
        )
        ends = [str(entry.get(side)).partition(".")[0] for side in ("a", "b")]
        masses = [
            mechanism.parts[end].mass for end in ends if end in mechanism.parts and not mechanism.parts[end].flexible
        ]
        if stiffness and masses:
            frequency = math.sqrt(stiffness / min(masses)) / (2 * math.pi)
            problem = describe_implausible_value("frequency", frequency)
            if problem:
                label = _entry_label(entry, "force", k)
                yield f"{label} lets {min(masses):.3g} kg vibrate at {frequency:.3g} Hz: is its stiffness in N/m?"


def _check_unused_points(document: ModelDocument) -> Iterator[str]:
    """Unused points with a position: often a misspelling of a used one."""
    used = {name for part in (*document.links, *document.beams) for name in (part.from_, part.to)}
    for point in document.points:
        if point not in used:
            yield f"point '{point}' is drawn, but no link or beam begins or ends there"
    references = [
        *document.joints,
        *document.drives,
        *document.forces,
        *document.contacts,
        *document.velocities,
        *document.outputs,
        *(cuff.at for cuff in (document.worn.cuffs if document.worn else ())),
    ]
    used |= {word for text in _iterate_texts([*references, *document.gait.feet, document.gait.hip] if document.gait else
    references)
             for word in text.split(".")}  # fmt: skip
    for point in document.ground.points:
        if point not in used:
            yield f"ground point '{point}' is used by nothing"


def _iterate_texts(value: Any) -> Iterator[str]:
    """All strings in a value of a document."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, (dict, list)):
        for entry in value.values() if isinstance(value, dict) else value:
            yield from _iterate_texts(entry)


def _constant_value(numbers: NumberReader, value: Any) -> float | None:
    """Evaluated number, or None if it is no constant."""
    if value is None or isinstance(value, list):
        return None
    try:
        return numbers.number(value, "", "")
    except ModelError:
        return None


def _entry_label(entry: Mapping[str, Any], kind: str, k: int) -> str:
    return f"{kind} '{entry['name']}'" if entry.get("name") else f"{kind} {k + 1} ({entry['type']})"


def _gyration_radius(body: RigidBodyPart) -> float:
    return math.sqrt(float(np.max(np.abs(np.atleast_2d(body.inertia)))) / body.mass) if body.mass > 0.0 else 0.0
