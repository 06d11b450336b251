"""The demonstration of a foot: our own drawing stands and takes one step of a scheme; one page shows both."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from gaitwright.foot.drawn import from_measures
from gaitwright.foot.foot import Foot
from gaitwright.foot.rolling import FRAMES, WEIGHT, Rolling
from gaitwright.foot.standing import Standing
from gaitwright.plain import write_json
from gaitwright.report.views.rolling_page import REGION_HEADER, region_rows, rolling_report

SPEED = "foundation"
SIZE = 7.5e-3
"""Of the cells, m."""


@dataclass
class FootDemo:
    """What the demonstration found. files: what was written, by what it is."""

    standing: Standing
    rolled: Rolling
    files: dict[str, Path] = field(default_factory=dict)

    header = REGION_HEADER

    @property
    def rows(self) -> list[tuple[str, ...]]:
        return region_rows(self.rolled.pressure)

    def summary(self) -> dict[str, Any]:
        found = self.rolled.pressure
        return {
            "standing": self.standing.to_dict(),
            "step": {
                "largest_force": float(self.rolled.force[:, 2].max()),
                "ankle_moment": float(self.rolled.moment[:, 1].max()),
                "peak_pressure": float(found.peak.max()),
                "instants": found.instants,
                "areas": found.regions.to_dict("index"),
            },
            "files": {what: str(path) for what, path in self.files.items()},
        }


def run_foot_demo(out: Path, progress: Callable[[str, float], None] | None = None) -> FootDemo:
    """Let the foot stand and step, and write its report, numbers and maps into the folder `out`."""
    said = progress or (lambda what, fraction: None)
    said("drawing", 0.0)
    shape = from_measures()
    foot = Foot(shape, shape.fill(SIZE))
    said("standing", 0.1)
    standing = foot.stand(0.5 * WEIGHT, speed=SPEED)
    rolled = foot.roll(frames=FRAMES, speed=SPEED, progress=lambda part: said("one step", part))
    demo = FootDemo(standing, rolled)
    said("report", 0.7)
    notes = [
        f"a body of {WEIGHT:.0f} N; standing on both feet, then one step of {rolled.time[-1]:.2f} s on one",
        "pressure as an elastic foundation per facet of the sole; foot.roll(speed=...) has finite elements, too",
    ]
    page, pictures = rolling_report(standing, rolled, out, notes)
    demo.files = {**page.save(out / "report.html"), **pictures, "pressure": rolled.pressure.save(out / "pressure")}
    demo.files["numbers"] = out / "demo.json"
    write_json(demo.summary(), demo.files["numbers"])
    said("done", 1.0)
    return demo
