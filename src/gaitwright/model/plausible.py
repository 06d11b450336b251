"""What looks like a slip of units: sizes, masses, speeds, densities and stiffnesses that walking machines, orthoses and people
do not have, with what they look like. Never an error: warnings of `check` and of results.

Whole models are looked at where a person asks for one; variants of a sweep are not.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from gaitwright.checks import like_degrees
from gaitwright.errors import ModelError
from gaitwright.model.scope import Scope
from gaitwright.model.spec import Document
from gaitwright.physics.declare import Force, Joint, Number
from gaitwright.system.mechanism import Mechanism
from gaitwright.system.parts.body import Body
from gaitwright.system.signals import evaluate_program


class Usual(NamedTuple):
    """least, most: outside of them a value is doubted. likely: where it should be once a slip is put right. slips: units in
    which it may have been given by mistake, and what one of them is in SI."""

    unit: str
    least: float
    most: float
    likely: tuple[float, float]
    slips: Mapping[str, float]


DEGREE = math.pi / 180
USUAL = {
    # from the links of a walking toy to those of a machine that carries people
    "length": Usual("m", 5e-4, 10.0, (0.01, 3.0), {"millimetres": 1e-3, "centimetres": 1e-2}),
    "mass": Usual("kg", 1e-7, 2e4, (1e-3, 200.0), {"grams": 1e-3}),
    # a solid cube of steel has 7850 kg/m^3, a bar of steel a tenth as thick as it is long 79 kg per cube of its length
    "mass of a link per cube of its length": Usual("kg/m^3", 0.0, 4000.0, (0.1, 1000.0), {"grams": 1e-3}),
    "mass of a body per cube of its length": Usual("kg/m^3", 0.0, 8000.0, (0.1, 4000.0), {"grams": 1e-3}),
    "angular velocity": Usual("rad/s", 0.0, 1000.0, (0.1, 100.0), {"degrees": DEGREE}),
    "speed": Usual("m/s", 0.0, 200.0, (0.01, 20.0), {"millimetres per second": 1e-3}),
    "gravity": Usual("m/s^2", 0.1, 100.0, (1.0, 30.0), {"mm/s^2": 1e-3, "cm/s^2": 1e-2}),
    # from foams and gels to diamond; from the lightest foam to osmium
    "Young's modulus": Usual("Pa", 1e3, 2e12, (1e6, 1.3e12), {"GPa": 1e9, "MPa": 1e6}),
    "density": Usual("kg/m^3", 25.0, 23_000.0, (100.0, 23_000.0), {"g/cm^3": 1e3, "kg/mm^3": 1e9, "t/mm^3": 1e12}),
    "frequency": Usual("Hz", 0.0, 1e6, (0.1, 1e5), {}),
}
METAL = (2500.0, 1e8)
"""Density, kg/m^3, from which on a Young's modulus, Pa, below this looks like a slip: stone and metals are stiff."""
SWING = 1.5 * 2 * math.pi
"""rad: what turns to and fro by more than that looks like degrees."""
RIGHT_ANGLE = 90.0
"""Whole multiples of it, in rad/s, look like degrees."""
SOONER, INSTANTS = 1.0, 64
"""s, how far drives are looked at at the least; and at how many instants."""


def doubts(document: Document, mechanism: Mechanism, parameters: Mapping[str, float]) -> list[str]:
    """Sentences about what looks like a slip, and about points that nothing uses."""
    scope = Scope(document, dict(parameters))
    groups = (_sizes(mechanism), _masses(mechanism), _gravity(mechanism), _angles(scope), _drives(scope, mechanism),
              _speeds(scope), _materials(scope), _springs(scope, mechanism), _unused(document))  # fmt: skip
    return [text for group in groups for text in group]


def looks_like(quantity: str, value: float) -> str | None:
    """What a value of a quantity looks like, for the end of a sentence; None if it is a usual one."""
    usual = USUAL[quantity]
    if usual.least <= abs(value) <= usual.most:
        return None
    low, high = usual.likely
    meant = [unit for unit, factor in usual.slips.items() if low <= abs(value) * factor <= high]
    return f"looks like {' or '.join(meant)}" if meant else f"is it in {usual.unit}?"


def _parts(mechanism: Mechanism) -> dict[str, float]:
    """Sizes of all parts that have one, m."""
    sizes = {f"{part.kind} '{name}'": part.length for name, part in mechanism.parts.items()}
    return {name: size for name, size in sizes.items() if size > 0.0}


def _sizes(mechanism: Mechanism) -> Iterator[str]:
    """Of all parts one sentence: a slip concerns all lengths."""
    sizes = _parts(mechanism)
    if sizes:
        name, size = max(sizes.items(), key=lambda part: part[1])
        said = looks_like("length", size)
        if said:
            yield f"{name} is {size:.4g} m long (lengths are in m, or have a unit, as in 240 mm): {said}"


def _masses(mechanism: Mechanism) -> Iterator[str]:
    """Of all bodies one sentence. Bodies may be compact and have an inertia that does not matter, so that only the largest
    part of the mechanism tells how large they can be."""
    largest = max(_parts(mechanism).values(), default=0.0)
    worst, text = 0.0, ""
    for name, body in mechanism.body_names.items():
        kind = "link" if body.kind == "link" else "body"
        extent = body.length if kind == "link" else max(largest, 2.0 * _gyration(body))
        ratio = body.mass / extent**3 if extent > 0.0 else 0.0
        said = looks_like(f"mass of a {kind} per cube of its length", ratio) or looks_like("mass", body.mass)
        if said and ratio >= worst:
            solid = f" at {extent:.3g} m; a cube of steel as large has {7850.0 * extent**3:.2g} kg" if extent else ""
            worst = ratio
            text = f"{kind} '{name}' has {body.mass:.4g} kg{solid} (masses are in kg, or have a unit): {said}"
    if text:
        yield text


def _gravity(mechanism: Mechanism) -> Iterator[str]:
    size = math.hypot(*mechanism.gravity)
    said = looks_like("gravity", size) if size else None
    if said:
        yield f"gravity is {size:.4g} m/s^2: {said}"


def _angles(scope: Scope) -> Iterator[str]:
    """Plain angles beyond a turn that are whole numbers."""
    for label, field, value in _given_angles(scope):
        if like_degrees(value):
            yield f"{label}: its {field} is {value:g} rad (write {value:g} deg if it is meant so): looks like degrees"


def _given_angles(scope: Scope) -> Iterator[tuple[str, str, float]]:
    document = scope.document
    for body in document.bodies:
        angle = getattr(body, "angle", None)
        if isinstance(angle, float):
            yield f"body '{body.name}'", "angle", angle
    for kind, entries in ((Joint, document.joints), (Force, document.forces)):
        registry: Any = kind.registry[document.dimension]
        for k, entry in enumerate(entries):
            for name, parameter in registry[entry["type"]].parameters.items():
                given = entry.get(name)
                if isinstance(parameter, Number) and parameter.unit == "rad" and isinstance(given, float):
                    yield _label(entry, kind.__name__.lower(), k), name, given


def _drives(scope: Scope, mechanism: Mechanism) -> Iterator[str]:
    """Angles over time, as far as the analysis goes."""
    analysis = scope.document.analysis
    until = None if analysis is None else _constant(scope, analysis.until)
    end = max(until or 0.0, SOONER)
    times = np.linspace(0.0, end, INSTANTS)
    for names, element in zip(mechanism.constraint_names, mechanism.constraints, strict=True):
        parameters = [p for p in names.declaration.parameters.values() if getattr(p, "unit", "") == "rad"]
        if names.kind != "drive" or not parameters:
            continue
        for signal in element.signals:
            angle, rate, _ = evaluate_program(mechanism.signals[signal], times)
            known = np.isfinite(angle) & np.isfinite(rate)
            if known.any():
                said = _turning(angle[known], rate[known])
                if said:
                    yield f"drive '{names.name}' {said}"
                    break


def _turning(angle: np.ndarray, rate: np.ndarray) -> str | None:
    fastest = float(np.abs(rate).max())
    steady = float(np.ptp(rate)) <= 1e-9 * fastest
    turns = f"turns {fastest / (2 * math.pi):.4g} times per second"
    if steady and fastest >= RIGHT_ANGLE and abs(math.remainder(fastest, RIGHT_ANGLE)) <= 1e-9 * fastest:
        return f"{turns}, {fastest:g} rad/s (angles are in rad, or have a unit, as in {fastest:g} deg*t): looks like degrees"
    swing = float(np.ptp(angle))
    if swing > SWING and rate.min() < -1e-9 * fastest and rate.max() > 1e-9 * fastest:
        turns = swing / (2 * math.pi)
        return f"swings by {swing:.4g} rad to and fro, {turns:.3g} turns (angles are in rad): looks like degrees"
    said = looks_like("angular velocity", fastest)
    return f"{turns} at its fastest (angles are in rad): {said}" if said else None


def _speeds(scope: Scope) -> Iterator[str]:
    document = scope.document
    wanted = [(f"velocity of '{name}'", value) for name, value in document.velocities.items()]
    wanted += [(f"body '{body.name}'", body.velocity) for body in document.bodies if body.velocity is not None]
    for label, value in wanted:
        speed = math.hypot(*scope.vector(value, label, ""))
        said = looks_like("speed", speed)
        if said:
            yield f"{label} starts at {speed:.4g} m/s: {said}"
    for body in document.bodies:
        given = body.spin if isinstance(body.spin, list) else [body.spin or 0.0]
        spin = math.hypot(*(scope.number(x, f"body '{body.name}'", "spin") for x in given))
        said = looks_like("angular velocity", spin)
        if said:
            yield f"body '{body.name}' starts to spin at {spin:.4g} rad/s: {said}"


def _materials(scope: Scope) -> Iterator[str]:
    document = scope.document
    entries = [(f"beam '{beam.name}'", beam.youngs_modulus, beam.density) for beam in document.beams]
    for solid in document.solids:
        for one in solid.material if isinstance(solid.material, list) else [solid.material]:
            entries += [(f"solid '{solid.name}'", one.get("youngs_modulus"), one.get("density", solid.density))]
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
        e, rho = (_constant(scope, value) for value in (modulus, density))
        said = looks_like("Young's modulus", e) if e else None
        if said is None and e and rho and rho > METAL[0] and e < METAL[1]:
            said = "looks like MPa"
        if said:
            yield f"{label} has a Young's modulus of {e:.4g} Pa: {said}"
        said = looks_like("density", rho) if rho else None
        if said:
            yield f"{label} has a density of {rho:.4g} kg/m^3: {said}"


def _both(value: Any) -> list[Any]:
    """Of the surface and of what touches it."""
    return value if isinstance(value, list) else [value, value]


def _springs(scope: Scope, mechanism: Mechanism) -> Iterator[str]:
    """Springs that would vibrate faster than anything of that size."""
    document = scope.document
    registry: Any = Force.registry[document.dimension]
    for k, entry in enumerate(document.forces):
        parameter = registry[entry["type"]].parameters.get("stiffness")
        stiffness = _constant(scope, entry.get("stiffness")) if getattr(parameter, "unit", "") == "N/m" else None
        ends = [str(entry.get(side)).partition(".")[0] for side in ("a", "b")]
        masses = [
            mechanism.parts[end].mass for end in ends if end in mechanism.parts and not mechanism.parts[end].flexible
        ]
        if stiffness and masses:
            frequency = math.sqrt(stiffness / min(masses)) / (2 * math.pi)
            said = looks_like("frequency", frequency)
            if said:
                label = _label(entry, "force", k)
                yield f"{label} lets {min(masses):.3g} kg vibrate at {frequency:.3g} Hz: is its stiffness in N/m?"


def _unused(document: Document) -> Iterator[str]:
    """Points that have a place, but nothing at it: often another spelling of one that is used."""
    used = {name for part in (*document.links, *document.beams) for name in (part.from_, part.to)}
    for point in document.points:
        if point not in used:
            yield f"point '{point}' is drawn, but no link or beam begins or ends there"
    said = [
        *document.joints,
        *document.drives,
        *document.forces,
        *document.contacts,
        *document.velocities,
        *document.outputs,
        *(cuff.at for cuff in (document.worn.cuffs if document.worn else ())),
    ]
    used |= {word for text in _texts([*said, *document.gait.feet, document.gait.hip] if document.gait else said)
             for word in text.split(".")}  # fmt: skip
    for point in document.ground.points:
        if point not in used:
            yield f"ground point '{point}' is used by nothing"


def _texts(value: Any) -> Iterator[str]:
    """All texts in a value of a document."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, (dict, list)):
        for entry in value.values() if isinstance(value, dict) else value:
            yield from _texts(entry)


def _constant(scope: Scope, value: Any) -> float | None:
    """A number, if it is one that does not change along a beam."""
    if value is None or isinstance(value, list):
        return None
    try:
        return scope.number(value, "", "")
    except ModelError:
        return None


def _label(entry: Mapping[str, Any], kind: str, k: int) -> str:
    return f"{kind} '{entry['name']}'" if entry.get("name") else f"{kind} {k + 1} ({entry['type']})"


def _gyration(body: Body) -> float:
    return math.sqrt(float(np.max(np.abs(np.atleast_2d(body.inertia)))) / body.mass) if body.mass > 0.0 else 0.0
