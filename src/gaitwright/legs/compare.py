"""Legs side by side: each is put through the same analysis. Models that are no legs: design/compare_runs.py."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gaitwright.checks import At
from gaitwright.design.compare_runs import RunComparison, compare_runs
from gaitwright.errors import GaitwrightError
from gaitwright.legs.leg import LegAnalysis, analyse_leg
from gaitwright.legs.settings import read_settings
from gaitwright.model.model import Model
from gaitwright.model.spec import Gait

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Comparison:
    """legs: in the order in which they were given."""

    legs: list[LegAnalysis] = field(repr=False)

    def table(self) -> pd.DataFrame:
        """Key numbers: one row per quantity, one column per leg, and the unit."""
        import pandas as pd

        from gaitwright.report.views.leg_page import comparison_table

        table = comparison_table(self.legs)
        return pd.DataFrame(table.rows, columns=list(table.header)).set_index("quantity")

    def summary(self) -> dict[str, Any]:
        return {"legs": {leg.name: leg.summary() for leg in self.legs}}

    def report(self, path: str | Path) -> dict[str, Path]:
        """One web page with all legs: animations, curves, numbers."""
        from gaitwright.report.views.leg_page import compare_report

        return compare_report(self.legs).save(Path(path))

    def _repr_html_(self) -> str | None:
        """For notebooks; None if it cannot be shown."""
        from gaitwright.report.views.cards import comparison_card

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

    names: what they are called where two models have the same name. options: of `analyse_leg`, for all of them. Where
    none of the models is a leg of the plane, with a section `gait`, each is analysed as it says, and compared by the outputs
    that all of them have; no options then."""
    if not isinstance(models, Sequence) or not models or not all(isinstance(model, Model) for model in models):
        At(field="models").fail("there is nothing to compare", expected="a list of models")
    if names is not None and len(names) != len(models):
        At(field="names").fail(f"are {len(names)} for {len(models)} models", expected="one per model")
    if not any(is_leg(model) for model in models) and not options.get("feet"):
        if options:
            At(field=next(iter(options))).fail("is for legs, and these models are none", expected="legs, or no options")
        titles = [model.document.name for model in models]
        given = list(names) if names is not None else titles
        alike = len(set(titles)) < len(titles)
        called = given if alike and len(set(given)) == len(given) else numbered(given) if alike else titles
        return compare_runs(models, called, progress)
    labels = list(names) if names is not None else [model.document.name for model in models]
    of_gait = {name: value for name, value in options.items() if name in Gait.model_fields}
    for label, model in zip(labels, models, strict=True):  # what is no leg is found before the first one is analysed
        with of_leg(label):
            read_settings(model, **of_gait)
    legs = []
    for k, (label, model) in enumerate(zip(labels, models, strict=True)):

        def part(fraction: float, k: int = k) -> None:
            if progress is not None:
                progress((k + fraction) / len(models))

        with of_leg(label):
            legs.append(analyse_leg(model, progress=part, **options))
    titles = [leg.name for leg in legs]
    if len(set(titles)) < len(titles):
        called = list(names) if names is not None and len(set(names)) == len(names) else numbered(names or titles)
        legs = [renamed(leg, title) for leg, title in zip(legs, called, strict=True)]
    return Comparison(legs)


@contextmanager
def of_leg(label: str) -> Iterator[None]:
    """Errors within name the leg."""
    try:
        yield
    except GaitwrightError as error:
        raise type(error)(f"leg '{label}': {error}") from error


def is_leg(model: Model) -> bool:
    """Whether it says which points are its feet; those of space never do."""
    return model.dimension == 2 and model.document.gait is not None


def numbered(titles: Sequence[str]) -> list[str]:
    return [f"{title} {k + 1}" for k, title in enumerate(titles)]


def renamed(leg: LegAnalysis, name: str) -> LegAnalysis:
    """The same analysis under another name."""
    return replace(leg, model=Model.from_dict({**leg.model.to_dict(), "name": name}))
