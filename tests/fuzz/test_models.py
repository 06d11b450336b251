"""Fuzz the model files of all examples: each runs or is refused in one sentence, within its limits of time and
memory."""

from __future__ import annotations

import json
from typing import Any

import pytest
import yaml
from hypothesis import given

from documents import EXAMPLES, full, small
from fuzz.mutation import mutated
from fuzz.trial import attempt, case, cases, randoms
from gaitwright.model.io.files import read_raw_document
from gaitwright.model.model import Model

pytestmark = pytest.mark.fuzz

DOCUMENTS: dict[str, Any] = {path.stem: read_raw_document(path) for path in sorted(EXAMPLES.glob("*.yaml"))}
DOCUMENTS |= {"small": small(), "full": full()}
NAMES = sorted(DOCUMENTS)
CHEAP = ["small", "four_bar", "jansen", "slider_crank", "sprung_arm", "bouncing_ball", "gyroscope", "cantilever"]
"""Models that are run: they have few kinds of elements and therefore compile fast."""
STEPS, SECONDS = 60.0, 2.0


@given(random=randoms)
@cases(1500)
def test_a_mutated_model_becomes_a_mechanism_or_is_refused(random: Any) -> None:
    document = mutated(DOCUMENTS[random.choice(NAMES)], random)
    with case(json.dumps(document), ".json"):
        attempt(lambda: Model.from_dict(document).mechanism())


@pytest.mark.parametrize("name", NAMES)
def test_seeds_are_valid(name: str) -> None:
    """Otherwise every mutation would be refused for the same reason."""
    assert Model.from_dict(DOCUMENTS[name]).mechanism().n > 0
    assert yaml.safe_load(json.dumps(DOCUMENTS[name]))
