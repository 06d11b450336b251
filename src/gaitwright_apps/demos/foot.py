"""Demonstration of a foot: a parametric foot stands and takes one schematic step; one page shows both."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from gaitwright._core.json_types import write_json
from gaitwright.foot.foot import Foot
from gaitwright.foot.parametric_shape import from_measures
from gaitwright.foot.rolling import BODY_WEIGHT_N, DEFAULT_FRAMES, RollingResult
from gaitwright.foot.standing import StandingResult
from gaitwright.report.views.pages.rolling_page import REGION_HEADER, region_rows, rolling_report

FOOT_MODEL = "foundation"
CELL_SIZE_M = 7.5e-3
"""Cell size, m."""


@dataclass
class FootDemo:
    """Results of the demonstration. files: written files, by kind."""

    standing: StandingResult
    rolled: RollingResult
    files: dict[str, Path] = field(default_factory=dict)

    header = REGION_HEADER

    @property
    def rows(self) -> list[tuple[str, ...]]:
        return region_rows(self.rolled.pressure)

    def summary(self) -> dict[str, Any]:
        pressure = self.rolled.pressure
        return {
            "standing": self.standing.to_dict(),
            "step": {
                "largest_force": float(self.rolled.force[:, 2].max()),
                "ankle_moment": float(self.rolled.moment[:, 1].max()),
                "peak_pressure": float(pressure.peak.max()),
                "instants": pressure.instants,
                "areas": pressure.regions.to_dict("index"),
            },
            "files": {content: str(path) for content, path in self.files.items()},
        }


def run_foot_demo(out: Path, progress: Callable[[str, float], None] | None = None) -> FootDemo:
    """Compute standing and a step, and write the report, numbers and maps to the folder `out`."""
    report_progress = progress or (lambda label, fraction: None)
    report_progress("drawing", 0.0)
    shape = from_measures()
    foot = Foot(shape, shape.fill(CELL_SIZE_M))
    report_progress("standing", 0.1)
    standing = foot.stand(0.5 * BODY_WEIGHT_N, speed=FOOT_MODEL)
    rolled = foot.roll(frames=DEFAULT_FRAMES, speed=FOOT_MODEL, progress=lambda part: report_progress("one step", part))
    demo = FootDemo(standing, rolled)
    report_progress("report", 0.7)
    notes = [
        f"a body of {BODY_WEIGHT_N:.0f} N; standing on both feet, then one step of {rolled.time[-1]:.2f} s on one",
        "pressure as an elastic foundation per facet of the sole; foot.roll(speed=...) has finite elements, too",
    ]
    page, pictures = rolling_report(standing, rolled, out, notes)
    demo.files = {**page.save(out / "report.html"), **pictures, "pressure": rolled.pressure.save(out / "pressure")}
    demo.files["numbers"] = out / "demo.json"
    write_json(demo.summary(), demo.files["numbers"])
    report_progress("done", 1.0)
    return demo
