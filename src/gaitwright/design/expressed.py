"""Numbers of a result written as expressions of its outputs, as `gw.designs` has them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from gaitwright.design.many.classic import series_of
from gaitwright.design.many.measures import asked, reduction
from gaitwright.model.expressions import resolve_parameters

if TYPE_CHECKING:
    from gaitwright.model.model import Model
    from gaitwright.result.result import Result


class Expressed:
    """A function of a Result: {name: number} from {name: expression}, such as {"span": "P.x.max - P.x.min"}."""

    def __init__(self, measures: Mapping[str, str]):
        self.measures = dict(measures)

    def check(self, model: Model) -> None:
        """ModelError if a model has no such numbers."""
        asked(self.measures, model.mechanism(), list(model.document.parameters), [])

    def __call__(self, run: Result) -> dict[str, float]:
        given = resolve_parameters((run.document or {}).get("parameters", {}))
        question = asked(self.measures, run.mechanism, list(given), [])
        known = {name: np.array([value]) for name, value in given.items()}
        for name, output, what in question.reduced:
            known[name] = reduction(what)(series_of(run, output)[:, None])
        return {name: float(value[0]) for name, value in question.results(known).items()}
