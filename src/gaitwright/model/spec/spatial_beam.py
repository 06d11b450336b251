"""Schema of a beam of a spatial document."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from gaitwright.model.spec.field_types import (
    AxialStiffness,
    BendingStiffness,
    Curvature,
    Density,
    Dimensionless,
    DimensionlessTriple,
    Length,
    LengthTriple,
    MassPerLength,
    Modulus,
    Name,
    StrictSpec,
    Time,
    validate_number,
)

SECTION_AXES_TEXT = "[about axis 2, about axis 3] of the section"
STIFFNESS_MATRIX_TEXT = "four rows of four numbers, of strain, twist, curvature about axis 2 and about axis 3"


def _both_axes_validator(unit: str) -> Any:
    """Validator of a number for both axes of a section, or one for each."""

    def check(value: Any) -> Any:
        if value is None or not isinstance(value, (list, tuple)):
            return None if value is None else validate_number(value, unit)
        if len(value) != 2:
            raise ValueError(f"has {len(value)} numbers; expected one for both axes, or {SECTION_AXES_TEXT}")
        return [validate_number(entry, unit) for entry in value]

    return BeforeValidator(check)


def _validate_matrix(value: Any) -> Any:
    rows = value if isinstance(value, (list, tuple)) else []
    if len(rows) != 4 or any(not isinstance(row, (list, tuple)) or len(row) != 4 for row in rows):
        raise ValueError(f"is not a matrix of stiffness; expected {STIFFNESS_MATRIX_TEXT}")
    return [[validate_number(entry) for entry in row] for row in rows]


class SpatialBeamSpec(StrictSpec):
    name: Name
    from_: Name = Field(alias="from")
    to: Name
    length: Length | None = None
    elements: Dimensionless = Field(8.0, description="a number of elements")
    normal: DimensionlessTriple | None = Field(
        None, description="the direction of its height at its start, three numbers"
    )
    through: list[LengthTriple] = Field([], description="points that its centre line passes, three numbers of m each")
    curvature: Annotated[Any, _both_axes_validator("1/m")] = Field(
        0.0, description=f"of its unstressed shape, 1/m, {SECTION_AXES_TEXT}"
    )
    twist: Curvature = Field(0.0, description="of its unstressed shape, rad/m")
    youngs_modulus: Modulus | None = None
    shear_modulus: Modulus | None = None
    poissons_ratio: Dimensionless | None = None
    density: Density | None = None
    width: Length | None = None
    height: Length | None = None
    diameter: Length | None = None
    axial_stiffness: AxialStiffness | None = None
    bending_stiffness: Annotated[Any, _both_axes_validator("N m^2")] = Field(
        None, description=f"N m^2, {SECTION_AXES_TEXT}"
    )
    torsional_stiffness: BendingStiffness | None = None
    stiffness: Annotated[Any, BeforeValidator(lambda value: value if value is None else _validate_matrix(value))] = (
        Field(None, description=STIFFNESS_MATRIX_TEXT)
    )
    mass_per_length: MassPerLength | None = None
    inertia_per_length: Annotated[Any, _both_axes_validator("kg m")] = Field(
        None, description=f"kg m, {SECTION_AXES_TEXT}"
    )
    damping: Time = 0.0
    points: dict[Name, Length] = {}
