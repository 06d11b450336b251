"""Numbers of a result as expressions of its outputs, its scalar results and parameters, as in `gw.designs`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitwright.codegen.measures import DesignMeasures, MeasureRequest, MeasureSource, read_measures
from gaitwright.design.batch.fallback import output_series
from gaitwright.design.scalar_results import find_motion, read_scalars
from gaitwright.model.expressions import resolve_parameters
from gaitwright.result.reductions import get_reduction

if TYPE_CHECKING:
    from gaitwright.mechanism.mechanism import Mechanism
    from gaitwright.model.model import Model


class MeasureExpressions:
    """Function of a result that returns {name: number} from {name: expression}, such as {"span": "P.x.max - P.x.min"}.
    Expressions may contain scalar results of the analysis, such as {"ratio": "energy / step_length"} of gw.LegTurns()."""

    def __init__(self, measures: Mapping[str, str]):
        self.measures = dict(measures)

    def check(self, model: Model, numbers: Mapping[str, tuple[str, str]] | None = None) -> MeasureRequest:
        """Request of these measures for a model. numbers: scalar results of its analysis, {name: (unit, meaning)}. Raises
        ModelError if an expression contains unknown numbers."""
        return self._asked(model.mechanism(), model.document.parameters, numbers or {})

    def _asked(
        self, mechanism: Mechanism, parameters: Iterable[str], numbers: Mapping[str, tuple[str, str]]
    ) -> MeasureRequest:
        return read_measures(
            self.measures, mechanism, list(parameters), [make_number_source(numbers)] if numbers else []
        )

    def __call__(self, result: Any, more: Mapping[str, float] | None = None) -> dict[str, float]:
        """Evaluate the expressions for a result. more: additional numbers by name."""
        run, numbers = find_motion(result), {**(read_scalars(result) or {}), **(more or {})}
        assert run is not None
        parameters = resolve_parameters((run.document or {}).get("parameters", {}))
        parameters |= getattr(result, "parameters", {})
        question = self._asked(run.mechanism, parameters, {name: ("", name) for name in numbers})
        known = {name: np.array([value]) for name, value in {**numbers, **parameters}.items()}
        for name, output, what in question.reduced:
            known[name] = np.array([get_reduction(what).of_series(output_series(run, output))])
        return {name: float(value[0]) for name, value in question.results(known).items()}


def make_number_source(numbers: Mapping[str, tuple[str, str]]) -> MeasureSource:
    """Source of measures for the scalar results of an analysis. numbers: {name: (unit, meaning)}. No generated program computes
    them."""
    return MeasureSource(numbers, (), lambda *_: {}, lambda _: DesignMeasures({}, {}))
