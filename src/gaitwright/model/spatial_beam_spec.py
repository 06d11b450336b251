"""What a beam of a document in space may have."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from gaitwright.model.fields import (
    AxialStiffness,
    BendingStiffness,
    Curvature,
    Density,
    Length,
    MassPerLength,
    Modulus,
    Name,
    Plain,
    PlainTriple,
    Strict,
    Time,
    Triple,
    number,
)

ABOUT = "[about axis 2, about axis 3] of the section"
MATRIX = "four rows of four numbers, of strain, twist, curvature about axis 2 and about axis 3"


def _about_both(unit: str) -> Any:
    """A check of a number for both axes of a section, or one for each."""

    def check(value: Any) -> Any:
        if value is None or not isinstance(value, (list, tuple)):
            return None if value is None else number(value, unit)
        if len(value) != 2:
            raise ValueError(f"has {len(value)} numbers; expected one for both axes, or {ABOUT}")
        return [number(entry, unit) for entry in value]

    return BeforeValidator(check)


def _matrix(value: Any) -> Any:
    rows = value if isinstance(value, (list, tuple)) else []
    if len(rows) != 4 or any(not isinstance(row, (list, tuple)) or len(row) != 4 for row in rows):
        raise ValueError(f"is not a matrix of stiffness; expected {MATRIX}")
    return [[number(entry) for entry in row] for row in rows]


class SpatialBeam(Strict):
    name: Name
    from_: Name = Field(alias="from")
    to: Name
    length: Length | None = None
    elements: Plain = Field(8.0, description="a number of elements")
    normal: PlainTriple | None = Field(None, description="the direction of its height at its start, three numbers")
    through: list[Triple] = Field([], description="points that its centre line passes, three numbers of m each")
    curvature: Annotated[Any, _about_both("1/m")] = Field(0.0, description=f"of its unstressed shape, 1/m, {ABOUT}")
    twist: Curvature = Field(0.0, description="of its unstressed shape, rad/m")
    youngs_modulus: Modulus | None = None
    shear_modulus: Modulus | None = None
    poissons_ratio: Plain | None = None
    density: Density | None = None
    width: Length | None = None
    height: Length | None = None
    diameter: Length | None = None
    axial_stiffness: AxialStiffness | None = None
    bending_stiffness: Annotated[Any, _about_both("N m^2")] = Field(None, description=f"N m^2, {ABOUT}")
    torsional_stiffness: BendingStiffness | None = None
    stiffness: Annotated[Any, BeforeValidator(lambda value: value if value is None else _matrix(value))] = Field(
        None, description=MATRIX
    )
    mass_per_length: MassPerLength | None = None
    inertia_per_length: Annotated[Any, _about_both("kg m")] = Field(None, description=f"kg m, {ABOUT}")
    damping: Time = 0.0
    points: dict[Name, Length] = {}
