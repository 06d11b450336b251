"""Numbers of a result written as expressions of its outputs, of numbers that it tells and of parameters, as `gw.designs` has
them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitwright.design.many.classic import series_of
from gaitwright.design.many.measures import Asked, Measured, Source, asked, reduction
from gaitwright.design.told import motion_of, told
from gaitwright.model.expressions import resolve_parameters

if TYPE_CHECKING:
    from gaitwright.model.model import Model
    from gaitwright.system.mechanism import Mechanism


class Expressed:
    """A function of a result: {name: number} from {name: expression}, such as {"span": "P.x.max - P.x.min"}; also of numbers
    that the analysis tells by name, such as {"ratio": "energy / step_length"} of gw.LegTurns()."""

    def __init__(self, measures: Mapping[str, str]):
        self.measures = dict(measures)

    def check(self, model: Model, numbers: Mapping[str, tuple[str, str]] | None = None) -> Asked:
        """What is asked of a model. ModelError if it has no such numbers. numbers: that its analysis tells besides, with unit
        and meaning."""
        return self._asked(model.mechanism(), model.document.parameters, numbers or {})

    def _asked(self, mechanism: Mechanism, parameters: Iterable[str], numbers: Mapping[str, tuple[str, str]]) -> Asked:
        return asked(self.measures, mechanism, list(parameters), [number_source(numbers)] if numbers else [])

    def __call__(self, result: Any, more: Mapping[str, float] | None = None) -> dict[str, float]:
        """more: numbers that are known of the result besides."""
        run, numbers = motion_of(result), {**(told(result) or {}), **(more or {})}
        assert run is not None
        given = resolve_parameters((run.document or {}).get("parameters", {}))
        given |= getattr(result, "parameters", {})
        question = self._asked(run.mechanism, given, {name: ("", name) for name in numbers})
        known = {name: np.array([value]) for name, value in {**numbers, **given}.items()}
        for name, output, what in question.reduced:
            known[name] = reduction(what)(series_of(run, output)[:, None])
        return {name: float(value[0]) for name, value in question.results(known).items()}


def number_source(numbers: Mapping[str, tuple[str, str]]) -> Source:
    """Numbers that an analysis tells, as a source of measures; unit and meaning by name. No program computes them."""
    return Source(numbers, (), lambda *_: {}, lambda _: Measured({}, {}))
