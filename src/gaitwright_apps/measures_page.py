"""Page of the documentation with all measures, from their registries.

python -m gaitwright_apps.measures_page docs/measures.md
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from gaitwright._core.output_files import save_text
from gaitwright.measures.measure import MeasureRegistry, measure_registries

INTRODUCTION = """# Measures

*For everyone who searches, compares or limits designs.* Named numbers of legs, machines, feet, walks and devices, in SI units.
Names are those of commands, files, expressions and of the arguments `measures`, `constraints`, `minimise` and `maximise` of the
[design methods](reference/designs.md). `python -m gaitwright_apps.measures_page docs/measures.md` writes this page from the
registries of measures; [the architecture](architecture.md) states how to add a measure.

A **batch** measure is also computed by [generated programs](how-to/many-designs.md), with its derivatives. For a leg on the
ground, `restitution_0_` is the restitution of the turn, or `ground_` for a law without restitution. Numbers of the machine that
walks on a leg have the prefix `walk_` in design searches of that leg. Outputs of a model, such as `crank.torque`, become
measures by a reduction over time: `crank.torque.max` ([sweep](how-to/sweep.md)).
"""


BETTER = {1: "larger", -1: "smaller", 0: ""}


def measures_page() -> str:
    """Text of the page."""
    return "\n".join([INTRODUCTION, *(_section(registry) for registry in measure_registries().values())])


def _section(registry: MeasureRegistry[Any]) -> str:
    batch = any(measure.array for measure in registry.values())
    columns = ["name", "unit", "meaning", "better", *(["batch"] if batch else [])]
    rows = [f"| {' | '.join(columns)} |", f"|{' --- |' * len(columns)}"]
    for measure in registry.values():
        cells = [f"`{registry.prefix}{measure.name}`", measure.unit, measure.description.replace("|", "\\|")]
        cells += [BETTER[measure.better], *(["yes" if measure.array else ""] if batch else [])]
        rows.append(f"| {' | '.join(cells)} |")
    return "\n".join([f"## {registry.kind.capitalize()}", "", *rows, ""])


if __name__ == "__main__":
    save_text(Path(sys.argv[1]), measures_page())
