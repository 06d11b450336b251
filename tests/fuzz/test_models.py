"""Mutated model files of all examples: each runs or is refused in one sentence, within its time and memory."""

from __future__ import annotations

import json
from typing import Any

import pytest
import yaml
from hypothesis import given

from documents import EXAMPLES, full, small
from fuzz.mutation import mutated, mutated_text
from fuzz.trial import attempt, case, cases, randoms, require_numbers
from gaitwright.model.files import read_raw
from gaitwright.model.model import Model
from gaitwright.model.spec import Analysis

pytestmark = pytest.mark.fuzz

DOCUMENTS: dict[str, Any] = {path.stem: read_raw(path) for path in sorted(EXAMPLES.glob("*.yaml"))}
DOCUMENTS |= {"small": small(), "full": full()}
NAMES = sorted(DOCUMENTS)
CHEAP = ["small", "four_bar", "jansen", "slider_crank", "sprung_arm", "bouncing_ball", "gyroscope", "cantilever"]
"""Those that run: few kinds of elements, so little to compile."""
STEPS, SECONDS = 60.0, 2.0


@given(random=randoms)
@cases(1500)
def test_a_mutated_model_becomes_a_mechanism_or_is_refused(random: Any) -> None:
    document = mutated(DOCUMENTS[random.choice(NAMES)], random)
    with case(json.dumps(document), ".json"):
        attempt(lambda: Model.from_dict(document).mechanism())


@given(random=randoms)
@cases(600)
def test_a_mutated_model_runs_or_is_refused(random: Any) -> None:
    document = mutated(DOCUMENTS[random.choice(CHEAP)], random)
    with case(json.dumps(document), ".json"):
        attempt(lambda: require_numbers(run(document)))


@given(random=randoms)
@cases(400)
def test_a_mutated_text_is_read_or_refused(random: Any) -> None:
    name = random.choice(["pendulum", "slider_crank", "bouncing_ball", "sprung_arm"])
    text = mutated_text((EXAMPLES / f"{name}.yaml").read_text(), random)
    with case(text, ".yaml") as path:
        attempt(lambda: Model.from_dict(read_raw(path)).mechanism())


def run(document: Any) -> Any:
    """The analysis of a document with a small budget."""
    model = Model.from_dict(document)
    asked = model.document.analysis or Analysis()
    model.document.analysis = asked.model_copy(update={"max_steps": STEPS, "max_seconds": SECONDS})
    return model.analyse()


@pytest.mark.parametrize("name", NAMES)
def test_the_seeds_are_right_themselves(name: str) -> None:
    """Otherwise every mutation would be refused for the same reason."""
    assert Model.from_dict(DOCUMENTS[name]).mechanism().n > 0
    assert yaml.safe_load(json.dumps(DOCUMENTS[name]))
