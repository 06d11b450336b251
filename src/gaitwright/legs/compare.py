"""Comparison of legs by the same analysis. Models that are not legs: design/compare_runs.py."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gaitwright._core.error_context import ErrorContext
from gaitwright._core.errors import GaitwrightError
from gaitwright.design.compare_runs import RunComparison, compare_runs
from gaitwright.legs.leg import LegAnalysis, analyse_leg
from gaitwright.legs.settings import read_settings
from gaitwright.model.model import Model
from gaitwright.model.spec.document import GaitSpec

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Comparison:
    """Analyses of several legs, in the given order."""

    legs: list[LegAnalysis] = field(repr=False)

    def table(self) -> pd.DataFrame:
        """Key numbers: one row per quantity with its unit, one column per leg."""
        import pandas as pd

        from gaitwright.report.views.pages.leg_page import comparison_table

        table = comparison_table(self.legs)
        return pd.DataFrame(table.rows, columns=list(table.header)).set_index("quantity")

    def summary(self) -> dict[str, Any]:
        return {"legs": {leg.name: leg.summary() for leg in self.legs}}

    def report(self, path: str | Path) -> dict[str, Path]:
        """Write one web page with all legs: animations, curves, numbers. Returns the written files."""
        from gaitwright.report.views.pages.leg_page import leg_comparison_report

        return leg_comparison_report(self.legs).save(Path(path))

    def _repr_html_(self) -> str | None:
        """HTML for notebooks; None if it cannot be shown."""
        from gaitwright.report.views.notebook_cards import comparison_card

        return comparison_card(self)


def compare(
    models: Sequence[Model],
    *,
    names: Sequence[str] | None = None,
    progress: Callable[[float], None] | None = None,
    **options: Any,
) -> Comparison | RunComparison:
    """Analyse legs, or other models, side by side.

        gw.compare([gw.load("mine.yaml"), mechanisms.jansen_leg()]).report("legs.html")

    names: labels, used if two models have the same name. progress: callback with the fraction done. options: of
    `analyse_leg`, for all legs. If none of the models is a planar leg with a section `gait`, each runs its own analysis, and
    the common outputs are compared; options are not allowed then. Raises ModelError for invalid input; errors of an analysis
    name their leg."""
    if not isinstance(models, Sequence) or not models or not all(isinstance(model, Model) for model in models):
        ErrorContext(field="models").fail("there is nothing to compare", expected="a list of models")
    if names is not None and len(names) != len(models):
        ErrorContext(field="names").fail(f"are {len(names)} for {len(models)} models", expected="one per model")
    if not any(is_leg(model) for model in models) and not options.get("feet"):
        if options:
            ErrorContext(field=next(iter(options))).fail(
                "is for legs, and these models are none", expected="legs, or no options"
            )
        titles = [model.document.name for model in models]
        labels = list(names) if names is not None else titles
        has_repeated_titles = len(set(titles)) < len(titles)
        unique_titles = (
            labels
            if has_repeated_titles and len(set(labels)) == len(labels)
            else number_titles(labels)
            if has_repeated_titles
            else titles
        )
        return compare_runs(models, unique_titles, progress)
    labels = list(names) if names is not None else [model.document.name for model in models]
    gait_fields = {name: value for name, value in options.items() if name in GaitSpec.model_fields}
    for label, model in zip(labels, models, strict=True):  # raise for invalid legs before the first analysis
        with name_leg_in_errors(label):
            read_settings(model, **gait_fields)
    legs = []
    for k, (label, model) in enumerate(zip(labels, models, strict=True)):

        def leg_progress(fraction: float, k: int = k) -> None:
            if progress is not None:
                progress((k + fraction) / len(models))

        with name_leg_in_errors(label):
            legs.append(analyse_leg(model, progress=leg_progress, **options))
    titles = [leg.name for leg in legs]
    if len(set(titles)) < len(titles):
        unique_titles = (
            list(names) if names is not None and len(set(names)) == len(names) else number_titles(names or titles)
        )
        legs = [rename_leg(leg, title) for leg, title in zip(legs, unique_titles, strict=True)]
    return Comparison(legs)


@contextmanager
def name_leg_in_errors(label: str) -> Iterator[None]:
    """Context manager that prepends the label of the leg to errors."""
    try:
        yield
    except GaitwrightError as error:
        raise type(error)(f"leg '{label}': {error}") from error


def is_leg(model: Model) -> bool:
    """True for a planar model with a section `gait`."""
    return model.dimension == 2 and model.document.gait is not None


def number_titles(titles: Sequence[str]) -> list[str]:
    return [f"{title} {k + 1}" for k, title in enumerate(titles)]


def rename_leg(leg: LegAnalysis, name: str) -> LegAnalysis:
    """Copy of an analysis with another name of the leg."""
    return replace(leg, model=Model.from_dict({**leg.model.to_dict(), "name": name}))
