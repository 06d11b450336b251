"""The notebooks of examples/ run from top to bottom as in Jupyter, cell by cell, and the final value of each cell
can be shown."""

from __future__ import annotations

import ast
import json
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import pytest

NOTEBOOKS = sorted((Path(__file__).parent.parent / "examples" / "notebooks").glob("*.ipynb"))
SHOWN = ("_repr_html_", "_repr_mimebundle_", "_repr_png_", "__repr__")


def run_cell(source: str, names: dict[str, Any]) -> Any:
    """Run a cell and return the value of its last line, if that is an expression."""
    tree = ast.parse(source)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, "cell", "exec"), names)
    return None if last is None else eval(compile(ast.Expression(last.value), "cell", "eval"), names)


def test_number_of_notebooks():
    assert len(NOTEBOOKS) == 4


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebooks_are_stored_without_results(path):
    """Readers compute the results themselves, and the diff of a code change contains only code."""
    book = json.loads(path.read_text())
    assert (book["nbformat"], book["nbformat_minor"]) == (4, 5)
    cells = book["cells"]
    assert len({cell["id"] for cell in cells}) == len(cells)
    assert cells[0]["cell_type"] == "markdown" and "".join(cells[0]["source"]).startswith("# ")
    for cell in cells:
        if cell["cell_type"] == "code":
            assert cell["outputs"] == [] and cell["execution_count"] is None


@pytest.mark.slow
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook_runs(path, tmp_path, monkeypatch):
    """The assertions of the notebook hold, too."""
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {"__name__": "__main__"}
    for cell in json.loads(path.read_text())["cells"]:
        if cell["cell_type"] == "code":
            value = run_cell("".join(cell["source"]), names)
            assert value is None or any(getattr(value, name)() for name in SHOWN if hasattr(value, name))
    plt.close("all")
