"""Subject of a trial: mass, height and sex, and from tables the masses, centres and inertias of the segments.

subject = gw.gait.Subject(mass=72.2, height=1.75, sex="male")
subject = gw.gait.Subject.read("subject.yaml")        # mass: 72.2, height: 175 cm, sex: male

Sources: segment_tables/*.yaml. For unknown sex: the mean of both. Axes of a segment are those of the ISB: x forward, y up
along the segment, z to the right.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from gaitwright._core.error_context import ErrorContext, is_number
from gaitwright._core.input_files import packaged_yaml, read_yaml
from gaitwright.model.units import dimension_of, read_unit

SEXES = ("female", "male")
MIN_HEIGHT_M, MAX_HEIGHT_M = 0.5, 2.6
"""m: range of heights of walking people."""
MIN_BMI_KG_PER_M2, MAX_BMI_KG_PER_M2 = 9.0, 90.0
"""kg/m^2, mass over squared height: bounds of known living people."""
USUAL_BMI_RANGE_KG_PER_M2 = 12.0, 45.0
"""kg/m^2: body-mass indices outside this range give a warning. Thin children have 12; from 40 on is obesity class III
(WHO)."""
SHOULDER_HALF_WIDTH_PER_BODY_HEIGHT = 0.129
"""Half the distance between the shoulders, over body height (Drillis and Contini, in Winter 2009)."""
ANKLE_HEIGHT_PER_BODY_HEIGHT = 0.039
"""Height of the ankle's centre above the sole, over body height (same source)."""


class SegmentParameters(NamedTuple):
    """Parameters of a segment. mass: kg. length: m. centre: of mass, from the upper end (foot: from the heel), in lengths.
    gyration: radii about the forward (x), long (y) and sideways (z) axis, in lengths."""

    mass: float
    length: float
    centre: float
    gyration: tuple[float, float, float]

    def inertia(self, length: float) -> np.ndarray:
        """(3, 3), kg m^2, about the centre of mass of a limb of this length, whose long axis is y."""
        return self.mass * np.diag(np.square(np.array(self.gyration) * length))


class SegmentMass(NamedTuple):
    """Mass properties. mass: kg. centre: (3,), m. inertia: (3, 3), about the centre, kg m^2."""

    mass: float
    centre: np.ndarray
    inertia: np.ndarray


def combine_masses(*lumps: SegmentMass) -> SegmentMass:
    """Combine several masses into one rigid body."""
    mass = sum(one.mass for one in lumps)
    centre = sum((one.mass * one.centre for one in lumps), np.zeros(3)) / mass
    inertia = np.zeros((3, 3))
    for one in lumps:
        off = one.centre - centre
        inertia += one.inertia + one.mass * (off @ off * np.eye(3) - np.outer(off, off))
    return SegmentMass(mass, centre, inertia)


@cache
def segment_tables() -> dict[str, dict[str, Any]]:
    """Segment tables by name: de_leva, winter."""
    tables = [packaged_yaml(path) for path in sorted((Path(__file__).parent / "segment_tables").glob("*.yaml"))]
    return {one["name"]: one for one in tables}


@dataclass(frozen=True)
class Subject:
    """A subject. mass: kg. height: m. sex: 'female', 'male', or None for the mean of both. table: of segments, 'de_leva'
    or 'winter'.
    Raises ModelError for implausible values."""

    mass: float
    height: float
    sex: str | None = None
    table: str = "de_leva"

    def __post_init__(self) -> None:
        at = ErrorContext("subject")
        at["mass"].positive(self.mass, "kg")
        at["height"].positive(self.height, "m")
        if not MIN_HEIGHT_M <= self.height <= MAX_HEIGHT_M:
            meant = next((f"; {self.height / k:g} m is {self.height:g} {u}" for u, k in (("cm", 100), ("mm", 1000))
                          if MIN_HEIGHT_M <= self.height / k <= MAX_HEIGHT_M), "")  # fmt: skip
            at["height"].fail(
                f"nobody is {self.height:g} m tall",
                expected=f"a height of {MIN_HEIGHT_M:g} to {MAX_HEIGHT_M:g} m{meant}",
            )
        if not MIN_BMI_KG_PER_M2 <= self.mass / self.height**2 <= MAX_BMI_KG_PER_M2:
            low, high = (round(limit * self.height**2) for limit in (MIN_BMI_KG_PER_M2, MAX_BMI_KG_PER_M2))
            at["mass"].fail(
                f"nobody of {self.height:g} m has a mass of {self.mass:g} kg",
                expected=f"{low} to {high} kg, or another height",
            )
        if self.sex is not None:
            at["sex"].one_of(self.sex, SEXES, "is not known to the tables")
        at["table"].one_of(self.table, segment_tables(), "is no table of segments")

    @staticmethod
    def read(path: str | Path) -> Subject:
        """Read a subject from YAML: `mass: 72.2`, `height: 175 cm`, `sex: male`; numbers without a unit are kg and m."""
        path = Path(path)
        at = ErrorContext(f"subject '{path.name}'")
        return Subject.from_dict(read_yaml(path, at.element, "lines such as `mass: 72.2` and `height: 1.75`"), at)

    @staticmethod
    def from_dict(given: Any, at: ErrorContext | None = None) -> Subject:
        at = at or ErrorContext("subject")
        if not isinstance(given, Mapping):
            at.fail("has no mass and height", expected="lines such as `mass: 72.2` and `height: 1.75`")
        for key in given:
            at[str(key)].one_of(key, ("mass", "height", "sex", "table", "name"), "is not known")
        mass = read_quantity(at["mass"], given.get("mass"), "kg")
        height = read_quantity(at["height"], given.get("height"), "m")
        more = {key: given[key] for key in ("sex", "table") if given.get(key) is not None}
        return Subject(mass, height, **more)

    @property
    def warnings(self) -> list[str]:
        """Warning if the body-mass index is unusual, because mass or height may then be wrong."""
        index = self.mass / self.height**2
        if USUAL_BMI_RANGE_KG_PER_M2[0] <= index <= USUAL_BMI_RANGE_KG_PER_M2[1]:
            return []
        low, high = (round(limit * self.height**2) for limit in USUAL_BMI_RANGE_KG_PER_M2)
        return [
            f"{self.mass:g} kg and {self.height:g} m are a body-mass index of {index:.0f} kg/m2; people of this height usually "
            f"have {low} to {high} kg"
        ]

    @property
    def source(self) -> str:
        return segment_tables()[self.table]["source"]

    def share(self, kind: str) -> SegmentParameters:
        """Parameters of 'pelvis', 'thigh', 'shank', 'foot', or a part of the upper body for this subject."""
        sexes = (self.sex,) if self.sex else SEXES
        parameters = [self._share(kind, sex) for sex in sexes]
        mass, length, centre = (
            float(np.mean([getattr(one, what) for one in parameters])) for what in SegmentParameters._fields[:3]
        )
        x, y, z = np.mean([one.gyration for one in parameters], axis=0)
        return SegmentParameters(mass, length, centre, (float(x), float(y), float(z)))

    def _share(self, kind: str, sex: str) -> SegmentParameters:
        usual, own = (
            segment_tables()["de_leva"][sex],
            segment_tables()[self.table].get("both") or segment_tables()[self.table][sex],
        )
        numbers = {**usual["segments"][kind], **own["segments"].get(kind, {})}
        height = own["height"] if "length" in own["segments"].get(kind, {}) else usual["height"]
        forward, sideways, along = numbers["gyration"]
        return SegmentParameters(
            self.mass * numbers["mass"], self.height * numbers["length"] / height, numbers["centre"],
            (forward, along, sideways),
        )  # fmt: skip

    def above_hips(self, what: str) -> float:
        """Height of 'cervicale' or 'shoulders' above the hips, m, in upright posture."""
        sexes = (self.sex,) if self.sex else SEXES
        usual = segment_tables()["de_leva"]
        return float(np.mean([usual[sex]["above_hips"][what] / usual[sex]["height"] for sex in sexes])) * self.height

    def upper_body(self) -> SegmentMass:
        """Head, arms and trunk above the navel as one mass, with hanging arms; the origin at the navel, upright.

        For a table that has only its mass, that mass is distributed as in de Leva's table."""
        middle, upper, head = (self.share(kind) for kind in ("middle_trunk", "upper_trunk", "head"))
        navel = self.share("pelvis").length
        lumps = [_hanging_mass(middle, middle.length), _hanging_mass(upper, middle.length + upper.length)]
        lumps += [_hanging_mass(head, self.above_hips("cervicale") - navel + head.length)]
        for side in (-1.0, 1.0):
            top = self.above_hips("shoulders") - navel
            for kind in ("upper_arm", "forearm", "hand"):
                lumps.append(
                    _hanging_mass(self.share(kind), top, side * SHOULDER_HALF_WIDTH_PER_BODY_HEIGHT * self.height)
                )
                top -= self.share(kind).length
        whole = combine_masses(*lumps)
        mass = segment_tables()[self.table].get("both", {}).get("upper_body")
        scale = 1.0 if mass is None else mass * self.mass / whole.mass
        return SegmentMass(whole.mass * scale, whole.centre, whole.inertia * scale)


def _hanging_mass(share: SegmentParameters, top: float, aside: float = 0.0) -> SegmentMass:
    return SegmentMass(
        share.mass, np.array([0.0, top - share.centre * share.length, aside]), share.inertia(share.length)
    )


def read_quantity(at: ErrorContext, given: Any, unit: str) -> float:
    """SI value of a number in this unit, or of a text such as 73, 73kg or 175 cm. Raises ModelError for other input."""
    example = {"kg": "72.2, or 72.2 kg", "m": "1.75, or 175 cm"}[unit]
    if given is None:
        at.fail("is missing", expected=f"a number of {unit}, such as {example}")
    if is_number(given):
        return float(given)
    match = re.fullmatch(r"\s*([0-9]+(?:\.[0-9]*)?)\s*(\S*)\s*", str(given))
    text_unit = read_unit(match.group(2) or unit) if match else None
    if match is None or text_unit is None or text_unit.dimension != dimension_of(unit):
        at.fail("is not a mass" if unit == "kg" else "is not a length", given, f"a number of {unit}, such as {example}")
    return text_unit.si(float(match.group(1)))
