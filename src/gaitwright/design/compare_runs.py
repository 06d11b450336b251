"""Comparison of models in the plane or in space that are not legs: each runs its own analysis; common outputs are compared."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gaitwright._core.error_context import ErrorContext
from gaitwright._core.errors import GaitwrightError
from gaitwright.model.model import Model
from gaitwright.result.output_ranges import compute_ranges
from gaitwright.result.result import Result

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class RunComparison:
    """Results of several models. runs: results by label of the model, in the given order."""

    runs: dict[str, Result] = field(repr=False)

    @property
    def names(self) -> list[str]:
        """Default outputs of the first run that all runs have in the same unit."""
        from gaitwright.report.views.default_outputs import select_default_outputs

        first, *others = self.runs.values()
        return [
            name
            for name in select_default_outputs(first)
            if all(
                name in run.catalogue.outputs and run.catalogue[name].unit == first.catalogue[name].unit
                for run in others
            )
        ]

    def table(self) -> pd.DataFrame:
        """Least and greatest value (with times, s) and final value of the common outputs: a row per output and model."""
        import pandas as pd

        rows = []
        for name in self.names:
            for label, run in self.runs.items():
                ranges, unit = compute_ranges(run, [name])[name], run.catalogue[name].unit
                rows.append(
                    {
                        "output": name,
                        "model": label,
                        **ranges._asdict(),
                        "final": float(run.array(name)[-1]),
                        "unit": unit,
                    }
                )
        return pd.DataFrame(rows)

    def summary(self) -> dict[str, Any]:
        return {"runs": {label: run.summary() for label, run in self.runs.items()}}

    def report(self, path: str | Path) -> dict[str, Path]:
        """Write one web page with all models: animations on one scale, overlaid outputs, numbers. Returns the written files."""
        from gaitwright.report.views.pages.run_comparison_page import run_comparison_report

        return run_comparison_report(self).save(Path(path))

    def __repr__(self) -> str:
        return f"<RunComparison of {', '.join(self.runs)}: {len(self.names)} outputs that all have>"


def compare_runs(
    models: Sequence[Model], names: Sequence[str], progress: Callable[[float], None] | None = None
) -> RunComparison:
    """Analyse each model by its section `analysis`. names: labels, one per model. Raises ModelError for modal analyses and for
    models without a common output; errors of an analysis name their model."""
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
            ErrorContext(f"model '{name}'", "analysis").fail(
                "gives modes of vibration, which are not compared", expected="a motion"
            )
        runs[name] = run
    comparison = RunComparison(runs)
    if not comparison.names:
        ErrorContext(field="models").fail(
            "have no output in common",
            list(runs),
            "models whose bodies, drives or outputs have the same names, as two versions of one",
        )
    return comparison
