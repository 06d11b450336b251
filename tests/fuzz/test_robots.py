"""Fuzz URDF robots: each gives a model or a one-sentence error. XML entities and doctypes, which can be bombs, are
tested too."""

from __future__ import annotations

import pytest

from fuzz.trial import case
from gaitwright._core.errors import ModelError
from gaitwright.model.io.files import read_raw_document
from robots import HINGE, SLIDER, tree

pytestmark = pytest.mark.fuzz

ROBOT = tree({"upper": ("world", HINGE), "lower": ("upper", HINGE), "foot": ("lower", SLIDER)}, seed=3, damping=0.1)
ENTITIES = "".join(f'<!ENTITY a{k + 1} "&a{k};&a{k};&a{k};&a{k};">' for k in range(40))
BOMB = f'<?xml version="1.0"?><!DOCTYPE robot [<!ENTITY a0 "ha">{ENTITIES}]><robot name="&a40;"/>'
OUTSIDE = '<?xml version="1.0"?><!DOCTYPE robot [<!ENTITY x SYSTEM "file:///etc/passwd">]><robot name="r">&x;</robot>'


@pytest.mark.parametrize("text", [BOMB, OUTSIDE, "<a>" * 50_000, '<robot name="r">' + "<link/>" * 2000 + "</robot>"],
                         ids=["entities", "outside", "deep", "many"])  # fmt: skip
def test_malicious_xml_is_refused(text: str) -> None:
    with case(text, ".urdf") as path, pytest.raises(ModelError) as refused:
        read_raw_document(path)
    assert len(str(refused.value)) < 600 and "root:" not in str(refused.value)
