"""Analyse many designs on the workers of a cluster, in blocks."""

from __future__ import annotations

import warnings
from functools import cached_property
from typing import Any

import numpy as np

from gaitwright.codegen.accuracy_terms import add_energy_balance
from gaitwright.codegen.c_library import load_library
from gaitwright.codegen.chunk_runner import DesignPlan, analyse_chunk, make_plan, max_chunk_designs
from gaitwright.codegen.cuda_library import load_cuda_library
from gaitwright.codegen.forward_dynamics import read_integration_settings
from gaitwright.codegen.measures import MeasureRequest, MeasureSource, read_measures
from gaitwright.codegen.program import GeneratedProgram, generate_program
from gaitwright.design.batch.results import DesignResults, ResultCollector
from gaitwright.design.executors.dask_executor import DaskExecutor, SchedulerLost
from gaitwright.design.executors.process_pool import JobCrashed
from gaitwright.model.model import Model, compile_model
from gaitwright.model.spec.document import AnalysisSpec

BLOCK_DESIGNS = 8192
"""Designs per job of a cluster: about a second of one core."""


class RemoteTask:
    """Task description sent once to each cluster worker, which then generates and compiles the program locally."""

    def __init__(self, model: Model, names: list[str], section: AnalysisSpec, measures: Any, sources: list[MeasureSource],
                 derived: list[str], device: str):  # fmt: skip
        self.model, self.names, self.section, self.measures = model, names, section, measures
        self.sources, self.derived, self.device = sources, derived, device

    @cached_property
    def program(self) -> tuple[GeneratedProgram, MeasureRequest, Any]:
        mechanism = self.model.mechanism()
        question = read_measures(self.measures, mechanism, list(self.model.document.parameters), self.sources)
        question = add_energy_balance(question, self.section, self.model)
        compiled = compile_model(self.model)
        march = read_integration_settings(self.section, compiled)
        program = generate_program(compiled, self.names, question.series, bool(self.derived), march)
        return (
            program,
            question,
            load_cuda_library(program.text) if self.device == "cuda" else load_library(program.text),
        )


def _analyse_block(task: RemoteTask, P: np.ndarray) -> list[tuple[Any, ...]]:
    """Analyse a block of designs on a worker. Returns, by chunk, indices in the block and their results."""
    program, question, made = task.program
    plan = make_plan(task.section, program, question, P, task.derived)
    size = max_chunk_designs(plan, made, task.device)
    places = [np.arange(first, min(first + size, P.shape[1])) for first in range(0, P.shape[1], size)]
    return [(place, *analyse_chunk(plan, made, place)) for place in places]


def analyse_on_cluster(
    plan: DesignPlan, task: RemoteTask, client: Any, gathered: ResultCollector, progress: Any
) -> DesignResults:
    """Analyse the waiting designs on a cluster, in blocks; a block that crashes its worker is given up as a whole."""
    places = np.flatnonzero(gathered.waiting)
    blocks = [places[first : first + BLOCK_DESIGNS] for first in range(0, places.size, BLOCK_DESIGNS)]

    def tell() -> None:
        if progress is not None:
            progress(gathered.fraction())

    try:
        with DaskExecutor(client, _analyse_block, task) as cluster:
            for k, answers in cluster.results([plan.P[:, block] for block in blocks], tell):
                if isinstance(answers, JobCrashed):
                    gathered.give_up(blocks[k], answers.reason)
                else:
                    for place, *answer in answers:
                        gathered.take(blocks[k][place], *answer)
                tell()
    except KeyboardInterrupt:
        pass
    except SchedulerLost as lost:
        goes_on = ", the same call goes on" if gathered.kept else ""
        warnings.warn(f"{lost}; what was computed is kept{goes_on}", stacklevel=4)
    return gathered.found(plan.asked, plan.derived, plan.program.varied)
