"""Many designs by the workers of a cluster, in blocks."""

from __future__ import annotations

import warnings
from functools import cached_property
from typing import Any

import numpy as np

from gaitwright.design.cluster import Cluster, Lost
from gaitwright.design.many.chunks import Plan, analysed, most, planned
from gaitwright.design.many.cuda import cuda_library
from gaitwright.design.many.evidence_terms import with_balance
from gaitwright.design.many.forward import march_of
from gaitwright.design.many.gathered import Found, Gathered
from gaitwright.design.many.library import library
from gaitwright.design.many.measures import Asked, Source, asked
from gaitwright.design.many.program import Program, printed
from gaitwright.design.variants import Prepared
from gaitwright.design.workers import Died
from gaitwright.model.spec import Analysis

BLOCK = 8192
"""Designs of a job of a cluster: about a second of a core."""


class Elsewhere:
    """What a worker of a cluster is told, once: it prints and compiles the program itself."""

    def __init__(self, document: Any, names: list[str], section: Analysis, measures: Any, sources: list[Source],
                 derived: list[str], device: str):  # fmt: skip
        self.document, self.names, self.section, self.measures = document, names, section, measures
        self.sources, self.derived, self.device = sources, derived, device

    @cached_property
    def program(self) -> tuple[Program, Asked, Any]:
        mechanism = Prepared.of(self.document).mechanism()
        question = asked(self.measures, mechanism, list(self.document.parameters), self.sources)
        question = with_balance(question, self.section, Prepared.of(self.document))
        march = march_of(self.section, self.document)
        program = printed(self.document, self.names, question.series, bool(self.derived), march)
        return program, question, cuda_library(program.text) if self.device == "cuda" else library(program.text)


def _block(task: Elsewhere, P: np.ndarray) -> list[tuple[Any, ...]]:
    """On a worker: places in a block of designs, and what came of them."""
    program, question, made = task.program
    plan = planned(task.section, program, question, P, task.derived)
    size = most(plan, made, task.device)
    places = [np.arange(first, min(first + size, P.shape[1])) for first in range(0, P.shape[1], size)]
    return [(place, *analysed(plan, made, place)) for place in places]


def by_cluster(plan: Plan, task: Elsewhere, client: Any, gathered: Gathered, progress: Any) -> Found:
    """By workers of a cluster, in blocks; a block that takes its worker down is given up as a whole."""
    places = np.flatnonzero(gathered.waiting)
    blocks = [places[first : first + BLOCK] for first in range(0, places.size, BLOCK)]

    def tell() -> None:
        if progress is not None:
            progress(gathered.fraction())

    try:
        with Cluster(client, _block, task) as cluster:
            for k, answers in cluster.results([plan.P[:, block] for block in blocks], tell):
                if isinstance(answers, Died):
                    gathered.give_up(blocks[k], answers.reason)
                else:
                    for place, *answer in answers:
                        gathered.take(blocks[k][place], *answer)
                tell()
    except KeyboardInterrupt:
        pass
    except Lost as lost:
        goes_on = ", the same call goes on" if gathered.kept else ""
        warnings.warn(f"{lost}; what was computed is kept{goes_on}", stacklevel=4)
    return gathered.found(plan.asked, plan.derived, plan.program.varied)
