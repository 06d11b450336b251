"""Tables of what people bear, by region of the body: thresholds.yaml, or one of your own in the same form."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from gaitwright.checks import At, is_number
from gaitwright.input_files import read_yaml, require_finite
from gaitwright.wear.body import region
from gaitwright.wear.comfort.population import Population

UNITS = {
    "kPa": 1e3, "Pa": 1.0, "N/cm2": 1e4, "kgf/cm2": 9.80665e4, "mmHg": 133.322, "N": 1.0,
}  # fmt: skip
"""In Pa, or N."""
FEELS, LOADINGS, SEXES = ("discomfort", "pain"), ("continuous", "intermittent", "ramp"), ("men", "women", "all")
INSTRUMENTS = ("cuff", "pad", "sleeve", "algometer")
DIRECTIONS = ("normal", "axial")
BOUNDS = {"pressure": (1e3, 5e6, "Pa"), "normal": (2.0, 5e3, "N"), "axial": (2.0, 5e3, "N")}
"""What a threshold can be: nobody feels less, nobody bears more."""
MAX_SPREAD = 10.0
"""Largest standard deviation of a threshold, relative to its mean or median; people differ by less than 1."""
KNOWN = {"region", "feels", "loading", "sex", "mean", "median", "spread", "range", "unit", "area", "direction", "people",
         "assumed", "instrument", "source", "checked", "note"}  # fmt: skip


@dataclass(frozen=True)
class Source:
    """Where numbers come from. short: author and year; population: who was asked, and with what."""

    text: str
    short: str = ""
    doi: str = ""
    population: str = ""


@dataclass(frozen=True)
class Threshold:
    """quantity: pressure, Pa, or the force of a whole cuff, N: normal to the limb or axial, along it. law: over people. area:
    m^2, that it was measured on; 0: not told, or around the limb. Else as thresholds.yaml says."""

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
class Table:
    """Thresholds with their sources. unknown: by region, why there is no number. exponent: of the area in p ~ A^-exponent, as
    measured on small probes; summation: what is known of it."""

    name: str
    rows: tuple[Threshold, ...]
    sources: Mapping[str, Source]
    unknown: Mapping[str, str]
    exponent: float = 0.0
    summation: str = ""

    def find(self, region_name: str, feels: str, quantity: str, sex: str = "all") -> list[Threshold]:
        """Rows of a region for a sex; those of all people where there are none of it."""
        rows = [r for r in self.rows if (r.region, r.feels, r.quantity) == (region_name, feels, quantity)]
        own = [r for r in rows if r.sex == sex or (sex == "all" and r.sex != "all")]
        return own or [r for r in rows if r.sex == "all"]

    @property
    def regions(self) -> list[str]:
        return list(dict.fromkeys(row.region for row in self.rows))


@cache
def literature() -> Table:
    """What came with the program."""
    return read(Path(__file__).parent / "thresholds.yaml")


def read(file: str | Path) -> Table:
    """A table from a file; wrong units, regions and sources are refused in a sentence."""
    if not isinstance(file, (str, Path)):
        At("thresholds").fail("is no path of a file", file, "such as mine.yaml")
    path = Path(file)
    at = At(f"thresholds '{path.name}'")
    told = read_yaml(path, at.element, "a file as gaitwright/wear/comfort/thresholds.yaml")
    if not isinstance(told, dict) or told.get("gaitwright thresholds") != 1:
        at.fail("is no table of thresholds", expected="a file that begins with 'gaitwright thresholds: 1'")
    rows = told.get("thresholds")
    if not isinstance(rows, list) or not rows:
        at["thresholds"].fail("is missing", expected="a list of rows: region, feels, mean, unit, source")
    require_finite(told, at)
    sources = {
        key: Source(
            str(at[f"sources.{key}.text"].given(entry.get("text"), "the source in full")),
            **{k: str(v) for k, v in entry.items() if k in ("short", "doi", "population")},
        )
        for key, entry in _mappings(told, "sources", at).items()
    }
    found = tuple(_row(row, sources, At(f"{at.element}, row {n + 1}")) for n, row in enumerate(rows))
    more = told.get("summation") or {}
    if not isinstance(more, dict):
        at["summation"].fail("is not a mapping", more, "exponent and text")
    exponent = at["summation.exponent"].finite(more.get("exponent", 0.0), "a number")
    unknown = {
        region(name, at["unknown"]).name: str(at[f"unknown.{name}.text"].given(entry.get("text"), "a text"))
        for name, entry in _mappings(told, "unknown", at).items()
    }
    return Table(
        str(told.get("name", path.stem)),
        found,
        sources,
        unknown,
        float(exponent),
        str(more.get("text", "")),
    )


def _mappings(told: dict[str, Any], field: str, at: At) -> dict[str, dict[str, Any]]:
    """A part of a table that is a mapping of mappings."""
    found = told.get(field) or {}
    if not isinstance(found, dict) or not all(isinstance(entry, dict) for entry in found.values()):
        at[field].fail("is not a mapping of mappings", found, "name: {text: ...}")
    return {str(key): entry for key, entry in found.items()}


def _row(row: Any, sources: Mapping[str, Source], at: At) -> Threshold:
    if not isinstance(row, dict):
        at.fail("is no entry", row, "region, feels, mean, unit, source")
    for name in row:
        at.one_of(name, sorted(KNOWN), "is nothing that a threshold has")
    place = region(at["region"].given(row.get("region"), "a region of the body"), at["region"]).name
    feels = at["feels"].one_of(str(row.get("feels")), FEELS)
    loading = at["loading"].one_of(row.get("loading", "ramp"), LOADINGS)
    sex = at["sex"].one_of(row.get("sex", "all"), SEXES)
    instrument = at["instrument"].one_of(row.get("instrument", "pad"), INSTRUMENTS)
    source = at["source"].one_of(str(row.get("source")), list(sources), "is not among the sources")
    unit = at["unit"].one_of(str(row.get("unit")), list(UNITS), "is no unit of a threshold")
    area = _area(row.get("area"), at["area"])
    quantity = "pressure"
    scale = UNITS[unit]
    if unit == "N":
        direction = row.get("direction")
        if direction is None and not area:
            at["direction"].fail(
                "is missing for a force", expected="area: 20 cm2 of the probe, or direction: normal or axial of a cuff"
            )
        quantity = "pressure" if direction is None else at["direction"].one_of(direction, DIRECTIONS)
        scale = 1.0 / area if direction is None else 1.0
    people = at["people"].whole(row.get("people", 0), "is no number of people", "a whole number, or none", least=0)
    law = _law(row, scale, people, quantity, unit, at)
    middle = f"{row.get('mean', row.get('median', row.get('range')))}"
    said = f"{middle}{' +- ' + str(row['spread']) if 'spread' in row else ''} {unit}"
    return Threshold(place, feels, loading, sex, quantity, law, area, instrument, source, said, str(row.get("note", "")),
                     str(row.get("checked", "")), sources[source].short or source)  # fmt: skip


def _law(row: dict[str, Any], scale: float, people: int, quantity: str, unit: str, at: At) -> Population:
    given = [name for name in ("mean", "median", "range") if name in row]
    if len(given) != 1:
        at.fail("has no single middle", given, "one of mean, median and range")
    if given[0] == "range":
        ends = row["range"]
        good = (
            isinstance(ends, list)
            and len(ends) == 2
            and all(is_number(x) and x > 0 for x in ends)
            and ends[0] < ends[1]
        )
        if not good:
            at["range"].fail("is no range", ends, "[least, largest], of people")
        if people < 2:
            at["people"].fail("is missing for a range", people, "how many people it is of")
        law = Population.of_range(ends[0] * scale, ends[1] * scale, people)
    else:
        middle = at[given[0]].positive(row[given[0]], unit) * scale
        spread = at["spread"].positive(row["spread"], unit) * scale if "spread" in row else None
        if spread is not None and spread > MAX_SPREAD * middle:
            at["spread"].fail(
                "is far above the threshold itself", row["spread"], f"at most {MAX_SPREAD:g} times {given[0]}"
            )
        law = (Population.of_mean if given[0] == "mean" else Population.of_median)(middle, spread, people)
    low, high, base = BOUNDS[quantity]
    if not low <= law.mean <= high:
        for other, factor in UNITS.items():  # the unit that was meant, if one makes sense
            meant = law.mean / scale * factor
            if quantity == "pressure" and other != "N" and low <= meant <= high:
                at[given[0]].fail(
                    f"reads like {other}, not {unit}",
                    f"{row[given[0]]} {unit}",
                    f"unit: {other}, or {low:g} to {high:g} {base}",
                )
        at[given[0]].fail(
            "is nothing that people feel or bear", f"{row[given[0]]} {unit}", f"{low:g} to {high:g} {base}"
        )
    return law


def _area(value: Any, at: At) -> float:
    """m^2, of "20 cm2" or a number of m^2."""
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
