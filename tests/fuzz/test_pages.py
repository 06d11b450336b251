"""Test that HTML in names has no effect on a page: titles, bodies, outputs and legends show it as text."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from documents import small
from fuzz.mutation import HTML
from gaitwright._core.errors import ModelError
from gaitwright.model.model import Model

NASTY = "</script><script>alert(1)</script><img src=x onerror=alert(1)>\"'{{7*7}}<!--"


class Seen(HTMLParser):
    """Collects tags with their attributes and the contents of scripts."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, Any]]] = []
        self.scripts: list[str] = []

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag == "script":
            self.scripts.append("")

    def handle_data(self, data: str) -> None:
        if self.lasttag == "script" and self.scripts:
            self.scripts[-1] += data


def texts(value: Any) -> list[str]:
    """All texts in the data of a page."""
    if isinstance(value, str):
        return [value]
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [text for part in parts for text in texts(part)]


def looked_at(path: Path) -> Seen:
    seen = Seen()
    seen.feed(path.read_text(encoding="utf-8"))
    return seen


@pytest.fixture(scope="module")
def run() -> Any:
    return Model.from_dict({**small(), "analysis": {"until": 0.02, "step": 1e-3}}).analyse()


@pytest.mark.slow
@pytest.mark.parametrize("write", ["animate", "report"])
def test_a_title_with_html_is_text(run: Any, write: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The name of a mechanism is checked when a model is read; this test bypasses that check."""
    getattr(run, write)(tmp_path / "plain.html")
    monkeypatch.setattr(run, "mechanism", replace(run.mechanism, name=NASTY))
    getattr(run, write)(tmp_path / "nasty.html")
    plain, nasty = looked_at(tmp_path / "plain.html"), looked_at(tmp_path / "nasty.html")
    assert [tag for tag, _ in nasty.tags] == [tag for tag, _ in plain.tags]
    assert not any(name.startswith("on") for tag, attrs in nasty.tags for name in attrs)
    assert "7*7" in (tmp_path / "nasty.html").read_text(), "the name is not in the page at all"
    data = [script for script in nasty.scripts if script.lstrip().startswith(("{", "["))]
    assert any(NASTY in text for script in data for text in texts(json.loads(script)))


@pytest.mark.parametrize("text", HTML)
@pytest.mark.parametrize("place", ["model", "link", "output", "point", "parameter"])
def test_names_with_html_are_refused(text: str, place: str) -> None:
    document = small()
    if place == "model":
        document["name"] = text
    elif place == "link":
        document["links"][0]["name"] = text
    elif place == "output":
        document["outputs"] = [text]
    elif place == "point":
        document["points"][text] = [0, 0]
    else:
        document["parameters"][text] = 1
    with pytest.raises(ModelError) as refused:
        Model.from_dict(document).mechanism()
    assert re.search("expected", str(refused.value))
