"""The documentation site: a reference for every public name, equations that KaTeX can render, search without a
server."""

from __future__ import annotations

import importlib
import re
import subprocess
import sys
from pathlib import Path

import pytest

import gaitwright as gw
from pages import CHROMIUM, FLAT, OPTIONS, need_browser

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
NAMESPACES = (
    "laws", "friction", "materials", "surfaces", "extend", "mesh", "foot", "gait", "wear", "wear.devices", "wear.comfort",
    "mechanisms",
)  # fmt: skip
"""Modules with names that are public below `gw.`"""
FORMULA = re.compile(r"\$\$(.+?)\$\$|\$([^$\n]+)\$", re.DOTALL)


def public() -> set[str]:
    """Return every public name of `gaitwright` and of these modules."""
    names = set(gw.__all__)
    for namespace in NAMESPACES:
        names |= {f"{namespace}.{name}" for name in importlib.import_module(f"gaitwright.{namespace}").__all__}
    return names - set(NAMESPACES)


def referred() -> list[str]:
    pages = sorted((DOCS / "reference").glob("*.md"))
    return [name for page in pages for name in re.findall(r"^::: gaitwright\.(\S+)$", page.read_text(), re.MULTILINE)]


def test_every_public_name_is_in_the_reference_once():
    names = referred()
    assert sorted(names) == sorted(set(names))
    assert public() - set(names) == set()
    made = {"result.result.Result", "result.evidence.RunEvidence"}  # by analyses, not by users
    groups = {
        f"model.shortcuts.{kind}Methods" for kind in ("Joint", "Drive", "Force")
    }  # model.joint, model.drive, model.force
    inside = made | groups
    assert set(names) - public() == inside


def formulas() -> list[tuple[str, str, bool]]:
    """Return (page, formula, whether it is a display formula) for all pages."""
    formulas_of_pages = []
    for page in sorted(DOCS.rglob("*.md")):
        text = re.sub(r"^```.*?^```|`[^`\n]*`", "", page.read_text(), flags=re.DOTALL | re.MULTILINE)
        formulas_of_pages += [(page.stem, alone or inline, bool(alone)) for alone, inline in FORMULA.findall(text)]
    return formulas_of_pages


PLAIN = re.compile(r"\bPhi_|\^T\b|\bsqrt\(|(?<![-\w])(?:omega|theta|lambda|kappa)\b")
"""Matches an equation that is written as plain text."""


def test_equations_of_the_theory_are_formulas():
    for page in sorted((DOCS / "theory").glob("*.md")):
        text = re.sub(r"^```.*?^```|`[^`\n]*`", "", page.read_text(), flags=re.DOTALL | re.MULTILINE)
        assert not PLAIN.search(FORMULA.sub("", text)), page.stem


@pytest.mark.slow
def test_every_equation_can_be_rendered():
    """Rendered by the KaTeX that the site includes."""
    all_formulas = formulas()
    assert len(all_formulas) > 1000
    with need_browser().sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=OPTIONS + FLAT)
        page = browser.new_page()
        page.add_script_tag(path=DOCS / "javascripts" / "katex" / "katex.min.js")
        wrong = page.evaluate(
            """all => all.filter(([page, text, displayMode]) => {
                try { katex.renderToString(text, {displayMode, throwOnError: true, strict: "ignore"}); return false }
                catch { return true }
            })""",
            all_formulas,
        )
        browser.close()
    assert wrong == []


@pytest.mark.slow
def test_the_site_works_from_a_folder(tmp_path):
    """The site builds without a warning and loads nothing from a network; search finds a name of the reference and a
    word of the theory."""
    pytest.importorskip("mkdocs", reason="needs the docs extra")
    pytest.importorskip("mkdocstrings", reason="needs the docs extra")
    driver = need_browser()
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(tmp_path / "site")]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    with driver.sync_playwright() as way:
        browser = way.chromium.launch(executable_path=CHROMIUM, args=OPTIONS + FLAT)
        page = browser.new_page()
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        page.goto((tmp_path / "site" / "theory" / "planar.html").as_uri())
        assert page.locator(".katex").count() > 30 and page.locator(".katex-error").count() == 0
        for word, page_of_it in (("DriveMethods.rotation", "reference/models.html"), ("Lemke", "theory/contact.html")):
            page.locator(".md-search__input").fill("")
            page.locator(".md-search__input").press_sequentially(word)
            page.locator(f'.md-search-result__link[href*="{page_of_it}"]').first.wait_for(
                state="attached", timeout=20_000
            )
        browser.close()
    assert {url.partition(":")[0] for url in asked} <= {"file", "data", "about", "blob"}


FOR_REFERENCE = {"changelog", "verdicts", "sources", "architecture", "licences", "versions", "measures"}
"""Lists, and pages that are generated by code."""


@pytest.mark.parametrize("page", sorted(DOCS.rglob("*.md")), ids=lambda page: page.relative_to(DOCS).as_posix())
def test_page_names_its_readers_and_has_a_picture_and_an_example(page):
    """Before the first section, a page has one picture, a runnable example or a command, and names its readers."""
    text = page.read_text()
    if page.stem not in FOR_REFERENCE and page.parent.name != "changes":
        assert re.search(r"^\*?For ", text.partition("\n## ")[0], re.MULTILINE)
        assert re.search(r"^!\[[^\]]{5,}\]\([^)]+\)", text, re.MULTILINE)
        assert re.search(r"^```(?:python|yaml)?\n", text, re.MULTILINE)
    for picture in re.findall(r"!\[[^\]]*\]\(([^)]+)\)", text):
        assert (page.parent / picture).is_file()
