"""Mutated robots in URDF: a model or one sentence. Entities and doctypes of XML are looked at too: they can be bombs."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

from fuzz.mutation import mutated_bytes, mutated_text
from fuzz.trial import attempt, case, cases, randoms
from gaitwright.errors import ModelError
from gaitwright.model.files import read_raw
from gaitwright.model.model import Model
from robots import HINGE, SLIDER, tree

pytestmark = pytest.mark.fuzz

ROBOT = tree({"upper": ("world", HINGE), "lower": ("upper", HINGE), "foot": ("lower", SLIDER)}, seed=3, damping=0.1)
ENTITIES = "".join(f'<!ENTITY a{k + 1} "&a{k};&a{k};&a{k};&a{k};">' for k in range(40))
BOMB = f'<?xml version="1.0"?><!DOCTYPE robot [<!ENTITY a0 "ha">{ENTITIES}]><robot name="&a40;"/>'
OUTSIDE = '<?xml version="1.0"?><!DOCTYPE robot [<!ENTITY x SYSTEM "file:///etc/passwd">]><robot name="r">&x;</robot>'


@given(random=randoms)
@cases(400)
def test_mutated_text(random: Any) -> None:
    text = mutated_text(ROBOT, random)
    with case(text, ".urdf") as path:
        attempt(lambda: Model.from_dict(read_raw(path)).mechanism())


@given(random=randoms)
@cases(150)
def test_mutated_bytes(random: Any) -> None:
    data = mutated_bytes(ROBOT.encode(), random)
    with case(data, ".urdf") as path:
        attempt(lambda: Model.from_dict(read_raw(path)).mechanism())


@pytest.mark.parametrize("text", [BOMB, OUTSIDE, "<a>" * 50_000, '<robot name="r">' + "<link/>" * 2000 + "</robot>"],
                         ids=["entities", "outside", "deep", "many"])  # fmt: skip
def test_xml_that_is_not_meant_well(text: str) -> None:
    with case(text, ".urdf") as path, pytest.raises(ModelError) as refused:
        read_raw(path)
    assert len(str(refused.value)) < 600 and "root:" not in str(refused.value)
