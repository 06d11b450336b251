"""A report: one self-contained HTML file, with the pictures as PNG and the tables as CSV in a folder beside it."""

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

from gaitwright._core.output_files import save_text
from gaitwright.report.animations.planar_animation import planar_page_data
from gaitwright.report.animations.spatial_animation import spatial_page_data, still_image_url
from gaitwright.report.blocks import (
    Animation,
    Chart,
    Code,
    Drawing,
    Fact,
    Figures,
    Heading,
    Map,
    Picture,
    Remarks,
    ReportBlock,
    Table,
    Text,
    Verdicts,
)
from gaitwright.report.chart_rendering import PALETTE_DARK, draw_chart, draw_figure, draw_map
from gaitwright.report.figures.style import PALETTE
from gaitwright.report.rounding import zero_table_noise
from gaitwright.report.scenes.spatial_scene import SpatialScene
from gaitwright.report.software_versions import collect_versions
from gaitwright.report.template import render_template, script_data

VERDICT_TONES = {"pass": "good", "within-rounding": "good", "not-reproducible": "odd", "fail": "bad"}
"""Tone of a verdict."""


@dataclass
class Report:
    """A report. title, subtitle: at the top of the page. blocks: the content, in this order. date: of the run; default: now.
    time_bar: add a slider at the bottom of the window that moves the first animation and every chart. Versions of the
    software are at the end of every report."""

    title: str
    subtitle: str = ""
    blocks: list[ReportBlock] = field(default_factory=list)
    date: datetime | None = None
    time_bar: bool = False

    def save(self, path: str | Path) -> dict[str, Path]:
        """Write the page, and pictures and tables into the folder NAME-files beside it; return both paths."""
        path = Path(path)
        if path.suffix.lower() not in (".html", ".htm"):
            raise ValueError(f"a report is written as .html, but the path is '{path}'")
        beside = PageFolder(path.with_name(f"{path.stem}-files"))
        items = [beside.prepare(block) for block in self.blocks]
        page = render_template(
            "report.html",
            title=self.title,
            subtitle=self.subtitle,
            groups=list(_group_blocks(self.blocks, items)),
            headings=[item for item in items if item["kind"] == "heading"],
            scenes=script_data(beside.scenes),
            charts=script_data(beside.charts),
            space=any(item.get("still") for item in items),
            deforming=any("deforming" in scene for scene in beside.scenes),
            versions=collect_versions(self.date),
            time_bar=self.time_bar and bool(beside.scenes),
            palettes={"light": PALETTE, "dark": PALETTE_DARK},
        )
        save_text(path, page)
        return {"report": path} | ({"pictures and tables": beside.folder} if beside.names else {})


class PageFolder:
    """The folder beside a page, and the data of its script. Converts every block to the data of its template."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.names: set[str] = set()
        self.scenes: list[dict[str, Any]] = []
        self.charts: list[dict[str, Any]] = []
        self.headings = 0

    def prepare(self, block: ReportBlock) -> dict[str, Any]:
        item = BLOCK_PREPARERS[type(block)](self, block)
        return {"kind": type(block).__name__.lower(), "note": getattr(block, "note", ""), **item}

    def file(self, title: str, ending: str) -> Path:
        """An unused path for a file with this title."""
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
        return {"facts": [Fact(f.label, format_cell(f.value, 5), f.unit, f.note) for f in block.facts]}

    def animation(self, block: Animation) -> dict[str, Any]:
        scene, still = block.scene, ""
        if isinstance(scene, SpatialScene):
            data, still = spatial_page_data(scene), still_image_url(scene)
        else:
            data = planar_page_data(scene)
        self.scenes.append({"name": block.title, **data})
        return {"title": block.title, "number": len(self.scenes) - 1, "still": still}

    def chart(self, block: Chart) -> dict[str, Any]:
        number = len(self.charts)
        drawn = draw_chart(block, self.file(block.title, ".png"), f"chart{number}")
        data = {"axes": drawn["axes"], "lines": drawn["lines"], "over_time": block.over_time, "follows": block.follows}
        self.charts.append(data)
        self.write_csv(block.title, *_chart_table(block))
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
        cells = block.rows if block.exact else zero_table_noise(block.header, block.rows)
        rows = [[format_cell(cell, 3 if block.exact else 5) for cell in row] for row in cells]
        best = [[(i, k) in block.best for k in range(len(row))] for i, row in enumerate(rows)]
        table = {"title": block.title, "header": block.header, "rows": rows, "numbers": numbers, "folded": block.folded}
        return {**table, "best": best}

    def verdicts(self, block: Verdicts) -> dict[str, Any]:
        names = list(dict.fromkeys(name for check in block.checks for name in check))
        self.write_csv(block.title, names, ([check.get(name, "") for name in names] for check in block.checks))
        rows = [
            {**c, "published": format_cell(c["published"]), "computed": format_cell(c["computed"])}
            for c in block.checks
        ]
        verdicts = [check["verdict"] for check in block.checks]
        counts = {verdict: verdicts.count(verdict) for verdict in dict.fromkeys([*block.order, *verdicts])}
        return {"title": block.title, "checks": rows, "counts": counts, "badges": VERDICT_TONES}

    def code(self, block: Code) -> dict[str, Any]:
        if block.name:
            stem, dot, ending = block.name.rpartition(".")
            save_text(self.file(stem or block.name, dot + ending), block.text)
        return {"title": block.title, "text": block.text}


BLOCK_PREPARERS: dict[type[ReportBlock], Callable[[PageFolder, Any], dict[str, Any]]] = {
    Heading: PageFolder.heading, Text: PageFolder.text, Remarks: PageFolder.remarks, Figures: PageFolder.figures,
    Animation: PageFolder.animation, Chart: PageFolder.chart,
    Map: PageFolder.map, Drawing: PageFolder.drawing,
    Picture: PageFolder.picture, Table: PageFolder.table, Verdicts: PageFolder.verdicts, Code: PageFolder.code,
}  # fmt: skip


def format_cell(value: Any, digits: int = 6) -> str:
    """Text of a cell: numbers with a typographic minus, a dash for missing values."""
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


def _chart_table(chart: Chart) -> tuple[list[str], Iterable[Sequence[Any]]]:
    """Lines of a chart as a table: one column of x if all lines have the same, otherwise one for each."""
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


def _group_blocks(blocks: Sequence[ReportBlock], items: Sequence[dict[str, Any]]) -> Iterable[dict[str, Any]]:
    """Group blocks that are arranged together: animations side by side, tiles in a grid, tiles beside the preceding
    animation."""
    layout, members = "", []
    for block, item in zip(blocks, items, strict=True):
        kind = block.stands
        joined = JOINED_LAYOUTS.get((layout, kind))
        if joined is None and members:
            yield {"layout": layout, "items": members}
            members = []
        layout = joined or INITIAL_LAYOUTS[kind]
        members.append(item)
    if members:
        yield {"layout": layout, "items": members}


INITIAL_LAYOUTS = {"stage": "beside", "tile": "grid", "picture": "pictures", "plain": "plain"}
JOINED_LAYOUTS = {
    ("beside", "stage"): "stages", ("stages", "stage"): "stages", ("beside", "tile"): "beside", ("grid", "tile"): "grid",
    ("pictures", "picture"): "pictures",
}  # fmt: skip
"""Layout of a group, by its present layout and the kind of the next block."""
