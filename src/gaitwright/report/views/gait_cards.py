"""Notebook cards of walks of people and of worn devices; see notebook_card.py.

Facts, sentences and charts are the first ones of their pages."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from gaitwright.report.blocks import Chart, Remark, ReportBlock
from gaitwright.report.chart_rendering import draw_chart
from gaitwright.report.notebook_card import NotebookCard, add_picture, suppress_errors

if TYPE_CHECKING:
    from gaitwright.gait.analysis import GaitAnalysis
    from gaitwright.wear.device_result import DeviceResult

MAX_CHARTS = 3


@suppress_errors
def gait_card(gait: GaitAnalysis) -> NotebookCard:
    from gaitwright.report.views import gait_charts
    from gaitwright.report.views.pages import gait_page

    trial = gait.trial
    subtitle = f"{len(trial.times) / trial.rate:.1f} s at {trial.rate:g} Hz, {len(trial.labels)} markers"
    card = NotebookCard(f"{gait.name} (GaitAnalysis)", subtitle, gait_page._facts(gait))
    card.warnings, card.sentences = _sort_remarks(gait_page._remarks(gait))
    angles = [curve for curve in gait_charts.SAGITTAL_CURVES if curve.name.endswith("flexion")]
    charts = gait_charts.cycle_charts(gait, angles) or gait_charts.time_charts(gait, angles)
    _draw_charts(card, charts)
    return card


@suppress_errors
def device_card(worn: DeviceResult) -> NotebookCard:
    from gaitwright.report.views.pages import device_page

    subject = worn.motion.skeleton.subject
    subtitle = f"on {worn.where}, {subject.mass:g} kg, {subject.height:.2f} m"
    card = NotebookCard(f"{worn.name} (Worn)", subtitle, device_page._facts(worn))
    card.warnings, card.sentences = _sort_remarks(device_page._remarks(worn))
    _draw_charts(
        card,
        [chart for joint in device_page.affected_joints(worn) for chart in device_page._joint_charts(worn, joint)[:1]],
    )
    return card


def _sort_remarks(remarks: Sequence[Remark]) -> tuple[list[str], list[str]]:
    """Sort remarks into bad ones and others, as sentences."""
    sorted_texts: tuple[list[str], list[str]] = [], []
    for remark in remarks:
        sorted_texts[remark.tone != "bad"].append(remark.text)
    return sorted_texts


def _draw_charts(card: NotebookCard, blocks: Sequence[ReportBlock]) -> None:
    for block in [block for block in blocks if isinstance(block, Chart)][:MAX_CHARTS]:
        add_picture(card.pictures, lambda chart=block: _chart_picture(chart))


def _chart_picture(chart: Chart) -> bytes:
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        path = Path(folder) / "chart.png"
        draw_chart(chart, path, "chart")
        return path.read_bytes()
