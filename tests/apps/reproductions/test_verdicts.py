"""The page of verdicts lists all results and escapes Markdown characters."""

from __future__ import annotations

from pathlib import Path

import pytest

from gaitwright_apps.reproductions import EXPERIMENTS
from gaitwright_apps.reproductions.experiments import KINDS, VERDICTS, ExperimentFindings, judge_number
from gaitwright_apps.reproductions.sheets import read_sheet
from gaitwright_apps.reproductions.verdicts import (
    SUMMARIES,
    count_checks,
    escape_markdown,
    read_counts,
    readme_sentence,
    verdict_page,
    write_readme,
)


def found() -> dict[str, ExperimentFindings]:
    checks = [
        judge_number("1-a", "force", 1.0, 1.0, "N", paper="003", remark="for 4 < t <= 5 | with `K`"),
        judge_number(
            "1-b", "mass & more", 1.0, 2.0, "kg", paper="003", void="no mass is printed, only |v_T| and x_3 - x_2"
        ),
        judge_number("1-c", "links", 3, 3, "1", paper="003", kind="input"),
        judge_number("1-d", "it is smaller", 1, 1, "1", paper="003", kind="statement"),
        judge_number("1-e", "it is larger", 1, 0, "1", paper="003", kind="statement", void="no size is printed"),
    ]
    reasons = {"length": "1 m, since none is printed", "number": 3.0}
    return {"a-leg": ExperimentFindings("a-leg", "003", "paper 003: a leg", {"reasons": reasons}, checks)}


def test_page() -> None:
    lines = verdict_page(found()).splitlines()
    assert "| 1-a | force | 1 | 1 | N | result | pass | for 4 &lt; t &lt;= 5 &#124; with 'K' |" in lines
    # an input that is read back is no result, and a statement is counted as one
    assert "| **all** |  | 2 | 1 | 0 | 1 | 2 | 1 | 1 |" in lines
    assert "| [a-leg](#a-leg) | 2 | 1 | 0 | 1 | 2 | 1 | 1 |" in lines and "| input | 1 | 1 | 0 | 0 | 0 |" in lines
    assert not [line for line in lines if line.startswith("| arithmetic | 0")]
    assert read_counts(verdict_page(found())) == count_checks(found()["a-leg"].checks)


def test_each_paper_starts_with_a_summary() -> None:
    """The summary of each paper lists agreements and disagreements before any table of numbers."""
    assert set(SUMMARIES) == {read_sheet(name).paper for name in EXPERIMENTS}
    text = verdict_page(found())
    parts = [
        text.index(part)
        for part in ("### Paper 003: ", "**What agrees.**", "**What does not, and why.**", "## Details", "| 1-a |")
    ]
    assert parts == sorted(parts)
    for paper, summary in SUMMARIES.items():
        assert set(summary) == {"about", "agrees", "differs"}, paper
        assert len(summary["agrees"].split()) < 100 and len(summary["differs"].split()) < 100, paper


def test_summary_of_paper_003_follows_from_its_printed_numbers() -> None:
    """Inelastic normal forces are 6.8 and 10.3 times the elastic ones; friction exceeds mu F_N in all cases but one."""
    printed, differs = read_sheet("walking-legs").printed, " ".join(SUMMARIES["003"]["differs"].split())
    assert "7 to 10 times the elastic ones" in differs
    assert "Three of the four friction forces exceed mu times the printed normal force, by 9 to 36 %" in differs
    times, over = [], []
    for leg in ("chebyshev", "jansen"):
        normal = {how: printed[f"4.2-normal-peak-{how}-{leg}"] for how in ("elastic", "inelastic")}
        times.append(normal["inelastic"] / normal["elastic"])
        for how, peak in normal.items():
            over.append(printed[f"4.2-tangential-{how}-{leg}"] / (printed[f"4.1-friction-{leg}"] * peak) - 1)
    assert sorted(round(each) for each in times) == [7, 10]
    assert sorted(round(100 * each) for each in over) == [-21, 9, 9, 36]


def test_summary_of_paper_001_counts_illegible_entries() -> None:
    """Entries of Table 4 that are illegible in our copy: two coefficients and two weights."""
    lost = [row.id for row in read_sheet("integrators").rows() if row.id.startswith("4-") and row.void]
    assert [id[:3] for id in lost] == ["4-a", "4-a", "4-b", "4-b"]
    assert "Two coefficients and two weights of Table 4" in " ".join(SUMMARIES["001"]["differs"].split())


def test_rows_that_any_model_passes_are_verifications() -> None:
    """They are neither results nor statements, such as a cost that grows with the number of rods."""
    kinds = {row.id: row.kind for name in EXPERIMENTS for row in read_sheet(name).rows()}
    sizes = [f"5-size-{method}" for method in ("gill", "gauss2", "gauss3")]
    for id in ("4.2-directions-free-chebyshev", "7-11", "2.2-order-gill-1", *sizes):
        assert kinds[id] == "verification", id


def test_page_explains_the_columns_of_its_summary() -> None:
    text = verdict_page(found())
    assert "| hold | not confirmed |" in text and "A statement is *not confirmed* if" in text


def test_page_as_a_browser_gets_it() -> None:
    markdown = pytest.importorskip("markdown", reason="needs the packages of `make docs`").markdown
    html = markdown(verdict_page(found()), extensions=["tables", "attr_list"])
    assert '<h3 id="a-leg">Paper 003: a leg</h3>' in html and '<a href="#a-leg">a-leg</a>' in html
    assert "<td>for 4 &lt; t &lt;= 5 &#124; with 'K'</td>" in html
    assert "<td>mass &amp; more</td>" in html and "only &#124;v_T&#124; and x_3 - x_2</td>" in html
    assert "<li>length: 1 m, since none is printed</li>" in html and "3.0" not in html
    assert all(f"<td>{verdict}</td>" in html for verdict in (*VERDICTS, *KINDS))  # each is explained
    totals = [row for row in html.split("<tr>") if "<strong>all</strong>" in row]
    assert [cell.split("</td>")[0] for cell in totals[0].split("<td>")[3:]] == ["2", "1", "0", "1", "2", "1", "1"]


def test_counts_of_the_readme_are_those_of_the_page() -> None:
    root = Path(__file__).parents[3]
    readme, counted = (
        (root / "README.md").read_text("utf-8"),
        read_counts((root / "docs" / "verdicts.md").read_text("utf-8")),
    )
    assert readme_sentence(counted) in readme, "the README is out of date: make verdicts"
    assert (
        counted["equal"] + counted["equal within rounding"] + counted["not reproducible"] == counted["printed results"]
    )


def test_readme_gets_its_counts(tmp_path: Path) -> None:
    readme = tmp_path / "README.md"
    readme.write_text("- <!-- verdicts -->old<!-- /verdicts -->\n- else\n", "utf-8")
    write_readme(readme, count_checks(found()["a-leg"].checks))
    text = readme.read_text("utf-8")
    assert "1 of 2 printed results cannot be reproduced" in text and "old" not in text and text.endswith("\n- else\n")


def test_plain_text() -> None:
    assert escape_markdown("a | b < c & `d`") == "a &#124; b &lt; c &amp; 'd'"


def test_page_is_in_the_documents() -> None:
    root = Path(__file__).parents[3]
    assert "verdicts.md" in (root / "mkdocs.yml").read_text()
