"""Threshold tables by body region: thresholds.yaml, or your own file in the same form."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from gaitwright._core.error_context import ErrorContext, is_number
from gaitwright._core.input_files import read_yaml, require_finite
from gaitwright.wear.body_regions import find_body_region
from gaitwright.wear.comfort.population import Population

SI_PER_UNIT = {
    "kPa": 1e3, "Pa": 1.0, "N/cm2": 1e4, "kgf/cm2": 9.80665e4, "mmHg": 133.322, "N": 1.0,
}  # fmt: skip
"""Factors to Pa, or N."""
SENSATIONS, LOADING_TYPES, SEXES = (
    ("discomfort", "pain"),
    ("continuous", "intermittent", "ramp"),
    ("men", "women", "all"),
)
INSTRUMENTS = ("cuff", "pad", "sleeve", "algometer")
FORCE_DIRECTIONS = ("normal", "axial")
THRESHOLD_BOUNDS = {"pressure": (1e3, 5e6, "Pa"), "normal": (2.0, 5e3, "N"), "axial": (2.0, 5e3, "N")}
"""Plausible range of a threshold (lower bound, upper bound, unit): no person feels less or bears more."""
MAX_SPREAD_RATIO = 10.0
"""Largest standard deviation of a threshold, relative to its mean or median; people differ by less than 1."""
THRESHOLD_FIELDS = {
    "region",
    "feels",
    "loading",
    "sex",
    "mean",
    "median",
    "spread",
    "range",
    "unit",
    "area",
    "direction",
    "people",
    "assumed",
    "instrument",
    "source",
    "checked",
    "note",
}


@dataclass(frozen=True)
class ThresholdSource:
    """Source of thresholds. short: author and year; population: the people measured, and the instrument."""

    text: str
    short: str = ""
    doi: str = ""
    population: str = ""


@dataclass(frozen=True)
class ComfortThreshold:
    """Threshold of a sensation. quantity: pressure, Pa, or the force of a whole cuff, N: normal to the limb, or axial (along
    it). law: distribution over people. area: m^2, of the probe or pad; 0: unknown, or around the limb. Other fields: see
    thresholds.yaml."""

    region: str
    feels: str
    loading: str
    sex: str
    quantity: str
    law: Population
    area: float
    instrument: str
    source: str
    said: str
    note: str = ""
    checked: str = ""
    cited: str = ""


@dataclass(frozen=True)
class ThresholdTable:
    """Thresholds with their sources. unknown: by region, the reason why there is no number. exponent: of the area in
    p ~ A^-exponent, as measured on small probes; summation: text on that effect."""

    name: str
    rows: tuple[ComfortThreshold, ...]
    sources: Mapping[str, ThresholdSource]
    unknown: Mapping[str, str]
    exponent: float = 0.0
    summation: str = ""

    def find(self, region_name: str, feels: str, quantity: str, sex: str = "all") -> list[ComfortThreshold]:
        """Rows of a region for a sex; rows of all people if there are none for that sex."""
        rows = [r for r in self.rows if (r.region, r.feels, r.quantity) == (region_name, feels, quantity)]
        rows_of_sex = [r for r in rows if r.sex == sex or (sex == "all" and r.sex != "all")]
        return rows_of_sex or [r for r in rows if r.sex == "all"]

    @property
    def regions(self) -> list[str]:
        return list(dict.fromkeys(row.region for row in self.rows))


@cache
def literature() -> ThresholdTable:
    """Threshold table supplied with the program."""
    return read(Path(__file__).parent / "thresholds.yaml")


def read(file: str | Path) -> ThresholdTable:
    """Read a threshold table from a file. Raises ModelError for invalid units, regions, sources and numbers."""
    if not isinstance(file, (str, Path)):
        ErrorContext("thresholds").fail("is no path of a file", file, "such as mine.yaml")
    path = Path(file)
    at = ErrorContext(f"thresholds '{path.name}'")
    document = read_yaml(path, at.element, "a file as gaitwright/wear/comfort/thresholds.yaml")
    if not isinstance(document, dict) or document.get("gaitwright thresholds") != 1:
        at.fail("is no table of thresholds", expected="a file that begins with 'gaitwright thresholds: 1'")
    rows = document.get("thresholds")
    if not isinstance(rows, list) or not rows:
        at["thresholds"].fail("is missing", expected="a list of rows: region, feels, mean, unit, source")
    require_finite(document, at)
    sources = {
        key: ThresholdSource(
            str(at[f"sources.{key}.text"].given(entry.get("text"), "the source in full")),
            **{k: str(v) for k, v in entry.items() if k in ("short", "doi", "population")},
        )
        for key, entry in _read_mappings(document, "sources", at).items()
    }
    rows_read = tuple(
        _read_threshold(row, sources, ErrorContext(f"{at.element}, row {n + 1}")) for n, row in enumerate(rows)
    )
    summation = document.get("summation") or {}
    if not isinstance(summation, dict):
        at["summation"].fail("is not a mapping", summation, "exponent and text")
    exponent = at["summation.exponent"].finite(summation.get("exponent", 0.0), "a number")
    unknown = {
        find_body_region(name, at["unknown"]).name: str(at[f"unknown.{name}.text"].given(entry.get("text"), "a text"))
        for name, entry in _read_mappings(document, "unknown", at).items()
    }
    return ThresholdTable(
        str(document.get("name", path.stem)),
        rows_read,
        sources,
        unknown,
        float(exponent),
        str(summation.get("text", "")),
    )


def _read_mappings(document: dict[str, Any], field: str, at: ErrorContext) -> dict[str, dict[str, Any]]:
    """Return a section of a table that is a mapping of mappings."""
    section = document.get(field) or {}
    if not isinstance(section, dict) or not all(isinstance(entry, dict) for entry in section.values()):
        at[field].fail("is not a mapping of mappings", section, "name: {text: ...}")
    return {str(key): entry for key, entry in section.items()}


def _read_threshold(row: Any, sources: Mapping[str, ThresholdSource], at: ErrorContext) -> ComfortThreshold:
    if not isinstance(row, dict):
        at.fail("is no entry", row, "region, feels, mean, unit, source")
    for name in row:
        at.one_of(name, sorted(THRESHOLD_FIELDS), "is no field of a threshold")
    region_name = find_body_region(at["region"].given(row.get("region"), "a region of the body"), at["region"]).name
    feels = at["feels"].one_of(str(row.get("feels")), SENSATIONS)
    loading = at["loading"].one_of(row.get("loading", "ramp"), LOADING_TYPES)
    sex = at["sex"].one_of(row.get("sex", "all"), SEXES)
    instrument = at["instrument"].one_of(row.get("instrument", "pad"), INSTRUMENTS)
    source = at["source"].one_of(str(row.get("source")), list(sources), "is not among the sources")
    unit = at["unit"].one_of(str(row.get("unit")), list(SI_PER_UNIT), "is no unit of a threshold")
    area = _read_area(row.get("area"), at["area"])
    quantity = "pressure"
    scale = SI_PER_UNIT[unit]
    if unit == "N":
        direction = row.get("direction")
        if direction is None and not area:
            at["direction"].fail(
                "is missing for a force", expected="area: 20 cm2 of the probe, or direction: normal or axial of a cuff"
            )
        quantity = "pressure" if direction is None else at["direction"].one_of(direction, FORCE_DIRECTIONS)
        scale = 1.0 / area if direction is None else 1.0
    people = at["people"].whole(row.get("people", 0), "is no number of people", "a whole number, or none", least=0)
    law = _read_population(row, scale, people, quantity, unit, at)
    middle_text = f"{row.get('mean', row.get('median', row.get('range')))}"
    as_read = f"{middle_text}{' +- ' + str(row['spread']) if 'spread' in row else ''} {unit}"
    return ComfortThreshold(region_name, feels, loading, sex, quantity, law, area, instrument, source, as_read,
                            str(row.get("note", "")), str(row.get("checked", "")), sources[source].short or source)  # fmt: skip


def _read_population(
    row: dict[str, Any], scale: float, people: int, quantity: str, unit: str, at: ErrorContext
) -> Population:
    middle_fields = [name for name in ("mean", "median", "range") if name in row]
    if len(middle_fields) != 1:
        at.fail("has no unique middle value", middle_fields, "one of mean, median and range")
    if middle_fields[0] == "range":
        ends = row["range"]
        is_range = (
            isinstance(ends, list)
            and len(ends) == 2
            and all(is_number(x) and x > 0 for x in ends)
            and ends[0] < ends[1]
        )
        if not is_range:
            at["range"].fail("is no range", ends, "[least, largest], of people")
        if people < 2:
            at["people"].fail("is missing for a range", people, "the number of people measured")
        law = Population.of_range(ends[0] * scale, ends[1] * scale, people)
    else:
        middle = at[middle_fields[0]].positive(row[middle_fields[0]], unit) * scale
        spread = at["spread"].positive(row["spread"], unit) * scale if "spread" in row else None
        if spread is not None and spread > MAX_SPREAD_RATIO * middle:
            at["spread"].fail(
                "is far above the threshold itself",
                row["spread"],
                f"at most {MAX_SPREAD_RATIO:g} times {middle_fields[0]}",
            )
        law = (Population.of_mean if middle_fields[0] == "mean" else Population.of_median)(middle, spread, people)
    low, high, base = THRESHOLD_BOUNDS[quantity]
    if not low <= law.mean <= high:
        for other, factor in SI_PER_UNIT.items():  # suggest the unit with which the number is plausible
            value_in_unit = law.mean / scale * factor
            if quantity == "pressure" and other != "N" and low <= value_in_unit <= high:
                at[middle_fields[0]].fail(
                    f"reads like {other}, not {unit}",
                    f"{row[middle_fields[0]]} {unit}",
                    f"unit: {other}, or {low:g} to {high:g} {base}",
                )
        at[middle_fields[0]].fail(
            "is outside the range that people feel and bear",
            f"{row[middle_fields[0]]} {unit}",
            f"{low:g} to {high:g} {base}",
        )
    return law


def _read_area(value: Any, at: ErrorContext) -> float:
    """Area in m^2, from "20 cm2" or a number of m^2; 0 for None."""
    if value is None:
        return 0.0
    number, _, unit = str(value).partition(" ")
    scale = {"cm2": 1e-4, "cm^2": 1e-4, "mm2": 1e-6, "mm^2": 1e-6, "m2": 1.0, "m^2": 1.0, "": 1.0}.get(unit.strip())
    try:
        area = float(number) * (scale or 0.0)
    except ValueError:
        area = 0.0
    if not 1e-6 <= area <= 0.5:
        at.fail("is no area of a probe or pad", value, "such as 20 cm2")
    return area
