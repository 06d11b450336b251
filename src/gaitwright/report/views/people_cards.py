"""What walks of people and devices on them show of themselves in a notebook; see cards.py.

Facts, sentences and charts are those of their pages, the first of them."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from gaitwright.report.blocks import Block, Chart, Remark
from gaitwright.report.card import Card, drawn, never_raising
from gaitwright.report.charts import draw_chart

if TYPE_CHECKING:
    from gaitwright.gait.analysis import GaitAnalysis
    from gaitwright.wear.worn import Worn

MOST_CHARTS = 3


@never_raising
def gait_card(found: GaitAnalysis) -> Card:
    from gaitwright.report.views import gait_charts, gait_page

    trial = found.trial
    said = f"{len(trial.times) / trial.rate:.1f} s at {trial.rate:g} Hz, {len(trial.labels)} markers"
    card = Card(f"{found.name} (GaitAnalysis)", said, gait_page._facts(found))
    card.warnings, card.sentences = _sorted(gait_page._remarks(found))
    angles = [curve for curve in gait_charts.SAGITTAL if curve.name.endswith("flexion")]
    charts = gait_charts.cycle_charts(found, angles) or gait_charts.time_charts(found, angles)
    _draw(card, charts)
    return card


@never_raising
def worn_card(worn: Worn) -> Card:
    from gaitwright.report.views import device_page

    subject = worn.motion.skeleton.subject
    said = f"on {worn.where}, {subject.mass:g} kg, {subject.height:.2f} m"
    card = Card(f"{worn.name} (Worn)", said, device_page._facts(worn))
    card.warnings, card.sentences = _sorted(device_page._remarks(worn))
    _draw(
        card,
        [chart for joint in device_page.changed_joints(worn) for chart in device_page._joint_charts(worn, joint)[:1]],
    )
    return card


def _sorted(remarks: Sequence[Remark]) -> tuple[list[str], list[str]]:
    """What is bad, and the rest, as sentences."""
    found: tuple[list[str], list[str]] = [], []
    for remark in remarks:
        found[remark.tone != "bad"].append(remark.text)
    return found


def _draw(card: Card, blocks: Sequence[Block]) -> None:
    for block in [block for block in blocks if isinstance(block, Chart)][:MOST_CHARTS]:
        drawn(card.pictures, lambda chart=block: _picture(chart))


def _picture(chart: Chart) -> bytes:
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        path = Path(folder) / "chart.png"
        draw_chart(chart, path, "chart")
        return path.read_bytes()
