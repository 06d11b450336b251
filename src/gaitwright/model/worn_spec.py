"""What makes a model in space a device that is worn: the fields of the section `worn`, read by wear/ and by nothing else.

The device is drawn on a person who stands upright with all joints at zero: x forward, y left, z up, the soles at z = 0 and the
middle of the hips above the origin. What belongs to one leg is drawn on the right one.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from gaitwright.checks import At
from gaitwright.model.fields import (
    Area,
    Length,
    Modulus,
    Name,
    Plain,
    Reference,
    Strict,
    Time,
    Triple,
    numbers,
)

PAIRED = ("thigh", "shank", "foot")
"""Segments that there are twice; without a side, the one of the leg that wears the device."""
SEGMENTS = ("pelvis", "trunk", *PAIRED, *(f"{side}_{kind}" for side in ("right", "left") for kind in PAIRED))


class Pad(Strict):
    """Soft material between device and limb. Flat, on one face of the limb, or all around it, as a cuff with straps."""

    youngs_modulus: Modulus = Field(description="Young's modulus of the pad, in Pa")
    poissons_ratio: Plain = 0.3
    thickness: Length = Field(description="of the pad, a number of m")
    width: Length | None = Field(None, description="across the limb, of a flat pad, m")
    height: Length = Field(description="along the limb, m")
    radius: Length | None = Field(None, description="of the limb there, m; of a pad around it, and for its pressure")
    face: Literal["front", "back", "outer", "inner", "around", "below", "above"] = "around"
    area: Area | None = Field(None, description="of a flat pad, m^2; width times height unless given")


class Cuff(Strict):
    """Binds a point of the device to a segment of the person."""

    name: Name
    at: Reference = Field(description="the point of the device that is bound, such as frame.calf")
    segment: Literal[SEGMENTS] = Field(description="a segment of the person, such as shank or pelvis")  # type: ignore[valid-type]
    type: Literal["rigid", "bushing", "pad"] = "rigid"
    place: Triple | None = Field(
        None, description="where on the segment, in its frame, m; where it is drawn unless given"
    )
    stiffness: numbers("N/m", 3) | None = Field(None, description="along x, y, z of the segment, N/m")  # type: ignore[valid-type]
    torsional_stiffness: numbers("N m/rad", 3) | None = Field(  # type: ignore[valid-type]
        None, description="about x, y, z of the segment, N m/rad"
    )
    damping: Time | None = Field(None, description="damping over stiffness, a time in s")
    pad: Pad | None = None


class Worn(Strict):
    """side: of the body, for what belongs to one leg. over_cycle: series that are functions of the gait cycle, 0 to 1."""

    side: Literal["right", "left", "both"] | None = None
    cuffs: Annotated[list[Cuff], Field(min_length=1)] = Field(description="what binds the device to the person")
    over_cycle: list[Name] = []


def check_worn(worn: Worn, series: Any) -> None:
    """ModelError where fields of cuffs contradict each other."""
    names: set[str] = set()
    for cuff in worn.cuffs:
        at = At(f"cuff '{cuff.name}'")
        at["name"].unused(cuff.name, names)
        names.add(cuff.name)
        side = cuff.segment.partition("_")[0]
        if side in ("right", "left") and worn.side not in (None, side):
            at["segment"].fail(
                f"is on the {side} leg, but the device is worn on {_where(worn.side)}",
                cuff.segment,
                f"{cuff.segment.partition('_')[2]}, which is that of the leg, or side: {side}",
            )
        if side in ("right", "left") and any(one.segment in PAIRED for one in worn.cuffs):
            at["segment"].fail(
                "names a side, and other cuffs of the device do not",
                cuff.segment,
                f"{cuff.segment.partition('_')[2]}, of the leg that wears it; or a side for every cuff on a leg",
            )
        needed = {"bushing": "stiffness", "pad": "pad"}.get(cuff.type)
        if needed and getattr(cuff, needed) is None:
            what = {"stiffness": "[along x, y, z of the segment] in N/m", "pad": "its material and size"}[needed]
            at[needed].fail("is missing", expected=what)
        for field, kinds in (("stiffness", ("bushing",)), ("torsional_stiffness", ("bushing",)), ("pad", ("pad",)),
                             ("damping", ("bushing", "pad"))):  # fmt: skip
            if getattr(cuff, field) is not None and cuff.type not in kinds:
                at[field].fail(
                    f"belongs to a cuff of type {' or '.join(kinds)}, and this is {cuff.type}",
                    expected=f"type: {kinds[0]}, or a cuff without it",
                )
        if cuff.pad is not None:
            _check_pad(cuff.pad, At(f"cuff '{cuff.name}'"))
    for name in worn.over_cycle:
        At("worn", "over_cycle").one_of(name, list(series), "there is no such series")


def _check_pad(pad: Pad, at: At) -> None:
    if pad.face == "around":
        if pad.radius is None:
            at["pad.radius"].fail("is missing", expected="the radius of the limb, m, or a face such as front")
        for field in ("width", "area"):
            if getattr(pad, field) is not None:
                at[f"pad.{field}"].fail(
                    "is of a flat pad, and this one goes around the limb", expected="a face such as front"
                )
    elif pad.width is None:
        at["pad.width"].fail("is missing", expected="the size of the pad across the limb, m")


def _where(side: str | None) -> str:
    return "both" if side == "both" else f"the {side}"
