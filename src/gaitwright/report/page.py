"""A report: one HTML file that needs nothing else, with the pictures as PNG and the tables as CSV in a folder beside it."""

from __future__ import annotations

import base64
import csv
import io
import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np

from gaitwright.report.animation import page_data
from gaitwright.report.blocks import (
    Animation,
    Block,
    Chart,
    Code,
    Drawing,
    Fact,
    Figures,
    Heading,
    Map,
    Picture,
    Remarks,
    Table,
    Text,
    Verdicts,
)
from gaitwright.report.charts import PALETTE_DARK, draw_chart, draw_figure, draw_map
from gaitwright.report.digits import without_noise
from gaitwright.report.plots import PALETTE
from gaitwright.report.spatial_page import space_data, still_data
from gaitwright.report.spatial_scene import SpaceScene
from gaitwright.report.template import render, script_data
from gaitwright.report.versions import versions
from gaitwright.saving import save_text

BADGES = {"pass": "good", "within-rounding": "good", "not-reproducible": "odd", "fail": "bad"}
"""How a verdict looks."""


@dataclass
class Report:
    """title, subtitle: at the top of the page. blocks: what follows, in this order. date: of the run; now unless given.
    time_bar: a slider at the foot of the window that moves the first animation and with it every chart. Versions of what
    computed it are at the end of every report."""

    title: str
    subtitle: str = ""
    blocks: list[Block] = field(default_factory=list)
    date: datetime | None = None
    time_bar: bool = False

    def save(self, path: str | Path) -> dict[str, Path]:
        """Write the page, and pictures and tables into the folder NAME-files beside it; both paths, by what they are."""
        path = Path(path)
        if path.suffix.lower() not in (".html", ".htm"):
            raise ValueError(f"a report is written as .html, but the path is '{path}'")
        beside = Beside(path.with_name(f"{path.stem}-files"))
        items = [beside.prepare(block) for block in self.blocks]
        page = render(
            "report.html",
            title=self.title,
            subtitle=self.subtitle,
            groups=list(_grouped(self.blocks, items)),
            headings=[item for item in items if item["kind"] == "heading"],
            scenes=script_data(beside.scenes),
            charts=script_data(beside.charts),
            space=any(item.get("still") for item in items),
            deforming=any("deforming" in scene for scene in beside.scenes),
            versions=versions(self.date),
            time_bar=self.time_bar and bool(beside.scenes),
            palettes={"light": PALETTE, "dark": PALETTE_DARK},
        )
        save_text(path, page)
        return {"report": path} | ({"pictures and tables": beside.folder} if beside.names else {})


class Beside:
    """The folder beside a page, and what its script needs. Turns every block into what its template shows."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.names: set[str] = set()
        self.scenes: list[dict[str, Any]] = []
        self.charts: list[dict[str, Any]] = []
        self.headings = 0

    def prepare(self, block: Block) -> dict[str, Any]:
        item = PREPARED[type(block)](self, block)
        return {"kind": type(block).__name__.lower(), "note": getattr(block, "note", ""), **item}

    def file(self, title: str, ending: str) -> Path:
        """A path for something with this title that is not taken yet."""
        plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode().lower()
        name = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:60] or "part"
        number = 1
        while (chosen := f"{name}{f'-{number}' if number > 1 else ''}{ending}") in self.names:
            number += 1
        self.names.add(chosen)
        return self.folder / chosen

    def write_csv(self, title: str, header: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
        text = io.StringIO(newline="")
        writer = csv.writer(text)
        writer.writerow(header)
        writer.writerows(rows)
        save_text(self.file(title, ".csv"), text.getvalue())

    def heading(self, block: Heading) -> dict[str, Any]:
        self.headings += 1
        return {"title": block.title, "anchor": f"part-{self.headings}"}

    def text(self, block: Text) -> dict[str, Any]:
        return {"paragraphs": block.paragraphs, "tone": block.tone}

    def remarks(self, block: Remarks) -> dict[str, Any]:
        return {"title": block.title, "remarks": block.remarks}

    def figures(self, block: Figures) -> dict[str, Any]:
        return {"facts": [Fact(f.label, shown(f.value, 5), f.unit, f.note) for f in block.facts]}

    def animation(self, block: Animation) -> dict[str, Any]:
        scene, still = block.scene, ""
        if isinstance(scene, SpaceScene):
            data, still = space_data(scene), still_data(scene)
        else:
            data = page_data(scene)
        self.scenes.append({"name": block.title, **data})
        return {"title": block.title, "number": len(self.scenes) - 1, "still": still}

    def chart(self, block: Chart) -> dict[str, Any]:
        number = len(self.charts)
        drawn = draw_chart(block, self.file(block.title, ".png"), f"chart{number}")
        data = {"axes": drawn["axes"], "lines": drawn["lines"], "over_time": block.over_time, "follows": block.follows}
        self.charts.append(data)
        self.write_csv(block.title, *_columns(block))
        legend = drawn["legend"] if any(entry["label"] for entry in drawn["legend"]) else []
        band = block.band_label if len(block.bands) or len(block.areas) else ""
        return {"title": block.title, "svg": drawn["svg"], "legend": legend, "band": band, "number": number}

    def map(self, block: Map) -> dict[str, Any]:
        drawn = draw_map(block, self.file(block.title, ".png"), f"map{len(self.names)}")
        names = (block.xlabel or "x", block.ylabel or "y", block.zlabel or block.title)
        values, y = np.asarray(block.z, dtype=float).tolist(), np.asarray(block.y, dtype=float).tolist()
        x = np.asarray(block.x, dtype=float).tolist()
        rows = ((a, b, z) for b, row in zip(y, values, strict=True) for a, z in zip(x, row, strict=True))
        self.write_csv(block.title, names, rows)
        return {"title": block.title, "svg": drawn["svg"]}

    def drawing(self, block: Drawing) -> dict[str, Any]:
        svg = draw_figure(block, self.file(block.title, ".png"), f"drawing{len(self.names)}")
        return {"title": block.title, "svg": svg}

    def picture(self, block: Picture) -> dict[str, Any]:
        data = base64.b64encode(Path(block.path).read_bytes()).decode("ascii")
        return {"title": block.title, "data": f"data:image/png;base64,{data}", "wide": block.wide}

    def table(self, block: Table) -> dict[str, Any]:
        self.write_csv(block.title, block.header, block.rows)
        columns = list(zip(*block.rows, strict=True)) or [()] * len(block.header)
        numbers = [bool(column) and all(_is_number(cell) for cell in column) for column in columns]
        cells = block.rows if block.exact else without_noise(block.header, block.rows)
        rows = [[shown(cell, 3 if block.exact else 5) for cell in row] for row in cells]
        best = [[(i, k) in block.best for k in range(len(row))] for i, row in enumerate(rows)]
        found = {"title": block.title, "header": block.header, "rows": rows, "numbers": numbers, "folded": block.folded}
        return {**found, "best": best}

    def verdicts(self, block: Verdicts) -> dict[str, Any]:
        names = list(dict.fromkeys(name for check in block.checks for name in check))
        self.write_csv(block.title, names, ([check.get(name, "") for name in names] for check in block.checks))
        rows = [{**c, "published": shown(c["published"]), "computed": shown(c["computed"])} for c in block.checks]
        found = [check["verdict"] for check in block.checks]
        counts = {verdict: found.count(verdict) for verdict in dict.fromkeys([*block.order, *found])}
        return {"title": block.title, "checks": rows, "counts": counts, "badges": BADGES}

    def code(self, block: Code) -> dict[str, Any]:
        if block.name:
            stem, dot, ending = block.name.rpartition(".")
            save_text(self.file(stem or block.name, dot + ending), block.text)
        return {"title": block.title, "text": block.text}


PREPARED: dict[type[Block], Callable[[Beside, Any], dict[str, Any]]] = {
    Heading: Beside.heading, Text: Beside.text, Remarks: Beside.remarks, Figures: Beside.figures,
    Animation: Beside.animation, Chart: Beside.chart,
    Map: Beside.map, Drawing: Beside.drawing,
    Picture: Beside.picture, Table: Beside.table, Verdicts: Beside.verdicts, Code: Beside.code,
}  # fmt: skip


def shown(value: Any, digits: int = 6) -> str:
    """A cell as people read it: numbers with a real minus, nothing for what does not exist."""
    if value is None:
        return "–"
    if isinstance(value, (float, np.floating)):
        return f"{value:.{digits}g}".replace("-", "−") if np.isfinite(value) else "–"
    if isinstance(value, (int, np.integer)) and not isinstance(value, bool):
        return str(value).replace("-", "−")
    return str(value)


def _is_number(cell: Any) -> bool:
    if isinstance(cell, str):
        return bool(re.fullmatch(r"\s*(?:[-−+]?[\d.]+(?:e[-+−]?\d+)?|[-–]?)\s*", cell, flags=re.I))
    return cell is None or (isinstance(cell, (int, float, np.number)) and not isinstance(cell, bool))


def _columns(chart: Chart) -> tuple[list[str], Iterable[Sequence[Any]]]:
    """The lines of a chart as a table: one column of x where all have the same, otherwise one for each."""
    parts = [(line.label, np.asarray(line.x, dtype=float), np.asarray(line.y, dtype=float)) for line in chart.lines]
    header: list[str] = []
    columns: list[np.ndarray] = []
    for k, (label, x, y) in enumerate(parts):
        if k == 0 or not np.array_equal(x, parts[0][1], equal_nan=True):
            header.append(chart.xlabel if k == 0 else f"{chart.xlabel} of {label}")
            columns.append(x)
        header.append(label or chart.ylabel)
        columns.append(y)
    longest = max((column.size for column in columns), default=0)
    cells = [[f"{value:.10g}" for value in column] + [""] * (longest - column.size) for column in columns]
    return header, zip(*cells, strict=True)


def _grouped(blocks: Sequence[Block], items: Sequence[dict[str, Any]]) -> Iterable[dict[str, Any]]:
    """Neighbours that stand together: animations side by side, tiles in a grid, tiles beside the animation before them."""
    layout, members = "", []
    for block, item in zip(blocks, items, strict=True):
        kind = block.stands
        joined = JOINED.get((layout, kind))
        if joined is None and members:
            yield {"layout": layout, "items": members}
            members = []
        layout = joined or ALONE[kind]
        members.append(item)
    if members:
        yield {"layout": layout, "items": members}


ALONE = {"stage": "beside", "tile": "grid", "picture": "pictures", "plain": "plain"}
JOINED = {
    ("beside", "stage"): "stages", ("stages", "stage"): "stages", ("beside", "tile"): "beside", ("grid", "tile"): "grid",
    ("pictures", "picture"): "pictures",
}  # fmt: skip
"""What becomes of a group with a layout when a block of a kind follows."""
