"""Demonstration of gait analysis: laboratory files of a schematic walk with marker noise, and their analysis."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from gaitwright._core.output_files import save_text
from gaitwright.gait.analysis import GaitAnalysis, analyse
from gaitwright.gait.schematic_gait import schematic_walk
from gaitwright.gait.subject import Subject
from gaitwright.gait.trial import load

DEMO_SUBJECT = Subject(73.0, 1.741, "male")
TRIAL_SECONDS, MARKER_NOISE_M = 4.4, 5e-4
"""Duration, s; noise of every marker, m."""


def write_laboratory_files(folder: Path) -> dict[str, Path]:
    """Write markers, forces and subject as laboratory files."""
    trial = schematic_walk(DEMO_SUBJECT, TRIAL_SECONDS).trial("walk", noise=MARKER_NOISE_M)
    return {
        "markers": trial.save(folder / "schematic_walk.trc"),
        "forces": trial.save(folder / "schematic_walk_forces.mot"),
        "subject": save_text(
            folder / "subject.yaml",
            f"mass: {DEMO_SUBJECT.mass:g}\nheight: {DEMO_SUBJECT.height:g}\nsex: {DEMO_SUBJECT.sex}\n",
        ),
    }


def run_gait_demo(
    out: Path, progress: Callable[[str, float], None] | None = None
) -> tuple[GaitAnalysis, dict[str, Path]]:
    """Write laboratory files to the folder `out`, read them, and report on them."""
    report_progress = progress or (lambda label, fraction: None)
    report_progress("walking", 0.0)
    files = write_laboratory_files(out)
    trial = load(files["markers"], files["forces"])
    trial.notes.insert(0, "SCHEMATIC: walk of no real person, by gw.gait.schematic_walk")
    analysis = analyse(
        trial, Subject.read(files["subject"]), progress=lambda label, part: report_progress(label, 0.1 + 0.4 * part)
    )
    report_progress("report", 0.5)
    return analysis, {**analysis.report(out), **analysis.save(out), **files}
