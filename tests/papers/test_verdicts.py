"""The page of verdicts: what was found stands there, and nothing in it is taken for Markdown."""

from __future__ import annotations

from pathlib import Path

import pytest

from gaitwright.papers.check import KINDS, VERDICTS, Findings, judge
from gaitwright.papers.verdicts import page, plain_text


def found() -> dict[str, Findings]:
    checks = [
        judge("1-a", "force", 1.0, 1.0, "N", paper="003", remark="for 4 < t <= 5 | with `K`"),
        judge("1-b", "mass & more", 1.0, 2.0, "kg", paper="003", void="no mass is printed, only |v_T| and x_3 - x_2"),
        judge("1-c", "links", 3, 3, "1", paper="003", kind="input"),
    ]
    reasons = {"length": "1 m, since none is printed", "number": 3.0}
    return {"a-leg": Findings("a-leg", "003", "paper 003: a leg", {"reasons": reasons}, checks)}


def test_page() -> None:
    lines = page(found()).splitlines()
    assert "| 1-a | force | 1 | 1 | N | result | pass | for 4 &lt; t &lt;= 5 &#124; with 'K' |" in lines
    # an input that is read back is no result
    assert "| 003 | [a-leg](#a-leg) | 2 | 1 | 0 | 1 | 0 | 1 |" in lines
    assert "|  | **all** | 2 | 1 | 0 | 1 | 0 | 1 |" in lines and "| input | 1 | 1 | 0 | 0 | 0 |" in lines
    assert not [line for line in lines if line.startswith("| statement | 0")]


def test_page_as_a_browser_gets_it() -> None:
    markdown = pytest.importorskip("markdown", reason="needs the packages of `make docs`").markdown
    html = markdown(page(found()), extensions=["tables", "attr_list"])
    assert '<h2 id="a-leg">Paper 003: a leg</h2>' in html and '<a href="#a-leg">a-leg</a>' in html
    assert "<td>for 4 &lt; t &lt;= 5 &#124; with 'K'</td>" in html
    assert "<td>mass &amp; more</td>" in html and "only &#124;v_T&#124; and x_3 - x_2</td>" in html
    assert "<li>length: 1 m, since none is printed</li>" in html and "3.0" not in html
    assert all(f"<td>{verdict}</td>" in html for verdict in (*VERDICTS, *KINDS))  # each is explained
    totals = [row for row in html.split("<tr>") if "<strong>all</strong>" in row]
    assert [cell.split("</td>")[0] for cell in totals[0].split("<td>")[3:]] == ["2", "1", "0", "1", "0", "1"]


def test_plain_text() -> None:
    assert plain_text("a | b < c & `d`") == "a &#124; b &lt; c &amp; 'd'"


def test_page_is_in_the_documents() -> None:
    root = Path(__file__).parents[2]
    assert "verdicts.md" in (root / "mkdocs.yml").read_text()
