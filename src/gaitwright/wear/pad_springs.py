"""A soft pad between device and limb as a spring in six directions, in the axes of the segment: x forward, y up, z right.

Flat pad of area A = w h and thickness t, with shear modulus G = E / (2 (1 + nu)); each area element is a column that is
compressed along the normal and sheared across it:

    along the normal E A / t, across it G A / t
    about the line along the limb E A w^2 / 12 t, about that across it E A h^2 / 12 t, about the normal G A (w^2 + h^2) / 12 t

Around a limb of radius r, A = 2 pi r h, the same summed over all directions of the normal:

    across the limb (E + G) A / 2 t, along it G A / t
    about the limb G A r^2 / t, about lines across it ((E + G) h^2 / 12 + G r^2) A / 2 t

E is the modulus of the pad with free lateral expansion; a thin one between stiff shells is stiffer. The limb's own
compliance is not included.
"""

from __future__ import annotations

from collections.abc import Mapping

FACE_NORMAL_AXES = {"front": 0, "back": 0, "above": 1, "below": 1, "outer": 2, "inner": 2}
"""Axis of the segment along the normal of a flat pad, by face."""
AxisTriple = tuple[float, float, float]


def pad_stiffness(pad: Mapping[str, float], face: str) -> tuple[AxisTriple, AxisTriple]:
    """Stiffness along, N/m, and about, N m/rad, x, y, z of the segment. pad: youngs_modulus, Pa, poissons_ratio, thickness,
    height, and width or radius, m. face: see FACE_NORMAL_AXES, or around."""
    e, t, h = pad["youngs_modulus"], pad["thickness"], pad["height"]
    g = e / (2 * (1 + pad["poissons_ratio"]))
    if face == "around":
        r = pad["radius"]
        area = 6.283185307179586 * r * h
        lateral, tilting = 0.5 * (e + g) * area / t, 0.5 * ((e + g) * h**2 / 12 + g * r**2) * area / t
        return (lateral, g * area / t, lateral), (tilting, g * area * r**2 / t, tilting)
    w = pad["width"]
    area = pad.get("area", w * h)
    normal = FACE_NORMAL_AXES[face]
    # the two edges of the pad: across the limb and along it; for a sole or a seat: forward and sideways
    first_axis, lateral = {0: (1, 2), 1: (0, 2), 2: (1, 0)}[normal]
    shift, turn = [g * area / t] * 3, [0.0] * 3
    shift[normal] = e * area / t
    turn[first_axis], turn[lateral], turn[normal] = (
        e * area * w**2 / (12 * t), e * area * h**2 / (12 * t), g * area * (w**2 + h**2) / (12 * t)
    )  # fmt: skip
    return (shift[0], shift[1], shift[2]), (turn[0], turn[1], turn[2])
