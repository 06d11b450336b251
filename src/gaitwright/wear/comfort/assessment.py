"""Share of people that feels the pads of a device: pressures compared with a table of thresholds.

Peaks are compared with thresholds of intermittent loading and of a single slow load; the mean over time with those of
continuous loading, if a position is loaded for nine tenths of the time. Forces of whole cuffs are compared with thresholds of
forces. The largest share counts. Values without a source are None, never a number.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitwright._core.error_context import ErrorContext
from gaitwright.mesh.cell_kinds import Array
from gaitwright.wear.comfort.population import (
    DEFAULT_SPREAD_RATIO,
    SPREAD_RATIO_RANGE,
    PopulationShare,
    average_shares,
)
from gaitwright.wear.comfort.thresholds import SENSATIONS, SEXES, ComfortThreshold, ThresholdTable, literature

if TYPE_CHECKING:
    import pandas as pd

    from gaitwright.wear.pads.pressure import PadPressure

LOADED_PRESSURE_RATIO = 0.1
"""Fraction of its peak pressure above which a position counts as loaded."""
MIN_CONTINUOUS_DUTY = 0.9
"""Fraction of the time: a longer loading is continuous."""
LOAD_QUANTITIES = ("pressure", "normal", "axial")
SECONDS_PER_HOUR = 3600.0


@dataclass(frozen=True)
class ThresholdComparison:
    """Comparison of a load with thresholds. feels: discomfort or pain. quantity: pressure, Pa, or normal or axial force, N;
    value: the load; share: share of people that feels it."""

    feels: str
    quantity: str
    value: float
    share: PopulationShare
    thresholds: tuple[ComfortThreshold, ...]

    @property
    def said(self) -> str:
        """Sensation, quantity and cited source as text."""
        what = "pressure" if self.quantity == "pressure" else f"{self.quantity} force"
        return f"{self.feels} by {what} ({self.thresholds[0].cited})"


@dataclass(frozen=True)
class CuffComfort:
    """Comfort of one cuff. peak: Pa, largest pressure, at time, s, along, m, and around, degrees; mean: Pa, over time at that
    position; area: m^2, in contact at that time; duty: fraction of the time in which the position is loaded; normal, axial: N,
    largest forces; dose: Pa s, pressure integrated over the record (one cycle or several); dose_per_hour: Pa s. felt: all
    comparisons."""

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
    felt: tuple[ThresholdComparison, ...]

    @property
    def loading(self) -> str:
        return "continuous" if self.duty >= MIN_CONTINUOUS_DUTY else "intermittent"

    def worst(self, feels: str) -> ThresholdComparison | None:
        """Comparison with the largest share of people; None if no threshold is known. Pain also counts as discomfort, because
        whoever feels pain is not comfortable."""
        comparisons = [comparison for comparison in self.felt if comparison.feels in (feels, "pain")]
        return max(comparisons, key=lambda comparison: comparison.share.value, default=None)

    @property
    def share_discomfort(self) -> float | None:
        """Share of people with discomfort; a lower bound if only pain thresholds are known; None without any threshold."""
        return self._share("discomfort")

    @property
    def share_pain(self) -> float | None:
        return self._share("pain")

    @property
    def only_pain(self) -> bool:
        """True if no discomfort threshold of pressure is known; the share with discomfort is then at least that with pain."""
        return not any(
            comparison.feels == "discomfort" and comparison.quantity == "pressure" for comparison in self.felt
        )

    def _share(self, feels: str) -> float | None:
        comparison = self.worst(feels)
        return None if comparison is None else comparison.share.value


@dataclass(frozen=True)
class Comfort:
    """Comfort of all cuffs of a device. sex: men, women or all (as many of each). pressures: the assessed pressures."""

    cuffs: Mapping[str, CuffComfort]
    table_of: ThresholdTable
    sex: str
    notes: tuple[str, ...]
    pressures: Mapping[str, PadPressure] = field(default_factory=dict, repr=False)

    @property
    def share_discomfort(self) -> float | None:
        """Share of people with discomfort at the worst cuff; None if no threshold is known."""
        return _largest_share([cuff.share_discomfort for cuff in self.cuffs.values()])

    @property
    def share_pain(self) -> float | None:
        return _largest_share([cuff.share_pain for cuff in self.cuffs.values()])

    @property
    def worst(self) -> CuffComfort:
        """Cuff with the largest share of discomfort; the one with the largest pressure if no threshold is known."""
        return max(
            self.cuffs.values(),
            key=lambda cuff: (-1.0 if cuff.share_discomfort is None else cuff.share_discomfort, cuff.peak),
        )

    def by_region(self) -> dict[str, float | None]:
        """Largest share of people with discomfort, for each body region below a cuff; None: unknown."""
        shares: dict[str, float | None] = {}
        for cuff in self.cuffs.values():
            shares[cuff.region] = _largest_share([shares.get(cuff.region), cuff.share_discomfort])
        return shares

    def table(self) -> pd.DataFrame:
        """Table with a row per cuff: kPa, cm^2, N and shares of people in percent with their bands; NaN: unknown."""
        import pandas as pd

        rows = []
        for cuff in self.cuffs.values():
            row: dict[str, Any] = {
                "cuff": cuff.name, "region": cuff.region, "peak (kPa)": 1e-3 * cuff.peak, "at (s)": cuff.time,
                "mean there (kPa)": 1e-3 * cuff.mean, "area (cm2)": 1e4 * cuff.area, "loading": cuff.loading,
                "normal force (N)": cuff.normal, "axial force (N)": cuff.axial,
                "dose (kPa s per hour)": 1e-3 * cuff.dose_per_hour,
            }  # fmt: skip
            for feels in SENSATIONS:
                felt = cuff.worst(feels)
                for part, name in (("value", ""), ("low", ", low"), ("high", ", high")):
                    row[f"{feels}{name} (%)"] = np.nan if felt is None else 100.0 * getattr(felt.share, part)
                row[f"{feels} by"] = "" if felt is None else felt.said
            rows.append(row)
        return pd.DataFrame(rows).set_index("cuff")

    def summary(self) -> dict[str, Any]:
        """Result as JSON-compatible numbers and strings, SI units."""
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


def _largest_share(shares: list[float | None]) -> float | None:
    return max((share for share in shares if share is not None), default=None)


def judge(
    pressures: Mapping[str, PadPressure] | PadPressure,
    *,
    thresholds: ThresholdTable | None = None,
    sex: str = "all",
    cycles_per_hour: float | None = None,
    area_exponent: float = 0.0,
) -> Comfort:
    """Assess the comfort of pads.

    pressures: by cuff, or one, each over one cycle, as returned by gw.wear.press. thresholds: gw.wear.comfort.read(file);
    default: the literature table. sex: men, women or all. cycles_per_hour: default: the motion repeats without a pause.
    area_exponent: e, 0 to 1, for thresholds that fall with the contact area, p ~ (A/A_measured)^-e; default 0 (stated in a
    note), because the effect is known only for probes up to 2 cm^2. Raises ModelError for invalid arguments."""
    at = ErrorContext("judge")
    at["sex"].one_of(sex, SEXES, "is not known")
    table = literature() if thresholds is None else thresholds
    if not isinstance(table, ThresholdTable):
        at["thresholds"].fail("is no table", type(table).__name__, "gw.wear.comfort.read(file)")
    exponent = at["area_exponent"].finite(area_exponent, "a number, 0 to 1")
    if not 0.0 <= exponent <= 1.0:
        at["area_exponent"].fail("is no exponent of an area", exponent, "0 to 1")
    if cycles_per_hour is not None:
        at["cycles_per_hour"].positive(cycles_per_hour)
    from gaitwright.wear.pads.pressure import PadPressure

    pressure_by_cuff = pressures if isinstance(pressures, Mapping) else {"": pressures}
    for name, pressure in pressure_by_cuff.items():
        if not isinstance(pressure, PadPressure):
            at["pressures"].fail(
                f"has no pressure for '{name}'" if name else "is no pressure", pressure, "the result of gw.wear.press"
            )
    pressure_by_cuff = {
        name or pressure.pad.name or pressure.pad.region: pressure for name, pressure in pressure_by_cuff.items()
    }
    if not pressure_by_cuff:
        at["pressures"].fail("are none", expected="a pressure per cuff")
    cuffs = {
        name: _judge_cuff(name, pressure, table, sex, cycles_per_hour, exponent)
        for name, pressure in pressure_by_cuff.items()
    }
    return Comfort(
        cuffs, table, sex, tuple(_comfort_notes(cuffs, pressure_by_cuff, table, sex, exponent)), dict(pressure_by_cuff)
    )


def _judge_cuff(
    name: str, pressed: PadPressure, table: ThresholdTable, sex: str, cycles_per_hour: float | None, exponent: float
) -> CuffComfort:
    worst = pressed.worst
    n = int(np.argmax(pressed.peak))
    pressure_there = pressed.values[:, int(np.argmax(pressed.values[n]))]
    pad_pressure, strap_pressure = pressure_there, pressed.strap_pressure
    around = worst["around"]
    if strap_pressure.max() > worst["pressure"]:  # the strap presses more than the pad
        n, pressure_there, around = int(np.argmax(strap_pressure)), strap_pressure, worst["around"] + 180.0
    peak = float(pressure_there[n])
    duty, mean, dose = _duty_mean_and_dose(pressed.time, pressure_there)
    duration = pressed.time[-1] - pressed.time[0]
    per_hour = mean * SECONDS_PER_HOUR if cycles_per_hour is None else dose * cycles_per_hour
    axial = float(np.abs(pressed.force[:, 1]).max())
    normal = float(pressed.pressing.max())
    loads = {
        "pressure": (peak, mean),
        "normal": (normal, _mean_over_time(pressed.time, pressed.pressing)),
        "axial": (axial, axial),
    }
    area = (
        float(pressed.area[n])
        if pressure_there is pad_pressure
        else pressed.pad.mean_radius * pressed.pad.width * np.pi
    )
    felt = []
    for feels in SENSATIONS:
        for quantity in LOAD_QUANTITIES:
            rows = table.find(pressed.pad.region, feels, quantity, sex)
            if rows:
                felt.append(_compare_with_thresholds(feels, quantity, loads[quantity], rows, duty, area, exponent))
    return CuffComfort(
        name, pressed.pad.region, peak, float(pressed.time[n]), worst["along"], around, mean, area, duty, normal, axial,
        dose if duration > 0.0 else 0.0, per_hour, tuple(felt),
    )  # fmt: skip


def _compare_with_thresholds(
    feels: str,
    quantity: str,
    load: tuple[float, float],
    rows: list[ComfortThreshold],
    duty: float,
    area: float,
    exponent: float,
) -> ThresholdComparison:
    """Compare one load with the thresholds of its loading type, averaged over the sexes; the loading type with the larger
    share counts."""
    peak, mean = load
    by_loading = {
        loading: [row for row in rows if row.loading == loading] for loading in ("continuous", "intermittent", "ramp")
    }
    pairs = [(peak, by_loading["intermittent"] or by_loading["ramp"])]
    if duty >= MIN_CONTINUOUS_DUTY or not pairs[0][1]:
        pairs.append((mean if duty >= MIN_CONTINUOUS_DUTY else peak, by_loading["continuous"]))
    best: ThresholdComparison | None = None
    for value, rows_used in pairs:
        if not rows_used:
            continue
        sexes = list(dict.fromkeys(row.sex for row in rows_used))
        shares = []
        for group in sexes:
            population_shares = [
                row.law.share(value * _area_factor(row, quantity, area, exponent))
                for row in rows_used
                if row.sex == group
            ]
            shares.append(average_shares(population_shares))
        comparison = ThresholdComparison(feels, quantity, value, average_shares(shares), tuple(rows_used))
        if best is None or comparison.share.value > best.share.value:
            best = comparison
    assert best is not None  # rows are not empty, and each has a loading
    return best


def _area_factor(row: ComfortThreshold, quantity: str, area: float, exponent: float) -> float:
    """Factor on a pressure that acts on a larger area than the threshold was measured on."""
    return (area / row.area) ** exponent if quantity == "pressure" and row.area and area > row.area else 1.0


def _mean_over_time(time: Array, values: Array) -> float:
    duration = time[-1] - time[0]
    return float(np.trapezoid(values, time) / duration) if duration > 0.0 else float(values[0])


def _duty_mean_and_dose(time: Array, pressure: Array) -> tuple[float, float, float]:
    """Duty (fraction), mean, Pa, and time integral, Pa s, of the pressure at one position."""
    mean = _mean_over_time(time, pressure)
    loaded = (
        (pressure > LOADED_PRESSURE_RATIO * pressure.max()).astype(float)
        if pressure.max() > 0.0
        else np.zeros_like(pressure)
    )
    return _mean_over_time(time, loaded), mean, mean * float(time[-1] - time[0])


def _comfort_notes(
    cuffs: Mapping[str, CuffComfort],
    pressures: Mapping[str, PadPressure],
    table: ThresholdTable,
    sex: str,
    exponent: float,
) -> list[str]:
    """Notes on missing thresholds, assumptions and limits of the numbers."""
    notes = []
    for name, cuff in cuffs.items():
        if cuff.region in table.unknown:
            notes.append(f"{name}: of the {cuff.region}, {table.unknown[cuff.region]}")
        elif not cuff.felt:
            notes.append(f"{name}: no threshold is known for the {cuff.region}; give a table that has one")
        else:
            if cuff.only_pain:
                notes.append(
                    f"{name}: no pressure threshold of discomfort is known for the {cuff.region}: "
                    "the share is at least that of pain"
                )
            if cuff.worst("pain") is None:
                notes.append(f"{name}: no threshold of pain is known for the {cuff.region}")
        notes += [f"{name}: {note}" for note in pressures[name].notes]
        for felt in cuff.felt:
            row = felt.thresholds[0]
            if felt.quantity == "pressure" and row.instrument == "cuff":
                notes.append(f"{name}: {felt.feels} was measured below a cuff that presses all around, not at a peak")
            if felt.quantity == "pressure" and row.area and cuff.area > 2.0 * row.area and not exponent:
                areas = f"{1e4 * row.area:.3g} cm2, the pad touches {1e4 * cuff.area:.0f} cm2"
                notes.append(f"{name}: {felt.feels} was measured on {areas}; larger areas hurt at lower pressures")
    used = [row for cuff in cuffs.values() for felt in cuff.felt for row in felt.thresholds]
    if any(row.law.assumed for row in used):
        notes.append(
            f"where a source gives no spread, a standard deviation of {DEFAULT_SPREAD_RATIO:g} of the mean is "
            f"assumed; bands have"
            f" {SPREAD_RATIO_RANGE[0]:g} to {SPREAD_RATIO_RANGE[1]:g}"
        )
    if sex != "all" and any(row.sex == "all" for row in used):
        notes.append(f"some thresholds are of men and women together, and count for {sex}, too")
    if exponent and table.summation:
        notes.append(f"thresholds fall with the area by its power of -{exponent:g}: {table.summation}")
    notes.append(
        "thresholds are of healthy people and of seconds to minutes: over hours discomfort grows, and numb skin gives no "
        "warning"
    )
    return list(dict.fromkeys(notes))
