"""How many people would feel the pads of a device: pressures against a table of thresholds.

Peaks are compared with thresholds of intermittent loading and of a single slow one; the mean over time with those of continuous
loading, where a place is loaded for nine tenths of the time. Forces of whole cuffs are compared with thresholds of forces. The
worst of them counts. What no source tells is None, never a number.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitwright.checks import At
from gaitwright.mesh.kinds import Array
from gaitwright.wear.comfort.population import SPREADS, UNKNOWN_SPREAD, Share, mixed
from gaitwright.wear.comfort.thresholds import FEELS, SEXES, Table, Threshold, literature

if TYPE_CHECKING:
    import pandas as pd

    from gaitwright.wear.pads.pressure import PadPressure

LOADED = 0.1
"""Of its peak: a place that bears more is loaded."""
CONTINUOUS = 0.9
"""Share of the time: what is loaded for longer is loaded continuously."""
QUANTITIES = ("pressure", "normal", "axial")
HOUR = 3600.0


@dataclass(frozen=True)
class Felt:
    """One comparison. feels: discomfort or pain. quantity: pressure, Pa, or normal or axial force, N; value: the load;
    thresholds: what it was compared with; share: of people who feel it."""

    feels: str
    quantity: str
    value: float
    share: Share
    thresholds: tuple[Threshold, ...]

    @property
    def said(self) -> str:
        """What was compared with what."""
        what = "pressure" if self.quantity == "pressure" else f"{self.quantity} force"
        return f"{self.feels} by {what} ({self.thresholds[0].cited})"


@dataclass(frozen=True)
class CuffComfort:
    """One cuff. peak: Pa, with time, s, along, m, and around, degrees: the worst place and instant; mean: Pa, over time at that
    place; area: m^2, that touches then; duty: share of the time in which it is loaded; normal, axial: N, largest; dose: Pa s,
    its integral over the record, one cycle or several; dose_per_hour: Pa s. felt: all comparisons."""

    name: str
    region: str
    peak: float
    time: float
    along: float
    around: float
    mean: float
    area: float
    duty: float
    normal: float
    axial: float
    dose: float
    dose_per_hour: float
    felt: tuple[Felt, ...]

    @property
    def loading(self) -> str:
        return "continuous" if self.duty >= CONTINUOUS else "intermittent"

    def worst(self, feels: str) -> Felt | None:
        """The comparison that most people feel; None where nothing is known. Whom it hurts, it is not comfortable for: pain
        counts as discomfort, too."""
        of = [one for one in self.felt if one.feels in (feels, "pain")]
        return max(of, key=lambda one: one.share.value, default=None)

    @property
    def share_discomfort(self) -> float | None:
        """Of people; at least so many where pain alone is known; None where no threshold is."""
        return self._share("discomfort")

    @property
    def share_pain(self) -> float | None:
        return self._share("pain")

    @property
    def only_pain(self) -> bool:
        """Whether no pressure is known that is uncomfortable: then as many feel discomfort as feel pain, or more."""
        return not any(one.feels == "discomfort" and one.quantity == "pressure" for one in self.felt)

    def _share(self, feels: str) -> float | None:
        found = self.worst(feels)
        return None if found is None else found.share.value


@dataclass(frozen=True)
class Comfort:
    """All cuffs of a device. sex: men, women or all (as many of each). pressures: what was judged."""

    cuffs: Mapping[str, CuffComfort]
    table_of: Table
    sex: str
    notes: tuple[str, ...]
    pressures: Mapping[str, PadPressure] = field(default_factory=dict, repr=False)

    @property
    def share_discomfort(self) -> float | None:
        """Of people, at the cuff where most feel it; None where nothing is known."""
        return _most([cuff.share_discomfort for cuff in self.cuffs.values()])

    @property
    def share_pain(self) -> float | None:
        return _most([cuff.share_pain for cuff in self.cuffs.values()])

    @property
    def worst(self) -> CuffComfort:
        """The cuff that most people feel; the one with the largest pressure where nothing is known."""
        return max(
            self.cuffs.values(),
            key=lambda cuff: (-1.0 if cuff.share_discomfort is None else cuff.share_discomfort, cuff.peak),
        )

    def by_region(self) -> dict[str, float | None]:
        """Of each region that is pressed, the largest share of people who feel at least discomfort; None: not known."""
        found: dict[str, float | None] = {}
        for cuff in self.cuffs.values():
            found[cuff.region] = _most([found.get(cuff.region), cuff.share_discomfort])
        return found

    def table(self) -> pd.DataFrame:
        """A row per cuff, kPa, cm^2, N and shares of people in percent with their bands; NaN where nothing is known."""
        import pandas as pd

        rows = []
        for cuff in self.cuffs.values():
            row: dict[str, Any] = {
                "cuff": cuff.name, "region": cuff.region, "peak (kPa)": 1e-3 * cuff.peak, "at (s)": cuff.time,
                "mean there (kPa)": 1e-3 * cuff.mean, "area (cm2)": 1e4 * cuff.area, "loading": cuff.loading,
                "normal force (N)": cuff.normal, "axial force (N)": cuff.axial,
                "dose (kPa s per hour)": 1e-3 * cuff.dose_per_hour,
            }  # fmt: skip
            for feels in FEELS:
                felt = cuff.worst(feels)
                for part, name in (("value", ""), ("low", ", low"), ("high", ", high")):
                    row[f"{feels}{name} (%)"] = np.nan if felt is None else 100.0 * getattr(felt.share, part)
                row[f"{feels} by"] = "" if felt is None else felt.said
            rows.append(row)
        return pd.DataFrame(rows).set_index("cuff")

    def summary(self) -> dict[str, Any]:
        """In plain numbers."""
        worst = self.worst
        return {
            "sex": self.sex, "thresholds": self.table_of.name,
            "share_discomfort": self.share_discomfort, "share_pain": self.share_pain,
            "worst": {"cuff": worst.name, "region": worst.region, "pressure": worst.peak, "time": worst.time,
                      "along": worst.along, "around": worst.around},
            "cuffs": {
                name: {"region": cuff.region, "peak_pressure": cuff.peak, "mean_pressure": cuff.mean, "area": cuff.area,
                       "loading": cuff.loading, "duty": cuff.duty, "dose": cuff.dose,
                       "dose_per_hour": cuff.dose_per_hour, "share_discomfort": cuff.share_discomfort,
                       "share_pain": cuff.share_pain}
                for name, cuff in self.cuffs.items()
            },
            "notes": list(self.notes),
        }  # fmt: skip


def _most(shares: list[float | None]) -> float | None:
    return max((share for share in shares if share is not None), default=None)


def judge(
    pressures: Mapping[str, PadPressure] | PadPressure,
    *,
    thresholds: Table | None = None,
    sex: str = "all",
    cycles_per_hour: float | None = None,
    area_exponent: float = 0.0,
) -> Comfort:
    """pressures: by cuff, each over one cycle, as gw.wear.press has them. thresholds: gw.wear.comfort.read(file); those of the
    literature unless given. sex: men, women or all. cycles_per_hour: the motion goes on without a pause unless given.
    area_exponent: e where thresholds are to fall with the area that touches, p ~ (A/A_measured)^-e; 0, and said in a note,
    unless given, since it is known for probes up to 2 cm^2 alone."""
    at = At("judge")
    at["sex"].one_of(sex, SEXES, "is not known")
    table = literature() if thresholds is None else thresholds
    if not isinstance(table, Table):
        at["thresholds"].fail("is no table", type(table).__name__, "gw.wear.comfort.read(file)")
    exponent = at["area_exponent"].finite(area_exponent, "a number, 0 to 1")
    if not 0.0 <= exponent <= 1.0:
        at["area_exponent"].fail("is no exponent of an area", exponent, "0 to 1")
    if cycles_per_hour is not None:
        at["cycles_per_hour"].positive(cycles_per_hour)
    from gaitwright.wear.pads.pressure import PadPressure

    named = pressures if isinstance(pressures, Mapping) else {"": pressures}
    for name, one in named.items():
        if not isinstance(one, PadPressure):
            at["pressures"].fail(
                f"has no pressure for '{name}'" if name else "is no pressure", one, "what gw.wear.press gives"
            )
    named = {name or one.pad.name or one.pad.region: one for name, one in named.items()}
    if not named:
        at["pressures"].fail("are none", expected="a pressure per cuff")
    cuffs = {name: _cuff(name, one, table, sex, cycles_per_hour, exponent) for name, one in named.items()}
    return Comfort(cuffs, table, sex, tuple(_notes(cuffs, named, table, sex, exponent)), dict(named))


def _cuff(
    name: str, one: PadPressure, table: Table, sex: str, cycles_per_hour: float | None, exponent: float
) -> CuffComfort:
    worst = one.worst
    n = int(np.argmax(one.peak))
    there = one.values[:, int(np.argmax(one.values[n]))]
    below, other = there, one.strap_pressure
    around = worst["around"]
    if other.max() > worst["pressure"]:  # the strap presses more than the pad
        n, there, around = int(np.argmax(other)), other, worst["around"] + 180.0
    peak = float(there[n])
    duty, mean, dose = _in_time(one.time, there)
    longest = one.time[-1] - one.time[0]
    per_hour = mean * HOUR if cycles_per_hour is None else dose * cycles_per_hour
    axial = float(np.abs(one.force[:, 1]).max())
    normal = float(one.pressing.max())
    loads = {"pressure": (peak, mean), "normal": (normal, _mean(one.time, one.pressing)), "axial": (axial, axial)}
    area = float(one.area[n]) if there is below else one.pad.mean_radius * one.pad.width * np.pi
    felt = []
    for feels in FEELS:
        for quantity in QUANTITIES:
            rows = table.find(one.pad.region, feels, quantity, sex)
            if rows:
                felt.append(_felt(feels, quantity, loads[quantity], rows, duty, area, exponent))
    return CuffComfort(
        name, one.pad.region, peak, float(one.time[n]), worst["along"], around, mean, area, duty, normal, axial,
        dose if longest > 0.0 else 0.0, per_hour, tuple(felt),
    )  # fmt: skip


def _felt(
    feels: str,
    quantity: str,
    load: tuple[float, float],
    rows: list[Threshold],
    duty: float,
    area: float,
    exponent: float,
) -> Felt:
    """By groups of people, each by the loading that it was asked for; the worst loading counts."""
    peak, mean = load
    by_loading = {
        loading: [row for row in rows if row.loading == loading] for loading in ("continuous", "intermittent", "ramp")
    }
    pairs = [(peak, by_loading["intermittent"] or by_loading["ramp"])]
    if duty >= CONTINUOUS or not pairs[0][1]:
        pairs.append((mean if duty >= CONTINUOUS else peak, by_loading["continuous"]))
    best: Felt | None = None
    for value, chosen in pairs:
        if not chosen:
            continue
        sexes = list(dict.fromkeys(row.sex for row in chosen))
        shares = []
        for group in sexes:
            of = [row.law.share(value * _wider(row, quantity, area, exponent)) for row in chosen if row.sex == group]
            shares.append(mixed(of))
        found = Felt(feels, quantity, value, mixed(shares), tuple(chosen))
        if best is None or found.share.value > best.share.value:
            best = found
    assert best is not None  # rows are not empty, and each has a loading
    return best


def _wider(row: Threshold, quantity: str, area: float, exponent: float) -> float:
    """What a pressure on a larger area counts for."""
    return (area / row.area) ** exponent if quantity == "pressure" and row.area and area > row.area else 1.0


def _mean(time: Array, values: Array) -> float:
    longest = time[-1] - time[0]
    return float(np.trapezoid(values, time) / longest) if longest > 0.0 else float(values[0])


def _in_time(time: Array, there: Array) -> tuple[float, float, float]:
    """Duty, mean, Pa, and integral, Pa s, at a place."""
    mean = _mean(time, there)
    loaded = (there > LOADED * there.max()).astype(float) if there.max() > 0.0 else np.zeros_like(there)
    return _mean(time, loaded), mean, mean * float(time[-1] - time[0])


def _notes(
    cuffs: Mapping[str, CuffComfort], pressures: Mapping[str, PadPressure], table: Table, sex: str, exponent: float
) -> list[str]:
    """What a reader must know of these numbers."""
    notes = []
    for name, cuff in cuffs.items():
        if cuff.region in table.unknown:
            notes.append(f"{name}: of the {cuff.region}, {table.unknown[cuff.region]}")
        elif not cuff.felt:
            notes.append(f"{name}: no threshold is known for the {cuff.region}; give a table that has one")
        else:
            if cuff.only_pain:
                notes.append(
                    f"{name}: what pressure is uncomfortable on the {cuff.region} is not known: at least those who feel pain"
                )
            if cuff.worst("pain") is None:
                notes.append(f"{name}: what hurts on the {cuff.region} is not known")
        notes += [f"{name}: {note}" for note in pressures[name].notes]
        for felt in cuff.felt:
            row = felt.thresholds[0]
            if felt.quantity == "pressure" and row.instrument == "cuff":
                notes.append(f"{name}: {felt.feels} was measured below a cuff that presses all around, not at a peak")
            if felt.quantity == "pressure" and row.area and cuff.area > 2.0 * row.area and not exponent:
                more = f"{1e4 * row.area:.3g} cm2, the pad touches {1e4 * cuff.area:.0f} cm2"
                notes.append(f"{name}: {felt.feels} was measured on {more}; larger areas hurt at lower pressures")
    used = [row for cuff in cuffs.values() for felt in cuff.felt for row in felt.thresholds]
    if any(row.law.assumed for row in used):
        notes.append(
            f"where a source tells no spread, a standard deviation of {UNKNOWN_SPREAD:g} of the mean is assumed; bands have"
            f" {SPREADS[0]:g} to {SPREADS[1]:g}"
        )
    if sex != "all" and any(row.sex == "all" for row in used):
        notes.append(f"some thresholds are of men and women together, and count for {sex}, too")
    if exponent and table.summation:
        notes.append(f"thresholds fall with the area by its power of -{exponent:g}: {table.summation}")
    notes.append(
        "thresholds are of healthy people and of seconds to minutes: over hours discomfort grows, and numb skin warns nobody"
    )
    return list(dict.fromkeys(notes))
