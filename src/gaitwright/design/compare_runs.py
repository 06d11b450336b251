"""Models side by side that are no legs, in the plane or in space: each is analysed as it says, by what all of them have."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gaitwright.checks import At
from gaitwright.errors import GaitwrightError
from gaitwright.model.model import Model
from gaitwright.result.ranges import ranges
from gaitwright.result.result import Result

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class RunComparison:
    """runs: by what the models are called, in the order in which they were given."""

    runs: dict[str, Result] = field(repr=False)

    @property
    def names(self) -> list[str]:
        """Outputs that all runs show and have in the same unit."""
        from gaitwright.report.views.shown import shown_outputs

        first, *others = self.runs.values()
        return [
            name
            for name in shown_outputs(first)
            if all(
                name in run.catalogue.outputs and run.catalogue[name].unit == first.catalogue[name].unit
                for run in others
            )
        ]

    def table(self) -> pd.DataFrame:
        """Least, greatest (with when, s) and final value of the outputs that all have: a row per output and model."""
        import pandas as pd

        rows = []
        for name in self.names:
            for label, run in self.runs.items():
                found, unit = ranges(run, [name])[name], run.catalogue[name].unit
                rows.append(
                    {
                        "output": name,
                        "model": label,
                        **found._asdict(),
                        "final": float(run.values(name)[-1]),
                        "unit": unit,
                    }
                )
        return pd.DataFrame(rows)

    def summary(self) -> dict[str, Any]:
        return {"runs": {label: run.summary() for label, run in self.runs.items()}}

    def report(self, path: str | Path) -> dict[str, Path]:
        """One web page with all models: animations on one scale, outputs over each other, numbers."""
        from gaitwright.report.views.compare_page import compare_runs_report

        return compare_runs_report(self).save(Path(path))

    def __repr__(self) -> str:
        return f"<RunComparison of {', '.join(self.runs)}: {len(self.names)} outputs that all have>"


def compare_runs(
    models: Sequence[Model], names: Sequence[str], progress: Callable[[float], None] | None = None
) -> RunComparison:
    """Analyse each model as its section `analysis` says. names: what they are called, one per model."""
    runs: dict[str, Result] = {}
    for k, (model, name) in enumerate(zip(models, names, strict=True)):

        def part(fraction: float, k: int = k) -> None:
            if progress is not None:
                progress((k + fraction) / len(models))

        try:
            run: Any = model.analyse(progress=part)
        except GaitwrightError as error:
            raise type(error)(f"model '{name}': {error}") from error
        if not isinstance(run, Result):
            At(f"model '{name}'", "analysis").fail(
                "gives modes of vibration, which are not compared", expected="a motion"
            )
        runs[name] = run
    found = RunComparison(runs)
    if not found.names:
        At(field="models").fail(
            "have no output in common",
            list(runs),
            "models whose bodies, drives or outputs have the same names, as two versions of one",
        )
    return found
