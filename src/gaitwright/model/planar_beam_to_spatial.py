"""Conversion of a planar beam to a spatial one (planar_to_spatial.py), which bends in the plane of x and z as before.

Axis 2 of its section is the normal in that plane, in the direction of its height; its width is along axis 3, across the
plane. Its sections get no rotary inertia in the plane, as in the planar model. Undefined in the plane are the stiffness against
bending out of it and against twist: they are those of its width or diameter with Poisson's ratio 0.3, or for a section with
neither, those of a round section with the same EI. They only matter for motion out of the plane.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gaitwright._core.error_context import ErrorContext
from gaitwright.fem.beams.planar_beam import PlanarBeamPart
from gaitwright.mechanism.mechanism import Mechanism
from gaitwright.model.model import Model

ASSUMED_POISSONS_RATIO = 0.3
PRESTRESS_STRAIN = 1e-9
"""Strain at the start above which a beam counts as prestressed."""


def add_spatial_beam(space: Model, entry: Any, mechanism: Mechanism, pose: np.ndarray) -> None:
    """Add the beam of a planar document to a spatial model. pose: of the planar model, with closed joints."""
    part, label = mechanism.parts[entry.name], f"beam '{entry.name}'"
    assert isinstance(part, PlanarBeamPart)
    if part.formulation != "continuum-reduced":
        ErrorContext(label, "formulation" if entry.formulation != "continuum" else "integration").fail(
            "has no counterpart in space", part.formulation, "the formulation continuum with integration reduced"
        )
    strain = part.strain(pose).strain
    if strain > PRESTRESS_STRAIN:
        ErrorContext(label).fail(
            "is strained at the start: no counterpart in space", strain, "a beam that starts without stress"
        )
    nodes = pose[part.nodes]
    for name, (x, y) in ((entry.from_, nodes[0, :2]), (entry.to, nodes[-1, :2])):
        if name not in mechanism.ground_points and name not in space.document.points:
            space.point(name, float(x), 0.0, float(y))
    x, y = (float(part) for part in nodes[-1, :2] - nodes[0, :2])
    sizes = ("width", "height", "diameter") if entry.height is not None or entry.diameter is not None else ()
    fields = _spatial_section_fields(entry) | {
        name: getattr(entry, name) for name in sizes if getattr(entry, name) is not None
    }
    fields |= {
        "elements": entry.elements,
        "length": part.length,
        "points": dict(entry.points),
        "damping": entry.damping,
    }
    fields |= {"normal": [-y, 0.0, x], "curvature": [0.0, entry.curvature], "youngs_modulus": entry.youngs_modulus}
    space.beam(entry.name, entry.from_, entry.to, **fields)


def _spatial_section_fields(entry: Any) -> dict[str, Any]:
    """Stiffness, mass and inertia of the section, as expressions of the fields in the document."""

    def text(name: str) -> str | None:
        value = getattr(entry, name)
        return None if value is None else f"({value})"

    e, rho, b, h, d = (text(name) for name in ("youngs_modulus", "density", "width", "height", "diameter"))
    area = text("area") or (f"pi*{d}^2/4" if d else f"{b}*{h}")
    second = text("second_moment") or (f"pi*{d}^4/64" if d else f"{b}*{h}^3/12")
    axial, bending = text("axial_stiffness") or f"{e}*{area}", text("bending_stiffness") or f"{e}*{second}"
    mass = text("mass_per_length") or f"{rho}*{area}"
    lateral, twist, gyration2 = bending, f"{bending}*{1.0 / (1.0 + ASSUMED_POISSONS_RATIO)!r}", f"{bending}/({axial})"
    if b and h and e:
        lateral, gyration2 = f"{e}*{h}*{b}^3/12", f"{b}^2/12"
        short, long = f"min({b},{h})", f"max({b},{h})"
        twist = f"{e}*{1.0 / (2.0 + 2.0 * ASSUMED_POISSONS_RATIO)!r}*{long}*{short}^3*(1/3-0.21*{short}/{long})"
    return {
        "axial_stiffness": axial, "bending_stiffness": [lateral, bending], "torsional_stiffness": twist,
        "mass_per_length": mass, "inertia_per_length": [f"{mass}*{gyration2}", 0.0],
    }  # fmt: skip
