"""A pad of a cuff on a limb: size, position, soft layers below it, strap and friction.

The frame is that of the limb's segment: x forward, y along the limb, z to the right; the origin is the centre of the cuff, on
the limb's axis. A point of the skin is (R cos a, y, R sin a): a = 0 lies in front, 90 degrees at the right, 180 behind.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from gaitwright._core.error_context import ErrorContext, is_number
from gaitwright.foot.soft_layers import SoftLayer, combine_in_series
from gaitwright.mesh.cell_kinds import Array
from gaitwright.wear.body_regions import find_body_region

FACING_ANGLES_DEG = {"front": 0.0, "right": 90.0, "back": 180.0, "left": 270.0}
"""Sides of a limb, degrees from the front towards the right."""
SKIN_FRICTION = 0.5
"""Friction coefficient of skin on the lining of a cuff: 0.3 to 0.7 by cloth and sweat; from memory, an order of magnitude."""
MAX_LIMB_RADIUS_M, MIN_PLANE_RADIUS_M = 0.5, 1000.0
"""m: largest radius of a limb or a trunk; smallest radius that stands for a plane."""
STRAP_STIFFNESS_N_PER_M = 1.0e4
"""N/m, of a strap of webbing and hook tape some 0.2 m long; an order of magnitude."""


@dataclass(frozen=True)
class CuffPad:
    """Pad on a limb. region: of the body (body.yaml); it gives the defaults of radius, m, and tissue. width: m, along the
    limb.
    around: degrees, angle around the limb; 360 is a closed cuff. facing: front, back, left, right, or degrees: the side of
    the limb with the pad's middle. radius: m, of the limb; two values, (lower, upper) edge of the pad, define a cone.
    cushion: the pad's own soft layer; default: none. shape: m, radius of the pad's inner side if it does not fit the limb;
    math.inf for a flat pad. strap: N, tension of the strap that closes the cuff behind the pad; None: no strap, the pad
    can only press.
    strap_stiffness: N/m. friction: coefficient on skin. bone: m, radius of the rigid core, for the solid method. cells:
    (along, around), number of cells. Raises ModelError for invalid values."""

    region: str
    width: float
    around: float = 180.0
    facing: str | float = "front"
    radius: float | Sequence[float] | None = None
    tissue: SoftLayer | None = None
    cushion: SoftLayer | None = None
    shape: float | None = None
    strap: float | None = None
    strap_stiffness: float = STRAP_STIFFNESS_N_PER_M
    friction: float = SKIN_FRICTION
    bone: float | None = None
    cells: tuple[int, int] | None = None
    name: str = ""

    def __post_init__(self) -> None:
        at = self.at
        known = find_body_region(self.region, at["region"])
        object.__setattr__(self, "region", known.name)
        at["width"].positive(self.width, "m")
        if self.width > 0.6:
            reads = f"{self.width:g} reads like mm" if self.width >= 10.0 else "in m"
            at["width"].fail("is wider than a limb is long", self.width, f"up to 0.6 m; {reads}")
        self._around(known.radius)
        if self.shape is not None and not (self.shape == math.inf or (is_number(self.shape) and self.shape > 0.0)):
            at["shape"].fail("is no radius", self.shape, "a positive number of m, or math.inf for a flat pad")
        if self.shape is not None and self.around > 170.0:
            at["shape"].fail(
                "is of a pad that goes further around", self.around, "up to 170 degrees where pad and limb differ"
            )
        if self.strap is not None:
            at["strap"].not_negative(at["strap"].finite(self.strap, "a tension, N"), "a tension, N; 0 or more")
        at["strap_stiffness"].positive(self.strap_stiffness, "N/m")
        at["friction"].not_negative(at["friction"].finite(self.friction, "a number"), "a number, 0 or more")
        if self.facing_angle is None:
            at["facing"].fail(
                "is no side", self.facing, f"one of {', '.join(FACING_ANGLES_DEG)}, or degrees from the front"
            )
        for name in ("tissue", "cushion"):
            layer = getattr(self, name)
            if layer is not None and not isinstance(layer, SoftLayer):
                at[name].fail(
                    "is no layer",
                    layer,
                    "gaitwright.foot.soft_layers.SoftLayer(thickness, youngs_modulus, poissons_ratio)",
                )
        cells = self.cells or (12, max(8, math.ceil(self.around / 5.0)))
        if not isinstance(cells, (tuple, list)) or len(cells) != 2:
            at["cells"].fail("are no numbers of cells", cells, "two: (along, around)")
        along, around = cells
        along = at["cells"].whole(along, "is no number of cells", "1 or more")
        around = at["cells"].whole(around, "is no number of cells", "3 or more", least=3)
        object.__setattr__(self, "cells", (along, around))

    def _around(self, usual: float) -> None:
        """Check and set the limb's radii, and check the angle around it."""
        at = self.at
        radii = at["radius"].numbers(usual if self.radius is None else self.radius, "one or two radii, m")
        if radii.size not in (1, 2) or not np.all(np.isfinite(radii)) or np.any(radii <= 0.0):
            at["radius"].fail("is no radius of a limb", self.radius, "one positive number of m, or two: (lower, upper)")
        if np.any((radii > MAX_LIMB_RADIUS_M) & (radii < MIN_PLANE_RADIUS_M)):
            expected = f"up to {MAX_LIMB_RADIUS_M:g} m; {MIN_PLANE_RADIUS_M:g} m or more for a plane"
            at["radius"].fail("is more than a limb has, reads like mm", self.radius, expected)
        object.__setattr__(self, "radius", tuple(np.broadcast_to(radii.ravel(), (2,)).tolist()))
        at["around"].positive(self.around, "degrees")
        if self.around > 360.0:
            girth = 2.0 * math.pi * self.mean_radius
            at["around"].fail(
                "is more than the limb's circumference",
                self.around,
                f"up to 360 degrees, which is {1e3 * girth:.0f} mm here",
            )

    @classmethod
    def of_length(cls, region_name: str, width: float, length: float, **more: Any) -> CuffPad:
        """Build a pad from its length around the limb, m, instead of an angle."""
        plain = cls(region_name, width, around=1.0, **more)
        girth = 2.0 * math.pi * plain.mean_radius
        at = plain.at["length"]
        at.positive(length, "m")
        if length > girth * (1.0 + 1e-9):
            at.fail(
                "is more than the limb's circumference",
                length,
                f"up to {girth:.3g} m around a {plain.region} of this size",
            )
        return cls(region_name, width, around=min(360.0, 360.0 * length / girth), **more)

    @property
    def at(self) -> ErrorContext:
        """Error context for messages about this pad."""
        return ErrorContext(f"pad '{self.name}'" if self.name else f"pad on the {self.region}")

    @property
    def facing_angle(self) -> float | None:
        """Degrees from the front towards the right; None if `facing` is invalid."""
        if isinstance(self.facing, str):
            return FACING_ANGLES_DEG.get(self.facing)
        return float(self.facing) if is_number(self.facing) else None

    @property
    def outward(self) -> Array:
        """(3,): unit vector from the limb's axis to the middle of the pad."""
        angle = math.radians(self.facing_angle or 0.0)
        return np.array([math.cos(angle), 0.0, math.sin(angle)])

    @property
    def mean_radius(self) -> float:
        """Mean of the two radii, m."""
        lower, upper = self.radius  # type: ignore[misc]
        return 0.5 * (lower + upper)

    @property
    def length(self) -> float:
        """Length around the limb, m."""
        return math.radians(self.around) * self.mean_radius

    @property
    def projected_area(self) -> float:
        """Area of the pressed side projected along the force, m^2: w 2 R sin(min(around, 180 degrees)/2)."""
        return 2.0 * self.mean_radius * math.sin(math.radians(min(self.around, 180.0)) / 2.0) * self.width

    @property
    def soft(self) -> SoftLayer:
        """Soft tissue of the limb."""
        return self.tissue or find_body_region(self.region).tissue

    @property
    def stiffness(self) -> tuple[float, float]:
        """(normal, tangential) foundation stiffness, Pa/m: tissue and cushion in series, 1/k = sum t_i/K_i with the
        oedometric modulus K = E (1 - nu)/((1 + nu) (1 - 2 nu)), and 1/k_t = sum t_i/G_i."""
        soft = self.soft
        given = (np.array(soft.thickness), np.array(soft.youngs_modulus), np.array(soft.poissons_ratio))
        thickness, youngs, nu = combine_in_series(*given, [self.cushion] if self.cushion else [])
        confined = youngs * (1.0 - nu) / ((1.0 + nu) * (1.0 - 2.0 * nu))
        return float(confined / thickness), float(youngs / (2.0 * (1.0 + nu)) / thickness)
