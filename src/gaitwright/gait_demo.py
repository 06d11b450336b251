"""The demonstration of gait: a schematic walk as files of a laboratory, with noise on its markers, and what is made of them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from gaitwright.gait.analysis import GaitAnalysis, analyse
from gaitwright.gait.schematic import schematic_walk
from gaitwright.gait.subject import Subject
from gaitwright.gait.trial import load
from gaitwright.saving import save_text

PERSON = Subject(73.0, 1.741, "male")
SECONDS, NOISE = 4.4, 5e-4
"""s; m, of every marker."""


def write_files(folder: Path) -> dict[str, Path]:
    """markers, forces and the subject, as a laboratory would hand them over."""
    trial = schematic_walk(PERSON, SECONDS).trial("walk", noise=NOISE)
    return {
        "markers": trial.save(folder / "schematic_walk.trc"),
        "forces": trial.save(folder / "schematic_walk_forces.mot"),
        "subject": save_text(
            folder / "subject.yaml", f"mass: {PERSON.mass:g}\nheight: {PERSON.height:g}\nsex: {PERSON.sex}\n"
        ),
    }


def run_gait_demo(
    out: Path, progress: Callable[[str, float], None] | None = None
) -> tuple[GaitAnalysis, dict[str, Path]]:
    """Write such files into the folder `out`, read them back, and report on them."""
    said = progress or (lambda what, fraction: None)
    said("walking", 0.0)
    files = write_files(out)
    trial = load(files["markers"], files["forces"])
    trial.notes.insert(0, "SCHEMATIC: nobody's walk, by gw.gait.schematic_walk")
    found = analyse(trial, Subject.read(files["subject"]), progress=lambda what, part: said(what, 0.1 + 0.4 * part))
    said("report", 0.5)
    return found, {**found.report(out), **found.save(out), **files}
