"""Contact parameters from materials and radii: Hertz's stiffness, and the approach speed up to which it is valid."""

from __future__ import annotations

import math

from gaitwright._core.error_context import ErrorContext


def hertz_stiffness(
    radius_a: float,
    radius_b: float,
    youngs_modulus_a: float,
    youngs_modulus_b: float,
    poissons_ratio_a: float,
    poissons_ratio_b: float,
) -> float:
    """Return K (N/m^1.5) of F = K d^(3/2) between two spheres, a and b.

        K = 4 / (3 (s_a + s_b)) sqrt(R),     s = (1 - nu^2) / E,     1/R = 1/R_a + 1/R_b

    radius (m): `math.inf` for a plane, negative for a hollow sphere that is larger than the other body. Young's modulus
    (Pa): `math.inf` for a rigid body. Raises ModelError for values out of range. Valid for a contact area that is small against
    the radii, so not for a ball that nearly fills its socket, and not for cylinders side by side or for layers such as a sole.
    Source: paper 004 Eq 2.2 and 2.3."""
    for field, radius in (("radius_a", radius_a), ("radius_b", radius_b)):
        if not radius or math.isnan(radius):
            ErrorContext(field=field).fail(
                "a sphere of no size cannot press on anything",
                radius,
                "a number of m, math.inf for a plane, negative for a hollow sphere",
            )
    curvature = 1 / radius_a + 1 / radius_b
    if curvature <= 0:
        flat = math.isinf(radius_a) and math.isinf(radius_b)
        ErrorContext(field="radius_b").fail(
            "two planes do not touch at a point" if flat else "the body does not fit into the hollow",
            radius_b,
            "at least one sphere; a flat pad has its own stiffness, with exponent 1"
            if flat
            else f"1/radius_a + 1/radius_b above 0, with radius_a = {radius_a!r}",
        )
    compliance = _compliance("a", youngs_modulus_a, poissons_ratio_a)
    compliance += _compliance("b", youngs_modulus_b, poissons_ratio_b)
    if compliance == 0:
        ErrorContext(field="youngs_modulus_b").fail(
            "two rigid bodies have no contact stiffness",
            youngs_modulus_b,
            "a finite Young's modulus for at least one of them",
        )
    return 4 / (3 * compliance) / math.sqrt(curvature)


def _compliance(body: str, youngs_modulus: float, poissons_ratio: float) -> float:
    """(1 - nu^2) / E, 1/Pa."""
    if not youngs_modulus > 0:
        ErrorContext(field=f"youngs_modulus_{body}").fail(
            "a material without stiffness carries nothing",
            youngs_modulus,
            "a number of Pa above 0, for example 207e9 for steel, or math.inf for a rigid body",
        )
    if not -1 < poissons_ratio <= 0.5:
        ErrorContext(field=f"poissons_ratio_{body}").fail(
            "no stable isotropic material has this ratio",
            poissons_ratio,
            "above -1 and at most 0.5, for example 0.3 for steel",
        )
    return (1 - poissons_ratio**2) / youngs_modulus


def fastest_approach(youngs_modulus: float, density: float) -> float:
    """Return the approach speed (m/s) up to which an impact is slow enough for a contact law: 1e-5 sqrt(E / rho).

    youngs_modulus: E, Pa. density: rho, kg/m^3. Raises ModelError unless both are positive and finite.

    sqrt(E / rho) is the speed of elastic waves. Beyond 1e-5 of it, part of the energy is radiated as waves or yields the
    material, and a law with a static elastic part is not valid. Steel (207 GPa, 7800 kg/m^3): 0.05 m/s; real
    walking machines are often faster, and their restitution then decreases with the speed. Paper 003 below Eq 3.9, after
    A. E. H. Love, *A Treatise on the Mathematical Theory of Elasticity*, 4th edition, Cambridge 1927."""
    for field, value, unit, example in (
        ("youngs_modulus", youngs_modulus, "Pa", "207e9"), ("density", density, "kg/m^3", "7800"),
    ):  # fmt: skip
        if not 0 < value < math.inf:
            ErrorContext(field=field).fail(
                "is not positive and finite", value, f"a number of {unit} above 0, for example {example} for steel"
            )
    return 1e-5 * math.sqrt(youngs_modulus / density)
