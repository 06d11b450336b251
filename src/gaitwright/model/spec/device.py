"""Schema of the section `worn`, which makes a spatial model a wearable device; only used by wear/.

The device is drawn on a person standing upright with all joints at zero: x forward, y left, z up, the soles at z = 0 and the
middle of the hips above the origin. Parts for one leg are drawn on the right one.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from gaitwright._core.error_context import ErrorContext
from gaitwright.model.spec.field_types import (
    Area,
    Dimensionless,
    Length,
    LengthTriple,
    Modulus,
    Name,
    Reference,
    StrictSpec,
    Time,
    number_list_type,
)

PAIRED_SEGMENTS = ("thigh", "shank", "foot")
"""Segments on both legs; without a side, the one of the leg that wears the device."""
PERSON_SEGMENTS = (
    "pelvis",
    "trunk",
    *PAIRED_SEGMENTS,
    *(f"{side}_{kind}" for side in ("right", "left") for kind in PAIRED_SEGMENTS),
)


class PadSpec(StrictSpec):
    """Soft pad between device and limb. Flat, on one face of the limb, or all around it, as a cuff with straps."""

    youngs_modulus: Modulus = Field(description="Young's modulus of the pad, in Pa")
    poissons_ratio: Dimensionless = 0.3
    thickness: Length = Field(description="of the pad, a number of m")
    width: Length | None = Field(None, description="across the limb, of a flat pad, m")
    height: Length = Field(description="along the limb, m")
    radius: Length | None = Field(None, description="of the limb there, m; of a pad around it, and for its pressure")
    face: Literal["front", "back", "outer", "inner", "around", "below", "above"] = "around"
    area: Area | None = Field(None, description="of a flat pad, m^2; width times height unless given")


class CuffSpec(StrictSpec):
    """Attaches a point of the device to a segment of the person."""

    name: Name
    at: Reference = Field(description="the attached point of the device, such as frame.calf")
    segment: Literal[PERSON_SEGMENTS] = Field(description="a segment of the person, such as shank or pelvis")  # type: ignore[valid-type]
    type: Literal["rigid", "bushing", "pad"] = "rigid"
    place: LengthTriple | None = Field(
        None, description="where on the segment, in its frame, m; where it is drawn unless given"
    )
    stiffness: number_list_type("N/m", 3) | None = Field(None, description="along x, y, z of the segment, N/m")  # type: ignore[valid-type]
    torsional_stiffness: number_list_type("N m/rad", 3) | None = Field(  # type: ignore[valid-type]
        None, description="about x, y, z of the segment, N m/rad"
    )
    damping: Time | None = Field(None, description="damping over stiffness, a time in s")
    pad: PadSpec | None = None


class DeviceSpec(StrictSpec):
    """side: of the body, for parts of one leg. over_cycle: series that are functions of the gait cycle, 0 to 1."""

    side: Literal["right", "left", "both"] | None = None
    cuffs: Annotated[list[CuffSpec], Field(min_length=1)] = Field(description="attachments of the device to the person")
    over_cycle: list[Name] = []


def validate_device(worn: DeviceSpec, series: Any) -> None:
    """ModelError if fields of cuffs contradict each other."""
    names: set[str] = set()
    for cuff in worn.cuffs:
        context = ErrorContext(f"cuff '{cuff.name}'")
        context["name"].unused(cuff.name, names)
        names.add(cuff.name)
        side = cuff.segment.partition("_")[0]
        if side in ("right", "left") and worn.side not in (None, side):
            context["segment"].fail(
                f"is on the {side} leg, but the device is worn on {_describe_side(worn.side)}",
                cuff.segment,
                f"{cuff.segment.partition('_')[2]}, which is that of the leg, or side: {side}",
            )
        if side in ("right", "left") and any(other.segment in PAIRED_SEGMENTS for other in worn.cuffs):
            context["segment"].fail(
                "names a side, and other cuffs of the device do not",
                cuff.segment,
                f"{cuff.segment.partition('_')[2]}, of the leg that wears it; or a side for every cuff on a leg",
            )
        needed = {"bushing": "stiffness", "pad": "pad"}.get(cuff.type)
        if needed and getattr(cuff, needed) is None:
            expected = {"stiffness": "[along x, y, z of the segment] in N/m", "pad": "its material and size"}[needed]
            context[needed].fail("is missing", expected=expected)
        for field, kinds in (("stiffness", ("bushing",)), ("torsional_stiffness", ("bushing",)), ("pad", ("pad",)),
                             ("damping", ("bushing", "pad"))):  # fmt: skip
            if getattr(cuff, field) is not None and cuff.type not in kinds:
                context[field].fail(
                    f"belongs to a cuff of type {' or '.join(kinds)}, and this is {cuff.type}",
                    expected=f"type: {kinds[0]}, or a cuff without it",
                )
        if cuff.pad is not None:
            _check_pad(cuff.pad, ErrorContext(f"cuff '{cuff.name}'"))
    for name in worn.over_cycle:
        ErrorContext("worn", "over_cycle").one_of(name, list(series), "there is no such series")


def _check_pad(pad: PadSpec, at: ErrorContext) -> None:
    if pad.face == "around":
        if pad.radius is None:
            at["pad.radius"].fail("is missing", expected="the radius of the limb, m, or a face such as front")
        for field in ("width", "area"):
            if getattr(pad, field) is not None:
                at[f"pad.{field}"].fail(
                    "is for a flat pad, and this one goes around the limb", expected="a face such as front"
                )
    elif pad.width is None:
        at["pad.width"].fail("is missing", expected="the size of the pad across the limb, m")


def _describe_side(side: str | None) -> str:
    return "both" if side == "both" else f"the {side}"
